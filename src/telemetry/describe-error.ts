// An error in a log: its code and disposition first, then what a developer needs, causes included.
import { CodedError } from '../domain/errors/coded-error.js';
import { cleanFacts } from './clean.js';

const CAUSES_MAX = 5;
const ERRORS_MAX = 5;
const STACK_MAX = 4000;

export function describeError(error: unknown): unknown {
  return describe(error, 0);
}

function describe(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : cleanFacts({ thrown: error });
  const described: Record<string, unknown> = { type: error.name, message: error.message };
  if (error instanceof CodedError) {
    described['code'] = error.code;
    described['disposition'] = error.definition.disposition;
    described['details'] = cleanFacts(error.details);
  } else if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) {
    described['code'] = error.code;
  }
  described['stack'] = error.stack?.slice(0, STACK_MAX);
  if (depth >= CAUSES_MAX) return described;
  if (error instanceof AggregateError) {
    described['errors'] = error.errors
      .slice(0, ERRORS_MAX)
      .map((inner: unknown) => describe(inner, depth + 1));
  }
  if (error.cause !== undefined) described['cause'] = describe(error.cause, depth + 1);
  return described;
}
