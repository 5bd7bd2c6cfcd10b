import { expect, test } from 'vitest';
import { secondHalf } from '../../../lab/bench/parts.js';

test('what the second half of the documents cost is counted from where the half was first seen', () => {
  let spent = { bridge: 5_000, postgres: 900 };
  const warm = secondHalf(1_000, () => spent);
  warm.look(0);
  warm.look(499);
  spent = { bridge: 6_000, postgres: 1_000 };
  warm.look(520);
  spent = { bridge: 7_000, postgres: 1_500 };
  warm.look(800);
  spent = { bridge: 7_440, postgres: 1_480 };
  expect(warm.perDocument(1_000)).toEqual({ bridge: 3, postgres: 1 });
});

test('nothing is said of a half that was never seen, or with which it ended', () => {
  const costs = () => ({ bridge: 1, postgres: 1 });
  expect(secondHalf(1_000, costs).perDocument(300)).toBeNull();
  const ended = secondHalf(1_000, costs);
  ended.look(1_000);
  expect(ended.perDocument(1_000)).toBeNull();
});
