// The reading side of operations on PostgreSQL, put together.
import type { EndingToken, ReadRecords, UnfinishedReversal } from '../../operations/records.js';
import { identifyPostings, readAudit, readStory } from './story-reader.js';
import { bookedBefore, readCauses, readReplayFacts, readReversals } from './cause-reader.js';
import { searchDocuments } from './document-search.js';
import { readAlarms, readIncidents } from './incident-rows.js';
import { instantOf, toReason } from '../storable.js';
import { readOriginalsAway } from './originals-reader.js';
import { readTenants, readTenantsDown, readThroughput } from './overview-reader.js';
import { type Db, type Sql, sql } from '../db.js';
import { isFree } from '../lease.js';
import type { TenantName } from '../../domain/ids.js';
import type { OutgoingRest, OutgoingWaits } from '../../operations/outgoing/waits.js';
import { type StuckSubmission, SUBMISSIONS_STUCK } from '../../domain/submission.js';

export function createReadRecords(db: Db): ReadRecords {
  return {
    tenants: () => readTenants(db),
    tenantsDown: () => readTenantsDown(db),
    isBridgeRunning: async () => {
      const rows = await db.rows<unknown>`SELECT 1 FROM lease WHERE name = 'dispatch' AND until > now()`;
      return rows.length > 0;
    },
    originalsAway: () => readOriginalsAway(db),
    endingTokens: () => readEndingTokens(db),
    unfinishedReversals: (begunAgoMs) => readUnfinishedReversals(db, begunAgoMs),
    outgoingWaits: () => readOutgoingWaits(db),
    throughput: (companies, hours) => readThroughput(db, companies, hours),
    ticks: async () => {
      const rows = await db.rows<{ tenant_name: string; scheduled_at: Date; fired_by: string }>`
        SELECT k.* FROM tenant t CROSS JOIN LATERAL
          (SELECT * FROM tick WHERE tenant_name = t.name ORDER BY scheduled_at DESC LIMIT 1) k`;
      return new Map(
        rows.map((row) => [row.tenant_name, { at: instantOf(row.scheduled_at), firedBy: row.fired_by }]),
      );
    },
    search: (query, meanings, companies) => searchDocuments(db, query, meanings, companies),
    identify: (reference, companies, limit) => identifyPostings(db, reference, companies, limit),
    story: (postingId) => readStory(db, postingId),
    replayFacts: (postingIds) => readReplayFacts(db, postingIds),
    reversals: (postingId) => readReversals(db, postingId),
    causes: (companies) => readCauses(db, companies),
    bookedBefore: (tenant, reason, subject) => bookedBefore(db, tenant, reason, subject),
    incidents: (query) => readIncidents(db, query),
    alarms: (companies) => readAlarms(db, companies),
    audit: (query) => readAudit(db, query),
  };
}

// API tokens that end within two weeks, so that those who use them are not surprised.

const TOLD_DAYS = 14;
/** More are not told at once; the others come when these are done with. */
const TOKENS_MAX = 20;

export async function readEndingTokens(db: Db): Promise<readonly EndingToken[]> {
  const rows = await db.rows<{ id: string; name: string; endsAt: Date; toldFrom: Date }>`
    SELECT id, name, expires_at AS "endsAt", expires_at - ${TOLD_DAYS} * interval '1 day' AS "toldFrom" FROM api_token
    WHERE revoked_at IS NULL AND expires_at BETWEEN now() AND now() + ${TOLD_DAYS} * interval '1 day'
    ORDER BY expires_at, id LIMIT ${TOKENS_MAX}`;
  return rows.map(({ id, name, endsAt, toldFrom }) => ({
    ...{ id, name, endsAt: endsAt.toISOString(), toldFrom: toldFrom.toISOString() },
  }));
}

// Reversals that nobody is at any more: their request may have left, or one entry of a document is undone and another still stands.

/** More than this are told when some of them are settled. */
const UNFINISHED_MAX = 200;

export async function readUnfinishedReversals(db: Db, begunAgoMs: number): Promise<UnfinishedReversal[]> {
  const rows = await db.rows<Omit<UnfinishedReversal, 'since'> & { readonly since: Date }>(
    unfinishedSql(begunAgoMs),
  );
  return rows.map((row) => ({ ...row, since: row.since.toISOString() }));
}

/**
 * Of a key the latest attempt counts: what became of an earlier one was found out before it was sent again. One that is booked is
 * unfinished while what it has undone is still what the document is booked as; where both are so, the one without an outcome is told.
 */
export function unfinishedSql(begunAgoMs: number): Sql {
  return sql`
    SELECT * FROM (
      SELECT DISTINCT ON (p.id) p.tenant_name AS "tenantName", p.id::text AS posting, p.kind,
        coalesce(nullif(d.number, ''), d.guid) AS number, a.key, a.started_at AS since, a.outcome IS NOT NULL AS "isHalf"
      FROM attempt a JOIN posting p ON p.id = a.posting_id JOIN document d ON d.id = p.document_id
      WHERE a.part = 'reversal' AND a.started_at < now() - ${begunAgoMs} * interval '1 millisecond'
        AND ${isFree('p')}
        AND (a.outcome IS NULL OR a.outcome = 'posted' AND p.state <> 'reversed' AND
          CASE WHEN a.request LIKE '{%' THEN a.request::jsonb -> 'reverses' ->> 'id' END
            IN (p.erp_reference::jsonb ->> 'id', p.settlement_reference::jsonb ->> 'id'))
        AND NOT EXISTS (SELECT 1 FROM attempt later
          WHERE later.posting_id = a.posting_id AND later.key = a.key AND later.number > a.number)
      ORDER BY p.id, "isHalf", a.started_at) AS unfinished
    ORDER BY since LIMIT ${UNFINISHED_MAX}`;
}

// What of the other direction waits for a person, for the overview: read through the index of states, so that it costs the same with a
// million that are done.

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
