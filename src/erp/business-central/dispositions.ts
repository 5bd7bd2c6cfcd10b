// What an error of Business Central means: by its code first (Microsoft's list of OData error codes), by its status where
// the code says nothing. `Application_*` covers everything that the application itself refuses, in words only.
import * as z from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import type { RejectionCode } from '../erp-adapter.js';
import {
  dispositionOf,
  type FailedSend,
  type HttpDisposition,
  type Purpose,
  transient,
  unknownYet,
} from '../erp-http.js';
import { rejected, told } from '../told.js';

const system = 'Business Central';

interface Row {
  /** The whole code, or its beginning when it ends in an underscore. */
  readonly code: string;
  readonly disposition: HttpDisposition;
  readonly rejection?: RejectionCode;
}

/** First match wins. */
export const BUSINESS_CENTRAL_CODES: readonly Row[] = [
  { code: 'Authentication_', disposition: 'auth' },
  { code: 'Authorization_', disposition: 'auth' },
  { code: 'Request_EntityChanged', disposition: 'transient' },
  // Neither says how far the server had come.
  { code: 'Internal_TenantUnavailable', disposition: 'unknown' },
  { code: 'Internal_ServerError', disposition: 'unknown' },
  { code: 'Internal_EntityWithSameKeyExists', disposition: 'rejected', rejection: 'duplicate' },
  { code: 'Internal_CompanyNotFound', disposition: 'rejected', rejection: 'wrong-company' },
  { code: 'Internal_InvalidTableRelation', disposition: 'rejected', rejection: 'unknown-account' },
  { code: 'Internal_RecordNotFound', disposition: 'rejected' },
  { code: 'Internal_DataNotFoundFilter', disposition: 'rejected' },
  { code: 'Application_', disposition: 'rejected' },
  { code: 'BadRequest_', disposition: 'rejected' },
  { code: 'BadRequest', disposition: 'rejected' },
];

/** `Application_DialogException` has only its text; these are the ones a bookkeeper can do something about. */
export const BUSINESS_CENTRAL_TEXTS: readonly { readonly text: RegExp; readonly code: RejectionCode }[] = [
  { text: /not within your range of allowed posting dates/i, code: 'closed-period' },
  { text: /out of balance/i, code: 'unbalanced' },
  { text: /Direct Posting must be equal to 'Yes'|Blocked must be equal to 'No'/i, code: 'blocked-account' },
  { text: /dimension/i, code: 'unknown-dimension' },
];

const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export function errorIn(body: unknown): { readonly code: string; readonly message: string } | undefined {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return undefined;
  const { code, message } = parsed.data.error;
  return { code, message: message.replace(CORRELATION, '').trim() };
}

/** Another one with every answer: with it in the message no two documents would have the same cause. */
const CORRELATION = /CorrelationId:\s*[0-9a-f-]{36}\.?/gi;

export function judge(
  response: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
  purpose: Purpose,
  now: Date,
): FailedSend {
  const error = errorIn(readWireJson(response.body));
  const row = error && BUSINESS_CENTRAL_CODES.find((each) => fits(each.code, error.code));
  const message = error ? `${error.message} (${error.code})` : `HTTP ${response.status}`;
  switch (dispositionFor(response.status, purpose, row)) {
    case 'auth':
      return { outcome: 'auth', ...told('BUSINESS_CENTRAL_REFUSED', { answer: message }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: message }), response, now);
    case 'unknown':
      return unknownYet(told('SYSTEM_SAYS', { system, answer: message }), response, now);
    case 'rejected':
      return rejected(rejectionOf(row, message), told('SYSTEM_SAYS', { system, answer: message }));
  }
}

/**
 * A code of the list is Business Central's own word, and what it refuses is rolled back. Without one, and with the statuses
 * of the gateways in front of it (429 included, whose body is not documented), a write stays open.
 */
function dispositionFor(status: number, purpose: Purpose, row: Row | undefined): HttpDisposition {
  const isGateways = status === 408 || status === 429 || status > 500;
  return isGateways || !row ? dispositionOf(status, { purpose, isOwn: row !== undefined }) : row.disposition;
}

function rejectionOf(row: Row | undefined, message: string): RejectionCode {
  return row?.rejection ?? BUSINESS_CENTRAL_TEXTS.find((each) => each.text.test(message))?.code ?? 'invalid';
}

function fits(pattern: string, code: string): boolean {
  return pattern.endsWith('_') ? code.startsWith(pattern) : code === pattern;
}
