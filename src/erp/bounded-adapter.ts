// The protocol relies on it that nothing which could change the books leaves later than it was told: another process looks
// for the entry then. An adapter's call may be several requests, so the bound is on the whole of it, once for all adapters.
import { budgetOf, type CallBudget, withinBudget } from '../http/call-budget.js';
import type { ErpAdapter } from './erp-adapter.js';

export interface Bounds {
  readonly callMsMax: number;
  /** It gives the budget to each of its requests by itself. */
  readonly heedsBudget: boolean;
}

type Within = <T>(act: (budget?: CallBudget) => Promise<T>) => Promise<T>;

export function bounded(erp: ErpAdapter, { callMsMax, heedsBudget }: Bounds): ErpAdapter {
  const within: Within = heedsBudget
    ? (act) => act(budgetOf(callMsMax))
    : (act) => withinBudget(callMsMax, () => act());
  return {
    capabilities: { ...erp.capabilities, callMsMax },
    ledger: erp.ledger,
    health: () => within(() => erp.health()),
    // The two that read a whole chart or period take as long as these are.
    validate: (expected) => erp.validate(expected),
    entries: (period) => erp.entries(period),
    prepare: (request) => within(() => erp.prepare(request)),
    post: (prepared) => within((budget) => erp.post(prepared, budget)),
    findByKey: (key) => within((budget) => erp.findByKey(key, budget)),
    findByReference: (reference) => within((budget) => erp.findByReference(reference, budget)),
    resume: (draft, prepared) => within((budget) => erp.resume(draft, prepared, budget)),
    reverse: (request) => within((budget) => erp.reverse(request, budget)),
    attach: (reference, attachment) => within((budget) => erp.attach(reference, attachment, budget)),
    ...(erp.match && {
      match: (entry, journal) => within(async (budget) => erp.match?.(entry, journal, budget)),
    }),
    close: () => erp.close(),
  };
}
