// Documents that are held to be Created and that a complete list did not show: which they are, and what reading them said.
import type { Guid, TenantName } from '../domain/ids.js';
import { incident } from '../language/incidents/incident-text.js';
import { message } from '../language/messages.js';
import type { SourceKind } from '../domain/source-document.js';
import type { BegunSweep, ReadAgain } from '../sync/intake-records.js';
import { appendAuditMany } from './audit.js';
import { openIncident } from './incidents.js';
import { type Db, type Tx, sql } from './db.js';
import { isFree } from './lease.js';

/** Of what is under way the pipeline itself reads the status. */
const RESTS = sql`p.state IN ('held', 'deferred', 'parked') AND ${isFree('p')}`;
const UNSEEN = (begun: BegunSweep) =>
  sql`d.source_status = 'Created' AND d.last_seen_at < (SELECT started_at FROM sweep WHERE id = ${begun.id}::uuid)`;

export async function unlisted(
  db: Db,
  begun: BegunSweep,
  { tenantName, kind, limit }: { tenantName: TenantName; kind: SourceKind; limit: number },
): Promise<readonly string[]> {
  const rows = await db.rows<{ guid: Guid }>`
    SELECT d.guid FROM document d JOIN posting p ON p.document_id = d.id
    WHERE p.tenant_name = ${tenantName} AND d.kind = ${kind} AND ${UNSEEN(begun)} AND ${RESTS}
    ORDER BY d.last_seen_at LIMIT ${limit}`;
  return rows.map(({ guid }) => guid);
}

interface Unlisted {
  readonly id: string;
  readonly state: string;
  readonly kind: SourceKind;
  readonly number: string;
  readonly guid: Guid;
  readonly status: string;
  readonly may_be_in_books: boolean;
}

export async function recordReadAgain(
  tx: Tx,
  actor: string,
  begun: BegunSweep,
  { tenantName, kind, read }: { tenantName: TenantName; kind: SourceKind; read: readonly ReadAgain[] },
): Promise<void> {
  // Ours until the end: whoever has one of them in hand now keeps it, and it is asked for with the next sweep.
  const resting = await tx.rows<{ id: string }>`
    SELECT p.id FROM document d JOIN posting p ON p.document_id = d.id
    WHERE d.tenant_name = ${tenantName} AND d.kind = ${kind} AND d.guid = ANY(${read.map(({ guid }) => guid)}::text[])
      AND ${UNSEEN(begun)} AND ${RESTS}
    ORDER BY d.id FOR UPDATE OF d, p SKIP LOCKED`;
  const rows = await tx.rows<Unlisted>`
    UPDATE document d SET source_status = x.status, last_seen_at = now()
    FROM jsonb_to_recordset(${JSON.stringify(read)}::jsonb) AS x(guid text, status text), posting p
    WHERE d.tenant_name = ${tenantName} AND d.kind = ${kind} AND d.guid = x.guid AND p.document_id = d.id
      AND p.id = ANY(${resting.map(({ id }) => id)}::uuid[])
    RETURNING p.id, p.state, d.kind, d.number, d.guid, x.status,
      p.erp_reference IS NOT NULL OR EXISTS (
        SELECT 1 FROM attempt a WHERE a.posting_id = p.id AND a.part <> 'reversal'
        AND (a.outcome IS NULL OR a.outcome IN ('unknown', 'pending', 'draft', 'posted')))
      -- A restored database may have forgotten that it was booked.
      OR EXISTS (SELECT 1 FROM bridge WHERE look_up_first_until > now()) AS may_be_in_books`;
  const changed = rows.filter(({ status }) => status !== 'Created');
  await tx.run`
    UPDATE posting SET due_at = now() WHERE id = ANY(${changed.map(({ id }) => id)}::uuid[]) 
      AND state IN ('held', 'deferred') AND reason IS DISTINCT FROM 'HELD_BY_OPERATOR'`;
  const gone = changed.filter(({ state, status }) => state === 'parked' && status === 'gone');
  await end(
    tx,
    actor,
    tenantName,
    gone.filter((row) => !row.may_be_in_books),
  );
  for (const row of gone.filter((one) => one.may_be_in_books)) await alarm(tx, tenantName, row);
}

const DELETED = message('SETTLED_DELETED');

/** Nothing to book, and nothing in the books. */
async function end(tx: Tx, actor: string, tenantName: TenantName, rows: readonly Unlisted[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await tx.run`
    UPDATE posting SET state = 'skipped', state_since = now(), due_at = NULL, tries = 0, fence = fence + 1,
      reason = 'SOURCE_DELETED', reason_subject = '', reason_params = '{}', reason_sentence = NULL
    WHERE id = ANY(${ids}::uuid[])`;
  await tx.run`
    UPDATE incident SET state = 'resolved', resolved_at = now(), resolved_by = ${actor},
      resolution = ${JSON.stringify(DELETED)}
    WHERE posting_id = ANY(${ids}::uuid[]) AND state <> 'resolved'`;
  await appendAuditMany(
    tx,
    ids.map((subject) => ({
      tenantName,
      actor,
      action: 'posting.source-deleted',
      subject,
      details: { from: 'parked', to: 'skipped', reason: 'SOURCE_DELETED' },
    })),
  );
}

async function alarm(tx: Tx, tenantName: TenantName, row: Unlisted): Promise<void> {
  await openIncident(
    tx,
    { tenantName, postingId: row.id },
    incident(
      'PARKED_AND_GONE',
      { kind: row.kind, number: row.number || row.guid },
      { severity: 'critical', fingerprint: row.id },
    ),
  );
}
