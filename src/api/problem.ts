// What went wrong as problem+json (RFC 9457), with our codes: the same words as on the command line.
import { z } from 'zod';
import { CodedError } from '../domain/errors/coded-error.js';
import type { ErrorCode } from '../domain/errors/registry.js';
import { maskSecrets } from '../domain/secret.js';

export const problemDocument = z
  .object({
    type: z.string().describe('docs/errors.md tells about the code.'),
    title: z.string().describe('What the code means.'),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    remedy: z.string().describe('What to do next.'),
  })
  .meta({ id: 'ApiProblem' });
export type ProblemDocument = z.infer<typeof problemDocument>;

const STATUSES: Partial<Record<ErrorCode, number>> = {
  API_UNAUTHORIZED: 401,
  API_FORBIDDEN: 403,
  COMPANY_ROLE: 403,
  API_RATE_LIMITED: 429,
  API_REQUEST_INVALID: 400,
  API_PATH_UNKNOWN: 404,
  API_METHOD_UNKNOWN: 405,
  API_KEY_REUSED: 422,
  API_KEY_RUNNING: 409,
  QUERY_INVALID: 400,
  ACT_WITHOUT_REASON: 400,
  NOTHING_CHOSEN: 400,
  TOKEN_INVALID: 400,
  DOCUMENT_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  INCIDENT_NOT_FOUND: 404,
  TENANT_UNKNOWN: 404,
  TENANT_NOT_CONNECTED: 404,
  DOCUMENT_AMBIGUOUS: 409,
  SECOND_PERSON_NEEDED: 409,
  APPROVAL_NOT_FOUND: 404,
  ACT_NOT_POSSIBLE: 409,
  PLAN_UNCHECKED: 409,
  PLAN_OTHER_COMPANY: 409,
  PLAN_HAS_ERRORS: 409,
  POSTING_BUSY: 409,
  LEASE_LOST: 409,
  ERP_REFERENCE_UNKNOWN: 409,
  ERP_REFERENCE_TAKEN: 409,
  ERP_ENTRY_DIFFERS: 409,
  ERP_CANNOT_REVERSE: 409,
  ERP_REFUSED_REVERSAL: 409,
  MOVE_TO_NEW_REFUSED: 409,
  ERP_NOT_ANSWERING: 502,
  REVERSAL_UNKNOWN: 502,
};

export function problemOf(error: unknown): ProblemDocument {
  if (!(error instanceof CodedError)) return UNEXPECTED;
  const { meaning, remedy, disposition } = error.definition;
  const status = STATUSES[error.code] ?? (disposition === 'stop' ? 500 : 503);
  return {
    type: `urn:ledgerbridge:error:${error.code}`,
    title: meaning,
    status,
    code: error.code,
    detail: maskSecrets(error.message),
    remedy,
  };
}

/** What nobody foresaw is in the log, not in the answer. */
const UNEXPECTED: ProblemDocument = {
  type: 'about:blank',
  title: 'Something unexpected happened.',
  status: 500,
  code: 'UNEXPECTED',
  detail: 'The log of the bridge has the details.',
  remedy: 'Try again; if it stays, report it with the time of this answer.',
};
