// A cost that stands in Error or Skipped leaves that only by the way the service offers: move-cost-to-new, then approval by
// a person there. The bridge asks for the first and waits for the second: a sweep that finds it Created begins it anew.
import { CodedError } from '../domain/errors/coded-error.js';
import type { Act } from './act.js';
import { atDesk, type Desk } from './desk.js';
import type { OperationsDeps } from './deps.js';
import type { MoveToNewResult } from './views/act.js';

export function moveToNew(deps: OperationsDeps, postingId: string, act: Act): Promise<MoveToNewResult> {
  return atDesk(deps, postingId, act, async (desk) => {
    const { posting, tenant, claim } = desk;
    if (posting.kind !== 'cost' || !['skipped', 'rejected'].includes(posting.state))
      throw new CodedError(
        'ACT_NOT_POSSIBLE',
        'Only a cost that was skipped or rejected can be moved to New.',
      );
    if (claim.writeBack?.state === 'pending' || claim.writeBack?.state === 'sent')
      throw new CodedError(
        'POSTING_BUSY',
        'Its status is being written at the source; try again in a moment.',
      );
    const before = await statusOf(desk);
    if (before === 'New' || before === 'Created') return settled(desk, before);
    await desk.commit({ action: 'move-to-new', details: { from: before } });
    const answer = await tenant.source.moveCostToNew(posting.guid);
    const after = await statusOf(desk);
    if (after === 'New' || after === 'Created') return settled(desk, after);
    await desk.commit({ action: 'move-to-new-refused', sourceStatus: after, details: { status: after } });
    const said = answer.outcome === 'refused' ? `: ${answer.message}` : '';
    throw new CodedError('MOVE_TO_NEW_REFUSED', `The source still says ${after}${said}.`);
  });
}

async function statusOf({ posting, tenant }: Desk): Promise<string> {
  const fetched = await tenant.source.get('cost', posting.guid);
  if (fetched.outcome === 'found') return fetched.document.accountingStatus;
  throw new CodedError('ACT_NOT_POSSIBLE', `The cost is ${fetched.outcome} at the source.`);
}

async function settled(desk: Desk, status: 'New' | 'Created'): Promise<MoveToNewResult> {
  // Kept as New even when it was approved in the same breath: the next sweep sees the difference and begins it anew.
  await desk.commit({ action: 'moved-to-new', sourceStatus: 'New', release: true, details: { status } });
  const sentence =
    status === 'New'
      ? 'It is New at the source. Correct it there if needed and approve it: then the next sweep brings it back.'
      : 'It is approved at the source already: the next sweep brings it back.';
  return { postingId: desk.posting.id, sourceStatus: status, sentence };
}
