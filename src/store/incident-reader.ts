// Incidents as people read them.
import type { PrismaClient } from './generated/client.js';

export interface IncidentView {
  readonly id: string;
  readonly tenantName: string | null;
  readonly postingId: string | null;
  readonly code: string;
  readonly severity: string;
  readonly title: string;
  readonly details: string;
  readonly nextStep: string;
  readonly state: string;
  readonly count: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

export interface IncidentReader {
  byId(id: string): Promise<IncidentView | null>;
  open(tenantName: string | null, limit: number): Promise<readonly IncidentView[]>;
}

export function createIncidentReader(prisma: PrismaClient): IncidentReader {
  return {
    byId: (id) => prisma.incident.findUnique({ where: { id } }),
    open: (tenantName, limit) =>
      prisma.incident.findMany({
        where: { state: { not: 'resolved' }, ...(tenantName === null ? {} : { tenantName }) },
        orderBy: { lastSeenAt: 'desc' },
        take: limit,
      }),
  };
}
