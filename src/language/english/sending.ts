// What keeps a request from being sent, what the service shows of it, and what a record of an origin lacks.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

/** The write rules of Document 1. */
export const WRITE_RULES = {
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
