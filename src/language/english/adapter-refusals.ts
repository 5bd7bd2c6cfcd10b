// What a connection refuses before the ERP is asked, or finds lacking there: our words, whatever the ERP.
import type { Message } from '../../domain/message.js';
import type { VatMode } from '../../domain/account-class.js';
import type { Say, TextTable } from '../table.js';

const inside = (system: string) => system.replace(/^The /, 'the ');
export type Shut = 'blocked' | 'closed' | 'deprecated' | 'archived';
export type PartnerKind = 'customer' | 'supplier';

export const ADAPTER_REFUSALS = {
  ACCOUNT_LACKING: ({ system, account }: { system: string; account: string }) =>
    `${system} has no account ${account}.`,
  ACCOUNT_SHUT: ({ system, account, how }: { system: string; account: string; how: Shut }) =>
    `Account ${account} is ${how} in ${inside(system)}.`,
  ACCOUNT_HEADING: ({ account }: { account: string }) =>
    `Account ${account} is a heading or a total, not an account to post on.`,
  ACCOUNT_NOT_LISTED: ({ account, kennitala }: { account: string; kennitala: string }) =>
    `Account ${account} has a line with kennitala ${kennitala}. List the account under \`subledger.customers\` or \`subledger.suppliers\`.`,
  VAT_CODE_LACKING: ({ system, vatCode }: { system: string; vatCode: string }) =>
    `${system} has no VAT code ${vatCode}.`,
  DIMENSION_VALUE_LACKING: (lacking: { system: string; dimension: string; value: string }) =>
    `${lacking.system} has no "${lacking.value}" in the dimension ${lacking.dimension}.`,
  DIMENSION_WITHOUT_PLACE: (lacking: { system: string; dimension: string; setting: string }) =>
    `The dimension "${lacking.dimension}" has no place in ${lacking.system}. Name one under ${lacking.setting}, or take it out of rules.dimensions.`,
  CURRENCY_LACKING: ({ system, currency }: { system: string; currency: string }) =>
    `${system} has no currency ${currency}.`,
  TOO_MANY_DECIMALS: ({ account, decimals }: { account: string; decimals: number }) =>
    `The line on account ${account} has more than the ${decimals} decimals that ISK has in the ERP. Set \`rounding.iskDecimals: ${decimals}\` in the rules, or the currency's rounding in the ERP.`,

  PARTNER_TWICE: (found: { count: number; kind: PartnerKind; kennitala: string }) =>
    `The ERP has ${found.count} ${found.kind}s with kennitala ${found.kennitala}. Merge them, or correct the kennitala of all but one.`,
  PARTNER_LACKING: (lacking: { kind: PartnerKind; kennitala: string; mayCreate: boolean }) =>
    `The ERP has no ${lacking.kind} with kennitala ${lacking.kennitala}. ${lacking.mayCreate ? 'The document does not say its name, so create it in the ERP.' : 'Create it in the ERP, or allow the bridge to with `partners.create: true`.'}`,
  PARTNER_BLOCKED: ({ system, partner }: { system: string; partner: string }) =>
    `${partner} is blocked in ${system}. Unblock it there, then try again.`,

  BOOKS_CLOSED_UNTIL: ({ until }: { until: string }) => `The books are closed until ${until}.`,
  LOCKED_UNTIL: ({ system, until, date }: { system: string; until: string; date?: string }) =>
    `${system} is locked until ${until}${date === undefined ? '' : `; ${date} cannot be booked`}.`,
  OPEN_DAYS_ARE: ({ system, days, date }: { system: string; days: string; date?: string }) =>
    `The days that are open in ${system}: ${days === '' ? 'none' : days}.${date === undefined ? '' : ` ${date} is not among these.`}`,
  PERIOD_CLOSED: ({ system, period }: { system: string; period: string }) =>
    `Period ${period} is closed in ${system}.`,

  OPENS_OTHER_BOOKS: ({ company, number, wanted }: { company: string; number: string; wanted: string }) =>
    `The connection opens the books of ${company} (${number}), not of ${wanted}.`,
  OPENS_NOTHING: () => 'The connection opens no organisation.',
  COMPANY_IS_OTHER: ({ id, company, wanted }: { id: string; company: string; wanted: string }) =>
    `Company ${id} is ${company}, not ${wanted}.`,
  COMPANY_NOT_SHOWN: ({ system, company }: { system: string; company: string }) =>
    `${system} shows this user no company ${company}.`,
  COMPANY_AMBIGUOUS: ({ system, company }: { system: string; company: string }) =>
    `${system} has more than one company that is ${company}; name it by a kennitala that only one has.`,
  BOOKS_NOT_IN_ISK: ({ company, currency }: { company: string; currency: string }) =>
    `${company} keeps its books in ${currency === '' ? 'no currency' : currency}, not in ISK.`,
  JOURNAL_LACKING: ({ system, journal }: { system: string; journal: string }) =>
    `${system} has no journal ${journal}. Create it there, or correct the configuration of the tenant.`,
  MODULE_LACKING: ({ system, module, setting }: { system: string; module: string; setting: string }) =>
    `${system} has no module ${module}, which ${setting} needs. Activate it there, or correct the configuration of the tenant.`,
  PARTY_WITHOUT_ADDRESS: ({ system, party }: { system: string; party: string }) =>
    `The party with kennitala ${party} has no address in ${system}, and an invoice needs one. Add it there.`,

  UNBALANCED: ({ why }: { why: Message }, say: Say) => `The journal does not balance: ${say(why)}.`,
  FEWER_THAN_TWO_LINES: () => 'it has fewer than two lines',
  NOT_ONE_SIDE: ({ account }: { account: string }) =>
    `the line on account ${account} is not on exactly one side`,
  SIDES_DIFFER: ({ debit, credit }: { debit: string; credit: string }) =>
    `debit is ${debit} and credit ${credit} ISK`,
  LINE_OF_OTHER_VAT_MODE: ({ account, mode }: { account: string; mode: VatMode }) =>
    `The line on account ${account} ${mode === 'erp-splits' ? 'has VAT on a line of its own, and this ERP connection reckons VAT itself' : 'holds VAT that the ERP is to take out, and this ERP connection cannot do that'}. Set \`vat.mode: ${mode}\` in the rules of the tenant.`,
  ISK_ONLY: ({ number, currency }: { number: string; currency: string }) =>
    `This ERP connection takes ISK only; document ${number} is in ${currency}. Book it by hand, then mark it as posted.`,
  NO_DIMENSIONS: () => 'This ERP connection takes no dimensions. Remove them from the rules of the tenant.',
} satisfies TextTable;

// What to do about something that a connection check found.

export const ADAPTER_REMEDIES = {
  CORRECT_IN_ERP: ({ system }: { system: string }) => `Correct it in ${system}, or the rules of the tenant.`,
  CREATE_IN_ERP: ({ system }: { system: string }) =>
    `Create or open it in ${system}, or correct the rules of the tenant.`,
  CORRECT_THE_CONNECTION: () => 'Correct the connection, then check again.',
  CORRECT_THE_TOKEN: () => 'Correct the token or the company in the tenant file.',
  CORRECT_ERP_CREDENTIALS: () =>
    'Correct the credentials of the ERP in the tenant file; its documents wait and nothing is marked.',
  WAIT_FOR_THE_ERP: () => 'Nothing: its documents wait, and go on by themselves when it answers.',
  NEW_API_KEY: ({ system }: { system: string }) =>
    `Make a new key in ${system}, store it, and correct \`apiKeyExpires\`.`,
  SWITCH_CURRENCY_ON: ({ system }: { system: string }) =>
    `Switch it on in ${system}, or let the rules book it in ISK.`,
  ENABLE_PAYMENTS: () => 'Tick "Enable payments to this account" on it in the chart of accounts.',
  GIVE_VAT_CODE_AN_ACCOUNT: ({ system }: { system: string }) =>
    `Give it to an account in ${system}, or correct the codes under rules.vat.`,
} satisfies TextTable;
