// What a listing showed that a person should hear of: records that cannot be read, pages that repeat, a list without end.
import type { SourceKind } from '../../domain/source-document.js';
import type { IntakeStore } from '../records.js';
import type { Listing } from './page-through.js';

export async function reportProblems(
  store: IntakeStore,
  tenantName: string,
  kind: SourceKind,
  listing: Listing,
): Promise<void> {
  const nameless = listing.problems.filter((problem) => problem.guid === null);
  if (nameless.length > 0) {
    await store.openIncident(tenantName, {
      code: 'RECORD_WITHOUT_GUID',
      fingerprint: `RECORD_WITHOUT_GUID:${tenantName}:${kind}`,
      severity: 'critical',
      title: `${nameless.length} ${kind} records in the list have no guid`,
      details: nameless
        .slice(0, 5)
        .map((problem) => problem.problem)
        .join('; '),
      nextStep:
        'Look at the list with `ledgerbridge api`; such documents cannot be booked until the service names them.',
    });
  }
  if (listing.stopped !== 'end') {
    await store.openIncident(tenantName, {
      code: 'LIST_NEVER_ENDS',
      fingerprint: `LIST_NEVER_ENDS:${tenantName}:${kind}`,
      severity: 'warning',
      title: `The list of ${kind}s ${listing.stopped === 'repeated-page' ? 'repeats a page' : 'does not end'}`,
      details: `Stopped after ${listing.pages} pages with ${listing.documents.size} documents.`,
      nextStep:
        'The next sweep is a full one. If it stays, the service ignores `page` or `limit`: report it to its operator.',
    });
  }
}
