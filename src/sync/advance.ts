// One claim takes a posting through the nine steps, from whatever state it is in, as far as it goes now:
//
//   1  a sweep lists the document            intake.ts
//   2  claim it: lease and fence             the store, before this file is called
//   3  read it, and map it                   examine.ts (follow-ups.ts, summaries.ts)
//   4  commit the exact request              send.ts
//   5  send it to the ERP                    send.ts
//   6  read the entry back, and compare      outcomes.ts
//   7  read the document again               write-back.ts
//   8  write the status to the source        write-back.ts
//   9  read the status back, and acknowledge write-back.ts
//
// A claim that finds a request on record, and not its result, starts with resolve.ts.
import { CodedError, errorWords, isCoded, waitMsOf } from '../domain/errors/coded-error.js';
import { noLongerKept } from '../domain/journal-json.js';
import { auditWords, type Message } from '../domain/message.js';
import { isHeldByOperator, isLegalMove } from '../domain/posting.js';
import type { BookedKind } from '../domain/source-document.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { message, reason, saidBy } from '../language/messages.js';
import type { TenantContext } from './tenant-context.js';
import { jittered, outageOf, reportSourceOutage, retryInMs, TRIES_MAX, WAITS_MS } from './back-off.js';
import { examineAgain, examineDocument, isReadyForSummary } from './examine.js';
import { examinePayment, examineRelease } from './follow-ups.js';
import { aboutDocument, parkWithAlarm } from './outcomes.js';
import type { ClaimedPosting, ParkChange, PostingRecord } from './posting-records.js';
import { resolveOutcome, sendJournal } from './send.js';
import { SUMMARY } from './summaries.js';
import { type KindHandler, leaseMsOf, type PostingDeps, PostingWork, type Step } from './work.js';
import { writeBackStep } from './write-back.js';

const HANDLERS: Readonly<Record<BookedKind, KindHandler>> = {
  invoice: { examine: examineDocument },
  cost: { examine: examineDocument },
  payment: { examine: examinePayment },
  release: { examine: examineRelease },
  summary: SUMMARY,
};

/** Examine, send, write back and read back are four. A second send, a settlement or a draft adds a few. */
const STEPS_MAX = 16;

/** `busy`: another process has claimed the posting. */
export type AdvanceResult = 'busy' | 'released';

export interface Claimed {
  readonly claim: ClaimedPosting;
  /** When the claim was requested, by the clock of this process. The lease starts then, or later. */
  readonly askedAtMs: number;
}

/** Claims one posting, if it is due, and advances it. */
export async function advancePosting(
  deps: PostingDeps,
  tenant: TenantContext,
  postingId: string,
  owner: string,
): Promise<AdvanceResult> {
  const askedAtMs = deps.runtime.clock.now().getTime();
  const claim = await deps.store.claimDue(postingId, owner, leaseMsOf(deps, tenant));
  return claim ? advanceClaimed(deps, tenant, { claim, askedAtMs }) : 'busy';
}

export async function advanceClaimed(
  deps: PostingDeps,
  tenant: TenantContext,
  { claim, askedAtMs }: Claimed,
): Promise<AdvanceResult> {
  await deps.failPoints.reach('after-claim');
  const work = new PostingWork(deps, tenant, claim, askedAtMs, HANDLERS[claim.posting.kind]);
  try {
    if (neverFinishes(work)) return await work.commitAndRelease(triesExhausted(message('WORK_NEVER_ENDS')));
    for (let step = 0; step < STEPS_MAX; step++) {
      if ((await nextStep(work)) === 'released') return 'released';
    }
    return await work.commitAndRelease({ action: 'yielded', dueInMs: deps.timing.sendByMs });
  } catch (error) {
    return await workFailed(work, error);
  } finally {
    noLongerKept(work.posting.journal);
    noLongerKept(work.posting.settlement);
  }
}

async function nextStep(work: PostingWork): Promise<Step> {
  const { posting } = work;
  const { examine } = HANDLERS[posting.kind];
  switch (posting.state) {
    case 'held':
      if (isHeldByOperator(posting)) return work.commitAndRelease({ action: 'given-back', dueInMs: null });
      return examine(work);
    case 'discovered':
    case 'deferred':
      return examine(work);
    case 'mapped':
      return isReadyForSummary(posting) ? examineAgain(work) : sendJournal(work);
    case 'posting':
      return resolveOutcome(work);
    default:
      return writeBackStep(work);
  }
}

/** Claims of this posting end without a result, an error or a release again and again, so no later step would report it. */
function neverFinishes({ posting: { state, tries } }: PostingWork): boolean {
  return (state === 'discovered' || state === 'mapped') && tries > TRIES_MAX;
}

function triesExhausted(last: Message): ParkChange {
  return { action: 'parked', to: 'parked', reason: reason('TRIES_EXHAUSTED', { last }), dueInMs: null };
}

async function workFailed(work: PostingWork, error: unknown): Promise<AdvanceResult> {
  try {
    return await releaseAfterError(work, error);
  } catch (second) {
    // The database refused a result that was not committed yet. What is on record remains, and this error counts.
    return releaseAfterError(work, second);
  }
}

/** A step threw. An outage uses no try; any other error is retried a limited number of times, and then a person decides. */
async function releaseAfterError(work: PostingWork, error: unknown): Promise<AdvanceResult> {
  const { posting, deps } = work;
  const { random } = deps.runtime;
  // Another process has the lease and continues.
  if (isCoded(error, 'LEASE_LOST')) return 'busy';
  // A document was claimed or moved before the summary could take it. The next claim takes the documents that are ready then.
  if (isCoded(error, 'SUMMARY_CHANGED'))
    return work.commitAndRelease({
      action: 'summary-changed',
      dueInMs: jittered(WAITS_MS.outage, random),
    });
  const outage = outageOf(error);
  if (outage) {
    await reportSourceOutage(deps.breakers, work.tenant.name, outage);
    return work.commitAndRelease({
      action: 'source-outage',
      dueInMs: waitMsOf(error) ?? jittered(WAITS_MS.outage, random),
      details: { code: outage.error.code },
    });
  }
  const tries = posting.tries + 1;
  const words = errorWords(error);
  const code = error instanceof CodedError ? { code: error.code } : {};
  const details = { ...auditWords(words), ...code };
  if (tries <= TRIES_MAX || !isLegalMove(posting.state, 'parked'))
    return work.commitAndRelease({ action: 'failed', tries, dueInMs: retryInMs(tries, random), details });
  // The request may have been sent, so the reason is not only that we failed.
  if (posting.state === 'posting') {
    await parkWithAlarm(work, 'OUTCOME_UNKNOWN', saidBy(words));
    return 'released';
  }
  const last = saidBy(words);
  return work.commitAndRelease({
    ...triesExhausted(last),
    tries,
    details,
    incidents: sourceNotUpdated(posting, last),
  });
}

/** The entry is in the books, and the source does not show it. */
function sourceNotUpdated(posting: PostingRecord, what: Message): readonly NewIncident[] {
  if (posting.state !== 'posted' && posting.state !== 'writing_back') return [];
  const about = { severity: 'critical', fingerprint: posting.id } as const;
  return [incident('TRIES_EXHAUSTED', { ...aboutDocument(posting), what }, about)];
}
