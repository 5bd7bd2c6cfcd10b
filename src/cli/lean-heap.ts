// A process that runs for months beside others should not keep garbage because there is room: left alone, the engine lets the heap
// grow to three times what is alive before it cleans. Measured with `ledgerbridge bench`: two thirds of the memory, the same time.
import {
  constants,
  type PerformanceEntry,
  PerformanceObserver,
  type PerformanceObserverEntryList,
} from 'node:perf_hooks';
import { getHeapSpaceStatistics, type HeapSpaceInfo, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MB = 1024 * 1024;
/**
 * Room for young objects, both halves, which Node 20 and 22 take at most; Node 24 would take four times that, and is hardly faster for it. It
 * doubles at a time, and only when it was seen to be smaller: whoever hears of collections hears of them a moment later, and while a program
 * is loaded, of a dozen at once.
 */
const YOUNG_BYTES = 32 * MB;
/** Everything older, garbage included: with it a process stays below 250 MB, however many companies it knows. */
const OLD_BYTES = 80 * MB;
/** How much of what is alive may be garbage beside it. Below the least it would clean all the time. */
const GARBAGE_PERCENT = { most: 70, least: 10 };

export function keepHeapLean(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT.most}`);
  setFlagsFromString('--semi-space-growth-factor=1');
  // Else it makes old at once what comes from where much has grown old: where many documents are under way that is by chance, and lasts.
  setFlagsFromString('--no-allocation-site-pretenuring');
  new PerformanceObserver(adjuster()).observe({ entryTypes: ['gc'] });
}

/** The engine asks for both limits after a collection, so that is when they are set anew. */
function adjuster(): (list: Pick<PerformanceObserverEntryList, 'getEntries'>) => void {
  let mayGrow = false;
  let percent = GARBAGE_PERCENT.most;
  return (list) => {
    const spaces = getHeapSpaceStatistics();
    // One that shrank in a quiet night may grow again.
    const young = spaces.find(({ space_name: name }) => name === 'new_space');
    const may = young !== undefined && young.space_size < YOUNG_BYTES;
    if (may !== mayGrow) setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`);
    mayGrow = may;
    if (!list.getEntries().some(isOfAll)) return;
    const next = garbagePercent(oldBytes(spaces));
    if (next !== percent) setFlagsFromString(`--heap-growing-percent=${next}`);
    percent = next;
  };
}

/** Only after one of all that is old is most of it alive. */
function isOfAll(entry: PerformanceEntry): boolean {
  return (entry as { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function oldBytes(spaces: readonly HeapSpaceInfo[]): number {
  const old = spaces.filter(({ space_name: name }) => !name.includes('new') && name !== 'read_only_space');
  return old.reduce((sum, { space_used_size: used }) => sum + used, 0);
}

/** In steps, since what is old is counted with some garbage in it. */
export function garbagePercent(oldBytes: number): number {
  const room = Math.floor(((OLD_BYTES - oldBytes) / oldBytes) * 20) * 5;
  return Math.min(Math.max(room, GARBAGE_PERCENT.least), GARBAGE_PERCENT.most);
}

/** What only the start needed goes now; from here on the limit is counted from what is alive. */
export function dropWhatStartNeeded(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
