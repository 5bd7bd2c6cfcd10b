// Virtual time and seeded chance. Everything that takes time in a simulated run sleeps here; the next sleeper in order wakes
// when all promises have come to rest, so that the same seed gives the same run, event by event.
export class Kernel {
  readonly #random: () => number;
  #nowMs = Date.parse('2026-03-01T08:00:00Z');
  #sequence = 0;
  /** In the order of waking, soonest last. */
  readonly #sleepers: Sleeper[] = [];
  readonly trace: string[] = [];

  constructor(seed: number) {
    this.#random = mulberry32(seed);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  next(): number {
    return this.#random();
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  between(low: number, high: number): number {
    return Math.floor(low + this.#random() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  note(event: string): void {
    this.trace.push(`${this.#nowMs} ${event}`);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      insert(this.#sleepers, {
        at: this.#nowMs + Math.max(0, Math.round(ms)),
        order: this.#sequence++,
        wake: resolve,
      });
    });
  }

  /** Runs until the moment, waking sleepers in order; `false` when a bound on events was hit. */
  async runUntil(atMs: number, eventsMax: number): Promise<boolean> {
    for (let events = 0; events < eventsMax; events++) {
      await settle();
      const sleeper = this.#sleepers.at(-1);
      if (!sleeper || sleeper.at > atMs) {
        this.#nowMs = atMs;
        return true;
      }
      this.#sleepers.pop();
      this.#nowMs = sleeper.at;
      sleeper.wake();
    }
    return false;
  }
}

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

function insert(sleepers: Sleeper[], sleeper: Sleeper): void {
  let low = 0;
  let high = sleepers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sleepers[middle];
    const wakesLater =
      other !== undefined &&
      (other.at > sleeper.at || (other.at === sleeper.at && other.order > sleeper.order));
    if (wakesLater) low = middle + 1;
    else high = middle;
  }
  sleepers.splice(low, 0, sleeper);
}

/** All promises that can resolve have resolved when a macrotask gets its turn. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
