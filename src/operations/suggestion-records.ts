// What suggestions are made from.
import type { TenantName } from '../domain/ids.js';
import type { InboxRow } from './views/problem.js';

export type Suggestion = InboxRow['mend']['suggestions'][number];

export interface SuggestionRecords {
  /** How documents like those that wait for this cause were booked: on which account, or with which value; the most frequent first. */
  bookedBefore(tenant: TenantName, reason: string, subject: string): Promise<readonly Suggestion[]>;
}
