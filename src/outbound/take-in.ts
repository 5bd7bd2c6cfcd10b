// Step 1: what an origin has that is new goes on record, with the cursor behind it, before anything is done about it.
import { submissionKey } from '../domain/submission.js';
import type { Origin } from '../origins/origin.js';
import type { FailPoints } from '../sync/fail-points.js';
import type { OriginStore, TakenIn } from './records.js';
import type { OutgoingTenant } from './stage.js';

/** What there is more comes at the next look. */
const LOOKS_MAX = 20;

export async function takeIn(
  store: OriginStore,
  failPoints: FailPoints,
  tenant: Pick<OutgoingTenant, 'name' | 'environment' | 'sourceAccount' | 'series' | 'origins'>,
  origin: Origin,
): Promise<TakenIn & { readonly hasAnswered: boolean }> {
  const { environment, sourceAccount } = tenant;
  const series = tenant.series[origin.name] ?? '';
  const sum = { added: 0, changed: 0, late: 0, taken: 0 };
  const origins = [...tenant.origins.keys()];
  let cursor = await store.cursor(tenant.name, origin.name);
  for (let look = 0; look < LOOKS_MAX; look++) {
    const { more, isResting, ...changes } = await origin.changes(cursor);
    if (isResting) return { ...sum, hasAnswered: false };
    if (changes.cursor === cursor && changes.records.length === 0) break;
    const records = changes.records.map((record) => ({
      ...record,
      key: submissionKey({
        environment,
        sourceAccount,
        kind: record.kind,
        series,
        reference: record.reference,
      }),
    }));
    const taken = await store.takeIn(tenant.name, origin.name, { ...changes, records, origins });
    sum.added += taken.added;
    sum.changed += taken.changed;
    sum.late += taken.late;
    sum.taken += taken.taken;
    await failPoints.reach('after-taken-in', { tenantName: tenant.name });
    cursor = changes.cursor;
    if (!more) break;
  }
  return { ...sum, hasAnswered: true };
}
