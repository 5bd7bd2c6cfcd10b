// How much of what is made for a document is still there after a quick collection of garbage, though nobody holds it: measured.
import { GCProfiler, getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TIMES = 100;
const SLOTS = 6_000;
const SLOT_BYTES = 8;
/** Not made by a literal or `new`: the engine remembers of those whether what they made grew old, and then makes it old at once. */
const LARGE = JSON.stringify(new Array<number>(SLOTS).fill(0));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (what: { type: 'minor' }) => void;
setFlagsFromString('--no-expose-gc');

/** Something large hangs on each thing that was made: the share of it that has become old by the second quick collection. */
export function shareGrownOld(make: (time: number) => object): number {
  // The code of it is compiled, and its shapes are known, before anything is measured.
  hang(make);
  return bytesGrownOld(() => hang(make)) / (TIMES * SLOTS * SLOT_BYTES);
}

function hang(make: (time: number) => object): void {
  for (let time = 0; time < TIMES; time++) {
    hangOne(make, time);
    if (time % 10 === 9) collectTwice();
  }
}

/** By itself, so that what it made is on no stack when garbage is collected. */
function hangOne(make: (time: number) => object, time: number): void {
  Object.defineProperty(make(time), 'hung', { value: JSON.parse(LARGE) });
}

/** What survives two is old. */
function collectTwice(): void {
  collect({ type: 'minor' });
  collect({ type: 'minor' });
}

/** What was made old, and what became it, while the work went on; a full collection in between takes nothing off. */
function bytesGrownOld(work: () => void): number {
  const profiler = new GCProfiler();
  profiler.start();
  let last = oldBytes();
  let grown = 0;
  work();
  const end = oldBytes();
  for (const { gcType, beforeGC, afterGC } of profiler.stop().statistics) {
    const [before, after] = [beforeGC, afterGC].map(({ heapSpaceStatistics }) =>
      oldOf(heapSpaceStatistics),
    ) as [number, number];
    grown += before - last;
    if (gcType === 'Scavenge') grown += after - before;
    last = after;
  }
  return grown + end - last;
}

function oldOf(spaces: readonly { readonly spaceName: string; readonly spaceUsedSize: number }[]): number {
  return spaces.find(({ spaceName }) => spaceName === 'old_space')?.spaceUsedSize ?? 0;
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0;
}
