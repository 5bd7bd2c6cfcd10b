// Changes at the service are seen too: its customers are listed now and then, and one that shows something else than was agreed upon, or is
// listed no more, is taken up again. What becomes of it then is decided where everything else about customers is.
import { hasServiceChanged } from './agree-fields.js';
import type { AgreedStore } from './records.js';
import { type OutgoingTenant, type OutgoingTiming, quietPeriodMs } from './stage.js';

const RECORDS_MAX = 20_000;

/** How many are taken up again. */
export async function watchCustomers(
  store: AgreedStore,
  { name, target, wish }: Pick<OutgoingTenant, 'name' | 'target' | 'wish'>,
  timing: OutgoingTiming,
): Promise<number> {
  if (wish.customers !== 'update') return 0;
  // Read first: what is agreed upon while the list is read is not held against a list from before.
  const known = await store.agreed(name, 'customer', quietPeriodMs(timing), RECORDS_MAX);
  if (known.length === 0) return 0;
  const listed = await target.listCustomers();
  if (listed.outcome === 'incomplete') return 0;
  const shown = new Map(listed.found.map(({ guid, fields }) => [guid, fields]));
  const changed = known.filter(({ guid, agreed, conflicts }) => {
    const fields = shown.get(guid);
    return fields === undefined || hasServiceChanged(agreed, conflicts, fields);
  });
  return changed.length === 0
    ? 0
    : store.reopen(
        name,
        changed.map(({ id }) => id),
      );
}
