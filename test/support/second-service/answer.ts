import type { Json } from './fields.js';

/** What goes back to the client. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly location?: string;
}

/** A call that has been recognised: its name, and what it takes to answer it. */
export interface Recognised {
  readonly surface: 'credential' | 'agent' | 'oauth';
  readonly operation: string;
  readonly scope: string | null;
  readonly credentials: 'fields' | 'basic' | 'bearer' | 'none';
  /** Authenticates, checks, and does it; throws a Refusal that `refuse` can word. */
  readonly perform: (ignore: (keys: readonly string[]) => void) => Answer;
  readonly refuse: (message: string, status: number, extra: Json) => Answer;
}
