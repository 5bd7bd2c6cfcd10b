// What an ERP wishes by Retry-After holds for its whole connection: documents under way stop at their next request, and
// those that have not begun do not begin. Once for all adapters; their HTTP client asks the gate before every exchange.
import { behindGate, type RequestGate } from '../http/request-gate.js';
import type { ErpAdapter } from './erp-adapter.js';

export function gated(erp: ErpAdapter, gate: RequestGate): ErpAdapter {
  const behind = <T>(act: () => Promise<T>) => behindGate(gate, act);
  return {
    capabilities: erp.capabilities,
    ledger: erp.ledger,
    health: () => behind(() => erp.health()),
    validate: (expected) => behind(() => erp.validate(expected)),
    prepare: (request) => behind(() => erp.prepare(request)),
    post: (prepared) => behind(() => erp.post(prepared)),
    findByKey: (key) => behind(() => erp.findByKey(key)),
    findByReference: (reference) => behind(() => erp.findByReference(reference)),
    resume: (draft, prepared) => behind(() => erp.resume(draft, prepared)),
    discard: (draft) => behind(() => erp.discard(draft)),
    reverse: (request) => behind(() => erp.reverse(request)),
    attach: (reference, attachment) => behind(() => erp.attach(reference, attachment)),
    entries: (period) => listedBehind(gate, erp.entries(period)),
    close: () => erp.close(),
  };
}

/** Each page is asked for when somebody takes the next entry, so each step stands behind the gate. */
async function* listedBehind<T>(gate: RequestGate, list: AsyncIterable<T>): AsyncIterable<T> {
  const steps = list[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await behindGate(gate, () => steps.next());
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    await steps.return?.();
  }
}
