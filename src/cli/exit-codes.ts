// Stable: scripts depend on them. Documented in docs/reference/cli.md.
import { ERROR_REGISTRY, type ErrorCode } from '../domain/errors/registry.js';

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

export function exitCodeOf(code: ErrorCode): number {
  const { exit } = ERROR_REGISTRY[code];
  return exit === undefined ? EXIT.failed : EXIT[exit];
}
