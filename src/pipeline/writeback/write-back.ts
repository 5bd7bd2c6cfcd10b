// Steps 7 to 9: tell the source what became of the document. The ERP comes first, always: Posted is written only for an entry
// that stands in the books. The intended status is on record before it is sent, and only what is read back counts.
import { leaseMsOf, type PostingStage, PostingWork, type Step } from '../posting/post-stage.js';
import { workFailed } from '../posting/work-failed.js';
import type { TenantContext } from '../tenant-context.js';
import { decidePosted, judgeDecided, judgePosted } from './judge-status.js';
import { readSource } from './read-source.js';

const STEPS_MAX = 6;

export async function writeBack(
  stage: PostingStage,
  tenant: TenantContext,
  postingId: string,
  owner: string,
): Promise<'busy' | 'rested'> {
  const claim = await stage.store.claimDue(postingId, owner, leaseMsOf(stage, tenant));
  if (!claim) return 'busy';
  const work = new PostingWork(stage, tenant, claim);
  try {
    for (let step = 0; step < STEPS_MAX; step++) {
      if ((await writeOnce(work)) === 'rested') return 'rested';
    }
    await work.rest({ action: 'yielded', dueInMs: stage.timing.sendByMs });
    return 'rested';
  } catch (error) {
    return workFailed(work, error);
  }
}

async function writeOnce(work: PostingWork): Promise<Step> {
  switch (work.posting.state) {
    case 'posted':
      return decidePosted(work, await readSource(work));
    case 'writing_back':
      return judgePosted(work, await readSource(work));
    case 'skipped':
    case 'rejected':
      return isOpen(work)
        ? judgeDecided(work, await readSource(work))
        : work.rest({ action: 'given-back', dueInMs: null });
    default:
      return work.rest({ action: 'given-back' });
  }
}

function isOpen({ claim }: PostingWork): boolean {
  return claim.writeBack?.state === 'pending' || claim.writeBack?.state === 'sent';
}
