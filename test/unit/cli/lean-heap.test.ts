// How much garbage a process may keep beside what is alive.
import { expect, test } from 'vitest';
import { garbagePercent } from '../../../src/cli/lean-heap.js';

const MB = 1024 * 1024;

test('a process that knows many companies keeps less garbage beside them, and never cleans all the time', () => {
  const percents = [30, 45, 55, 60, 65, 80, 300].map((alive) => garbagePercent(alive * MB));
  expect(percents).toEqual([70, 70, 45, 30, 20, 10, 10]);
});
