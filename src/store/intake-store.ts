// What a sweep found, into the records: insert-or-ignore in bulk, with the wake-ups in the same statement.
import type { SourceKind } from '../domain/source-document.js';
import type { ListedDocument } from '../invoicing/invoicing-source.js';
import type { BegunSweep, CursorRecord, IntakeStore, SweepReport } from '../pipeline/records.js';
import { appendAuditMany } from './audit.js';
import { Prisma, type PrismaClient } from './generated/client.js';
import { newId } from './ids.js';
import { openIncident, type Transaction } from './incidents.js';
import { storable } from './storable.js';

type KeyOf = (document: ListedDocument, generation: number) => string;

export function createIntakeStore(prisma: PrismaClient, actor: string): IntakeStore {
  return {
    cursor: (tenantName, kind) => cursor(prisma, tenantName, kind),
    beginSweep: async (tenantName, kind, mode) => {
      const id = newId();
      await prisma.sweep.create({ data: { id, tenantName, kind, mode, startedAt: new Date() } });
      return { id, cursorVersion: await cursorVersion(prisma, tenantName, kind) };
    },
    recordListed: (tenantName, documents, keyOf, listingAgeMs) =>
      prisma.$transaction((tx) =>
        recordListed(tx, actor, { tenantName, documents: storable(documents), keyOf, listingAgeMs }),
      ),
    finishSweep: (begun, tenantName, kind, report, next) =>
      prisma.$transaction((tx) => finishSweep(tx, { begun, tenantName, kind, report, next })),
    countWaiting: (tenantName, kind) =>
      prisma.document.count({ where: { tenantName, kind, sourceStatus: 'Created' } }),
    openIncident: (tenantName, incident) =>
      prisma.$transaction((tx) => openIncident(tx, { tenantName }, incident)),
  };
}

async function cursor(
  prisma: PrismaClient,
  tenantName: string,
  kind: SourceKind,
): Promise<CursorRecord | null> {
  const [row] = await prisma.$queryRaw<
    { from_date: string; full_sweep_due: boolean; age_ms: number | null }[]
  >`
    SELECT from_date, full_sweep_due, (extract(epoch FROM now() - last_full_sweep_at) * 1000)::float8 AS age_ms
    FROM cursor WHERE tenant_name = ${tenantName} AND kind = ${kind}`;
  return row
    ? { fromDate: row.from_date, fullSweepDue: row.full_sweep_due, lastFullSweepAgeMs: row.age_ms }
    : null;
}

/** The transaction that wrote the row last: whoever asked for a full sweep since then has written it too. */
async function cursorVersion(prisma: PrismaClient, tenantName: string, kind: string): Promise<string | null> {
  const [row] = await prisma.$queryRaw<{ version: string }[]>`
    SELECT xmin::text AS version FROM cursor WHERE tenant_name = ${tenantName} AND kind = ${kind}`;
  return row?.version ?? null;
}

interface Recording {
  readonly tenantName: string;
  readonly documents: readonly ListedDocument[];
  readonly keyOf: KeyOf;
  /** How long ago the list began to be read: what happened since then is not contradicted by it. */
  readonly listingAgeMs: number;
}

async function recordListed(tx: Transaction, actor: string, recording: Recording) {
  const { tenantName } = recording;
  const input = Prisma.sql`jsonb_to_recordset(${JSON.stringify(recording.documents.map((document) => inputRow(document, recording.keyOf)))}::jsonb)
    AS x(id uuid, posting_id uuid, guid text, kind text, number text, amount numeric, currency text, issue_date text,
         name text, kennitala text, status text, key text)`;
  const [counts] = await tx.$queryRaw<{ documents: number; postings: number }[]>`
    WITH input AS (SELECT * FROM ${input}),
    new_document AS (
      INSERT INTO document (id, tenant_name, kind, guid, number, amount, currency, issue_date, counterparty_name,
                            counterparty_kennitala, source_status, first_seen_at, last_seen_at)
      SELECT id, ${tenantName}, kind, guid, number, amount, currency, issue_date, name, kennitala, status, now(), now() FROM input
      ON CONFLICT (tenant_name, kind, guid) DO NOTHING RETURNING id
    ),
    new_posting AS (
      INSERT INTO posting (id, document_id, tenant_name, kind, key, state, state_since, due_at, discovered_at, warnings)
      SELECT i.posting_id, n.id, ${tenantName}, i.kind, i.key, 'discovered', now(), now(), now(), '{}'
      FROM input i JOIN new_document n ON n.id = i.id
      ON CONFLICT (key) DO NOTHING RETURNING id
    )
    SELECT (SELECT count(*) FROM new_document)::int AS documents, (SELECT count(*) FROM new_posting)::int AS postings`;
  const { documents, postings } = counts ?? { documents: 0, postings: 0 };
  if (documents > postings) await connectedTwice(tx, tenantName, documents - postings);
  const reopened = await lookAtKnown(tx, actor, recording);
  return { discovered: postings, reopened, incidents: documents > postings ? 1 : 0 };
}

function inputRow(document: ListedDocument, keyOf: KeyOf) {
  return {
    id: newId(),
    posting_id: newId(),
    guid: document.guid,
    kind: document.kind,
    number: document.number,
    amount: document.amount,
    currency: document.currency,
    issue_date: document.issueDate,
    name: document.counterpartyName,
    kennitala: document.counterpartyKennitala,
    status: document.accountingStatus,
    key: keyOf(document, 0),
  };
}

/** Known documents that are listed as Created: the deferred are looked at now, the reopened begin anew. */
async function lookAtKnown(
  tx: Transaction,
  actor: string,
  { tenantName, documents, listingAgeMs }: Recording,
): Promise<number> {
  const guids = documents.map((document) => document.guid);
  const known = Prisma.sql`d.tenant_name = ${tenantName} AND d.guid = ANY(${guids}) AND p.document_id = d.id`;
  const before = Prisma.sql`now() - ${listingAgeMs} * interval '1 millisecond'`;
  await tx.$executeRaw`
    UPDATE posting p SET due_at = now() FROM document d
    WHERE ${known} AND p.state = 'deferred' AND p.due_at > now() AND p.state_since < ${before}`;
  const reopened = await tx.$queryRaw<{ id: string; state: string }[]>`
    UPDATE posting p SET state = 'discovered', state_since = now(), due_at = now(), tries = 0, held = false,
      reason = NULL, reason_subject = NULL, reason_sentence = NULL
    FROM document d, (SELECT id, state FROM posting) old
    WHERE ${known} AND old.id = p.id AND p.state IN ('skipped', 'rejected') AND d.source_status <> 'Created'
      AND (p.lease_until IS NULL OR p.lease_until < now())
      AND NOT EXISTS (SELECT 1 FROM write_back w WHERE w.posting_id = p.id
                      AND (w.state IN ('pending', 'sent') OR w.acknowledged_at >= ${before}))
    RETURNING p.id, old.state`;
  // A list older than what we wrote since does not say what stands there now; were it believed, a later reopening would be
  // no difference any more.
  await tx.$executeRaw`
    UPDATE document d SET last_seen_at = now(),
      source_status = CASE WHEN EXISTS (SELECT 1 FROM posting p WHERE p.document_id = d.id
                                        AND p.state IN ('acknowledged', 'reversed', 'skipped', 'rejected'))
                      THEN d.source_status ELSE 'Created' END
    WHERE d.tenant_name = ${tenantName} AND d.guid = ANY(${guids})`;
  await appendAuditMany(
    tx,
    reopened.map((row) => ({
      tenantName,
      actor,
      action: 'posting.reopened-at-source',
      subject: row.id,
      details: { from: row.state, to: 'discovered' },
    })),
  );
  await alarmPostedReopened(tx, tenantName, known, before);
  return reopened.length;
}

async function alarmPostedReopened(
  tx: Transaction,
  tenantName: string,
  known: Prisma.Sql,
  before: Prisma.Sql,
): Promise<void> {
  const rows = await tx.$queryRaw<{ id: string; kind: string; number: string; guid: string; key: string }[]>`
    SELECT p.id, p.kind, d.number, d.guid, p.key FROM posting p, document d
    WHERE ${known} AND p.state = 'acknowledged' AND p.acknowledged_at < ${before} LIMIT 20`;
  for (const row of rows) {
    await openIncident(
      tx,
      { tenantName, postingId: row.id },
      {
        code: 'POSTED_REOPENED',
        fingerprint: `POSTED_REOPENED:${row.id}`,
        severity: 'critical',
        title: `${row.kind} ${row.number || row.guid} is Created again at the source, though it is in the books`,
        details: `Key ${row.key}. Posted is documented as terminal; nothing was posted again.`,
        nextStep: 'Find out who changed it. If the books must follow, reverse and repost it.',
      },
    );
  }
}

async function connectedTwice(tx: Transaction, tenantName: string, count: number): Promise<void> {
  await openIncident(
    tx,
    { tenantName },
    {
      code: 'ACCOUNT_CONNECTED_TWICE',
      fingerprint: `ACCOUNT_CONNECTED_TWICE:${tenantName}`,
      severity: 'critical',
      title: `${tenantName} finds documents that another tenant already carries into the same ledger`,
      details: `${count} documents have a posting key that exists. They are not posted a second time.`,
      nextStep:
        'Remove one of the two tenant files: the same source account is connected to the same ledger twice.',
    },
  );
}

interface FinishedSweep {
  readonly begun: BegunSweep;
  readonly tenantName: string;
  readonly kind: SourceKind;
  readonly report: SweepReport;
  readonly next: { readonly fromDate: string; readonly fullSweepDue: boolean; readonly full: boolean } | null;
}

async function finishSweep(
  tx: Transaction,
  { begun, tenantName, kind, report, next }: FinishedSweep,
): Promise<void> {
  const { mode: _mode, ...figures } = storable(report);
  await tx.sweep.update({ where: { id: begun.id }, data: { ...figures, finishedAt: new Date() } });
  if (next) {
    // What was asked for while this sweep was under way is not answered by it.
    const answered = Prisma.sql`(${next.full} AND cursor.xmin::text IS NOT DISTINCT FROM ${begun.cursorVersion})`;
    await tx.$executeRaw`
      INSERT INTO cursor (tenant_name, kind, from_date, last_sweep_at, last_full_sweep_at, full_sweep_due)
      VALUES (${tenantName}, ${kind}, ${next.fromDate}, now(), CASE WHEN ${next.full} THEN now() END, ${next.fullSweepDue})
      ON CONFLICT (tenant_name, kind) DO UPDATE
      SET from_date = excluded.from_date, last_sweep_at = now(),
          full_sweep_due = excluded.full_sweep_due OR (cursor.full_sweep_due AND NOT ${answered}),
          last_full_sweep_at = coalesce(excluded.last_full_sweep_at, cursor.last_full_sweep_at)`;
    return;
  }
  // After an outage the fast path may have a hole.
  await tx.$executeRaw`UPDATE cursor SET full_sweep_due = true WHERE tenant_name = ${tenantName} AND kind = ${kind}`;
}
