// What every step of the protocol works with: the ports, the timing, and one claimed posting (PostingWork).
// The protocol promises: a request is on record before it is sent; an uncertain result is looked up or parked, never guessed; a process
// may stop between any two lines, and another one continues from the last commit.
import type { PostingKey } from '../domain/ids.js';
import { journalFromJson } from '../domain/journal-json.js';
import type { Journal } from '../domain/journal.js';
import { settlementKey } from '../domain/posting-key.js';
import type { Runtime } from '../domain/runtime.js';
import { isSourceKind, type SourceKind } from '../domain/source-document.js';
import type { FailPoints } from './fail-points.js';
import {
  applyChange,
  type AttemptPart,
  type BreakerStore,
  type ClaimedPosting,
  type PostingChange,
  type PostingRecord,
  type PostingStore,
} from './posting-records.js';
import type { TenantContext } from './tenant-context.js';

export interface PostingDeps {
  readonly runtime: Runtime;
  readonly store: PostingStore;
  readonly breakers: BreakerStore;
  readonly failPoints: FailPoints;
  /** Detects that the database was rolled back to an earlier moment. Without it the database is trusted. */
  readonly witness?: Witness;
  readonly timing: PostTiming;
}

export interface PostTiming {
  /** The shortest lease; an ERP with longer calls gets a longer one (`leaseMsOf`). Every commit renews the lease. */
  readonly leaseMs: number;
  /** A request may be sent until this long after its intent was committed. */
  readonly sendByMs: number;
  /** The longest call of an adapter that does not declare `callMsMax`. */
  readonly erpTimeoutMs: number;
  /** How long a request may be on the network after it was sent; for slower adapters as long as their calls. */
  readonly networkDelayMaxMs: number;
}

export const POST_TIMING: PostTiming = {
  leaseMs: 90_000,
  sendByMs: 10_000,
  erpTimeoutMs: 30_000,
  networkDelayMaxMs: 30_000,
};

function callMs(timing: PostTiming, { erp }: TenantContext): number {
  return erp.capabilities.callMsMax ?? timing.erpTimeoutMs;
}

/** Longer than a call that was started in time, so that no other process claims the posting during the call. */
export function leaseMsOf({ timing }: Pick<PostingDeps, 'timing'>, tenant: TenantContext): number {
  return Math.max(timing.leaseMs, 2 * timing.sendByMs + callMs(timing, tenant));
}

/** The longest time a request can be in flight: after this it has arrived and is visible, or it never arrives. */
export function inFlightMaxMs({ timing }: Pick<PostingDeps, 'timing'>, tenant: TenantContext): number {
  const callMsMax = callMs(timing, tenant);
  const { lookUpLagMs } = tenant.erp.capabilities;
  // The second term: the ERP may still process a request for which we no longer wait.
  return timing.sendByMs + callMsMax + Math.max(timing.networkDelayMaxMs, callMsMax) + lookUpLagMs;
}

/** After a step: take the next one under the same claim, or stop because the claim was released. */
export type Step = 'continue' | 'released';

/** What differs between the kinds of posting (document, payment, release, summary). advance.ts has the table. */
export interface KindHandler {
  /** Step 3: makes the journal, or decides that there is none. */
  readonly examine: (work: PostingWork) => Promise<Step>;
  /** Adds to a commit what it means for other postings. */
  readonly extendCommit?: ExtendCommit;
  /** Every commit reaches the database at once; nothing waits for the next one. */
  readonly commitsAtOnce?: boolean;
}

export type ExtendCommit = (
  store: PostingStore,
  claim: ClaimedPosting,
  change: PostingChange,
) => Promise<PostingChange>;

/**
 * One posting, claimed by one process. A step either commits its result, or leaves it for the next commit (`addToNextCommit`): then later
 * steps see it at once, and a crash loses it. Nothing is sent to the ERP because of a result that is not committed.
 */
export class PostingWork {
  readonly deps: PostingDeps;
  readonly tenant: TenantContext;
  readonly #handler: Omit<KindHandler, 'examine'>;
  /** As last committed. */
  #committed: ClaimedPosting;
  /** The same with all results that wait for the next commit. */
  #claim: ClaimedPosting;
  #pending: PostingChange | null = null;
  /** The entry is in the books, and that is not committed yet. */
  #pendingBooking: { readonly change: PostingChange; readonly atMs: number } | null = null;
  #hasBegunAttempt = false;
  #hasSentStatus = false;
  #isBooked = false;
  #wroteErrorBeforeBooking = false;
  /** When the lease was last requested, by the clock of this process. */
  #leaseRequestedAtMs: number;

  constructor(
    deps: PostingDeps,
    tenant: TenantContext,
    claim: ClaimedPosting,
    leaseRequestedAtMs: number,
    handler: Omit<KindHandler, 'examine'> = {},
  ) {
    this.deps = deps;
    this.tenant = tenant;
    this.#handler = handler;
    this.#committed = claim;
    this.#claim = claim;
    this.#leaseRequestedAtMs = leaseRequestedAtMs;
  }

  get claim(): ClaimedPosting {
    return this.#claim;
  }

  get posting(): PostingRecord {
    return this.#claim.posting;
  }

  get nowMs(): number {
    return this.deps.runtime.clock.now().getTime();
  }

  /** The document at the source. A payment, a release or a summary has none. */
  get sourceKind(): SourceKind {
    const { kind } = this.#claim.posting;
    if (!isSourceKind(kind)) throw new Error(`A ${kind} is no document of the source.`);
    return kind;
  }

  /** A status update that is sent until now arrives before another process can claim the posting. */
  get sendStatusByMs(): number {
    return this.#leaseRequestedAtMs + leaseMsOf(this.deps, this.tenant) - this.deps.timing.sendByMs;
  }

  /** A status update was sent under this claim. Sending it again before the next read would give no new information. */
  get hasSentStatus(): boolean {
    return this.#hasSentStatus;
  }

  /** The entry was sent and booked under this claim, and no process of ours has updated the source since. */
  get isSourceNotUpdated(): boolean {
    return this.#isBooked && this.#hasBegunAttempt && !this.#hasSentStatus;
  }

  /** We may have written Error to the source, before a person restarted the document. */
  get errorMayBeOurs(): boolean {
    if (this.#isBooked && !this.#hasSentStatus) return this.#wroteErrorBeforeBooking;
    const wanted = this.#claim.writeBack?.wanted;
    return wanted === 'Error' || wanted === 'Posted';
  }

  noteStatusSent(): void {
    this.#hasSentStatus = true;
  }

  /**
   * All parts are in the books. If the ERP can show the entry again, this result waits for the next commit: a process that takes over before
   * that finds the attempt on record and looks the entry up. `wroteError`: we had written Error to the source before.
   */
  async book(change: PostingChange, wroteError: boolean): Promise<void> {
    if (this.#bookingMayWait(change)) {
      this.#pendingBooking = { change: Object.assign({}, this.#pending, change), atMs: this.nowMs };
      this.#pending = null;
      this.#claim = applyChange(this.#claim, change);
    } else await this.commit(change);
    this.#isBooked = true;
    this.#wroteErrorBeforeBooking = wroteError;
  }

  /** Incidents, results that others wait for, and results that cannot be looked up again are committed at once. */
  #bookingMayWait({ incidents = [], stopTenant }: PostingChange): boolean {
    const { erp, awaited } = this.tenant;
    const canBeFoundAgain = erp.capabilities.lookUp !== 'none';
    const isPlain = incidents.length === 0 && stopTenant === undefined;
    return canBeFoundAgain && isPlain && awaited === undefined && this.#handler.commitsAtOnce !== true;
  }

  /** A crash loses this result, so it must be one that the next claim finds out again. */
  addToNextCommit(change: PostingChange): 'continue' {
    this.#pending = Object.assign({}, this.#pending, change);
    this.#claim = applyChange(this.#claim, change);
    return 'continue';
  }

  async commit(change: PostingChange): Promise<'continue'> {
    const booking = this.#pendingBooking;
    this.#pendingBooking = null;
    if (booking === null) return this.#write(change);
    if (change.to === 'acknowledged')
      return this.#write(bookedAndAcknowledged(booking.change, change, this.nowMs - booking.atMs));
    const pending = this.#pending;
    this.#pending = null;
    await this.#write(booking.change);
    this.#pending = pending;
    return this.#write(change);
  }

  async #write(change: PostingChange): Promise<'continue'> {
    const leaseMs = leaseMsOf(this.deps, this.tenant);
    const merged: PostingChange = Object.assign({}, this.#pending, change, { leaseMs });
    const { extendCommit } = this.#handler;
    const whole = extendCommit ? await extendCommit(this.deps.store, this.#claim, merged) : merged;
    this.#pending = null;
    this.#hasBegunAttempt ||= change.attempt?.act === 'begin';
    this.#leaseRequestedAtMs = this.nowMs;
    try {
      this.#committed = await this.deps.store.commit(this.#committed, whole);
    } finally {
      // Nothing of a commit that failed counts, or its tries would start again each time.
      this.#claim = this.#committed;
    }
    return 'continue';
  }

  async commitAndRelease(change: PostingChange): Promise<'released'> {
    await this.commit(Object.assign({}, change, { release: true, judgedBy: this.tenant.rulesVersion }));
    return 'released';
  }
}

/** One move instead of two. A posting without a document at the source has no write-back. */
function bookedAndAcknowledged(
  booked: PostingChange,
  acknowledged: PostingChange,
  bookedMsAgo: number,
): PostingChange {
  const { writeBack } = booked;
  const both: PostingChange = Object.assign({}, booked, acknowledged, { bookedMsAgo });
  if (writeBack?.act !== 'decide') return both;
  return Object.assign({}, both, { writeBack: { ...writeBack, act: 'told' } as const });
}

/** The source shows Posted because of an entry of ours that a person has reversed since. */
export function isRepost({ claim }: { readonly claim: ClaimedPosting }): boolean {
  return claim.posting.generation > 0 && claim.writeBack?.wanted === 'Posted';
}

/** The status Error at the source is ours: the latest write-back, or an earlier one that the source took instead. */
export async function weWroteErrorStatus({ claim, deps }: PostingWork): Promise<boolean> {
  return claim.writeBack?.wanted === 'Error' || deps.store.hasToldError(claim.posting.id);
}

/**
 * A document becomes one entry in the ERP, or two: its journal, and the settlement of an invoice that is paid already. Each part has its own
 * key and reference. The document is posted when the last part is.
 */
export interface Part {
  readonly part: AttemptPart;
  readonly key: PostingKey;
  readonly journal: Journal;
}

/** The first part that has no reference; null when the ERP has all of them. */
export function nextPart(posting: PostingRecord): Part | null {
  if (posting.journal !== null && posting.reference === null) {
    return { part: 'main', key: posting.key, journal: journalFromJson(posting.journal) };
  }
  if (posting.settlement !== null && posting.settlementReference === null) {
    return {
      part: 'settlement',
      key: settlementKey(posting.key),
      journal: journalFromJson(posting.settlement),
    };
  }
  return null;
}

export function isLastPart(posting: PostingRecord, part: AttemptPart): boolean {
  return part === 'settlement' || posting.settlement === null || posting.settlementReference !== null;
}

/** Every posted document needs it, and parsing a whole journal for one field is slow. Quotes inside JSON strings are escaped. */
const POSTING_DATE = /"postingDate":\s*"([^"]+)"/;

export function postingDate({ journal }: PostingRecord): string {
  return (journal && POSTING_DATE.exec(journal)?.[1]) ?? '';
}

// ---- A database that was rolled back ----
// After a restore from a dump, a promotion of a standby that was behind, or a copy of an old directory, the database lacks requests that were sent,
// and does not know it. The witness is stored outside of the database, and does.

export interface Witness {
  /**
   * The intent of this claim is on record, and nothing of it has left yet. False: the database has forgotten what it had on record
   * before; it is treated as restored from now on, and this must not be sent before a look.
   */
  trusts(claim: ClaimedPosting): Promise<boolean>;
}
