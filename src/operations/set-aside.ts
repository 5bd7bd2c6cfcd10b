// Hold and release: acts that only decide; nothing goes to the ERP or to the source.
import { coded } from '../language/coded.js';
import { message, reason } from '../language/messages.js';
import { say } from '../language/say.js';
import { type Act, checkedAct } from './act.js';
import { refusalOf } from './acts.js';
import type { OperationsDeps } from './deps.js';
import type { Move } from './records.js';
import type { ActResult } from './views/act.js';
import type { Action } from './views/document.js';

type Judged = Omit<Move, 'postingId' | 'tenantName' | 'from' | 'fence'>;

const AT_ONCE_MAX = 1_000;

export function holdPostings(
  deps: OperationsDeps,
  postingIds: readonly string[],
  act: Act,
): Promise<ActResult> {
  const { reason: why } = checkedAct(act);
  const held = { to: 'held', dueInMs: null, why: reason('HELD_BY_OPERATOR', { why }) } as const;
  return decide(deps, postingIds, act, { action: 'hold', audited: 'held-by-operator', move: held });
}

export function releasePostings(
  deps: OperationsDeps,
  postingIds: readonly string[],
  act: Act,
): Promise<ActResult> {
  const released = { to: 'discovered', dueInMs: 0, why: null } as const;
  return decide(deps, postingIds, act, { action: 'release', audited: 'released', move: released });
}

async function decide(
  deps: OperationsDeps,
  postingIds: readonly string[],
  act: Act,
  { action, audited, move }: { action: Action; audited: string; move: Judged },
): Promise<ActResult> {
  if (postingIds.length === 0 || postingIds.length > AT_ONCE_MAX)
    throw coded('NOTHING_CHOSEN', message('NAME_DOCUMENTS', { most: AT_ONCE_MAX }));
  const checked = checkedAct(act);
  const moves: Move[] = [];
  const refused = new Map(postingIds.map((id) => [id, message('DOES_NOT_EXIST')]));
  for (const facts of await deps.records.replayFacts(postingIds)) {
    const { postingId, tenantName, state, fence } = facts;
    const refusal = refusalOf(action, facts);
    refused.set(postingId, refusal?.why ?? message('CHANGED_MEANWHILE'));
    if (!refusal) moves.push({ postingId, tenantName, from: state, fence, ...move });
  }
  moves.sort((a, b) => (a.tenantName < b.tenantName ? -1 : 1));
  const done = await deps.records.moveAll(checked, audited, moves);
  for (const id of done) refused.delete(id);
  deps.poke();
  const told = [...refused].map(([postingId, why]) => ({ postingId, why: say(deps.language, why) }));
  return { done: [...done], refused: told };
}
