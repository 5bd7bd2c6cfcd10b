// Why a posting rests, beyond what the mapping says. One table: the code, where it leaves the posting, a sentence for a
// person and what would cure it. The mapping's own codes stand in pipeline/mapping.
export const POSTING_REASONS = {
  SOURCE_DELETED: {
    sentence: 'The document was deleted at the source before it was posted.',
    cure: 'Nothing: there is nothing to book.',
  },
  SOURCE_UNREADABLE: {
    sentence: 'The source sent the document in a form that cannot be read.',
    cure: 'Look at the document at the source; replay it when it is in order.',
  },
  FOREIGN_POSTED: {
    sentence: 'The source says Posted, but the bridge did not post it.',
    cure: 'Find out who booked it. If it is in the books, mark it as posted with its ERP reference; if not, it must be reopened at the source.',
  },
  DEFERRED_TOO_LONG: {
    sentence: 'The document was not ready for booking for longer than the bridge waits.',
    cure: 'Finish or delete the document at the source, then replay it.',
  },
  CONTENT_CHANGED: {
    sentence: 'The document was edited at the source after its journal was posted.',
    cure: 'Compare the two; reverse and repost if the books must follow the edit.',
  },
  ERP_PERIOD_CLOSED: {
    sentence: 'The ERP has closed the period of this document.',
    cure: 'Open the period in the ERP, or set period.lockedUntil with whenLocked: firstOpenDay in the rules. It is tried again daily.',
  },
  ERP_CONFIGURATION: {
    sentence: 'The ERP does not know something the rules use.',
    cure: 'Create it in the ERP or change the rules; it is tried again by itself.',
  },
  ERP_REFUSED: {
    sentence: 'The ERP refused the journal.',
    cure: 'Read the message, mend what it names, then replay.',
  },
  ERP_COLLISION: {
    sentence: 'The ERP holds an entry under this key with other content.',
    cure: 'Compare the two entries in the ERP; mark as posted if it is the same document, reverse it otherwise.',
  },
  ERP_DUPLICATE: {
    sentence: 'The ERP holds more than one entry under this key.',
    cure: 'Reverse the surplus entry in the ERP, then replay: the bridge looks before it posts.',
  },
  OUTCOME_UNKNOWN: {
    sentence: 'It is not known whether the ERP took the journal, and this ERP gives no safe way to find out.',
    cure: 'Look in the ERP for the key. If it is there, mark as posted; if it is surely not, replay with --surely-absent.',
  },
  TRIES_EXHAUSTED: {
    sentence: 'It failed as often as the bridge tries.',
    cure: 'Look at the attempts, mend the cause, then replay.',
  },
  WRITE_BACK_REFUSED: {
    sentence: 'The source does not take the accounting status.',
    cure: 'Look at the document at the source; its status there and the books disagree.',
  },
  SOURCE_REOPENED: {
    sentence: 'The document is in the books, and was reopened for editing at the source afterwards.',
    cure: 'Approve it again unchanged and the status follows by itself; if it was edited, reverse and repost.',
  },
  ORPHANED: {
    sentence: 'The document is in the books, but was deleted at the source.',
    cure: 'Reverse the entry, or restore the document at the source.',
  },
  SKIPPED_BY_OPERATOR: {
    sentence: 'An operator decided that this document is not booked.',
    cure: 'Nothing; if it belongs in the books after all, replay it (a cost is moved to New at the source first).',
  },
  HELD_BY_OPERATOR: {
    sentence: 'An operator holds this document.',
    cure: 'Release it when it may go on.',
  },
} as const satisfies Record<string, { sentence: string; cure: string }>;

export type PostingReasonCode = keyof typeof POSTING_REASONS;
