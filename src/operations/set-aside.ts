// Hold and release: acts that only decide; nothing goes to the ERP or to the source.
import { message, reason } from '../language/messages.js';
import { say } from '../language/say.js';
import type { ActRequest } from './act-request.js';
import { refusalOf } from './acts.js';
import type { Move } from './records.js';
import type { ActResult } from './views/act.js';

type Judged = Omit<Move, 'postingId' | 'tenantName' | 'from' | 'fence'>;

export function holdPostings(request: ActRequest<'hold'>): Promise<ActResult> {
  const why = reason('HELD_BY_OPERATOR', { why: request.by.reason });
  return moveAll(request, 'held-by-operator', { to: 'held', dueInMs: null, why });
}

export function releasePostings(request: ActRequest<'release'>): Promise<ActResult> {
  return moveAll(request, 'released', { to: 'discovered', dueInMs: 0, why: null });
}

/** In one transaction, each by compare-and-set on its state and fence. */
async function moveAll(
  { deps, name, ids, by }: ActRequest<'hold' | 'release'>,
  audited: string,
  move: Judged,
): Promise<ActResult> {
  const moves: Move[] = [];
  const refused = new Map(ids.map((id) => [id, message('DOES_NOT_EXIST')]));
  for (const facts of await deps.records.replayFacts(ids)) {
    const { postingId, tenantName, state, fence } = facts;
    const refusal = refusalOf(name, facts);
    refused.set(postingId, refusal?.why ?? message('CHANGED_MEANWHILE'));
    if (!refusal) moves.push({ postingId, tenantName, from: state, fence, ...move });
  }
  moves.sort((a, b) => (a.tenantName < b.tenantName ? -1 : 1));
  const done = await deps.records.moveAll(by, audited, moves);
  for (const id of done) refused.delete(id);
  deps.poke();
  const told = [...refused].map(([postingId, why]) => ({ postingId, why: say(deps.language, why) }));
  return { done: [...done], refused: told };
}
