// Incidents: the list, and what a person says about one.
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Companies } from '../../operations/access/reach.js';
import type { IncidentQuery, StoredAlarm } from '../../operations/records.js';
import type { Page } from '../../operations/views/common.js';
import type { IncidentRow } from '../../operations/views/incident.js';
import type { Incident } from '../generated/client.js';
import { instantOf, instantOrNull } from '../storable.js';
import { type Tx, join, sql } from '../db.js';

export type IncidentColumns = Omit<Incident, 'fingerprint' | 'toldAt' | 'endToldAt'>;

/** Under the names that Prisma gives them. */
export const INCIDENT_COLUMNS = sql`id, tenant_name AS "tenantName", posting_id AS "postingId", code, severity, title, details,
  next_step AS "nextStep", params, state, count, first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt",
  resolved_at AS "resolvedAt", resolved_by AS "resolvedBy", resolution`;

export async function readIncidents(
  db: Pick<Tx, 'rows'>,
  { companies, states, after, limit }: IncidentQuery,
): Promise<Page<IncidentRow>> {
  const last = after === undefined ? null : placeOf(after);
  const filters = [
    sql`state = ANY(${[...(states ?? ['open', 'acknowledged'])]}::text[])`,
    ...(companies === undefined || companies === null
      ? []
      : [sql`tenant_name = ANY(${[...companies]}::text[])`]),
    ...(last === null
      ? []
      : [sql`(last_seen_at, id) < (${last.at.toISOString()}::timestamptz, ${last.id}::uuid)`]),
  ];
  const rows = await db.rows<IncidentColumns>(sql`
    SELECT ${INCIDENT_COLUMNS} FROM incident WHERE ${join(filters, ' AND ')}
    ORDER BY last_seen_at DESC, id DESC LIMIT ${limit + 1}`);
  const shown = rows.slice(0, limit);
  const end = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(toIncidentRow),
    next: end ? `${instantOf(end.lastSeenAt)}_${end.id}` : null,
  };
}

/** More kinds than this at once are told when the first are settled. */
const ALARMS_MAX = 500;

export async function readAlarms(db: Pick<Tx, 'rows'>, companies: Companies): Promise<StoredAlarm[]> {
  const rows = await db.rows<IncidentColumns & { alike: number; begunAt: Date }>(sql`
    SELECT * FROM (
      SELECT DISTINCT ON (tenant_name, code) ${INCIDENT_COLUMNS}, (count(*) OVER alike)::int AS alike, min(first_seen_at) OVER alike AS "begunAt"
      FROM incident
      WHERE state <> 'resolved' AND severity = 'critical' AND (${companies}::text[] IS NULL OR tenant_name = ANY(${companies}))
      WINDOW alike AS (PARTITION BY tenant_name, code)
      ORDER BY tenant_name, code, last_seen_at DESC, id DESC
    ) AS latest ORDER BY "lastSeenAt" DESC, id DESC LIMIT ${ALARMS_MAX}`);
  return rows.map(({ alike, begunAt, ...row }) => ({
    latest: toIncidentRow(row),
    count: alike,
    firstSeenAt: instantOf(begunAt),
  }));
}

function placeOf(after: string): { at: Date; id: string } {
  const [moment = '', id = ''] = after.split('_');
  const at = new Date(moment);
  if (Number.isNaN(at.getTime()) || !/^[0-9a-f-]{36}$/i.test(id))
    throw new CodedError('QUERY_INVALID', `"${after}" is not the end of a page of incidents.`);
  return { at, id };
}

export function toIncidentRow(row: IncidentColumns): IncidentRow {
  return {
    id: row.id,
    tenantName: row.tenantName,
    postingId: row.postingId,
    code: row.code,
    severity: row.severity as IncidentRow['severity'],
    title: row.title,
    details: row.details,
    nextStep: row.nextStep,
    params: row.params === null ? null : (JSON.parse(row.params) as Record<string, unknown>),
    state: row.state as IncidentRow['state'],
    count: row.count,
    firstSeenAt: instantOf(row.firstSeenAt),
    lastSeenAt: instantOf(row.lastSeenAt),
    resolvedAt: instantOrNull(row.resolvedAt),
    resolvedBy: row.resolvedBy,
    resolution: row.resolution,
  };
}
