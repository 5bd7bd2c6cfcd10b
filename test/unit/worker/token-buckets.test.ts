import { describe, expect, test } from 'vitest';
import { TokenBuckets } from '../../../src/worker/token-buckets.js';

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
      const allowed = buckets.allowances()['slow'] ?? 0;
      for (let number = 0; number < allowed; number++) buckets.spend('slow');
      started += allowed;
    }
    // Ten seconds at two wake-ups a document, and the burst of the first second.
    expect(started).toBeGreaterThanOrEqual(20);
    expect(started).toBeLessThanOrEqual(22);
  });

  test('a quiet time does not save up more than a second of work', async () => {
    const buckets = new TokenBuckets(() => clock.ms);
    await buckets.refill(rates);
    clock.ms += 3_600_000;
    await buckets.refill(rates);
    expect(buckets.allowances()).toEqual({ slow: 2, fast: 100 });
  });
});
