// The load one account bears and the trouble its service is in, learnt from every answer. Per process: the service states
// no limits, so each process finds its own level below the rate of the tenant's file and backs off by itself.
import type { CodedError } from '../domain/errors/coded-error.js';
import { AdaptiveGate, type Verdict as LoadVerdict } from '../http/adaptive-gate.js';
import { CircuitBreaker } from '../http/circuit-breaker.js';
import type { HttpResult } from '../http/http-client.js';
import { Pacer } from '../http/pacer.js';
import { retryAfterMs, serverTime } from '../http/retry-after.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { DISPOSITION_TABLE, type Verdict } from './dispositions.js';
import type { SourceServices } from './source-services.js';

export const CONCURRENCY_MAX = 64;
const CONCURRENCY_DEFAULT = 8;
const CONCURRENCY_FIRST = 2;
const RATE_LIMIT_PAUSE_MS = 2_000;

export interface Judged {
  readonly result: HttpResult;
  readonly verdict: Verdict;
}

export class Traffic {
  readonly #services: SourceServices;
  readonly #gate: AdaptiveGate;
  readonly #pacer: Pacer | null;
  readonly #breaker: CircuitBreaker;
  #everSucceeded = false;
  #clockSkewMs: number | null = null;

  constructor(services: SourceServices) {
    const { clock } = services.runtime;
    const limitMax = Math.min(services.limits?.concurrency ?? CONCURRENCY_DEFAULT, CONCURRENCY_MAX);
    this.#services = services;
    this.#gate = new AdaptiveGate(clock, { limitMax, limitFirst: Math.min(CONCURRENCY_FIRST, limitMax) });
    const perSecond = services.limits?.requestsPerSecond;
    this.#pacer = perSecond === undefined ? null : new Pacer(services.runtime, { perSecond });
    this.#breaker = new CircuitBreaker(clock);
  }

  get clockSkewMs(): number | null {
    return this.#clockSkewMs;
  }

  get everSucceeded(): boolean {
    return this.#everSucceeded;
  }

  /** How long the service asked us to stay away; 0 when it did not. */
  get pauseMs(): number {
    return this.#gate.closedForMs;
  }

  /** Runs one exchange when there is room for it; throws SOURCE_RATE_LIMITED or SOURCE_CIRCUIT_OPEN when there is none. */
  async pass(name: string, exchange: () => Promise<Judged>, signal?: AbortSignal): Promise<Verdict> {
    const pass = await this.#gate.enter(signal);
    if (!pass.entered) throw turnedAway(name, pass.reason, pass.retryAfterMs);
    let load: LoadVerdict = 'neutral';
    try {
      const admission = this.#breaker.admit();
      if (!admission.admitted) throw circuitOpen(name, admission.retryAfterMs);
      if (this.#pacer) await this.#keepPace(this.#pacer, name, signal);
      const { result, verdict } = await exchange();
      load = this.#learn(result, verdict);
      return verdict;
    } finally {
      pass.leave(load);
    }
  }

  async #keepPace(pacer: Pacer, name: string, signal?: AbortSignal): Promise<void> {
    const turn = await pacer.turn(signal);
    if (!turn.granted) throw turnedAway(name, 'crowded', turn.retryAfterMs);
  }

  #learn(result: HttpResult, verdict: Verdict): LoadVerdict {
    if (result.outcome === 'response') this.#heed(result.headers, verdict);
    switch (verdict.verdict) {
      case 'cancelled':
      case 'cancelled-unsent':
        return 'neutral';
      case 'success':
      case 'refused':
        this.#everSucceeded ||= verdict.verdict === 'success';
        this.#breaker.succeeded();
        return 'fine';
      default:
        if (DISPOSITION_TABLE[verdict.verdict].trouble) this.#breaker.failed();
        else this.#breaker.succeeded();
        return DISPOSITION_TABLE[verdict.verdict].trouble || verdict.verdict === 'too-many'
          ? 'strained'
          : 'neutral';
    }
  }

  #heed(headers: Readonly<Record<string, string>>, verdict: Verdict): void {
    const now = this.#services.runtime.clock.now();
    const server = serverTime(headers);
    if (server !== null) this.#clockSkewMs = server.getTime() - now.getTime();
    if (verdict.verdict !== 'too-many' && verdict.verdict !== 'unavailable') return;
    const told = retryAfterMs(headers, now);
    if (told !== null) this.#gate.closeFor(told);
    else if (verdict.verdict === 'too-many') this.#gate.closeFor(RATE_LIMIT_PAUSE_MS);
  }
}

function circuitOpen(name: string, retryAfterMs: number): CodedError {
  // Kept as the reason of a breaker and read much later: it says nothing about how long from now.
  return coded('SOURCE_CIRCUIT_OPEN', message('CALL_LEFT_ALONE', { call: name }), {
    details: { retryAfterMs },
  });
}

function turnedAway(
  name: string,
  reason: 'closed' | 'crowded' | 'cancelled',
  retryAfterMs: number,
): CodedError {
  if (reason === 'cancelled') return coded('SOURCE_CANCELLED', message('CALL_CANCELLED', { call: name }));
  const said = message(reason === 'closed' ? 'CALL_PAUSED' : 'CALL_CROWDED', { call: name });
  return coded('SOURCE_RATE_LIMITED', said, { details: { retryAfterMs } });
}
