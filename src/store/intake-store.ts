// What a sweep found, into the records: insert-or-ignore in bulk, with the wake-ups in the same statement.
import type { Guid, TenantName } from '../domain/ids.js';
import { incident } from '../language/incidents/incident-text.js';
import { POSTING_STATES } from '../domain/posting.js';
import type { SourceKind } from '../domain/source-document.js';
import type { ListedDocument } from '../service/invoicing-source.js';
import type {
  BegunSweep,
  CursorRecord,
  IntakeStore,
  ReadAgain,
  SweepReport,
} from '../sync/intake-records.js';
import { newId } from './ids.js';
import { openIncident } from './incidents.js';
import { storable } from './storable.js';
import { type Db, empty, raw, type Sql, sql, type Tx } from './db.js';
import { message } from '../language/messages.js';
import { appendAuditMany } from './audit.js';
import { isFree } from './lease.js';

type KeyOf = (document: ListedDocument, generation: number) => string;

export function createIntakeStore(db: Db, actor: string): IntakeStore {
  return {
    cursor: (tenantName, kind) => cursor(db, tenantName, kind),
    beginSweep: (tenantName, kind, mode) => beginSweep(db, tenantName, kind, mode),
    recordListed: (tenantName, documents, keyOf, listingAgeMs) =>
      db.tx((tx) =>
        recordListed(tx, actor, { tenantName, documents: storable(documents), keyOf, listingAgeMs }),
      ),
    finishSweep: (begun, tenantName, kind, report, next) =>
      finishSweep(db, { begun, tenantName, kind, report, next }),
    moment: () => moment(db),
    countWaiting: (tenantName, kind, since) => countWaiting(db, { tenantName, kind, since }),
    unlisted: (begun, tenantName, kind, limit) => unlisted(db, begun, { tenantName, kind, limit }),
    recordReadAgain: (begun, tenantName, kind, read) =>
      db.tx((tx) => recordReadAgain(tx, actor, begun, { tenantName, kind, read })),
    openIncident: (tenantName, incident) => db.tx((tx) => openIncident(tx, { tenantName }, incident)),
  };
}

async function cursor(db: Db, tenantName: TenantName, kind: SourceKind): Promise<CursorRecord | null> {
  const [row] = await db.rows<{ from_date: string; full_sweep_due: boolean; age_ms: number | null }>`
    SELECT from_date, full_sweep_due, (extract(epoch FROM now() - last_full_sweep_at) * 1000)::float8 AS age_ms
    FROM cursor WHERE tenant_name = ${tenantName} AND kind = ${kind}`;
  return row
    ? { fromDate: row.from_date, fullSweepDue: row.full_sweep_due, lastFullSweepAgeMs: row.age_ms }
    : null;
}

/** To the millisecond, as the moments in the records are. */
async function moment(db: Db): Promise<string> {
  const [row] = await db.rows<{ now: string }>`SELECT date_trunc('milliseconds', now())::text AS now`;
  return row?.now ?? '';
}

interface Asked {
  readonly tenantName: TenantName;
  readonly kind: string;
  /** Of those that were seen since then. */
  readonly since?: string | undefined;
}

async function countWaiting(db: Db, asked: Asked): Promise<number> {
  const [row] = await db.rows<{ count: number }>(waitingSql(asked));
  return row?.count ?? 0;
}

/** Nobody acknowledges what the source does not call Posted. Spelt out, so that the planner knows how few they are. */
const MAY_WAIT = raw(
  POSTING_STATES.filter((state) => state !== 'acknowledged')
    .map((state) => `'${state}'`)
    .join(', '),
);

/**
 * Found by the states of the postings: what the source calls a document is in no index, since it changes with every document. Where an
 * account was connected twice there are documents without a posting, which wait all the same: they are looked for nowhere else.
 */
export function waitingSql({ tenantName, kind, since }: Asked): Sql {
  const seen = since === undefined ? empty : sql`AND d.last_seen_at >= ${since}::timestamptz`;
  return sql`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM posting p JOIN document d ON d.id = p.document_id
      WHERE p.tenant_name = ${tenantName} AND p.state IN (${MAY_WAIT}) AND d.kind = ${kind} AND d.source_status = 'Created' ${seen}
      UNION ALL
      SELECT 1 FROM document d
      WHERE EXISTS (SELECT 1 FROM incident WHERE tenant_name = ${tenantName} AND code = 'ACCOUNT_CONNECTED_TWICE')
        AND d.tenant_name = ${tenantName} AND d.kind = ${kind} AND d.source_status = 'Created' ${seen}
        AND NOT EXISTS (SELECT 1 FROM posting p WHERE p.document_id = d.id)) waiting`;
}

/**
 * The version of a cursor is the transaction that wrote its row last: whoever asked for a full sweep since then has written it too. One
 * that is begun is asked for until it is finished, so that it is not lost with the process.
 */
async function beginSweep(
  db: Db,
  tenantName: TenantName,
  kind: SourceKind,
  mode: SweepReport['mode'],
): Promise<BegunSweep> {
  const id = newId();
  const [row] = await db.rows<{ version: string | null }>`
    WITH begun AS (
      INSERT INTO sweep (id, tenant_name, kind, mode, started_at) VALUES (${id}::uuid, ${tenantName}, ${kind}, ${mode}, now())
    ),
    asked AS (
      UPDATE cursor SET full_sweep_due = true WHERE tenant_name = ${tenantName} AND kind = ${kind} AND ${mode} = 'full'
      RETURNING xmin::text AS version
    )
    SELECT coalesce((SELECT version FROM asked),
                    (SELECT xmin::text FROM cursor WHERE tenant_name = ${tenantName} AND kind = ${kind})) AS version`;
  return { id, cursorVersion: row?.version ?? null };
}

interface Recording extends Listing {
  readonly keyOf: KeyOf;
}

async function recordListed(tx: Tx, actor: string, recording: Recording) {
  const { tenantName } = recording;
  const input = sql`jsonb_to_recordset(${JSON.stringify(recording.documents.map((document) => inputRow(document, recording.keyOf)))}::jsonb)
    AS x(id uuid, posting_id uuid, guid text, kind text, number text, amount numeric, currency text, issue_date text,
         name text, kennitala text, status text, refer_guid text, key text)`;
  const [counts] = await tx.rows<{ fresh: readonly string[]; postings: number }>`
    WITH input AS (SELECT * FROM ${input}),
    new_document AS (
      INSERT INTO document (id, tenant_name, kind, guid, number, amount, currency, issue_date, counterparty_name,
                            counterparty_kennitala, source_status, refer_guid, first_seen_at, last_seen_at)
      SELECT id, ${tenantName}, kind, guid, number, amount, currency, issue_date, name, kennitala, status, refer_guid, now(), now() FROM input
      ON CONFLICT (tenant_name, kind, guid) DO NOTHING RETURNING id, guid
    ),
    new_posting AS (
      INSERT INTO posting (id, document_id, tenant_name, kind, key, state, state_since, due_at, discovered_at, warnings)
      SELECT i.posting_id, n.id, ${tenantName}, i.kind, i.key, 'discovered', now(), now(), now(), '{}'
      FROM input i JOIN new_document n ON n.id = i.id
      ON CONFLICT (key) DO NOTHING RETURNING id
    )
    SELECT (SELECT coalesce(array_agg(guid), '{}') FROM new_document) AS fresh, (SELECT count(*) FROM new_posting)::int AS postings`;
  const { fresh, postings } = counts ?? { fresh: [], postings: 0 };
  const isTwice = fresh.length > postings;
  if (isTwice) await connectedTwice(tx, tenantName, fresh.length - postings);
  await wakeCancelled(tx, recording, new Set(fresh));
  const known = knownOf(recording, new Set(fresh));
  const looked =
    known.documents.length === 0 ? { reopened: 0, contradicted: 0 } : await lookAtKnown(tx, actor, known);
  return { discovered: postings, ...looked, incidents: isTwice ? 1 : 0 };
}

function knownOf(recording: Recording, fresh: ReadonlySet<string>): Listing {
  return { ...recording, documents: recording.documents.filter(({ guid }) => !fresh.has(guid)) };
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
    refer_guid: document.referGuid ?? '',
    key: keyOf(document, 0),
  };
}

/** A cancelled invoice that waits for its credit note, or is held because there was none, looks at what has been found. */
async function wakeCancelled(
  tx: Tx,
  { tenantName, documents }: Recording,
  fresh: ReadonlySet<string>,
): Promise<void> {
  const found = documents.filter(({ guid }) => fresh.has(guid)).map(({ referGuid }) => referGuid ?? '');
  const originals = [...new Set(found)].filter((guid) => guid !== '');
  if (originals.length === 0) return;
  await tx.run`
    UPDATE posting p SET due_at = now() FROM document d
    WHERE d.tenant_name = ${tenantName} AND d.kind = 'invoice' AND d.guid = ANY(${originals}) AND p.document_id = d.id
      AND p.state IN ('deferred', 'held') AND p.reason IN ('WAIT_FOR_CREDIT_NOTE', 'CANCELLED')`;
}

async function connectedTwice(tx: Tx, tenantName: TenantName, count: number): Promise<void> {
  await openIncident(
    tx,
    { tenantName },
    incident(
      'ACCOUNT_CONNECTED_TWICE',
      { tenant: tenantName, count },
      { severity: 'critical', fingerprint: tenantName },
    ),
  );
}

interface FinishedSweep {
  readonly begun: BegunSweep;
  readonly tenantName: TenantName;
  readonly kind: SourceKind;
  readonly report: SweepReport;
  readonly next: { readonly fromDate: string; readonly fullSweepDue: boolean; readonly full: boolean } | null;
}

/** One statement, so that the report and the cursor are written together without a round trip for each. */
async function finishSweep(db: Db, sweep: FinishedSweep): Promise<void> {
  const { begun, report, next } = sweep;
  const { pages, listed, discovered, reopened, problems, expectedCount, outcome, message } = storable(report);
  await db.run`
    WITH finished AS (
      UPDATE sweep SET pages = ${pages}, listed = ${listed}, discovered = ${discovered}, reopened = ${reopened}, problems = ${problems},
        expected_count = ${expectedCount}::int, outcome = ${outcome}, message = ${message}, finished_at = now()
      WHERE id = ${begun.id}::uuid
    )
    ${next ? moveCursor(sweep, next) : askForFull(sweep)}`;
}

function moveCursor(
  { begun, tenantName, kind }: FinishedSweep,
  next: NonNullable<FinishedSweep['next']>,
): Sql {
  // What was asked for while this sweep was under way is not answered by it.
  const answered = sql`(${next.full} AND cursor.xmin::text IS NOT DISTINCT FROM ${begun.cursorVersion})`;
  return sql`
    INSERT INTO cursor (tenant_name, kind, from_date, last_sweep_at, last_full_sweep_at, full_sweep_due)
    VALUES (${tenantName}, ${kind}, ${next.fromDate}, now(), CASE WHEN ${next.full} THEN now() END, ${next.fullSweepDue})
    ON CONFLICT (tenant_name, kind) DO UPDATE
    SET from_date = excluded.from_date, last_sweep_at = now(),
        full_sweep_due = excluded.full_sweep_due OR (cursor.full_sweep_due AND NOT ${answered}),
        last_full_sweep_at = coalesce(excluded.last_full_sweep_at, cursor.last_full_sweep_at)`;
}

/** After an outage the fast path may have a hole. */
function askForFull({ tenantName, kind }: FinishedSweep): Sql {
  return sql`UPDATE cursor SET full_sweep_due = true WHERE tenant_name = ${tenantName} AND kind = ${kind}`;
}

// Documents that are held to be Created and that a complete list did not show: which they are, and what reading them said.

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

// Documents that are on record already and that a list shows as Created again: who looks at them anew, and who is told.

export interface Listing {
  readonly tenantName: TenantName;
  /** All of one kind. */
  readonly documents: readonly ListedDocument[];
  /** How long ago the list began to be read: what happened since then is not contradicted by it. */
  readonly listingAgeMs: number;
}

interface Reopened {
  readonly id: string;
  readonly state: string;
  readonly kind: SourceKind;
  readonly number: string;
  readonly guid: Guid;
  readonly was_gone: boolean;
  readonly is_old: boolean;
}

const ALARMS_MAX = 20;

/** A list may be this far behind; what is really Created again is listed afterwards too. */
const LIST_LAG = sql`interval '15 minutes'`;

/**
 * One wrong "gone" costs a sweep. A service that goes on listing what it cannot show is asked less and less often: what was
 * found gone is read again after as long as it had been known by then, an hour at most.
 */
const GONE_FOR = sql`least(p.state_since - p.discovered_at, interval '1 hour')`;

/** Known documents that are listed as Created: the deferred are looked at now, the reopened begin anew. */
export async function lookAtKnown(
  tx: Tx,
  actor: string,
  { tenantName, documents, listingAgeMs }: Listing,
): Promise<{ readonly reopened: number; readonly contradicted: number }> {
  const guids = documents.map((document) => document.guid);
  const listed = sql`d.tenant_name = ${tenantName} AND d.kind = ${documents[0]?.kind} AND d.guid = ANY(${guids})`;
  const known = sql`${listed} AND p.document_id = d.id`;
  const before = sql`now() - ${listingAgeMs} * interval '1 millisecond'`;
  await tx.run`
    UPDATE posting p SET due_at = now() FROM document d
    WHERE ${known} AND p.state = 'deferred' AND p.due_at > now() AND p.state_since < ${before}
      -- It waits for an hour, and is read then; being listed is no news of it.
      AND p.reason IS DISTINCT FROM 'AWAITS_SUMMARY'`;
  const reopened = await tx.rows<Reopened>`
    UPDATE posting p SET state = 'discovered', state_since = now(), due_at = now(), tries = 0,
      reason = NULL, reason_subject = NULL, reason_params = NULL, reason_sentence = NULL
    FROM document d, (SELECT id, state FROM posting) old
    WHERE ${known} AND old.id = p.id AND p.state IN ('skipped', 'rejected') AND d.source_status <> 'Created'
      AND (d.source_status <> 'gone' OR p.state_since + ${GONE_FOR} < now())
      AND ${isFree('p')}
      AND NOT EXISTS (SELECT 1 FROM write_back w WHERE w.posting_id = p.id
                      AND (w.state IN ('pending', 'sent') OR w.acknowledged_at >= ${before}))
    RETURNING p.id, old.state, p.kind, d.number, d.guid, d.source_status = 'gone' AS was_gone,
      p.discovered_at < now() - interval '1 day' AS is_old`;
  // Whoever has one of them in hand ends first: a statement that waits for a row goes on with what it saw of the others before, and would
  // write Created over what a posting has been told meanwhile.
  await tx.run`SELECT 1 FROM document d WHERE ${listed} ORDER BY d.id FOR NO KEY UPDATE`;
  // A list older than what we wrote since does not say what stands there now; were it believed, a later reopening would be
  // no difference any more.
  const seen = await tx.rows<{ contradicted: boolean }>`
    UPDATE document d SET last_seen_at = now(),
      source_status = CASE WHEN EXISTS (SELECT 1 FROM posting p WHERE p.document_id = d.id
                                        AND p.state IN ('acknowledged', 'reversed', 'skipped', 'rejected'))
                      THEN d.source_status ELSE 'Created' END
    WHERE ${listed}
    RETURNING d.source_status <> 'Created' AND NOT EXISTS (
      SELECT 1 FROM posting p WHERE p.document_id = d.id AND p.state_since >= ${before}) AS contradicted`;
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
  for (const row of reopened.filter((one) => one.was_gone && one.is_old).slice(0, ALARMS_MAX))
    await alarmUnreadable(tx, tenantName, row);
  await alarmPostedReopened(tx, tenantName, known, before);
  return { reopened: reopened.length, contradicted: seen.filter((row) => row.contradicted).length };
}

/** Nobody sees a document that is listed for ever and never read, unless it is said. */
async function alarmUnreadable(tx: Tx, tenantName: TenantName, row: Reopened): Promise<void> {
  await openIncident(
    tx,
    { tenantName, postingId: row.id },
    incident(
      'LISTED_BUT_GONE',
      { kind: row.kind, number: row.number || row.guid },
      { severity: 'warning', fingerprint: row.id },
    ),
  );
}

async function alarmPostedReopened(tx: Tx, tenantName: TenantName, known: Sql, before: Sql): Promise<void> {
  const rows = await tx.rows<{ id: string; kind: SourceKind; number: string; guid: Guid; key: string }>`
    SELECT p.id, p.kind, d.number, d.guid, p.key FROM posting p, document d
    WHERE ${known} AND p.state = 'acknowledged' AND p.acknowledged_at < ${before} - ${LIST_LAG} LIMIT ${ALARMS_MAX}`;
  for (const row of rows) {
    await openIncident(
      tx,
      { tenantName, postingId: row.id },
      incident(
        'POSTED_REOPENED',
        { kind: row.kind, number: row.number || row.guid, key: row.key },
        { severity: 'critical', fingerprint: row.id },
      ),
    );
  }
}
