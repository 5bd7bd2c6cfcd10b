import { setImmediate as endOfTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Batcher } from '../../../src/store/batcher.js';

/** What went together so far; what is under way ends when it is told to. */
function batching(
  batchMax = 128,
  fails: (items: readonly number[]) => boolean = () => false,
  isUndone: () => boolean = () => true,
) {
  const batches: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher<number, number>({
    batchMax,
    isUndone,
    run: async (items) => {
      batches.push(items);
      if (fails(items)) throw new Error(`refused: ${items.join(' ')}`);
      await new Promise<void>((resolve) => void ends.push(resolve));
      return items.map((item) => item * 10);
    },
  });
  const end = async () => {
    ends.shift()?.();
    await endOfTurn();
    await endOfTurn();
  };
  return { batcher, batches, end };
}

describe('moves of many documents', () => {
  it('go together when they come in one turn of the event loop, whoever was first', async () => {
    const { batcher, batches, end } = batching();
    const one = batcher.add(1);
    // An answer that was read in the same turn has its own microtasks between.
    for (let step = 0; step < 20; step++) await Promise.resolve();
    const two = batcher.add(2);
    await endOfTurn();
    await endOfTurn();
    expect(batches).toEqual([[1, 2]]);
    await end();
    expect(await Promise.all([one, two])).toEqual([10, 20]);
  });

  it('gather while others are under way, and go together after them', async () => {
    const { batcher, batches, end } = batching();
    const first = batcher.add(1);
    await endOfTurn();
    await endOfTurn();
    const others = [batcher.add(2), batcher.add(3)];
    await endOfTurn();
    expect(batches).toEqual([[1]]);
    await end();
    expect(batches).toEqual([[1], [2, 3]]);
    await end();
    expect(await Promise.all([first, ...others])).toEqual([10, 20, 30]);
  });

  it('are never more than a statement takes', async () => {
    const { batcher, batches, end } = batching(2);
    const all = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)));
    for (let batch = 0; batch < 4; batch++) await end();
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect(await all).toEqual([10, 20, 30, 40, 50]);
  });

  it('that fail together go one by one, and only the bad one fails', async () => {
    const { batcher, batches, end } = batching(128, (items) => items.includes(2));
    const all = Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    for (let batch = 0; batch < 4; batch++) await end();
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect((await all).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
      10,
      'Error: refused: 2',
      30,
    ]);
  });

  it('that may all have happened are not done again: each of them is told', async () => {
    const { batcher, batches } = batching(
      128,
      () => true,
      () => false,
    );
    const all = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(batches).toEqual([[1, 2, 3]]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  describe('where there is company', () => {
    const apart = (apartMs: number) => {
      const begun: { readonly items: number; readonly at: number }[] = [];
      const run = (items: readonly number[]) => {
        begun.push({ items: items.length, at: performance.now() });
        return Promise.resolve(items);
      };
      return {
        batcher: new Batcher<number, number>({ batchMax: 3, apartMs, isUndone: () => true, run }),
        begun,
      };
    };

    it('begin a moment apart, so that more of them go together', async () => {
      const { batcher, begun } = apart(40);
      await Promise.all([batcher.add(1), batcher.add(2)]);
      const later = [batcher.add(3)];
      await endOfTurn();
      later.push(batcher.add(4));
      await Promise.all(later);
      expect(begun.map(({ items }) => items)).toEqual([2, 2]);
      // Timers are as coarse as a millisecond.
      expect((begun[1]?.at ?? 0) - (begun[0]?.at ?? 0)).toBeGreaterThanOrEqual(38);
    });

    it('wait for nobody where nobody is, nor when a statement is full', async () => {
      const { batcher, begun } = apart(60_000);
      for (const alone of [1, 2, 3]) await batcher.add(alone);
      await Promise.all([4, 5, 6].map((item) => batcher.add(item)));
      expect(begun.map(({ items }) => items)).toEqual([1, 1, 1, 3]);
    });
  });
});
