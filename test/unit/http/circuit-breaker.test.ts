import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../src/http/pacer.js';

function breakerAt() {
  let nowMs = 1_000_000;
  const breaker = new CircuitBreaker(
    { now: () => new Date(nowMs) },
    { failuresMax: 3, pauseMs: 1_000, pauseMsMax: 3_000 },
  );
  return { breaker, pass: (ms: number) => (nowMs += ms) };
}

describe('the circuit breaker', () => {
  it('opens after so many failures in a row and says when to come back', () => {
    const { breaker } = breakerAt();
    breaker.failed();
    breaker.failed();
    expect(breaker.admit().admitted).toBe(true);
    breaker.failed();
    expect(breaker.admit()).toEqual({ admitted: false, retryAfterMs: 1_000 });
  });

  it('forgets earlier failures when a call succeeds', () => {
    const { breaker } = breakerAt();
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    breaker.failed();
    expect(breaker.state).toBe('closed');
  });

  it('lets exactly one trial through after the pause and closes when it succeeds', () => {
    const { breaker, pass } = breakerAt();
    for (let n = 0; n < 3; n++) breaker.failed();
    pass(1_000);
    expect(breaker.admit().admitted).toBe(true);
    expect(breaker.admit().admitted).toBe(false);
    breaker.succeeded();
    expect(breaker.admit().admitted).toBe(true);
  });

  it('doubles the pause while trials fail, up to its cap', () => {
    const { breaker, pass } = breakerAt();
    for (let n = 0; n < 3; n++) breaker.failed();
    const pauses: number[] = [];
    for (let n = 0; n < 4; n++) {
      const refused = breaker.admit();
      if (refused.admitted) throw new Error('the breaker should be open');
      pauses.push(refused.retryAfterMs);
      pass(refused.retryAfterMs);
      expect(breaker.admit().admitted).toBe(true);
      breaker.failed();
    }
    expect(pauses).toEqual([1_000, 2_000, 3_000, 3_000]);
  });

  it('offers another trial when the outcome of one never came back', () => {
    const { breaker, pass } = breakerAt();
    for (let n = 0; n < 3; n++) breaker.failed();
    pass(1_000);
    expect(breaker.admit().admitted).toBe(true);
    pass(1_000);
    expect(breaker.admit().admitted).toBe(true);
  });

  it('is not pushed further away by calls that were already under way when it opened', () => {
    const { breaker, pass } = breakerAt();
    for (let n = 0; n < 3; n++) breaker.failed();
    pass(900);
    breaker.failed();
    expect(breaker.admit()).toEqual({ admitted: false, retryAfterMs: 100 });
  });
});
