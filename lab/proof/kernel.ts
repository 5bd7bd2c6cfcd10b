// Virtual time, and chance by name. Everything that takes time in a simulated run sleeps here; the next sleeper in order wakes
// when all promises have come to rest, so that the same chance gives the same run, event by event.
import type { Chance } from './chance.js';
import { History } from './specification/history.js';

export class Kernel {
  readonly #chance: Chance;
  #nowMs = Date.parse('2026-03-01T08:00:00Z');
  #sequence = 0;
  /** In the order of waking, soonest last. */
  readonly #sleepers: Sleeper[] = [];
  readonly trace: string[] = [];
  /** As steps of the specification. */
  readonly history = new History(() => this.nowMs);

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** From 0 up to 1. */
  next(name: string, ordinary: number): number {
    return this.#chance.decide(name, (luck) => luck, ordinary);
  }

  chance(name: string, probability: number): boolean {
    return this.#chance.decide(name, (luck) => luck < probability, false);
  }

  between(name: string, low: number, high: number): number {
    const middle = Math.floor((low + high) / 2);
    return this.#chance.decide(name, (luck) => Math.floor(low + luck * (high - low + 1)), middle);
  }

  pick<T>(name: string, items: readonly T[]): T {
    const index = this.#chance.decide(name, (luck) => Math.floor(luck * items.length), 0);
    // Where fewer are left than when it was recorded, one of those that are.
    const item = items[index % items.length];
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
      await settle(events % TURNS_AT_ONCE === 0);
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

/** Then whoever waits for the process gets a turn: its signals, its output. */
const TURNS_AT_ONCE = 100;

/** All promises that can resolve have resolved when the next tick comes, as when a macrotask does, which takes longer. */
function settle(givesWay: boolean): Promise<void> {
  return new Promise((resolve) => (givesWay ? setImmediate(resolve) : process.nextTick(resolve)));
}
