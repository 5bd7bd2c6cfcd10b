// A document is read three times on its way, and the second answer is nearly always the first again, byte for byte. What was
// made of a text is kept for a moment under the question that brought it, and given again when the same text comes. What it
// says is decided by the text alone, so nothing can be out of date.
const QUESTIONS_MAX = 128;
const TEXT_MAX = 64 * 1024;

export class ReadBefore {
  readonly #answers = new Map<string, { readonly text: string; readonly value: unknown }>();

  /** A text that differs takes the place of the one before. The ones asked for longest ago go first. */
  parse(question: string, text: string, parse: (text: string) => unknown): unknown {
    const before = this.#answers.get(question);
    if (before?.text === text) return before.value;
    this.#answers.delete(question);
    const value = parse(text);
    if (before || text.length > TEXT_MAX) return value;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size < QUESTIONS_MAX) break;
      this.#answers.delete(oldest);
    }
    this.#answers.set(question, { text, value });
    return value;
  }
}
