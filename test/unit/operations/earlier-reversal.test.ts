import { describe, expect, test } from 'vitest';
import { judgeEarlier } from '../../../src/operations/reverse.js';

const MINUTE_MS = 60_000;

describe('a reversal that may have been sent before', () => {
  test('is there when it is in the books, whenever it was sent', () => {
    expect(judgeEarlier({ state: 'posted' }, null)).toBe('booked');
    expect(judgeEarlier({ state: 'posted' }, MINUTE_MS)).toBe('booked');
  });

  test.each(['draft', 'pending'] as const)('is not taken for booked while the ERP calls it %s', (state) => {
    expect(judgeEarlier({ state }, null)).toBe('unknown');
    expect(judgeEarlier({ state }, 24 * 60 * MINUTE_MS)).toBe('unknown');
  });

  test('that is nowhere to be found may still arrive for ten minutes, and no longer', () => {
    expect(judgeEarlier(null, MINUTE_MS)).toBe('unknown');
    expect(judgeEarlier(null, 11 * MINUTE_MS)).toBe('absent');
    expect(judgeEarlier(null, null)).toBe('absent');
  });
});
