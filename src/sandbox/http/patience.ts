// Remembers who was told to wait, and notices who did not.
import type { Exchange } from './exchange.js';
import type { Outcome } from './deliver.js';
import { DROPPED } from './deliver.js';

const CALLERS_MAX = 1_000;

export class Patience {
  readonly #untilMs = new Map<string, number>();

  /** Before the answer: did this caller come back too early? */
  check(exchange: Exchange, nowMs: number): void {
    const caller = callerOf(exchange);
    const until = this.#untilMs.get(caller);
    if (until === undefined) return;
    this.#untilMs.delete(caller);
    if (nowMs < until) exchange.broke('retry-after', `${Math.ceil((until - nowMs) / 1000)} s too early`);
  }

  /** After the answer: was this caller told to wait? */
  remember(exchange: Exchange, outcome: Outcome, nowMs: number): void {
    if (outcome === DROPPED || outcome.status !== 429) return;
    const seconds = Number(outcome.headers?.['retry-after'] ?? 0);
    if (this.#untilMs.size >= CALLERS_MAX) this.#untilMs.clear();
    this.#untilMs.set(callerOf(exchange), nowMs + seconds * 1000);
  }
}

/** By account and endpoint: other endpoints may be called meanwhile. */
function callerOf(exchange: Exchange): string {
  return `${exchange.account?.profile.username ?? exchange.request.ip}\n${exchange.endpoint}`;
}
