// One document with everything that is on record about it, and the way from what a person types to its posting.
import type { Companies } from '../../operations/access/reach.js';
import type { AuditQuery, StoredStory } from '../../operations/records.js';
import type { SameDay } from '../../operations/views/document.js';
import type { Attempt, AuditEntry, Posting, WriteBack } from '../generated/client.js';
import { DOCUMENT_COLUMNS, type RawDocumentRow, toDocumentRow } from './document-search.js';
import { INCIDENT_COLUMNS, type IncidentColumns, toIncidentRow } from './incident-rows.js';
import { instantOf, instantOrNull } from '../storable.js';
import { type Db, empty, join, type Sql, sql, type Tx } from '../db.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { AuditEntryView } from '../../operations/views/audit.js';
import type { Page } from '../../operations/views/common.js';
import { withAddresses } from '../audit.js';

const AUDIT_MAX = 200;
const ATTEMPTS_MAX = 100;
const INCIDENTS_MAX = 50;
/** Entry numbers repeat from ledger to ledger, so each tenant may have one. */
const CANDIDATES_MAX = 1_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Pages show so much of a guid where a document has no number. */
const GUID_STUB = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

/**
 * An id of ours, a guid at the source or its beginning as pages show it, a number at the source or in the ledger, a key, the
 * number of its entry: whatever a person has at hand. Each is one look into one index.
 */
export async function identifyPostings(
  db: Db,
  reference: string,
  companies: Companies,
  limit: number,
): Promise<readonly string[]> {
  const id = UUID.test(reference) ? reference : null;
  const guidPrefix = GUID_STUB.test(reference) ? `${reference.toLowerCase()}%` : null;
  const theirs = sql`(${companies}::text[] IS NULL OR tenant_name = ANY(${companies}))`;
  const rows = await db.rows<{ id: string }>(sql`
    SELECT p.id::text AS id FROM posting p WHERE p.document_id IN (
      SELECT document_id FROM posting WHERE id = ${id}::uuid OR key = ${reference}
      UNION SELECT id FROM document WHERE id = ${id}::uuid
      UNION SELECT id FROM document WHERE lower(guid) = lower(${reference})
      UNION SELECT id FROM document WHERE lower(number) = lower(${reference}) AND number <> ''
      UNION (SELECT id FROM document WHERE lower(guid) LIKE ${guidPrefix} AND ${theirs} LIMIT ${limit})
      UNION (SELECT document_id FROM posting WHERE lower(document_no) = lower(${reference}) AND ${theirs} LIMIT ${CANDIDATES_MAX})
      UNION (SELECT document_id FROM posting WHERE erp_number = ${reference} AND ${theirs} LIMIT ${CANDIDATES_MAX})
    ) AND (${companies}::text[] IS NULL OR p.tenant_name = ANY(${companies}))
    ORDER BY p.id LIMIT ${limit}`);
  return rows.map((row) => row.id);
}

type PostingColumns = Pick<
  Posting,
  'journal' | 'settlement' | 'trace' | 'warnings' | 'rulesVersion' | 'erpReference' | 'settlementReference'
> & { readonly leased: boolean; readonly snapshot: string | null; readonly snapshotAt: Date | null };
type AttemptColumns = Omit<Attempt, 'id' | 'postingId' | 'fence' | 'sendBy'>;
type WriteBackColumns = Omit<WriteBack, 'id' | 'postingId'>;

export async function readStory(db: Db, postingId: string): Promise<StoredStory | null> {
  const [row] = await db.rows<RawDocumentRow>(sql`
    SELECT ${DOCUMENT_COLUMNS} FROM posting p JOIN document d ON d.id = p.document_id WHERE p.id = ${postingId}::uuid`);
  if (!row) return null;
  const [summaries, members, audit, incidents, [posting], attempts, writeBacks] = await Promise.all([
    sameDay(
      db,
      sql`p.id IN (SELECT summary_id FROM summary_member WHERE posting_id = ${postingId}::uuid AND generation = ${row.generation})`,
    ),
    sameDay(db, sql`p.id IN (SELECT posting_id FROM summary_member WHERE summary_id = ${postingId}::uuid)`),
    readAudit(db, { subject: postingId, limit: AUDIT_MAX }),
    db.rows<IncidentColumns>(sql`
      SELECT ${INCIDENT_COLUMNS} FROM incident WHERE posting_id = ${postingId}::uuid ORDER BY last_seen_at DESC LIMIT ${INCIDENTS_MAX}`),
    db.rows<PostingColumns>(sql`
      SELECT coalesce(p.lease_until > now(), false) AS leased, d.snapshot, d.snapshot_at AS "snapshotAt", p.journal, p.settlement, p.trace,
        p.warnings, p.rules_version AS "rulesVersion", p.erp_reference AS "erpReference", p.settlement_reference AS "settlementReference"
      FROM posting p JOIN document d ON d.id = p.document_id WHERE p.id = ${postingId}::uuid`),
    db.rows<AttemptColumns>(sql`
      SELECT number, part, key, request, started_at AS "startedAt", last_sent_at AS "lastSentAt", finished_at AS "finishedAt", sends,
        outcome, message, erp_reference AS "erpReference"
      FROM attempt WHERE posting_id = ${postingId}::uuid ORDER BY number DESC LIMIT ${ATTEMPTS_MAX}`),
    db.rows<WriteBackColumns>(sql`
      SELECT number, wanted, message, state, sends, answer, decided_at AS "decidedAt", sent_at AS "sentAt", acknowledged_at AS "acknowledgedAt"
      FROM write_back WHERE posting_id = ${postingId}::uuid ORDER BY number DESC LIMIT ${ATTEMPTS_MAX}`),
  ]);
  if (!posting) return null;
  return {
    row: toDocumentRow(row),
    ...posting,
    snapshotAt: instantOrNull(posting.snapshotAt),
    summary: summaries[0] ?? null,
    members,
    attempts: attempts.reverse().map((attempt) => ({
      ...attempt,
      startedAt: instantOf(attempt.startedAt),
      lastSentAt: instantOrNull(attempt.lastSentAt),
      finishedAt: instantOrNull(attempt.finishedAt),
    })),
    writeBacks: writeBacks.reverse().map((writeBack) => ({
      ...writeBack,
      decidedAt: instantOf(writeBack.decidedAt),
      sentAt: instantOrNull(writeBack.sentAt),
      acknowledgedAt: instantOrNull(writeBack.acknowledgedAt),
    })),
    audit: audit.items,
    incidents: incidents.map(toIncidentRow),
  };
}

/** As many as a summary may hold. */
const MEMBERS_MAX = 500;

function sameDay(db: Db, which: Sql): Promise<SameDay[]> {
  return db.rows<SameDay>(sql`
    SELECT p.id::text AS "postingId", coalesce(p.document_no, nullif(d.number, ''), d.guid) AS number, p.state,
      d.counterparty_name AS "counterpartyName", coalesce(trim_scale(p.total_isk)::text, '0') AS "totalIsk"
    FROM posting p JOIN document d ON d.id = p.document_id WHERE ${which}
    ORDER BY length(p.document_no), p.document_no LIMIT ${MEMBERS_MAX}`);
}

// The audit as people read it: newest first, in pages.

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
