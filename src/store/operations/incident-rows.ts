// Incidents: the list, and what a person says about one.
import { CodedError } from '../../domain/errors/coded-error.js';
import type { IncidentQuery } from '../../operations/records.js';
import type { Page } from '../../operations/views/common.js';
import type { IncidentRow } from '../../operations/views/incident.js';
import type { Incident, PrismaClient } from '../generated/client.js';
import { instantOf, instantOrNull } from './instants.js';

export async function readIncidents(
  prisma: Pick<PrismaClient, 'incident'>,
  { companies, states, after, limit }: IncidentQuery,
): Promise<Page<IncidentRow>> {
  const last = after === undefined ? null : placeOf(after);
  const rows = await prisma.incident.findMany({
    where: {
      ...(companies === undefined || companies === null ? {} : { tenantName: { in: [...companies] } }),
      state: { in: [...(states ?? ['open', 'acknowledged'])] },
      ...(last && { OR: [{ lastSeenAt: { lt: last.at } }, { lastSeenAt: last.at, id: { lt: last.id } }] }),
    },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const end = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(toIncidentRow),
    next: end ? `${instantOf(end.lastSeenAt)}_${end.id}` : null,
  };
}

function placeOf(after: string): { at: Date; id: string } {
  const [moment = '', id = ''] = after.split('_');
  const at = new Date(moment);
  if (Number.isNaN(at.getTime()) || !/^[0-9a-f-]{36}$/i.test(id))
    throw new CodedError('QUERY_INVALID', `"${after}" is not the end of a page of incidents.`);
  return { at, id };
}

export function toIncidentRow(row: Incident): IncidentRow {
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
