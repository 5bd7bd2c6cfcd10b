// Many small moves as few statements: while one is under way the next ones gather, and then go together. A move that comes alone goes
// at once. Where moves come in company, statements begin a moment apart, so that more of them share one: a statement costs the server as
// much as four moves, whatever it carries.
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';

export interface GathererOptions<Item, Result> {
  /** One statement for all of them; results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Whether nothing at all of a statement that threw this has happened. */
  readonly isUndone: (error: unknown) => boolean;
  readonly batchMax: number;
  /** How long after the last statement began the next one may, while there is company; left out: as soon as that one is done. */
  readonly apartMs?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Gatherer<Item, Result> {
  readonly #options: GathererOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;
  #last = { begunAt: -Infinity, size: 0 };

  constructor(options: GathererOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // Whoever hands something over in this turn of the event loop comes along.
      await endOfTurn();
      await this.#awaitCompany();
      const batch = this.#waiting.slice(0, this.#options.batchMax);
      this.#waiting = this.#waiting.slice(batch.length);
      this.#last = { begunAt: performance.now(), size: batch.length };
      await this.#run(batch);
    }
    this.#isRunning = false;
  }

  /** Nobody is waited for where nobody is: not after a move that went alone, nor when a statement is full. */
  async #awaitCompany(): Promise<void> {
    const { apartMs = 0, batchMax } = this.#options;
    const here = this.#waiting.length;
    if ((here === 1 && this.#last.size === 1) || here >= batchMax) return;
    const left = this.#last.begunAt + apartMs - performance.now();
    if (left > 0) await sleep(left);
  }

  /**
   * What fails as a whole is tried one by one, so that one bad row cannot fail its neighbours. Where it may have happened all the same,
   * everybody is told so: each knows what becomes of its own.
   */
  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && this.#options.isUndone(error)) for (const one of batch) await this.#run([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
