import { describe, expect, test } from 'vitest';
import { KeyIndex } from '../../../../src/erp/file/records.js';

describe('index of keys', () => {
  test('finds every place of every key after growing, and nothing for others', () => {
    const index = new KeyIndex();
    const months = ['2026-01', '2026-02', '2026-03'];
    for (let number = 0; number < 20_000; number++)
      index.add(`KEY${String(number)}`, { month: months[number % 3]!, offset: number * 1_000_003 });
    index.add('KEY7', { month: '2026-09', offset: 5 });
    expect(index.size).toBe(20_001);
    for (let number = 0; number < 20_000; number += 97) {
      const [place] = index.places(`KEY${String(number)}`);
      expect(place).toEqual({ month: months[number % 3], offset: number * 1_000_003 });
    }
    expect(index.places('KEY7')).toEqual([
      { month: '2026-02', offset: 7_000_021 },
      { month: '2026-09', offset: 5 },
    ]);
    expect(index.places('KEY20000')).toEqual([]);
    index.clear();
    expect(index.places('KEY7')).toEqual([]);
  });
});
