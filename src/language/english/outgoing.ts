// The other direction: why a submission rests, and why an invoice that came from an origin is or is not booked.
import type { Message } from '../../domain/message.js';
import type { SubmissionState } from '../../domain/submission.js';
import { type Answer, answerText } from '../answers.js';
import type { ReasonTable, Say, TextTable } from '../table.js';

/** `what`: why nothing comes of it yet. */
const awaited = (name: string, what: Message | undefined, say: Say) =>
  what === undefined ? name : `${name}: ${say(what)}`;

export const OUTGOING_REASONS = {
  SUBMISSION_BREACH: {
    says: 'It breaks a rule of the invoicing service, so it was not sent.',
    detail: ({ problem }: { problem: Answer }, say: Say) => answerText(problem, say),
    cure: 'Correct it at its origin; it is taken up again as soon as it has changed there.',
  },
  SUBMISSION_REFUSED: {
    says: 'The invoicing service refused it.',
    detail: ({ message }: { message: Answer }, say: Say) => answerText(message, say),
    cure: 'Correct it at its origin, or what the service complains of in the service, then replay it.',
  },
  SUBMISSION_UNKNOWN: {
    says: 'It is not known whether the invoicing service has it, and there is no safe way to find out.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'Look in the invoicing service for its mark. If it is there, skip it here; if it is surely not, replay it with --surely-absent.',
  },
  SUBMISSION_COLLISION: {
    says: 'The invoicing service holds something else under its mark.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'Compare the two. Nothing is sent; skip it here when it is settled.',
  },
  SUBMISSION_TWICE: {
    says: 'More than one invoice at the service carries its mark.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'If somebody copied it in the service, take the mark out of the copy and replay; otherwise credit one of them.',
  },
  CUSTOMER_AWAITED: {
    says: 'It waits for its customer, who is not at the invoicing service yet.',
    detail: ({ kennitala, what }: { kennitala: string; what?: Message }, say: Say) =>
      awaited(kennitala, what, say),
    cure: 'Nothing, unless the customer itself is refused or parked: then mend that. Where only the invoice says who it is, mend it there.',
  },
  CUSTOMER_AMBIGUOUS: {
    says: 'The invoicing service has several customers with this kennitala.',
    detail: ({ kennitala, guids }: { kennitala: string; guids: string }) => `${kennitala}: ${guids}`,
    cure: 'Say which one with `ledgerbridge outgoing use`, or merge them in the service and replay.',
  },
  CUSTOMER_DEACTIVATED: {
    says: 'The invoicing service lists this customer no more: its profile was deactivated.',
    detail: ({ kennitala, guid }: { kennitala: string; guid: string }) => `${kennitala}: ${guid}`,
    cure: 'Reactivate it in the service and replay. If there is to be a new profile beside it, replay with --surely-absent.',
  },
  ITEM_AMBIGUOUS: {
    says: 'Which item of the invoicing service is meant is not certain: several have this number, or one has it under another name.',
    detail: ({ number, guids }: { number: string; guids: string }) => `${number}: ${guids}`,
    cure: 'Say which one with `ledgerbridge outgoing use`. If it is none of them, replay with --surely-absent: it is made anew.',
  },
  ITEM_GONE: {
    says: 'The invoicing service shows this item no more.',
    detail: ({ number, guid }: { number: string; guid: string }) => `${number}: ${guid}`,
    cure: 'If it is to be made again, replay with --surely-absent; otherwise skip it.',
  },
  PREPARED_GONE: {
    says: 'The invoicing service has this draft or order no more: somebody deleted it there.',
    detail: ({ reference, guid }: { reference: string; guid: string }) => `${reference}: ${guid}`,
    cure: 'If it is to be made again, replay with --surely-absent; otherwise skip it.',
  },
  CHANGED_TOO_LATE: {
    says: 'It changed at its origin after an invoice was made of it, so the change was not sent.',
    detail: ({ invoices }: { invoices: string }) => invoices,
    cure: 'Find out which of the two is right. The invoice is corrected by a credit note and a new invoice.',
  },
  CREDITED_AWAITED: {
    says: 'It credits an invoice that was not created yet.',
    detail: ({ reference, what }: { reference: string; what?: Message }, say: Say) =>
      awaited(reference, what, say),
    cure: 'Nothing, unless that invoice is refused, parked or unknown here: then name it by its guid.',
  },
  GONE_AT_ORIGIN: {
    says: 'Its origin has it no more: it was cancelled, deleted or opened again there before it was sent.',
    detail: ({ reference }: { reference: string }) => reference,
    cure: 'Skip it. If it is to go out all the same, put it right at its origin and replay it.',
  },
  LESS_AT_ORIGIN: {
    says: 'Its origin has less on it by now than it has listed, so it is not sent as it was listed.',
    detail: ({ reference }: { reference: string }) => reference,
    cure: 'Nothing while it waits: it goes as it is then when its origin lists it again. Parked: skip it, and invoice what is left by another record or at the invoicing service.',
  },
  ORIGIN_SILENT: {
    says: 'Its origin is asked once more before it is sent, and does not answer.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'Nothing, unless it goes on: then see that its origin can be reached. It is asked again every minute.',
  },
  UNREADABLE_AT_ORIGIN: {
    says: 'Its origin has it, and it cannot be read as it stands there now.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'Put it right at its origin: it is looked at again every five minutes, and goes on by itself.',
  },
  FILE_GONE: {
    says: 'The file that is to be sent is not at its origin any more, or is another one by now.',
    detail: ({ file }: { file: string }) => file,
    cure: 'Put the file right at its origin. An invoice of an ERP then goes on by itself, within an hour; replay it to have it go at once. Or skip it.',
  },
  PAID_ALREADY: {
    says: 'Its origin says that it is paid, and so does the invoicing service.',
    detail: () => '',
    cure: 'Nothing.',
  },
  NOT_MARKED_PAID: {
    says: 'Its origin says that it is paid, and the invoicing service could not be told so.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'Mark it as paid in the invoicing service.',
  },
  WITHDRAWAL_REFUSED: {
    says: 'It was to be taken back, and the invoicing service keeps it.',
    detail: ({ message }: { message: Answer }, say: Say) => answerText(message, say),
    cure: 'Nothing, if it is to stay; a cost that was posted can only be corrected in the books.',
  },
  TASK_AWAITED: {
    says: 'It waits for its task, which is not at the invoicing service yet.',
    detail: ({ reference, what }: { reference: string; what?: Message }, say: Say) =>
      awaited(reference, what, say),
    cure: 'Nothing, unless that task is refused, parked or unknown here: then mend that.',
  },
  DELETED_AT_ORIGIN: {
    says: 'Its origin took it back before it was sent.',
    detail: ({ reference }: { reference: string }) => reference,
    cure: 'Nothing.',
  },
  SUBMISSION_SKIPPED: {
    says: 'A person decided that it is not sent.',
    detail: ({ why }: { why: string }) => why,
    cure: 'Nothing; if it is to be sent after all, replay it.',
  },
  REFERENCE_TAKEN: {
    says: 'Another record has the same reference and says something else, so this one is not sent.',
    detail: ({ reference, first, second }: { reference: string; first: string; second: string }) =>
      `${reference} belongs to ${first}; this one is ${second}`,
    cure: 'Give this one another reference, or take it out of its file. To send this one in place of the first: skip the first, then replay this one by its mark.',
  },
  SHARING_ENDED: {
    says: 'It shared its reference with another record, and does so no more: its place has it no more, both say the same, or it took the place of the first.',
    detail: ({ reference }: { reference: string }) => reference,
    cure: 'Nothing.',
  },
  BOOKED_AT_ORIGIN: {
    says: 'The invoice came from an origin that has booked it already.',
    detail: ({ reference }: { reference: string }) => reference,
    cure: 'Nothing. If the bridge is to book such invoices, set outgoing.booked: bridge.',
  },
  ORIGIN_IN_DOUBT: {
    says: 'The invoice carries a mark of ours, and it is still being found out whether it is the one that was sent.',
    detail: ({ reference }: { reference: string }) => reference,
    cure: 'Nothing: it goes on when that is known. `ledgerbridge outgoing list --state unknown` shows it.',
  },
} satisfies ReasonTable;

export const OUTGOING = {
  NOT_HANDED_OVER: () => 'no origin has handed it over yet',
  RECORD_RESTS: ({ state }: { state: SubmissionState }) => `it is ${state}`,
  SUBMISSION_MAY_BE_FORGOTTEN: () => 'It may have been sent before, and the service does not list this kind.',
  SEVERAL_CARRY_THE_MARK: ({ invoices }: { invoices: string }) => `Invoices: ${invoices}.`,
  CREATED_NOT_SHOWN: () => 'The service said that it was created, but does not show it.',
  REQUEST_NOT_ON_RECORD: () => 'It was sent as often as the bridge tries.',
  FIELDS_AGREED: () => 'The origin and the service agree again, or a person has decided.',
  ORIGIN_ANSWERS: () => 'The origin answers again.',
  ORIGIN_READABLE: () => 'Every record of the origin can be read.',
  OUTGOING_UNCONFIRMED: ({ count }: { count: number }) =>
    `${count === 1 ? '1 record waits' : `${count} records wait`} to be sent into the service until the plan was looked at and confirmed.`,
  CONFIRM_OUTGOING: ({ tenant }: { tenant: string }) =>
    `ledgerbridge outgoing plan ${tenant} shows it; ledgerbridge outgoing confirm ${tenant} lets it begin.`,
  LOOK_AT_SUBMISSIONS: ({ tenant, state, cure }: { tenant: string; state: string; cure: string }) =>
    `${cure} All of them: ledgerbridge outgoing list --tenant ${tenant} --state ${state}`.trimStart(),
  SUBMISSIONS_NEED_A_PERSON: ({ count }: { count: number }) =>
    count === 1
      ? '1 record that goes into the service needs a person.'
      : `${count} records that go into the service need a person.`,
  SUBMISSION_IS_NEXT: () => 'It waits for its turn, and is sent by itself.',
  SUBMISSION_AWAITS_PLAN: ({ tenant }: { tenant: string }) =>
    `It waits: nothing of ${tenant} is sent before its plan was looked at and confirmed.`,
  SUBMISSION_AWAITS_TOMORROW: ({ perDay }: { perDay: number }) =>
    `It waits: ${perDay} were sent in the last 24 hours, which is as many as outgoing.perDay allows.`,
  SUBMISSION_IS_SENDING: () => 'Its request is on its way to the service.',
  SUBMISSION_IS_IN_DOUBT: () =>
    'It was sent, and nobody knows whether the service has it. It is searched for when nothing of it can be on its way any more; nothing is sent before that.',
  SUBMISSION_IS_CREATED: () => 'It stands at the service; its origin is told next.',
  SUBMISSION_IS_DONE: () => 'It stands at the service, and its origin was told.',
  SUBMISSION_IN_CONFLICT: ({ fields }: { fields: string }) =>
    `It stands at the service. Both sides have changed ${fields}: the service keeps what it has until somebody says which one holds.`,
  SUBMISSION_IS_WITHDRAWING: () => 'It is being taken back at the service.',
  SUBMISSION_IS_WITHDRAWN: () => 'It was taken back, and stands at the service no more.',
  LOOK_UP_INVOICE: ({ mark }: { mark: string }) =>
    `By its mark ${mark}, among all invoices of its issue date and the days beside it.`,
  LOOK_UP_CUSTOMER: () => 'By its kennitala, among all customers.',
  LOOK_UP_ITEM: () =>
    'By its guid, or by its number at the head of the description, among all items of the catalogue.',
  LOOK_UP_COST: ({ mark }: { mark: string }) =>
    `By its guid, or by its mark ${mark} among all costs since its file was last changed.`,
  LOOK_UP_TASK: ({ mark }: { mark: string }) => `By its mark ${mark}, among all tasks.`,
  LOOK_UP_HOURS: ({ mark }: { mark: string }) => `By its mark ${mark}, among the hours of its task.`,
  LOOK_UP_NOTHING: () =>
    'The service does not list this kind, so it cannot be searched for: what is in doubt is parked.',
  CAN_REPLAY_SUBMISSION: () => 'Take it up again; what may have been sent is searched for first.',
  CAN_SKIP_SUBMISSION: () => 'Do not send it; its origin is told so.',
  CAN_WITHDRAW_SUBMISSION: () => 'Take it back at the service, where its rules allow that.',
  CAN_USE_CUSTOMER: () => 'Say which customer or item at the service is meant.',
  CAN_SETTLE_FIELDS: () => 'Say which side holds, field by field.',
  OUTGOING_IS_OFF: ({ tenant }: { tenant: string }) =>
    `The file of ${tenant} has no section outgoing, so nothing goes out.`,
  SUBMISSION_STATE: ({ reference, state }: { reference: string; state: string }) =>
    `${reference} is ${state}: this cannot be done to it now.`,
  SAY_SURELY_ABSENT: ({ reference }: { reference: string }) =>
    `It cannot be searched for ${reference}. If somebody has looked and the service surely has nothing of it, say so with --surely-absent.`,
  NOTHING_IN_CONFLICT: ({ reference }: { reference: string }) =>
    `Nothing of ${reference} was changed on both sides.`,
  NO_FIELD_NAMED: ({ reference }: { reference: string }) => `Say of which field of ${reference}.`,
  SENT_SINCE_YOU_LOOKED: ({ reference, seen, sends }: { reference: string; seen: number; sends: number }) =>
    `${reference} has been sent ${sends} times by now, and ${seen} times when somebody looked: that it is surely absent was said of an older request. Look again.`,
  CONFLICT_IS_ANOTHER: ({ reference }: { reference: string }) =>
    `What ${reference} is in conflict about has changed since it was shown. Look at it again.`,
  SHARES_NO_MORE: ({ reference }: { reference: string }) =>
    `This record shared the reference ${reference} with another one, and does so no more: there is nothing of it to send.`,
  FIRST_KEEPS_REFERENCE: ({ reference, place, state }: { reference: string; place: string; state: string }) =>
    `${reference} belongs to the record at ${place}, which is ${state}. Skip that one first if it was not sent; if it was, give this one another reference.`,
  NO_CUSTOMER: ({ reference }: { reference: string }) => `${reference} is neither a customer nor an item.`,
  SUBMISSION_UNKNOWN_HERE: ({ text }: { text: string }) =>
    `Nothing that goes out is called ${text.slice(0, 60)}.`,
  SUBMISSION_SEVERAL: ({ text }: { text: string }) => `More than one is called ${text.slice(0, 60)}.`,
  RECEIPT_MAY_BE_QUEUED: () =>
    'No cost carries its mark; it may still wait to be read by AI, and until then the service shows nothing of it.',
  FILE_TO_SEND_IS_GONE: () =>
    'The service does not show it, and the file that would be sent again is not at its origin any more.',
  CANNOT_BE_WITHDRAWN: ({ reference }: { reference: string }) =>
    `${reference} cannot be taken back: only costs, drafts and orders can.`,
  TEMPLATE_MAKES_INVOICES: () =>
    'The service has it: invoices that it makes carry the mark. It is listed nowhere, so its guid is not known here.',
  CANNOT_BE_SEARCHED: () => 'The service does not list this kind, so it cannot be searched for.',
} satisfies TextTable;

// Why a record of an origin cannot be read. An origin of somebody else's says it in its own words, which are quoted.

/** What a field should have been; empty: only the schema can say. */
export type Unfit =
  | 'number'
  | 'day'
  | 'time'
  | 'kennitala'
  | 'after-from'
  | 'line'
  | 'missing'
  | 'unknown-field'
  | 'one-of'
  | 'yes-or-no'
  | 'tax'
  | 'no-text'
  | 'too-long'
  | '';

const UNFIT: Readonly<
  Record<Exclude<Unfit, 'missing' | 'unknown-field' | 'line' | ''>, (names: string) => string>
> = {
  number: () => 'not a number like 1990 or 1990.50',
  day: () => 'not a day like 2026-01-31 or 31.1.2026',
  time: () => 'not a time like 08:30',
  kennitala: () => 'not a kennitala of ten digits',
  'after-from': () => 'not after `from`',
  'one-of': (names) => `not one of ${names}`,
  'yes-or-no': () => 'not one of 1, 0, true, false, yes, no, já, nei',
  tax: () => 'not one of S (24 %), AA (11 %), Z (0 %)',
  'no-text': () => 'not a text',
  'too-long': (most) => `longer than ${most} characters`,
};

/** `row`: of a file of rows; `line`: of the record itself. `names`: the fields or values that it is about. */
export interface UnfitField {
  field: string;
  row?: number;
  line?: number;
  found?: string;
  problem: string;
  unfit: Unfit;
  names: string;
}

export const ORIGINS = {
  FIELDS_UNFIT: ({ fields }: { fields: readonly Message[] }, say: Say) =>
    fields.map((field) => say(field)).join('; '),
  FIELD_UNFIT: ({ field, row = 0, line = 0, found = '', problem, unfit, names }: UnfitField) => {
    const place = row > 0 ? ` in row ${String(row)}` : line > 0 ? ` of line ${String(line)}` : '';
    switch (unfit) {
      case 'missing':
        return `${field}${place} is missing`;
      case 'unknown-field':
        return `no such field${place}: ${names}`;
      case 'line':
        return `${field} needs at least one line`;
      case '':
        return `${field}${place}: ${problem}`;
      default:
        return `${field}${place} is ${found === '' ? '' : `"${found}", `}${UNFIT[unfit](names)}`;
    }
  },
  AT_RECORD: ({ at, what }: { at: string; what: Message }, say: Say) => `${at}: ${say(what)}`,
  FILE_GOES_ONCE: ({ twin }: { twin: string }) => `is the same file as ${twin}, which goes once`,
  FILE_READ_TO: ({ bytes, most }: { bytes: number; most: number }) =>
    `the file has ${String(bytes)} bytes; at most ${String(most)} are read`,
  FILE_IS_NONE: () =>
    'it is a link, a pipe or a device, and no file: put the file itself there; links are never followed',
  FILE_NOT_READABLE: ({ code }: { code: string }) =>
    `the bridge may not read it (${code}): give the user that it runs as the right to read it`,
  NOT_FILES: ({ count, names }: { count: number; names: string }) =>
    `${String(count)} of the names in the folder are links, pipes or devices and are not read: ${names}. Put the files themselves there`,
  RESULT_NOT_WRITTEN: ({ file }: { file: string }) =>
    `${file} cannot be written: it, or its folder, is a link, a pipe or a device, or the file has another name elsewhere. Move it away; it is then made anew`,
  FOLDER_LARGE: ({ files }: { files: number }) =>
    `the folder has ${String(files)} files, which makes each look at it slow: move those that are done to another folder`,
  FOLDER_FULL: ({ most }: { most: number }) =>
    `the folder has more than ${String(most)} files, and new ones beyond that are not read: move those that are done to another folder`,
  FILE_IS_SPREADSHEET: () =>
    'the own files of spreadsheets are not read: save it as CSV (in Excel: Save As, CSV UTF-8) and put that file here',
  FILE_NOT_UTF8: () => 'the file is not written in UTF-8',
  KIND_UNKNOWN: ({ kind, kinds }: { kind: string; kinds: string }) => `kind "${kind}" is not one of ${kinds}`,
  KIND_NOT_TAKEN: ({ kind, kinds }: { kind: string; kinds: string }) =>
    `kind "${kind}" is not taken here, only ${kinds}; the tenant file says which (\`kinds\`)`,
  REFERENCE_UNFIT: ({ reference }: { reference: string }) =>
    `reference "${reference}" is missing, too long, or has signs that it may not have`,
  REFERENCE_MISSING: () => 'reference is missing',
  NO_SUCH_COLUMN: ({ columns, allowed }: { columns: string; allowed?: string }) =>
    allowed === undefined
      ? `no such column: ${columns}`
      : `no such column: ${columns}. A file with the other columns of this one may have ${allowed}, or their Icelandic names`,
  ROW_DIFFERS: ({ names, reference }: { names: string; reference: string }) =>
    `${names} differs from the first row of ${reference}: repeat what is there, or leave it empty`,
  ROW_CELLS: ({ cells, columns, isComma }: { cells: number; columns: number; isComma?: boolean }) =>
    `the row has ${String(cells)} cells and the file ${String(columns)} columns${isComma === true ? ': a decimal comma? Put the number in quotation marks, or save the file with semicolons between cells' : ''}`,
  RECORD_LACKS_ROW: ({ reference, line }: { reference: string; line: number }) =>
    `nothing of ${reference} is taken, because line ${String(line)} of the file cannot be read and may belong to it`,
  NUMBER_UNCLEAR: ({ column, found }: { column: string; found: string }) =>
    `${column} is "${found}", which may be thousands or have three decimals, and the other numbers of the file do not tell: write it without a sign for thousands, or with two decimals`,
  DAY_UNCLEAR: ({ column, found }: { column: string; found: string }) =>
    `${column} is "${found}", which may have the day or the month first, and the other days of the file do not tell: write it like 2026-01-31 or 31.1.2026`,
  COLUMN_TWICE: ({ columns }: { columns: string }) => `a column is there twice: ${columns}`,
  TABLE_EMPTY: () =>
    'the file is empty: a row with the names of the columns and at least one row below it are expected',
  ROW_QUOTES: () => 'quotation marks in it are not closed, or stand where none may',
  FILE_NO_CSV: ({ why }: { why: string }) => `the file is not CSV: ${why}`,
  FILE_NO_XML: ({ why }: { why: string }) => `the file is not XML: ${why}`,
  LINE_NO_OBJECT: () => 'is not an object in braces',
  LINE_TOO_MANY_VALUES: ({ most }: { most: number }) => `has more than ${String(most)} values`,
  LINE_NO_JSON: ({ why }: { why: string }) => `is not JSON: ${why}`,
  NO_UBL_ORDER: () => 'it is not a UBL 2.1 Order',
  WAITS_FOR_FILE: ({ file }: { file: string }) => `it waits for ${file}`,
  FILE_NAME_UNFIT: ({ name }: { name: string }) =>
    `files: "${name}" is no name of a file: a name alone, without a folder, that does not begin with a dot`,
  FILE_NO_BASE64: ({ file }: { file: string }) => `files: the content of ${file} is not base64`,
  FILE_IS_LINK: ({ file }: { file: string }) =>
    `${file} is a link beside it, and no file that could go with it; \`files\` of the origin says which go`,
  FILE_ELSEWHERE: ({ file }: { file: string }) =>
    `${file} is named by an address, and nothing is fetched from there; \`embedded\` of the origin says which files go`,
  BESIDE_NO_OBJECT: ({ file }: { file: string }) => `${file} is not an object in braces`,
  BESIDE_NO_JSON: ({ file, why }: { file: string; why: string }) => `${file} is not JSON: ${why}`,
  HOURS_WITHOUT_CUSTOMER: () => 'it has hours to be billed and no customer with a kennitala',
  HOURS_MAY_BE_BILLED: ({ hours, date }: { hours: string; date: string }) =>
    `${hours} hours of ${date} may be on an invoice that the task has at the service, and are not billed by the bridge: bill them there, or log them anew`,
  HOURS_BILLED_BEFORE: ({ hours, date, period }: { hours: string; date: string; period: string }) =>
    `${hours} hours of ${date} were billed with ${period} already, and are not billed again`,
  KENNITALA_SHARED: ({ kennitala, customers }: { kennitala: string; customers: string }) =>
    `several customers have the kennitala ${kennitala}, and none of them is handed over: ${customers}`,
  ITEM_NUMBER_SHARED: ({ number, items }: { number: string; items: string }) =>
    `several products have the code ${number}, and none of them is handed over: ${items}`,
  ITEM_GROUP_UNKNOWN: ({ number, group }: { number: string; group: string }) =>
    group === ''
      ? `the item ${number} has no VAT product posting group`
      : `the item ${number} has the VAT product posting group ${group}, and \`vatGroups\` of the origin does not say which VAT that is`,
  PARTY_WITHOUT_KENNITALA: ({ party }: { party: string }) => `its customer ${party} has no kennitala`,
  CREDITS_NOT_ONE: () => 'it credits something, and not lines of exactly one invoice',
  ERP_NO_ORIGIN: ({ adapter, lacks }: { adapter: string; lacks: string }) =>
    `The ERP "${adapter}" cannot hand over ${lacks}.`,
  TAKE_OUT_OF_HANDS: () => 'Take it out of `hands`, or use another origin for it.',
} satisfies TextTable;
