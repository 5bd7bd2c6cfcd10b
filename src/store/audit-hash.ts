// The hash of a link of the audit, said a second time: the database writes it (function link_audit_entries), this checks it, so
// that neither a changed row nor a changed function goes unnoticed.
import { createHash } from 'node:crypto';

export interface HashedEntry {
  /** UTC with milliseconds: 2026-01-31T23:59:59.000Z */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly details: string;
}

export interface HashedLink {
  readonly chain: string;
  readonly number: bigint;
  readonly previous: string;
  /** In the order in which they were written. */
  readonly entries: readonly HashedEntry[];
}

/** Of a link that covers what one statement wrote. */
export function linkHash({ chain, number, previous, entries }: HashedLink): string {
  const contents = entries.flatMap(({ at, actor, action, subject, reason, details }) => [
    at,
    ...[actor, action, subject, reason, details].map(measured),
  ]);
  return sha256(['ledgerbridge/audit/2', measured(chain), String(number), previous, ...contents]);
}

/** Of a link from before, which covers one entry. */
export function singleEntryHash({ chain, number, previous, entries }: HashedLink): string {
  const [entry] = entries;
  if (!entry || entries.length > 1) return '';
  const { at, actor, action, subject, reason, details } = entry;
  const parts = [chain, String(number), previous, at, actor, action, subject, reason, details];
  return sha256(['ledgerbridge/audit/1', ...parts.map(measured)]);
}

function measured(part: string | null): string {
  return part === null ? '-' : `${String(Buffer.byteLength(part))}:${part}`;
}

function sha256(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('|')).digest('hex');
}
