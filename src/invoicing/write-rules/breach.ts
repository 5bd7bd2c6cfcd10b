// The write rules of Document 1, checked before a byte leaves. A breach names its rule, so that the message can be held
// against the document.
import type { Message } from '../../domain/message.js';
import { type GivenFor, message, type MessageCode, type WriteRule } from '../../language/messages.js';

export interface Breach {
  readonly rule: WriteRule;
  readonly what: Message;
}

export function broken<Code extends MessageCode>(
  rule: WriteRule,
  code: Code,
  ...given: GivenFor<Code>
): Breach {
  return { rule, what: message(code, ...given) };
}

export function breachSaid({ rule, what }: Breach): Message {
  return message('RULE_BROKEN', { rule, what });
}
