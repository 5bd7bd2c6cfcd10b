// What operations need of the records. The store implements it; every act that changes something writes its audit entry in
// the same transaction and is a compare-and-set, so that no act races a worker.
import type { PostingState } from '../domain/posting.js';
import type { CheckedDocumentQuery, TextMeanings } from './document-query.js';
import type { DocumentRow } from './views/document.js';
import type { AuditEntryView } from './views/audit.js';
import type { IncidentRow } from './views/incident.js';
import type { breaker, SweepView } from './views/overview.js';
import type { ReplayFacts } from './replay-verdict.js';
import type { Page } from './views/common.js';
import type { z } from 'zod';

/** A row of a document without what only the tables of reasons know. */
export type StoredDocumentRow = Omit<DocumentRow, 'reason'> & {
  reason: { code: string; subject: string; sentence: string } | null;
};

export interface StoredTenant {
  readonly name: string;
  readonly environment: string;
  readonly rulesVersion: string | null;
  readonly paused: { at: string; by: string; reason: string } | null;
  readonly planConfirmed: { at: string; by: string } | null;
  readonly states: Readonly<Record<string, number>>;
  readonly oldestWaitingAt: string | null;
  /** Oldest that is on its way, not deferred or held. */
  readonly oldestUnderWayAt: string | null;
  readonly postedToday: number;
  readonly openIncidents: number;
  readonly breakers: z.infer<typeof breaker>[];
  readonly lastSweeps: SweepView[];
}

export interface StoredCause {
  readonly code: string;
  readonly subject: string;
  readonly sentence: string;
  readonly state: PostingState;
  readonly tenantName: string;
  readonly kind: string;
  readonly count: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

export interface StoredStory {
  readonly row: StoredDocumentRow;
  readonly leased: boolean;
  readonly snapshot: string | null;
  readonly snapshotAt: string | null;
  readonly journal: string | null;
  readonly settlement: string | null;
  readonly trace: string | null;
  readonly warnings: readonly string[];
  readonly rulesVersion: string | null;
  readonly erpReference: string | null;
  readonly settlementReference: string | null;
  readonly attempts: readonly {
    number: number;
    part: string;
    key: string;
    request: string;
    startedAt: string;
    lastSentAt: string | null;
    finishedAt: string | null;
    sends: number;
    outcome: string | null;
    message: string | null;
    erpReference: string | null;
  }[];
  readonly writeBacks: readonly {
    number: number;
    wanted: string;
    message: string;
    state: string;
    sends: number;
    answer: string | null;
    decidedAt: string;
    sentAt: string | null;
    acknowledgedAt: string | null;
  }[];
  readonly audit: AuditEntryView[];
  readonly incidents: IncidentRow[];
}

export interface IncidentQuery {
  readonly tenant?: string | undefined;
  readonly states?: readonly ('open' | 'acknowledged' | 'resolved')[] | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface AuditQuery {
  readonly chain?: string | undefined;
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface ThroughputBucket {
  from: string;
  posted: number;
  skipped: number;
  rejected: number;
  parked: number;
  discovered: number;
}

export interface ReadRecords {
  tenants(): Promise<readonly StoredTenant[]>;
  throughput(tenant: string | null, hours: number): Promise<ThroughputBucket[]>;
  /** Latest tick of each tenant. */
  ticks(): Promise<ReadonlyMap<string, { at: string; firedBy: string }>>;
  search(
    query: CheckedDocumentQuery,
    meanings: TextMeanings | null,
  ): Promise<{ rows: StoredDocumentRow[]; next: string | null; tooMany: boolean }>;
  /** Ids of postings for an id, a guid, a number or a key; more than one when it is not unique. */
  identify(reference: string, tenant: string | null, limit: number): Promise<readonly string[]>;
  story(postingId: string): Promise<StoredStory | null>;
  /** Of the postings that exist, in any order. */
  replayFacts(postingIds: readonly string[]): Promise<readonly ReplayFacts[]>;
  causes(tenant: string | null): Promise<readonly StoredCause[]>;
  incidents(query: IncidentQuery): Promise<Page<IncidentRow>>;
  audit(query: AuditQuery): Promise<Page<AuditEntryView>>;
}
