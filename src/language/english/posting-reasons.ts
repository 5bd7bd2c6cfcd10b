// Why a posting rests, beyond what the mapping says.
import type { Message } from '../../domain/message.js';
import { type Answer, answerText } from '../answers.js';
import type { ReasonTable, Say } from '../table.js';

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
