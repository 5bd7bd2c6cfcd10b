// How many originals of a tenant are worked on: as many a second as its file says, also where that is less than one a round.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Connections } from '../../../src/worker/connections.js';
import { type OriginalsKeeperOptions, startOriginalsKeeper } from '../../../src/worker/originals-keeper.js';

const EVERY_MS = 20;

/** Originals without end: as many as are asked for are claimed. */
async function claimedIn(ms: number, perSecond: number) {
  let claimed = 0;
  let rounds = 0;
  const since = performance.now();
  const keeper = startOriginalsKeeper({
    owner: 'me',
    everyMs: EVERY_MS,
    dispatch: { take: () => Promise.resolve(true), giveBack: () => Promise.resolve() },
    store: {
      want: () => Promise.resolve(0),
      claim: (shares: Record<string, number>) => {
        const count = shares['a'] ?? 0;
        claimed += count;
        rounds += 1;
        return Promise.resolve(Array.from({ length: count }, () => ({ tenantName: 'a' })));
      },
    },
    stage: { timing: { leaseMs: 1_000 } },
    connections: {
      names: () => ['a'],
      tenant: () => ({ name: 'a', paused: false, originals: { keep: true, perSecond } }),
      get: () => Promise.reject(new Error('nothing is carried here')),
    } as unknown as Connections,
    onError: () => undefined,
  } as unknown as OriginalsKeeperOptions);
  await sleep(ms);
  await keeper.stop();
  return { claimed, rounds, seconds: (performance.now() - since) / 1_000 };
}

describe('the rate of originals', () => {
  it('is kept where it is less than one a round', async () => {
    // Rounds come every 20 ms, so that one each would be 50 a second.
    const { claimed, seconds } = await claimedIn(1_000, 5);
    expect(claimed).toBeGreaterThanOrEqual(2);
    expect(claimed).toBeLessThanOrEqual(1 + 5 * seconds + 2);
  });

  it('is not rounded down where it is not a whole number a round', async () => {
    // 1.4 a round; rounds that a busy machine begins late have saved up no less.
    const { claimed, rounds, seconds } = await claimedIn(1_000, 70);
    expect(claimed).toBeGreaterThan(1.2 * rounds);
    expect(claimed).toBeLessThanOrEqual(2 + 70 * seconds + 10);
  });
});
