// What somebody has to know: a title, what is behind it, and the next step. Codes and parameters of incidents are declared here.
import { originalWord } from '../originals.js';
import type { Message } from '../../domain/message.js';
import type { BookedKind, SourceKind } from '../../domain/source-document.js';
import { type Answer, answerText } from '../answers.js';
import { OUTGOING_REASONS } from '../english/outgoing.js';
import { POSTING_REASONS } from '../english/posting-reasons.js';
import type { Say } from '../table.js';

export interface IncidentText {
  readonly title: string;
  readonly details: string;
  readonly nextStep: string;
}

export type IncidentTable = Readonly<Record<string, (params: never, say: Say) => IncidentText>>;

export interface AboutDocument {
  kind: BookedKind;
  /** Its number, or its guid while it has none. */
  number: string;
  key: string;
  /** Its entry, where it has one. */
  entry?: string;
  what?: Message;
}

const resting =
  (code: keyof typeof POSTING_REASONS) =>
  (about: AboutDocument, say: Say): IncidentText => ({
    title: `${about.kind} ${about.number}: ${POSTING_REASONS[code].says}`,
    details: whatIsKnown(about, say),
    nextStep: POSTING_REASONS[code].cure,
  });

function whatIsKnown({ key, entry, what }: AboutDocument, say: Say): string {
  const known = entry === undefined ? `Key ${key}.` : `Entry ${entry}, key ${key}.`;
  return what === undefined ? known : `${known} ${say(what)}`;
}

export interface AboutSubmission {
  tenant: string;
  kind: string;
  reference: string;
  key: string;
  what: Message;
}

const submitted =
  (code: 'SUBMISSION_UNKNOWN' | 'SUBMISSION_COLLISION' | 'SUBMISSION_TWICE') =>
  ({ tenant, kind, reference, key, what }: AboutSubmission, say: Say): IncidentText => ({
    title: `${tenant}, ${kind} ${reference}: ${OUTGOING_REASONS[code].says}`,
    details: `Mark ${key}. ${say(what)}`,
    nextStep: OUTGOING_REASONS[code].cure,
  });

export const INCIDENTS = {
  OUTCOME_UNKNOWN: resting('OUTCOME_UNKNOWN'),
  ERP_COLLISION: resting('ERP_COLLISION'),
  ERP_DUPLICATE: resting('ERP_DUPLICATE'),
  CONTENT_CHANGED: resting('CONTENT_CHANGED'),
  WRITE_BACK_REFUSED: resting('WRITE_BACK_REFUSED'),
  SOURCE_REOPENED: resting('SOURCE_REOPENED'),
  SOURCE_UNREADABLE: resting('SOURCE_UNREADABLE'),
  TRIES_EXHAUSTED: resting('TRIES_EXHAUSTED'),
  ORPHANED: resting('ORPHANED'),
  NOT_MATCHED: (about: AboutDocument, say: Say) => ({
    title: `${about.kind} ${about.number} is booked, and was not set against its invoice in the ERP`,
    details: whatIsKnown(about, say),
    nextStep:
      'The amounts in the books are right. In the ERP, set the entry against the invoice that it pays, credits or undoes; the bridge has tried a few times and does not try again.',
  }),
  FOREIGN_POSTED: (about: AboutDocument, say: Say) => ({
    ...resting('FOREIGN_POSTED')(about, say),
    title: `${about.kind} ${about.number} was set to Posted by somebody else`,
  }),
  CANCELLED_SKIPPED: ({
    number,
    amount,
    currency,
  }: AboutDocument & { amount: string; currency: string }) => ({
    title: `invoice ${number} was cancelled without a credit note and skipped: ${amount} ${currency} is not booked`,
    details:
      'The rules say invoice.cancelled: skip. The invoice is Skipped at the source and in no VAT return.',
    nextStep:
      'Nothing, if it was never owed. If it was, issue a credit note for it, and book both by hand in the periods of their dates.',
  }),
  LISTED_BUT_GONE: ({ kind, number }: { kind: SourceKind; number: string }) => ({
    title: `${kind} ${number} is listed as Created, but reading it says that it is gone`,
    details: 'It is read again every hour; it is not in the books.',
    nextStep: 'Open it in the invoicing service. If it is there, report this to its operator.',
  }),
  POSTED_REOPENED: ({ kind, number, key }: { kind: SourceKind; number: string; key: string }) => ({
    title: `${kind} ${number} is Created again at the source, though it is in the books`,
    details: `Key ${key}. Posted is documented as terminal; nothing was posted again.`,
    nextStep: 'Find out who changed it. If the books must follow, reverse and repost it.',
  }),
  PARKED_AND_GONE: ({ kind, number }: { kind: SourceKind; number: string }) => ({
    title: `${kind} ${number} was deleted at the source, and may be in the books`,
    details: 'It is parked, because it is not known whether the ERP has it, or all of it.',
    nextStep:
      'Look in the ERP for its key. If it is there, reverse it or restore the document at the source; if not, skip it.',
  }),
  MAY_BE_IN_BOOKS: ({ kind, number, key }: AboutDocument) => ({
    title: `${kind} ${number} is not booked now, and may have been before the database was restored`,
    details: `Key ${key}. The database was restored from a backup and may have forgotten an entry; this ERP cannot be asked.`,
    nextStep:
      'Look in the ERP for the document. If it is there, undo its entry by hand; if not, say that this is settled.',
  }),
  FOREIGN_ENTRY: (about: AboutDocument & { tenant: string; entries: string }) => ({
    title: `${about.tenant} was stopped: somebody else books its documents under the same keys`,
    details: `Found with ${about.kind} ${about.number}, key ${about.key}, entries ${about.entries}.`,
    nextStep:
      `Look for another bridge on the same account and books, and stop it. If this database was restored or replaced, say so with ` +
      `\`ledgerbridge db restored\`. Reverse what is booked twice, then \`ledgerbridge resume ${about.tenant}\`.`,
  }),
  DATABASE_WENT_BACK: ({ missing }: { missing: number }) => ({
    title: 'The database went back in time',
    details: `${missing} attempts that were sent to an ERP are not on record any more. Every post looks into the ERP first from now on, and every sweep is a full one.`,
    nextStep:
      'Find out what was restored, promoted or put back. What was Posted since is known to the ERP and the source only: `ledgerbridge reconcile` shows it.',
  }),
  ORIGINALS_PARKED: (
    file: {
      tenant: string;
      kind: SourceKind;
      number: string;
      role: string;
      why: string;
      detail?: Answer;
    },
    say: Say,
  ) => ({
    title: `An original of ${file.tenant} is not at its entry`,
    details: `${file.kind} ${file.number}, ${originalWord('en', 'roles', file.role)}: ${originalWord('en', 'reasons', file.why, answerText(file.detail ?? '', say))}`,
    nextStep: `\`ledgerbridge originals list -t ${file.tenant} --state parked\` shows which and why; the entry itself is in the books.`,
  }),
  SUBMISSION_UNKNOWN: submitted('SUBMISSION_UNKNOWN'),
  SUBMISSION_COLLISION: submitted('SUBMISSION_COLLISION'),
  SUBMISSION_TWICE: submitted('SUBMISSION_TWICE'),
  SUBMISSION_CHANGED: ({
    tenant,
    kind,
    reference,
  }: Pick<AboutSubmission, 'tenant' | 'kind' | 'reference'>) => ({
    title: `${tenant}, ${kind} ${reference} was changed at its origin after it was sent`,
    details: 'What was sent stands at the invoicing service as it was; the change was not sent.',
    nextStep:
      'Find out which of the two is right. An invoice is corrected by a credit note and a new invoice, each with a reference of its own; hours that are to go are deleted at the service by hand.',
  }),
  BOOKED_AT_BOTH: ({
    tenant,
    kind,
    reference,
    number,
  }: Pick<AboutSubmission, 'tenant' | 'kind' | 'reference'> & { number: string }) => ({
    title: `${tenant}, ${kind} ${reference} was booked at its origin after the bridge had booked it`,
    details: `The bridge's entry is ${number}. The same sale stands in the books twice, or is about to.`,
    nextStep: `Reverse one of the two: the bridge's with \`ledgerbridge reverse\`, or the one that was made by hand, in the ERP.`,
  }),
  FIELDS_IN_CONFLICT: ({
    tenant,
    kind,
    reference,
    fields,
  }: Pick<AboutSubmission, 'tenant' | 'kind' | 'reference'> & { fields: string }) => ({
    title: `${tenant}, ${kind} ${reference}: changed at its origin and in the service`,
    details: `Fields: ${fields}. The service has what it had; everything else goes on.`,
    nextStep:
      'Look at both under Into the service, or with `ledgerbridge outgoing conflicts`, and say which one holds.',
  }),
  ORIGIN_SILENT: ({ tenant, origin, what }: { tenant: string; origin: string; what: Answer }, say: Say) => ({
    title: `${tenant}: the origin ${origin} cannot be looked at`,
    details: answerText(what, say),
    nextStep: `Nothing new of it is sent until it answers; it is asked again all the time, and this ends by itself. Is its folder mounted, its ERP running, its secret still right? \`ledgerbridge tenant check ${tenant}\` asks now.`,
  }),
  ORIGIN_PROBLEMS: (
    {
      tenant,
      origin,
      count,
      first,
      what,
    }: {
      tenant: string;
      origin: string;
      count: number;
      first: string;
      what?: Answer;
    },
    say: Say,
  ) => ({
    title: `${tenant}: ${count === 1 ? '1 record' : `${count} records`} of the origin ${origin} cannot be read`,
    details: what === undefined ? first : `${first}: ${answerText(what, say)}`,
    nextStep: `\`ledgerbridge outgoing problems -t ${tenant}\` names each with its file and line; the others are not held up by them.`,
  }),
  REVERSAL_UNKNOWN: (about: Omit<AboutDocument, 'entry'>, say: Say) => ({
    title: `${about.kind} ${about.number}: it is not known whether its reversal was booked`,
    details: `Key of the reversal ${about.key}. ${about.what === undefined ? '' : say(about.what)}`.trim(),
    nextStep:
      'Reverse it again after fifteen minutes: the bridge looks for the reversal before it sends another.',
  }),
  RECORD_WITHOUT_GUID: ({
    kind,
    count,
    problems,
  }: {
    kind: SourceKind;
    count: number;
    problems: string;
  }) => ({
    title: `${count} ${kind} records in the list have no guid`,
    details: problems,
    nextStep:
      'Look at the list with `ledgerbridge api`; such documents cannot be booked until the service names them.',
  }),
  LIST_NEVER_ENDS: (list: { kind: SourceKind; repeats: boolean; pages: number; documents: number }) => ({
    title: `The list of ${list.kind}s ${list.repeats ? 'repeats a page' : 'does not end'}`,
    details: `Stopped after ${list.pages} pages with ${list.documents} documents.`,
    nextStep:
      'The next sweep is a full one. If it stays, the service ignores `page` or `limit`: report it to its operator.',
  }),
  ACCOUNT_CONNECTED_TWICE: ({ tenant, count }: { tenant: string; count: number }) => ({
    title: `${tenant} finds documents that another tenant already carries into the same ledger`,
    details: `${count} documents have a posting key that exists. They are not posted a second time.`,
    nextStep:
      'Remove one of the two tenant files: the same source account is connected to the same ledger twice.',
  }),
  SOURCE_ACCOUNT_CHANGED: ({ tenant, known, opened }: { tenant: string; known: string; opened: string }) => ({
    title: `${tenant} is stopped: its credentials open the account of another company`,
    details: `They open ${opened}, and the documents of ${tenant} came from ${known}. Nothing was read or written with them.`,
    nextStep: `Put the credentials of ${known} into its file, or sign in to that account again; ${tenant} then goes on by itself. Another company needs a tenant file of its own.`,
  }),
  /** `what` and `code`: not in those of earlier versions, which have texts alone. */
  TENANT_NOT_CONNECTED: (failure: {
    tenant: string;
    goesOn: boolean;
    message: string;
    remedy: string;
    file?: string;
    what?: Message;
    code?: string;
  }) => ({
    title: failure.goesOn
      ? `${failure.tenant} goes on with its former file: its change cannot be used`
      : `${failure.tenant} is not connected; its documents wait`,
    details: failure.message,
    nextStep: failure.remedy,
  }),
  RECONCILIATION_DIFFERS: (
    report: { tenant: string; from: string; to: string; count: number; differences: readonly Message[] },
    say: Say,
  ) => ({
    title: `${report.count} differences between source, bridge and ERP from ${report.from} to ${report.to}`,
    details: report.differences.map(say).join(' '),
    nextStep: `Look at them with \`ledgerbridge reconcile ${report.tenant} --from ${report.from} --to ${report.to}\`.`,
  }),
} satisfies IncidentTable;
