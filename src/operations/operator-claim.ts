// A posting that an operator has claimed, as a worker claims it, so that nobody else moves it meanwhile, and given back
// whatever happens. For acts that talk to the ERP or to the source in between.
import { message } from '../language/messages.js';
import { POST_TIMING, inFlightMaxMs } from '../sync/work.js';
import { isSourceKind } from '../domain/source-document.js';
import type { BookedDocument, BookedInvoice } from '../sync/follow-up-records.js';
import type { AttemptRecord, ClaimedPosting, PostingChange, PostingRecord } from '../sync/posting-records.js';
import type { TenantContext } from '../sync/tenant-context.js';
import { coded } from '../language/coded.js';
import type { Act } from './act.js';
import type { ActRequest } from './act-request.js';
import { factsOfClaim, refusalOf } from './acts.js';
import type { OperationsDeps } from './deps.js';
import { QUIET_PERIOD_MS } from './replay-verdict.js';

/** Longer than the calls of one act together. */
export const LEASE_MS = 180_000;

export class OperatorClaim {
  readonly tenant: TenantContext;
  readonly act: Act;
  readonly #deps: OperationsDeps;
  #claimed: ClaimedPosting;
  #released = false;
  readonly #askedAtMs: number;

  constructor(
    deps: OperationsDeps,
    tenant: TenantContext,
    act: Act & { readonly askedAtMs: number },
    claimed: ClaimedPosting,
  ) {
    this.#deps = deps;
    this.tenant = tenant;
    this.act = act;
    this.#claimed = claimed;
    this.#askedAtMs = act.askedAtMs;
  }

  get posting(): PostingRecord {
    return this.#claimed.posting;
  }

  get claimed(): ClaimedPosting {
    return this.#claimed;
  }

  /** What was sent to its ERP longer ago than this has arrived and can be seen, or never will. */
  get inFlightMaxMs(): number {
    return Math.max(QUIET_PERIOD_MS, inFlightMaxMs({ timing: POST_TIMING }, this.tenant));
  }

  /** What the operator saw in the ERP, they saw longer ago than this: their machine may have slept since they asked. */
  get askedAgoMs(): number {
    return this.nowMs - this.#askedAtMs;
  }

  get nowMs(): number {
    return this.#deps.clock.now().getTime();
  }

  /** Attempts to reverse it, the latest first. */
  reversals(): Promise<readonly AttemptRecord[]> {
    return this.#deps.records.reversals(this.posting.id);
  }

  /** Only of a document of the source. */
  async bookedDocument(): Promise<BookedDocument | null> {
    const { tenantName, kind, guid } = this.posting;
    return isSourceKind(kind)
      ? this.#deps.postings(this.act.actor).bookedDocument(tenantName, kind, guid)
      : null;
  }

  bookedInvoice(): Promise<BookedInvoice | null> {
    const { tenantName, guid } = this.posting;
    return this.#deps.postings(this.act.actor).bookedInvoice(tenantName, guid);
  }

  async commit(change: PostingChange): Promise<void> {
    const store = this.#deps.postings(this.act.actor);
    // The lease runs anew: an act may be several calls of an ERP, each as long as its deadline.
    this.#claimed = await store.commit(this.#claimed, { why: this.act.reason, leaseMs: LEASE_MS, ...change });
    this.#released = change.release === true;
  }

  async giveBack(): Promise<void> {
    if (!this.#released) await this.commit({ action: 'given-back', release: true });
  }
}

/** Claims the document, asks the table of acts, does the work, and gives the claim back whatever happens. */
export async function underClaim<Result>(
  { deps, name, by }: Pick<ActRequest, 'deps' | 'name' | 'by'>,
  postingId: string,
  work: (claim: OperatorClaim) => Promise<Result>,
): Promise<Result> {
  const asked = { ...by, askedAtMs: deps.clock.now().getTime() };
  const row = (await deps.records.story(postingId))?.row;
  if (!row) throw coded('DOCUMENT_NOT_FOUND', message('ID_UNKNOWN', { id: postingId }));
  const tenant = await deps.connections.get(row.tenantName);
  const claimed = await deps.postings(by.actor).claim(postingId, `operator:${by.actor}`, LEASE_MS);
  if (!claimed) throw coded('POSTING_BUSY', message('BEING_WORKED_ON'));
  const claim = new OperatorClaim(deps, tenant, asked, claimed);
  try {
    const refusal = refusalOf(name, factsOfClaim(claimed));
    if (refusal) throw coded('ACT_NOT_POSSIBLE', refusal.why);
    return await work(claim);
  } finally {
    await claim.giveBack();
    deps.poke();
  }
}
