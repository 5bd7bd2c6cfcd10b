// Originals as people ask for them.
import type { OriginalState } from '../../domain/original.js';
import type { OriginalRow, OriginalsReader } from '../../operations/originals-view.js';
import { appendAudit, appendAuditMany } from '../audit.js';
import type { Records } from '../database.js';
import { type Db, sql, type Sql } from '../db.js';
import type { ExpiryRecords, ExpiryWish } from '../../operations/originals-expiry.js';
import type { OriginalsAway } from '../../operations/records.js';

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

// Originals that need not be kept any longer. Decided first, with an entry in the audit, and removed afterwards: whoever is killed in
// between leaves a row that says so. A file that belongs to anything younger, of any company, is never handed out for removal.

export function createExpiryStore(db: Db): ExpiryRecords {
  return {
    preview: async (wish) => {
      const [row] = await db.rows<Counted>`
        WITH old AS (
          SELECT o.sha256, o.size, (${SETTLED}) AS settled, (${certified(wish)}) AS certified ${FROM} WHERE ${isOld(wish)}
        )
        SELECT count(*) FILTER (WHERE settled AND certified)::int AS originals,
          coalesce(sum(size) FILTER (WHERE settled AND certified), 0)::float8 AS bytes,
          count(*) FILTER (WHERE NOT settled)::int AS unsettled,
          count(*) FILTER (WHERE settled AND NOT certified)::int AS uncertified
        FROM old`;
      return row ?? { originals: 0, bytes: 0, unsettled: 0, uncertified: 0 };
    },
    expire: (wish, act, after, limit) =>
      db.tx(async (tx) => {
        const rows = await tx.rows<Expired>`
          WITH old AS (
            SELECT o.id ${FROM} WHERE ${isOld(wish)} AND ${SETTLED} AND ${certified(wish)}
              AND (${after}::uuid IS NULL OR o.id > ${after}::uuid)
            ORDER BY o.id LIMIT ${limit} FOR UPDATE OF o
          )
          UPDATE original o SET expired_at = now() FROM old WHERE o.id = old.id
          RETURNING o.id::text AS id, o.posting_id::text AS "postingId", o.role, o.sha256`;
        await appendAuditMany(
          tx,
          rows.map(({ postingId, role, sha256 }) => ({
            ...{ tenantName: wish.tenant, actor: act.actor, action: 'original.expired', subject: postingId },
            ...{ reason: act.reason, details: { role, sha256, before: wish.before, years: wish.years } },
          })),
        );
        return rows.map(({ id }) => id).sort();
      }),
    toRemove: async (after, limit) => {
      const rows = await db.rows<{ sha256: string }>`
        SELECT DISTINCT o.sha256 FROM original o
        WHERE o.expired_at IS NOT NULL AND o.removed_at IS NULL AND o.sha256 > ${after} AND NOT ${isNeeded(sql`o.sha256`)}
        ORDER BY 1 LIMIT ${limit}`;
      return rows.map(({ sha256 }) => sha256);
    },
    isNeeded: async (sha256) => {
      const [row] = await db.rows<{ needed: boolean }>`SELECT ${isNeeded(sql`${sha256}`)} AS needed`;
      return row?.needed ?? true;
    },
    removed: async (sha256) => {
      await db.run`
        UPDATE original SET removed_at = now() WHERE sha256 = ${sha256} AND expired_at IS NOT NULL AND removed_at IS NULL`;
    },
  };
}

interface Counted {
  readonly originals: number;
  readonly bytes: number;
  readonly unsettled: number;
  readonly uncertified: number;
}

interface Expired {
  readonly id: string;
  readonly postingId: string;
  readonly role: string;
  readonly sha256: string;
}

const FROM = sql`FROM original o JOIN posting p ON p.id = o.posting_id JOIN document d ON d.id = p.document_id`;

/** Nothing more happens to it, nor to its document. */
const SETTLED = sql`o.state IN ('attached', 'kept') AND o.due_at IS NULL AND p.state IN ('acknowledged', 'skipped', 'reversed')`;

/** By the last day on which anything of the document was issued or booked, its payments included. */
function isOld({ tenant, before }: ExpiryWish): Sql {
  return sql`
    o.tenant_name = ${tenant} AND o.sha256 IS NOT NULL AND o.expired_at IS NULL AND d.issue_date ~ '^\\d{4}-\\d\\d-\\d\\d$'
    AND (SELECT max(greatest(d.issue_date, coalesce(b.posting_date, ''))) FROM posting b WHERE b.document_id = d.id) < ${before}`;
}

/** The last certificate of its day is green, and the document has not changed since: nobody needs its originals to find out why. */
export function certified({ alsoUncertified }: Pick<ExpiryWish, 'alsoUncertified'>): Sql {
  if (alsoUncertified) return sql`true`;
  return sql`coalesce((
    SELECT c.verdict = 'green' AND greatest(p.state_since, d.snapshot_at, d.first_seen_at) <= c.made_at FROM certificate c
    WHERE c.tenant_name = d.tenant_name AND d.issue_date BETWEEN c.from_date AND c.to_date
    ORDER BY c.made_at DESC LIMIT 1), false)`;
}

function isNeeded(sha256: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM original n WHERE n.sha256 = ${sha256} AND n.expired_at IS NULL)`;
}

// Whether originals wait for their store. The column and the value are one index, so the answer costs nothing while all is well.

export async function readOriginalsAway(db: Db): Promise<OriginalsAway | null> {
  const [row] = await db.rows<{ count: number; reason: string | null; lastAt: Date | null }>`
    SELECT count(*)::int AS count, max(reason_detail) AS reason, max(state_since) AS "lastAt" FROM original WHERE reason = 'STORE_AWAY'`;
  if (!row || row.lastAt === null) return null;
  return { count: row.count, reason: row.reason ?? '', lastAt: row.lastAt.toISOString() };
}
