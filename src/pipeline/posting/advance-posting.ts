// Drives one posting as far as it goes now, from whatever state it is in to its end: mapped, sent, read back, told to the source.
// Whatever was sent, or may have been, was on record before.
import { noLongerKept } from '../../domain/journal-json.js';
import { isHeldByOperator } from '../../domain/posting.js';
import type { ClaimedPosting } from '../../sync/posting-records.js';
import type { TenantContext } from '../tenant-context.js';
import { writeBackStep } from '../writeback/write-back.js';
import { examinePayment } from '../payments/examine-payment.js';
import { examineRelease } from '../releases/examine-release.js';
import { isReady, lookAgain } from '../summaries/await-summary.js';
import { examineSummary } from '../summaries/examine-summary.js';
import { examineDocument } from './examine-document.js';
import { leaseMsOf, type PostingStage, PostingWork, type Step } from './post-stage.js';
import { resolveOutcome } from './resolve-outcome.js';
import { sendJournal } from './send-journal.js';
import { neverFinished, workFailed } from './work-failed.js';

/** Examined, sent, told, read back are four; a resend, a settlement or a finished draft adds a few. */
const STEPS_MAX = 16;

/** `busy`: somebody else has it. */
export type AdvanceResult = 'busy' | 'rested';

export interface Claimed {
  readonly claim: ClaimedPosting;
  /** By the clock of this process, before the claim was asked for: from then on its lease runs at the earliest. */
  readonly askedAtMs: number;
}

/** For whoever was woken for one posting. */
export async function advancePosting(
  stage: PostingStage,
  tenant: TenantContext,
  postingId: string,
  owner: string,
): Promise<AdvanceResult> {
  const askedAtMs = stage.runtime.clock.now().getTime();
  const claim = await stage.store.claimDue(postingId, owner, leaseMsOf(stage, tenant));
  return claim ? advanceClaimed(stage, tenant, { claim, askedAtMs }) : 'busy';
}

export async function advanceClaimed(
  stage: PostingStage,
  tenant: TenantContext,
  { claim, askedAtMs }: Claimed,
): Promise<AdvanceResult> {
  await stage.failPoints.reach('after-claim');
  const work = new PostingWork(stage, tenant, claim, askedAtMs);
  try {
    const stuck = neverFinished(work);
    if (stuck) return await work.rest(stuck);
    for (let step = 0; step < STEPS_MAX; step++) {
      if ((await advanceOnce(work)) === 'rested') return 'rested';
    }
    await work.rest({ action: 'yielded', dueInMs: stage.timing.sendByMs });
    return 'rested';
  } catch (error) {
    return await workFailed(work, error);
  } finally {
    noLongerKept(work.posting.journal);
    noLongerKept(work.posting.settlement);
  }
}

function advanceOnce(work: PostingWork): Promise<Step> {
  switch (work.posting.state) {
    case 'held':
      return isHeldByOperator(work.posting)
        ? work.rest({ action: 'given-back', dueInMs: null })
        : examine(work);
    case 'discovered':
    case 'deferred':
      return examine(work);
    case 'mapped':
      return isReady(work.posting) ? lookAgain(work) : sendJournal(work);
    case 'posting':
      return resolveOutcome(work);
    default:
      return writeBackStep(work);
  }
}

function examine(work: PostingWork): Promise<Step> {
  switch (work.posting.kind) {
    case 'payment':
      return examinePayment(work);
    case 'release':
      return examineRelease(work);
    case 'summary':
      return examineSummary(work);
    default:
      return examineDocument(work);
  }
}
