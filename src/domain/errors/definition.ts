/** What the machine does: retry later; stop (a person); wait as told; find out what happened before anything else; ask for consent. */
export const DISPOSITIONS = ['retry', 'stop', 'rate-limited', 'look-up', 'pause-tenant'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export interface ErrorDefinition {
  readonly disposition: Disposition;
  /** Of an answer of the API or the dashboard; 500 for what stops and 503 for what passes unless given. */
  readonly status?: number;
  /** Of the command line, where it says more than that it failed. */
  readonly exit?: 'usage' | 'problems' | 'unavailable';
  /** One sentence for a person: what happened. */
  readonly meaning: string;
  /** One sentence: what to do next. */
  readonly remedy: string;
}

/** A table of codes; `as const satisfies` keeps the literal keys. */
export type ErrorTable = Readonly<Record<string, ErrorDefinition>>;

export function statusOf({ status, disposition }: ErrorDefinition): number {
  return status ?? (disposition === 'stop' ? 500 : 503);
}
