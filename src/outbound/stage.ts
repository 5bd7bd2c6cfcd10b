// What the stage that carries submissions works with, and one tenant as it sees it.
import type { Runtime } from '../domain/runtime.js';
import type { MarkField, InvoicingTarget, TargetRequest } from '../service/invoicing-target.js';
import type { Origin, OriginProblem, OriginRecord } from '../origins/origin.js';
import type { FailPoints } from '../sync/fail-points.js';
import type { BreakerStore } from '../sync/posting-records.js';
import type { Guid, TenantName } from '../domain/ids.js';
import type { Reason, Told } from '../domain/message.js';
import type { SubmissionKind, SubmissionOutcome, SubmissionState } from '../domain/submission.js';
import type { NewIncident } from '../language/incidents/incident-text.js';
import type { Agreed, Decisions, FieldConflict } from './agree-fields.js';

export interface OutboundStage {
  readonly runtime: Runtime;
  readonly store: SubmissionStore;
  readonly breakers: BreakerStore;
  readonly failPoints: FailPoints;
  readonly timing: OutboundTiming;
}

export interface OutboundTiming {
  readonly leaseMs: number;
  /** From the committed intent to the last moment its request may leave. */
  readonly sendByMs: number;
  /** One call; the service may work on as long again after we gave up. */
  readonly callMs: number;
  /** How far the service's lists may be behind. */
  readonly lagMs: number;
}

export const OUTBOUND_TIMING: OutboundTiming = {
  leaseMs: 180_000,
  sendByMs: 10_000,
  callMs: 30_000,
  lagMs: 60_000,
};

/** Longer ago than this, nothing of it can be on its way any more, and whatever arrived is listed. */
export function quietPeriodMs({ sendByMs, callMs, lagMs }: OutboundTiming): number {
  return sendByMs + 2 * callMs + lagMs;
}

/**
 * At the next of a few moments that all have in common: those who came into doubt at nearly the same time are due together, and one list serves
 * them.
 */
export function togetherInMs({ runtime, timing }: OutboundStage, waitMs: number): number {
  const everyMs = Math.max(1, Math.ceil(quietPeriodMs(timing) / 10));
  const beyond = (runtime.clock.now().getTime() + Math.ceil(waitMs)) % everyMs;
  return Math.ceil(waitMs) + (beyond === 0 ? 0 : everyMs - beyond);
}

export interface OutboundWish {
  /** Where the mark of an invoice is written. */
  readonly mark: MarkField;
  /** What a customer that an origin names may change of one that is there already. */
  readonly customers: 'create-only' | 'update';
  /** The same of items; update unless given. */
  readonly items?: 'create-only' | 'update';
  /** Fields of a customer or item in which the service wins: what it has there stays; what it lacks is filled in. */
  readonly serviceWins?: readonly string[];
  /** Fields in which the origin wins where both have changed. Of any other field a person decides then. */
  readonly originWins?: readonly string[];
  /** What becomes of a customer whose profile the service lists no more; it waits for a person unless given. */
  readonly deactivated?: 'park' | 'create';
  /** Days until settlement of drafts and orders, where the record does not say. */
  readonly settlementDays: number;
  /** Whether AI may read receipts at this account before anything shows them. */
  readonly costAi: boolean;
  /** Whose books an invoice is in where its record does not say; the bridge books it unless given. */
  readonly booked?: 'bridge' | 'origin';
}

export interface OutboundTenant {
  readonly name: string;
  readonly environment: 'production' | 'development';
  readonly sourceAccount: string;
  readonly target: InvoicingTarget;
  readonly wish: OutboundWish;
  /** By name; one that the file names no more is missing. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The series of each origin, by its name. */
  readonly series: Readonly<Record<string, string>>;
}

// The ports of the stage that carries submissions. Promises of an implementation: `commit` is one transaction, a compare-and-set on
// (id, state, fence) that is refused with false when somebody else has it by now; times are the database's; every move has an audit row.

export interface SubmissionRecord {
  readonly id: string;
  readonly tenantName: TenantName;
  /** Who gave it to us; empty: we made it ourselves, a customer that an invoice needs. */
  readonly origin: string;
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly key: string;
  readonly place: string;
  readonly state: SubmissionState;
  readonly reason: Reason | null;
  readonly fence: number;
  readonly tries: number;
  /** Processes that died over it, one after the other. */
  readonly deaths: number;
  readonly content: string;
  /** The latest request that was on record before it left. */
  readonly request: TargetRequest | null;
  /** What became of it; null: under way, or its process died. */
  readonly outcome: SubmissionOutcome | null;
  /** Since it was put on record, by the database's clock; null: there is none. */
  readonly sentAgoMs: number | null;
  readonly guid: Guid | null;
  readonly number: string | null;
  readonly paymentLink: string | null;
  /** What lists show that it comes to; null: it has none, or nobody knows it yet. */
  readonly amount: string | null;
  /** A person said that nothing of it can be at the service. */
  readonly surelyAbsent: boolean;
  /** Since the database was put back to an earlier state; null: not lately. What was sent before may be forgotten. */
  readonly restoredAgoMs: number | null;
  /** What its origin and the service had of each field when they were last at one; null: they never were. */
  readonly agreed: Agreed | null;
  /** What a person said of fields that both have changed. */
  readonly decided: Decisions | null;
  /** Files of it that the service has; null: none. */
  readonly uploads: Uploads | null;
}

/** Files that were uploaded for a record, and are named by every request that is made of it. */
export interface Uploads {
  /** Hash and name → the id that the service gave. */
  readonly ids: Readonly<Record<string, string>>;
  /** The service refused a request that named earlier ones, and these took their place. */
  readonly areRenewed: boolean;
}

/** A customer that an invoice needs, and nobody has named yet. */
interface NewSubmission {
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly key: string;
  readonly place: string;
  readonly content: string;
  /** One that was refused, and that only invoices have named, begins anew as it is here. */
  readonly isMended: boolean;
}

export interface SubmissionChange {
  /** For the audit. */
  readonly action: string;
  readonly to?: SubmissionState;
  /** undefined leaves it, null clears it. */
  readonly reason?: Reason | null;
  readonly tries?: number;
  /** When to look again; null: only an event or a person. */
  readonly dueInMs: number | null;
  /** The lease is kept. */
  readonly keep?: boolean;
  readonly begin?: TargetRequest;
  readonly finish?: { readonly outcome: SubmissionOutcome; readonly message: string };
  /** Not a byte of it left. */
  readonly isUnsent?: true;
  readonly created?: {
    readonly guid: Guid | null;
    readonly number: string | null;
    readonly paymentLink: string | null;
  };
  /** It is in the books of its origin, unless its record says otherwise. */
  readonly isInOriginsBooks?: true;
  /** All that were made of this draft or order, as the service has just said. */
  readonly invoices?: readonly { readonly guid: Guid; readonly number: string }[];
  /** What the service shows of it, for lists; null leaves what is known. */
  readonly shown?: {
    readonly amount: string | null;
    readonly currency: string | null;
    readonly counterparty: string;
  };
  readonly awaits?: NewSubmission;
  /** What both sides agree upon now, and what they do not; whatever a person had said of it is done. */
  readonly fields?: { readonly agreed: Agreed; readonly conflicts: readonly FieldConflict[] };
  /** Both sides as they were found before this request: what we wrote in doubt and is there, or its record would be lost with this one. */
  readonly found?: Agreed;
  readonly incidents?: readonly NewIncident[];
  /** undefined leaves them, null forgets them. */
  readonly uploads?: Uploads | null;
  /** With the files that its origin has beside it now; nothing else of it may differ, and nothing of it was sent. */
  readonly content?: string;
}

interface Standing {
  readonly state: SubmissionState;
  readonly reason: Reason | null;
  readonly content: string;
}

/** What an origin gave at its last look; null: it was never looked at. */
interface Cursors {
  cursor(tenantName: TenantName, origin: string): Promise<string | null>;
}

export interface SubmissionStore extends Cursors {
  commit(claimed: SubmissionRecord, change: SubmissionChange): Promise<boolean>;
  /** The guid of what was created under this key; null: there is none yet. */
  createdGuid(tenantName: TenantName, key: string): Promise<string | null>;
  /** Where the record of this key stands; null: there is none. */
  standing(tenantName: TenantName, key: string): Promise<Standing | null>;
  /** The number that the service has given to what was created under each of these keys; what is not there yet is not among them. */
  createdNumbers(tenantName: TenantName, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface TakenIn {
  readonly added: number;
  readonly changed: number;
  /** Changed after they were sent: a person hears of it. */
  readonly late: number;
  /** Their reference belongs to a record of another place. */
  readonly taken: number;
}

export interface OriginStore extends Cursors {
  /** Records, problems and cursor in one transaction. */
  takeIn(
    tenantName: TenantName,
    origin: string,
    taken: {
      readonly records: readonly (OriginRecord & { readonly key: string })[];
      readonly problems: readonly OriginProblem[];
      readonly looked: readonly string[];
      readonly gone?: readonly string[];
      /** Names of the origins that the tenant file has now. Left out: every origin on record is one of them. */
      readonly origins?: readonly string[];
      readonly cursor: string;
    },
  ): Promise<TakenIn>;
}

/** One that stands at the service, and what was agreed upon of it. */
interface AgreedRecord {
  readonly id: string;
  readonly guid: Guid;
  readonly agreed: Agreed;
  /** What waits for a person, with what the service showed then. */
  readonly conflicts: readonly FieldConflict[];
}

export interface AgreedStore {
  /** Those of a kind that rest and were not sent lately, the longest unlooked-at first; at most so many. */
  agreed(
    tenantName: TenantName,
    kind: SubmissionKind,
    quietMs: number,
    most: number,
  ): Promise<readonly AgreedRecord[]>;
  /** The service shows something else of it by now: it is taken up again. Returns how many were. */
  reopen(tenantName: TenantName, ids: readonly string[]): Promise<number>;
}

/** Where it is told that an origin cannot be looked at. */
export interface OriginWatch {
  silent(tenantName: TenantName, origin: string, words: Told): Promise<void>;
  answers(tenantName: TenantName, origin: string): Promise<void>;
}
