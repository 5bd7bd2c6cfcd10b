// A document is one entry in the ERP, or two: its journal, and the settlement of a paid one. Each part has its own key and
// its own reference; the document is posted when the last part is.
import type { PostingKey } from '../../domain/ids.js';
import type { Journal } from '../../domain/journal.js';
import { journalFromJson } from '../../domain/journal-json.js';
import { settlementKey } from '../../domain/posting-key.js';
import type { AttemptPart, PostingRecord } from '../../sync/posting-records.js';

export interface Part {
  readonly part: AttemptPart;
  readonly key: PostingKey;
  readonly journal: Journal;
}

/** The first part without a reference; null when all are in the ERP. */
export function nextPart(posting: PostingRecord): Part | null {
  if (posting.journal !== null && posting.reference === null) {
    return { part: 'main', key: posting.key, journal: journalFromJson(posting.journal) };
  }
  if (posting.settlement !== null && posting.settlementReference === null) {
    return {
      part: 'settlement',
      key: settlementKey(posting.key),
      journal: journalFromJson(posting.settlement),
    };
  }
  return null;
}

export function isLastPart(posting: PostingRecord, part: AttemptPart): boolean {
  return part === 'settlement' || posting.settlement === null || posting.settlementReference !== null;
}

export function postingDate({ journal }: PostingRecord): string {
  return (journal && POSTING_DATE.exec(journal)?.[1]) ?? '';
}

/** It is asked of every document that was posted, and its journal is long. Within a text of a journal every quote is escaped. */
const POSTING_DATE = /"postingDate":\s*"([^"]+)"/;
