// What is wrong with a value in a file of settings, each with what would be right.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  fraction: 'a fraction',
  boolean: 'true or false',
  object: 'a group of keys',
  record: 'a group of keys',
  array: 'a list',
};
const typeName = (type: string) => TYPES[type] ?? type;

/** A limit of text counts characters, one of a list entries. */
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

export type Bound = 'at-least' | 'more-than' | 'at-most';
const BOUNDS: Readonly<Record<Bound, string>> = {
  'at-least': 'at least',
  'more-than': 'more than',
  'at-most': 'at most',
};

export type DescribedIn = 'tenants' | 'mapping' | 'adapters';

export const FILE_VALUES = {
  KEY_MISSING: ({ key }: { key: string }) => `"${key}" is missing.`,
  ADD_IT: ({ described }: { described: Message }, say: Say) => `Add it: ${say(described)}`,
  ADD_ONE_OF: ({ values }: { values: string }) => `Add it, one of: ${values}.`,
  /** `description`: of the schema, in English; empty: it has none. */
  DESCRIBED: ({ description }: { description: string; page: DescribedIn }) =>
    description === '' ? 'See docs/tenants.md.' : description,
  KEY_UNKNOWN: ({ key }: { key: string }) => `Unknown key "${key}".`,
  KNOWN_KEYS: ({ keys }: { keys: string }) => `Known here: ${keys}.`,
  DID_YOU_MEAN: ({ near }: { near: string }) => `Did you mean "${near}"?`,
  SECRET_NOT_NAMED: ({ key }: { key: string }) => `"${key}" must name a secret, not contain one.`,
  NAME_THE_SECRET: () => 'Write env:NAME or file:path, and change the secret if it was ever saved here.',
  MAINTENANCE_CODE_MISPLACED: () => 'A maintenance code must never be sent to production.',
  REMOVE_MAINTENANCE_CODE: () => 'Remove maintenanceCode, or set environment: development.',
  TYPE_UNFIT: ({ expected, found }: { expected: string; found: string }) =>
    `Expected ${typeName(expected)}, found ${typeName(found)}.`,
  PUT_IN_QUOTES: ({ written = '' }: { written?: string }) =>
    written === '' ? 'Put it in quotes.' : `Put it in quotes: "${written}".`,
  /** `value`: left out where it may be a secret. */
  VALUE_NOT_OF: ({ key, value }: { key: string; value?: string }) =>
    `${value === undefined ? 'This' : `"${value}"`} is not a value of "${key}".`,
  USE_ONE_OF: ({ values }: { values: string }) => `Use one of: ${values}.`,
  NO_DATE: ({ key }: { key: string }) => `"${key}" is not a date.`,
  WRITE_A_DATE: () => 'Write it as YYYY-MM-DD, for example 2026-01-31.',
  NO_EMAIL: ({ key }: { key: string }) => `"${key}" is not an e-mail address.`,
  SIZE_UNFIT: ({ key, bound, limit, of }: { key: string; bound: Bound; limit: string; of: string }) =>
    `"${key}" must be ${BOUNDS[bound]} ${limit}${UNITS[of] ?? ''}.`,
  FITS_NO_FORM: ({ forms }: { forms: readonly Message[] }, say: Say) =>
    `This fits none of the allowed forms: ${forms.map((form) => say(form).replace(/\.$/, '')).join('; or ')}.`,
  NOT_FILLED_IN: ({ key }: { key: string }) => `"${key}" is not filled in.`,
  WRITE_THERE: ({ what }: { what: string }) => `Write ${what} there.`,

  ADAPTER_UNKNOWN: ({ name }: { name: string }) => `There is no ERP adapter "${name}".`,
  ADAPTERS_KNOWN: ({ names }: { names: string }) =>
    `Known: ${names}; or the name of a package with a scope, such as @acme/ledgerbridge-erp.`,
  RULES_UNKNOWN: ({ name }: { name: string }) => `There are no bundled rules "${name}".`,
  RULES_KNOWN: ({ names, name }: { names: string; name: string }) =>
    `Bundled: ${names}. A file of your own needs its ending: ./${name}.yaml.`,
  RULES_FILE_MISSING: ({ name }: { name: string }) => `There is no rules file "${name}".`,
  PATHS_START_HERE: () => 'Paths start at the directory of the tenant file.',

  NO_CRON: ({ cron }: { cron: string }) => `"${cron}" is not a cron expression.`,
  WRITE_CRON: () => "Write five fields, for example '*/5 * * * *' (every five minutes).",
  NO_TIME_ZONE: ({ name }: { name: string }) => `"${name}" is not a time zone.`,
  WRITE_TIME_ZONE: () => 'Use an IANA name, for example Atlantic/Reykjavik.',
  AGENT_ID_ALONE: () => 'agentId means something only on the agent surface.',
  ADD_SURFACE: () => 'Add surface: agent, or remove agentId.',
  FIELD_WINS_TWICE: ({ field }: { field: string }) => `"${field}" is in serviceWins too.`,
  NAME_IN_ONE_LIST: () => 'Name it in one of the two, or in neither.',
  ORIGIN_TWICE: ({ name }: { name: string }) => `Another origin is called "${name}" too.`,
  FOLDER_WATCHED_TWICE: ({ origin, file }: { origin: string; file: string }) =>
    `The origin ${origin}${file === '' ? '' : ` in ${file}`} watches this folder as well.`,
  FOLDER_OF_ITS_OWN: () => 'Give each origin a folder of its own: what is in one would go out for both.',
  SALE_GOES_TWICE: ({ hands }: { hands: string }) =>
    `With ${hands} together a sale goes out twice: the ERP makes one of the other.`,
  HAND_OVER_ONE: () => 'Hand over one of them; quotes may go beside it as quotes.',
  FILES_WITH_NOTHING: () =>
    'Files go with invoices alone, and nothing that this origin hands over becomes one.',
  FILES_BY_CREDENTIALS: () =>
    'The agent surface of the service has no way to upload files, so that every invoice with one would be refused.',
  TAKE_FILES_OUT: ({ key }: { key: string }) =>
    `Take ${key} out, or sign in with type: credentials on the credential surface.`,
  ORDERS_AS_INVOICES: () => 'Take embedded out, or say orders: invoice.',
  HAND_OVER_INVOICES: () => 'Take files out, or hand over invoices, or orders with orders: invoice.',
  ITEMS_WITHOUT_VAT_GROUPS: () =>
    'Items of Business Central name a posting group; which VAT that is has to be said.',
  NAME_VAT_GROUPS: () => 'Add vatGroups, for example { VSK24: S, VSK11: AA }.',
  VAT_GROUPS_UNUSED: ({ adapter }: { adapter: string }) =>
    `vatGroups are for items of Business Central; nothing of ${adapter} is read by them here.`,
  TAKE_OUT_VAT_GROUPS: () => 'Take vatGroups out, or add items to hands.',
  NAME_ORIGINS_APART: () => 'Give each origin a name of its own.',
  NO_ADDRESS: () => 'This is not an address.',
  WRITE_ADDRESS: () => 'Write it in full, for example https://invoicing.example.',
  ADDRESS_WITH_PASSWORD: () => 'The address carries a username or password.',
  TAKE_PASSWORD_OUT: () =>
    'Remove them from the address; secrets are named by reference (env:NAME or file:path).',
  ADDRESS_REFUSED: () =>
    'This address is refused: it is link-local, or private on a bridge that refuses private addresses.',
  WRITE_PUBLIC_ADDRESS: () =>
    'Write the public address of the service; LEDGERBRIDGE_PRIVATE_ADDRESSES decides about private ones.',
  ADDRESS_WITH_FRAGMENT: () => 'The address carries a #fragment.',
  ADDRESS_WITH_QUERY: () => 'The base URL carries a ?query.',
  END_ADDRESS_BEFORE: ({ sign }: { sign: string }) => `End the address before the ${sign}.`,
  ADDRESS_IN_THE_CLEAR: () => 'http would send the credentials in the clear.',
  USE_HTTPS: ({ host }: { host: string }) =>
    `Use https://${host}; http is accepted only for localhost, 127.0.0.1 and [::1].`,
  ADDRESS_WITH_API: () => 'The base URL must not contain /api/v1.',
  WRITE_ADDRESS_AS: ({ address }: { address: string }) => `Write ${address}; the bridge adds the rest.`,
  ADDRESS_NOT_HTTPS: () => 'The address must be https.',
  WRITE_HTTPS: ({ host }: { host: string }) => `Write https://${host}…`,
} satisfies TextTable;
