import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ByTurns } from '../../../src/sync/turns.js';

test('so many are under way at once, the others in the order in which they came, whatever becomes of those before', async () => {
  const turns = new ByTurns(2);
  const began: number[] = [];
  let [underWay, most] = [0, 0];
  const work = (nth: number) => async () => {
    began.push(nth);
    most = Math.max(most, ++underWay);
    await soon();
    underWay--;
    if (nth % 3 === 0) throw new Error(`no ${nth}`);
    return nth;
  };
  const all = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((nth) => turns.run(work(nth))));
  expect(began).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(2);
  expect(all.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
  expect(await turns.run(work(8))).toBe(8);
});
