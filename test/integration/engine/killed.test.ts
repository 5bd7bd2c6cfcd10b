import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAIL_POINTS } from '../../../src/pipeline/fail-points.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';

/** Everything shorter than in production, in the same proportions. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };

const ERPS = [
  { keys: 'idempotency-key', idempotency: 'key', points: FAIL_POINTS },
  // Before the intent and after the entry stands, how the ERP tells duplicates apart makes no difference.
  { keys: 'look-up', idempotency: 'look-up', points: ['after-intent', 'after-send', 'after-posted'] },
] as const;

describe.each(ERPS)('an ERP with $keys', ({ keys, idempotency, points }) => {
  let bed: Bed;
  let erp: HttpErp;

  beforeAll(async () => {
    erp = await httpErp({ behaviour: { idempotency, latencyMs: 2 } });
    bed = await bridgeBed({
      accounts: points.map((username) => ({
        username,
        invoices: 9,
        costs: 6,
        seed: `${username}-${keys}`,
      })),
      tenants: points.map((name) => ({
        name,
        account: name,
        erp: erp.erp({ keys, deadlineMs: 2_000 }),
        more: { limits: { erp: { postingsPerSecond: 200 } } },
      })),
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
    for (const [index, point] of points.entries()) {
      const child = bed.child({ failAt: `${point}:2:SIGKILL`, timing: TIMING });
      const exit = once(child, 'exit').then(() => true);
      await Promise.race([once(child, 'message'), exit]);
      await confirmPlans(bed, points.slice(0, index + 1));
      if (await Promise.race([exit, sleep(25_000, false)])) continue;
      survived.push(point);
      child.kill('SIGKILL');
      await exit;
    }
    expect(survived).toEqual([]);
    const last = bed.child({ timing: TIMING });
    await once(last, 'message');
    await bed.settled(100_000);
    last.kill('SIGTERM');
    await once(last, 'exit');
    expect((await bed.states())['acknowledged']).toBeGreaterThan(points.length * 8);
    expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
  }, 240_000);
});

/** Each point has a tenant of its own that starts when its turn comes: a quick bridge never runs out of work before the end. */
async function confirmPlans(bed: Bed, names: string[]): Promise<void> {
  await bed.database.prisma.tenant.updateMany({
    where: { name: { in: names }, planConfirmedAt: null },
    data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
  });
}
