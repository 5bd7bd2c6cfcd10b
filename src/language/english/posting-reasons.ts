// Why a posting rests, beyond what the mapping says.
import type { Message } from '../../domain/message.js';
import { type Answer, answerText } from '../answers.js';
import type { ReasonTable, Say, TextTable, NoteTable } from '../table.js';
import type { BookedKind, SourceKind } from '../../domain/source-document.js';

/** What an ERP refused, in its own words, and what it is about where its adapter knows. */
export interface Refused {
  message: Answer;
  refusal: string;
  account?: string;
  dimension?: string;
  value?: string;
  vatCode?: string;
  period?: string;
  party?: string;
}

export const POSTING_REASONS = {
  SOURCE_DELETED: {
    says: 'The document was deleted at the source before it was posted.',
    cure: 'Nothing: there is nothing to book.',
  },
  SOURCE_UNREADABLE: {
    says: 'The source sent the document in a form that cannot be read.',
    detail: ({ problem }: { problem: string }) => problem,
    cure: 'Look at the document at the source; replay it when it is in order.',
  },
  FOREIGN_POSTED: {
    says: 'The source says Posted, but the bridge did not post it.',
    cure: 'Find out who booked it. If it is in the books, mark it as posted with its ERP reference; if not, it must be reopened at the source.',
  },
  DEFERRED_TOO_LONG: {
    says: 'The document was not ready for booking for longer than the bridge waits.',
    detail: ({ reason }: { reason: Message }, say: Say) => say(reason),
    cure: 'Finish or delete the document at the source, then replay it.',
  },
  CONTENT_CHANGED: {
    says: 'The document was edited at the source after its journal was posted.',
    detail: ({ status }: { status?: string }) =>
      status === undefined ? '' : `The source says ${status || 'nothing'}.`,
    cure: 'Compare the two; reverse and repost if the books must follow the edit.',
  },
  ERP_PERIOD_CLOSED: {
    says: 'The ERP has closed the period of this document.',
    detail: ({ message }: Refused, say: Say) => answerText(message, say),
    cure: 'Open the period in the ERP, or set period.lockedUntil with whenLocked: firstOpenDay in the rules. It is tried again daily.',
  },
  ERP_CONFIGURATION: {
    says: 'The ERP does not know something the rules use.',
    detail: ({ message }: Refused, say: Say) => answerText(message, say),
    about: ({ message }: Refused, say: Say) => answerText(message, say),
    cure: 'Create it in the ERP or change the rules; it is tried again by itself.',
  },
  ERP_REFUSED: {
    says: 'The ERP refused the journal.',
    detail: ({ message }: Refused, say: Say) => answerText(message, say),
    about: ({ refusal }: Refused) => refusal,
    cure: 'Read the message, mend what it names, then replay.',
  },
  ERP_COLLISION: {
    says: 'The ERP holds an entry under this key with other content.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'Compare the two entries in the ERP; mark as posted if it is the same document, reverse it otherwise.',
  },
  ERP_DUPLICATE: {
    says: 'The ERP holds more than one entry under this key.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'Reverse the surplus entry in the ERP, then replay: the bridge looks before it posts.',
  },
  OUTCOME_UNKNOWN: {
    says: 'It is not known whether the ERP took the journal, and this ERP gives no safe way to find out.',
    detail: ({ what }: { what: Message }, say: Say) => say(what),
    cure: 'Look in the ERP for the key. If it is there, mark as posted; if it is surely not, replay with --surely-absent.',
  },
  TRIES_EXHAUSTED: {
    says: 'It failed as often as the bridge tries.',
    detail: ({ last }: { last: Message }, say: Say) => `Last: ${say(last)}`,
    cure: 'Look at the attempts, mend the cause, then replay.',
  },
  WRITE_BACK_REFUSED: {
    says: 'The source does not take the accounting status.',
    detail: ({ status }: { status?: string }) =>
      status === undefined ? '' : `The source says ${status || 'nothing'}.`,
    cure: 'Look at the document at the source; its status there and the books disagree.',
  },
  SOURCE_REOPENED: {
    says: 'The document is in the books, and was reopened for editing at the source afterwards.',
    cure: 'Approve it again unchanged and the status follows by itself; if it was edited, reverse and repost.',
  },
  ORIGINALS_AWAITED: {
    says: 'It is in the books; the source is told when its originals are at the entry.',
    cure: 'Nothing, unless one of them is parked: then mend what it names and have it tried again.',
  },
  AWAITS_SUMMARY: {
    says: 'It waits for the journal of its day.',
    detail: ({ day }: { day: string }) =>
      `The documents of ${day} are booked together, when the day is closed.`,
    cure: 'Nothing: it is read once more when its day is closed, and booked with the others.',
  },
  IN_SUMMARY: {
    says: 'It is on its way to the ERP with the other documents of its day.',
    detail: ({ summary }: { summary: string }) => `They are ${summary}.`,
    cure: 'Nothing: what becomes of that journal becomes of the document.',
  },
  SUMMARY_WAITS: {
    says: 'The journal of its day may have reached the ERP, and waits for a person.',
    detail: ({ summary }: { summary: string }) => `It is ${summary}.`,
    about: ({ summary }: { summary: string }) => summary,
    cure: 'Look at that journal; this document goes on with it.',
  },
  SUMMARY_REFUSED: {
    says: 'The ERP refused the journal of the day; nothing of it is in the books.',
    detail: ({ refusal }: { refusal: Message }, say: Say) => say(refusal),
    cure: 'Nothing here: the documents that the refusal is about wait by themselves, the others are put together anew.',
  },
  NOTHING_TO_SUMMARISE: {
    says: 'No document of the day waits to be booked with the others.',
    cure: 'Nothing: those that come later begin it again.',
  },
  ORPHANED: {
    says: 'The document is in the books, but was deleted at the source.',
    cure: 'Reverse the entry, or restore the document at the source.',
  },
  SKIPPED_BY_OPERATOR: {
    says: 'An operator decided that this document is not booked.',
    detail: ({ why }: { why: string }) => why,
    cure: 'Nothing; if it belongs in the books after all, replay it (a cost is moved to New at the source first).',
  },
  HELD_BY_OPERATOR: {
    says: 'An operator holds this document.',
    detail: ({ why }: { why: string }) => why,
    cure: 'Release it when it may go on.',
  },
} satisfies ReasonTable;

// Why an act on a document cannot be done.

export const REFUSALS = {
  DOES_NOT_EXIST: () => 'It does not exist.',
  SKIP_NOT_KNOWN: ({ what }: { what: Message }, say: Say) =>
    `It is not known whether it was skipped (${say(what)}). Look at it before you skip it again.`,
  SKIP_NOT_TRIED: () => 'Not tried, because of what happened with the one before it.',
  WORKED_ON: () => 'It is being worked on at this moment; try again.',
  CHANGED_MEANWHILE: () => 'It changed meanwhile; look at it again.',
  NOT_FROM_HERE: ({ state }: { state: string }) =>
    `It is ${state.replace('_', ' ')}, and this cannot be done from there.`,
  HELD: () => 'An operator holds it.',
  HELD_ALREADY: () => 'It is held already.',
  NOT_HELD: () => 'No operator holds it.',
  ON_ITS_WAY: () => 'It is on its way already.',
  IN_BOOKS: () => 'It is in the books: reverse it instead.',
  IN_BOOKS_ALREADY: () => 'It is in the books already, as the bridge has on record.',
  IN_BOOKS_AND_POSTED: () => 'It is in the books, and the source says Posted.',
  IN_BOOKS_BUT_DELETED: () => 'It is in the books but was deleted at the source.',
  REVERSAL_BEGUN: () =>
    'A reversal of it was begun, and may be in the ERP: reverse it again, which looks for the first one before it sends another.',
  NO_ENTRY: ({ state }: { state: string }) =>
    `It is ${state.replace('_', ' ')}, without an entry that could be reversed.`,
  MAY_HAVE_REACHED_ERP: () => 'It may have reached the ERP: replay it, so that the bridge finds out.',
  FINDING_OUT: () => 'The bridge is still finding out what became of it; wait or replay it.',
  ENTRY_NOT_KNOWN: ({ part }: { part: 'entry' | 'settlement' }) =>
    `It is not known whether the ERP has its ${part}. Replay it, then the bridge finds out; if you looked and it is surely not there, say so with --surely-absent.`,
  SENT_TOO_RECENTLY: ({ minutes }: { minutes: number }) =>
    `It was sent within the last ${minutes} minutes, or may have been, so nobody can be sure yet. Try again later.`,
  REVERSED: () => 'Its entry was reversed; to book it again is a repost.',
  NOT_REVERSED: () => 'Only what was reversed can be posted again; reverse it first.',
  STATUS_BEING_WRITTEN: () => 'Its status is being written at the source; try again in a moment.',
  MOVED_TO_NEW: () => 'It was moved to New at the source; it comes back by itself when it is approved there.',
  COST_STANDS_AS: ({ status }: { status: string }) =>
    `It stands as ${status} at the source: move it to New and have it approved again.`,
  INVOICE_STANDS_AS: ({ status }: { status: string }) =>
    `It stands as ${status} at the source; an invoice leaves that only by the service's own hand.`,
  PAYMENTS_FIRST: ({ payments }: { payments: number }) =>
    `Its payment was booked after it (${payments}): reverse or skip that first.`,
  RELEASES_FIRST: ({ releases }: { releases: number }) =>
    `A release of it is under way or waits (${releases}): try again when it is booked, or skip it first.`,
  GOES_WITH_ITS_DAY: () =>
    'It is on its way to the ERP in the journal of its day: see to that, and this goes with it.',
  SUMMARY_AS_A_WHOLE: () =>
    'The journal of a day is neither skipped nor reversed as a whole: do so with its documents, each by itself.',
  FOLLOWING_BY_HAND: () => 'A payment or a release that was booked by hand is skipped.',
  NOT_A_DECIDED_COST: () => 'Only a cost that was skipped or rejected can be moved to New.',
} satisfies TextTable;

// What a bookkeeper should know of a document that is booked all the same.

export const WARNINGS = {
  TAX_EXEMPT_CUSTOMER: { says: 'The customer is tax exempt: the taxed lines were booked without VAT.' },
  LINES_DIFFER_FROM_TOTALS: {
    says: 'The lines differ from the totals: the difference was booked as a fee or a discount.',
  },
  POSTING_DATE_MOVED: {
    says: 'The period is locked: the journal is dated on the first open day.',
    detail: ({ date }: { date: string }) => `It is ${date}.`,
  },
  ORIGINAL_BEFORE_CUT_OVER: {
    says: 'The invoice that it takes back is older than the cut-over: the credit note was booked as if that were in the books.',
    detail: ({ date }: { date: string }) => `It was issued on ${date}.`,
  },
  KENNITALA_FORMAT: {
    says: 'The kennitala is missing or not shaped like one.',
    detail: ({ written }: { written: string }) =>
      written === '' ? 'It is missing.' : `It says "${written}".`,
  },
  KENNITALA_CHECKSUM: {
    says: 'The kennitala has no valid check digit, which new ones since February 2026 may lack.',
    detail: ({ kennitala }: { kennitala: string }) => `It says ${kennitala}.`,
  },
  SIGN_ASSUMED_INVOICE: {
    says: 'There is no e-invoice: the cost was taken for an invoice, not a credit note.',
  },
  CLAIM_AMOUNTS_MISMATCH: {
    says: 'The claim is paid but its amounts do not add up: the payment was not booked.',
    detail: ({ owed, deposited }: { owed?: string; deposited?: string }) =>
      owed === undefined
        ? 'The amounts do not round to a balance.'
        : `It should bring ${owed} ISK, the bank says ${deposited ?? ''}.`,
  },
  DOCUMENT_NUMBER_CUT: {
    says: 'The document number is longer than the rules allow: only its end was kept.',
    detail: ({ number }: { number: string }) => `It is ${number}.`,
  },
  COST_CODE_WATCHED: {
    says: 'The cost code is watched: check that no food or hospitality hides here.',
    detail: ({ costCode }: { costCode: string }) => `The code is ${costCode}.`,
  },
} satisfies NoteTable;

// What is known of a journal on its way, behind the reason for which it rests.

export const OUTCOMES = {
  /** What another program or a person wrote; it stays in their language. */
  AS_SAID: ({ text }: { text: string }) => text,
  MAY_BE_FORGOTTEN: () =>
    'The database was restored from a backup and may have forgotten that it was sent. Nothing was sent since.',
  POSTED_BEFORE_RESTORE: () => 'It was posted before the database was restored, and would not be posted now.',
  SETTLED_BEFORE_RESTORE: () =>
    'The invoice was settled before the database was restored; this payment may be that one. Compare the customer in the ERP, then skip it or mark it as posted.',
  PAID_BEFORE_RESTORE: () =>
    'Its entry and its payment were booked before the database was restored, and the payment has been taken back since. Undo the payment in the ERP, then mark the invoice as posted with its entry.',
  ERP_CANNOT_TELL: () => 'This ERP can neither replay nor look up.',
  ABSENCE_UNPROVEN: () => 'Nothing was found under the key, which does not prove that nothing arrived.',
  RESENT_TOO_OFTEN: () => 'Sent again as often as the bridge tries.',
  TAKEN_NOT_SHOWN: () => 'The ERP took it but does not show it.',
  POSTED_NOT_SHOWN: () => 'The ERP said posted, but could not show the entry.',
  KEY_REFUSED_NOT_SHOWN: ({ message }: { message: Answer }, say: Say) =>
    `The ERP refuses the key but shows no entry: ${answerText(message, say)}`,
  SEVERAL_ENTRIES: ({ entries }: { entries: string }) => `Entries: ${entries}.`,
  WORK_NEVER_ENDS: () => 'the work was begun but never finished: it takes too long, or it ends the process',
  SOURCE_SAYS: ({ status }: { status: string }) => `The source says ${status || 'nothing'}.`,
  EDITED_BEFORE_POSTED: () => 'It was edited between posting and Posted.',
  POSTED_BY_US_TOO: ({ entry }: { entry: string }) =>
    `The bridge posted it as ${entry} too: check that it is not booked twice.`,
  REVERSAL_IS: ({ state }: { state: string }) => `The ERP says ${state}.`,

  COUNT_DIFFERS: (counts: { kind: SourceKind; status: string; source: number; local: number }) =>
    `The source counts ${counts.source} ${counts.kind}s as ${counts.status}, the bridge wrote ${counts.local}.`,
  ENTRY_TWICE: ({ count, key }: { count: number; key: string }) =>
    `The ERP holds ${count} entries under ${key}.`,
  ENTRY_UNKNOWN: ({ entry, key }: { entry: string; key: string }) =>
    `The ERP holds entry ${entry} under ${key}, which the bridge does not know.`,
  ENTRY_NOT_POSTED: ({ entry, state }: { entry: string; state: string }) =>
    `Entry ${entry} is ${state} in the ERP, but the bridge holds it for posted.`,
  ENTRY_TOTAL_DIFFERS: ({ entry, total }: { entry: string; total: string }) =>
    `Entry ${entry} does not add up to the ${total} ISK of its journal.`,
  ENTRY_MISSING: (missing: { kind: BookedKind; number: string; entry: string; key: string }) =>
    `${missing.kind} ${missing.number} is posted as ${missing.entry}, but the ERP shows no entry under ${missing.key}.`,
  ENTRY_NOT_CLAIMED: (stray: { entry: string; kind: BookedKind; number: string; state: string }) =>
    `The ERP holds entry ${stray.entry} for ${stray.kind} ${stray.number}, which is not booked on record: it is ${stray.state}.`,
  BOOKED_NOT_POSTED: (booked: { kind: BookedKind; number: string; entry: string; status: string }) =>
    `${booked.kind} ${booked.number} is in the books as ${booked.entry}, and the source ${booked.status === 'gone' ? 'no longer has it' : `says ${booked.status}`}.`,
  CANCELLED_IN_BOOKS: ({ number, entry }: { kind: BookedKind; number: string; entry: string }) =>
    `Invoice ${number} is in the books as ${entry}. It was cancelled at the source, and no credit note takes it back.`,

  /** How an incident ended by itself. */
  SETTLED_ACKNOWLEDGED: () => 'The document is in the books, and the source says Posted.',
  SETTLED_REVERSED: () => 'The entry of the document was reversed.',
  SETTLED_DELETED: () => 'The document was deleted at the source before it was posted.',
  IT_IS_OVER: () => 'It is over.',
  ITS_FILE_IS_GONE: () => 'its file was deleted',
  ITS_OWN_ACCOUNT_AGAIN: () => 'it opens its own account again',
  IT_IS_CONNECTED: () => 'it is connected',
  ORIGINAL_NOT_ON_RECORD: () => 'nothing is on record of it',
  TAKES_NO_FILES_NOW: () => 'it takes no files any more',
  STORED_FILE_IS: ({ how }: { how: 'missing' | 'changed' }) => how,
  REFUSED_AS: ({ code, what }: { code: string; what: Message }, say: Say) => `${code}: ${say(what)}`,
} satisfies TextTable;
