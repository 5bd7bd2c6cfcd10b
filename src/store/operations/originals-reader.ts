// Originals as people ask for them.
import type { OriginalState } from '../../domain/original.js';
import type { OriginalRow, OriginalsReader } from '../../operations/originals-view.js';
import { appendAudit } from '../audit.js';
import type { Records } from '../database.js';
import { sql } from '../db.js';

type Row = Omit<OriginalRow, 'since' | 'expiredAt'> & {
  readonly since: Date;
  readonly expiredAt: Date | null;
};

export function createOriginalsReader({ db, models }: Records): OriginalsReader {
  return {
    list: async ({ tenant, state, postingId, limit }) => {
      const rows = await db.rows<Row>`
        SELECT o.id::text AS id, o.tenant_name AS "tenantName", d.kind, d.number, d.guid, o.role, o.state, o.state_since AS since, o.reason,
          o.reason_detail AS detail, o.sha256, o.size, o.content_type AS "contentType", o.source_name AS "sourceName",
          o.erp_file_name AS "erpFileName", o.erp_number AS "erpNumber", o.expired_at AS "expiredAt"
        FROM original o JOIN posting p ON p.id = o.posting_id JOIN document d ON d.id = p.document_id
        WHERE (${tenant ?? null}::text IS NULL OR o.tenant_name = ${tenant ?? null})
          AND (${state ?? null}::text IS NULL OR o.state = ${state ?? null})
          AND (${postingId ?? null}::uuid IS NULL OR o.posting_id = ${postingId ?? null}::uuid)
        ORDER BY o.state_since DESC, o.id LIMIT ${limit}`;
      return rows.map((row) => ({
        ...row,
        since: row.since.toISOString(),
        expiredAt: row.expiredAt?.toISOString() ?? null,
      }));
    },
    counts: async (tenant) => {
      const prisma = await models();
      const rows = await prisma.original.groupBy({
        by: ['state'],
        _count: true,
        ...(tenant === null ? {} : { where: { tenantName: tenant } }),
      });
      return Object.fromEntries(rows.map((row) => [row.state, row._count]));
    },
    hashes: async (after, limit) => {
      const rows = await db.rows<{ sha256: string }>`
        SELECT DISTINCT sha256 FROM original WHERE sha256 > ${after} AND expired_at IS NULL ORDER BY sha256 LIMIT ${limit}`;
      return rows.map(({ sha256 }) => sha256);
    },
    hashCount: async () => {
      const [row] = await db.rows<{ count: number }>`
        SELECT count(DISTINCT sha256)::int AS count FROM original WHERE expired_at IS NULL`;
      return row?.count ?? 0;
    },
    owners: async (sha256) => {
      const rows = await db.rows<{ name: string }>`
        SELECT o.tenant_name || ' ' || d.kind || ' ' || coalesce(nullif(d.number, ''), d.guid) AS name
        FROM original o JOIN posting p ON p.id = o.posting_id JOIN document d ON d.id = p.document_id
        WHERE o.sha256 = ${sha256} AND o.expired_at IS NULL ORDER BY 1 LIMIT 10`;
      return rows.map(({ name }) => name);
    },
    retry: (id, act) =>
      db.tx(async (tx) => {
        // What may have been sent is looked for first; what is not in the store is fetched anew.
        const [row] = await tx.rows<{ tenant_name: string; posting_id: string; state: OriginalState }>(sql`
          UPDATE original SET
            state = CASE WHEN state = 'absent' OR sha256 IS NULL OR reason = 'STORE_CHANGED' OR expired_at IS NOT NULL THEN 'wanted'
                         WHEN sends > 0 THEN 'unknown' ELSE 'fetched' END,
            state_since = now(), reason = NULL, reason_detail = NULL, tries = 0, due_at = now(), expired_at = NULL, removed_at = NULL
          WHERE id = ${id}::uuid AND state IN ('parked', 'absent', 'kept')
          RETURNING tenant_name, posting_id::text AS posting_id, state`);
        if (!row) return false;
        await appendAudit(tx, {
          ...{
            tenantName: row.tenant_name,
            actor: act.actor,
            action: 'original.retried',
            subject: row.posting_id,
          },
          ...{ reason: act.reason, details: { state: row.state } },
        });
        return true;
      }),
  };
}
