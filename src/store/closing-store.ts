// What the closing of a period reads: documents with their journals, originals and places in the audit, in pages.
import type { TenantName } from '../domain/ids.js';
import type {
  CertificateRow,
  ClosingDocument,
  ClosingOriginal,
  ClosingRecords,
  NewCertificate,
} from '../operations/closing/records.js';
import type { Companies } from '../operations/access/reach.js';
import type { Act } from '../operations/act.js';
import type { CertificateHead, CertificateSummary } from '../certificate/certificate.js';
import type { Params } from '../domain/message.js';
import { appendAudit, verifyAudit } from './audit.js';
import { creditedInvoices } from './reconciliation-store.js';
import { newId } from './ids.js';
import type { Records } from './database.js';
import type { PrismaClient } from './generated/client.js';
import { type Db, sql, type Tx } from './db.js';
import { type Models, modelTx } from './prisma.js';
import type { RehearsalRecords, RehearsedRow } from '../operations/rehearsal/rehearse.js';
import type { DescriptionRecords } from '../operations/description/description.js';
import type { ExportedPosting, ReversedPosting } from '../operations/views/exported-posting.js';

export function createClosingStore(records: Records): ClosingRecords {
  const { db, models } = records;
  return {
    documents: (tenant, period, after, limit) => documents(db, tenant, period, after, limit),
    snapshot: async (postingId) => {
      const prisma = await models();
      const row = await prisma.posting.findUnique({
        where: { id: postingId },
        select: { document: { select: { snapshot: true } } },
      });
      return row?.document.snapshot ?? null;
    },
    knownNumbers: async (tenant, numbers) => {
      const prisma = await models();
      const rows = await prisma.document.findMany({
        where: { tenantName: tenant, kind: 'invoice', number: { in: [...numbers] } },
        select: { number: true },
      });
      return new Set(rows.map(({ number }) => number));
    },
    creditedInvoices: (tenant, guids) => creditedInvoices(db, tenant, guids),
    audit: (tenant) => readAudit(records, tenant),
    restoredOn: async () => {
      const [row] = await db.rows<{ day: string }>`
        SELECT to_char(restored_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM bridge WHERE look_up_first_until > now()`;
      return row?.day ?? null;
    },
    certificates: (companies, limit) => certificates(db, { companies, id: null }, limit),
    certificate: async (id) => (await certificates(db, { companies: null, id }, 1))[0] ?? null,
    previous: async (tenant) => lastOf(await models(), tenant),
    save: (act, certificate) => save(models, act, certificate),
  };
}

/** Links of statements that ran at once may overlap, so a few before the nearest are looked at; there are never as many as these. */
const LINK_OF_ENTRY = sql`
  SELECT near.number, near.hash FROM (
    SELECT * FROM audit_link l WHERE l.chain = e.chain AND coalesce(l.entry_id, l.entries[1]) <= e.id
    ORDER BY coalesce(l.entry_id, l.entries[1]) DESC LIMIT 64) near
  WHERE near.entry_id = e.id OR e.id = ANY(near.entries)`;

/** Of the summary `p`: entries that undid the part of one document each. */
const UNDONE = sql`
  FROM summary_member m JOIN attempt a ON a.posting_id = m.posting_id
  WHERE p.kind = 'summary' AND m.summary_id = p.id AND a.part = 'reversal' AND a.outcome = 'posted' AND position('"journal":' in a.request) > 0`;

type Row = Omit<ClosingDocument, 'reason' | 'originals' | 'audit' | 'undone'> & {
  readonly undone: ClosingDocument['undone'] | null;
  readonly reasonCode: string | null;
  readonly reasonParams: string | null;
  readonly reasonSentence: string | null;
  readonly originals: readonly ClosingOriginal[] | null;
  readonly audit: readonly string[] | null;
};

async function documents(
  db: Db,
  tenant: TenantName,
  { from, to }: { readonly from: string; readonly to: string },
  after: string | null,
  limit: number,
): Promise<ClosingDocument[]> {
  const rows = await db.rows<Row>`
    WITH page AS (
      SELECT p.id FROM posting p JOIN document d ON d.id = p.document_id
      WHERE p.tenant_name = ${tenant} AND (d.issue_date BETWEEN ${from} AND ${to} OR p.posting_date BETWEEN ${from} AND ${to}
          OR p.kind = 'summary' AND EXISTS (SELECT 1 ${UNDONE} AND a.request::jsonb ->> 'date' BETWEEN ${from} AND ${to}))
        AND (${after}::uuid IS NULL OR p.id > ${after}::uuid)
      ORDER BY p.id LIMIT ${limit}
    )
    SELECT p.id::text AS "postingId", p.kind, d.guid, d.number, d.issue_date AS "issueDate", trim_scale(d.amount)::text AS amount,
      d.currency, d.source_status AS "sourceStatus", p.content_hash AS "contentHash",
      encode(sha256(convert_to(d.snapshot, 'UTF8')), 'hex') AS "snapshotHash", p.key, ${SUMMARY_KEY} AS "summaryKey", p.generation, p.state,
      (SELECT jsonb_agg(jsonb_build_object('key', a.key, 'journal', a.request::jsonb -> 'journal') ORDER BY a.key) ${UNDONE} ) AS undone,
      p.reason AS "reasonCode", p.reason_params AS "reasonParams", p.reason_sentence AS "reasonSentence", p.journal, p.settlement,
      p.posting_date AS "postingDate", p.erp_number AS "erpNumber",
      coalesce(p.settlement_reference::jsonb ->> 'number', p.settlement_reference::jsonb ->> 'id') AS "settlementNumber",
      coalesce((SELECT e.actor FROM audit_entry e WHERE e.subject = p.id::text AND e.action LIKE 'posting.%'
                ORDER BY e.id DESC LIMIT 1), '') AS "decidedBy",
      (SELECT jsonb_agg(jsonb_build_object('role', o.role, 'state', o.state, 'reason', o.reason, 'sha256', o.sha256, 'size', o.size,
                'erpFileName', o.erp_file_name, 'generation', o.generation)
                || CASE WHEN o.expired_at IS NULL THEN '{}' ELSE jsonb_build_object('expired', (o.expired_at AT TIME ZONE 'UTC')::date) END ORDER BY o.generation, o.role)
       FROM original o WHERE o.posting_id = p.id) AS originals,
      (SELECT jsonb_agg(l.number || ':' || l.hash ORDER BY l.number)
       FROM audit_entry e CROSS JOIN LATERAL (${LINK_OF_ENTRY}) l WHERE e.subject = p.id::text) AS audit,
      EXISTS (SELECT 1 FROM audit_entry e WHERE e.subject = p.id::text AND e.action = 'posting.marked-posted-elsewhere') AS "bookedElsewhere"
    FROM page JOIN posting p ON p.id = page.id JOIN document d ON d.id = p.document_id ORDER BY p.id`;
  return rows.map(({ reasonCode, reasonParams, reasonSentence, originals, audit, undone, ...row }) => ({
    ...row,
    undone: undone ?? [],
    reason: reasonCode === null ? null : { code: reasonCode, params: paramsOf(reasonParams, reasonSentence) },
    originals: originals ?? [],
    audit: audit ?? [],
  }));
}

function paramsOf(params: string | null, sentence: string | null): Params {
  if (params !== null) return JSON.parse(params) as Params;
  return sentence === null ? {} : { asWritten: sentence };
}

async function readAudit({ db, models }: Records, tenant: TenantName) {
  const prisma = await models();
  const chain = await prisma.auditChain.findUnique({ where: { name: tenant } });
  const { breaks } = await verifyAudit(db);
  return {
    length: String(chain?.length ?? 0n),
    head: chain?.head ?? '',
    whole: !breaks.some((broken) => broken.chain === tenant),
  };
}

type StoredRow = Omit<CertificateRow, 'summary' | 'madeAt' | 'head'> & {
  readonly summary: string;
  readonly head: string | null;
  readonly madeAt: Date;
};

/** Documents of the certificate `c`, which was green, in which the last reconciliation since then has found a difference. */
const FOUND_SINCE = sql`
  c.verdict = 'green' AND p.key IN (
    SELECT found ->> 'subject' FROM (
      SELECT r.report FROM reconciliation_run r
      WHERE r.tenant_name = c.tenant_name AND r.started_at > c.made_at AND r.from_date <= c.to_date AND r.to_date >= c.from_date
      ORDER BY r.started_at DESC LIMIT 1) last, jsonb_array_elements(last.report::jsonb -> 'differences') found)`;

/** Whatever was seen, read anew, posted or moved after it was made, or was found to differ: the certificate does not know it. */
async function certificates(
  db: Db,
  { companies, id }: { readonly companies: Companies; readonly id: string | null },
  limit: number,
): Promise<CertificateRow[]> {
  const rows = await db.rows<StoredRow>`
    SELECT c.id::text AS id, c.tenant_name AS "tenantName", c.from_date AS "from", c.to_date AS "to", c.made_at AS "madeAt",
      c.made_by AS "madeBy", c.verdict, c.root, c.records, 
      CASE WHEN c.signature IS NOT NULL THEN c.public_key END AS "publicKey", c.file, c.summary, c.head,
      (SELECT count(*)::int FROM posting p JOIN document d ON d.id = p.document_id
       WHERE p.tenant_name = c.tenant_name
         AND (d.issue_date BETWEEN c.from_date AND c.to_date OR p.posting_date BETWEEN c.from_date AND c.to_date)
         AND (d.first_seen_at > c.made_at OR d.snapshot_at > c.made_at OR p.state_since > c.made_at OR ${FOUND_SINCE})) AS "changedSince",
      EXISTS (SELECT 1 FROM certificate n WHERE n.tenant_name = c.tenant_name AND n.made_at > c.made_at
              AND n.from_date <= c.from_date AND n.to_date >= c.to_date) AS superseded
    FROM certificate c
    WHERE (${companies}::text[] IS NULL OR c.tenant_name = ANY(${companies})) AND (${id}::uuid IS NULL OR c.id = ${id}::uuid)
    ORDER BY c.made_at DESC LIMIT ${limit}`;
  return rows.map((row) => ({
    ...row,
    madeAt: row.madeAt.toISOString(),
    summary: JSON.parse(row.summary) as CertificateSummary,
    head: row.head === null ? null : (JSON.parse(row.head) as CertificateHead),
  }));
}

async function save(models: Models, act: Act, certificate: NewCertificate): Promise<string | null> {
  const { summary, head, madeAt, tenantName, from, to, ...rest } = certificate;
  const id = newId();
  return modelTx(models, async (tx) => {
    // Two that are made at once would both follow the same one, and one of them could be left out unnoticed.
    await tx.run`SELECT pg_advisory_xact_lock(hashtext('certificate'), hashtext(${tenantName}))`;
    const last = await lastOf(tx.model, tenantName);
    if ((last?.root ?? null) !== (head.previous?.root ?? null)) return null;
    await tx.model.certificate.create({
      data: {
        ...{ id, tenantName, from, to, ...rest, madeBy: act.actor, verdict: summary.verdict },
        madeAt: new Date(madeAt),
        summary: JSON.stringify(summary),
        head: JSON.stringify(head),
      },
    });
    await appendAudit(tx, {
      ...{
        tenantName,
        actor: act.actor,
        action: 'period.closed',
        subject: `${from}..${to}`,
        reason: act.reason,
      },
      details: { root: certificate.root, verdict: summary.verdict, records: certificate.records },
    });
    return id;
  });
}

function lastOf(models: Pick<PrismaClient, 'certificate'>, tenantName: TenantName) {
  return models.certificate.findFirst({
    where: { tenantName },
    orderBy: { madeAt: 'desc' },
    select: { root: true, to: true },
  });
}

// Snapshots with the journals that were made of them, in pages.

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

// Descriptions of the bookkeeping, in the audit.

const ACTION = 'tenant.described';

export function createDescriptionStore({ db, models }: Records): DescriptionRecords {
  return {
    last: async (tenant, language) => {
      const prisma = await models();
      const row = await prisma.auditEntry.findFirst({
        where: { chain: tenant, action: ACTION, subject: `${tenant} ${language}` },
        orderBy: { id: 'desc' },
      });
      return row === null ? null : (JSON.parse(row.details) as { text: string }).text;
    },
    keep: (tenant, language, text, { actor, reason }) =>
      db.tx((tx) =>
        appendAudit(tx, {
          ...{ tenantName: tenant, actor, reason, action: ACTION, subject: `${tenant} ${language}` },
          details: { text },
        }),
      ),
  };
}

// What was posted in a period, in pages; and what was booked for documents with a reversal, whatever they are now.

/** Of the posting `p`, where its present entry is the journal of its day. */
export const SUMMARY_KEY = sql`(SELECT s.summary_key FROM summary_member s WHERE s.posting_id = p.id AND s.generation = p.generation)`;

const POSTING_COLUMNS = sql`
  p.id::text AS "postingId", p.tenant_name AS "tenantName", p.kind, d.guid, d.number, d.counterparty_name AS "counterpartyName",
  d.counterparty_kennitala AS "counterpartyKennitala", d.issue_date AS "issueDate", coalesce(p.posting_date, '') AS "postingDate",
  coalesce(trim_scale(p.total_isk)::text, '') AS "totalIsk", p.key, ${SUMMARY_KEY} AS "summaryKey", p.state, coalesce(p.erp_number, '') AS "erpNumber",
  coalesce(p.settlement_reference::jsonb ->> 'number', p.settlement_reference::jsonb ->> 'id', '') AS "settlementNumber",
  p.journal, p.settlement`;

export async function readExportPage(
  db: Pick<Tx, 'rows'>,
  { tenant, from, to }: { readonly tenant: TenantName; readonly from: string; readonly to: string },
  after: string | null,
  limit: number,
): Promise<readonly ExportedPosting[]> {
  return db.rows<ExportedPosting>`
    SELECT ${POSTING_COLUMNS} FROM posting p JOIN document d ON d.id = p.document_id
    WHERE p.tenant_name = ${tenant} AND p.posting_date BETWEEN ${from} AND ${to} AND p.erp_reference IS NOT NULL
      -- The journal of a day is its documents, each with its own lines.
      AND p.kind <> 'summary'
      AND (${after}::uuid IS NULL OR p.id > ${after}::uuid)
    ORDER BY p.id LIMIT ${limit}`;
}

/** Reversals are acts of people, so they are few: one look at all attempts a page is enough. */
export async function readReversedPage(
  db: Pick<Tx, 'rows'>,
  tenant: TenantName,
  after: string | null,
  limit: number,
): Promise<readonly ReversedPosting[]> {
  return db.rows<ReversedPosting>`
    SELECT ${POSTING_COLUMNS},
      (SELECT jsonb_agg(jsonb_build_object('part', a.part, 'key', a.key, 'request', a.request,
                'entry', coalesce(a.erp_reference::jsonb ->> 'number', a.erp_reference::jsonb ->> 'id', ''),
                'finishedOn', to_char(a.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')) ORDER BY a.number)
       FROM attempt a WHERE a.posting_id = p.id AND a.outcome = 'posted') AS attempts,
      coalesce((SELECT jsonb_agg(e.details::jsonb -> 'former' ORDER BY e.id)
       FROM audit_entry e WHERE e.subject = p.id::text AND e.action = 'posting.reposted'), '[]'::jsonb) AS former
    FROM posting p JOIN document d ON d.id = p.document_id
    WHERE p.tenant_name = ${tenant} AND (${after}::uuid IS NULL OR p.id > ${after}::uuid)
      AND p.id IN (SELECT posting_id FROM attempt WHERE part = 'reversal' AND outcome = 'posted')
    ORDER BY p.id LIMIT ${limit}`;
}
