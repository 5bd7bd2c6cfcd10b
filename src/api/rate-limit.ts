// A bucket for each caller: so many at once, so many a second after that. In memory of this process, and bounded.
export interface RateLimit {
  /** 0: go ahead; otherwise the seconds to wait. */
  take(caller: string, nowMs: number): number;
}

const CALLERS_MAX = 10_000;

export function createRateLimit(burst: number, perSecond: number): RateLimit {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return {
    take: (caller, nowMs) => {
      const known = buckets.get(caller) ?? { left: burst, atMs: nowMs };
      // A clock that was set back gives nothing, and takes nothing away.
      const passedMs = Math.max(0, nowMs - known.atMs);
      const left = Math.min(burst, known.left + (passedMs / 1000) * perSecond);
      buckets.delete(caller);
      buckets.set(caller, { left: left >= 1 ? left - 1 : left, atMs: nowMs });
      for (const oldest of buckets.keys()) {
        if (buckets.size <= CALLERS_MAX) break;
        buckets.delete(oldest);
      }
      return left >= 1 ? 0 : Math.ceil((1 - left) / perSecond);
    },
  };
}
