// What is on record of a posting, the kinds of commit that change it, and what a commit makes of it (`applyChange` and `changedTimes`, pure
// functions). PostgreSQL makes the same of it in SQL (store/commit.ts); test/integration/store/posting-commits.test.ts compares the two for
// every kind of commit. The simulation stores what the functions return.
// A store promises: `commit` is one transaction, a compare-and-set on (id, state, fence), refused with LEASE_LOST if another claim was made
// since. It writes an audit row for everything it moves. All ages are measured by the clock of the database, so that processes need not agree
// on the time.
import type { WritableStatus, AttemptOutcome, PostingState } from '../domain/posting.js';
import type { Guid, IsoDate, PostingKey, TenantName } from '../domain/ids.js';
import type { Reason } from '../domain/message.js';
import type { BookedKind, SourceKind } from '../domain/source-document.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import type { NewIncident } from '../language/incidents/incident-text.js';
import type {
  BookedDocument,
  BookedInvoice,
  MemberOf,
  MembersChange,
  SummaryReader,
} from './follow-up-records.js';

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
/** A person begins a reversal (operations/reverse.ts). It is an attempt too, but the protocol never resumes one. */
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
  /** Since the latest possible send: a request from before a restore may have been sent again until the restore. */
  readonly lastSendAgeMs: number;
  /** null: the process died during the send, so the outcome is unknown. */
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
  /** The latest attempt to post. A reversal would hide whether the entry has arrived, so it is never shown here. */
  readonly attempt: AttemptRecord | null;
  /** The latest write-back. */
  readonly writeBack: WriteBackRecord | null;
  /** Since the database was restored from a backup: the ERP may have entries that the database lacks. null: it was not restored. */
  readonly restoredAgeMs: number | null;
  /** The summary that has, or will have, the entry of this document; absent: the document has its own entry. */
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
  /** The document number in the ledger. */
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
      /** The key of a reversal that ends; absent: the attempt of the claim ends. */
      readonly reversal?: string;
    };

export type WriteBackChange =
  | { readonly act: 'decide'; readonly wanted: WritableStatus; readonly message: string }
  /** Decided, sent and read back, all since the last commit. */
  | { readonly act: 'told'; readonly wanted: WritableStatus; readonly message: string }
  | { readonly act: 'sent'; readonly answer?: string }
  | { readonly act: 'answered'; readonly answer: string }
  | { readonly act: 'acknowledged' }
  | { readonly act: 'abandoned'; readonly answer: string };

/** What a commit may contain, whether the posting moves or not. */
interface CommitParts {
  /** Its name in the audit. */
  readonly action: string;
  readonly tries?: number;
  /** Release the lease. */
  readonly release?: boolean;
  /** The version of the rules that decided it. If they were replaced meanwhile, what they held or deferred is due again soon. */
  readonly judgedBy?: string;
  /** Unless the lease is released, it is renewed for this long. */
  readonly leaseMs?: number;
  readonly document?: DocumentFacts;
  /** Only the status at the source. */
  readonly sourceStatus?: string;
  readonly mapped?: MappedFacts;
  readonly attempt?: AttemptChange;
  readonly reference?: { readonly part: AttemptPart; readonly reference: ErpReference };
  /** The entry was booked this long before the commit. */
  readonly bookedMsAgo?: number;
  readonly writeBack?: WriteBackChange;
  /** What the commit means for the documents of a summary. */
  readonly members?: MembersChange;
  readonly incidents?: readonly NewIncident[];
  /** Pauses the tenant until a person resumes it: why. Comes with an incident. */
  readonly stopTenant?: string;
  /** Documents that wait for this one (credit notes for their invoice) are due now. */
  readonly wakeDependents?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The reason that a person gave, for the audit. */
  readonly why?: string;
}

/** The posting stays in its state. */
export interface StayChange extends CommitParts {
  readonly to?: undefined;
  /** null clears it, absent keeps it. */
  readonly reason?: Reason | null;
  /** When the posting is due again; null: only an event or a person wakes it; absent keeps it. */
  readonly dueInMs?: number | null;
}

/** The posting takes its next step. */
export interface ProgressChange extends CommitParts {
  readonly to: 'discovered' | 'mapped' | 'posting' | 'posted' | 'writing_back';
  readonly reason?: Reason | null;
  readonly dueInMs?: number | null;
}

/** The posting waits for a cause that ends without a decision: time, the rules, the ERP, an operator. */
export interface WaitChange extends CommitParts {
  readonly to: 'deferred' | 'held';
  readonly reason: Reason;
  readonly dueInMs: number | null;
}

/** The document is not booked. */
export interface DecisionChange extends CommitParts {
  readonly to: 'skipped' | 'rejected';
  readonly reason: Reason;
  readonly dueInMs: number | null;
}

/** A person has to decide. */
export interface ParkChange extends CommitParts {
  readonly to: 'parked' | 'orphaned';
  readonly reason: Reason;
  readonly dueInMs: null;
}

/** The posting is finished. */
export interface DoneChange extends CommitParts {
  readonly to: 'acknowledged' | 'reversed';
  readonly reason: null;
  readonly dueInMs: null;
}

/** The kinds of commit. `to` tells them apart. */
export type PostingChange =
  StayChange | ProgressChange | WaitChange | DecisionChange | ParkChange | DoneChange;

// ---- What a commit makes of a posting ----

/** What the store chose for the rows that a change adds. */
export interface NewRows {
  readonly attempt?: { readonly id: string; readonly number: number };
  readonly writeBackId?: string;
}

/** A claim as it is after the commit. It shows the latest attempt to post; a reversal never replaces that. */
export function applyChange(
  claim: ClaimedPosting,
  change: PostingChange,
  rows: NewRows = {},
): ClaimedPosting {
  return {
    ...claim,
    posting: changedPosting(claim.posting, change),
    attempt: isReversal(change.attempt) ? claim.attempt : changedAttempt(claim.attempt, change.attempt, rows),
    writeBack: changedWriteBack(claim.writeBack, change.writeBack, rows),
  };
}

function isReversal(change: AttemptChange | undefined): boolean {
  if (change?.act === 'begin') return change.part === 'reversal';
  return change?.act === 'finish' && change.reversal !== undefined;
}

export function changedPosting(posting: PostingRecord, change: PostingChange): PostingRecord {
  const { to = posting.state, reason = posting.reason, tries = posting.tries, reference } = change;
  const facts = change.document ?? { contentHash: posting.contentHash, number: posting.documentNumber };
  const mapped = change.mapped ?? posting;
  return {
    ...posting,
    state: to,
    stateAgeMs: change.to === undefined ? posting.stateAgeMs : 0,
    reason,
    tries,
    contentHash: facts.contentHash,
    documentNumber: facts.number,
    rulesVersion: mapped.rulesVersion,
    journal: mapped.journal,
    settlement: mapped.settlement,
    reference: reference?.part === 'main' ? reference.reference : posting.reference,
    settlementReference: reference?.part === 'settlement' ? reference.reference : posting.settlementReference,
  };
}

export function changedAttempt(
  attempt: AttemptRecord | null,
  change: AttemptChange | undefined,
  rows: NewRows = {},
): AttemptRecord | null {
  switch (change?.act) {
    case undefined:
      return attempt;
    case 'begin':
      return {
        id: rows.attempt?.id ?? '',
        number: rows.attempt?.number ?? 0,
        part: change.part,
        key: change.key,
        request: change.request,
        sends: 1,
        ageMs: 0,
        lastSendAgeMs: 0,
        outcome: null,
        reference: null,
      };
    case 'resend':
      return { ...onRecord(attempt), sends: onRecord(attempt).sends + 1, lastSendAgeMs: 0, outcome: null };
    case 'finish': {
      const { outcome, reference = onRecord(attempt).reference } = change;
      return { ...onRecord(attempt), outcome, reference };
    }
  }
}

export function changedWriteBack(
  writeBack: WriteBackRecord | null,
  change: WriteBackChange | undefined,
  rows: NewRows = {},
): WriteBackRecord | null {
  switch (change?.act) {
    case undefined:
      return writeBack;
    case 'decide':
    case 'told': {
      const { act, wanted, message } = change;
      const id = rows.writeBackId ?? '';
      return act === 'told'
        ? { id, wanted, message, state: 'acknowledged', sends: 1 }
        : { id, wanted, message, state: 'pending', sends: 0 };
    }
    case 'sent':
    case 'answered':
      return { ...onRecord(writeBack), state: 'sent', sends: onRecord(writeBack).sends + 1 };
    case 'acknowledged':
      return { ...onRecord(writeBack), state: 'acknowledged', sends: Math.max(onRecord(writeBack).sends, 1) };
    case 'abandoned':
      return { ...onRecord(writeBack), state: 'abandoned' };
  }
}

/** A change of a row that does not exist is an error of the caller; otherwise it would change nothing, and nobody would notice. */
export function onRecord<Row>(row: Row | null): Row {
  if (row === null) throw new Error('There is no attempt or write-back on record that this could change.');
  return row;
}

/** Moments of a posting, in milliseconds by the clock of the store. */
export interface PostingTimes {
  readonly stateSince: number;
  /** null: only an event or a person wakes it. */
  readonly dueAt: number | null;
  /** 0: nobody has claimed it. */
  readonly leaseUntil: number;
  readonly acknowledgedAt: number | null;
}

/** A process uses rules that were replaced for as long as it takes to read the changed file; this is longer. */
export const STALE_RULES_MS = 10_000;

/** `rulesVersion`: the rules of the tenant now; null: they are not known, and count as the ones that decided. */
export function changedTimes(
  { state }: Pick<PostingRecord, 'state'>,
  times: PostingTimes,
  change: PostingChange,
  { nowMs, rulesVersion }: { readonly nowMs: number; readonly rulesVersion: string | null },
): PostingTimes {
  const { to, dueInMs, judgedBy, release, leaseMs } = change;
  const waits = ['held', 'deferred'].includes(to ?? state);
  const isOutdated = waits && judgedBy !== undefined && rulesVersion !== null && judgedBy !== rulesVersion;
  const wait = isOutdated ? STALE_RULES_MS : dueInMs;
  const lease = release ? 0 : leaseMs;
  return {
    stateSince: to === undefined ? times.stateSince : nowMs,
    dueAt: wait === undefined ? times.dueAt : wait === null ? null : nowMs + wait,
    leaseUntil: lease === undefined ? times.leaseUntil : lease === 0 ? 0 : nowMs + lease,
    acknowledgedAt: to === 'acknowledged' ? nowMs : times.acknowledgedAt,
  };
}

// ---- The ports ----

export interface PostingStore extends SummaryReader {
  /** Takes the lease if it is free or has expired; null: another process has it, or there is no such posting. */
  claim(postingId: string, owner: string, leaseMs: number): Promise<ClaimedPosting | null>;
  /** The same, if the posting is due and its tenant is not paused. Wake-ups come late, and more than once. */
  claimDue(postingId: string, owner: string, leaseMs: number): Promise<ClaimedPosting | null>;
  commit(claim: ClaimedPosting, change: PostingChange): Promise<ClaimedPosting>;
  /** Guids of the known credit notes for this invoice that were not deleted, the latest first. */
  creditNotesOf(tenantName: TenantName, guid: Guid, limit: number): Promise<readonly Guid[]>;
  /**
   * Every invoice that was handed over before this posting came into its state is known, and what it refers to: a full sweep has begun and
   * completed since then, and everything that it found has been read.
   */
  hasSeenAllInvoices(postingId: string): Promise<boolean>;
  /** We wrote Error to the source once. The latest write-back may have another status that the source did not take. */
  hasToldError(postingId: string): Promise<boolean>;
  /** A booked invoice with its payments; null: it is not on record. */
  bookedInvoice(tenantName: TenantName, guid: Guid): Promise<BookedInvoice | null>;
  /** A booked document with its releases; null: it is not on record. */
  bookedDocument(tenantName: TenantName, kind: SourceKind, guid: Guid): Promise<BookedDocument | null>;
}

export type BreakerSide = 'source' | 'erp';

export interface BreakerStore {
  succeeded(tenantName: TenantName, side: BreakerSide): Promise<void>;
  /** Counts consecutive failures, and opens the breaker after too many. */
  failed(tenantName: TenantName, side: BreakerSide, reason: string, retryAfterMs?: number): Promise<void>;
  /** Credentials or rights: the breaker is open until a probe succeeds or a person closes it. */
  refused(tenantName: TenantName, side: BreakerSide, reason: string): Promise<void>;
}
