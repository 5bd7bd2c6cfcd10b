// Runs the work of one key strictly one after the other within this process, and different keys at once. A second belt
// beside the database's lease: search-then-create is only safe when nobody else searches in between.

interface Line {
  readonly key: string;
  last: Promise<unknown>;
}

export class OneAtATime {
  /** Few at once. A Map would be full of what has been taken out of it (http/exchanges.ts). */
  readonly #lines: Line[] = [];

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lineOf(key);
    const mine = line.last.then(work, work);
    line.last = mine;
    try {
      return await mine;
    } finally {
      if (line.last === mine) this.#lines.splice(this.#lines.indexOf(line), 1);
    }
  }

  #lineOf(key: string): Line {
    const known = this.#lines.find((line) => line.key === key);
    if (known) return known;
    const line = { key, last: Promise.resolve() };
    this.#lines.push(line);
    return line;
  }
}
