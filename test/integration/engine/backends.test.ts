import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';
import { startRedis, type TestRedis } from '../../support/redis.js';
import { has } from '../../support/services.js';

const COMBINATIONS = [
  { queues: 'postgres', surface: 'credential' },
  { queues: 'postgres', surface: 'agent' },
  { queues: 'redis', surface: 'credential' },
  { queues: 'redis', surface: 'agent' },
] as const;

describe.each(COMBINATIONS.filter(({ queues }) => queues === 'postgres' || has('redis-server')))(
  'queues on $queues, $surface surface, faults on',
  ({ queues, surface }) => {
    let bed: Bed;
    let erp: HttpErp;
    let redis: TestRedis | null = null;

    beforeAll(async () => {
      redis = queues === 'redis' ? await startRedis() : null;
      erp = await httpErp({
        behaviour: {
          seed: 3,
          faults: { 'reset-after-effect': 0.1, 'error-before-effect': 0.1 },
          latencyMs: 2,
        },
      });
      bed = await bridgeBed({
        accounts: [{ username: 'prufa', invoices: 25, costs: 15, seed: `${queues}-${surface}` }],
        sandbox: {
          faults: [
            { kind: 'server-error', probability: 0.03 },
            { kind: 'reset-after', probability: 0.03, endpoint: '*update*' },
          ],
        },
        tenants: [{ name: 'prufa', account: 'prufa', surface, erp: erp.erp() }],
        env: erp.env,
        ...(redis ? { redisUrl: redis.url } : {}),
      });
    });
    afterAll(async () => {
      await bed.close();
      await erp.ledger.close();
      await redis?.close();
    });

    test('every document is in the books once, and the source says so', async () => {
      if (redis) await redis.client.flushall();
      await bed.settled(110_000);
      expect((await bed.states())['acknowledged']).toBeGreaterThan(25);
      expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
    });
  },
);
