// The protocol relies on it that nothing which could change the books leaves later than it was told: another process looks
// for the entry then. An adapter's call may be several requests, so the bound is on the whole of it, once for all adapters.
import { withinBudget } from '../http/call-budget.js';
import type { ErpAdapter } from './erp-adapter.js';

export function bounded(erp: ErpAdapter, callMsMax: number): ErpAdapter {
  const within = <T>(act: () => Promise<T>) => withinBudget(callMsMax, act);
  return {
    capabilities: { ...erp.capabilities, callMsMax },
    ledger: erp.ledger,
    health: () => within(() => erp.health()),
    // The two that read a whole chart or period take as long as these are.
    validate: (expected) => erp.validate(expected),
    entries: (period) => erp.entries(period),
    prepare: (request) => within(() => erp.prepare(request)),
    post: (prepared) => within(() => erp.post(prepared)),
    findByKey: (key) => within(() => erp.findByKey(key)),
    findByReference: (reference) => within(() => erp.findByReference(reference)),
    resume: (draft, prepared) => within(() => erp.resume(draft, prepared)),
    discard: (draft) => within(() => erp.discard(draft)),
    reverse: (request) => within(() => erp.reverse(request)),
    attach: (reference, attachment) => within(() => erp.attach(reference, attachment)),
    close: () => erp.close(),
  };
}
