// What another side answered, in a gap of a sentence or by itself: words of ours are a value and said in the reader's language; the
// words of another program are a text, and stay as they are.
import { type Message, messageFrom } from '../domain/message.js';
import type { Say } from './table.js';

/** A value, or a text; or one of the two as it is kept in a column. */
export type Answer = string | Message;

function valueOf(answer: Answer): Message {
  return typeof answer === 'string' ? messageFrom(answer) : answer;
}

export function answerText(answer: Answer, told: Say): string {
  return told(valueOf(answer));
}

/** In Icelandic what others said stands in quotation marks, so that nobody takes it for ours. */
export function answerQuoted(answer: Answer, told: Say): string {
  const said = valueOf(answer);
  const { asWritten } = said.params;
  if (asWritten === '') return '';
  return typeof asWritten === 'string' ? `„${asWritten}“` : told(said);
}
