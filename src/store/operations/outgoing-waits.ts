// What of the other direction waits for a person, for the overview: read through the index of states, so that it costs the same with a
// million that are done.
import type { TenantName } from '../../domain/ids.js';
import type { OutgoingRest, OutgoingWaits } from '../../operations/outgoing/waits.js';
import type { StuckSubmission } from '../../domain/submission.js';
import { SUBMISSIONS_STUCK } from '../../domain/submission.js';
import { toReason } from '../reason-rows.js';
import { type Db, sql } from '../db.js';

/** Those that ever sent anything this way, or were looked at for it: few of a thousand, and the others are not counted. */
const NAMED = sql`SELECT tenant_name AS name FROM outgoing_tenant UNION SELECT tenant_name FROM origin_cursor`;

interface WaitingRow {
  readonly tenantName: TenantName;
  readonly isConfirmed: boolean;
  readonly isPaused: boolean;
  readonly waiting: number;
  readonly waitingSince: Date | null;
  readonly underWay: number;
  readonly lastSentAt: Date | null;
}

interface RestingRow {
  readonly tenantName: TenantName;
  readonly state: StuckSubmission;
  readonly reason: string | null;
  readonly reason_subject: string | null;
  readonly reason_params: string | null;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

export async function readOutgoingWaits(db: Db): Promise<OutgoingWaits[]> {
  const [waiting, resting] = await Promise.all([readWaiting(db), readResting(db)]);
  return waiting
    .map(({ waitingSince, lastSentAt, ...row }) => ({
      ...row,
      waitingSince: waitingSince?.toISOString() ?? null,
      lastSentAt: lastSentAt?.toISOString() ?? null,
      resting: resting.filter(({ tenantName }) => tenantName === row.tenantName).map(restOf),
    }))
    .filter(
      ({ waiting, underWay, lastSentAt, resting }) =>
        waiting > 0 || underWay > 0 || lastSentAt !== null || resting.length > 0,
    );
}

function readWaiting(db: Db): Promise<WaitingRow[]> {
  return db.rows<WaitingRow>(sql`
    SELECT t.name AS "tenantName", o.confirmed_at IS NOT NULL AS "isConfirmed", o.paused_at IS NOT NULL AS "isPaused",
           w.count AS waiting, w.since AS "waitingSince", u.count AS "underWay",
           (SELECT max(last_sent_at) FROM submission s WHERE s.tenant_name = t.name) AS "lastSentAt"
    FROM (${NAMED}) t LEFT JOIN outgoing_tenant o ON o.tenant_name = t.name
    CROSS JOIN LATERAL (SELECT count(*)::int AS count, min(received_at) AS since FROM submission s
      WHERE s.tenant_name = t.name AND s.state IN ('received', 'held')) w
    CROSS JOIN LATERAL (SELECT count(*)::int AS count FROM submission s
      WHERE s.tenant_name = t.name AND s.state IN ('sending', 'unknown', 'created', 'withdrawing')) u
    ORDER BY 1`);
}

/** One row a reason; of several the latest is told. */
function readResting(db: Db): Promise<RestingRow[]> {
  return db.rows<RestingRow>(sql`
    SELECT t.name AS "tenantName", r.* FROM (${NAMED}) t
    CROSS JOIN LATERAL (
      SELECT state, reason, (array_agg(reason_subject ORDER BY state_since DESC))[1] AS reason_subject,
             (array_agg(reason_params ORDER BY state_since DESC))[1] AS reason_params, count(*)::int AS count,
             min(state_since) AS "firstAt", max(state_since) AS "lastAt"
      FROM submission s WHERE s.tenant_name = t.name AND s.state = ANY(${[...SUBMISSIONS_STUCK]})
      GROUP BY state, reason) r
    ORDER BY 1, r.state, r.reason`);
}

function restOf({ state, count, firstAt, lastAt, ...row }: RestingRow): OutgoingRest {
  return {
    ...{ state, count, firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString() },
    reason: toReason({ ...row, reason_sentence: null }),
  };
}
