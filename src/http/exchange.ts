// One request on the dispatcher, driven by its callbacks: they alone tell whether the request had begun to leave, which a
// promise-shaped client hides. Settles exactly once, by the deadline at the latest, and leaves no timer or listener behind.
import type { Dispatcher, FormData } from 'undici';
import type { Told } from '../domain/message.js';
import { told } from '../language/messages.js';
import { whenAborted } from './in-time.js';
import { ADDRESS_REFUSED } from './allowed-addresses.js';

export interface BoundedRequest {
  readonly method: HttpRequest['method'];
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Exclude<HttpRequest['body'], undefined> | null;
  readonly deadlineMs: number;
  readonly bodyBytesMax: number;
  readonly idleTimeoutMs: number;
}

export class Exchange implements Dispatcher.DispatchHandler {
  settled = false;
  readonly #asked: BoundedRequest;
  readonly #onSettled: (result: HttpResult, exchange: Exchange) => void;
  readonly #startedAt = performance.now();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #leaving = false;
  /** When the last piece of the answer came; null before the first. */
  #heardAt: number | null = null;
  #status = 0;
  #headers: Record<string, string> = {};
  #controller: Dispatcher.DispatchController | null = null;
  #release: () => void = () => undefined;

  constructor(asked: BoundedRequest, onSettled: (result: HttpResult, exchange: Exchange) => void) {
    this.#asked = asked;
    this.#onSettled = onSettled;
  }

  /** Given up, wherever it is. */
  abort(): void {
    this.#fail('aborted', told('HTTP_CANCELLED'));
  }

  guard(signal?: AbortSignal): void {
    const takeBack = whenAborted(signal, () => this.abort());
    let timer: NodeJS.Timeout;
    // One timer for the deadline and for silence in the middle of an answer: nearly every exchange ends before it is looked at.
    const look = () => {
      const leftMs = this.#leftMs();
      if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs));
      else this.#failSilent();
    };
    timer = setTimeout(look, Math.min(this.#asked.idleTimeoutMs, this.#asked.deadlineMs));
    // By a name of its own: the engine takes a function that is written where a property is assigned for a method that stays, makes it old
    // from birth, and with it whatever it knows outlives every quick collection of garbage: the exchange, its answer, its document.
    const release = () => {
      clearTimeout(timer);
      takeBack();
    };
    this.#release = release;
    if (signal?.aborted === true) this.abort();
  }

  /** Until it is too late for the whole of it, or for the next piece of an answer that has begun. */
  #leftMs(): number {
    const { deadlineMs, idleTimeoutMs } = this.#asked;
    const now = performance.now();
    return Math.min(this.#startedAt + deadlineMs, (this.#heardAt ?? now) + idleTimeoutMs) - now;
  }

  dispatchOn(dispatcher: Dispatcher): void {
    const { origin, path, method, headers, body } = this.#asked;
    try {
      dispatcher.dispatch({ origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 }, this);
    } catch (error) {
      this.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Called when a connection is free, just before the first byte. A call given up while it waited never leaves.
    if (this.settled) {
      controller.abort(new Error('given up before it was sent'));
      return;
    }
    this.#leaving = true;
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#heardAt = performance.now();
    this.#status = status;
    this.#headers = flatten(headers);
    const encoding = this.#headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      // We asked for identity. Inflating what was not asked for is how a kilobyte becomes a gigabyte.
      this.#fail('invalid-response', told('HTTP_ENCODED', { encoding: encoding.slice(0, 40) }));
    } else if (Number(this.#headers['content-length'] ?? 0) > this.#asked.bodyBytesMax) this.#failTooLarge();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    this.#heardAt = performance.now();
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#asked.bodyBytesMax) this.#failTooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    this.#settle({
      outcome: 'response',
      status: this.#status,
      headers: this.#headers,
      body: first?.byteLength === this.#bytes ? first : Buffer.concat(this.#chunks, this.#bytes),
      durationMs: this.#elapsedMs(),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const { reason, words, notSent } = describeFailure(error);
    if (notSent) this.#leaving = false;
    this.#fail(reason, words);
  }

  #failSilent(): void {
    const { deadlineMs, idleTimeoutMs } = this.#asked;
    const isOver = performance.now() - this.#startedAt >= deadlineMs;
    const words = isOver
      ? told('HTTP_NO_ANSWER', { ms: deadlineMs })
      : told('HTTP_STOPPED', { ms: idleTimeoutMs });
    this.#fail('timeout', words);
  }

  #failTooLarge(): void {
    this.#fail('too-large', told('HTTP_TOO_LARGE', { bytes: this.#asked.bodyBytesMax }));
  }

  #fail(reason: FailureReason, words: Told): void {
    const reached: HttpFailure['reached'] = this.#leaving ? 'maybe-sent' : 'not-sent';
    const controller = this.#controller;
    this.#settle({ outcome: 'failure', reached, reason, ...words, durationMs: this.#elapsedMs() });
    controller?.abort(new Error(words.message));
  }

  #settle(result: HttpResult): void {
    if (this.settled) return;
    this.settled = true;
    this.#release();
    this.#chunks.length = 0;
    this.#controller = null;
    this.#onSettled(result, this);
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

/** The dispatcher has its names in small letters. Repeated headers are rare: without one, nothing is copied. */
function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.values(headers).every((value) => typeof value === 'string')
    ? (headers as Record<string, string>)
    : joined(headers);
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

// What the network's error codes mean for us. Codes only, never message texts.
type FailureReason = HttpFailure['reason'];

interface Described {
  readonly reason: FailureReason;
  readonly words: Told;
  /** Surely no byte left, whatever the exchange had come to believe. */
  readonly notSent: boolean;
}

// Errors that happen while a connection is made: the request has not left.
const CONNECTING = new Set([
  ADDRESS_REFUSED,
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

// Our own client refused the request, or was closed. Only the exchange knows whether the request had begun to leave by then.
const NOT_OPEN = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);

const UNINTELLIGIBLE = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

function describeFailure(error: Error): Described {
  const code = codeOf(error);
  if (CONNECTING.has(code)) return { reason: 'connect', words: sayConnecting(error, code), notSent: true };
  if (NOT_OPEN.has(code))
    return { reason: 'aborted', words: told('HTTP_NOT_OPEN', { why: error.message }), notSent: false };
  if (code === 'ETIMEDOUT')
    return { reason: 'timeout', words: told('HTTP_SILENT', { why: error.message }), notSent: false };
  // Some parser errors come without their code.
  if (code.startsWith('HPE_') || error.name === 'HTTPParserError' || UNINTELLIGIBLE.has(code)) {
    const words = told('HTTP_NOT_HTTP', { why: code || error.name });
    return { reason: 'invalid-response', words, notSent: false };
  }
  return { reason: 'reset', words: told('HTTP_BROKE', { why: code || error.name }), notSent: false };
}

// A name that resolves to several addresses fails as an AggregateError without a message of its own.
function sayConnecting(error: Error, code: string): Told {
  return told('HTTP_NO_CONNECTION', { why: error.message || code });
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

// Retry-After comes as seconds or as a date (RFC 9110, 10.2.3). Bounded, since a server may say anything.
export const RETRY_AFTER_MS_MAX = 6 * 60 * 60 * 1000;

/** null: absent or unreadable. A date is measured against the server's own Date header where there is one. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const written = headers['retry-after']?.trim();
  if (written === undefined || written === '') return null;
  if (/^\d{1,10}$/.test(written)) return Math.min(Number(written) * 1000, RETRY_AFTER_MS_MAX);
  const until = Date.parse(written);
  if (Number.isNaN(until)) return null;
  const from = serverTime(headers) ?? now;
  return Math.min(Math.max(0, until - from.getTime()), RETRY_AFTER_MS_MAX);
}

export function serverTime(headers: Readonly<Record<string, string>>): Date | null {
  const written = headers['date'] ?? '';
  // All answers of a second say the same.
  if (written !== latest.written) latest = { written, at: Date.parse(written) };
  return Number.isNaN(latest.at) ? null : new Date(latest.at);
}

let latest = { written: '', at: Number.NaN };

// What goes into one exchange and what comes out of it.

/** Where a request goes, as a URL says it. */
export type Address = Pick<URL, 'origin' | 'pathname' | 'search'>;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: Address;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | FormData;
  readonly deadlineMs?: number;
  readonly bodyBytesMax?: number;
}

export interface HttpResponse {
  readonly outcome: 'response';
  readonly status: number;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly durationMs: number;
}

/** Its message is for people; it holds no header, no body and no query string. */
export interface HttpFailure extends Told {
  readonly outcome: 'failure';
  /** `not-sent`: surely no byte of the request was taken. `maybe-sent`: the effect is unknown. */
  readonly reached: 'not-sent' | 'maybe-sent';
  readonly reason:
    | 'connect'
    | 'timeout'
    | 'reset'
    | 'too-large'
    | 'invalid-response'
    | 'origin-refused'
    | 'aborted'
    | 'held';
  /** With `held`: how long the server asked to be left alone yet. */
  readonly retryAfterMs?: number;
  readonly durationMs: number;
}

export type HttpResult = HttpResponse | HttpFailure;
