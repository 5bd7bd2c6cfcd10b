// What a listing showed that a person should hear of: records that cannot be read, pages that repeat, a list without end.
import { incident } from '../../language/incidents/incident-text.js';
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
    const problems = nameless
      .slice(0, 5)
      .map((problem) => problem.problem)
      .join('; ');
    await store.openIncident(
      tenantName,
      incident(
        'RECORD_WITHOUT_GUID',
        { kind, count: nameless.length, problems },
        { severity: 'critical', fingerprint: `${tenantName}:${kind}` },
      ),
    );
  }
  if (listing.stopped !== 'end') {
    const { stopped, pages, documents } = listing;
    const list = { kind, repeats: stopped === 'repeated-page', pages, documents: documents.size };
    const about = { severity: 'warning', fingerprint: `${tenantName}:${kind}` } as const;
    await store.openIncident(tenantName, incident('LIST_NEVER_ENDS', list, about));
  }
}
