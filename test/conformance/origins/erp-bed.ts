// What the beds of all ERPs share: origins that read a few records at a look, and an ERP that does not answer when it is told not to.
import { ErpOrigin } from '../../../src/origins/erp-origin.js';
import type { ErpServices } from '../../../src/erp/erp-adapter.js';
import type { SubmissionKind } from '../../../src/domain/submission.js';
import type { ErpRecords } from '../../../src/origins/erp-records.js';
import type { HeldFact } from '../../../src/origins/conformance/target.js';
import type { Origin } from '../../../src/origins/origin.js';

const AT_ONCE = 3;
export const MANY = 2 * AT_ONCE + 1;
export const HOLDS = ['state', 'guid', 'number', 'paymentLink', 'mark', 'why'] as const;

type Kind = SubmissionKind;

export function connected(kind: Kind, services: ErpServices, open: (services: ErpServices) => ErpRecords) {
  let heldMs = 0;
  const gated = {
    ...services,
    gate: { heldMs: () => Promise.resolve(heldMs), hold: () => Promise.resolve() },
  };
  return {
    connect: (): Promise<Origin> => {
      const pace = { everyMs: 0, atOnce: AT_ONCE };
      return Promise.resolve(onlyOf(kind, new ErpOrigin('erp', open(gated), services.clock, pace)));
    },
    ripen: () => Promise.resolve(),
    outage: () => Promise.resolve(void (heldMs = 1_000)),
    heal: () => Promise.resolve(void (heldMs = 0)),
  };
}

/** The customer of an invoice comes with it; that is a target of its own. */
function onlyOf(kind: Kind, origin: Origin): Origin {
  return {
    name: origin.name,
    changes: async (cursor) => {
      const changes = await origin.changes(cursor);
      return { ...changes, records: changes.records.filter((record) => record.kind === kind) };
    },
    read: (...asked) => origin.read(...asked),
    tell: (told) => origin.tell(told),
    ...(origin.file ? { file: (...asked) => origin.file?.(...asked) ?? Promise.resolve(null) } : {}),
    close: () => origin.close(),
  };
}

/** What a person reads in a note that an origin left. */
export function factsIn(note: string): Partial<Record<HeldFact, string | null>> {
  const [first = '', ...rest] = note.split(/\n| · /);
  const [, number, state = ''] = /^[a-z]+(?: (\S+))?: (\w+)$/.exec(first) ?? [];
  const fact = (name: string) => rest.find((line) => line.startsWith(name))?.slice(name.length) ?? null;
  const why = rest.find((line) => !/^(guid|payment link|mark) /.test(line)) ?? null;
  const [guid, paymentLink, mark] = [fact('guid '), fact('payment link '), fact('mark ')];
  return { state, number: number ?? null, guid, paymentLink, mark, why };
}
