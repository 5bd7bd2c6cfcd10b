// The reading side of operations on PostgreSQL, put together.
import type { ReadRecords } from '../../operations/records.js';
import type { PrismaClient } from '../generated/client.js';
import { readAudit } from './audit-reader.js';
import { bookedBefore } from './booked-before.js';
import { readCauses } from './cause-reader.js';
import { searchDocuments } from './document-search.js';
import { readReplayFacts, readReversals } from './fact-reader.js';
import { readAlarms, readIncidents } from './incident-rows.js';
import { instantOf } from './instants.js';
import { readOriginalsAway } from './originals-away.js';
import { readOutgoingWaits } from './outgoing-waits.js';
import { readTenants, readTenantsDown, readThroughput } from './overview-reader.js';
import { identifyPostings, readStory } from './story-reader.js';
import { readEndingTokens } from './ending-tokens.js';
import { readUnfinishedReversals } from './unfinished-reversals.js';

export function createReadRecords(prisma: PrismaClient): ReadRecords {
  return {
    tenants: () => readTenants(prisma),
    tenantsDown: () => readTenantsDown(prisma),
    isBridgeRunning: async () => {
      const rows = await prisma.$queryRaw<
        unknown[]
      >`SELECT 1 FROM lease WHERE name = 'dispatch' AND until > now()`;
      return rows.length > 0;
    },
    originalsAway: () => readOriginalsAway(prisma),
    endingTokens: () => readEndingTokens(prisma),
    unfinishedReversals: (begunAgoMs) => readUnfinishedReversals(prisma, begunAgoMs),
    outgoingWaits: () => readOutgoingWaits(prisma),
    throughput: (companies, hours) => readThroughput(prisma, companies, hours),
    ticks: async () => {
      const rows = await prisma.$queryRaw<{ tenant_name: string; scheduled_at: Date; fired_by: string }[]>`
        SELECT k.* FROM tenant t CROSS JOIN LATERAL
          (SELECT * FROM tick WHERE tenant_name = t.name ORDER BY scheduled_at DESC LIMIT 1) k`;
      return new Map(
        rows.map((row) => [row.tenant_name, { at: instantOf(row.scheduled_at), firedBy: row.fired_by }]),
      );
    },
    search: (query, meanings, companies) => searchDocuments(prisma, query, meanings, companies),
    identify: (reference, companies, limit) => identifyPostings(prisma, reference, companies, limit),
    story: (postingId) => readStory(prisma, postingId),
    replayFacts: (postingIds) => readReplayFacts(prisma, postingIds),
    reversals: (postingId) => readReversals(prisma, postingId),
    causes: (companies) => readCauses(prisma, companies),
    bookedBefore: (tenant, reason, subject) => bookedBefore(prisma, tenant, reason, subject),
    incidents: (query) => readIncidents(prisma, query),
    alarms: (companies) => readAlarms(prisma, companies),
    audit: (query) => readAudit(prisma, query),
  };
}
