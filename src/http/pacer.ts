// At most so many calls in any second, evenly spread. A caller that would wait longer than it may is told to come back instead of
// being kept: it may hold a lease.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Runtime, Clock } from '../domain/runtime.js';

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

// Stops knocking on a door that does not open. closed → open after so many failures in a row; open → half-open when the
// pause is over; half-open lets one call through and its outcome decides. The pause doubles while trials keep failing.
interface CircuitBreakerOptions {
  readonly failuresMax?: number;
  readonly pauseMs?: number;
  readonly pauseMsMax?: number;
}

type CircuitState = 'closed' | 'open' | 'half-open';

type Admission = { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };

export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #failuresMax: number;
  readonly #pauseMsFirst: number;
  readonly #pauseMsMax: number;
  #state: CircuitState = 'closed';
  #failures = 0;
  #pauseMs: number;
  #openUntilMs = 0;
  #trialSinceMs = 0;

  constructor(clock: Clock, options: CircuitBreakerOptions = {}) {
    this.#clock = clock;
    this.#failuresMax = options.failuresMax ?? 5;
    this.#pauseMsFirst = options.pauseMs ?? 5_000;
    this.#pauseMsMax = options.pauseMsMax ?? 5 * 60_000;
    this.#pauseMs = this.#pauseMsFirst;
  }

  get state(): CircuitState {
    return this.#state;
  }

  admit(): Admission {
    const nowMs = this.#clock.now().getTime();
    if (this.#state === 'closed') return { admitted: true };
    if (this.#state === 'open' && nowMs < this.#openUntilMs) {
      return { admitted: false, retryAfterMs: this.#openUntilMs - nowMs };
    }
    // A trial whose outcome never came back (its caller was cancelled) must not hold the door shut for ever.
    if (this.#state === 'half-open' && nowMs < this.#trialSinceMs + this.#pauseMs) {
      return { admitted: false, retryAfterMs: this.#trialSinceMs + this.#pauseMs - nowMs };
    }
    this.#state = 'half-open';
    this.#trialSinceMs = nowMs;
    return { admitted: true };
  }

  succeeded(): void {
    this.#state = 'closed';
    this.#failures = 0;
    this.#pauseMs = this.#pauseMsFirst;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#state === 'half-open') this.#pauseMs = Math.min(this.#pauseMs * 2, this.#pauseMsMax);
    else if (this.#state === 'open' || this.#failures < this.#failuresMax) return;
    this.#state = 'open';
    this.#openUntilMs = this.#clock.now().getTime() + this.#pauseMs;
  }
}

// One call of ours may be several exchanges: a search, a create, a booking. Each has its own deadline, but the caller has promised how long
// all of it takes. Within a budget no exchange lasts, or begins, beyond its end. On Node 20 the first use makes every promise dearer (a
// tenth of the bridge's work); on Node 24 it costs nothing that can be measured.

/** When the budget ends, by the clock of `performance.now()`. */
const budgets = new AsyncLocalStorage<number>();

export function withinBudget<T>(ms: number, act: () => Promise<T>): Promise<T> {
  return budgets.run(performance.now() + ms, act);
}

/** Infinity without a budget. */
export function budgetLeftMs(): number {
  const endsAt = budgets.getStore();
  return endsAt === undefined ? Infinity : Math.max(0, endsAt - performance.now());
}
