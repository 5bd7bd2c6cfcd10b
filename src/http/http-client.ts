// One bounded HTTP exchange: a deadline on the whole of it, a cap on the body, no redirects, an origin that was allowed.
// It never throws for what a network can do; it says whether the request may have reached the server, which is what
// decides between "try again" and "find out first".
import type { FormData } from 'undici';
import { Agent, type Dispatcher, request } from 'undici';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | FormData;
  readonly deadlineMs?: number;
  readonly bodyBytesMax?: number;
}

export interface HttpResponse {
  readonly outcome: 'response';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly durationMs: number;
}

export interface HttpFailure {
  readonly outcome: 'failure';
  /** `not-sent`: surely no byte of the request was taken. `maybe-sent`: the effect is unknown. */
  readonly reached: 'not-sent' | 'maybe-sent';
  readonly reason:
    'connect' | 'timeout' | 'reset' | 'too-large' | 'invalid-response' | 'origin-refused' | 'aborted';
  readonly message: string;
  readonly durationMs: number;
}

export type HttpResult = HttpResponse | HttpFailure;

export interface HttpClientOptions {
  /** The only origins this client talks to; anything else is refused before a socket is opened. */
  readonly origins: readonly string[];
  readonly userAgent: string;
  readonly connections?: number;
  readonly connectTimeoutMs?: number;
  readonly deadlineMs?: number;
  readonly bodyBytesMax?: number;
}

export interface HttpClient {
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResult>;
  close(): Promise<void>;
}

const DEADLINE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
const BODY_BYTES_MAX = 32 * 1024 * 1024;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const allowed = new Set(options.origins.map((origin) => new URL(origin).origin));
  const agent = new Agent({
    connections: options.connections ?? 8,
    pipelining: 1,
    connect: { timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (asked, signal) => exchange(agent, allowed, options, asked, signal),
    close: () => agent.destroy(),
  };
}

async function exchange(
  agent: Agent,
  allowed: ReadonlySet<string>,
  options: HttpClientOptions,
  asked: HttpRequest,
  signal?: AbortSignal,
): Promise<HttpResult> {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  if (!allowed.has(asked.url.origin)) {
    const message = `${asked.url.origin} is not an origin this connection may talk to`;
    return { outcome: 'failure', reached: 'not-sent', reason: 'origin-refused', message, durationMs: 0 };
  }
  const deadline = AbortSignal.timeout(asked.deadlineMs ?? options.deadlineMs ?? DEADLINE_MS);
  try {
    const response = await request(asked.url, {
      dispatcher: agent,
      method: asked.method,
      headers: { 'user-agent': options.userAgent, ...asked.headers },
      body: asked.body ?? null,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const bodyBytesMax = asked.bodyBytesMax ?? options.bodyBytesMax ?? BODY_BYTES_MAX;
    const body = await readBounded(response.body, bodyBytesMax);
    if (body === null) {
      const message = `the answer is larger than ${bodyBytesMax} bytes`;
      return {
        outcome: 'failure',
        reached: 'maybe-sent',
        reason: 'too-large',
        message,
        durationMs: elapsed(),
      };
    }
    const headers = flatten(response.headers);
    return { outcome: 'response', status: response.statusCode, headers, body, durationMs: elapsed() };
  } catch (error) {
    return { ...classify(error, deadline), durationMs: elapsed() };
  }
}

async function readBounded(
  stream: Dispatcher.ResponseData['body'],
  bytesMax: number,
): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = chunk as Buffer;
    bytes += piece.byteLength;
    if (bytes > bytesMax) {
      stream.destroy();
      return null;
    }
    chunks.push(piece);
  }
  return Buffer.concat(chunks, bytes);
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

// Errors that happen while a connection is made: the request has not left.
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

function classify(error: unknown, deadline: AbortSignal): Omit<HttpFailure, 'durationMs'> {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = error instanceof Error ? error.message : String(error);
  if (NOT_SENT.has(code)) return { outcome: 'failure', reached: 'not-sent', reason: 'connect', message };
  if (deadline.aborted)
    return {
      outcome: 'failure',
      reached: 'maybe-sent',
      reason: 'timeout',
      message: 'no complete answer before the deadline',
    };
  if (error instanceof Error && error.name === 'AbortError') {
    return { outcome: 'failure', reached: 'maybe-sent', reason: 'aborted', message };
  }
  if (code.startsWith('HPE_'))
    return { outcome: 'failure', reached: 'maybe-sent', reason: 'invalid-response', message };
  return { outcome: 'failure', reached: 'maybe-sent', reason: 'reset', message };
}
