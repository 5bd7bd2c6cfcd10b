// Changes at the service are seen too: its customers and items are listed now and then, and one that shows something else than was agreed
// upon, or is listed no more, is taken up again. What becomes of it then is decided where everything else about its kind is.
import type { Search } from '../service/invoicing-target.js';
import { hasServiceChanged } from './agree-fields.js';
import type { AgreedStore } from './records.js';
import { type OutgoingTenant, type OutgoingTiming, quietPeriodMs } from './stage.js';

const RECORDS_MAX = 20_000;

interface Listed {
  readonly guid: string;
  readonly fields: Readonly<Record<string, string>>;
}

type Watched = Pick<OutgoingTenant, 'name' | 'target' | 'wish'>;

/** How many are taken up again. */
export async function watchService(
  store: AgreedStore,
  tenant: Watched,
  timing: OutgoingTiming,
): Promise<number> {
  const { target, wish } = tenant;
  const customers =
    wish.customers === 'update'
      ? await watchKind(store, tenant, timing, 'customer', () => target.listCustomers())
      : 0;
  return wish.items === 'create-only'
    ? customers
    : customers + (await watchKind(store, tenant, timing, 'item', () => target.listItems('now')));
}

async function watchKind(
  store: AgreedStore,
  { name }: Watched,
  timing: OutgoingTiming,
  kind: 'customer' | 'item',
  list: () => Promise<Search<Listed>>,
): Promise<number> {
  // Read first: what is agreed upon while the list is read is not held against a list from before.
  const known = await store.agreed(name, kind, quietPeriodMs(timing), RECORDS_MAX);
  if (known.length === 0) return 0;
  const listed = await list();
  if (listed.outcome === 'incomplete') return 0;
  const shown = new Map(listed.found.map(({ guid, fields }) => [guid, fields]));
  const changed = known.filter(({ guid, agreed, conflicts }) => {
    const fields = shown.get(guid);
    return fields === undefined || hasServiceChanged(agreed, conflicts, fields);
  });
  const ids = changed.map(({ id }) => id);
  return ids.length === 0 ? 0 : store.reopen(name, ids);
}
