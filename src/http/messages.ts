// What goes into one exchange and what comes out of it.
import type { FormData } from 'undici';
import type { Told } from '../domain/message.js';

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
