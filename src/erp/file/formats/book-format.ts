// The shape of an output format: how one record reads, and what stands before and around the records. All pure, and the
// same records always give the same bytes: that is what lets a damaged book be written anew from the record.
import type { LedgerRecord } from '../records.js';

export const BOOK_FORMAT_NAMES = ['journal', 'beancount', 'csv'] as const;

/** Every name that was ever used in the books; the checkers want them declared. */
export interface Vocabulary {
  readonly accounts: ReadonlySet<string>;
  readonly dimensions: ReadonlySet<string>;
}

export interface BookFormat {
  readonly extension: string;
  /** What a month's file starts with. */
  readonly head: string;
  entry(record: LedgerRecord): string;
  /** The file that includes all months; null when the format has no such thing. */
  main(vocabulary: Vocabulary, months: readonly string[]): string | null;
}

/** Account number → its full name in plain-text accounting. */
export type NameAccount = (account: string) => string;

export function sortedNames(names: ReadonlySet<string>): string[] {
  return [...names].sort((a, b) => (a < b ? -1 : 1));
}
