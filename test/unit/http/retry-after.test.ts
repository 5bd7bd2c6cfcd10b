import { describe, expect, it } from 'vitest';
import { RETRY_AFTER_MS_MAX, retryAfterMs, serverTime } from '../../../src/http/exchange.js';

const now = new Date('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date, against our clock', { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
    [
      'a date, against the clock of the server that wrote it',
      { 'retry-after': 'Sun, 01 Mar 2026 14:00:30 GMT', date: 'Sun, 01 Mar 2026 14:00:00 GMT' },
      30_000,
    ],
    ['a date that has passed', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    ['more than is sensible', { 'retry-after': '9999999999' }, RETRY_AFTER_MS_MAX],
    ['nonsense', { 'retry-after': 'soon' }, null],
    ['nothing', {}, null],
  ])('is read from %s', (_what, headers, expected) => {
    expect(retryAfterMs(headers as Record<string, string>, now)).toBe(expected);
  });

  it('has no server time without a readable Date', () => {
    expect(serverTime({ date: 'yesterday' })).toBeNull();
  });
});
