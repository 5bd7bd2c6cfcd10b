// Remembers who was asked to wait, and notices every call that comes before that is over.
import type { Exchange } from './exchange.js';
import type { Outcome } from './deliver.js';
import { DROPPED } from './deliver.js';

const CALLERS_MAX = 1_000;

interface Asked {
  readonly atMs: number;
  readonly untilMs: number;
}

export class Patience {
  readonly #asked = new Map<string, Asked>();
  readonly #onItsWayMs: number;

  /** `onItsWayMs`: a call that comes this soon after the answer may have left before the answer was read. */
  constructor(onItsWayMs: number) {
    this.#onItsWayMs = onItsWayMs;
  }

  /** Before the answer: did this caller come back too early? */
  check(exchange: Exchange, nowMs: number): void {
    const caller = callerOf(exchange);
    const asked = this.#asked.get(caller);
    if (asked === undefined) return;
    if (nowMs >= asked.untilMs) this.#asked.delete(caller);
    else if (nowMs - asked.atMs >= this.#onItsWayMs)
      exchange.broke(
        'retry-after',
        `${Math.ceil((asked.untilMs - nowMs) / 1000)} s too early, ${nowMs - asked.atMs} ms after the answer`,
      );
  }

  /** After the answer: was this caller asked to wait? */
  remember(exchange: Exchange, outcome: Outcome, nowMs: number): void {
    if (outcome === DROPPED || (outcome.status !== 429 && outcome.status !== 503)) return;
    const seconds = Number(outcome.headers?.['retry-after'] ?? 0);
    if (seconds <= 0) return;
    if (this.#asked.size >= CALLERS_MAX) this.#asked.clear();
    const caller = callerOf(exchange);
    const before = this.#asked.get(caller);
    const untilMs = Math.max(before?.untilMs ?? 0, nowMs + seconds * 1000);
    // The first answer that said so counts: whoever calls again and again is asked again and again.
    this.#asked.set(caller, { atMs: before?.atMs ?? nowMs, untilMs });
  }
}

/** By account: what one of its calls was asked holds for all of them. */
function callerOf(exchange: Exchange): string {
  return exchange.account?.profile.username ?? exchange.request.ip;
}
