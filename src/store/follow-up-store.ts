// Invoices in the books with their payments, and the payments that were found.
import type { Guid, TenantName } from '../domain/ids.js';
import type { PostingState } from '../domain/posting.js';
import {
  type BookedDocument,
  type BookedInvoice,
  type DueRelease,
  invoiceOfPayment,
  type KnownRelease,
  type NewSummary,
  paymentGuid,
  type PaymentStore,
  readReleaseGuid,
  type ReadyDocument,
  releaseGuid,
  type ReleaseStore,
  type SummaryMember,
  type SummaryStore,
} from '../sync/follow-up-records.js';
import { type Db, raw, sql, type Tx } from './db.js';
import type { BookedKind, SourceKind } from '../domain/source-document.js';
import { summaryGuid, type SummaryName } from '../pipeline/mapping/make-journal.js';
import { appendAuditMany } from './audit.js';
import { isFree } from './lease.js';
import { newId } from './ids.js';
import { storable } from './storable.js';
import type { PaymentDeps, ReleaseDeps, SummaryDeps } from '../sync/begin-follow-ups.js';

type Reader = Pick<Tx, 'rows'>;

export function createPaymentStore(db: Db): PaymentStore {
  return {
    cursor: async (tenantName) => {
      const [row] = await db.rows<{ from_date: string | null; age_ms: number; seen_until: string | null }>`
        SELECT from_date, (extract(epoch FROM now() - begun_at) * 1000)::float8 AS age_ms, seen_until
        FROM payment_cursor WHERE tenant_name = ${tenantName}`;
      if (!row) return { fromDate: null, begunAgeMs: null, seenUntil: null };
      return { fromDate: row.from_date, begunAgeMs: row.age_ms, seenUntil: row.seen_until };
    },
    saveCursor: async (tenantName, fromDate) => {
      // One that goes on was begun when it was begun; a complete one has seen what had come in by then.
      await db.run`
        INSERT INTO payment_cursor AS c (tenant_name, from_date, begun_at) VALUES (${tenantName}, ${fromDate}, now())
        ON CONFLICT (tenant_name) DO UPDATE SET from_date = excluded.from_date,
          begun_at = CASE WHEN c.from_date IS NULL THEN now() ELSE c.begun_at END,
          seen_until = CASE WHEN excluded.from_date IS NULL THEN to_char(c.begun_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') ELSE c.seen_until END`;
    },
    withPayments: async (tenantName, guids) => {
      const rows = await db.rows<{ guid: Guid }>`
        SELECT d.guid FROM document d JOIN posting p ON p.document_id = d.id
        WHERE d.tenant_name = ${tenantName} AND d.kind = 'invoice' AND d.guid = ANY(${[...guids]})
          AND (p.settlement_reference IS NOT NULL OR EXISTS (
            SELECT 1 FROM document e WHERE e.tenant_name = d.tenant_name AND e.refer_guid = d.guid AND e.refer_guid <> '' AND e.kind = 'payment'))`;
      return rows.map(({ guid }) => guid);
    },
    bookedInvoices: (tenantName, guids) => bookedInvoices(db, tenantName, guids),
    begin: (tenantName, payments) =>
      beginFollowing(
        db,
        tenantName,
        'payment',
        payments.map(({ invoiceGuid, number, ...payment }) => ({
          ...payment,
          guid: paymentGuid(invoiceGuid, number),
          follows: invoiceGuid,
        })),
      ),
  };
}

interface PaymentRow {
  readonly guid: Guid;
  readonly day: string;
  readonly state: PostingState;
  readonly reason: string | null;
  readonly journal: string | null;
  readonly is_booked: boolean;
  readonly is_reversing: boolean;
  readonly is_before: boolean;
}

interface InvoiceRow {
  readonly guid: Guid;
  readonly key: string;
  readonly state: PostingState;
  readonly is_busy: boolean;
  readonly content_hash: string | null;
  readonly booked_on: string | null;
  readonly journal: string | null;
  readonly settlement: string | null;
  readonly payments: readonly PaymentRow[] | null;
}

export async function bookedInvoices(
  db: Reader,
  tenantName: TenantName,
  guids: readonly string[],
): Promise<readonly BookedInvoice[]> {
  const rows = await db.rows<InvoiceRow>`
    SELECT d.guid, p.key, p.state, p.content_hash, to_char(p.posted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS booked_on, p.journal,
      CASE WHEN p.settlement_reference IS NOT NULL THEN p.settlement END AS settlement,
      coalesce(p.lease_until > now(), false) OR ${reversing('p')} AS is_busy,
      (SELECT jsonb_agg(jsonb_build_object('guid', e.guid, 'day', e.issue_date, 'state', q.state, 'reason', q.reason,
                'journal', q.journal, 'is_booked', q.erp_reference IS NOT NULL,
                'is_reversing', coalesce(q.lease_until > now(), false) OR ${reversing('q')}, 'is_before', coalesce(q.state_since < p.posted_at, false)))
       FROM document e JOIN posting q ON q.document_id = e.id
       WHERE e.tenant_name = d.tenant_name AND e.refer_guid = d.guid AND e.refer_guid <> '' AND e.kind = 'payment') AS payments
    FROM document d JOIN posting p ON p.document_id = d.id
    WHERE d.tenant_name = ${tenantName} AND d.kind = 'invoice' AND d.guid = ANY(${[...guids]})`;
  return rows.map(toInvoice);
}

function toInvoice(row: InvoiceRow): BookedInvoice {
  const payments = (row.payments ?? []).map((payment) => ({
    number: invoiceOfPayment(payment.guid).number,
    day: payment.day,
    state: payment.state,
    reason: payment.reason,
    journal: payment.journal,
    isBooked: payment.is_booked,
    isReversing: payment.is_reversing,
    isBefore: payment.is_before,
  }));
  return {
    guid: row.guid,
    key: row.key,
    state: row.state,
    isBusy: row.is_busy,
    contentHash: row.content_hash,
    bookedOn: row.booked_on ?? '',
    journal: row.journal,
    settlement: row.settlement,
    payments: payments.toSorted((one, other) => one.number - other.number),
  };
}

// Documents in the books of which something waits for its day, and the releases that were begun.

/**
 * An index holds the few postings whose journal says so; inside a text its quotes would be escaped. How few, the planner cannot know,
 * and would read all documents: so each is looked up by itself.
 */
export function createReleaseStore(db: Db): ReleaseStore {
  return {
    due: (tenantName, today, limit) => db.rows<DueRelease>`
      WITH waiting AS MATERIALIZED (
        SELECT document_id, generation, journal FROM posting
        WHERE tenant_name = ${tenantName} AND position('"release":' in journal) > 0 AND kind IN ('invoice', 'cost')
          AND state = 'acknowledged'
      )
      SELECT DISTINCT d.kind, d.guid, p.generation, w.day #>> '{}' AS day, d.number, d.counterparty_name AS "counterpartyName",
        d.counterparty_kennitala AS "counterpartyKennitala"
      FROM waiting p
        CROSS JOIN LATERAL (SELECT * FROM document WHERE id = p.document_id OFFSET 0) d
        CROSS JOIN LATERAL jsonb_path_query(p.journal::jsonb, '$.lines[*].release.days[*]') AS w(day)
      WHERE w.day #>> '{}' <= ${today}
        AND NOT EXISTS (SELECT 1 FROM document e WHERE e.tenant_name = ${tenantName} AND e.kind = 'release'
          AND e.guid = d.guid || '.' || d.kind || '.' || p.generation || '.' || (w.day #>> '{}'))
      ORDER BY day LIMIT ${limit}`,
    begin: (tenantName, releases) =>
      beginFollowing(
        db,
        tenantName,
        'release',
        releases.map((release) => ({
          guid: releaseGuid(release),
          follows: release.guid,
          day: release.day,
          key: release.key,
          documentNumber: release.number,
          currency: 'ISK',
          counterpartyName: release.counterpartyName,
          counterpartyKennitala: release.counterpartyKennitala,
          sourceStatus: '',
        })),
      ),
  };
}

interface Row extends Omit<BookedDocument, 'releases'> {
  readonly releases: readonly KnownRelease[] | null;
  readonly state: PostingState;
}

export async function bookedDocument(
  db: Pick<Tx, 'rows'>,
  tenantName: TenantName,
  kind: SourceKind,
  guid: Guid,
): Promise<BookedDocument | null> {
  const [row] = await db.rows<Row>`
    SELECT p.state, p.generation, p.journal, p.content_hash AS "contentHash", d.snapshot, d.number,
      d.counterparty_name AS "counterpartyName", d.counterparty_kennitala AS "counterpartyKennitala",
      coalesce(p.lease_until > now(), false) OR ${reversing('p')} AS "isBusy",
      (SELECT jsonb_agg(jsonb_build_object('postingId', q.id, 'guid', e.guid, 'state', q.state, 'isBooked', q.erp_reference IS NOT NULL)
                        ORDER BY e.issue_date DESC)
       FROM document e JOIN posting q ON q.document_id = e.id
       WHERE e.tenant_name = d.tenant_name AND e.refer_guid = d.guid AND e.refer_guid <> '' AND e.kind = 'release') AS releases
    FROM document d JOIN posting p ON p.document_id = d.id
    WHERE d.tenant_name = ${tenantName} AND d.kind = ${kind} AND d.guid = ${guid}`;
  if (!row) return null;
  const releases = (row.releases ?? []).filter((release) => readReleaseGuid(release.guid).kind === kind);
  return { ...row, releases };
}

// Days with documents that are ready, the summaries that were begun, and what is in them.

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

// What follows a document that is in the books, a payment or a release: rows of their own, like documents, so that they go through
// the same protocol.

export interface FollowingRow {
  readonly guid: Guid;
  /** Guid of the document. */
  readonly follows: string;
  readonly day: string;
  readonly key: string;
  readonly documentNumber: string;
  readonly currency: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly sourceStatus: string;
}

/** Insert or ignore; how many were new. */
export function beginFollowing(
  db: Pick<Tx, 'run'>,
  tenantName: TenantName,
  kind: Exclude<BookedKind, SourceKind>,
  following: readonly FollowingRow[],
): Promise<number> {
  const rows = following.map((row) => ({ ...row, id: newId(), posting_id: newId() }));
  return db.run`
    WITH input AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(storable(rows))}::jsonb) AS x(id uuid, posting_id uuid, guid text, follows text,
        day text, key text, "documentNumber" text, currency text, "counterpartyName" text, "counterpartyKennitala" text,
        "sourceStatus" text)
    ),
    new_document AS (
      INSERT INTO document (id, tenant_name, kind, guid, number, amount, currency, issue_date, refer_guid, counterparty_name,
                            counterparty_kennitala, source_status, first_seen_at, last_seen_at)
      SELECT id, ${tenantName}, ${kind}, guid, "documentNumber", 0, currency, day, follows, "counterpartyName",
             "counterpartyKennitala", "sourceStatus", now(), now() FROM input
      ON CONFLICT (tenant_name, kind, guid) DO NOTHING RETURNING id
    )
    INSERT INTO posting (id, document_id, tenant_name, kind, key, state, state_since, due_at, discovered_at, warnings)
    SELECT i.posting_id, n.id, ${tenantName}, ${kind}, i.key, 'discovered', now(), now(), now(), '{}'
    FROM input i JOIN new_document n ON n.id = i.id
    ON CONFLICT (key) DO NOTHING`;
}

/** A reversal of its present entry was sent; what was surely not done does not count. */
export const reversing = (posting: 'p' | 'q') => sql`EXISTS (
  SELECT 1 FROM attempt a WHERE a.posting_id = ${raw(posting)}.id AND a.part = 'reversal' AND a.started_at > ${raw(posting)}.posted_at
    AND coalesce(a.outcome, '') NOT IN ('rejected', 'never-sent', 'transient', 'auth'))`;

// What looks after documents beside the sweeps: their payments, what of them waits for other months, and those that are booked together.

export function followingStages(
  db: Db,
  process: Pick<PaymentDeps, 'runtime' | 'failPoints'>,
  actor: string,
): { readonly payments: PaymentDeps; readonly releases: ReleaseDeps; readonly summaries: SummaryDeps } {
  return {
    payments: { ...process, store: createPaymentStore(db) },
    releases: { ...process, store: createReleaseStore(db) },
    summaries: { store: createSummaryStore(db, actor) },
  };
}
