// What waits for another month is released when its day has come: a posting of its own, worked on like a document. Which days those
// are stands in the entry of the document, so nobody has to ask the source.
import { postingKey } from '../../domain/posting-key.js';
import type { Runtime } from '../../domain/runtime.js';
import type { TenantContext } from '../tenant-context.js';
import { type DueRelease, releaseGuid, type NewRelease, type ReleaseStore } from './records.js';

export interface ReleaseStage {
  readonly runtime: Runtime;
  readonly store: ReleaseStore;
}

/** In one look; the next tick brings the others. */
const AT_ONCE = 500;

/** How many were begun. */
export async function beginReleases(
  { runtime, store }: ReleaseStage,
  tenant: TenantContext,
): Promise<number> {
  const today = runtime.clock.now().toISOString().slice(0, 10);
  const due = await store.due(tenant.name, today, AT_ONCE);
  return due.length === 0
    ? 0
    : store.begin(
        tenant.name,
        due.map((release) => newRelease(tenant, release)),
      );
}

function newRelease({ environment, sourceAccount, erp }: TenantContext, release: DueRelease): NewRelease {
  const guid = releaseGuid(release);
  const identity = { environment, sourceAccount, kind: 'release', guid, ledger: erp.ledger } as const;
  return { ...release, key: postingKey({ ...identity, generation: 0 }) };
}
