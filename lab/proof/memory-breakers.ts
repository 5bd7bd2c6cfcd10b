// Breakers in memory, with the semantics of store/breaker-store.ts: a side that fails is left alone for a while.
import type { BreakerSide, BreakerStore } from '../../src/sync/posting-records.js';
import type { Life } from './life.js';
import type { BreakerRow, MemoryRecords } from './memory-records.js';

const FAILURES_MAX = 5;
const OPEN_MS = 15_000;
const OPEN_MS_MAX = 600_000;
const REFUSED_PROBE_MS = 300_000;
const QUIET_MS = 2_000;

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

/** Refused credentials are not sent again by every tick. */
export function maySweep({ breakers, kernel }: MemoryRecords): boolean {
  const source = breakers.get('source');
  return source?.state !== 'refused' || source.openUntil <= kernel.nowMs;
}
