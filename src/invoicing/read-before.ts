// A document is read three times on its way, and the second answer is nearly always the first again, byte for byte. What was
// made of a text is kept for a moment under the question that brought it, and given again when the same text comes. What it
// says is decided by the text alone, so nothing can be out of date.
import { Shelf } from '../domain/shelf.js';

const QUESTIONS_MAX = 256;
const TEXT_MAX = 64 * 1024;

export class ReadBefore {
  readonly #answers = new Shelf<{ readonly text: string; readonly value: unknown }>(QUESTIONS_MAX);

  /** A text that differs is the last that is asked for: the document has changed, or the source was told of it. */
  parse(question: string, text: string, parse: (text: string) => unknown): unknown {
    const before = this.#answers.find(question);
    if (before?.text === text) return before.value;
    this.#answers.drop(question);
    const value = parse(text);
    if (!before && text.length <= TEXT_MAX) this.#answers.put(question, { text, value });
    return value;
  }
}
