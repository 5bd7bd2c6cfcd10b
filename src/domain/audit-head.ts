// The head of a chain of the audit at a moment, as it leaves the database: a line of JSON, the same in a file, in a message of a webhook and in a mail.
export interface AuditHead {
  readonly chain: string;
  readonly number: string;
  readonly hash: string;
  /** When it was read. */
  readonly at: string;
}

export function anchorLine({ at, chain, number, hash }: AuditHead): string {
  return JSON.stringify({ at, chain, number, hash });
}
