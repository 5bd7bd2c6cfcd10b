// Originals that need not be kept any longer. Decided first, with an entry in the audit, and removed afterwards: whoever is killed in
// between leaves a row that says so. A file that belongs to anything younger, of any company, is never handed out for removal.
import type { ExpiryRecords, ExpiryWish } from '../../operations/originals-expiry.js';
import { appendAuditMany } from '../audit.js';
import { type Db, type Sql, sql } from '../db.js';

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
