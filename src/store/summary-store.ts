// Days with documents that are ready, the summaries that were begun, and what is in them.
import type { TenantName } from '../domain/ids.js';
import type { SourceKind } from '../domain/source-document.js';
import { summaryGuid, type SummaryName } from '../pipeline/mapping/make-journal.js';
import type { NewSummary, ReadyDocument, SummaryMember, SummaryStore } from '../sync/follow-up-records.js';
import { appendAuditMany } from './audit.js';
import { beginFollowing } from './following-rows.js';
import { type Db, type Tx, sql } from './db.js';
import { isFree } from './lease.js';

type Reader = Pick<Tx, 'rows'>;

/** So long a day waits for documents of its own that are to be read once more; what takes longer goes into the next summary. */
const GATHERING = sql`interval '30 minutes'`;
const IS_READY = sql`p.state = 'mapped' AND p.reason = 'AWAITS_SUMMARY'`;

export function createSummaryStore(db: Db, actor: string): SummaryStore {
  return {
    ready: (tenantName, limit) => readyDays(db, tenantName, limit),
    begin: async (tenantName, summaries) =>
      (await reopen(db, actor, tenantName, summaries)) +
      (await beginFollowing(
        db,
        tenantName,
        'summary',
        summaries.map((summary) => ({
          guid: summaryGuid(summary),
          follows: '',
          day: summary.day,
          key: summary.key,
          documentNumber: summary.number,
          currency: 'ISK',
          counterpartyName: '',
          counterpartyKennitala: '',
          sourceStatus: '',
        })),
      )),
  };
}

interface ReadyRow {
  readonly kind: SourceKind;
  readonly day: string;
  readonly last: string | null;
  readonly last_state: string | null;
}

async function readyDays(db: Reader, tenantName: TenantName, limit: number): Promise<readonly SummaryName[]> {
  const rows = await db.rows<ReadyRow>`
    WITH ready AS MATERIALIZED (
      SELECT p.kind, p.posting_date AS day, min(p.state_since) AS since FROM posting p
      WHERE p.tenant_name = ${tenantName} AND ${IS_READY} GROUP BY p.kind, p.posting_date
    )
    SELECT r.kind, r.day, l.guid AS last, l.state AS last_state FROM ready r
    LEFT JOIN LATERAL (
      SELECT d.guid, q.state FROM document d JOIN posting q ON q.document_id = d.id
      WHERE d.tenant_name = ${tenantName} AND d.kind = 'summary' AND d.issue_date = r.day AND d.guid LIKE r.kind || '.%'
      ORDER BY split_part(d.guid, '.', 3)::int DESC LIMIT 1) l ON true
    WHERE (coalesce(l.state, 'skipped') IN ('acknowledged', 'skipped')
        -- What a restored database has forgotten may be in the one that waits for a person.
        OR l.state = 'parked' AND NOT EXISTS (SELECT 1 FROM bridge WHERE look_up_first_until > now()))
      AND (r.since < now() - ${GATHERING} OR NOT EXISTS (
        SELECT 1 FROM posting w WHERE w.tenant_name = ${tenantName} AND w.state = 'deferred' AND w.reason = 'AWAITS_SUMMARY'
          AND w.kind = r.kind AND w.posting_date = r.day AND w.due_at < now() + interval '1 minute'))
    ORDER BY r.day, r.kind LIMIT ${limit}`;
  return rows.map(({ kind, day, last, last_state }) => {
    const serial = Number(last?.split('.')[2] ?? 0);
    // Nothing came of the last one: its number and its key are used again, so that an ERP which took it after all says so.
    return { kind, day, serial: last_state === 'skipped' ? serial : serial + 1 };
  });
}

async function reopen(
  db: Db,
  actor: string,
  tenantName: TenantName,
  summaries: readonly NewSummary[],
): Promise<number> {
  const keys = summaries.map(({ key }) => key);
  return db.tx(async (tx) => {
    const rows = await tx.rows<{ id: string }>`
      UPDATE posting SET state = 'discovered', state_since = now(), fence = fence + 1, tries = 0, due_at = now(),
        reason = NULL, reason_subject = NULL, reason_params = NULL, reason_sentence = NULL
      WHERE tenant_name = ${tenantName} AND key = ANY(${keys}) AND state = 'skipped' AND ${isFree()}
      RETURNING id::text AS id`;
    const details = { from: 'skipped', to: 'discovered' };
    const action = 'posting.begun-again';
    await appendAuditMany(
      tx,
      rows.map(({ id }) => ({ tenantName, actor, action, subject: id, details })),
    );
    return rows.length;
  });
}

export function readyDocuments(
  db: Reader,
  tenantName: TenantName,
  kind: SourceKind,
  day: string,
  limit: number,
): Promise<readonly ReadyDocument[]> {
  return db.rows<ReadyDocument>`
    SELECT p.id::text AS "postingId", p.fence, p.kind, d.guid, d.number, p.key, p.journal
    FROM posting p JOIN document d ON d.id = p.document_id
    WHERE p.tenant_name = ${tenantName} AND ${IS_READY} AND p.kind = ${kind} AND p.posting_date = ${day} AND p.journal IS NOT NULL
      AND ${isFree('p')}
    ORDER BY length(d.number), d.number, p.id LIMIT ${limit}`;
}

export function summaryMembers(db: Reader, summaryId: string): Promise<readonly SummaryMember[]> {
  return db.rows<SummaryMember>`
    SELECT p.id::text AS "postingId", p.kind, d.guid, d.number, p.key, p.journal
    FROM summary_member m JOIN posting p ON p.id = m.posting_id AND p.generation = m.generation JOIN document d ON d.id = p.document_id
    WHERE m.summary_id = ${summaryId}::uuid ORDER BY m.position`;
}
