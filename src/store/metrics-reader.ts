// The figures that a monitor asks for, in one short transaction: counts come from the tally and from indexes, and a slow database is given up on
// rather than waited for. The caller keeps the answer for a while.
import type { TenantName } from '../domain/ids.js';
import { type PostingState, STUCK } from '../domain/posting.js';
import { SUBMISSION_STATES } from '../domain/submission.js';
import { type Db, type Tx, join, raw, sql } from './db.js';
import { isFree } from './lease.js';

export interface MetricsSnapshot {
  readonly states: readonly { readonly tenant: TenantName; readonly state: string; readonly count: number }[];
  /** Of the other direction. */
  readonly submissions: readonly {
    readonly tenant: TenantName;
    readonly state: string;
    readonly count: number;
  }[];
  /** Of the other direction: what waits for its plan to be confirmed, and is held back by nobody. */
  readonly unconfirmed: readonly { readonly tenant: TenantName; readonly count: number }[];
  readonly reasons: readonly { readonly state: string; readonly reason: string; readonly count: number }[];
  readonly delays: readonly TenantDelay[];
  readonly breakers: readonly {
    readonly tenant: TenantName;
    readonly side: string;
    readonly state: string;
  }[];
  readonly sweeps: readonly {
    readonly tenant: TenantName;
    readonly kind: string;
    /** null: never. */
    readonly ageSeconds: number | null;
    readonly fullAgeSeconds: number | null;
  }[];
  readonly outbox: readonly { readonly topic: string; readonly count: number }[];
  readonly incidents: readonly { readonly severity: string; readonly count: number }[];
}

export interface TenantDelay {
  readonly tenant: TenantName;
  /** Since the oldest due posting could have been worked on; 0 when nothing is due. */
  readonly lagSeconds: number;
  /** Since the oldest document that is still on its way was found. */
  readonly oldestSeconds: number;
  /** Sent, perhaps: neither confirmed nor denied, or given to a person for that reason. */
  readonly unknownOutcomes: number;
}

export interface MetricsReader {
  read(): Promise<MetricsSnapshot>;
}

const ON_ITS_WAY = [
  'discovered',
  'mapped',
  'posting',
  'posted',
  'writing_back',
] as const satisfies PostingState[];
/** States in which a reason is news; a resting one keeps its reason for ever. */
const WITH_REASON = ['deferred', 'skipped', ...STUCK] as const;
/** Of the other direction: under way, or waiting for somebody. */
const SUBMISSIONS_OPEN = SUBMISSION_STATES.filter(
  (state) => !['acknowledged', 'skipped', 'withdrawn'].includes(state),
);
const STATEMENT_MS_MAX = 3_000;

export function createMetricsReader(db: Db): MetricsReader {
  return {
    read: () => db.tx(read),
  };
}

async function read(tx: Tx): Promise<MetricsSnapshot> {
  await tx.rows`SELECT set_config('statement_timeout', ${String(STATEMENT_MS_MAX)}, true)`;
  return {
    states: await tx.rows<Writable<MetricsSnapshot['states']>[number]>`
      SELECT tenant_name AS tenant, state, sum(delta)::int AS count FROM posting_tally
      GROUP BY 1, 2 HAVING sum(delta) <> 0 ORDER BY 1, 2`,
    submissions: await submissionsOf(tx),
    unconfirmed: await unconfirmedOf(tx),
    reasons: await tx.rows<Writable<MetricsSnapshot['reasons']>[number]>`
      SELECT state, reason, count(*)::int AS count FROM posting
      WHERE state = ANY(${[...WITH_REASON]}::text[]) AND reason IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    delays: await delaysOf(tx),
    breakers: await tx.rows<Writable<MetricsSnapshot['breakers']>[number]>`
      SELECT tenant_name AS tenant, side, state FROM breaker ORDER BY 1, 2`,
    sweeps: await tx.rows<Writable<MetricsSnapshot['sweeps']>[number]>`
      SELECT tenant_name AS tenant, kind, extract(epoch FROM now() - last_sweep_at)::float8 AS "ageSeconds",
             extract(epoch FROM now() - last_full_sweep_at)::float8 AS "fullAgeSeconds"
      FROM cursor ORDER BY 1, 2`,
    outbox: await tx.rows<Writable<MetricsSnapshot['outbox']>[number]>`
      SELECT topic, count(*)::int AS count FROM outbox GROUP BY 1 ORDER BY 1`,
    incidents: await tx.rows<Writable<MetricsSnapshot['incidents']>[number]>`
      SELECT severity, count(*)::int AS count FROM incident WHERE state <> 'resolved' GROUP BY 1 ORDER BY 1`,
  };
}

/** Only what is not done: a scrape costs the same with a million that are. */
function submissionsOf(tx: Tx) {
  return tx.rows<Writable<MetricsSnapshot['submissions']>[number]>`
    SELECT t.name AS tenant, s.state, n.count FROM (SELECT DISTINCT tenant_name AS name FROM origin_cursor) t
    CROSS JOIN unnest(${[...SUBMISSIONS_OPEN]}::text[]) AS s(state)
    CROSS JOIN LATERAL (SELECT count(*)::int FROM submission WHERE tenant_name = t.name AND state = s.state) n
    WHERE n.count > 0 ORDER BY 1, 2`;
}

function unconfirmedOf(tx: Tx) {
  return tx.rows<Writable<MetricsSnapshot['unconfirmed']>[number]>`
    SELECT t.name AS tenant, n.count FROM (SELECT DISTINCT tenant_name AS name FROM origin_cursor) t
    LEFT JOIN outgoing_tenant o ON o.tenant_name = t.name
    CROSS JOIN LATERAL (SELECT count(*)::int FROM submission WHERE tenant_name = t.name AND state IN ('received', 'held')) n
    WHERE o.confirmed_at IS NULL AND o.paused_at IS NULL AND n.count > 0 ORDER BY 1`;
}

type Writable<Rows extends readonly unknown[]> = Rows[number][];

/** Of what a tenant has begun and not finished, so many are looked at. */
const BEGUN_MAX = 500;

/** Ids grow with time, so the first of a state is its oldest. Each state by its name: PostgreSQL knows how rare it is. */
const OLDEST = join(
  ON_ITS_WAY.map(
    (state) =>
      sql`(SELECT discovered_at FROM posting WHERE tenant_name = t.name AND state = ${raw(`'${state}'`)} ORDER BY id LIMIT 1)`,
  ),
  ' UNION ALL ',
);

// Since when something could have been worked on is the later of its state and its due time: what is finished first is given
// a due time in the past, and what was put off entered its state long before. What is not begun was due no earlier than it came
// to be so, hence the first in its index is the oldest; of the rest some are read. So a scrape costs the same with a million waiting.
function delaysOf(tx: Tx) {
  return tx.rows<TenantDelay>`
    SELECT t.name AS tenant, coalesce(extract(epoch FROM now() - d.since), 0)::float8 AS "lagSeconds",
           coalesce(extract(epoch FROM now() - w.found), 0)::float8 AS "oldestSeconds", (k.count + f.count)::int AS "unknownOutcomes"
    FROM tenant t
    CROSS JOIN LATERAL (SELECT min(greatest(due.state_since, due.due_at)) AS since FROM (
      (SELECT p.state_since, p.due_at FROM posting p
       WHERE p.tenant_name = t.name AND p.due_at <= now() AND ${isFree('p')}
         AND p.state IN ('discovered', 'deferred', 'held') ORDER BY p.due_at LIMIT 1)
      UNION ALL
      (SELECT p.state_since, p.due_at FROM posting p
       WHERE p.tenant_name = t.name AND p.due_at <= now() AND ${isFree('p')}
         AND p.state IN ('mapped', 'posting') ORDER BY p.due_at LIMIT ${BEGUN_MAX})
      UNION ALL
      (SELECT p.state_since, p.due_at FROM posting p
       WHERE p.tenant_name = t.name AND p.due_at <= now() AND ${isFree('p')}
         AND p.state IN ('posted', 'writing_back', 'skipped', 'rejected') ORDER BY p.due_at LIMIT ${BEGUN_MAX})) due) d
    CROSS JOIN LATERAL (SELECT min(p.discovered_at) AS found FROM (${OLDEST}) p) w
    CROSS JOIN LATERAL (SELECT count(*) FROM posting p
      WHERE p.tenant_name = t.name AND p.state = 'parked' AND p.reason = 'OUTCOME_UNKNOWN') k
    CROSS JOIN LATERAL (SELECT count(*) FROM posting p
      WHERE p.tenant_name = t.name AND p.state = 'posting' AND ${isFree('p')}
        AND (SELECT coalesce(a.outcome, 'unknown') FROM attempt a
             WHERE a.posting_id = p.id AND a.part <> 'reversal' ORDER BY a.number DESC LIMIT 1) = 'unknown') f
    ORDER BY 1`;
}
