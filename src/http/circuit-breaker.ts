// Stops knocking on a door that does not open. closed → open after so many failures in a row; open → half-open when the
// pause is over; half-open lets one call through and its outcome decides. The pause doubles while trials keep failing.
import type { Clock } from '../domain/runtime.js';

export interface CircuitBreakerOptions {
  readonly failuresMax?: number;
  readonly pauseMs?: number;
  readonly pauseMsMax?: number;
}

export type CircuitState = 'closed' | 'open' | 'half-open';

export type Admission =
  { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };

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
