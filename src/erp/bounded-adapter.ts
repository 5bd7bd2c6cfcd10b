// The protocol relies on it that nothing which could change the books leaves later than it was told: another process looks
// for the entry then. An adapter's call may be several requests, so the bound is on the whole of it, once for all adapters.
import { budgetOf, withinBudget } from '../http/call-budget.js';
import type { ErpAdapter } from './erp-adapter.js';
import { type AroundErp, ErpAround } from './erp-around.js';

export interface Bounds {
  readonly callMsMax: number;
  /** It gives the budget to each of its requests by itself. */
  readonly heedsBudget: boolean;
}

export function bounded(erp: ErpAdapter, { callMsMax, heedsBudget }: Bounds): ErpAdapter {
  const around: AroundErp['around'] = (call, act) => {
    // Like the entries of a period, a whole chart takes as long as it is.
    if (call === 'validate') return act();
    return heedsBudget ? act(budgetOf(callMsMax)) : withinBudget(callMsMax, () => act());
  };
  return new ErpAround(erp, { around }, { ...erp.capabilities, callMsMax });
}
