import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../../../src/api/rate-limit.js';

describe('the rate limit', () => {
  it('lets a burst through, then says how long to wait, then lets through again', () => {
    const limit = createRateLimit(3, 2);
    expect([1, 2, 3].map(() => limit.take('a', 0))).toEqual([0, 0, 0]);
    expect(limit.take('a', 0)).toBe(1);
    expect(limit.take('a', 500)).toBe(0);
    expect(limit.take('a', 500)).toBe(1);
  });

  it('counts each caller alone', () => {
    const limit = createRateLimit(1, 1);
    expect(limit.take('a', 0)).toBe(0);
    expect(limit.take('b', 0)).toBe(0);
    expect(limit.take('a', 0)).toBe(1);
  });

  it('keeps nobody out because a clock was set back', () => {
    const limit = createRateLimit(2, 1);
    expect(limit.take('a', 3_600_000)).toBe(0);
    expect(limit.take('a', 0)).toBe(0);
    expect(limit.take('a', 1_000)).toBe(0);
  });
});
