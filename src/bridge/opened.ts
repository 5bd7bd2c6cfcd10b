import { CodedError } from '../domain/errors/coded-error.js';

// What was opened closes in the opposite order, all of it: one part that cannot be closed keeps no other open.
export class Opened {
  readonly #closes: (() => unknown)[] = [];

  /** `close` is called once, after everything that is added later. */
  add<Part>(part: Part, close: (part: Part) => unknown): Part {
    this.#closes.push(() => close(part));
    return part;
  }

  /** For parts that are started and stopped. */
  start<Part extends { stop(): unknown }>(part: Part): Part {
    return this.add(part, () => part.stop());
  }

  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'Several parts could not be closed.');
  }
}

// What a process does, by the role that it was started in.

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
const ROLES = Object.keys(DUTIES) as readonly Role[];

export function asRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  throw new CodedError('CLI_USAGE', `There is no role "${text}". Use one of: ${ROLES.join(', ')}.`);
}
