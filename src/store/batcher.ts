// Runs many small items as few batches: while one batch runs, the next items wait, and then they go together. An item that comes alone
// goes at once. Where several come at a time, batches start a moment apart, so that more items share one: a statement costs the server
// as much as four items, whatever it carries.
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';

export interface BatcherOptions<Item, Result> {
  /** One statement for all of them; results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Whether a statement that threw this error did nothing at all. */
  readonly isUndone: (error: unknown) => boolean;
  readonly batchMax: number;
  /** The least time between the starts of two batches of several items; left out: the next starts when the last one ends. */
  readonly apartMs?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;
  #last = { begunAt: -Infinity, size: 0 };

  constructor(options: BatcherOptions<Item, Result>) {
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
      // Items that are added in this turn of the event loop join the batch.
      await endOfTurn();
      await this.#waitForMore();
      const batch = this.#waiting.slice(0, this.#options.batchMax);
      this.#waiting = this.#waiting.slice(batch.length);
      this.#last = { begunAt: performance.now(), size: batch.length };
      await this.#run(batch);
    }
    this.#isRunning = false;
  }

  /** Not after a batch of one, nor when the batch is full: then nothing is gained by waiting. */
  async #waitForMore(): Promise<void> {
    const { apartMs = 0, batchMax } = this.#options;
    const here = this.#waiting.length;
    if ((here === 1 && this.#last.size === 1) || here >= batchMax) return;
    const left = this.#last.begunAt + apartMs - performance.now();
    if (left > 0) await sleep(left);
  }

  /**
   * A batch that fails is tried item by item, so that one bad row cannot fail its neighbours. Where it may have happened all the same,
   * every item gets the error, and its owner finds out what became of it.
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
