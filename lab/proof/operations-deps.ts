// What the real operations are given in a simulated run. Only those records are there that the acts of the simulation use; an
// act that asks for more ends the run with the name of what it wanted.
import { NOBODY_CLOSES } from '../../src/operations/closing/closing.js';
import type { OperationsDeps } from '../../src/operations/deps.js';
import { NOTHING_GOES_OUT } from '../../src/operations/outgoing/deps.js';
import type { OperationRecords, Act } from '../../src/operations/records.js';
import type { Life } from './life.js';
import { memoryPostingStore } from './memory-posting-store.js';
import { tokensOf } from './signed-in.js';
import { type Machine, tenantOf, type World } from './world.js';
import type { TenantName } from '../../src/domain/ids.js';
import type { ReplayFacts } from '../../src/operations/replay-verdict.js';
import { isHeldByOperator, isUncertain } from '../../src/domain/posting.js';
import { isReversalOf } from '../../src/domain/posting-key.js';
import { latestAttempt, type MemoryRecords, type PostingRow, type RunRow } from './memory-records.js';
import { membershipOf } from './memory-summary-store.js';
import { moveAll, repost } from './memory-dispatch.js';
import type { ItemResult, StoredRun, TakenRun } from '../../src/operations/run-records.js';

export function operationsDeps(
  world: World,
  life: Life,
  owner: string,
  machine = machineOf(world, life),
): OperationsDeps {
  const { kernel, records } = world;
  const tenant = tenantOf(world, life, machine);
  return {
    records: whole(memoryOperations(records, life)),
    postings: () => memoryPostingStore(records, life),
    connections: { names: () => [tenant.name], tenant: () => null, get: () => Promise.resolve(tenant) },
    reconcile: () => Promise.reject(new Error('nobody reconciles here')),
    clock: { now: () => new Date(kernel.nowMs) },
    owner,
    language: 'en',
    files: null,
    poke: () => undefined,
    closing: NOBODY_CLOSES,
    outgoing: NOTHING_GOES_OUT,
    rehearse: () => Promise.reject(new Error('nobody rehearses here')),
    tryChannels: () => Promise.resolve([]),
  };
}

/** Of an operator: it signs in like every process. */
function machineOf({ kernel, records, service, phase }: World, life: Life): Machine {
  if (!service.grant) return { lagMs: 0 };
  const runtime = {
    clock: { now: () => new Date(kernel.nowMs) },
    timers: { sleep: (ms: number) => kernel.sleep(ms) },
    random: { next: () => 0.5, uuid: () => `u${kernel.between('an id', 1, 1e9)}` },
  };
  return {
    lagMs: 0,
    tokens: tokensOf(records, service.grant, life, { runtime, isFaulty: () => phase.isFaulty }),
  };
}

/** The rest of the interface is never asked for; were it, the run would say so. */
function whole(used: UsedRecords): OperationRecords {
  return new Proxy(used, {
    get: (target, name, receiver) => {
      if (!(name in target)) throw new Error(`the simulation keeps no ${String(name)}`);
      return Reflect.get(target, name, receiver) as unknown;
    },
  }) as unknown as OperationRecords;
}

// What operators' acts need of the records, in memory, with the semantics of store/operations: compare-and-set on (state, fence)
// that also wants the lease to be free. What no act of the simulation asks for is not here.

type UsedActRecords = Pick<
  OperationRecords,
  'replayFacts' | 'reversals' | 'moveAll' | 'repost' | 'takeEntry' | 'giveEntryBack' | 'holderOf'
>;
/** Whoever claims a document asks only whose it is. */
interface UsedStory {
  story(postingId: string): Promise<{ readonly row: { readonly tenantName: TenantName } } | null>;
}
type UsedRecords = UsedActRecords & UsedRunRecords & UsedStory;

function memoryOperations(records: MemoryRecords, life: Life): UsedRecords {
  const { kernel } = records;
  return {
    ...memoryRuns(records, life),
    story: async (postingId) => {
      await life.step(1);
      const row = records.rows.get(postingId);
      return row ? { row: { tenantName: row.posting.tenantName } } : null;
    },
    replayFacts: async (postingIds) => {
      await life.step(kernel.between('facts take', 1, 4));
      const facts = postingIds.flatMap((id) => factsOf(records, records.rows.get(id)) ?? []);
      await life.step(1);
      return facts;
    },
    reversals: async (postingId) => {
      await life.step(1);
      if (records.flaws.hideReversals) return [];
      const attempts = records.rows.get(postingId)?.attempts ?? [];
      return attempts
        .filter(({ part }) => part === 'reversal')
        .map((attempt) => records.toAttempt(attempt))
        .reverse();
    },
    takeEntry: async (_tenant, { id }, postingId, forMs) => {
      await life.step(1);
      const held = records.entryLeases.get(id);
      if (held && held.postingId !== postingId && held.until >= kernel.nowMs) return false;
      records.entryLeases.set(id, { postingId, until: kernel.nowMs + forMs });
      return true;
    },
    giveEntryBack: async (_tenant, { id }, postingId) => {
      await life.step(1);
      if (records.entryLeases.get(id)?.postingId === postingId) records.entryLeases.delete(id);
    },
    holderOf: async (_tenant, { id }, besides) => {
      await life.step(1);
      const holder = [...records.rows.values()].find(
        ({ posting }) =>
          posting.reference?.id === id && posting.state !== 'reversed' && posting.id !== besides,
      );
      return holder?.posting.id ?? null;
    },
    moveAll: async (act, action, moves) => {
      await life.step(kernel.between('a move takes', 1, 4));
      const moved = moveAll(records, act, action, moves);
      await life.step(1);
      return moved;
    },
    repost: async (_act, postingId, key, generation) => {
      await life.step(kernel.between('a repost takes', 1, 4));
      const done = repost(records, records.rows.get(postingId), key, generation);
      await life.step(1);
      return done;
    },
  };
}

function factsOf(records: MemoryRecords, row: PostingRow | undefined): ReplayFacts | null {
  if (!row) return null;
  const now = records.kernel.nowMs;
  const { posting, dueAt, sourceStatus } = row;
  const { id: postingId, tenantName, kind, state, fence } = posting;
  const attempt = latestAttempt(row);
  const written = row.writeBacks.at(-1);
  const isOpen = (side: 'source' | 'erp') => {
    const breaker = records.breakers.get(side);
    return breaker !== undefined && breaker.state !== 'closed' && breaker.openUntil > now;
  };
  const mainPosted = posting.reference !== null;
  return {
    postingId,
    tenantName,
    kind,
    state,
    fence,
    reasonCode: posting.reason?.code ?? null,
    held: isHeldByOperator(posting),
    sourceStatus,
    leased: records.isLeased(row),
    due: dueAt !== null && dueAt <= now,
    blocked: isOpen('source') || (['discovered', 'mapped', 'posting'].includes(state) && isOpen('erp')),
    writeBackOpen: written?.state === 'pending' || written?.state === 'sent',
    lastWanted: written?.wanted ?? null,
    mainPosted,
    allPosted: mainPosted && (posting.settlement === null || posting.settlementReference !== null),
    attemptUncertain: attempt !== undefined && isUncertain(attempt),
    reversalBegun:
      !records.flaws.hideBegunReversals &&
      row.attempts.some(
        ({ part, key, outcome }) =>
          part === 'reversal' &&
          (outcome === 'posted' || isUncertain({ outcome })) &&
          isReversalOf(posting.key, key),
      ),
    inSummary: !mainPosted && membershipOf(records, row) !== undefined,
    lastSendAgeMs: attempt ? records.toAttempt(attempt).lastSendAgeMs : null,
  };
}

// Runs over many documents, in memory, with the semantics of store/operations/run-records.ts: chosen once, worked off in small
// transactions, and gone on with by whoever finds one unfinished.

type UsedRunRecords = Pick<
  OperationRecords,
  'select' | 'startRun' | 'takeRun' | 'openItems' | 'finishItems' | 'closeRun' | 'run'
>;

function memoryRuns(records: MemoryRecords, life: Life): UsedRunRecords {
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
