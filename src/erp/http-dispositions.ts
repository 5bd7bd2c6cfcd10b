// What an HTTP exchange means where an ERP's own documents say nothing else. Adapters hand in their own rows, which win.
// The one distinction that matters: `transient` is said only when there was surely no effect.
import type { HttpFailure, HttpResponse, HttpResult } from '../http/http-client.js';
import type { AuthFailed, Rejected, Transient, Unknown } from './erp-adapter.js';

export type HttpDisposition = 'auth' | 'transient' | 'unknown' | 'rejected';

export const HTTP_DISPOSITIONS: Readonly<Record<number, HttpDisposition>> = {
  400: 'rejected',
  401: 'auth',
  403: 'auth',
  404: 'rejected',
  405: 'rejected',
  // The server gave up waiting for us or for itself; what it had begun may have been done.
  408: 'unknown',
  409: 'rejected',
  413: 'rejected',
  415: 'rejected',
  422: 'rejected',
  425: 'transient',
  429: 'transient',
  500: 'unknown',
  501: 'rejected',
  502: 'unknown',
  // Said by servers and load balancers that did not take the request on.
  503: 'transient',
  504: 'unknown',
};

export type FailedSend = Rejected | Transient | Unknown | AuthFailed;

export function dispositionOf(
  status: number,
  own: Readonly<Record<number, HttpDisposition>> = {},
): HttpDisposition {
  const known = own[status] ?? HTTP_DISPOSITIONS[status];
  if (known) return known;
  return status >= 500 ? 'unknown' : 'rejected';
}

/** A failed exchange with an effect: what never left is transient, everything else is unknown. */
export function failedSend(failure: HttpFailure, system: string): Transient | Unknown {
  const message = `${system} could not be reached: ${failure.message}`;
  return failure.reached === 'not-sent'
    ? { outcome: 'transient', message }
    : { outcome: 'unknown', message: `The answer of ${system} was lost: ${failure.message}` };
}

/** A failed exchange without an effect: always safe to repeat. */
export function failedLookUp(failure: HttpFailure, system: string): Transient {
  return { outcome: 'transient', message: `${system} did not answer: ${failure.message}` };
}

/** A non-2xx answer to a look-up. There is nothing to reject: what is not auth is worth another try. */
export function refusedLookUp(response: HttpResponse, system: string): Transient | AuthFailed {
  if (response.status === 401 || response.status === 403)
    return { outcome: 'auth', message: `${system} refused the credentials (${response.status}).` };
  return transient(`${system} answered ${response.status} to a look-up.`, response);
}

/** A transient outcome that carries the server's own wish for when to come back. */
export function transient(
  message: string,
  response: Pick<HttpResponse, 'headers'>,
  now = new Date(),
): Transient {
  const retryAfterMs = parseRetryAfterMs(response.headers['retry-after'], now);
  return { outcome: 'transient', message, ...(retryAfterMs === null ? {} : { retryAfterMs }) };
}

const RETRY_AFTER_MS_MAX = 24 * 60 * 60 * 1000;

/** Seconds or an HTTP date (RFC 9110, 10.2.3). Bounded to a day, so that a wild header cannot put a tenant to sleep. */
export function parseRetryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  if (!Number.isFinite(ms)) return null;
  return Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}

export function isSuccess(result: HttpResult): result is HttpResponse {
  return result.outcome === 'response' && result.status >= 200 && result.status < 300;
}
