// Runs over many documents: chosen once, worked off in small transactions, and gone on with by whoever finds one unfinished.
import { messageFrom } from '../../domain/message.js';
import type { Companies } from '../../operations/access/reach.js';
import type { Act, Move } from '../../operations/records.js';
import type {
  ItemResult,
  RunRecords,
  StoredSelection,
  TakenRun,
  StoredRun,
} from '../../operations/run-records.js';
import type { ReplayChoice } from '../../operations/replay-verdict.js';
import { appendAudit } from '../audit.js';
import type { OperationRun } from '../generated/client.js';
import { newId } from '../ids.js';
import { instantOf, instantOrNull, type ReasonColumns, toReason } from '../storable.js';
import { moveAll } from './posting-moves.js';
import type { Records } from '../database.js';
import { type Db, join, sql, type Tx } from '../db.js';

export function createRunRecords(records: Records): RunRecords {
  const { db, models } = records;
  return {
    select: (selection, limit) => select(db, selection, limit),
    startRun: (act, run) => db.tx((tx) => startRun(tx, act, run)),
    takeRun: (runId, owner, leaseMs) => takeRun(db, runId, owner, leaseMs),
    openItems: async (runId, limit) => {
      const prisma = await models();
      const items = await prisma.operationItem.findMany({
        where: { runId, outcome: null },
        orderBy: { number: 'asc' },
        take: limit,
        select: { number: true, postingId: true },
      });
      return items;
    },
    finishItems: (run, owner, leaseMs, results) =>
      db.tx((tx) => finishItems(tx, run, { owner, leaseMs, results })),
    closeRun: (runId, owner) => db.tx((tx) => closeRun(tx, runId, owner)),
    run: async (runId, companies = null) => {
      const [row] = await readRuns(records, { runId, companies, limit: 1 });
      return row ? view(db, row) : null;
    },
    runs: async (limit, companies = null) => {
      const rows = await readRuns(records, { runId: null, companies, limit });
      return Promise.all(rows.map((row) => view(db, row)));
    },
  };
}

/** Newest first. A run that touched a document of somebody else's is somebody else's too. */
async function readRuns(
  { db, models }: Records,
  { runId, companies, limit }: { runId: string | null; companies: Companies; limit: number },
): Promise<OperationRun[]> {
  const found = await db.rows<{ id: string }>`
    SELECT r.id::text AS id FROM operation_run r
    WHERE (${runId}::uuid IS NULL OR r.id = ${runId}::uuid)
      AND (${companies}::text[] IS NULL OR NOT EXISTS (
        SELECT 1 FROM operation_item i JOIN posting p ON p.id = i.posting_id
        WHERE i.run_id = r.id AND NOT p.tenant_name = ANY(${companies})))
    ORDER BY r.created_at DESC LIMIT ${limit}`;
  const ids = found.map(({ id }) => id);
  return (await models()).operationRun.findMany({
    where: { id: { in: ids } },
    orderBy: { createdAt: 'desc' },
  });
}

async function select(db: Db, selection: StoredSelection, limit: number): Promise<readonly string[]> {
  const { postingIds, reason, subject, companies, states, kind } = selection;
  const filters = [sql`state = ANY(${[...states]}::text[])`];
  if (postingIds !== null) filters.push(sql`id = ANY(${[...postingIds]}::uuid[])`);
  if (reason !== null) filters.push(sql`reason = ${reason}`);
  if (subject !== null) filters.push(sql`coalesce(reason_subject, '') = ${subject}`);
  if (companies !== null) filters.push(sql`tenant_name = ANY(${[...companies]}::text[])`);
  if (kind !== null) filters.push(sql`kind = ${kind}`);
  const rows = await db.rows<{ id: string }>`
    SELECT id::text AS id FROM posting WHERE ${join(filters, ' AND ')} ORDER BY id LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

async function startRun(
  tx: Tx,
  act: Act,
  {
    postingIds,
    perSecond,
    choice,
  }: { postingIds: readonly string[]; perSecond: number; choice: ReplayChoice },
): Promise<string> {
  const id = newId();
  await tx.run`
    INSERT INTO operation_run (id, kind, actor, reason, selection, state, per_second, total, created_at)
    VALUES (${id}::uuid, 'replay', ${act.actor}, ${act.reason}, ${JSON.stringify(choice)}, 'running', ${perSecond}, ${postingIds.length}, now())`;
  await tx.run`
    INSERT INTO operation_item (run_id, number, posting_id)
    SELECT ${id}::uuid, x.number, x.id::uuid FROM jsonb_array_elements_text(${JSON.stringify(postingIds)}::jsonb) WITH ORDINALITY AS x(id, number)`;
  await appendAudit(tx, {
    actor: act.actor,
    action: 'run.started',
    subject: id,
    reason: act.reason,
    details: { kind: 'replay', documents: postingIds.length, perSecond, ...choice },
  });
  return id;
}

async function takeRun(
  db: Db,
  runId: string | null,
  owner: string,
  leaseMs: number,
): Promise<TakenRun | null> {
  const [row] = await db.rows<{
    id: string;
    actor: string;
    reason: string;
    selection: string;
    per_second: number;
    total: number;
    age_ms: number;
  }>`
    UPDATE operation_run SET lease_owner = ${owner}, lease_until = now() + ${leaseMs} * interval '1 millisecond'
    WHERE id = (SELECT id FROM operation_run
                WHERE state = 'running' AND (lease_until IS NULL OR lease_until < now() OR lease_owner = ${owner})
                  AND (${runId}::uuid IS NULL OR id = ${runId}::uuid)
                ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id::text AS id, actor, reason, selection, per_second, total, (extract(epoch FROM now() - created_at) * 1000)::float8 AS age_ms`;
  if (!row) return null;
  return {
    id: row.id,
    act: { actor: row.actor, reason: row.reason },
    choice: JSON.parse(row.selection) as ReplayChoice,
    perSecond: row.per_second,
    total: row.total,
    ageMs: row.age_ms,
  };
}

async function finishItems(
  tx: Tx,
  run: TakenRun,
  { owner, leaseMs, results }: { owner: string; leaseMs: number; results: readonly ItemResult[] },
): Promise<boolean> {
  // The row of the run is locked first: two processes that believe to have the lease cannot both count.
  const held = await tx.run`
    UPDATE operation_run SET lease_until = now() + ${leaseMs} * interval '1 millisecond'
    WHERE id = ${run.id}::uuid AND lease_owner = ${owner} AND state = 'running'`;
  if (held === 0) return false;
  // In the order of their tenants, so that two runs lock the chains of the audit in the same order.
  const moves = results
    .flatMap(({ move }) => move ?? [])
    .sort((a, b) => (a.tenantName < b.tenantName ? -1 : 1));
  const moved = await moveAll(tx, run.act, 'replayed', moves);
  await tryConnections(
    tx,
    moves.filter(({ to, postingId }) => to === null && moved.has(postingId)),
  );
  const outcomes = results.map((result) => ({
    number: result.number,
    outcome: moved.has(result.postingId) ? 'moved' : 'refused',
    message: moved.has(result.postingId) ? null : JSON.stringify(result.message),
  }));
  // Only what nobody has finished before counts: two tasks of one process may work off the same run.
  await tx.run`
    WITH finished AS (
      UPDATE operation_item i SET outcome = x.outcome, message = x.message
      FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) AS x(number int, outcome text, message text)
      WHERE i.run_id = ${run.id}::uuid AND i.number = x.number AND i.outcome IS NULL RETURNING i.outcome)
    UPDATE operation_run SET done = done + (SELECT count(*) FROM finished),
      moved = moved + (SELECT count(*) FROM finished WHERE outcome = 'moved'),
      refused = refused + (SELECT count(*) FROM finished WHERE outcome = 'refused')
    WHERE id = ${run.id}::uuid`;
  return true;
}

/** Whoever hurries what waits says that the other side is back: one document finds out now, the rest follow it. */
async function tryConnections(tx: Tx, hurried: readonly Move[]): Promise<void> {
  const tenants = [...new Set(hurried.map(({ tenantName }) => tenantName))];
  if (tenants.length === 0) return;
  await tx.run`
    UPDATE breaker SET open_until = now()
    WHERE tenant_name = ANY(${tenants}) AND state <> 'closed' AND open_until > now()`;
}

async function closeRun(tx: Tx, runId: string, owner: string): Promise<void> {
  const [row] = await tx.rows<{ actor: string; reason: string; moved: number; refused: number }>`
    UPDATE operation_run SET state = 'done', finished_at = now(), lease_owner = NULL, lease_until = NULL
    WHERE id = ${runId}::uuid AND state = 'running' AND lease_owner = ${owner}
      AND NOT EXISTS (SELECT 1 FROM operation_item WHERE run_id = ${runId}::uuid AND outcome IS NULL)
    RETURNING actor, reason, moved, refused`;
  if (!row) return;
  const { actor, reason, moved, refused } = row;
  await appendAudit(tx, {
    actor,
    action: 'run.finished',
    subject: runId,
    reason,
    details: { moved, refused },
  });
}

const REFUSALS_SHOWN = 20;
/** Where a document does not go on at once. */
const RESTING = ['deferred', 'held', 'parked', 'rejected'];

async function view(db: Db, row: OperationRun): Promise<StoredRun> {
  const [[now], rests, refusals] = await Promise.all([
    db.rows<{ arrived: number; rested: number }>`
      SELECT (count(*) FILTER (WHERE p.state IN ('posted', 'writing_back', 'acknowledged')))::int AS arrived,
             (count(*) FILTER (WHERE p.state = ANY(${RESTING})))::int AS rested
      FROM operation_item i JOIN posting p ON p.id = i.posting_id WHERE i.run_id = ${row.id}::uuid AND i.outcome = 'moved'`,
    db.rows<ReasonColumns & { count: number }>`
      SELECT p.reason, p.reason_subject, min(p.reason_params) AS reason_params, min(p.reason_sentence) AS reason_sentence, count(*)::int AS count
      FROM operation_item i JOIN posting p ON p.id = i.posting_id
      WHERE i.run_id = ${row.id}::uuid AND i.outcome = 'moved' AND p.state = ANY(${RESTING}) AND p.reason IS NOT NULL
      GROUP BY p.reason, p.reason_subject ORDER BY count(*) DESC LIMIT ${REFUSALS_SHOWN}`,
    db.rows<{ why: string; count: number }>`
      SELECT coalesce(message, '') AS why, count(*)::int AS count FROM operation_item
      WHERE run_id = ${row.id}::uuid AND outcome = 'refused' GROUP BY 1 ORDER BY 2 DESC LIMIT ${REFUSALS_SHOWN}`,
  ]);
  return {
    id: row.id,
    kind: row.kind,
    actor: row.actor,
    reason: row.reason,
    state: row.state as StoredRun['state'],
    perSecond: row.perSecond,
    total: row.total,
    done: row.done,
    moved: row.moved,
    refused: row.refused,
    arrived: now?.arrived ?? 0,
    rested: now?.rested ?? 0,
    createdAt: instantOf(row.createdAt),
    finishedAt: instantOrNull(row.finishedAt),
    rests: rests.flatMap(({ count, ...columns }) => {
      const why = toReason(columns);
      return why ? [{ why, count }] : [];
    }),
    refusals: refusals.map(({ why, count }) => ({ why: messageFrom(why), count })),
  };
}
