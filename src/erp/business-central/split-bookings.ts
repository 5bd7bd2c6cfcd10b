// How many times was a document booked? Ledger entries carry no number of their transaction in the API, so it is told
// from what they are: a booking has consecutive entry numbers, and a second booking of the same key repeats the first.
import type { BcEntry } from './wire.js';

export function splitBookings(entries: readonly BcEntry[]): BcEntry[][] {
  const sorted = [...entries].sort((a, b) => a.entryNumber - b.entryNumber);
  return consecutiveRuns(sorted).flatMap((run) => splitRepeats(run));
}

function consecutiveRuns(sorted: readonly BcEntry[]): BcEntry[][] {
  const runs: BcEntry[][] = [];
  for (const entry of sorted) {
    const run = runs.at(-1);
    if (run?.at(-1)?.entryNumber === entry.entryNumber - 1) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function splitRepeats(run: readonly BcEntry[]): BcEntry[][] {
  const marks = run.map((entry) => contentOf(entry));
  for (let size = 2; size <= run.length / 2; size++) {
    if (run.length % size !== 0) continue;
    if (!marks.every((mark, index) => mark === marks[index % size])) continue;
    return Array.from({ length: run.length / size }, (_, block) =>
      run.slice(block * size, (block + 1) * size),
    );
  }
  return [[...run]];
}

function contentOf(entry: BcEntry): string {
  const { accountNumber, debitAmount, creditAmount, description } = entry;
  return JSON.stringify([accountNumber, debitAmount.toFixed(), creditAmount.toFixed(), description]);
}
