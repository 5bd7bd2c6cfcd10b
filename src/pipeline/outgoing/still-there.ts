// A document may wait for days: for its plan, its customer, its turn. Where people cancel it at its origin meanwhile, no list says so any
// more, since lists show what is to go out; so it is read once more before it leaves.
import { reason } from '../../language/messages.js';
import { type Advanced, park, rest, type SubmissionWork } from './submission-work.js';

const ASK_AGAIN_MS = 60_000;

/** null: it may leave. An origin that does not answer is waited for: it uses up no tries. */
export async function takenBack(work: SubmissionWork): Promise<Advanced | null> {
  const { kind, reference, place, origin: name } = work.claimed;
  const origin = work.tenant.origins.get(name);
  if (origin?.takesBack !== true) return null;
  const asked = await origin.read(kind, reference, place).then(
    (record) => (record === null ? 'gone' : 'there'),
    () => 'silent',
  );
  if (asked === 'silent')
    return rest(work, { action: 'waits-for-origin', reason: null, dueInMs: ASK_AGAIN_MS });
  return asked === 'gone' ? park(work, reason('GONE_AT_ORIGIN', { reference })) : null;
}
