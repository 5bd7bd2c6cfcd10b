// So many at once, the others in the order in which they came. For work that may wait and must not keep everything else from going on.

export class ByTurns {
  readonly #atOnce: number;
  #underWay = 0;
  readonly #inLine: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#underWay < this.#atOnce) this.#underWay++;
    // Whoever ends hands its place on, so that nobody who comes later takes it first.
    else await new Promise<void>((resolve) => this.#inLine.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#inLine.shift();
      if (next) next();
      else this.#underWay--;
    }
  }
}
