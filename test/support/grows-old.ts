// How much of what is made for a document is still there after a quick collection of garbage, though nobody holds it: measured.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TIMES = 100;
const SLOTS = 12_000;
const SLOT_BYTES = 8;
/** Not made by a literal or `new`: the engine remembers of those whether what they made grew old, and then makes it old at once. */
const LARGE = JSON.stringify(new Array<number>(SLOTS).fill(0));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (what: { type: 'minor' | 'major' }) => void;
setFlagsFromString('--no-expose-gc');

/** Something large hangs on each thing that was made: the share of it that has become old by the second quick collection. */
export function shareGrownOld(make: (time: number) => object): number {
  // The code of it is compiled, and its shapes are known, before anything is measured.
  hang(make);
  collect({ type: 'major' });
  const before = oldBytes();
  hang(make);
  return (oldBytes() - before) / (TIMES * SLOTS * SLOT_BYTES);
}

function hang(make: (time: number) => object): void {
  for (let time = 0; time < TIMES; time++) {
    hangOne(make, time);
    if (time % 10 === 9) twice();
  }
}

/** By itself, so that what it made is on no stack when garbage is collected. */
function hangOne(make: (time: number) => object, time: number): void {
  Object.defineProperty(make(time), 'hung', { value: JSON.parse(LARGE) });
}

function twice(): void {
  collect({ type: 'minor' });
  collect({ type: 'minor' });
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0;
}
