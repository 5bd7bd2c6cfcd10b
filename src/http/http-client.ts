// One bounded HTTP exchange: a deadline on the whole of it, a cap on the body, no redirects, an origin that was allowed.
// It never throws for what a network can do; it says whether the request may have reached the server, which is what
// decides between "try again" and "find out first". Connections are pooled per origin, and shared by all clients.
import { keptWords } from '../domain/message.js';
import { withFields } from '../domain/with-fields.js';
import { told } from '../language/messages.js';
import { isRefusedHost } from './allowed-addresses.js';
import { budgetLeftMs } from './call-budget.js';
import { Exchanges } from './exchanges.js';
import type { HttpFailure, HttpRequest, HttpResult } from './messages.js';
import type { RequestGate } from './adaptive-gate.js';
import { retryAfterMs } from './retry-after.js';
import { type HeldAgent, holdAgent } from './shared-agent.js';

export type { Address, HttpFailure, HttpRequest, HttpResponse, HttpResult } from './messages.js';

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
