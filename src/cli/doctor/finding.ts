// One thing that the doctor looked at: what was found, and what to do where it is not as it should be.
import { CodedError } from '../../domain/errors/coded-error.js';
import type { ErrorCode } from '../../domain/errors/registry.js';

export interface DoctorFinding {
  /** machine, settings, port, database, redis, originals, tenants, or `tenant <name>`. */
  readonly area: string;
  readonly severity: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What a bridge that starts refuses with; absent: it can start all the same. */
  readonly code?: ErrorCode;
  /** What to do; on every warning and error. */
  readonly remedy?: string;
}

export function ok(area: string, message: string): DoctorFinding {
  return { area, severity: 'ok', message };
}

export function warning(area: string, message: string, remedy: string): DoctorFinding {
  return { area, severity: 'warning', message, remedy };
}

export function failure(area: string, message: string, remedy: string, code?: ErrorCode): DoctorFinding {
  return { area, severity: 'error', message, remedy, ...(code === undefined ? {} : { code }) };
}

/** A coded error knows its own cure; anything else is a mistake of ours and must be seen as one. */
export function failureOf(area: string, error: unknown): DoctorFinding {
  if (!(error instanceof CodedError)) throw error;
  return failure(area, `${error.message} (${error.code})`, error.definition.remedy, error.code);
}
