// How many calls may be under way at once, found out rather than configured: the service states no rate limit. Additive
// increase while it answers, halved when it says it is too much (AIMD); a Retry-After closes the gate for that long.
import type { Clock } from '../domain/runtime.js';
import { whenAborted } from './in-time.js';

export interface AdaptiveGateOptions {
  readonly limitFirst?: number;
  readonly limitMax?: number;
  /** How many callers may wait; one more is turned away. */
  readonly waitingMax?: number;
}

export type GatePass =
  | { readonly entered: true; leave(verdict: Verdict): void }
  | {
      readonly entered: false;
      readonly reason: 'closed' | 'crowded' | 'cancelled';
      readonly retryAfterMs: number;
    };

/** What the answer says about the load: `fine` grows the limit, `strained` halves it, `neutral` leaves it. */
export type Verdict = 'fine' | 'strained' | 'neutral';

const CROWDED_RETRY_MS = 1_000;

export class AdaptiveGate {
  readonly #clock: Clock;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #limitMax: number;
  #limit: number;
  #inside = 0;
  #closedUntilMs = 0;

  constructor(clock: Clock, options: AdaptiveGateOptions = {}) {
    this.#clock = clock;
    this.#limit = options.limitFirst ?? 2;
    this.#limitMax = options.limitMax ?? 8;
    this.#waitingMax = options.waitingMax ?? 1_000;
  }

  /** Whole calls; the fraction behind it grows by 1/limit a success, hence by one a full round of them. */
  get limit(): number {
    return Math.min(this.#limitMax, Math.max(1, Math.floor(this.#limit)));
  }

  get inside(): number {
    return this.#inside;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whoever is inside stays; nobody enters before there is room again. */
  setMax(limitMax: number): void {
    this.#limitMax = limitMax;
    this.#letIn();
  }

  /** Nobody enters before then. Callers are told to come back, not kept waiting: they may hold leases. */
  closeFor(ms: number): void {
    this.#closedUntilMs = Math.max(this.#closedUntilMs, this.#clock.now().getTime() + ms);
  }

  /** How long the gate is still closed; 0 when it is open. */
  get closedForMs(): number {
    return Math.max(0, this.#closedUntilMs - this.#clock.now().getTime());
  }

  async enter(signal?: AbortSignal): Promise<GatePass> {
    if (this.#inside < this.limit && this.#waiting.length === 0) this.#inside += 1;
    else if (this.#waiting.length >= this.#waitingMax) {
      return { entered: false, reason: 'crowded', retryAfterMs: CROWDED_RETRY_MS };
    } else if (!(await this.#turn(signal))) return { entered: false, reason: 'cancelled', retryAfterMs: 0 };
    const closedMs = this.closedForMs;
    if (closedMs > 0) {
      this.#release();
      return { entered: false, reason: 'closed', retryAfterMs: closedMs };
    }
    return { entered: true, leave: this.#leaveOnce() };
  }

  #leaveOnce(): (verdict: Verdict) => void {
    let left = false;
    return (verdict) => {
      if (left) return;
      left = true;
      if (verdict === 'fine' && this.#limit < this.#limitMax) this.#limit += 1 / this.#limit;
      if (verdict === 'strained') this.#limit = Math.max(1, Math.min(this.#limit, this.#limitMax) / 2);
      this.#release();
    };
  }

  #turn(signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve(false);
        return;
      }
      const onTurn = () => {
        takeBack();
        resolve(true);
      };
      const takeBack = whenAborted(signal, () => {
        const place = this.#waiting.indexOf(onTurn);
        if (place >= 0) this.#waiting.splice(place, 1);
        resolve(false);
      });
      this.#waiting.push(onTurn);
    });
  }

  #release(): void {
    this.#inside -= 1;
    this.#letIn();
  }

  #letIn(): void {
    while (this.#inside < this.limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inside += 1;
      next();
    }
  }
}

// A server that says Retry-After wants to hear nothing at all for that long, whoever in whichever process asks. A client that is
// given a gate asks it before each exchange and tells it what the server wished.
export interface RequestGate {
  /** How long nothing may leave; 0 when it may. */
  heldMs(): Promise<number>;
  /** The server asked for a pause. Done once the others can know of it. */
  hold(ms: number, why: string): Promise<void>;
}
