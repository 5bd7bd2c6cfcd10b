import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';
import { startRedis, type TestRedis } from '../../support/redis.js';
import { has } from '../../support/services.js';

const TURN = z.strictObject({ tenantName: z.literal('prufa'), share: z.int(), isProbe: z.boolean() });
const WAKE_UP = z.union([
  z.strictObject({ id: z.uuid(), tenantName: z.literal('prufa').nullable() }),
  TURN.extend({ id: z.literal(''), more: z.array(TURN) }),
]);

/** Shorter than in production, in the same proportions: an answer that was lost is looked for after seconds. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };

/**
 * Of the first requests, and not by chance: whoever met one three times would wait a minute, and a fourth time five, which is longer than
 * anybody waits here. Fewer than open the breaker.
 */
const ERP_FAULTS = ['reset-after-effect', 'error-before-effect'] as const;

const COMBINATIONS = [
  { queues: 'postgres', surface: 'credential' },
  { queues: 'postgres', surface: 'agent' },
  { queues: 'redis', surface: 'credential' },
  { queues: 'redis', surface: 'agent' },
  { queues: 'redis-cluster', surface: 'credential' },
] as const;

// Side by side: each has a world of its own, and waits for what was lost most of the time.
describe.concurrent.each(COMBINATIONS.filter(({ queues }) => queues === 'postgres' || has('redis-server')))(
  'queues on $queues, $surface surface, faults on',
  ({ queues, surface }) => {
    let bed: Bed;
    let erp: HttpErp;
    let redis: TestRedis | null = null;

    beforeAll(async () => {
      redis = queues === 'postgres' ? null : await startRedis({ cluster: queues === 'redis-cluster' });
      erp = await httpErp({ behaviour: { latencyMs: 2 } });
      for (const fault of ERP_FAULTS) erp.ledger.control.failNext({ fault, times: 2 });
      bed = await bridgeBed({
        accounts: [{ username: 'prufa', invoices: 18, costs: 8, seed: `${queues}-${surface}` }],
        sandbox: {
          faults: [
            { kind: 'server-error', probability: 0.03 },
            { kind: 'reset-after', probability: 0.03, endpoint: '*update*' },
          ],
        },
        tenants: [{ name: 'prufa', account: 'prufa', surface, erp: erp.erp({ deadlineMs: 2_000 }) }],
        env: erp.env,
        bridge: { timing: TIMING },
        ...(redis ? { redisUrl: redis.url } : {}),
      });
    });
    afterAll(async () => {
      await bed.close();
      await erp.ledger.close();
      await redis?.close();
    });

    test.sequential('every document is in the books once, and the source says so', async () => {
      // What was handed out is handed out again after 30 s; once is enough to show it.
      if (queues === 'redis' && surface === 'agent') await redis?.client.flushall();
      await bed.settled(110_000);
      expect((await bed.states())['acknowledged']).toBeGreaterThan(15);
      expect(erp.ledger.control.counts().faults).toEqual({
        'reset-after-effect': 2,
        'error-before-effect': 2,
      });
      expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
    });

    test.sequential(
      'a job carries tenants and the sizes of their turns, and nothing of a document',
      async () => {
        const kept = await Promise.all(
          bed.bridge.queues.bull.map((queue) => queue.getJobs(['completed', 'failed'], 0, 500)),
        );
        const jobs = kept.flat();
        expect(jobs.length).toBeGreaterThan(3);
        for (const { data } of jobs) expect(WAKE_UP.safeParse(data).error).toBeUndefined();
      },
    );
  },
);
