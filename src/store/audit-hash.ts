// The hash of an audit entry in its chain, said a second time: the database writes it (function audit_hash), this
// checks it, so that neither a changed row nor a changed function goes unnoticed.
import { createHash } from 'node:crypto';

export interface HashedEntry {
  readonly chain: string;
  readonly number: bigint;
  readonly previous: string;
  /** UTC with milliseconds: 2026-01-31T23:59:59.000Z */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly details: string;
}

export function auditHash(entry: HashedEntry): string {
  const parts = [
    entry.chain,
    String(entry.number),
    entry.previous,
    entry.at,
    entry.actor,
    entry.action,
    entry.subject,
    entry.reason,
    entry.details,
  ].map((part) => (part === null ? '-' : `${String(Buffer.byteLength(part))}:${part}`));
  return createHash('sha256')
    .update(['ledgerbridge/audit/1', ...parts].join('|'))
    .digest('hex');
}
