// What the ledger says back, before a fault decides what becomes of it on the way.
import type { StoredEntry } from './books.js';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  unauthorized: 401,
  not_found: 404,
  duplicate: 409,
  collision: 409,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

/** Every refusal of the content itself is 422. */
export function refusal(code: string, message: string, existing?: StoredEntry): Answer {
  return {
    status: STATUS_OF_CODE[code] ?? 422,
    body: { error: { code, message, ...(existing === undefined ? {} : { existingId: existing.id }) } },
  };
}

export function done(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body, headers };
}
