// What went wrong as problem+json (RFC 9457), with our codes: the same words as on the command line.
import * as z from 'zod';
import { CodedError } from '../domain/errors/coded-error.js';
import { statusOf } from '../domain/errors/definition.js';
import { maskSecrets } from '../domain/secret.js';

export const problemDocument = z
  .object({
    type: z.string().describe('docs/reference/errors.md tells about the code.'),
    title: z.string().describe('What the code means.'),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    remedy: z.string().describe('What to do next.'),
  })
  .meta({ id: 'ApiProblem' });
export type ProblemDocument = z.infer<typeof problemDocument>;

export function problemOf(error: unknown): ProblemDocument {
  if (!(error instanceof CodedError)) return UNEXPECTED;
  const { meaning, remedy } = error.definition;
  return {
    type: `urn:ledgerbridge:error:${error.code}`,
    title: meaning,
    status: statusOf(error.definition),
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
