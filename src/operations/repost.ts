// Repost: a document whose entry was reversed is booked anew, under the next generation of its key.
import { CodedError } from '../domain/errors/coded-error.js';
import { postingKey } from '../domain/posting-key.js';
import type { Act } from './act.js';
import { atDesk } from './desk.js';
import type { OperationsDeps } from './deps.js';

/** The document is read, mapped and posted again under the next key. */
export async function repostPosting(deps: OperationsDeps, postingId: string, act: Act): Promise<void> {
  const key = await atDesk(deps, postingId, act, ({ posting, tenant }) => {
    if (posting.state !== 'reversed')
      throw new CodedError(
        'ACT_NOT_POSSIBLE',
        'Only what was reversed can be posted again; reverse it first.',
      );
    const { environment, sourceAccount, erp } = tenant;
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
    throw new CodedError('POSTING_BUSY', 'It changed meanwhile; look at it again.');
  deps.poke();
}
