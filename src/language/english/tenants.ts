// How a tenant is, and what keeps its documents waiting.
import { momentInWords } from '../../domain/local-time.js';
import type { VatMode } from '../../domain/account-class.js';
import { writtenNumber } from '../../domain/text.js';
import { type Answer, answerText } from '../answers.js';
import type { Say, TextTable } from '../table.js';
import type { Message } from '../../domain/message.js';

/** What a plan would do, in documents. */
export interface PlanFigures {
  readonly post: number;
  /** Debits of what is posted. */
  readonly totalIsk: string;
  readonly reject: number;
  readonly skip: number;
  readonly wait: number;
  readonly examined: number;
  /** More than were examined, where there are very many. */
  readonly waiting: number;
}

type Side = 'source' | 'erp';
const NAMES: Readonly<Record<Side, string>> = { source: 'invoicing service', erp: 'ERP' };
const documents = (count: number, one: string, many: string) =>
  count === 1 ? `1 document ${one}` : `${count} documents ${many}`;

export const TENANTS = {
  PAUSED_BY: ({ by, why }: { by: string; why: string }) => `Paused by ${by}: ${why}`,
  PAUSED_IN_FILE: () => 'Paused in its tenant file.',
  FILE_BROKEN: ({ place, version }: { place: string; version: string }) =>
    `Its file is broken at ${place}; it runs on the version of ${momentInWords(version)}.`,
  NO_TENANT_FILE: () => 'There is no valid tenant file for it any more.',
  SIDE_REFUSES: ({ side, answer = 'no reason given' }: { side: Side; answer?: Answer }, say: Say) =>
    `The ${NAMES[side]} refuses the credentials: ${answerText(answer, say)}`,
  SIDE_SILENT: ({ side, answer = 'no reason given' }: { side: Side; answer?: Answer }, say: Say) =>
    `The ${NAMES[side]} does not answer: ${answerText(answer, say)}`,
  PLAN_UNCONFIRMED: () => 'Nothing is posted before its plan was looked at and confirmed.',
  NEED_A_PERSON: ({ count }: { count: number }) => documents(count, 'needs a person.', 'need a person.'),
  INCIDENTS_CRITICAL: ({ count }: { count: number }) =>
    count === 1 ? 'A critical incident is open.' : `${count} critical incidents are open.`,
  ON_THEIR_WAY: ({ count }: { count: number }) => documents(count, 'is on its way.', 'are on their way.'),
  WAIT_WITH_A_REASON: ({ count }: { count: number }) =>
    documents(count, 'waits, with a reason.', 'wait, each with a reason.'),
  ALL_IN_BOOKS: ({ reversed, skipped }: { reversed: number; skipped: number }) => {
    const left = [
      ...(reversed > 0 ? [`${reversed} reversed`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ];
    const except = left.length === 0 ? '' : `, but for ${left.join(' and ')}`;
    return `Every document that was handed over is in the books${except}.`;
  },

  CONNECTION_REFUSED: ({ side, tenant }: { side: Side; tenant: string }) =>
    `The ${NAMES[side]} refuses the credentials of ${tenant}`,
  CONNECTION_DOWN: ({ side, tenant }: { side: Side; tenant: string }) =>
    `The ${NAMES[side]} of ${tenant} does not answer`,
  CHECK_CREDENTIALS: ({ tenant }: { tenant: string }) =>
    `Check the credentials with \`ledgerbridge tenant check ${tenant}\`; its documents wait and nothing is marked.`,
  GOES_ON_BY_ITSELF: ({ tenant }: { tenant: string }) =>
    `Its documents wait and go on by themselves when it answers; look with \`ledgerbridge tenant check ${tenant}\`.`,
  QUEUES_AWAY: ({ since }: { since: string }) => `Redis cannot be reached since ${momentInWords(since)}`,
  START_REDIS: () =>
    'Start Redis, or correct REDIS_URL; nothing is lost, and everything goes on by itself when it answers.',
  LAST_ANSWER: ({ answer = 'none' }: { answer?: Answer }, say: Say) =>
    `The last answer: ${answerText(answer, say)}`,
  WAITS: () => 'It waits.',
  WAITS_FOR_CREDENTIALS: ({ side, since }: { side: Side; since: string }) =>
    `It waits because the ${NAMES[side]} refuses the credentials since ${momentInWords(since)}.`,
  WAITS_FOR_ANSWER: ({ side, since }: { side: Side; since: string }) =>
    `It waits because the ${NAMES[side]} does not answer since ${momentInWords(since)}.`,
  PLAN_AGAIN: () => 'Nothing is known of its accounts and periods. Mend the connection, then plan again.',
  NO_DIMENSIONS_TAKEN: ({ dimensions }: { dimensions: string }) =>
    `This ERP connection takes no dimensions, and documents have ${dimensions}.`,
  NAME_DIMENSIONS: () =>
    'Name them under erp.settings in the tenant file, or take them out of rules.dimensions.',
  VAT_MODE_NOT_TAKEN: ({ mode }: { mode: VatMode }) =>
    mode === 'erp-splits'
      ? 'The rules want the ERP to take VAT out of gross lines, and this ERP connection cannot do that.'
      : 'The rules give VAT lines of its own, and this ERP connection reckons VAT itself.',
  SET_VAT_MODE: ({ mode }: { mode: VatMode }) =>
    `Set \`vat.mode: ${mode}\` in the rules of the tenant, or choose an ERP connection that can.`,
  NOT_FORESEEN: ({ count }: { count: number }) =>
    `${count} documents were not asked about one by one: the ERP's limits allow no more in a plan, or it stopped answering.`,
  SEEN_WHEN_SENT: () =>
    'Whether the ERP has their customers, suppliers and rates is seen when they are sent; what it refuses waits with a reason.',
  PERIODS_NOT_CHECKED: () =>
    'Closed periods were not checked: this ERP says only when an entry is sent whether its day is open.',
  LOOK_FOR_CLOSED_PERIODS: () =>
    'Look in the ERP; documents dated into a closed period will be held as ERP_PERIOD_CLOSED.',
  PLAN_IN_FIGURES: ({ post, totalIsk, reject, skip, wait, examined, waiting }: PlanFigures) => {
    const number = (count: number) => writtenNumber(String(count));
    const parts = [
      `${number(post)} posted (${writtenNumber(totalIsk)} kr.)`,
      `${number(reject)} set to Error`,
      ...(skip > 0 ? [`${number(skip)} set to Skipped`] : []),
      `${number(wait)} ${wait === 1 ? 'waits' : 'wait'}`,
    ];
    const marks =
      reject + skip > 0 ? ' Error and Skipped at the invoicing service cannot be taken back from here.' : '';
    const left =
      waiting > examined
        ? ` These are the oldest ${number(examined)} of ${number(waiting)} documents; the others were not looked at.`
        : '';
    return `${parts.join(', ')}.${marks}${left}`;
  },

  OTHER_COMPANY: ({
    company,
    books,
    documents: theirs,
  }: {
    company: string;
    books: string;
    documents: string;
  }) => `The ERP keeps the books of ${company} (${books}), but the documents are those of ${theirs}.`,
  CORRECT_THE_COMPANY: () =>
    'Correct the credentials of the source or the company of the ERP in the tenant file.',
  LACKS_ACCOUNT: ({ account }: { account: string }) => `The ERP has no account ${account}, or it is closed.`,
  LACKS_DIMENSION: ({ dimension, value }: { dimension: string; value?: string }) =>
    value === undefined
      ? `The ERP knows no dimension ${dimension}.`
      : `The ERP knows no ${value} in the dimension ${dimension}.`,
  LACKS_VAT_CODE: ({ vatCode }: { vatCode: string }) => `The ERP knows no VAT code ${vatCode}.`,
  LACKS_CURRENCY: ({ currency }: { currency: string }) => `The ERP has no currency ${currency}.`,
  LACKS_DAYS: ({ count, first, last }: { count: number; first: string; last: string }) =>
    count === 1
      ? `${first} cannot be booked on.`
      : `${count} days from ${first} to ${last} cannot be booked on.`,
  DAYS_ARE_OPEN: () => 'All posting dates are open.',
  ALL_IS_THERE: () => 'The ERP has all that the rules use.',
  CONNECTION_SAID: ({ side, answer }: { side: Side; answer: Answer }, say: Say) =>
    `The connection to the ${NAMES[side]} says: “${answerText(answer, say)}”`,
  MEND_IN_ERP_OR_RULES: () => 'Make it in the ERP, or change the rules.',
  OPEN_THE_PERIOD: () =>
    'Open the period in the ERP, or set `rules.period` so that documents are dated on the first open day.',
  MEND_THE_CONNECTION: () => 'Mend what it names, then check again.',
} satisfies TextTable;

// Why a file of settings cannot be read, each with what would be right.

export const FILE_SYNTAX = {
  FILE_UNREADABLE: ({ reason }: { reason: string }) => `The file cannot be read (${reason}).`,
  SETTINGS_NO_FILE: () =>
    'It is no file: a pipe, a device, or a link to a file elsewhere that not everybody may read.',
  PUT_FILE_THERE: () => 'Put the file itself there, or let a link lead to a file in the same directory.',
  CHECK_THE_FILE: () => 'Check that it exists and its permissions.',
  FILE_REFUSED: ({ problems }: { problems: readonly Message[] }, say: Say) => problems.map(say).join(' '),
  SETTINGS_TOO_LARGE: ({ kibibytes }: { kibibytes: number }) => `The file is larger than ${kibibytes} KiB.`,
  MOVE_SHARED_RULES: () => 'Move shared rules into a file of their own and name it under rules.extends.',
  FILE_NO_UTF8: () => 'The file is not UTF-8 text.',
  SAVE_AS_UTF8: () => 'Save it again with the encoding UTF-8.',
  SETTINGS_EMPTY: () => 'The file is empty.',
  WRITE_A_STARTER: () => 'Write a starter with `ledgerbridge tenant init <name>`.',
  TENANT_FILE_NO_GROUP: () => 'A tenant file must be a group of keys.',
  BEGIN_WITH_NAME: () =>
    'Begin with name:, title: and source:; `ledgerbridge tenant init <name>` writes a starter.',
  RULES_FILE_NO_GROUP: () => 'A rules file must be a group of keys.',
  BEGIN_WITH_RULES: () => 'Begin with keys such as accounts: or cost:.',

  SECRET_OF_THE_BRIDGE: ({ reference }: { reference: string }) =>
    `${reference} is a secret of the bridge itself. Give the tenant a secret of its own.`,
  SECRET_UNNAMED: () => 'A secret must be named as env:NAME or file:path.',
  SECRET_NOT_SET: ({ reference }: { reference: string }) =>
    `The secret ${reference} is not set in the environment.`,
  SECRET_NO_FILE: ({ reference }: { reference: string }) => `The secret ${reference} is not a file.`,
  SECRET_TOO_LARGE: ({ reference }: { reference: string }) => `The file of ${reference} is too large.`,
  SECRET_UNREADABLE: ({ reference, reason }: { reference: string; reason: string }) =>
    `The secret ${reference} cannot be read (${reason}).`,
  SECRET_EMPTY: ({ reference }: { reference: string }) => `The file of ${reference} is empty.`,

  TAB_INDENT: () => 'The line is indented with a tab.',
  INDENT_WITH_SPACES: () => 'Indent with spaces, two a level.',
  BAD_INDENT: () => 'The indentation does not fit the lines above.',
  LINE_KEYS_UP: () => 'Line the keys of one level up under each other, two spaces a level.',
  MANY_DOCUMENTS: () => 'The file holds more than one document (a line `---` in the middle).',
  ONE_TENANT_A_FILE: () => 'Keep one tenant per file.',
  VALUE_RUNS_ON: () => 'A value runs on where a new key begins.',
  A_LINE_EACH: () => 'Put each `key: value` on a line of its own, and text that holds ": " in quotes.',
  KEY_RUNS_ON: () => 'A key runs over several lines, or a ":" is missing.',
  ON_ONE_LINE: () => 'Write `key: value` on one line.',
  BAD_FIRST_SIGN: () => 'The value begins with a character that YAML keeps for itself.',
  PUT_VALUE_IN_QUOTES: () => 'Put the value in quotes.',
  YAML_TAG: () => 'The value carries a YAML tag (!…) that means nothing here.',
  REMOVE_THE_TAG: () => 'Remove the tag, or put the value in quotes.',
  KEY_TWICE: ({ key }: { key: string }) => `The key "${key}" stands here twice.`,
  KEEP_ONE_KEY: () => 'Keep one of the two.',
  QUOTE_NOT_CLOSED: () => 'A quoted text is never closed.',
  ADD_THE_QUOTE: () => 'Add the missing quote.',
  BRACKET_NOT_CLOSED: () => 'A bracket is never closed, or a comma is missing.',
  CLOSE_THE_BRACKET: () => 'Close the bracket, or write one item per line with "- ".',
  STAR_FIRST: () => 'The value begins with a star, which YAML takes for an alias.',
  QUOTE_THE_STAR: () => "Put it in quotes, for example cron: '*/5 * * * *'.",
  NO_YAML: () => 'This is not valid YAML.',
  LOOK_FOR_A_SIGN: () => 'Look for a missing colon, quote or bracket on this line or the one above.',
  ALIASES_MULTIPLY: () => 'The aliases in this file multiply it beyond reason.',
  WRITE_VALUES_OUT: () => 'Write the values out.',
  NESTED_TOO_DEEP: ({ levels }: { levels: number }) => `The file is nested deeper than ${levels} levels.`,
  FLATTEN_IT: () => 'Flatten it; no setting stands that deep.',
  ALIAS_UNKNOWN: ({ alias }: { alias: string }) =>
    `The alias *${alias} points to an anchor that does not exist.`,
  QUOTE_IF_STAR_MEANT: () => 'Put the text in quotes if a star was meant.',
  KEY_NO_TEXT: () => 'A key must be plain text.',
  KEY_NOT_ALLOWED: ({ key }: { key: string }) => `The key "${key}" is not allowed.`,
  REMOVE_OR_WRITE_PLAIN: () => 'Remove it or write it as plain text.',
} satisfies TextTable;

// What is wrong with a value in a file of settings, each with what would be right.

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
    description === '' ? 'See docs/reference/tenants.md.' : description,
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
