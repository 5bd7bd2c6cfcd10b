// One call of ours may be several exchanges: a search, a create, a booking. Each has its own deadline, but whoever made the
// call has promised somebody how long all of it takes. Within a budget no exchange lasts, or begins, beyond its end.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface CallBudget {
  /** By the clock of `performance.now()`. */
  readonly endsAt: number;
}

export function budgetOf(ms: number): CallBudget {
  return { endsAt: performance.now() + ms };
}

// For callers that do not hand it on from request to request. From the first use on, Node 20 does more for every promise.
const budgets = new AsyncLocalStorage<CallBudget>();

export function withinBudget<T>(ms: number, act: () => Promise<T>): Promise<T> {
  return budgets.run(budgetOf(ms), act);
}

/** Infinity without a budget. */
export function budgetLeftMs(given?: CallBudget): number {
  const budget = given ?? budgets.getStore();
  return budget ? Math.max(0, budget.endsAt - performance.now()) : Infinity;
}
