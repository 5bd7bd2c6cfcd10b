// At most so many calls a second, evenly spread, with a small burst after a quiet time. A caller that would wait longer than
// it may is told to come back instead of being kept: it may hold a lease.
import type { Runtime } from '../domain/runtime.js';

export interface PacerOptions {
  readonly perSecond: number;
  /** Calls that may go at once after a quiet time; one second's worth unless given. */
  readonly burst?: number;
  readonly waitMaxMs?: number;
}

export type Turn = { readonly granted: true } | { readonly granted: false; readonly retryAfterMs: number };

const WAIT_MAX_MS = 10_000;

export class Pacer {
  readonly #runtime: Pick<Runtime, 'clock' | 'timers'>;
  readonly #spacingMs: number;
  readonly #burstMs: number;
  readonly #waitMaxMs: number;
  /** When the next call would go if calls had come evenly from the beginning of the burst. */
  #nextAtMs = Number.NEGATIVE_INFINITY;

  constructor(runtime: Pick<Runtime, 'clock' | 'timers'>, { perSecond, burst, waitMaxMs }: PacerOptions) {
    this.#runtime = runtime;
    this.#spacingMs = 1000 / perSecond;
    this.#burstMs = (Math.max(1, burst ?? perSecond) - 1) * this.#spacingMs;
    this.#waitMaxMs = waitMaxMs ?? WAIT_MAX_MS;
  }

  async turn(signal?: AbortSignal): Promise<Turn> {
    const now = this.#runtime.clock.now().getTime();
    const at = Math.max(this.#nextAtMs, now - this.#burstMs);
    const waitMs = Math.ceil(at - now);
    if (waitMs > this.#waitMaxMs) return { granted: false, retryAfterMs: waitMs };
    this.#nextAtMs = at + this.#spacingMs;
    if (waitMs > 0) await this.#runtime.timers.sleep(waitMs, signal);
    return { granted: true };
  }
}
