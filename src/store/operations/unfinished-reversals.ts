// Reversals that nobody is at any more: their request may have left, or one entry of a document is undone and another still stands.
import type { UnfinishedReversal } from '../../operations/records.js';
import { type Db, type Sql, sql } from '../db.js';
import { isFree } from '../lease.js';

/** More than this are told when some of them are settled. */
const UNFINISHED_MAX = 200;

export async function readUnfinishedReversals(db: Db, begunAgoMs: number): Promise<UnfinishedReversal[]> {
  const rows = await db.rows<Omit<UnfinishedReversal, 'since'> & { readonly since: Date }>(
    unfinishedSql(begunAgoMs),
  );
  return rows.map((row) => ({ ...row, since: row.since.toISOString() }));
}

/**
 * Of a key the latest attempt counts: what became of an earlier one was found out before it was sent again. One that is booked is
 * unfinished while what it has undone is still what the document is booked as; where both are so, the one without an outcome is told.
 */
export function unfinishedSql(begunAgoMs: number): Sql {
  return sql`
    SELECT * FROM (
      SELECT DISTINCT ON (p.id) p.tenant_name AS "tenantName", p.id::text AS posting, p.kind,
        coalesce(nullif(d.number, ''), d.guid) AS number, a.key, a.started_at AS since, a.outcome IS NOT NULL AS "isHalf"
      FROM attempt a JOIN posting p ON p.id = a.posting_id JOIN document d ON d.id = p.document_id
      WHERE a.part = 'reversal' AND a.started_at < now() - ${begunAgoMs} * interval '1 millisecond'
        AND ${isFree('p')}
        AND (a.outcome IS NULL OR a.outcome = 'posted' AND p.state <> 'reversed' AND
          CASE WHEN a.request LIKE '{%' THEN a.request::jsonb -> 'reverses' ->> 'id' END
            IN (p.erp_reference::jsonb ->> 'id', p.settlement_reference::jsonb ->> 'id'))
        AND NOT EXISTS (SELECT 1 FROM attempt later
          WHERE later.posting_id = a.posting_id AND later.key = a.key AND later.number > a.number)
      ORDER BY p.id, "isHalf", a.started_at) AS unfinished
    ORDER BY since LIMIT ${UNFINISHED_MAX}`;
}
