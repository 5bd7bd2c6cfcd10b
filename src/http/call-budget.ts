// One call of ours may be several exchanges: a search, a create, a booking. Each has its own deadline, but whoever made the
// call has promised somebody how long all of it takes. Within a budget no exchange lasts, or begins, beyond its end.
import { AsyncLocalStorage } from 'node:async_hooks';

const budgets = new AsyncLocalStorage<{ readonly endsAt: number }>();

export function withinBudget<T>(ms: number, act: () => Promise<T>): Promise<T> {
  return budgets.run({ endsAt: performance.now() + ms }, act);
}

/** Infinity without a budget. */
export function budgetLeftMs(): number {
  const budget = budgets.getStore();
  return budget ? Math.max(0, budget.endsAt - performance.now()) : Infinity;
}
