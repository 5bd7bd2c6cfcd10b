// What suggestions are made from.
import type { InboxRow } from './views/problem.js';

export type Suggestion = InboxRow['mend']['suggestions'][number];

export interface SuggestionRecords {
  /** On what costs of the same suppliers or texts were booked as those that wait for this cause; the most frequent first. */
  bookedBefore(tenant: string, reason: string, subject: string): Promise<readonly Suggestion[]>;
}
