// Repost: a document whose entry was reversed is booked anew, under the next generation of its key.
import { postingKey } from '../domain/posting-key.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { Act } from './act.js';
import { underClaim } from './operator-claim.js';
import type { OperationsDeps } from './deps.js';

/** The document is read, mapped and posted again under the next key. */
export async function repostPosting(deps: OperationsDeps, postingId: string, act: Act): Promise<void> {
  const key = await underClaim(deps, postingId, act, (claim) => {
    claim.refuseUnless('repost');
    const { posting } = claim;
    const { environment, sourceAccount, erp } = claim.tenant;
    const generation = posting.generation + 1;
    const identity = {
      environment,
      sourceAccount,
      kind: posting.kind,
      guid: posting.guid,
      ledger: erp.ledger,
      generation,
    };
    return Promise.resolve({ key: postingKey(identity), generation });
  });
  if (!(await deps.records.repost(act, postingId, key.key, key.generation)))
    throw coded('POSTING_BUSY', message('CHANGED_MEANWHILE'));
  deps.poke();
}
