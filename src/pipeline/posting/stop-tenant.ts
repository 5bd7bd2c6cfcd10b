// Somebody else writes under our keys: a second bridge with a database of its own on the same account and books, or a database
// that went back in time. What it does to one document it does to all, so the tenant stops at the first, and a person decides.
import type { ErpEntry } from '../../erp/erp-adapter.js';
import { incident } from '../../language/incidents/incident-text.js';
import type { PostingChange } from '../../sync/posting-records.js';
import type { PostingWork } from './post-stage.js';

export type Stop = Required<Pick<PostingChange, 'stopTenant' | 'incidents'>>;

/** Nothing of ours was ever sent under this key, as far as a database can know that was not restored. */
export function isForeign({ claim: { attempt, restoredAgeMs } }: PostingWork): boolean {
  return restoredAgeMs === null && (attempt === null || (attempt.number === 1 && attempt.sends <= 1));
}

export function stopTenant({ posting, tenant }: PostingWork, entries: readonly ErpEntry[]): Stop {
  const shown = entries.map(({ reference }) => reference.number ?? reference.id).join(', ');
  const { kind, documentNumber, guid, key } = posting;
  const about = {
    kind,
    number: documentNumber || guid,
    key,
    tenant: tenant.name,
    entries: shown.slice(0, 200),
  };
  const alarm = incident('FOREIGN_ENTRY', about, { severity: 'critical', fingerprint: tenant.name });
  return { stopTenant: 'Somebody else books its documents under the same keys.', incidents: [alarm] };
}
