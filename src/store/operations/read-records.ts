// The reading side of operations on PostgreSQL, put together.
import type { ReadRecords } from '../../operations/records.js';
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
import type { Db } from '../db.js';

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
