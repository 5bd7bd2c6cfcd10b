// At most so many calls in any second, evenly spread. A caller that would wait longer than it may is told to come back instead of
// being kept: it may hold a lease.
import type { Runtime } from '../domain/runtime.js';

export interface PacerOptions {
  readonly perSecond: number;
  readonly waitMaxMs?: number;
}

export type Turn = { readonly granted: true } | { readonly granted: false; readonly waitMs: number };

const WAIT_MAX_MS = 10_000;
/** What may go at once after a quiet time, as a part of a second's worth. */
const BURST_PART = 0.05;

export class Pacer {
  readonly #runtime: Pick<Runtime, 'clock' | 'timers'>;
  readonly #waitMaxMs: number;
  #spacingMs = 0;
  #burstMs = 0;
  /** When the next call would go if calls had come evenly from the beginning of the burst. */
  #nextAtMs = Number.NEGATIVE_INFINITY;
  #last: Promise<void> = Promise.resolve();
  #ahead = 0;

  constructor(runtime: Pick<Runtime, 'clock' | 'timers'>, { perSecond, waitMaxMs }: PacerOptions) {
    this.#runtime = runtime;
    this.#waitMaxMs = waitMaxMs ?? WAIT_MAX_MS;
    this.setRate(perSecond);
  }

  /** A burst, and what follows it within its second, are together no more than that. */
  setRate(perSecond: number): void {
    const burst = Math.max(1, perSecond * BURST_PART);
    this.#spacingMs = 1000 / (perSecond - burst + 1);
    this.#burstMs = (burst - 1) * this.#spacingMs;
  }

  async turn(signal?: AbortSignal): Promise<Turn> {
    const waitMs = Math.ceil(this.#at() + this.#ahead * this.#spacingMs - this.#now());
    if (waitMs > this.#waitMaxMs) return { granted: false, waitMs };
    this.#ahead += 1;
    const turn = this.#takeAfter(this.#last, signal);
    this.#last = turn.catch(() => undefined);
    await turn.finally(() => (this.#ahead -= 1));
    return { granted: true };
  }

  /** Counted from when the one before really went: after a stall, those that are late do not go together. */
  async #takeAfter(last: Promise<void>, signal?: AbortSignal): Promise<void> {
    await last;
    const at = this.#at();
    const waitMs = Math.ceil(at - this.#now());
    if (waitMs > 0) await this.#runtime.timers.sleep(waitMs, signal);
    this.#nextAtMs = Math.max(at, this.#now() - this.#burstMs) + this.#spacingMs;
  }

  #at(): number {
    return Math.max(this.#nextAtMs, this.#now() - this.#burstMs);
  }

  #now(): number {
    return this.#runtime.clock.now().getTime();
  }
}
