/** What the machine does: retry later; stop (a person); wait as told; find out what happened before anything else; ask for consent. */
export const DISPOSITIONS = ['retry', 'stop', 'rate-limited', 'look-up', 'pause-tenant'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export interface ErrorDefinition {
  readonly disposition: Disposition;
  /** One sentence for a person: what happened. */
  readonly meaning: string;
  /** One sentence: what to do next. */
  readonly remedy: string;
}

/** A table of codes; `as const satisfies` keeps the literal keys. */
export type ErrorTable = Readonly<Record<string, ErrorDefinition>>;
