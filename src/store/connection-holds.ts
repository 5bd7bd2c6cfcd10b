// The pauses that servers asked for, over all processes: the breaker rows keep them, and every process looks there before a
// request leaves, all its tenants with one question and at most ten times a second. What it was told itself it knows at once.
import type { TenantName } from '../domain/ids.js';
import type { BreakerSide, BreakerStore } from '../sync/posting-records.js';
import type { Db } from './db.js';

export interface ConnectionHolds {
  heldMs(tenantName: TenantName, side: BreakerSide): Promise<number>;
  hold(tenantName: TenantName, side: BreakerSide, ms: number, why: string): Promise<void>;
}

const FRESH_MS = 100;

interface HoldRow {
  readonly tenantName: TenantName;
  readonly side: string;
  readonly ms: number;
}

export function createConnectionHolds(db: Db, breakers: BreakerStore): ConnectionHolds {
  /** Until when by this process's own count of time; never more than one a tenant and side. */
  const until = new Map<string, number>();
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  const leftMs = (name: string) => Math.max(0, (until.get(name) ?? 0) - performance.now());
  const read = async (): Promise<void> => {
    const rows = await db.rows<HoldRow>`
      SELECT tenant_name AS "tenantName", side, (extract(epoch FROM hold_until - now()) * 1000)::float8 AS ms
      FROM breaker WHERE hold_until > now()`;
    readAt = performance.now();
    for (const { tenantName, side, ms } of rows) prolong(until, nameOf(tenantName, side), ms);
  };
  return {
    heldMs: async (tenantName, side) => {
      const name = nameOf(tenantName, side);
      if (leftMs(name) > 0) return leftMs(name);
      // Without records nothing is begun anyway; what is under way goes on by what was last known.
      if (performance.now() - readAt > FRESH_MS)
        await (reading ??= read()
          .catch(() => undefined)
          .finally(() => (reading = undefined)));
      return leftMs(name);
    },
    hold: async (tenantName, side, ms, why) => {
      prolong(until, nameOf(tenantName, side), ms);
      await breakers.failed(tenantName, side, why, ms);
    },
  };
}

function prolong(until: Map<string, number>, name: string, ms: number): void {
  until.set(name, Math.max(until.get(name) ?? 0, performance.now() + ms));
}

function nameOf(tenantName: TenantName, side: string): string {
  return `${side}:${tenantName}`;
}
