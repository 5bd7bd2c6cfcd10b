// Drives one posting as far as it goes now. Each step ends in a committed row; the next step starts from the row.
import { isHeldByOperator } from '../../domain/posting.js';
import type { TenantContext } from '../tenant-context.js';
import { examineDocument } from './examine-document.js';
import { leaseMsOf, type PostingStage, PostingWork, type Step } from './post-stage.js';
import { resolveOutcome } from './resolve-outcome.js';
import { sendJournal } from './send-journal.js';
import { neverFinished, workFailed } from './work-failed.js';

/** discovered → mapped → posting → posted is three; a resend, a settlement or a finished draft adds a few. */
const STEPS_MAX = 10;

/** `busy`: somebody else has it. */
export type AdvanceResult = 'busy' | 'rested';

export async function advancePosting(
  stage: PostingStage,
  tenant: TenantContext,
  postingId: string,
  owner: string,
): Promise<AdvanceResult> {
  const claim = await stage.store.claimDue(postingId, owner, leaseMsOf(stage, tenant));
  if (!claim) return 'busy';
  await stage.failPoints.reach('after-claim');
  const work = new PostingWork(stage, tenant, claim);
  try {
    const stuck = neverFinished(work);
    if (stuck) return await work.rest(stuck);
    for (let step = 0; step < STEPS_MAX; step++) {
      if ((await advanceOnce(work)) === 'rested') return 'rested';
    }
    await work.rest({ action: 'yielded', dueInMs: stage.timing.sendByMs });
    return 'rested';
  } catch (error) {
    return workFailed(work, error);
  }
}

function advanceOnce(work: PostingWork): Promise<Step> {
  switch (work.posting.state) {
    case 'held':
      return isHeldByOperator(work.posting)
        ? work.rest({ action: 'given-back', dueInMs: null })
        : examineDocument(work);
    case 'discovered':
    case 'deferred':
      return examineDocument(work);
    case 'mapped':
      return sendJournal(work);
    case 'posting':
      return resolveOutcome(work);
    default:
      return work.rest({ action: 'given-back' });
  }
}
