// The audit as people read it: newest first, in pages.
import { CodedError } from '../../domain/errors/coded-error.js';
import type { AuditQuery } from '../../operations/records.js';
import type { AuditEntryView } from '../../operations/views/audit.js';
import type { Page } from '../../operations/views/common.js';
import { withAddresses } from '../audit-addresses.js';
import type { AuditEntry } from '../generated/client.js';
import { instantOf } from './instants.js';
import { type Tx, empty, join, sql } from '../db.js';

type AuditRow = Pick<
  AuditEntry,
  'id' | 'chain' | 'at' | 'actor' | 'action' | 'subject' | 'reason' | 'details'
>;

export async function readAudit(db: Pick<Tx, 'rows'>, query: AuditQuery): Promise<Page<AuditEntryView>> {
  const { chains, subject, actor, after, limit } = query;
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw new CodedError('QUERY_INVALID', `"${after}" is not the end of a page of the audit.`);
  const filters = [
    ...(chains === undefined || chains === null ? [] : [sql`chain = ANY(${[...chains]}::text[])`]),
    ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...(after === undefined ? [] : [sql`id < ${after}::bigint`]),
  ];
  const where = filters.length === 0 ? empty : sql`WHERE ${join(filters, ' AND ')}`;
  const rows = await db.rows<AuditRow>(sql`
    SELECT id, chain, at, actor, action, subject, reason, details FROM audit_entry ${where}
    ORDER BY id DESC LIMIT ${limit + 1}`);
  const shown = rows.slice(0, limit);
  const told = await withAddresses(
    db,
    shown.map(({ details }) => JSON.parse(details) as Record<string, unknown>),
  );
  return {
    items: shown.map((row, index) => ({
      id: String(row.id),
      chain: row.chain,
      at: instantOf(row.at),
      actor: row.actor,
      action: row.action,
      subject: row.subject,
      reason: row.reason,
      details: told[index] ?? {},
    })),
    next: rows.length > limit ? String(shown.at(-1)?.id) : null,
  };
}
