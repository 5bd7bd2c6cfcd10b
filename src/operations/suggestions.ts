// Suggestions, never guesses: where an account or the value of a dimension is missing, how documents of the same supplier or customer,
// with the same item or the same text were booked before. What it rests on is shown with it, and a person takes it or not.
import type { InboxRow } from './views/problem.js';
import { causeFilter } from './causes.js';
import type { Suggestion, SuggestionRecords } from './suggestion-records.js';

/** Rows that are looked up; beyond them the page shows none. */
const LOOKED_UP_MAX = 50;

export async function withSuggestions(
  records: SuggestionRecords,
  rows: readonly InboxRow[],
): Promise<InboxRow[]> {
  const wanted = rows
    .filter(({ mend }) => mend.fill === 'account' || mend.fill === 'value')
    .slice(0, LOOKED_UP_MAX);
  const found = new Map<InboxRow, readonly Suggestion[]>();
  for (const row of wanted) {
    const { reason, subject } = causeFilter(row.id);
    found.set(row, await records.bookedBefore(row.tenantName, reason, subject ?? ''));
  }
  return rows.map((row) => ({ ...row, mend: { ...row.mend, suggestions: [...(found.get(row) ?? [])] } }));
}
