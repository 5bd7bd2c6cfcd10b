// What an HTTP exchange means where an ERP's own documents say nothing else. Adapters hand in their own rows, which win.
// The one distinction that matters: a request that may change the books had surely no effect only when the ERP itself says
// so. A status alone proves nothing: a proxy says 503, 429 or 404 in its own name while the ERP behind it books.
import type { Told } from '../domain/message.js';
import { saidBy } from '../language/messages.js';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpFailure,
  type HttpResponse,
  type HttpResult,
} from '../http/http-client.js';
import { retryAfterMs } from '../http/exchange.js';
import type { AuthFailed, ErpServices, Rejected, Transient, Unknown } from './erp-adapter.js';
import { asTold, told } from './told.js';

export type HttpDisposition = 'auth' | 'transient' | 'unknown' | 'rejected';

/** `write`: it may change the books, so an answer counts only as far as the ERP vouches for it. */
export type Purpose = 'read' | 'write';

/** What a status means in the words of HTTP, whoever said it. Enough for a request that changes nothing. */
export const HTTP_DISPOSITIONS: Readonly<Record<number, HttpDisposition>> = {
  400: 'rejected',
  401: 'auth',
  403: 'auth',
  404: 'rejected',
  405: 'rejected',
  408: 'transient',
  409: 'rejected',
  413: 'rejected',
  415: 'rejected',
  422: 'rejected',
  425: 'transient',
  429: 'transient',
  501: 'rejected',
};

/** Statuses of layers and of servers in trouble: after a write they stay open, unless the ERP documents them otherwise. */
const OPEN_AFTER_WRITE: ReadonlySet<number> = new Set([408, 425, 429, 501]);

export interface Reading {
  readonly purpose: Purpose;
  /** The answer has the form of the ERP's own errors, so that it was the ERP that spoke and nobody in front of it. */
  readonly isOwn: boolean;
  /** Statuses that the ERP's documents give another meaning; they count in its own form only. */
  readonly documented?: Readonly<Record<number, HttpDisposition>>;
}

export function dispositionOf(status: number, { purpose, isOwn, documented = {} }: Reading): HttpDisposition {
  const said = isOwn ? documented[status] : undefined;
  if (said) return said;
  const usual = HTTP_DISPOSITIONS[status] ?? (status >= 500 ? 'transient' : 'rejected');
  if (purpose === 'read') return usual;
  // 401 is the one that HTTP itself vouches for: "the request has not been applied" (RFC 9110, 15.5.2).
  if (status === 401) return 'auth';
  return !isOwn || status >= 500 || OPEN_AFTER_WRITE.has(status) ? 'unknown' : usual;
}

export type FailedSend = Rejected | Transient | Unknown | AuthFailed;

/** A failed exchange with an effect: what never left is transient, everything else is unknown. */
export function failedSend(failure: HttpFailure, system: string): Transient | Unknown {
  const why = saidBy(failure);
  const wait = failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs };
  return failure.reached === 'not-sent'
    ? { outcome: 'transient', ...told('SYSTEM_UNREACHED', { system, why }), ...wait }
    : { outcome: 'unknown', ...told('SYSTEM_ANSWER_LOST', { system, why }) };
}

/** A transient outcome that carries the server's own wish for when to come back. */
export function transient(
  words: Told | string,
  response: Pick<HttpResponse, 'headers'>,
  now = new Date(),
): Transient {
  return { outcome: 'transient', ...asTold(words), ...retryAfter(response, now) };
}

/** An unknown outcome with the same wish: whatever became of this request, no further one is welcome before. */
export function unknownYet(
  words: Told | string,
  response: Pick<HttpResponse, 'headers'>,
  now = new Date(),
): Unknown {
  return { outcome: 'unknown', ...asTold(words), ...retryAfter(response, now) };
}

function retryAfter(response: Pick<HttpResponse, 'headers'>, now: Date): { readonly retryAfterMs?: number } {
  const ms = retryAfterMs(response.headers, now);
  return ms === null ? {} : { retryAfterMs: ms };
}

export function isSuccess(result: HttpResult): result is HttpResponse {
  return result.outcome === 'response' && result.status >= 200 && result.status < 300;
}

// The HTTP client of an adapter. It asks the gate of the connection before each exchange and tells it what the server wished, so that no
// adapter can forget to.
export function erpHttpClient(
  { gate }: Pick<ErpServices, 'gate'>,
  options: Omit<HttpClientOptions, 'gate' | 'userAgent'>,
): HttpClient {
  return createHttpClient({ ...options, userAgent: 'ledgerbridge', gate });
}
