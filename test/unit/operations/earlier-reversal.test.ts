import { describe, expect, test } from 'vitest';
import { judgeEarlier } from '../../../src/operations/reverse.js';

const MINUTE_MS = 60_000;
const QUIET_PERIOD_MS = 15 * MINUTE_MS;

describe('a reversal that may have been sent before', () => {
  test('is there when it is in the books, whenever it was sent', () => {
    expect(judgeEarlier({ state: 'posted' }, null, QUIET_PERIOD_MS)).toBe('booked');
    expect(judgeEarlier({ state: 'posted' }, MINUTE_MS, QUIET_PERIOD_MS)).toBe('booked');
  });

  test.each(['draft', 'pending'] as const)('is not taken for booked while the ERP calls it %s', (state) => {
    expect(judgeEarlier({ state }, null, QUIET_PERIOD_MS)).toBe('unknown');
    expect(judgeEarlier({ state }, 24 * 60 * MINUTE_MS, QUIET_PERIOD_MS)).toBe('unknown');
  });

  test('that is nowhere to be found may still arrive until its ERP has surely settled it, and no longer', () => {
    expect(judgeEarlier(null, MINUTE_MS, QUIET_PERIOD_MS)).toBe('unknown');
    expect(judgeEarlier(null, 16 * MINUTE_MS, QUIET_PERIOD_MS)).toBe('absent');
    expect(judgeEarlier(null, null, QUIET_PERIOD_MS)).toBe('absent');
  });
});
