import { describe, expect, test } from 'vitest';
import { TokenBuckets } from '../../../src/sync/turns.js';

describe('token buckets', () => {
  const clock = { ms: 0 };
  const rates = () =>
    Promise.resolve(
      new Map([
        ['slow', 1],
        ['fast', 50],
      ]),
    );

  test('a tenant gets its rate and no more, whatever is waiting', async () => {
    const buckets = new TokenBuckets(() => clock.ms);
    let started = 0;
    for (let round = 0; round < 100; round++) {
      clock.ms += 100;
      await buckets.refill(rates);
      const allowed = buckets.allowance('slow');
      buckets.spend('slow', allowed);
      started += allowed;
    }
    // Ten seconds, and the burst of the first.
    expect(started).toBeGreaterThanOrEqual(10);
    expect(started).toBeLessThanOrEqual(11);
  });

  test('a quiet time does not save up more than a second of work', async () => {
    const buckets = new TokenBuckets(() => clock.ms);
    await buckets.refill(rates);
    clock.ms += 3_600_000;
    await buckets.refill(rates);
    expect(['slow', 'fast'].map((name) => buckets.allowance(name))).toEqual([1, 50]);
  });

  test('a tenant that may post once in four seconds does, and no sooner', async () => {
    const buckets = new TokenBuckets(() => clock.ms);
    const gentle = () => Promise.resolve(new Map([['gentle', 0.25]]));
    const handedOutAt: number[] = [];
    const from = clock.ms;
    for (let round = 0; round < 400; round++) {
      await buckets.refill(gentle);
      if (buckets.allowance('gentle') > 0) {
        buckets.spend('gentle', 1);
        handedOutAt.push(clock.ms - from);
      }
      clock.ms += 50;
    }
    const gaps = handedOutAt.slice(1).map((ms, index) => ms - (handedOutAt[index] ?? 0));
    expect(gaps).toHaveLength(4);
    // One look later at the most.
    for (const gap of gaps) expect([4_000, 4_050]).toContain(gap);
  });
});
