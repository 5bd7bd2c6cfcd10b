// How the tenants are, in a handful of queries that do not grow with the number of documents.
import { timeZoneInUse } from '../../domain/local-time.js';
import type { Companies } from '../../operations/access/reach.js';
import type { StoredTenant, TenantDown, ThroughputBucket } from '../../operations/records.js';
import type { Breaker, Tenant } from '../generated/client.js';
import { instantOf, instantOrNull } from '../storable.js';
import { type Db, empty, type Sql, sql, type Tx } from '../db.js';
import type { FailedSweepView, SweepView } from '../../operations/views/overview.js';

const UNDER_WAY = ['discovered', 'mapped', 'posting', 'posted', 'writing_back'];
const WAITING = [...UNDER_WAY, 'deferred', 'held'];

export async function readTenants(db: Db): Promise<readonly StoredTenant[]> {
  const [tenants, states, oldest, today, incidents, sweeps] = await Promise.all([
    tenantRows(db, empty),
    stateCounts(db),
    oldestWaiting(db),
    postedToday(db),
    openIncidents(db),
    latestSweeps(db),
  ]);
  return tenants.map((tenant) => ({
    name: tenant.name,
    environment: tenant.environment,
    rulesVersion: tenant.rulesVersion,
    paused: tenant.pausedAt && {
      at: instantOf(tenant.pausedAt),
      by: tenant.pausedBy ?? '',
      reason: tenant.pausedReason ?? '',
    },
    planConfirmed: tenant.planConfirmedAt && {
      at: instantOf(tenant.planConfirmedAt),
      by: tenant.planConfirmedBy ?? '',
    },
    states: states.get(tenant.name) ?? {},
    oldestWaitingAt: oldest.get(tenant.name)?.waiting ?? null,
    oldestUnderWayAt: oldest.get(tenant.name)?.underWay ?? null,
    postedToday: today.get(tenant.name) ?? 0,
    openIncidents: incidents.get(tenant.name)?.count ?? 0,
    criticalIncidents: incidents.get(tenant.name)?.critical ?? 0,
    breakers: tenant.breakers.map(breakerOf),
    lastSweeps: sweeps.get(tenant.name)?.last ?? [],
    failedSweeps: sweeps.get(tenant.name)?.failed ?? [],
  }));
}

type BreakerRow = Omit<Breaker, 'holdUntil' | 'probeId'>;
interface TenantRow extends Pick<
  Tenant,
  | 'name'
  | 'environment'
  | 'rulesVersion'
  | 'pausedAt'
  | 'pausedBy'
  | 'pausedReason'
  | 'planConfirmedAt'
  | 'planConfirmedBy'
> {
  readonly breakers: readonly BreakerRow[];
}

async function tenantRows(db: Db, which: Sql): Promise<readonly TenantRow[]> {
  const [tenants, breakers] = await Promise.all([
    db.rows<Omit<TenantRow, 'breakers'>>(sql`
      SELECT name, environment, rules_version AS "rulesVersion", paused_at AS "pausedAt", paused_by AS "pausedBy",
        paused_reason AS "pausedReason", plan_confirmed_at AS "planConfirmedAt", plan_confirmed_by AS "planConfirmedBy"
      FROM tenant ${which} ORDER BY name`),
    db.rows<BreakerRow>(sql`
      SELECT tenant_name AS "tenantName", side, state, failures, open_until AS "openUntil", reason, since FROM breaker`),
  ]);
  const theirs = new Map<string, BreakerRow[]>();
  for (const breaker of breakers)
    theirs.set(breaker.tenantName, [...(theirs.get(breaker.tenantName) ?? []), breaker]);
  return tenants.map((tenant) => ({ ...tenant, breakers: theirs.get(tenant.name) ?? [] }));
}

export async function readTenantsDown(db: Db): Promise<readonly TenantDown[]> {
  const tenants = await tenantRows(
    db,
    sql`WHERE name IN (SELECT tenant_name FROM breaker WHERE state <> 'closed')`,
  );
  const states = tenants.length === 0 ? null : await stateCounts(db);
  return tenants.map(({ name, breakers }) => ({
    name,
    breakers: breakers.map(breakerOf),
    states: states?.get(name) ?? {},
  }));
}

function breakerOf(breaker: BreakerRow): StoredTenant['breakers'][number] {
  return {
    side: breaker.side as 'source' | 'erp',
    state: breaker.state as 'closed' | 'open' | 'refused',
    openUntil: instantOrNull(breaker.openUntil),
    failures: breaker.failures,
    reason: breaker.reason,
    since: instantOf(breaker.since),
  };
}

async function stateCounts(db: Db): Promise<Map<string, Record<string, number>>> {
  const rows = await db.rows<{ tenant_name: string; state: string; count: number }>`
    SELECT tenant_name, state, sum(delta)::int AS count FROM posting_tally GROUP BY tenant_name, state`;
  await foldTally(db);
  const counts = new Map<string, Record<string, number>>();
  for (const { tenant_name, state, count } of rows) {
    const states = counts.get(tenant_name) ?? {};
    states[state] = count;
    counts.set(tenant_name, states);
  }
  return counts;
}

/** So many moves may lie unfolded: adding them up takes some milliseconds. */
const UNFOLDED_MAX = 10_000;

/** Many deltas become one a tenant and state. Sums stay what they are, whoever reads meanwhile. */
export async function foldTally(db: Db): Promise<void> {
  const [size] = await db.rows<{ many: boolean }>`
    SELECT count(*) >= ${UNFOLDED_MAX} AS many FROM (SELECT 1 FROM posting_tally LIMIT ${UNFOLDED_MAX}) AS unfolded`;
  if (!size?.many) return;
  await db.run`
    WITH turn AS (SELECT pg_try_advisory_xact_lock(hashtext('fold posting_tally')) AS ours),
    folded AS (DELETE FROM posting_tally WHERE (SELECT ours FROM turn) RETURNING tenant_name, state, delta)
    INSERT INTO posting_tally (tenant_name, state, delta)
    SELECT tenant_name, state, sum(delta) FROM folded GROUP BY tenant_name, state`;
}

/**
 * Ids grow with time, so the first of a tenant and state in the index is its oldest. The state is asked for as a range, so that no other
 * index gives this order: where nearly all are done, walking along the ids until one waits is walking through a million.
 */
export const OLDEST_WAITING = sql`
  SELECT t.name, min(p.discovered_at) AS waiting, min(p.discovered_at) FILTER (WHERE s.state = ANY(${UNDER_WAY})) AS under_way
  FROM tenant t CROSS JOIN unnest(${WAITING}::text[]) AS s(state)
  CROSS JOIN LATERAL (SELECT discovered_at FROM posting WHERE tenant_name = t.name AND state >= s.state AND state <= s.state
                      ORDER BY tenant_name, state, id LIMIT 1) p
  GROUP BY t.name`;

async function oldestWaiting(db: Db) {
  const rows = await db.rows<{ name: string; waiting: Date | null; under_way: Date | null }>(OLDEST_WAITING);
  return new Map(
    rows.map((row) => [
      row.name,
      { waiting: instantOrNull(row.waiting), underWay: instantOrNull(row.under_way) },
    ]),
  );
}

/** Since midnight by the clocks of this installation. */
async function postedToday(db: Db): Promise<Map<string, number>> {
  const zone = timeZoneInUse();
  const rows = await db.rows<{ tenant_name: string; count: number }>`
    SELECT tenant_name, count(*)::int AS count FROM posting
    WHERE posted_at >= date_trunc('day', now() AT TIME ZONE ${zone}) AT TIME ZONE ${zone} GROUP BY tenant_name`;
  return new Map(rows.map((row) => [row.tenant_name, row.count]));
}

interface Incidents {
  readonly tenant_name: string | null;
  readonly count: number;
  readonly critical: number;
}

async function openIncidents(db: Db): Promise<Map<string, Incidents>> {
  const rows = await db.rows<Incidents>`
    SELECT tenant_name, count(*)::int AS count, (count(*) FILTER (WHERE severity = 'critical'))::int AS critical
    FROM incident WHERE state IN ('open', 'acknowledged') GROUP BY tenant_name`;
  return new Map(rows.map((row) => [row.tenant_name ?? '', row]));
}

/** By the hour, newest last. What came to rest is counted where it rests now. */
export async function readThroughput(
  db: Db,
  companies: Companies,
  hours: number,
): Promise<ThroughputBucket[]> {
  const rows = await db.rows<{
    from: Date;
    posted: number;
    skipped: number;
    rejected: number;
    parked: number;
    discovered: number;
  }>`
    WITH bucket AS (
      SELECT generate_series(date_trunc('hour', now()) - ${hours - 1} * interval '1 hour', date_trunc('hour', now()), interval '1 hour') AS at
    ), posted AS (
      SELECT date_trunc('hour', posted_at) AS at, count(*)::int AS posted FROM posting
      WHERE posted_at >= date_trunc('hour', now()) - ${hours - 1} * interval '1 hour' AND (${companies}::text[] IS NULL OR tenant_name = ANY(${companies}))
      GROUP BY 1
    ), rested AS (
      SELECT date_trunc('hour', state_since) AS at, count(*) FILTER (WHERE state = 'skipped')::int AS skipped,
             count(*) FILTER (WHERE state = 'rejected')::int AS rejected, count(*) FILTER (WHERE state = 'parked')::int AS parked
      FROM posting WHERE state IN ('skipped', 'rejected', 'parked') AND (${companies}::text[] IS NULL OR tenant_name = ANY(${companies}))
        AND state_since >= date_trunc('hour', now()) - ${hours - 1} * interval '1 hour'
      GROUP BY 1
    ), swept AS (
      SELECT date_trunc('hour', started_at) AS at, sum(discovered)::int AS discovered FROM sweep
      WHERE started_at >= date_trunc('hour', now()) - ${hours - 1} * interval '1 hour' AND (${companies}::text[] IS NULL OR tenant_name = ANY(${companies}))
      GROUP BY 1
    )
    SELECT bucket.at AS from, coalesce(posted, 0) AS posted, coalesce(skipped, 0) AS skipped, coalesce(rejected, 0) AS rejected,
           coalesce(parked, 0) AS parked, coalesce(discovered, 0) AS discovered
    FROM bucket LEFT JOIN posted USING (at) LEFT JOIN rested USING (at) LEFT JOIN swept USING (at) ORDER BY bucket.at`;
  return rows.map((row) => ({ ...row, from: instantOf(row.from) }));
}

// The sweeps of each tenant that matter to people: the last one that was complete, and whether later ones failed.

interface SweepRow {
  tenant_name: string;
  kind: 'invoice' | 'cost';
  mode: 'fast' | 'full';
  started_at: Date;
  finished_at: Date | null;
  outcome: string | null;
  message: string | null;
  listed: number;
  discovered: number;
  failing_since: Date | null;
}

export interface TenantSweeps {
  readonly last: SweepView[];
  readonly failed: FailedSweepView[];
}

export async function latestSweeps(db: Pick<Tx, 'rows'>): Promise<ReadonlyMap<string, TenantSweeps>> {
  // The next after the last complete one began the failing; all since then were not complete.
  const rows = await db.rows<SweepRow>`
    WITH complete AS (
      SELECT t.name, k.kind, s.* FROM tenant t CROSS JOIN (VALUES ('invoice'), ('cost')) AS k(kind)
      LEFT JOIN LATERAL (SELECT mode, started_at, finished_at, outcome, message, listed, discovered FROM sweep
                         WHERE tenant_name = t.name AND kind = k.kind AND outcome = 'complete'
                         ORDER BY started_at DESC LIMIT 1) s ON true
    )
    SELECT name AS tenant_name, kind, mode, started_at, finished_at, outcome, message, listed, discovered,
           NULL::timestamptz AS failing_since
    FROM complete WHERE started_at IS NOT NULL
    UNION ALL
    SELECT c.name, c.kind, f.mode, f.started_at, f.finished_at, f.outcome, f.message, f.listed, f.discovered, first.started_at
    FROM complete c
    CROSS JOIN LATERAL (SELECT * FROM sweep s WHERE s.tenant_name = c.name AND s.kind = c.kind
                          AND s.outcome IN ('failed', 'incomplete') AND s.started_at > coalesce(c.started_at, 'epoch')
                        ORDER BY s.started_at DESC LIMIT 1) f
    CROSS JOIN LATERAL (SELECT started_at FROM sweep s WHERE s.tenant_name = c.name AND s.kind = c.kind
                          AND s.started_at > coalesce(c.started_at, 'epoch')
                        ORDER BY s.started_at LIMIT 1) first`;
  const sweeps = new Map<string, TenantSweeps>();
  for (const row of rows) {
    const of = sweeps.get(row.tenant_name) ?? { last: [], failed: [] };
    if (row.failing_since === null) of.last.push(viewOf(row));
    else of.failed.push({ ...viewOf(row), failingSince: instantOf(row.failing_since) });
    sweeps.set(row.tenant_name, of);
  }
  return sweeps;
}

function viewOf(row: SweepRow): SweepView {
  return {
    kind: row.kind,
    mode: row.mode,
    startedAt: instantOf(row.started_at),
    finishedAt: instantOrNull(row.finished_at),
    outcome: row.outcome,
    message: row.message,
    listed: row.listed,
    discovered: row.discovered,
  };
}
