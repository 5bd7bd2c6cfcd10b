// Hold and release: acts that only decide; nothing goes to the ERP or to the source.
import { CodedError } from '../domain/errors/coded-error.js';
import type { PostingState } from '../domain/posting.js';
import { reason as reasonFor } from '../language/messages.js';
import { type Act, checkedAct } from './act.js';
import type { OperationsDeps } from './deps.js';
import type { Move } from './records.js';
import type { ReplayFacts } from './replay-verdict.js';
import type { ActResult } from './views/act.js';

type Judged = Omit<Move, 'postingId' | 'tenantName' | 'from' | 'fence'> | string;

const AT_ONCE_MAX = 1_000;
/** Nothing becomes due in these: a person acts. */
const AT_REST: readonly PostingState[] = ['parked', 'acknowledged', 'orphaned', 'reversed'];

export function holdPostings(
  deps: OperationsDeps,
  postingIds: readonly string[],
  act: Act,
): Promise<ActResult> {
  const { reason } = checkedAct(act);
  return decide(deps, postingIds, act, 'held-by-operator', (facts) => {
    if (facts.held) return 'It is held already.';
    const refusal = untouched(facts) ?? only(facts, ['discovered', 'mapped', 'deferred', 'held']);
    if (refusal !== null) return refusal;
    return { to: 'held', held: true, dueInMs: null, why: reasonFor('HELD_BY_OPERATOR', { why: reason }) };
  });
}

export function releasePostings(
  deps: OperationsDeps,
  postingIds: readonly string[],
  act: Act,
): Promise<ActResult> {
  return decide(deps, postingIds, act, 'released', ({ held, state }) => {
    if (!held) return 'No operator holds it.';
    if (state === 'held') return { to: 'discovered', held: false, dueInMs: 0, why: null };
    // A hold that a move forgot to end is taken off where the posting stands.
    return { to: null, held: false, dueInMs: AT_REST.includes(state) ? null : 0, why: null };
  });
}

export function untouched(facts: Pick<ReplayFacts, 'mainPosted' | 'attemptUncertain'>): string | null {
  if (facts.mainPosted) return 'It is in the books: reverse it instead.';
  return facts.attemptUncertain
    ? 'It may have reached the ERP: replay it, so that the bridge finds out.'
    : null;
}

export function only({ state }: Pick<ReplayFacts, 'state'>, states: readonly PostingState[]): string | null {
  return states.includes(state)
    ? null
    : `It is ${state.replace('_', ' ')}, and this cannot be done from there.`;
}

async function decide(
  deps: OperationsDeps,
  postingIds: readonly string[],
  act: Act,
  action: string,
  judge: (facts: ReplayFacts) => Judged,
): Promise<ActResult> {
  if (postingIds.length === 0 || postingIds.length > AT_ONCE_MAX)
    throw new CodedError('NOTHING_CHOSEN', `Name between 1 and ${AT_ONCE_MAX} documents.`);
  const checked = checkedAct(act);
  const moves: Move[] = [];
  const refused = new Map<string, string>(postingIds.map((id) => [id, 'It does not exist.']));
  for (const facts of await deps.records.replayFacts(postingIds)) {
    const { postingId, tenantName, state, fence } = facts;
    const judged = facts.leased ? 'It is being worked on at this moment; try again.' : judge(facts);
    if (typeof judged === 'string') refused.set(postingId, judged);
    else {
      refused.set(postingId, 'It changed meanwhile; look at it again.');
      moves.push({ postingId, tenantName, from: state, fence, ...judged });
    }
  }
  moves.sort((a, b) => (a.tenantName < b.tenantName ? -1 : 1));
  const done = await deps.records.moveAll(checked, action, moves);
  for (const id of done) refused.delete(id);
  deps.poke();
  return { done: [...done], refused: [...refused].map(([postingId, why]) => ({ postingId, why })) };
}
