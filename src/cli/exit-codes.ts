// Stable: scripts depend on them. Documented in docs/cli.md.
import type { ErrorCode } from '../domain/errors/registry.js';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** The command ran; what it looked at has problems. */
  problems: 3,
  /** Nothing to do it with: no bridge, no database, no such tenant. */
  unavailable: 4,
  /** A person said no, or --yes was missing where nobody could be asked. */
  declined: 5,
} as const;

/** Where a coded error says more than "failed". */
const EXIT_BY_CODE: Partial<Record<ErrorCode, number>> = {
  CLI_USAGE: EXIT.usage,
  QUERY_INVALID: EXIT.usage,
  SETTINGS_INVALID: EXIT.usage,
  TENANT_FILE_INVALID: EXIT.problems,
  PLAN_UNCHECKED: EXIT.problems,
  PLAN_OTHER_COMPANY: EXIT.problems,
  PLAN_HAS_ERRORS: EXIT.problems,
  TENANT_UNKNOWN: EXIT.unavailable,
  NO_RECORDS: EXIT.unavailable,
  DOCUMENT_NOT_FOUND: EXIT.unavailable,
  RUN_NOT_FOUND: EXIT.unavailable,
  INCIDENT_NOT_FOUND: EXIT.unavailable,
  DATABASE_UNREACHABLE: EXIT.unavailable,
};

export function exitCodeOf(code: ErrorCode): number {
  return EXIT_BY_CODE[code] ?? EXIT.failed;
}
