// The history of a run, held against the specification.
import type { Run } from '../run.js';
import { type ErpKind, KEY_LIFE_MS, type SimulatedLedger } from '../simulated-ledger.js';
import { HistoryChecker } from './check-history.js';

/** As the specification calls them: whether an entry is created and posted at once makes no difference to it. */
const SPECIFIED: Readonly<Record<ErpKind, string>> = {
  'native-key': 'native-key',
  'unique-reference': 'unique-reference',
  'look-up': 'look-up',
  'look-up-two-step': 'look-up',
  'posted-only': 'posted-only',
  none: 'none',
};

export function checkerFor({ kind, flaws }: SimulatedLedger): HistoryChecker {
  return new HistoryChecker({ kind: SPECIFIED[kind], keyLifeMs: flaws.keyLifeMs ?? KEY_LIFE_MS });
}

/** Whether a broken promise is this one. */
export function isRefusal(broken: string): boolean {
  return broken.startsWith('16:');
}

/** It knows entries: of documents that were booked with others it is asked about the entry that they share, not about each. */
export function refusedBySpecification({
  kernel,
  ledger,
  records,
}: Pick<Run, 'kernel' | 'ledger' | 'records'>): readonly string[] {
  const { steps } = kernel.history;
  const asked = steps.filter((step) => !('guid' in step) || !records.everMembers.has(step.guid));
  return checkerFor(ledger).check(asked).slice(0, 5);
}
