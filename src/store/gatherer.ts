// Many small moves as few statements: while one is under way the next ones gather, and then go together. There is no timer: a
// move that comes alone goes at once, and batches form by themselves when there is much to do.
import { setImmediate as endOfTurn } from 'node:timers/promises';

export interface GathererOptions<Item, Result> {
  /** One statement for all of them; results in the order of the items. Throws when none of them happened. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly batchMax: number;
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
      const batch = this.#waiting.slice(0, this.#options.batchMax);
      this.#waiting = this.#waiting.slice(batch.length);
      await this.#run(batch);
    }
    this.#isRunning = false;
  }

  /** What fails as a whole is tried one by one, so that one bad row cannot fail its neighbours. */
  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      const [only, ...others] = batch;
      if (only && others.length === 0) only.reject(error);
      else for (const one of batch) await this.#run([one]);
    }
  }
}
