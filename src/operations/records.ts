// What operations need of the records. The store implements it; every act that changes something writes its audit entry in
// the same transaction and is a compare-and-set, so that no act races a worker.
import type { Guid, TenantName } from '../domain/ids.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import type { Reason } from '../domain/message.js';
import type { SecurityNews } from '../domain/security-news.js';
import type { PostingState } from '../domain/posting.js';
import type { AttemptRecord } from '../sync/posting-records.js';
import type { Companies } from './access/reach.js';
import type { ActTally } from './exports.js';
import type { Act } from './act.js';
import type { Move } from './move.js';
import type { ApprovalRecords } from './four-eyes/approval-records.js';
import type { CheckedDocumentQuery, TextMeanings } from './document-query.js';
import type { DocumentRow, SameDay } from './views/document.js';
import type { AuditCheck, AuditEntryView } from './views/audit.js';
import type { IncidentRow } from './views/incident.js';
import type { breaker, FailedSweepView, SweepView } from './views/overview.js';
import type { BookedKind, SourceKind } from '../domain/source-document.js';
import type { ReplayFacts } from './replay-verdict.js';
import type { ExportedPosting, ReversedPosting } from './views/exported-posting.js';
import type { RunRecords } from './run-records.js';
import type { SuggestionRecords } from './suggestion-records.js';
import type { TokenRecords } from './token-records.js';
import type { CursorView } from './views/act.js';
import type { Page } from './views/common.js';
import type { z } from 'zod';
import type { OutgoingWaits } from './outgoing/waits.js';

/** A row of a document without what only the tables of reasons know. */
export type StoredDocumentRow = Omit<DocumentRow, 'reason'> & { reason: Reason | null };

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
  readonly criticalIncidents: number;
  readonly breakers: z.infer<typeof breaker>[];
  /** The latest complete one of each kind. */
  readonly lastSweeps: SweepView[];
  /** The latest that was not complete, of each kind where it is later than that. */
  readonly failedSweeps: FailedSweepView[];
}

export type TenantDown = Pick<StoredTenant, 'name' | 'breakers' | 'states'>;

export interface StoredCause {
  /** Of one of its documents. */
  readonly reason: Reason;
  readonly state: PostingState;
  readonly tenantName: TenantName;
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
  readonly summary: SameDay | null;
  readonly members: readonly SameDay[];
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

/** Critical incidents of one code and company (or of the bridge) that nobody has said to be settled. */
export interface StoredAlarm {
  readonly latest: IncidentRow;
  readonly count: number;
  readonly firstSeenAt: string;
}

export interface IncidentQuery {
  readonly companies?: Companies | undefined;
  readonly states?: readonly ('open' | 'acknowledged' | 'resolved')[] | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface AuditQuery {
  /** Companies, or the bridge's own chain. */
  readonly chains?: Companies | undefined;
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Originals that wait because the store of originals does not work. */
export interface OriginalsAway {
  readonly count: number;
  /** What the store said to one of them. */
  readonly reason: string;
  readonly lastAt: string;
}

/** A reversal that nobody is at any more. */
export interface UnfinishedReversal {
  readonly tenantName: TenantName;
  readonly posting: string;
  readonly kind: BookedKind;
  readonly number: string;
  /** Of the reversal. */
  readonly key: string;
  /** When it went on record that it is sent. */
  readonly since: string;
  /** It is in the books, and the document has another entry that still stands. */
  readonly isHalf: boolean;
}

export interface ThroughputBucket {
  from: string;
  posted: number;
  skipped: number;
  rejected: number;
  parked: number;
  discovered: number;
}

export interface EndingToken {
  readonly id: string;
  readonly name: string;
  readonly endsAt: string;
  readonly toldFrom: string;
}

export interface ReadRecords extends SuggestionRecords {
  tenants(): Promise<readonly StoredTenant[]>;
  /** Those of which a side is down or refuses: few, or none, of a thousand. */
  tenantsDown(): Promise<readonly TenantDown[]>;
  /** Somebody hands out work on these records at this moment. */
  isBridgeRunning(): Promise<boolean>;
  /** null: it works, or nobody has tried. */
  originalsAway(): Promise<OriginalsAway | null>;
  /** API tokens that count for less than two weeks yet, those that end first before the others. */
  endingTokens(): Promise<readonly EndingToken[]>;
  /** Begun longer ago than this, neither finished nor worked on: the oldest first. */
  unfinishedReversals(begunAgoMs: number): Promise<readonly UnfinishedReversal[]>;
  /** What of the other direction waits for a person; tenants without any are not named. */
  outgoingWaits(): Promise<readonly OutgoingWaits[]>;
  throughput(companies: Companies, hours: number): Promise<ThroughputBucket[]>;
  /** Latest tick of each tenant. */
  ticks(): Promise<ReadonlyMap<string, { at: string; firedBy: string }>>;
  search(
    query: CheckedDocumentQuery,
    meanings: TextMeanings | null,
    companies: Companies,
  ): Promise<{ rows: StoredDocumentRow[]; next: string | null; tooMany: boolean }>;
  /** Ids of postings for an id, a guid, a number or a key; more than one when it is not unique. */
  identify(reference: string, companies: Companies, limit: number): Promise<readonly string[]>;
  story(postingId: string): Promise<StoredStory | null>;
  /** Of the postings that exist, in any order. */
  replayFacts(postingIds: readonly string[]): Promise<readonly ReplayFacts[]>;
  /** Attempts to reverse it, the latest first. */
  reversals(postingId: string): Promise<readonly AttemptRecord[]>;
  causes(companies: Companies): Promise<readonly StoredCause[]>;
  incidents(query: IncidentQuery): Promise<Page<IncidentRow>>;
  /** The latest first. Those of the bridge itself only for whoever sees all companies. */
  alarms(companies: Companies): Promise<readonly StoredAlarm[]>;
  audit(query: AuditQuery): Promise<Page<AuditEntryView>>;
}

export type { Act, Move };

export interface SecurityRow {
  readonly id: string;
  readonly at: Date;
  readonly news: SecurityNews;
}

export interface ActRecords {
  /** Locks, new admins, new tokens, second factors taken away; the latest first. */
  security(limit: number): Promise<readonly SecurityRow[]>;
  /** What may happen many times in an hour, counted for the audit. */
  readonly tally: ActTally;
  /** Those that were moved; who is not among them changed meanwhile. One tenant's at a time. */
  moveAll(act: Act, action: string, moves: readonly Move[]): Promise<ReadonlySet<string>>;
  /** generation + 1 under a new key, from the beginning. False: it is not reversed any more, or leased. */
  repost(act: Act, postingId: string, key: string, generation: number): Promise<boolean>;
  /** For one posting at a time an entry is looked at and taken; false: another one has it before it. */
  takeEntry(
    tenantName: TenantName,
    reference: ErpReference,
    postingId: string,
    forMs: number,
  ): Promise<boolean>;
  giveEntryBack(tenantName: TenantName, reference: ErpReference, postingId: string): Promise<void>;
  /** Another posting of the tenant that holds this entry; null: nobody does. */
  holderOf(tenantName: TenantName, reference: ErpReference, besides: string): Promise<string | null>;
  pause(act: Act, tenant: TenantName): Promise<boolean>;
  resume(act: Act, tenant: TenantName): Promise<boolean>;
  /** full: the next sweep reads everything since the cut-over. */
  requestSweep(act: Act, tenant: TenantName, full: boolean): Promise<void>;
  cursors(tenant: TenantName): Promise<CursorView[]>;
  setCursor(act: Act, tenant: TenantName, kind: SourceKind, fromDate: string): Promise<boolean>;
  /** What was forgiven is kept in the audit. */
  confirmPlan(act: Act, tenant: TenantName, how: Readonly<Record<string, boolean>>): Promise<boolean>;
  /** With companies: only an incident of one of them. */
  acknowledgeIncident(act: Act, id: string, companies?: Companies): Promise<IncidentRow | null>;
  resolveIncident(act: Act, id: string, companies?: Companies): Promise<IncidentRow | null>;
  /** What waits to be mapped, oldest first, and how many there are. */
  waiting(tenant: TenantName, limit: number): Promise<{ rows: readonly WaitingRow[]; total: number }>;
  verifyAudit(): Promise<AuditCheck>;
  record(
    act: Act,
    entry: { tenantName?: string; action: string; subject: string; details?: Record<string, unknown> },
  ): Promise<void>;
}

export interface WaitingRow {
  readonly postingId: string;
  readonly kind: SourceKind;
  readonly guid: Guid;
  readonly key: string;
}

export interface ExportRecords {
  /** Posted in the period, by id. */
  exportPage(
    period: { readonly tenant: TenantName; readonly from: string; readonly to: string },
    after: string | null,
    limit: number,
  ): Promise<readonly ExportedPosting[]>;
  /** With a reversal in the books, whatever they are now and whenever it was; by id. */
  reversedPage(tenant: TenantName, after: string | null, limit: number): Promise<readonly ReversedPosting[]>;
}

export interface OperationRecords
  extends ExportRecords, TokenRecords, ApprovalRecords, ReadRecords, ActRecords, RunRecords {}
