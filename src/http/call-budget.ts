// One call of ours may be several exchanges: a search, a create, a booking. Each has its own deadline, but the caller has promised how long
// all of it takes. Within a budget no exchange lasts, or begins, beyond its end. On Node 20 the first use makes every promise dearer (a
// tenth of the bridge's work); on Node 24 it costs nothing that can be measured.
import { AsyncLocalStorage } from 'node:async_hooks';

/** When the budget ends, by the clock of `performance.now()`. */
const budgets = new AsyncLocalStorage<number>();

export function withinBudget<T>(ms: number, act: () => Promise<T>): Promise<T> {
  return budgets.run(performance.now() + ms, act);
}

/** Infinity without a budget. */
export function budgetLeftMs(): number {
  const endsAt = budgets.getStore();
  return endsAt === undefined ? Infinity : Math.max(0, endsAt - performance.now());
}
