// Originals in the database. Which entries want theirs is found by looking through what was posted since the last look, in one
// statement for all tenants: the posting path does nothing for it.
import { incident } from '../language/incidents/incident-text.js';
import { isSettled, type OriginalState } from '../domain/original.js';
import { storableText } from '../domain/text.js';
import type { OriginalChange, OriginalRecord, OriginalRecords } from '../sync/originals.js';
import { appendAudit } from './audit.js';
import { newId } from './ids.js';
import { openIncident } from './incidents.js';
import { type Db, sql, type Tx } from './db.js';
import { isFree, releaseUnless, takeLease } from './lease.js';
import type { AwaitedOriginals } from '../sync/tenant-context.js';

export interface OriginalsStore extends OriginalRecords {
  /** Rows for the originals of entries that have none yet; how many entries there were. */
  want(tenants: readonly string[], look: OriginalsLook): Promise<number>;
  /** At most so many of each tenant, the longest waiting first; none of a tenant whose source or ERP is away. */
  claim(shares: Readonly<Record<string, number>>, owner: string, leaseMs: number): Promise<OriginalRecord[]>;
}

export interface OriginalsLook {
  /** How far back of the last look: what was committed late is found too. */
  readonly overlapMs: number;
  readonly perTenant: number;
}

export function createOriginalsStore(db: Db): OriginalsStore {
  return {
    want: (tenants, look) => want(db, tenants, look),
    claim: (shares, owner, leaseMs) => claim(db, shares, owner, leaseMs),
    commit: (claimed, change) => db.tx((tx) => commit(tx, claimed, change)),
  };
}

const IN_THE_BOOKS = sql`p.state IN ('posted', 'writing_back', 'acknowledged', 'orphaned') AND p.erp_reference IS NOT NULL`;

async function want(
  db: Db,
  tenants: readonly string[],
  { overlapMs, perTenant }: OriginalsLook,
): Promise<number> {
  if (tenants.length === 0) return 0;
  await db.run`
    INSERT INTO original_cursor (tenant_name, from_at)
    SELECT name, 'epoch' FROM unnest(${[...tenants]}::text[]) AS t(name) ON CONFLICT DO NOTHING`;
  const [row] = await db.rows<{ found: number }>`
    WITH fresh AS (
      SELECT p.id, p.tenant_name, p.generation, p.kind, p.erp_reference, p.erp_number, p.posted_at
      FROM original_cursor c CROSS JOIN LATERAL (
        SELECT p.* FROM posting p
        WHERE p.tenant_name = c.tenant_name AND p.kind IN ('invoice', 'cost') AND ${IN_THE_BOOKS}
          AND p.posted_at >= c.from_at - ${overlapMs} * interval '1 millisecond'
          AND NOT EXISTS (SELECT 1 FROM original o WHERE o.posting_id = p.id AND o.generation = p.generation)
        ORDER BY p.posted_at LIMIT ${perTenant}
      ) p
      WHERE c.tenant_name = ANY(${[...tenants]})
    ),
    added AS (
      INSERT INTO original (id, tenant_name, posting_id, generation, role, state, state_since, erp_reference, erp_number, due_at, created_at)
      SELECT gen_random_uuid(), tenant_name, id, generation, CASE kind WHEN 'invoice' THEN 'pdf' ELSE 'file' END,
             'wanted', now(), erp_reference, erp_number, now(), now()
      FROM fresh ON CONFLICT DO NOTHING
    ),
    -- Who had more than were taken goes on from there; everybody else has been looked through up to now.
    moved AS (
      UPDATE original_cursor c SET from_at = greatest(c.from_at, CASE WHEN f.many THEN f.last ELSE now() END)
      FROM (SELECT c.tenant_name, count(fresh.id) = ${perTenant} AS many, max(fresh.posted_at) AS last
            FROM original_cursor c LEFT JOIN fresh USING (tenant_name)
            WHERE c.tenant_name = ANY(${[...tenants]}) GROUP BY c.tenant_name) f
      WHERE c.tenant_name = f.tenant_name
    )
    SELECT count(*)::int AS found FROM fresh`;
  return row?.found ?? 0;
}

type ClaimedRow = Omit<OriginalRecord, 'reference'> & { readonly erpReference: string };

async function claim(
  db: Db,
  shares: Readonly<Record<string, number>>,
  owner: string,
  leaseMs: number,
): Promise<OriginalRecord[]> {
  const tenants = Object.keys(shares);
  const rows = await db.rows<ClaimedRow>`
    WITH due AS (
      SELECT o.id FROM unnest(${tenants}::text[], ${tenants.map((name) => shares[name] ?? 0)}::int[]) AS t(name, share)
      CROSS JOIN LATERAL (
        SELECT o.id FROM original o
        WHERE o.tenant_name = t.name AND o.due_at <= now() AND ${isFree('o')}
          AND NOT EXISTS (SELECT 1 FROM breaker b WHERE b.tenant_name = t.name AND b.state <> 'closed' AND b.open_until > now())
        ORDER BY o.due_at LIMIT t.share FOR UPDATE SKIP LOCKED
      ) o
    ),
    claimed AS (
      UPDATE original o SET ${takeLease('o', owner, leaseMs)}
      FROM due WHERE o.id = due.id RETURNING o.*
    )
    SELECT o.id, o.tenant_name AS "tenantName", o.posting_id AS "postingId", o.generation, o.role, o.state, o.fence, o.tries, o.sha256,
           o.content_type AS "contentType", o.size, o.erp_reference AS "erpReference",
           d.kind, d.guid, coalesce(p.document_no, nullif(d.number, ''), d.guid) AS "documentNo",
           (extract(epoch FROM now() - o.last_sent_at) * 1000)::float8 AS "sentAgoMs",
           (SELECT CASE WHEN b.look_up_first_until > now() THEN (extract(epoch FROM now() - b.restored_at) * 1000)::float8 END
            FROM bridge b) AS "restoredAgoMs"
    FROM claimed o JOIN posting p ON p.id = o.posting_id JOIN document d ON d.id = p.document_id
    ORDER BY o.created_at, o.id`;
  return rows.map(({ erpReference, ...row }) => ({
    ...row,
    reference: JSON.parse(erpReference) as OriginalRecord['reference'],
  }));
}

const AUDITED: readonly OriginalState[] = ['absent', 'kept', 'attached', 'parked'];

async function commit(tx: Tx, claimed: OriginalRecord, change: OriginalChange): Promise<boolean> {
  const { to, file, reason, sending, beside } = change;
  const state = to ?? null;
  const written = await tx.run`
    UPDATE original SET
      state = coalesce(${state}, state),
      state_since = CASE WHEN ${state}::text IS NULL OR ${state} = state THEN state_since ELSE now() END,
      reason = CASE WHEN ${reason === undefined} THEN reason ELSE ${reason?.code ?? null} END,
      reason_detail = CASE WHEN ${reason === undefined} THEN reason_detail ELSE ${textOrNull(reason?.detail)} END,
      sha256 = coalesce(${file?.sha256 ?? null}, sha256), size = coalesce(${file?.size ?? null}::int, size),
      content_type = coalesce(${file?.contentType ?? null}, content_type),
      source_name = coalesce(${textOrNull(file?.sourceName)}, source_name),
      tries = coalesce(${change.tries ?? null}::int, tries),
      due_at = now() + ${change.dueInMs}::float8 * interval '1 millisecond',
      erp_file_name = coalesce(${sending?.fileName ?? null}, erp_file_name),
      sends = sends + ${sending ? 1 : 0}, last_sent_at = CASE WHEN ${sending !== undefined} THEN now() ELSE last_sent_at END,
      ${releaseUnless(change.keep === true)}
    WHERE id = ${claimed.id}::uuid AND fence = ${claimed.fence}`;
  if (written === 0) return false;
  if (beside) await besideRow(tx, claimed, beside);
  if (to !== undefined && isSettled(to)) await wakeWaiting(tx, claimed.postingId);
  if (to !== undefined && AUDITED.includes(to) && to !== claimed.state) await tell(tx, claimed, change, to);
  return true;
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}

async function besideRow(
  tx: Tx,
  claimed: OriginalRecord,
  { role, file, reason }: NonNullable<OriginalChange['beside']>,
): Promise<void> {
  const state = file ? 'fetched' : reason?.code === 'NONE_AT_SOURCE' ? 'absent' : 'parked';
  await tx.run`
    INSERT INTO original (id, tenant_name, posting_id, generation, role, state, state_since, reason, reason_detail, sha256, size, content_type,
                          source_name, erp_reference, erp_number, due_at, created_at)
    VALUES (${newId()}::uuid, ${claimed.tenantName}, ${claimed.postingId}::uuid, ${claimed.generation}, ${role}, ${state}, now(),
            ${reason?.code ?? null}, ${textOrNull(reason?.detail)}, ${file?.sha256 ?? null}, ${file?.size ?? null}::int,
            ${file?.contentType ?? null}, ${textOrNull(file?.sourceName)}, ${JSON.stringify(claimed.reference)}, ${claimed.reference.number ?? null},
            CASE WHEN ${file !== null} THEN now() END, now())
    ON CONFLICT DO NOTHING`;
}

async function tell(
  tx: Tx,
  claimed: OriginalRecord,
  { reason, file }: OriginalChange,
  to: OriginalState,
): Promise<void> {
  const { tenantName, postingId, role } = claimed;
  const sha256 = file?.sha256 ?? claimed.sha256;
  await appendAudit(tx, {
    tenantName,
    actor: 'worker',
    action: `original.${to}`,
    subject: postingId,
    details: { role, ...(sha256 === null ? {} : { sha256 }), ...(reason ? { code: reason.code } : {}) },
  });
  if (to !== 'parked') return;
  await openIncident(
    tx,
    { tenantName },
    incident(
      'ORIGINALS_PARKED',
      {
        ...{ tenant: tenantName, kind: claimed.kind, number: claimed.documentNo, role },
        ...{ why: reason?.code ?? '', detail: reason?.detail ?? '' },
      },
      { severity: 'warning', fingerprint: tenantName },
    ),
  );
}

// Whether the originals of an entry are where they belong, for tenants whose source is told only then.

export function createAwaitedOriginals(db: Db): AwaitedOriginals {
  return {
    areOpen: async (postingId, generation) => {
      const rows = await db.rows<{ state: string }>`
        SELECT state FROM original WHERE posting_id = ${postingId}::uuid AND generation = ${generation}`;
      return rows.length === 0 || rows.some(({ state }) => !['absent', 'kept', 'attached'].includes(state));
    },
  };
}

/** In the transaction that settles an original: whoever waits for it is looked at now. */
export async function wakeWaiting(tx: Tx, postingId: string): Promise<void> {
  await tx.run`
    UPDATE posting SET due_at = now()
    WHERE id = ${postingId}::uuid AND state = 'posted' AND reason = 'ORIGINALS_AWAITED' AND due_at > now()`;
}
