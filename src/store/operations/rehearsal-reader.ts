// Snapshots with the journals that were made of them, in pages.
import type { RehearsalRecords, RehearsedRow } from '../../operations/rehearsal/rehearse.js';
import type { Tx } from '../db.js';

export function createRehearsalReader(db: Pick<Tx, 'rows'>): RehearsalRecords {
  return {
    count: async (tenant, since) => {
      const [row] = await db.rows<{ count: number }>`
        SELECT count(*)::int AS count FROM posting p JOIN document d ON d.id = p.document_id
        WHERE p.tenant_name = ${tenant} AND d.issue_date >= ${since} AND d.snapshot IS NOT NULL AND p.kind IN ('invoice', 'cost')`;
      return row?.count ?? 0;
    },
    page: (tenant, since, after, limit) => db.rows<RehearsedRow>`
      SELECT p.id::text AS "postingId", p.kind, d.guid, d.number, p.state, d.snapshot, p.journal, p.settlement
      FROM posting p JOIN document d ON d.id = p.document_id
      WHERE p.tenant_name = ${tenant} AND d.issue_date >= ${since} AND d.snapshot IS NOT NULL AND p.kind IN ('invoice', 'cost')
        AND (${after}::uuid IS NULL OR p.id > ${after}::uuid)
      ORDER BY p.id LIMIT ${limit}`,
  };
}
