// Long texts of commits (journals, traces, snapshots, requests) go beside their rows, as one text: within the rows every quote of theirs
// would be escaped, and each of them read three times by the server. A row has the number of its text instead.

/** Between two texts. All of them are JSON, where this may stand as an escape only. */
const BETWEEN = '\u001e';
const ESCAPED = String.raw`\u001e`;

export class LongTexts {
  readonly #texts: string[] = [];

  /** Its number, as SQL counts. What is absent has none. */
  add(text: string | null | undefined): number | undefined {
    if (text === null || text === undefined) return undefined;
    return this.#texts.push(text.includes(BETWEEN) ? text.replaceAll(BETWEEN, ESCAPED) : text);
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  /** All of them, as `longTexts` reads them. */
  joined(): string {
    return this.#texts.join(BETWEEN);
  }
}

/** The texts of this parameter, each in its place. */
export const longTexts = (parameter: string) => `
long AS MATERIALIZED (SELECT string_to_array(${parameter}::text, E'\\x1e') AS texts)`;
