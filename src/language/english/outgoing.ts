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
