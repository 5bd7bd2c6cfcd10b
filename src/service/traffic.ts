// The load one account bears and the trouble its service is in, learnt from every answer. All clients of an account in a process
// share one: the limits of the tenant's file are the account's, and a pause that one of them is asked for, all of them keep. What of
// the limits is for this process, the share says; the pause, the gate.
import type { CodedError } from '../domain/errors/coded-error.js';
import { keptWords } from '../domain/message.js';
import type { Runtime } from '../domain/runtime.js';
import {
  AdaptiveGate,
  type GatePass,
  type Verdict as LoadVerdict,
  type RequestGate,
} from '../http/adaptive-gate.js';
import { CircuitBreaker, Pacer } from '../http/pacer.js';
import type { HttpResponse, HttpResult } from '../http/http-client.js';
import { retryAfterMs, serverTime } from '../http/exchange.js';
import { coded } from '../language/coded.js';
import { message, told } from '../language/messages.js';
import type { AccountShare, Load } from './account-shares.js';
import { DISPOSITION_TABLE, type Verdict } from './dispositions.js';

export const CONCURRENCY_MAX = 64;
const CONCURRENCY_DEFAULT = 8;
const CONCURRENCY_FIRST = 2;
const RATE_LIMIT_PAUSE_MS = 2_000;

export interface Judged {
  readonly result: HttpResult;
  readonly verdict: Verdict;
}

export interface TrafficLimits {
  /** Ceiling of the calls under way at once; the gate finds its own level below it. */
  readonly concurrency?: number;
  /** Calls in any second; as many as the gate lets through unless given. */
  readonly requestsPerSecond?: number;
}

export interface TrafficOptions {
  readonly runtime: Pick<Runtime, 'clock' | 'timers'>;
  readonly limits?: TrafficLimits | undefined;
  /** What other processes were asked for, and are told of. */
  readonly gate?: RequestGate | undefined;
  /** What of the limits is for this process, where several call the account. */
  readonly share?: ((load: Load) => AccountShare) | undefined;
  /** Of the service, to be named to people. */
  readonly origin: string;
}

export class Traffic {
  readonly #options: TrafficOptions;
  readonly #gate: AdaptiveGate;
  readonly #breaker: CircuitBreaker;
  readonly #share: AccountShare | null;
  #pacer: Pacer | null = null;
  #concurrency = CONCURRENCY_DEFAULT;
  #perSecond: number | undefined;
  #seats = Infinity;
  #everSucceeded = false;
  #clockSkewMs: number | null = null;

  constructor(options: TrafficOptions) {
    const { clock } = options.runtime;
    this.#options = options;
    this.#gate = new AdaptiveGate(clock, { limitFirst: CONCURRENCY_FIRST });
    this.#breaker = new CircuitBreaker(clock);
    this.#share = options.share?.(this.#load()) ?? null;
    if (this.#share) this.#seats = 0;
    this.setLimits(options.limits ?? {});
  }

  /** For whoever calls from now on. */
  setLimits({ concurrency = CONCURRENCY_DEFAULT, requestsPerSecond }: TrafficLimits): void {
    this.#concurrency = Math.min(concurrency, CONCURRENCY_MAX);
    this.#perSecond = requestsPerSecond;
    this.#keepWithin();
  }

  /** With so many of the account's seats goes as much of its rate. */
  #keepWithin(): void {
    const seats = Math.min(this.#concurrency, this.#seats);
    this.#gate.setMax(seats);
    if (this.#perSecond === undefined) this.#pacer = null;
    else if (seats > 0) {
      const perSecond = (this.#perSecond * seats) / this.#concurrency;
      if (this.#pacer) this.#pacer.setRate(perSecond);
      else this.#pacer = new Pacer(this.#options.runtime, { perSecond });
    }
  }

  #load(): Load {
    return {
      limit: () => this.#concurrency,
      underWay: () => this.#gate.inside,
      waiting: () => this.#gate.waiting,
      mayHave: (seats) => {
        this.#seats = seats;
        this.#keepWithin();
      },
    };
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
    const pass = await this.#enter(signal);
    if (!pass.entered) throw turnedAway(name, pass.reason, pass.retryAfterMs);
    let load: LoadVerdict = 'neutral';
    try {
      const admission = this.#breaker.admit();
      if (!admission.admitted) throw circuitOpen(name, admission.retryAfterMs);
      if (this.#pacer) await this.#keepPace(this.#pacer, name, signal);
      // While it waited for its turn, somebody may have been asked for a pause.
      await this.#keepPause(name);
      const { result, verdict } = await exchange();
      load = await this.#learn(result, verdict);
      return verdict;
    } finally {
      pass.leave(load);
    }
  }

  async #enter(signal?: AbortSignal): Promise<GatePass> {
    const share = this.#share;
    for (;;) {
      if (share?.isKnown() === false) await share.known();
      const pass = await this.#gate.enter(signal);
      if (!pass.entered || share?.isKnown() !== false) return pass;
      // It ran out while this one waited.
      pass.leave('neutral');
    }
  }

  async #keepPace(pacer: Pacer, name: string, signal?: AbortSignal): Promise<void> {
    const turn = await pacer.turn(signal);
    if (!turn.granted) throw turnedAway(name, 'crowded', turn.waitMs);
  }

  async #keepPause(name: string): Promise<void> {
    const heldMs = (await this.#options.gate?.heldMs()) ?? 0;
    if (heldMs > 0) this.#gate.closeFor(heldMs);
    if (this.pauseMs > 0) throw turnedAway(name, 'closed', this.pauseMs);
  }

  async #learn(result: HttpResult, verdict: Verdict): Promise<LoadVerdict> {
    if (result.outcome === 'response') await this.#heed(result, verdict);
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

  async #heed({ headers, status }: HttpResponse, verdict: Verdict): Promise<void> {
    const now = this.#options.runtime.clock.now();
    const server = serverTime(headers);
    if (server !== null) this.#clockSkewMs = server.getTime() - now.getTime();
    if (verdict.verdict !== 'too-many' && verdict.verdict !== 'unavailable') return;
    const asked = retryAfterMs(headers, now);
    const pauseMs = asked ?? (verdict.verdict === 'too-many' ? RATE_LIMIT_PAUSE_MS : 0);
    if (pauseMs === 0) return;
    this.#gate.closeFor(pauseMs);
    const { gate, origin } = this.#options;
    await gate?.hold(pauseMs, keptWords(told('HTTP_ASKED_FOR_PAUSE', { origin, status })));
  }
}

function circuitOpen(name: string, waitMs: number): CodedError {
  // Kept as the reason of a breaker and read much later: it says nothing about how long from now.
  return coded('SOURCE_CIRCUIT_OPEN', message('CALL_LEFT_ALONE', { call: name }), { details: { waitMs } });
}

function turnedAway(name: string, reason: 'closed' | 'crowded' | 'cancelled', ms: number): CodedError {
  if (reason === 'cancelled') return coded('SOURCE_CANCELLED', message('CALL_CANCELLED', { call: name }));
  const said = message(reason === 'closed' ? 'CALL_PAUSED' : 'CALL_CROWDED', { call: name });
  // By a limit of ours the service has asked for nothing.
  const details = reason === 'closed' ? { retryAfterMs: ms } : { waitMs: ms };
  return coded('SOURCE_RATE_LIMITED', said, { details });
}
