// Makes the values that are told to people. A code stands in the English table, with what its gaps are filled with.
import type { Message, Params, Reason, Told } from '../domain/message.js';
import type { ENGLISH, ENGLISH_REASONS } from './english/index.js';
import { say, subjectText } from './say.js';
import type { Given } from './table.js';

export type { Bound, DescribedIn } from './english/tenants.js';
export type { Unfit } from './english/outgoing.js';
export type { WriteRule } from './english/connections.js';

export type MessageCode = keyof typeof ENGLISH;
export type ReasonCode = keyof typeof ENGLISH_REASONS;

export type GivenFor<Code extends MessageCode> = Given<(typeof ENGLISH)[Code]>;

export function message<Code extends MessageCode>(code: Code, ...[params]: GivenFor<Code>): Message {
  return { code, params: (params ?? {}) as Params };
}

/** With what it is about, in the words by which problems are grouped. */
export function reason<Code extends ReasonCode>(code: Code, ...given: GivenFor<Code>): Reason {
  const made = message(code, ...given);
  return { ...made, subject: subjectText('en', made) };
}

/** What another program or a person wrote, cut to what is worth keeping. */
export function asSaid(text: string, lengthMax = 300): Message {
  return message('AS_SAID', { text: text.slice(0, lengthMax) });
}

export interface Words extends Told {
  readonly said: Message;
}

/** Words of ours, for an answer that others hand on. */
export function told<Code extends MessageCode>(code: Code, ...given: GivenFor<Code>): Words {
  return toldAs(message(code, ...given));
}

export function toldAs(said: Message): Words {
  return { message: say('en', said), said };
}

/** What an answer or an error said, as a value: ours where it is one, else quoted. */
export function saidBy({ message: text, said }: Told, lengthMax = 300): Message {
  return said ?? asSaid(text, lengthMax);
}
