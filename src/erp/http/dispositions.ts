// What an answer of the integration layer means. The contract has codes, so no text is ever read for its meaning.
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import { REJECTION_CODES, type Rejected, type RejectionCode } from '../erp-adapter.js';
import {
  dispositionOf,
  type FailedSend,
  type HttpDisposition,
  type Purpose,
  transient,
  unknownYet,
} from '../erp-http.js';
import { rejected, told } from '../told.js';
import { wireError } from './wire.js';

/**
 * Codes of the contract that are about the connection, each with the statuses it may come with. With these, and with nothing
 * else, the layer vouches that it did nothing. `unavailable` is not among them: a layer says it also when its own ERP has
 * not answered in time, and that ERP may book later.
 */
const CONNECTION_CODES: Readonly<Record<string, Readonly<Record<number, HttpDisposition>>>> = {
  unauthorized: { 200: 'auth', 401: 'auth', 403: 'auth' },
  rate_limited: { 200: 'transient', 429: 'transient' },
};

export function wireErrorOf(response: HttpResponse): { code: string; message: string } | null {
  const body = readWireJson(response.body);
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const parsed = wireError.safeParse(body);
  return parsed.success ? parsed.data.error : null;
}

const system = 'The integration layer';

export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const error = wireErrorOf(response);
  const { status } = response;
  const message = error?.message ?? `HTTP ${status}`;
  const documented = CONNECTION_CODES[error?.code ?? ''] ?? {};
  switch (dispositionOf(status, { purpose, isOwn: error !== null, documented })) {
    case 'auth':
      return { outcome: 'auth', ...told('LAYER_REFUSED', { answer: message }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: message }), response, now);
    case 'unknown':
      return unknownYet(told('SYSTEM_ANSWERED', { system, status, answer: message }), response, now);
    case 'rejected':
      return layerRefused(error?.code ?? 'invalid', message);
  }
}

/** The layer's own words, and nothing else. */
function layerRefused(code: string, message: string): Rejected {
  const ours = code.replace(/_/g, '-') as RejectionCode;
  return rejected(REJECTION_CODES.includes(ours) ? ours : 'invalid', { message });
}
