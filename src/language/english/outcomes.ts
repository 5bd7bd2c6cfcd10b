// What is known of a journal on its way, behind the reason for which it rests.
import type { Message } from '../../domain/message.js';
import type { BookedKind, SourceKind } from '../../domain/source-document.js';
import { type Answer, answerText } from '../answers.js';
import type { Say, TextTable } from '../table.js';

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
