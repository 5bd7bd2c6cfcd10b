// Somebody else writes under our keys: a second bridge with a database of its own on the same account and books, or a database
// that went back in time. What it does to one document it does to all, so the tenant stops at the first, and a person decides.
import type { ErpEntry } from '../../erp/erp-adapter.js';
import type { NewIncident, PostingChange } from '../records.js';
import type { PostingWork } from './post-stage.js';

export type Stop = Required<Pick<PostingChange, 'stopTenant' | 'incidents'>>;

/** Nothing of ours was ever sent under this key, as far as a database can know that was not restored. */
export function isForeign({ claim: { attempt, restoredAgeMs } }: PostingWork): boolean {
  return restoredAgeMs === null && (attempt === null || (attempt.number === 1 && attempt.sends <= 1));
}

export function stopTenant({ posting, tenant }: PostingWork, entries: readonly ErpEntry[]): Stop {
  const shown = entries.map(({ reference }) => reference.number ?? reference.id).join(', ');
  const incident: NewIncident = {
    code: 'FOREIGN_ENTRY',
    fingerprint: `FOREIGN_ENTRY:${tenant.name}`,
    severity: 'critical',
    title: `${tenant.name} was stopped: somebody else books its documents under the same keys`,
    details: `Found with ${posting.kind} ${posting.documentNumber || posting.guid}, key ${posting.key}, entries ${shown.slice(0, 200)}.`,
    nextStep:
      `Look for another bridge on the same account and books, and stop it. If this database was restored or replaced, say so with ` +
      `\`ledgerbridge db restored\`. Reverse what is booked twice, then \`ledgerbridge resume ${tenant.name}\`.`,
  };
  return { stopTenant: 'Somebody else books its documents under the same keys.', incidents: [incident] };
}
