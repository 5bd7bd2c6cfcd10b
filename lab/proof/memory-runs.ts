// Runs over many documents, in memory, with the semantics of store/operations/run-records.ts: chosen once, worked off in small
// transactions, and gone on with by whoever finds one unfinished.
import type { Act, OperationRecords } from '../../src/operations/records.js';
import type { ItemResult, StoredRun, TakenRun } from '../../src/operations/run-records.js';
import type { Life } from './life.js';
import { moveAll } from './memory-moves.js';
import type { MemoryRecords, RunRow } from './memory-records.js';

export type UsedRunRecords = Pick<
  OperationRecords,
  'select' | 'startRun' | 'takeRun' | 'openItems' | 'finishItems' | 'closeRun' | 'run'
>;

export function memoryRuns(records: MemoryRecords, life: Life): UsedRunRecords {
  const { kernel } = records;
  /** One transaction: all of it, or the process died before. */
  const transaction = async <T>(effect: () => T): Promise<T> => {
    await life.step(kernel.between('a run takes', 1, 4));
    const result = effect();
    await life.step(1);
    return result;
  };
  const find = (id: string) => records.runs.find((run) => run.id === id);
  return {
    select: ({ postingIds }, limit) =>
      transaction(() => (postingIds ?? []).filter((id) => records.rows.has(id)).slice(0, limit)),
    startRun: (act, { postingIds, perSecond, choice }) =>
      transaction(() => {
        const id = `00000000-0000-0000-0000-${String(records.runs.length + 1).padStart(12, '0')}`;
        const items = postingIds.map((postingId, index) => ({ number: index + 1, postingId, outcome: null }));
        const common = { id, act, choice, perSecond, total: items.length, items, results: [] };
        records.runs.push({
          ...common,
          createdAt: kernel.nowMs,
          state: 'running',
          leaseOwner: null,
          leaseUntil: 0,
        });
        return id;
      }),
    takeRun: (runId, owner, leaseMs) =>
      transaction(() => {
        const isFree = (run: RunRow) => run.leaseUntil < kernel.nowMs || run.leaseOwner === owner;
        const run = records.runs.find(
          (one) => one.state === 'running' && isFree(one) && (runId === null || one.id === runId),
        );
        if (!run) return null;
        run.leaseOwner = owner;
        run.leaseUntil = kernel.nowMs + leaseMs;
        const { id, act, choice, perSecond, total, createdAt } = run;
        return { id, act, choice, perSecond, total, ageMs: kernel.nowMs - createdAt };
      }),
    openItems: (runId, limit) =>
      transaction(() => (find(runId)?.items ?? []).filter(({ outcome }) => outcome === null).slice(0, limit)),
    finishItems: (taken, owner, leaseMs, results) =>
      transaction(() => {
        const run = find(taken.id);
        if (run?.state !== 'running' || run.leaseOwner !== owner) return false;
        run.leaseUntil = kernel.nowMs + leaseMs;
        finish(records, run, taken, results);
        return true;
      }),
    closeRun: (runId, owner) =>
      transaction(() => {
        const run = find(runId);
        if (run?.leaseOwner !== owner || run.items.some(({ outcome }) => outcome === null)) return;
        run.state = 'done';
        run.leaseOwner = null;
      }),
    run: (runId) =>
      transaction(() => {
        const run = find(runId);
        return run ? viewOf(run) : null;
      }),
  };
}

function finish(
  records: MemoryRecords,
  run: RunRow,
  { act }: TakenRun,
  results: readonly ItemResult[],
): void {
  const moves = results.flatMap(({ move }) => move ?? []);
  const moved = moveAll(records, act, 'replayed', moves);
  // Whoever hurries what waits says that the other side is back: one document finds out now.
  if (moves.some(({ to, postingId }) => to === null && moved.has(postingId)))
    for (const breaker of records.breakers.values())
      if (breaker.state !== 'closed') breaker.openUntil = Math.min(breaker.openUntil, records.kernel.nowMs);
  for (const result of results) {
    const item = run.items.find(({ number }) => number === result.number);
    if (item && item.outcome === null) item.outcome = moved.has(result.postingId) ? 'moved' : 'refused';
    run.results.push(result);
  }
}

function viewOf(run: RunRow): StoredRun {
  const count = (wanted: string) => run.items.filter(({ outcome }) => outcome === wanted).length;
  const act: Act = run.act;
  return {
    id: run.id,
    kind: 'replay',
    actor: act.actor,
    reason: act.reason,
    state: run.state,
    perSecond: run.perSecond,
    total: run.total,
    done: count('moved') + count('refused'),
    moved: count('moved'),
    refused: count('refused'),
    arrived: 0,
    rested: 0,
    rests: [],
    createdAt: new Date(run.createdAt).toISOString(),
    finishedAt: null,
    refusals: [],
  };
}
