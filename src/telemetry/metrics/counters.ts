// Figures of this process, counted as things happen. Labels are names from code, never from data.
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Observer } from './observer.js';

/** From a look-up on the same machine to the longest deadline of a call. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createCounters(registry: Registry): Observer {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `ledgerbridge_${name}`, help, labelNames, registers: [registry] });
  const calls = new Histogram({
    name: 'ledgerbridge_call_seconds',
    help: 'Time of calls to the invoicing service and to ERPs, by what they answered.',
    labelNames: ['side', 'system', 'call', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  const moves = counter('moves_total', 'Moves of postings into a state.', ['to']);
  const attempts = counter('attempts_total', 'Attempts to post that ended, by outcome.', ['outcome']);
  const writeBacks = counter('write_backs_total', 'Statuses written at the source, by what became of them.', [
    'status',
    'result',
  ]);
  const sweeps = counter('sweeps_total', 'Sweeps by mode and outcome.', ['mode', 'outcome']);
  const discovered = counter(
    'documents_discovered_total',
    'Documents that sweeps found for the first time.',
    [],
  );
  return {
    called: ({ seconds, ...labels }) => calls.observe({ ...labels }, seconds),
    moved: (to) => moves.inc({ to }),
    attemptFinished: (outcome) => attempts.inc({ outcome }),
    wroteBack: (status, result) => writeBacks.inc({ status, result }),
    swept: ({ mode, outcome, discovered: found }) => {
      sweeps.inc({ mode, outcome });
      discovered.inc(found);
    },
  };
}
