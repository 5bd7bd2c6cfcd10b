// Breakers and the handing out of work, in memory, with the semantics of store/breaker-store.ts and store/dispatch-store.ts:
// a side that fails is left alone, then one document goes first, and the rest follow if it works.
import type { BreakerSide, BreakerStore } from '../pipeline/records.js';
import type { Life } from './life.js';
import type { BreakerRow, MemoryRecords, PostingRow } from './memory-records.js';

const FAILURES_MAX = 5;
const OPEN_MS = 15_000;
const OPEN_MS_MAX = 600_000;
const REFUSED_PROBE_MS = 300_000;
const QUIET_MS = 2_000;
/** A wake-up that led to nothing is handed out again after this. */
const AGAIN_AFTER_MS = 30_000;

export function memoryBreakers(records: MemoryRecords, life: Life): BreakerStore {
  const { kernel, breakers } = records;
  const quietUntil = new Map<BreakerSide, number>();
  return {
    succeeded: async (_tenant, side) => {
      if ((quietUntil.get(side) ?? 0) > kernel.nowMs) return;
      await life.step(1);
      breakers.delete(side);
      quietUntil.set(side, kernel.nowMs + QUIET_MS);
    },
    failed: async (_tenant, side, _reason, retryAfterMs) => {
      await life.step(1);
      quietUntil.delete(side);
      breakers.set(side, afterFailure(breakers.get(side), kernel.nowMs, retryAfterMs ?? null));
    },
    refused: async (_tenant, side) => {
      await life.step(1);
      quietUntil.delete(side);
      const failures = (breakers.get(side)?.failures ?? 0) + 1;
      breakers.set(side, {
        state: 'refused',
        failures,
        openUntil: kernel.nowMs + REFUSED_PROBE_MS,
        probe: null,
      });
    },
  };
}

function afterFailure(before: BreakerRow | undefined, now: number, retryAfterMs: number | null): BreakerRow {
  const failures = (before?.failures ?? 0) + 1;
  const tooMany = failures >= FAILURES_MAX;
  const doubled = tooMany ? Math.min(OPEN_MS * 2 ** Math.min(failures - FAILURES_MAX, 10), OPEN_MS_MAX) : 0;
  const wait = Math.max(retryAfterMs ?? 0, doubled);
  const opens = tooMany || retryAfterMs !== null;
  const openUntil = opens ? Math.max(now + wait, before?.openUntil ?? 0) : (before?.openUntil ?? 0);
  const state = before?.state === 'refused' ? 'refused' : opens ? 'open' : (before?.state ?? 'closed');
  return { state, failures, openUntil, probe: null };
}

export type Stage = 'post' | 'write-back';

const TO_FINISH = new Set(['posted', 'writing_back', 'skipped', 'rejected']);
const BEGUN = new Set(['mapped', 'posting']);
/** The source is asked at both stages, the ERP at one. */
const SIDES: Readonly<Record<Stage, readonly BreakerSide[]>> = {
  'write-back': ['source'],
  post: ['source', 'erp'],
};

/** The next ones at a stage; none while a side that they need is left alone, one when it is tried again. */
export function takeDue(records: MemoryRecords, stage: Stage, room: number): PostingRow[] {
  const now = records.kernel.nowMs;
  if (records.isAtRest) return [];
  const troubled = records.flaws.ignoreBreakers
    ? []
    : SIDES[stage]
        .flatMap((side) => records.breakers.get(side) ?? [])
        .filter(({ state }) => state !== 'closed');
  // A probe that was given back without having asked the side that it was to try holds nobody up any longer.
  const holds = ({ probe }: BreakerRow) => !probe || records.isLeased(probe) || probe.queuedUntil > now;
  if (troubled.some((breaker) => breaker.openUntil > now && holds(breaker))) return [];
  const isProbe = troubled.length > 0;
  const rank = ({ posting }: PostingRow) => (isProbe || BEGUN.has(posting.state) ? 0 : 1);
  const due = dueAt(records, stage).sort((a, b) => rank(a) - rank(b) || (a.dueAt ?? 0) - (b.dueAt ?? 0));
  const taken = due.slice(0, isProbe ? 1 : room);
  for (const row of taken) row.queuedUntil = now + AGAIN_AFTER_MS;
  // Until the probe has answered, or is handed out again, nobody else goes.
  for (const probe of isProbe ? taken : [])
    for (const breaker of troubled) Object.assign(breaker, { openUntil: now + AGAIN_AFTER_MS, probe });
  return taken;
}

function dueAt(records: MemoryRecords, stage: Stage): PostingRow[] {
  const now = records.kernel.nowMs;
  const isFree = (row: PostingRow) =>
    records.flaws.ignoreFence === true || (!records.isLeased(row) && row.queuedUntil < now);
  return [...records.rows.values()].filter(
    (row) =>
      row.dueAt !== null &&
      row.dueAt <= now &&
      TO_FINISH.has(row.posting.state) === (stage === 'write-back') &&
      isFree(row),
  );
}

/** Refused credentials are not sent again by every tick. */
export function maySweep({ breakers, kernel }: MemoryRecords): boolean {
  const source = breakers.get('source');
  return source?.state !== 'refused' || source.openUntil <= kernel.nowMs;
}
