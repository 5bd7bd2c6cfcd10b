// Every act wants a person and a reason; both go into the audit.
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { OperatorRole } from './access/reach.js';

/** A login of the dashboard, or a user of the operating system of this machine. */
export type Identity = `login:${string}` | `os:${string}`;

/** Who does it, and why. */
export interface Act {
  readonly actor: string;
  readonly reason: string;
  /** The person as authenticated; `actor` may be a name that was only typed. Four eyes compares identities. */
  readonly identity?: Identity;
  /** What they may do everywhere; whoever has the machine may do everything. */
  readonly role?: OperatorRole;
}

const REASON_CHARACTERS_MIN = 3;
const REASON_CHARACTERS_MAX = 500;
const ACTOR_CHARACTERS_MAX = 100;

export function checkedAct(act: Act): Act {
  const reason = act.reason.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const actor = act.actor.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (reason.length < REASON_CHARACTERS_MIN || reason.length > REASON_CHARACTERS_MAX) {
    throw coded('ACT_WITHOUT_REASON', message('SAY_WHY'));
  }
  if (actor === '' || actor.length > ACTOR_CHARACTERS_MAX)
    throw coded('ACT_WITHOUT_REASON', message('SAY_WHO'));
  return { ...act, actor, reason };
}
