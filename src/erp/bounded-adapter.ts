// The protocol relies on it that nothing which could change the books leaves later than it was told: another process looks
// for the entry then. An adapter's call may be several requests, so the bound is on the whole of it, once for all adapters.
import { budgetOf, type CallBudget, withinBudget } from '../http/call-budget.js';
import type { ErpAdapter } from './erp-adapter.js';
import { ErpAround, type ErpCall } from './erp-around.js';

export interface Bounds {
  readonly callMsMax: number;
  /** It gives the budget to each of its requests by itself. */
  readonly heedsBudget: boolean;
}

export function bounded(erp: ErpAdapter, bounds: Bounds): ErpAdapter {
  return new BoundedErp(erp, bounds);
}

class BoundedErp extends ErpAround {
  readonly #bounds: Bounds;

  constructor(erp: ErpAdapter, bounds: Bounds) {
    super(erp, { ...erp.capabilities, callMsMax: bounds.callMsMax });
    this.#bounds = bounds;
  }

  protected around<Answer>(call: ErpCall, act: (budget?: CallBudget) => Promise<Answer>): Promise<Answer> {
    // Like the entries of a period, a whole chart takes as long as it is.
    if (call === 'validate') return act();
    const { callMsMax, heedsBudget } = this.#bounds;
    return heedsBudget ? act(budgetOf(callMsMax)) : withinBudget(callMsMax, () => act());
  }
}
