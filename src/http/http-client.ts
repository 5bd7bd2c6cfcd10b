// One bounded HTTP exchange: a deadline on the whole of it, a cap on the body, no redirects, an origin that was allowed.
// It never throws for what a network can do; it says whether the request may have reached the server, which is what
// decides between "try again" and "find out first". Connections are pooled per origin, and shared by all clients.
import type { Dispatcher, Agent } from 'undici';
import { keptWords } from '../domain/message.js';
import { withFields } from '../domain/with-fields.js';
import { told } from '../language/messages.js';
import { isRefusedHost, lookUpAllowed } from './allowed-addresses.js';
import { budgetLeftMs } from './pacer.js';
import {
  type HttpFailure,
  type HttpRequest,
  type HttpResult,
  retryAfterMs,
  type BoundedRequest,
  Exchange,
} from './exchange.js';
import type { RequestGate } from './adaptive-gate.js';

export type { Address, HttpFailure, HttpRequest, HttpResponse, HttpResult } from './exchange.js';

export interface HttpClientOptions {
  /** The only origins this client talks to; anything else is refused before a socket is opened. */
  readonly origins: readonly string[];
  readonly userAgent: string;
  /** How many exchanges of this client are under way at once; the others wait in line. */
  readonly connections?: number;
  readonly connectTimeoutMs?: number;
  /** Between two pieces of the body: a drip is cut here, a slow but steady one at the deadline. */
  readonly idleTimeoutMs?: number;
  /** Of the whole exchange, waiting for a connection included. */
  readonly deadlineMs?: number;
  readonly bodyBytesMax?: number;
  /** Stands before every exchange. */
  readonly gate?: RequestGate | undefined;
}

export interface HttpClient {
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResult>;
  close(): Promise<void>;
}

const AT_ONCE_MAX = 8;
const DEADLINE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 32 * 1024 * 1024;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const allowed = options.origins
    .map((origin) => new URL(origin))
    .filter(({ hostname }) => !isRefusedHost(hostname))
    .map(({ origin }) => origin);
  const bounds = boundsOf(options);
  const always = { 'user-agent': options.userAgent, 'accept-encoding': 'identity' };
  let opening: Promise<OpenClient> | null = null;
  let opened: OpenClient | null = null;
  let closed = false;
  const isClosed = () => closed;
  const send = async (asked: HttpRequest, signal?: AbortSignal): Promise<HttpResult> => {
    const { origin } = asked.url;
    if (!allowed.includes(origin)) return refusedOrigin(origin);
    const leftMs = budgetLeftMs();
    if (leftMs === 0) return tooLate();
    const { gate } = options;
    const heldMs = gate ? await gate.heldMs() : 0;
    if (heldMs > 0) return held(origin, heldMs);
    if (isClosed()) return closedMeanwhile();
    opened ??= await (opening ??= open(options));
    if (isClosed()) return closedMeanwhile();
    const result = await opened.exchanges.send(
      {
        origin,
        path: asked.url.pathname + asked.url.search,
        method: asked.method,
        headers: withFields(asked.headers ?? {}, always),
        body: asked.body ?? null,
        deadlineMs: Math.min(asked.deadlineMs ?? bounds.deadlineMs, Math.ceil(leftMs)),
        idleTimeoutMs: bounds.idleTimeoutMs,
        bodyBytesMax: asked.bodyBytesMax ?? bounds.bodyBytesMax,
      },
      signal,
    );
    if (gate) await heedRetryAfter(gate, origin, result);
    return result;
  };
  const close = async () => {
    closed = true;
    const left = await opening;
    left?.exchanges.abortAll();
    await left?.held.release();
  };
  return { send, close };
}

interface OpenClient {
  readonly held: HeldAgent;
  readonly exchanges: Exchanges;
}

async function open(options: HttpClientOptions): Promise<OpenClient> {
  const held = await holdAgent(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  return { held, exchanges: new Exchanges(held.agent, options.connections ?? AT_ONCE_MAX) };
}

function boundsOf(options: HttpClientOptions) {
  return {
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    bodyBytesMax: options.bodyBytesMax ?? BODY_BYTES_MAX,
  };
}

/** Statuses with which a server may ask to be left alone (RFC 9110, 10.2.3; RFC 6585, 4). */
const ASKS_FOR_SILENCE: ReadonlySet<number> = new Set([429, 503]);

async function heedRetryAfter(gate: RequestGate, origin: string, result: HttpResult): Promise<void> {
  if (result.outcome !== 'response' || !ASKS_FOR_SILENCE.has(result.status)) return;
  const ms = retryAfterMs(result.headers, new Date()) ?? 0;
  if (ms > 0) await gate.hold(ms, keptWords(told('HTTP_ASKED_FOR_PAUSE', { origin, status: result.status })));
}

function held(origin: string, heldMs: number): HttpFailure {
  const retryAfterMs = Math.ceil(heldMs);
  const words = told('HTTP_HELD', { origin, seconds: Math.ceil(heldMs / 1000) });
  return { outcome: 'failure', reached: 'not-sent', reason: 'held', ...words, retryAfterMs, durationMs: 0 };
}

function tooLate(): HttpFailure {
  const words = told('HTTP_TOO_LATE');
  return { outcome: 'failure', reached: 'not-sent', reason: 'timeout', ...words, durationMs: 0 };
}

/** The connections are others' too and stay open: this client says itself that it is closed. */
function closedMeanwhile(): HttpFailure {
  const words = told('HTTP_CANCELLED');
  return { outcome: 'failure', reached: 'not-sent', reason: 'aborted', ...words, durationMs: 0 };
}

function refusedOrigin(origin: string): HttpFailure {
  const words = told('HTTP_ORIGIN_REFUSED', { origin });
  return { outcome: 'failure', reached: 'not-sent', reason: 'origin-refused', ...words, durationMs: 0 };
}

// The exchanges of one client: a bounded number under way, the others in line. Connections are shared with every client of the
// process, so the bound is kept here: one tenant's slow server takes as many of them as that tenant may have, and no more. They stand
// in lists. A Set that many come to and leave keeps each of them until the next full collection of garbage: its earlier tables stay
// linked to the later ones, with whoever was in it then.

class Exchanges {
  readonly #dispatcher: Dispatcher;
  readonly #atOnceMax: number;
  readonly #underWay: Exchange[] = [];
  readonly #inLine: Exchange[] = [];

  constructor(dispatcher: Dispatcher, atOnceMax: number) {
    this.#dispatcher = dispatcher;
    this.#atOnceMax = atOnceMax;
  }

  send(asked: BoundedRequest, signal?: AbortSignal): Promise<HttpResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(asked, (result, settled) => {
        this.#leave(settled);
        resolve(result);
      });
      const mayGo = this.#inLine.length === 0 && this.#underWay.length < this.#atOnceMax;
      // Its deadline runs while it waits, and takes it out of the line.
      (mayGo ? this.#underWay : this.#inLine).push(exchange);
      exchange.guard(signal);
      if (mayGo && !exchange.settled) exchange.dispatchOn(this.#dispatcher);
    });
  }

  abortAll(): void {
    for (const exchange of [...this.#inLine, ...this.#underWay]) exchange.abort();
  }

  #goOn(): void {
    while (this.#underWay.length < this.#atOnceMax) {
      const next = this.#inLine.shift();
      if (!next) return;
      this.#underWay.push(next);
      next.dispatchOn(this.#dispatcher);
    }
  }

  #leave(exchange: Exchange): void {
    if (take(exchange, this.#underWay)) this.#goOn();
    else take(exchange, this.#inLine);
  }
}

function take(exchange: Exchange, list: Exchange[]): boolean {
  const at = list.indexOf(exchange);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

// Connections belong to the process, not to a tenant: hundreds of companies talk to the same service, and a socket for each would
// be opened, greeted and forgotten again for a few calls. Kept while a client is open.

/** To one origin, by all clients together. */
const CONNECTIONS_MAX = 256;

interface Shared {
  readonly agent: Promise<Agent>;
  holders: number;
}

const agents = new Map<number, Shared>();

interface HeldAgent {
  readonly agent: Agent;
  release(): Promise<void>;
}

/** With the first request: who only reads a tenant's settings never loads what carries requests. */
async function holdAgent(connectTimeoutMs: number): Promise<HeldAgent> {
  const shared = agents.get(connectTimeoutMs) ?? { agent: openAgent(connectTimeoutMs), holders: 0 };
  agents.set(connectTimeoutMs, shared);
  shared.holders++;
  const agent = await shared.agent;
  let held = true;
  const release = async () => {
    if (!held) return;
    held = false;
    shared.holders--;
    if (shared.holders > 0) return;
    if (agents.get(connectTimeoutMs) === shared) agents.delete(connectTimeoutMs);
    await agent.destroy();
  };
  return { agent, release };
}

async function openAgent(connectTimeoutMs: number): Promise<Agent> {
  // By its default: a bundle has no other name of a CommonJS module that is loaded late.
  const { default: undici } = await import('undici');
  return new undici.Agent({
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs, lookup: lookUpAllowed },
  });
}
