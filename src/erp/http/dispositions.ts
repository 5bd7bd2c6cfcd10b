// What an answer of the integration layer means. The contract has codes, so no text is ever read for its meaning.
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import { REJECTION_CODES, type Rejected, type RejectionCode } from '../erp-adapter.js';
import { dispositionOf, type FailedSend, type HttpDisposition, transient } from '../http-dispositions.js';
import { wireError } from './wire.js';

/** Codes of the contract that are about the connection, not about the document. */
const CONNECTION_CODES: Readonly<Record<string, HttpDisposition>> = {
  unauthorized: 'auth',
  rate_limited: 'transient',
  unavailable: 'transient',
};

export function wireErrorOf(response: HttpResponse): { code: string; message: string } | null {
  const parsed = wireError.safeParse(readWireJson(response.body));
  return parsed.success ? parsed.data.error : null;
}

export function judge(response: HttpResponse, now: Date): FailedSend {
  const error = wireErrorOf(response);
  const message = error?.message ?? `HTTP ${response.status}`;
  const disposition =
    CONNECTION_CODES[error?.code ?? ''] ??
    (error && response.status < 500 ? 'rejected' : dispositionOf(response.status));
  switch (disposition) {
    case 'auth':
      return {
        outcome: 'auth',
        message: `The integration layer refused the request: ${message} Check the shared secret and the clock.`,
      };
    case 'transient':
      return transient(`The integration layer is busy: ${message}`, response, now);
    case 'unknown':
      return { outcome: 'unknown', message: `The integration layer answered ${response.status}: ${message}` };
    case 'rejected':
      return rejected(error?.code ?? 'invalid', message);
  }
}

function rejected(code: string, message: string): Rejected {
  const ours = code.replace(/_/g, '-') as RejectionCode;
  return { outcome: 'rejected', code: REJECTION_CODES.includes(ours) ? ours : 'invalid', message };
}
