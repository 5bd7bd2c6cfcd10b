// The posting stage: from a discovered document to an entry in the ERP, steps 2 to 6 of the protocol.
// It promises: nothing is sent before its attempt is on record; whatever is uncertain is looked up or parked, never guessed;
// it may be killed between any two lines and be run again by anybody.
import type { Runtime } from '../../domain/runtime.js';
import { isSourceKind, type SourceKind } from '../../domain/source-document.js';
import { applyChange } from '../../sync/posting-records.js';
import type { FailPoints } from '../fail-points.js';
import type {
  BreakerStore,
  ClaimedPosting,
  PostingChange,
  PostingRecord,
  PostingStore,
} from '../../sync/posting-records.js';
import { withMembers } from '../summaries/with-members.js';
import type { TenantContext } from '../tenant-context.js';
import type { Witness } from '../witness.js';

export interface PostingStage {
  readonly runtime: Runtime;
  readonly store: PostingStore;
  readonly breakers: BreakerStore;
  readonly failPoints: FailPoints;
  /** Absent: the database is trusted. */
  readonly witness?: Witness;
  readonly timing: PostTiming;
}

export interface PostTiming {
  /** At least; it is longer where the ERP's calls are (`leaseMsOf`). It runs anew with every commit. */
  readonly leaseMs: number;
  /** From the committed intent to the last moment its request may leave. */
  readonly sendByMs: number;
  /** One call of an adapter that does not say how long its own take. */
  readonly erpTimeoutMs: number;
  /** How long a request that has left may still be on its way; where calls may take longer, as long as those. */
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

/** Nobody takes over while a call that was begun in time may still be under way. */
export function leaseMsOf({ timing }: PostingStage, tenant: TenantContext): number {
  return Math.max(timing.leaseMs, 2 * timing.sendByMs + callMs(timing, tenant));
}

/** After this long a request that was ever sent has either arrived or never will. */
export function quietPeriodMs({ timing }: Pick<PostingStage, 'timing'>, tenant: TenantContext): number {
  const callMsMax = callMs(timing, tenant);
  const { lookUpLagMs } = tenant.erp.capabilities;
  // What we gave up waiting for, the ERP may still be working on.
  return timing.sendByMs + callMsMax + Math.max(timing.networkDelayMaxMs, callMsMax) + lookUpLagMs;
}

/** What a step says of the posting: go on with the next step, or it was given back. */
export type Step = 'again' | 'rested';

/** The source says Posted because of an entry of ours that a person has reversed since. */
export function isRepost({ claim }: { readonly claim: ClaimedPosting }): boolean {
  return claim.posting.generation > 0 && claim.writeBack?.wanted === 'Posted';
}

/** Error at the source is what we wrote there: by the latest decision, or by one before it that the source took instead. */
export async function isOurError({ claim, stage }: PostingWork): Promise<boolean> {
  return claim.writeBack?.wanted === 'Error' || stage.store.hasToldError(claim.posting.id);
}

/**
 * One posting, claimed by one process. What a step found out may wait for the next commit (`carry`): it is seen at once
 * and put on record together with the next move. Nothing is ever sent to the ERP on the strength of what is only carried.
 */
export class PostingWork {
  readonly stage: PostingStage;
  readonly tenant: TenantContext;
  /** As last committed. */
  #committed: ClaimedPosting;
  /** As this process sees it: the same with what is carried. */
  #claim: ClaimedPosting;
  #carried: PostingChange | null = null;
  /** In the books, and not on record yet. */
  #booked: { readonly change: PostingChange; readonly atMs: number } | null = null;
  #hasBegun = false;
  #hasSent = false;
  #isBooked = false;
  #saidError = false;

  /** When the lease was last asked for, by the clock of this process. */
  #askedAtMs: number;

  constructor(stage: PostingStage, tenant: TenantContext, claim: ClaimedPosting, askedAtMs: number) {
    this.stage = stage;
    this.tenant = tenant;
    this.#committed = claim;
    this.#claim = claim;
    this.#askedAtMs = askedAtMs;
  }

  /** Until when something may be said under this claim, so that it has arrived before anybody else can have claimed it. */
  get sayByMs(): number {
    return this.#askedAtMs + leaseMsOf(this.stage, this.tenant) - this.stage.timing.sendByMs;
  }

  get claim(): ClaimedPosting {
    return this.#claim;
  }

  get posting(): PostingRecord {
    return this.#claim.posting;
  }

  /** Of a document of the source; what follows one is none. */
  get sourceKind(): SourceKind {
    const { kind } = this.#claim.posting;
    if (!isSourceKind(kind)) throw new Error(`A ${kind} is no document of the source.`);
    return kind;
  }

  /** A write was sent under this claim: the next reading decides; a second send in the same breath would tell nothing new. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  /** The entry was sent and booked under this claim, and surely nobody of us has told the source yet. */
  get isUntold(): boolean {
    return this.#isBooked && this.#hasBegun && !this.#hasSent;
  }

  /** Error at the source may be what we wrote there ourselves, before a person set the document going again. */
  get errorMayBeOurs(): boolean {
    if (this.#isBooked && !this.#hasSent) return this.#saidError;
    const wanted = this.#claim.writeBack?.wanted;
    return wanted === 'Error' || wanted === 'Posted';
  }

  noteSent(): void {
    this.#hasSent = true;
  }

  /**
   * All of it is in the books. Where the ERP has shown it and can show it again, that goes on record together with what the source is
   * told of it, or before anything else does: whoever takes over until then finds the attempt on record, and looks it up.
   * `saidError`: what we had told the source until then.
   */
  async book(change: PostingChange, saidError: boolean): Promise<void> {
    if (this.#mayWait(change)) {
      this.#booked = { change: Object.assign({}, this.#carried, change), atMs: this.#nowMs() };
      this.#carried = null;
      this.#claim = applyChange(this.#claim, change);
    } else await this.commit(change);
    this.#isBooked = true;
    this.#saidError = saidError;
  }

  /** What a person should hear of, what others wait for, and what nobody could find out again is on record before anything is sent. */
  #mayWait({ incidents = [], stopTenant }: PostingChange): boolean {
    const { erp, awaited } = this.tenant;
    const isShown = erp.capabilities.lookUp !== 'none';
    const isPlain = incidents.length === 0 && stopTenant === undefined;
    return isShown && isPlain && awaited === undefined && this.posting.kind !== 'summary';
  }

  /** Goes on record with the next commit. Until then a crash forgets it, so it may only hold what can be found out again. */
  carry(change: PostingChange): 'again' {
    this.#carried = Object.assign({}, this.#carried, change);
    this.#claim = applyChange(this.#claim, change);
    return 'again';
  }

  async commit(change: PostingChange): Promise<'again'> {
    const booked = this.#booked;
    this.#booked = null;
    if (booked === null) return this.#put(change);
    if (change.to === 'acknowledged')
      return this.#put(bookedAndTold(booked.change, change, this.#nowMs() - booked.atMs));
    const later = this.#carried;
    this.#carried = null;
    await this.#put(booked.change);
    this.#carried = later;
    return this.#put(change);
  }

  async #put(change: PostingChange): Promise<'again'> {
    const said: PostingChange = Object.assign({}, this.#carried, change, {
      leaseMs: leaseMsOf(this.stage, this.tenant),
    });
    const { posting } = this.#claim;
    const whole = posting.kind === 'summary' ? await withMembers(this.stage.store, this.#claim, said) : said;
    this.#carried = null;
    this.#hasBegun ||= change.attempt?.act === 'begin';
    this.#askedAtMs = this.#nowMs();
    try {
      this.#committed = await this.stage.store.commit(this.#committed, whole);
    } finally {
      // Of a commit that failed nothing counts, or its tries would begin anew each time.
      this.#claim = this.#committed;
    }
    return 'again';
  }

  #nowMs(): number {
    return this.stage.runtime.clock.now().getTime();
  }

  /** Commits and gives the lease back. */
  async rest(change: PostingChange): Promise<'rested'> {
    await this.commit(Object.assign({}, change, { release: true, judgedBy: this.tenant.rulesVersion }));
    return 'rested';
  }
}

/** One move instead of two. Of what is told to nobody there is no write-back. */
function bookedAndTold(booked: PostingChange, told: PostingChange, bookedMsAgo: number): PostingChange {
  const { writeBack } = booked;
  const both: PostingChange = Object.assign({}, booked, told, { bookedMsAgo });
  if (writeBack?.act !== 'decide') return both;
  return Object.assign({}, both, { writeBack: { ...writeBack, act: 'told' } as const });
}
