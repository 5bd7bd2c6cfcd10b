// What the pipeline keeps and how it changes it. The store implements this on PostgreSQL, the simulation in memory.
// Promises of an implementation: `commit` is one transaction, a compare-and-set on (id, state, fence), refused with
// LEASE_LOST when another claim was made since; it writes an audit row beside whatever it moves; ages are measured by one
// clock (the database's), so that no two processes have to agree on the time.
import type { Guid, IsoDate, PostingKey, TenantName } from '../domain/ids.js';
import type { WritableStatus } from '../domain/accounting-status.js';
import type { Reason } from '../domain/message.js';
import type { AttemptOutcome, PostingState } from '../domain/posting.js';
import type { BookedKind, SourceKind } from '../domain/source-document.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import type { NewIncident } from '../language/incidents/incident-text.js';
import type { ListedDocument } from '../invoicing/invoicing-source.js';
import type { BookedInvoice } from './payments/records.js';
import type { BookedDocument } from './releases/records.js';
import type { MemberOf, MembersChange, SummaryReader } from './summaries/records.js';

export interface PostingRecord {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly kind: BookedKind;
  readonly guid: Guid;
  readonly documentNumber: string;
  readonly key: PostingKey;
  readonly generation: number;
  readonly state: PostingState;
  readonly reason: Reason | null;
  readonly stateAgeMs: number;
  readonly discoveredAgeMs: number;
  readonly fence: number;
  readonly tries: number;
  readonly contentHash: string | null;
  readonly rulesVersion: string | null;
  /** JSON of the journal (domain/journal-json); null until mapped. */
  readonly journal: string | null;
  readonly settlement: string | null;
  readonly reference: ErpReference | null;
  readonly settlementReference: ErpReference | null;
}

export type AttemptPart = 'main' | 'settlement';
/** A reversal is an attempt too, begun by a person (operations/reverse.ts); the posting stage never resumes one. */
export type AttemptedPart = AttemptPart | 'reversal';

export interface AttemptRecord {
  readonly id: string;
  readonly number: number;
  readonly part: AttemptedPart;
  readonly key: PostingKey;
  readonly request: string;
  readonly sends: number;
  /** Since the first send of this request. */
  readonly ageMs: number;
  /** Since the latest send that there may have been: before a restore, a history that is lost may have sent it until then. */
  readonly lastSendAgeMs: number;
  /** null: under way when its process died; as good as unknown. */
  readonly outcome: AttemptOutcome | null;
  readonly reference: ErpReference | null;
}

export interface WriteBackRecord {
  readonly id: string;
  readonly wanted: WritableStatus;
  readonly message: string;
  readonly state: 'pending' | 'sent' | 'acknowledged' | 'abandoned';
  readonly sends: number;
}

export interface ClaimedPosting {
  readonly posting: PostingRecord;
  /** The latest attempt to post. Never a reversal: that would hide whether what it follows has arrived. */
  readonly attempt: AttemptRecord | null;
  /** The latest write-back. */
  readonly writeBack: WriteBackRecord | null;
  /** Since the database was restored from a backup: what it has forgotten may be in the ERP. null: it is trusted. */
  readonly restoredAgeMs: number | null;
  /** The summary that its present entry is, or is to be, part of; absent: it has an entry of its own. */
  readonly summary?: MemberOf;
}

export interface DocumentFacts {
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  readonly issueDate: IsoDate;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly referGuid: Guid;
  readonly sourceStatus: string;
  readonly snapshot: string;
  readonly contentHash: string;
}

export interface MappedFacts {
  readonly rulesVersion: string;
  readonly journal: string;
  readonly settlement: string | null;
  readonly trace: string;
  readonly warnings: readonly string[];
  /** What people see of it in the ledger, and search by. */
  readonly documentNo: string;
  readonly postingDate: IsoDate;
  readonly totalIsk: string;
}

export type AttemptChange =
  | {
      readonly act: 'begin';
      readonly part: AttemptedPart;
      readonly key: PostingKey;
      readonly request: string;
      readonly sendByMs: number;
    }
  | { readonly act: 'resend'; readonly sendByMs: number }
  | {
      readonly act: 'finish';
      readonly outcome: AttemptOutcome;
      readonly message: string;
      readonly reference?: ErpReference;
      /** Key of the reversal that ends; the claim's own attempt unless given. */
      readonly reversal?: string;
    };

export type WriteBackChange =
  | { readonly act: 'decide'; readonly wanted: WritableStatus; readonly message: string }
  /** Decided, sent and read back since the last commit. */
  | { readonly act: 'told'; readonly wanted: WritableStatus; readonly message: string }
  | { readonly act: 'sent'; readonly answer?: string }
  | { readonly act: 'answered'; readonly answer: string }
  | { readonly act: 'acknowledged' }
  | { readonly act: 'abandoned'; readonly answer: string };

export interface PostingChange {
  readonly action: string;
  readonly to?: PostingState;
  /** undefined leaves it, null clears it. */
  readonly reason?: Reason | null;
  readonly tries?: number;
  /** When to look again; null: only an event or a person; undefined leaves it. */
  readonly dueInMs?: number | null;
  /** Give the lease back. */
  readonly release?: boolean;
  /** By which rules. Held or deferred by rules that were replaced meanwhile, it is looked at again soon. */
  readonly judgedBy?: string;
  /** Unless it is given back, the lease runs anew for this long. */
  readonly leaseMs?: number;
  readonly document?: DocumentFacts;
  /** Only the status seen at the source. */
  readonly sourceStatus?: string;
  readonly mapped?: MappedFacts;
  readonly reference?: { readonly part: AttemptPart; readonly reference: ErpReference };
  /** It was booked this long before the commit. */
  readonly bookedMsAgo?: number;
  readonly attempt?: AttemptChange;
  readonly writeBack?: WriteBackChange;
  /** What becomes of the documents of a summary. */
  readonly members?: MembersChange;
  readonly incidents?: readonly NewIncident[];
  /** Why nothing of this tenant is taken up any more until a person resumes it. Comes with an incident. */
  readonly stopTenant?: string;
  /** Documents that wait for this one (credit notes for their original) are looked at now. */
  readonly wakeDependents?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
  /** A person's reason; goes into the audit. */
  readonly why?: string;
}

export interface PostingStore extends SummaryReader {
  /** Takes the lease if it is free or has run out; null otherwise, or when the posting does not exist. */
  claim(postingId: string, owner: string, leaseMs: number): Promise<ClaimedPosting | null>;
  /** The same for whoever was woken: only what is due, since wake-ups come late and more than once; nothing of a stopped tenant. */
  claimDue(postingId: string, owner: string, leaseMs: number): Promise<ClaimedPosting | null>;
  commit(claim: ClaimedPosting, change: PostingChange): Promise<ClaimedPosting>;
  /** Guids of credit notes on record that refer to this invoice and were not deleted, the latest first. */
  creditNotesOf(tenantName: TenantName, guid: Guid, limit: number): Promise<readonly Guid[]>;
  /**
   * Whether every invoice that was handed over before this posting came into its state is known, and what it refers to: a full sweep has been
   * begun and completed since then, and everything that it found has been read.
   */
  hasSeenAllInvoices(postingId: string): Promise<boolean>;
  /** Whether we have ever told the source Error of it: the latest decision may be another, which the source did not take. */
  hasToldError(postingId: string): Promise<boolean>;
  /** An invoice that was booked, with its payments; null: it is not on record. */
  bookedInvoice(tenantName: TenantName, guid: Guid): Promise<BookedInvoice | null>;
  /** A document that was booked, with its releases; null: it is not on record. */
  bookedDocument(tenantName: TenantName, kind: SourceKind, guid: Guid): Promise<BookedDocument | null>;
}

export type BreakerSide = 'source' | 'erp';

export interface BreakerStore {
  succeeded(tenantName: TenantName, side: BreakerSide): Promise<void>;
  /** Counts a failure in a row; opens the breaker when there were too many. */
  failed(tenantName: TenantName, side: BreakerSide, reason: string, retryAfterMs?: number): Promise<void>;
  /** Credentials or rights: open until a probe succeeds or a person says so. */
  refused(tenantName: TenantName, side: BreakerSide, reason: string): Promise<void>;
}

export interface CursorRecord {
  readonly fromDate: string;
  readonly fullSweepDue: boolean;
  /** null: never. */
  readonly lastFullSweepAgeMs: number | null;
}

export interface SweepReport {
  readonly mode: 'fast' | 'full';
  readonly pages: number;
  readonly listed: number;
  readonly discovered: number;
  readonly reopened: number;
  readonly problems: number;
  readonly expectedCount: number | null;
  readonly outcome: 'complete' | 'incomplete' | 'failed';
  readonly message: string;
}

export interface BegunSweep {
  readonly id: string;
  /** Changes with every write to the cursor; null: there is none yet. */
  readonly cursorVersion: string | null;
}

/** What the source says of a document that a complete list did not show. */
export interface ReadAgain {
  readonly guid: Guid;
  /** `gone`: it was deleted. */
  readonly status: string;
}

export interface Recorded {
  readonly discovered: number;
  readonly reopened: number;
  /** Known not to be Created, since before the list was read: the list is behind, or the document is new in an old place. */
  readonly contradicted: number;
  readonly incidents: number;
}

export interface IntakeStore {
  cursor(tenantName: TenantName, kind: SourceKind): Promise<CursorRecord | null>;
  /** A full sweep is asked for until it is complete: one that is killed half-way is made again. */
  beginSweep(tenantName: TenantName, kind: SourceKind, mode: 'fast' | 'full'): Promise<BegunSweep>;
  /**
   * Insert-or-ignore, in one transaction, with their wake-ups. Known documents: a deferred one is looked at now, one that we
   * marked Skipped or Error and that is Created again was reopened by a person and begins anew.
   */
  recordListed(
    tenantName: TenantName,
    documents: readonly ListedDocument[],
    keyOf: (document: ListedDocument, generation: number) => string,
    /** How long ago the list began to be read: what we did since then is not contradicted by it. */
    listingAgeMs: number,
  ): Promise<Recorded>;
  /** Only a complete full sweep answers a request for one, and only a request from before it began. */
  finishSweep(
    begun: BegunSweep,
    tenantName: TenantName,
    kind: SourceKind,
    report: SweepReport,
    cursor: { readonly fromDate: string; readonly fullSweepDue: boolean; readonly full: boolean } | null,
  ): Promise<void>;
  /** Now, by the clock that says when a document was listed. */
  moment(): Promise<string>;
  /** How many documents of this kind we hold to be Created at the source; `since`: of those that were listed from that moment on. */
  countWaiting(tenantName: TenantName, kind: SourceKind, since?: string): Promise<number>;
  /** Guids of what rests, is held to be Created, and was not listed since this sweep began; the longest unseen first. */
  unlisted(
    begun: BegunSweep,
    tenantName: TenantName,
    kind: SourceKind,
    limit: number,
  ): Promise<readonly string[]>;
  /**
   * The status goes on record. What waits is looked at now; what is parked, was deleted and cannot be in the books is over; of
   * what is parked and may be in the books a person hears.
   */
  recordReadAgain(
    begun: BegunSweep,
    tenantName: TenantName,
    kind: SourceKind,
    read: readonly ReadAgain[],
  ): Promise<void>;
  openIncident(tenantName: TenantName, incident: NewIncident): Promise<void>;
}
