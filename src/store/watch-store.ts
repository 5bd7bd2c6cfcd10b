// What the watchman asks: who is silent, who was not swept, what is old enough to go, who is due for a reconciliation.
import type { TenantName } from '../domain/ids.js';
import { SOURCE_KINDS } from '../domain/source-document.js';
import { closeTallies } from './act-tally.js';
import { lowestId } from './ids.js';
import { wake } from './incidents.js';
import { type Db, type Sql, sql } from './db.js';

export interface SilentTenant {
  readonly tenant: TenantName;
  /** Days with documents among those before. */
  readonly days: number;
  /** The last day with one. */
  readonly since: string;
}

export interface OverdueTenant {
  readonly tenant: TenantName;
  /** null: it was never swept completely. */
  readonly since: string | null;
}

export interface WatchStore {
  /** Documents came on at least `daysBusy` of the 14 days before, and none for `daysSilent`. */
  silent(daysBusy: number, daysSilent: number): Promise<readonly SilentTenant[]>;
  /** Confirmed, not paused, and without a complete sweep of one of its kinds for this long. */
  overdue(overdueMs: number): Promise<readonly OverdueTenant[]>;
  /** Asks for a reconciliation of every confirmed tenant that had none today. */
  requestReconciliations(days: number): Promise<number>;
  /** Sweeps and reconciliations older than this are history that nobody asks for. */
  forget(daysKept: number): Promise<void>;
}

export function createWatchStore(db: Db): WatchStore {
  return {
    silent: (daysBusy, daysSilent) => db.rows<SilentTenant>(silentSql(daysBusy, daysSilent)),
    overdue: (overdueMs) => overdue(db, overdueMs),
    requestReconciliations: (days) => requestReconciliations(db, days),
    forget: async (daysKept) => {
      await closeTallies(db, new Date());
      // Of versions that put notifications into the queue.
      await db.run`DELETE FROM outbox WHERE topic = 'notify'`;
      await db.run`DELETE FROM notification WHERE created_at < now() - ${daysKept} * interval '1 day'`;
      await db.run`DELETE FROM sweep WHERE started_at < now() - ${daysKept} * interval '1 day'`;
      await db.run`DELETE FROM reconciliation_run WHERE started_at < now() - ${daysKept} * interval '1 day'`;
      // Of names that nobody has; a name of a person is forgotten when they sign in.
      await db.run`DELETE FROM sign_in_guess WHERE name LIKE 'nobody:%' AND last_at < now() - interval '1 day'`;
    },
  };
}

/** Ids are in order of time: what is older is not read, with a day to spare for clocks that differ. */
export function silentSql(daysBusy: number, daysSilent: number): Sql {
  const lowest = lowestId(Date.now() - (15 + daysSilent) * 24 * 60 * 60 * 1000);
  return sql`
    SELECT tenant_name AS tenant, count(DISTINCT first_seen_at::date)::int AS days, to_char(max(first_seen_at), 'YYYY-MM-DD') AS since
    FROM document
    WHERE id >= ${lowest}::uuid AND kind IN ('invoice', 'cost') AND first_seen_at > now() - (14 + ${daysSilent}) * interval '1 day'
    GROUP BY tenant_name
    HAVING max(first_seen_at) < now() - ${daysSilent} * interval '1 day' AND count(DISTINCT first_seen_at::date) >= ${daysBusy}`;
}

async function overdue(db: Db, overdueMs: number): Promise<OverdueTenant[]> {
  const rows = await db.rows<{ tenant: TenantName; since: Date | null }>`
    SELECT t.name AS tenant, nullif(min(swept.at), 'epoch') AS since
    FROM tenant t CROSS JOIN unnest(${[...SOURCE_KINDS]}::text[]) AS k(kind) CROSS JOIN LATERAL (
      SELECT coalesce(max(s.finished_at), 'epoch') AS at FROM sweep s
      WHERE s.tenant_name = t.name AND s.kind = k.kind AND s.outcome = 'complete') swept
    WHERE t.paused_at IS NULL AND t.plan_confirmed_at < now() - ${overdueMs} * interval '1 millisecond'
    GROUP BY t.name
    HAVING min(swept.at) < now() - ${overdueMs} * interval '1 millisecond'`;
  return rows.map(({ tenant, since }) => ({ tenant, since: since?.toISOString() ?? null }));
}

async function requestReconciliations(db: Db, days: number): Promise<number> {
  return db.tx(async (tx) => {
    const due = await tx.rows<{ name: string; from: string; to: string }>`
      SELECT t.name, to_char(now() - ${days} * interval '1 day', 'YYYY-MM-DD') AS "from", to_char(now(), 'YYYY-MM-DD') AS "to"
      FROM tenant t
      WHERE t.paused_at IS NULL AND t.plan_confirmed_at < now() - interval '1 day'
        AND NOT EXISTS (SELECT 1 FROM reconciliation_run r WHERE r.tenant_name = t.name AND r.started_at > now() - interval '20 hours')
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.tenant_name = t.name AND o.topic = 'reconcile')`;
    for (const { name, from, to } of due) await wake(tx, 'reconcile', name, { from, to });
    return due.length;
  });
}
