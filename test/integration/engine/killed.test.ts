import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAIL_POINTS } from '../../../src/pipeline/fail-points.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';

/** Everything shorter than in production, in the same proportions. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };

const ERPS = [
  { keys: 'idempotency-key', idempotency: 'key' },
  { keys: 'look-up', idempotency: 'look-up' },
] as const;

describe.each(ERPS)('an ERP with $keys', ({ keys, idempotency }) => {
  let bed: Bed;
  let erp: HttpErp;

  beforeAll(async () => {
    erp = await httpErp({ behaviour: { idempotency, latencyMs: 2 } });
    bed = await bridgeBed({
      accounts: [{ username: 'prufa', invoices: 60, costs: 30, seed: `killed-${keys}` }],
      tenants: [
        {
          name: 'prufa',
          account: 'prufa',
          erp: erp.erp({ keys, deadlineMs: 2_000 }),
          more: { limits: { erp: { postingsPerSecond: 200 } } },
        },
      ],
      env: erp.env,
      processes: true,
    });
  });
  afterAll(async () => {
    await bed.close();
    await erp.ledger.close();
  });

  test('a bridge killed with SIGKILL after every step of the protocol posts each document once', async () => {
    const survived: string[] = [];
    let confirmed = false;
    for (const point of FAIL_POINTS) {
      const child = bed.child({ failAt: `${point}:2:SIGKILL`, timing: TIMING });
      await once(child, 'message');
      if (!confirmed) confirmed = await confirmPlan(bed);
      const killed = await Promise.race([once(child, 'exit').then(() => true), sleep(25_000, false)]);
      if (!killed) {
        survived.push(point);
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    expect(survived).toEqual([]);
    const last = bed.child({ timing: TIMING });
    await once(last, 'message');
    await bed.settled(100_000);
    last.kill('SIGTERM');
    await once(last, 'exit');
    expect((await bed.states())['acknowledged']).toBeGreaterThan(60);
    expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
  }, 240_000);
});

async function confirmPlan(bed: Bed): Promise<boolean> {
  await bed.database.prisma.tenant.updateMany({
    data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
  });
  return true;
}
