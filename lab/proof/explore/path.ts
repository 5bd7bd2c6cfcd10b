// One path through a small world: which of the things that may happen next does happen, at every moment where it is open.
import { RecordedChance } from '../chance.js';
import { Kernel } from '../kernel.js';

export interface Option {
  readonly label: string;
  /** Counts against the number of faults that the world allows. */
  readonly isFault?: boolean;
}

interface Taken {
  readonly index: number;
  readonly options: readonly Option[];
}

export class Path {
  readonly taken: Taken[] = [];
  readonly prefix: readonly number[];
  readonly #faultsMax: number;
  #faults = 0;

  constructor(prefix: readonly number[], faultsMax: number) {
    this.prefix = prefix;
    this.#faultsMax = faultsMax;
  }

  get faults(): number {
    return this.#faults;
  }

  /** Beyond the part that only repeats an earlier path. */
  get isNew(): boolean {
    return this.taken.length >= this.prefix.length;
  }

  /** The first option is what happens when nothing goes wrong. */
  pick<T extends Option>(options: readonly T[]): T {
    const open = options.filter(({ isFault }) => isFault !== true || this.#faults < this.#faultsMax);
    const index = open.length === 1 ? 0 : (this.prefix[this.taken.length] ?? 0);
    const option = open[index];
    if (!option)
      throw new Error('a path that was taken before is not open any more: something is left to chance');
    if (open.length > 1) this.taken.push({ index, options: open });
    if (option.isFault) this.#faults++;
    return option;
  }
}

/** Time stands still unless it is made to pass, and nothing is left to chance. */
export class StillKernel extends Kernel {
  #now = Date.parse('2026-03-01T08:00:00Z');
  readonly #began = this.#now;

  constructor() {
    super(new RecordedChance({}));
  }

  override get nowMs(): number {
    return this.#now;
  }

  override sleep(): Promise<void> {
    return Promise.resolve();
  }

  override note(event: string): void {
    this.trace.push(`${((this.#now - this.#began) / 1000).toFixed(1).padStart(7)} s  ${event}`);
  }

  get elapsedMs(): number {
    return this.#now - this.#began;
  }

  passUntil(moment: number): void {
    this.#now = Math.max(this.#now, moment);
  }
}

/** All promises that can resolve have resolved when a macrotask gets its turn. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

// A state in a few characters. Two hashes of 53 bits each: of a million states, two share one by chance once in 10^19.
export function digest(text: string): string {
  return `${hash(text, 1)}${hash(text, 2)}`;
}

function hash(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
