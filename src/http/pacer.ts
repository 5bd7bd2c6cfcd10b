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
    const now = this.#runtime.clock.now().getTime();
    const at = Math.max(this.#nextAtMs, now - this.#burstMs);
    const waitMs = Math.ceil(at - now);
    if (waitMs > this.#waitMaxMs) return { granted: false, waitMs };
    this.#nextAtMs = at + this.#spacingMs;
    if (waitMs > 0) await this.#runtime.timers.sleep(waitMs, signal);
    return { granted: true };
  }
}
