// What a process does, by the role that it was started in.
import { CodedError } from '../domain/errors/coded-error.js';

interface Duties {
  /** Takes documents up: posts, writes back, sweeps, carries originals. */
  readonly posts: boolean;
  /** Hands out turns; one process of all leads. */
  readonly dispatches: boolean;
  /** Starts sweeps by the clock, watches over everything and tells people. */
  readonly schedules: boolean;
  /** Serves the dashboard and the API, not only what a supervisor asks. */
  readonly serves: boolean;
}

export const DUTIES = {
  all: { posts: true, dispatches: true, schedules: true, serves: true },
  worker: { posts: true, dispatches: true, schedules: false, serves: false },
  scheduler: { posts: false, dispatches: true, schedules: true, serves: false },
  dashboard: { posts: false, dispatches: false, schedules: false, serves: true },
} as const satisfies Readonly<Record<string, Duties>>;

export type Role = keyof typeof DUTIES;
export const ROLES = Object.keys(DUTIES) as readonly Role[];

export function asRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  throw new CodedError('CLI_USAGE', `There is no role "${text}". Use one of: ${ROLES.join(', ')}.`);
}
