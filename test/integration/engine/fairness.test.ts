import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';

/** src/bridge/start-bridge.ts: documents of a round, over all tenants. */
const ROUND = 64;

describe('fairness', () => {
  let bed: Bed;
  let erp: HttpErp;
  let small: HttpErp;

  beforeAll(async () => {
    erp = await httpErp();
    small = await httpErp({ ledger: 'small' });
    bed = await bridgeBed({
      accounts: [
        { username: 'big', invoices: 2_500, costs: 0, seed: 'big' },
        { username: 'small', invoices: 3, costs: 0, seed: 'small' },
      ],
      tenants: [
        {
          name: 'big',
          account: 'big',
          erp: erp.erp(),
          more: {
            limits: { source: { requestsPerSecond: 1_000, concurrency: 4 }, erp: { postingsPerSecond: 100 } },
          },
        },
      ],
      env: erp.env,
    });
  });
  afterAll(async () => {
    await bed.close();
    await erp.ledger.close();
    await small.ledger.close();
  });

  test('a tenant with thousands waiting delays one with three by no more than two rounds', async () => {
    const done = (tenantName: string) =>
      bed.database.prisma.posting.count({ where: { tenantName, state: 'acknowledged' } });
    while ((await done('big')) < 20) await sleep(100);
    const [startedAt, before] = [Date.now(), await done('big')];
    await bed.writeTenant({ name: 'small', account: 'small', erp: small.erp({ ledger: 'small' }) });
    while (!(await bed.database.prisma.tenant.findUnique({ where: { name: 'small' } }))) await sleep(50);
    await bed.bridge.tenants.confirmPlan('small', 'test');
    await bed.bridge.tenants.requestSweep('small');
    while ((await bed.database.prisma.posting.count({ where: { tenantName: 'small' } })) < 3) await sleep(50);
    const [foundAt, bigBefore] = [Date.now(), await done('big')];
    while ((await done('small')) < 3) await sleep(50);
    const overtook = (await done('big')) - bigBefore;
    const tookMs = Date.now() - foundAt;
    const perSecond = ((await done('big')) - before) / ((Date.now() - startedAt) / 1000);
    // The round that was handed out just before, the next one, and a look of two seconds at most; counted in documents, since how
    // long they take is the machine's affair.
    expect(overtook).toBeLessThan(2 * ROUND + 2 * perSecond);
    const waiting = await bed.database.prisma.posting.count({
      where: { tenantName: 'big', state: { not: 'acknowledged' } },
    });
    const unfinished = await bed.database.prisma.posting.count({
      where: { tenantName: 'big', state: { in: ['posted', 'writing_back'] } },
    });
    expect(unfinished, 'what is in the books is acknowledged before more is begun').toBeLessThan(2 * ROUND);
    expect(waiting, 'the big tenant must still be busy for this to show anything').toBeGreaterThan(500);
    expect(
      (waiting * 1000) / Math.max(perSecond, 1),
      'in line behind the big tenant it would have taken longer',
    ).toBeGreaterThan(tookMs);
  });
});
