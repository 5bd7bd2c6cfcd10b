// From a response to what it means, in one place. The rule: a question may be asked again; a change that was neither
// explicitly refused nor explicitly accepted may have happened, so it is looked up (SOURCE_EFFECT_UNKNOWN).
import type { ErrorCode } from '../domain/errors/registry.js';
import type { Message } from '../domain/message.js';
import { told, type Words } from '../language/messages.js';
import type { HttpResult } from '../http/http-client.js';
import { isJsonObject, type JsonObject } from './wire-json.js';
import { asText } from './wire-types.js';

interface Row {
  readonly read: ErrorCode;
  readonly write: ErrorCode;
  /** Whether the circuit breaker counts it: the service itself is in trouble, not our request. */
  readonly trouble: boolean;
}

export const DISPOSITION_TABLE = {
  'not-sent': { read: 'SOURCE_UNREACHABLE', write: 'SOURCE_UNREACHABLE', trouble: true },
  'origin-refused': { read: 'SOURCE_SETTINGS_INVALID', write: 'SOURCE_SETTINGS_INVALID', trouble: false },
  cancelled: { read: 'SOURCE_CANCELLED', write: 'SOURCE_EFFECT_UNKNOWN', trouble: false },
  'cancelled-unsent': { read: 'SOURCE_CANCELLED', write: 'SOURCE_CANCELLED', trouble: false },
  'no-answer': { read: 'SOURCE_NO_ANSWER', write: 'SOURCE_EFFECT_UNKNOWN', trouble: true },
  'too-large': { read: 'SOURCE_TOO_LARGE', write: 'SOURCE_EFFECT_UNKNOWN', trouble: false },
  unreadable: { read: 'SOURCE_UNREADABLE', write: 'SOURCE_EFFECT_UNKNOWN', trouble: true },
  redirect: { read: 'SOURCE_REDIRECTED', write: 'SOURCE_EFFECT_UNKNOWN', trouble: false },
  'token-expired': {
    read: 'SOURCE_CREDENTIALS_REFUSED',
    write: 'SOURCE_CREDENTIALS_REFUSED',
    trouble: false,
  },
  unauthorized: { read: 'SOURCE_CREDENTIALS_REFUSED', write: 'SOURCE_CREDENTIALS_REFUSED', trouble: false },
  forbidden: { read: 'SOURCE_FORBIDDEN', write: 'SOURCE_FORBIDDEN', trouble: false },
  'no-such-address': { read: 'SOURCE_ENDPOINT_MISSING', write: 'SOURCE_ENDPOINT_MISSING', trouble: false },
  'too-many': { read: 'SOURCE_RATE_LIMITED', write: 'SOURCE_RATE_LIMITED', trouble: false },
  unavailable: { read: 'SOURCE_UNAVAILABLE', write: 'SOURCE_EFFECT_UNKNOWN', trouble: true },
} as const satisfies Record<string, Row>;

export type FailureVerdict = keyof typeof DISPOSITION_TABLE;

export type Verdict =
  | { readonly verdict: 'success'; readonly body: JsonObject }
  /** The service's explicit no: surely no effect. `said` tells an envelope from a bare HTTP code. */
  | {
      readonly verdict: 'refused';
      readonly said: 'envelope' | 'http';
      readonly status: number;
      readonly message: string;
      readonly errorCode: string;
    }
  | Failure;

export interface Failure {
  readonly verdict: FailureVerdict;
  readonly message: string;
  /** The message as a value, where it is ours and not the service's. */
  readonly ours?: Message | undefined;
  readonly status: number | null;
  /** Where the service itself said it in JSON, and not a proxy or a page: its code for the error, empty if it names none. */
  readonly errorCode?: string;
}

/** `parse` is given so that a body is parsed once, by whoever owns the parser. */
export function judge(result: HttpResult, parse: (text: string) => unknown): Verdict {
  if (result.outcome === 'failure') return judgeFailure(result);
  const body = readObject(result.body, parse);
  const status = effectiveStatus(result.status, body);
  const message = body === null ? `HTTP ${String(result.status)}` : messageOf(body, result.status);
  const failed = byStatus(status, body);
  if (failed !== null)
    return { verdict: failed, message, status, ...(body !== null && { errorCode: errorCodeOf(body) }) };
  if (status >= 400) return refusal(status, body, message);
  if (body === null) {
    const { message: text, said: ours } = describeBody(result.headers);
    return { verdict: 'unreadable', message: text, ours, status };
  }
  if (saysFailure(body)) return refusal(status, body, message);
  return { verdict: 'success', body };
}

function byStatus(status: number, body: JsonObject | null): FailureVerdict | null {
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 401) return body !== null && saysExpired(body) ? 'token-expired' : 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404 && body === null) return 'no-such-address';
  if (status === 408) return 'no-answer';
  if (status === 429) return 'too-many';
  return status >= 500 || status < 200 ? 'unavailable' : null;
}

function refusal(status: number, body: JsonObject | null, message: string): Verdict {
  const errorCode = body === null ? '' : errorCodeOf(body);
  return { verdict: 'refused', said: body === null ? 'http' : 'envelope', status, message, errorCode };
}

/** Document 2 writes `code` or `error_code`; token endpoints write `error`, which elsewhere is only true or false. */
function errorCodeOf(body: JsonObject): string {
  const error = typeof body['error'] === 'string' ? body['error'] : undefined;
  return asText(body['error_code'] ?? error ?? body['code']) ?? '';
}

function judgeFailure(failure: Extract<HttpResult, { outcome: 'failure' }>): Verdict {
  const { message, said: ours } = failure;
  const said = (verdict: FailureVerdict): Verdict => ({ verdict, message, ours, status: null });
  if (failure.reason === 'origin-refused') return said('origin-refused');
  if (failure.reason === 'aborted')
    return said(failure.reached === 'not-sent' ? 'cancelled-unsent' : 'cancelled');
  if (failure.reached === 'not-sent') return said('not-sent');
  if (failure.reason === 'too-large') return said('too-large');
  return said(failure.reason === 'invalid-response' ? 'unreadable' : 'no-answer');
}

/** Document 2: method and scope errors repeat the HTTP status in `code`; where the two differ, the worse one is believed. */
function effectiveStatus(status: number, body: JsonObject | null): number {
  if (body?.['error'] !== true || status >= 400) return status;
  const code = Number(asText(body['code']) ?? '');
  return code >= 400 && code <= 599 ? code : status;
}

function saysFailure(body: JsonObject): boolean {
  return body['status'] === false || body['success'] === false || body['error'] === true;
}

/**
 * Document 2, "Errors": a 401 for expiry carries `token_expired` or a message mentioning it. The one place where a text
 * decides, because nothing else tells an expiry from a 401 that refreshing would only repeat.
 */
function saysExpired(body: JsonObject): boolean {
  return ['error', 'error_code', 'code', 'message', 'error_description'].some((field) => {
    const written = body[field];
    return typeof written === 'string' && /token_expired|expired/i.test(written);
  });
}

function readObject(bytes: Buffer, parse: (text: string) => unknown): JsonObject | null {
  try {
    const value = parse(bytes.toString('utf8'));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** As long as it came: whoever cleans it of secrets cuts it, since a secret that was cut is not recognised any more. */
function messageOf(body: JsonObject, status: number): string {
  const written = asText(body['message']) ?? '';
  return written === '' ? `HTTP ${String(status)}` : written;
}

function describeBody(headers: Readonly<Record<string, string>>): Words {
  const type = headers['content-type']?.split(';')[0]?.trim().slice(0, 60) ?? 'no content type';
  return told('NOT_A_JSON_OBJECT', { type });
}
