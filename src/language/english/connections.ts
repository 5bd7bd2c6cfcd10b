// What went wrong between the bridge and another system, where the words are ours. What the other side said itself is `answer`, and
// stays in its language.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

export interface Answered {
  system: string;
  answer: string;
}

export const CONNECTIONS = {
  HTTP_HELD: ({ origin, seconds }: { origin: string; seconds: number }) =>
    `${origin} asked for a pause of which ${seconds} s are left`,
  HTTP_TOO_LATE: () => 'the time for the whole call was used up before this request',
  HTTP_ORIGIN_REFUSED: ({ origin }: { origin: string }) =>
    `${origin} is not an origin this connection may talk to`,
  HTTP_NO_CONNECTION: ({ why }: { why: string }) => `no connection (${why})`,
  HTTP_NO_ANSWER: ({ ms }: { ms: number }) => `no complete answer within ${ms} ms`,
  HTTP_STOPPED: ({ ms }: { ms: number }) =>
    `the answer broke off in the middle: nothing more came for ${ms} ms`,
  HTTP_SILENT: ({ why }: { why: string }) => `no answer in time (${why})`,
  HTTP_CANCELLED: () => 'the call was cancelled here',
  HTTP_NOT_OPEN: ({ why }: { why: string }) => `the request was never sent (${why})`,
  HTTP_ENCODED: ({ encoding }: { encoding: string }) =>
    `the answer is encoded as ${encoding}, which was not asked for`,
  HTTP_TOO_LARGE: ({ bytes }: { bytes: number }) => `the answer is larger than ${bytes} bytes`,
  HTTP_NOT_HTTP: ({ why }: { why: string }) => `the answer is not HTTP (${why})`,
  HTTP_BROKE: ({ why }: { why: string }) => `the connection broke (${why})`,
  HTTP_ASKED_FOR_PAUSE: ({ origin, status }: { origin: string; status: number }) =>
    `${origin} answered ${status} and asked for a pause`,

  NO_TOKEN: ({ origin, why }: { origin: string; why: Message }, say: Say) =>
    `${origin} gave no token: ${say(why)}.`,
  ANSWERED_WITHOUT_TOKEN: ({ origin }: { origin: string }) => `${origin} answered without a token.`,
  SCOPES_NOT_GRANTED: ({ origin, scopes }: { origin: string; scopes: string }) =>
    `${origin} does not grant this client the scopes "${scopes}". Add them to the connection there.`,
  NO_SCOPES: () => 'No scope is configured.',
  CLIENT_REFUSED: ({ origin, status }: { origin: string; status: number }) =>
    `${origin} refused the client id or secret (HTTP ${status}). Check both, and that the secret has not expired.`,

  SYSTEM_UNREACHED: ({ system, why }: { system: string; why: Message }, say: Say) =>
    `${system} could not be reached: ${say(why)}`,
  SYSTEM_ANSWER_LOST: ({ system, why }: { system: string; why: Message }, say: Say) =>
    `The answer of ${system} was lost: ${say(why)}`,
  SYSTEM_SAYS: ({ system, answer }: Answered) => `${system}: ${answer}`,
  SYSTEM_BUSY: ({ system, answer }: Answered) => `${system} is busy: ${answer}`,
  SYSTEM_ANSWERED: ({ system, status, answer }: Answered & { status: number }) =>
    `${system} answered ${status}: ${answer}`,
  SYSTEM_UNREADABLE: ({ system, problem, call }: { system: string; problem: string; call?: string }) =>
    `${system} answered ${call === undefined ? '' : `${call} `}in an unknown shape: ${problem}`,
  SYSTEM_NOT_ITSELF: ({ system }: { system: string }) =>
    `Something that is not ${system} answered in its place.`,
  SYSTEM_SHOWS_TOO_MUCH: ({ system, what }: { system: string; what: string }) =>
    `${system} shows more of ${what} than can be read.`,
  SYSTEM_TOOK_NOT_SHOWN: ({ system, key }: { system: string; key: string }) =>
    `${system} took it, but shows nothing under the reference ${key}.`,

  LISTED_A_PART: ({ listed, expected, stopped }: { listed: number; expected: number; stopped: string }) =>
    `listed ${listed} of ${expected} (${stopped})`,
  IDENTITY_SILENT: ({ issuer, answer }: { issuer: string; answer: string }) => `${issuer}: ${answer}`,
} satisfies TextTable;

// What kept a call to the invoicing service from its answer, in our words.

export const SOURCE = {
  CALL_FAILED: ({ call, answer, why }: { call: string; answer: Message; why?: Message }, say: Say) =>
    `${call}: ${say(answer)}.${why === undefined ? '' : ` ${say(why)}`}`,
  CODE_WORKED_BEFORE: () =>
    'The maintenance code worked before on this connection, so this is probably an outage.',
  CODE_PROBABLY_WRONG: () =>
    'In development a 503 most likely means that the maintenance code is wrong; it may also be an outage.',
  OUTAGE_OR_DEVELOPMENT: () =>
    'This is an outage, or baseUrl is the development environment, which wants a maintenance code.',
  PROBABLY_A_PROXY: () => 'Probably a maintenance page, a proxy, or a wrong base URL.',
  REDIRECTS_NOT_FOLLOWED: () => 'Redirects are never followed.',
  NOT_A_JSON_OBJECT: ({ type }: { type: string }) => `the answer is not a JSON object (${type})`,
  CALL_TOO_LATE: () => 'it waited for its turn past the moment until which it may leave',
  CALL_LEFT_ALONE: ({ call }: { call: string }) =>
    `${call} was not sent: the last calls failed, and the service is left alone for a while.`,
  CALL_CANCELLED: ({ call }: { call: string }) => `${call} was cancelled while it waited.`,
  CALL_PAUSED: ({ call }: { call: string }) => `${call} was not sent: the service asked for a pause.`,
  CALL_CROWDED: ({ call }: { call: string }) => `${call} was not sent: too many calls are waiting already.`,
  SCOPE_NOT_GRANTED: ({ call, scope }: { call: string; scope: string }) =>
    `${call} was not sent: the grant does not include the scope ${scope}.`,
  ACCOUNT_OF_OTHER: ({ name }: { name: string }) =>
    `The credentials open the account of ${name || 'somebody else'}.`,
  ACCOUNT_CHANGED: ({ tenant, known, opened }: { tenant: string; known: string; opened: string }) =>
    `The credentials of ${tenant} open the account ${opened}, but its documents came from ${known}.`,
  HELLO_REFUSED: ({ answer }: { answer: string }) => `The service refused to say hello: ${answer}.`,
  EVERY_CALL_REFUSED: ({ answer }: { answer: string }) => `The service refuses every call: ${answer}.`,
  SERVICE_REFUSED: ({ answer }: { answer: string }) => `The service refused: ${answer}.`,
  ACCOUNT_NOT_TOLD: () => 'The grant does not include dashboard_data, which tells whose account it is.',
  KEY_ENDPOINT_ONLY: () =>
    'This endpoint takes the user name and API key of the account, and this tenant signs in with OAuth.',
  CREDENTIALS_CHANGE: () =>
    'The tokens were replaced again and again while it was asked whose account they open.',
  REFRESH_BUSY: () => 'Another process holds the refresh of this grant and does not finish.',
  REFRESH_LEASE_LOST: () => 'The lease on this grant was lost before the refresh began.',
  REFRESH_UNANSWERED: ({ why }: { why: Message }, say: Say) =>
    `The token refresh was not clearly answered: ${say(why)}`,
  NEEDS_CONSENT: ({ tenant, why }: { tenant: string; why: Message }, say: Say) =>
    `${tenant} needs consent: ${say(why)}.`,
  NOBODY_CONSENTED: () => 'Nobody has consented to this connection yet',
  GRANT_LOST: () => 'The grant was lost or refused',
  GRANT_REVOKED: () => 'The grant was revoked',
  REFRESH_REFUSED: ({ answer, wasLost }: { answer: string; wasLost: boolean }) =>
    `The service refused to refresh the tokens${wasLost ? ', after an earlier refresh whose answer was lost' : ''} (${answer})`,
} satisfies TextTable;

// What keeps a request from being sent, what the service shows of it, and what a record of an origin lacks.

/** The write rules of Document 1. */
const WRITE_RULES = {
  1: 'the resource travels in `data` as JSON',
  2: 'amount equals the sum of the lines plus VAT, to 2 decimals',
  3: 'issue_date ≤ due_date ≤ settlement_date',
  4: 'a line is an existing item or a complete new one',
  5: 'a credit note names the invoice it credits',
  6: 'delivery needs an e-mail address or a trading partner',
  7: 'creating a customer never looks for an existing one',
  8: 'cost amounts stay positive and their VAT is in ISK',
  flags: 'flags that exclude each other',
  period: 'exactly one way of naming a period',
  attachment: 'attachments are jpg, jpeg, png, gif or pdf of at most 5 MB',
} as const;
export type WriteRule = keyof typeof WRITE_RULES;

const each = (messages: readonly Message[], say: Say, between: string): string =>
  messages.map((one) => say(one)).join(between);

export const SENDING = {
  PARAMETER_UNFIT: ({ call, problem }: { call: string; problem: string }) => `${call}: ${problem}.`,
  RULES_BROKEN: ({ call, breaches }: { call: string; breaches: readonly Message[] }, say: Say) =>
    `${call} was not sent. ${each(breaches, say, ' ')}`,
  RULE_BROKEN: ({ rule, what }: { rule: WriteRule; what: Message }, say: Say) =>
    `${typeof rule === 'number' ? `Write rule ${String(rule)}` : `Rule on ${rule}`} (${WRITE_RULES[rule]}): ${say(what)}`,
  AMOUNT_NOT_ABOVE_ZERO: () => 'amount must be above zero; a credit note says so with credit_note: 1.',
  VAT_NEGATIVE: () => 'vat_11 and vat_24 must not be negative.',
  VAT_MORE_THAN_AMOUNT: ({ taxed }: { taxed: string }) =>
    `the VAT given belongs to ${taxed} ISK, more than the amount; vat_11 and vat_24 are amounts.`,
  FILE_TYPE_REFUSED: ({ type }: { type: string }) => `a file of type "${type}" is not accepted.`,
  FILE_EMPTY: () => 'the file is empty.',
  FILE_TOO_LARGE: ({ bytes }: { bytes: number }) => `the file has ${String(bytes)} bytes.`,
  FILE_NOT_LIKE_ITS_NAME: ({ type }: { type: string }) => `the file does not begin like a ${type} file.`,
  EMAIL_NEEDED: () => 'email is required unless output_select is 4.',
  PARTNER_NEEDED: () => 'trading_partner_id is required when output_select is 2.',
  PARTNER_WITH_PREFIX: () => 'trading_partner_id is the bare kennitala, without a scheme prefix like 0196:.',
  PARTNER_NO_KENNITALA: () => 'trading_partner_id must be the kennitala of the recipient.',
  LINES_MAKE_OTHER: ({ amount, lines }: { amount: string; lines: string }) =>
    `amount is ${amount}, the lines make ${lines}.`,
  SETTLEMENT_NEEDED: () => 'settlement_date is required.',
  DAY_AFTER: ({ field, day, than, limit }: Record<'field' | 'day' | 'than' | 'limit', string>) =>
    `${field} ${day} is after ${than} ${limit}.`,
  LINE_NAMES_BOTH: ({ line }: { line: number }) =>
    `line ${String(line)} names an existing item (guid) and add_new: 1; choose one.`,
  LINE_NAMES_NONE: ({ line }: { line: number }) =>
    `line ${String(line)} has neither guid (existing item) nor add_new: 1 (new inline item).`,
  LINE_LACKS: ({ line, fields }: { line: number; fields: string }) =>
    `line ${String(line)} is a new inline item and lacks ${fields}.`,
  CREDIT_WITHOUT_INVOICE: () => 'type credit needs ref_invoice_guid, the guid of the original invoice.',
  CREDITED_BY_NO_CREDIT: () => 'ref_invoice_guid belongs to type credit only.',
  CUSTOMER_NOT_NAMED: () => 'customer needs the guid of an existing customer, or at least a name.',
  FLAGS_TOGETHER: ({ flags }: { flags: string }) =>
    `${flags.split(' ').join(' and ')} cannot be true at the same time.`,
  METHOD_WITHOUT_PAID: () => 'method_payment is given only with mark_paid true.',
  ONE_PERIOD: ({ modes, given }: { modes: string; given: string }) =>
    `give one of: ${modes}. Given: ${given || 'nothing'}.`,
  NO_WAY_TO: ({ act, kind }: { act: 'create' | 'update' | 'delete' | 'pay'; kind: string }) =>
    act === 'pay'
      ? 'this connection has no way to say that an invoice is paid'
      : `this connection has no way to ${act} a ${kind}`,
  FILES_NOT_WITH: ({ kind }: { kind: string }) =>
    `it names files, and the service takes them with invoices only, not with a ${kind}`,
  FILES_NOT_BY_AGENT: () => 'it names files, and the agent surface has no way to upload them',
  FILES_TOO_MANY: ({ count, most }: { count: number; most: number }) =>
    `it names ${count} files; at most ${most} go with an invoice`,
  FILE_BREACH: ({ file, what }: { file: string; what: Message }, say: Say) => `${file}: ${say(what)}`,
  UPLOAD_REFUSED: ({ file, what }: { file: string; what: Message }, say: Say) =>
    `the service did not take the file ${file}: ${say(what)}`,
  BESIDE_UNREADABLE: ({ file, what }: { file: string; what: Message }, say: Say) =>
    `the file ${file} cannot be read at its origin: ${say(what)}`,
  CUSTOMER_MISSING: () => 'customer is missing',
  AMOUNT_MISSING: () =>
    'amount is missing: a line names an item of the service by its guid, and only the service knows its price',
  TOTAL_BELOW_ZERO: ({ total }: { total: string }) =>
    `it comes to ${total}, which is below zero: make a credit note, which is an invoice that names what it credits in credit_of (its reference) or ref_invoice_guid and has amounts above zero`,
  CONTENT_UNREADABLE: () => 'it cannot be read',
  FILE_HAS_NO_OUTGOING: () => 'the tenant file has no section outgoing',

  CHANGE_REFUSED: () => 'the service refused the change; what it had before stands there',
  REFUSED_AND_ABSENT: () => 'refused, and not there',
  SLEPT_PAST: () => 'slept past the moment until which it may leave',
  NO_GUID_NAMED: () => 'the service named no guid',
  IS_POSTED_ALREADY: () => 'Posted',
  FIELDS_DIFFER: ({ differences }: { differences: readonly Message[] }, say: Say) =>
    each(differences, say, '; '),
  FIELD_IS_NOT: ({ field, theirs, ours }: Record<'field' | 'theirs' | 'ours', string>) =>
    `${field} ${theirs}, not ${ours}`,
  LISTED_OF: ({ listed, counted, what }: { listed: number; counted: number; what: Listed }) =>
    `${String(listed)} of ${String(counted)} ${what} were listed`,
  TASKS_NOT_LISTED: ({ why }: { why: Message }, say: Say) => `The tasks could not be listed: ${say(why)}.`,
  TOO_MANY_PAGES: ({ pages }: { pages: number }) => `there are more than ${String(pages)} pages`,
  LISTED_UNREADABLE: ({ problem }: { problem: string }) => `a record cannot be read: ${problem}`,
  CUSTOMER_UNREADABLE: ({ problem }: { problem: string }) => `a customer cannot be read: ${problem}`,
  TASK_UNREADABLE: ({ number, problem }: { number: string; problem: string }) => `task ${number}: ${problem}`,
} satisfies TextTable;

type Listed = 'invoices' | 'costs' | 'tasks' | 'customers' | 'items';
