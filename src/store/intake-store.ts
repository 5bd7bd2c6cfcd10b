// What a sweep found, into the records: insert-or-ignore in bulk, with the wake-ups in the same statement.
import type { TenantName } from '../domain/ids.js';
import { incident } from '../language/incidents/incident-text.js';
import { POSTING_STATES } from '../domain/posting.js';
import type { SourceKind } from '../domain/source-document.js';
import type { ListedDocument } from '../service/invoicing-source.js';
import type { BegunSweep, CursorRecord, IntakeStore, SweepReport } from '../sync/intake-records.js';
import { newId } from './ids.js';
import { openIncident } from './incidents.js';
import { type Listing, lookAtKnown } from './listed-again.js';
import { recordReadAgain, unlisted } from './not-listed.js';
import { storable } from './storable.js';
import { type Db, type Tx, empty, raw, type Sql, sql } from './db.js';

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
