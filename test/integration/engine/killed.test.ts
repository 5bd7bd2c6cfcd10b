import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAIL_POINTS } from '../../../src/pipeline/fail-points.js';
import { beginSummaries } from '../../../src/pipeline/summaries/begin-summaries.js';
import type { TenantContext } from '../../../src/pipeline/tenant-context.js';
import { createSummaryStore } from '../../../src/store/summary-store.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';

/** Everything shorter than in production, in the same proportions. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };

const ERPS = [
  { keys: 'idempotency-key', idempotency: 'key', points: FAIL_POINTS, daily: [] },
  // Before the intent and after the entry stands, how the ERP tells duplicates apart makes no difference. Some want one journal a day.
  {
    keys: 'look-up',
    idempotency: 'look-up',
    points: ['after-intent', 'after-send', 'after-posted'],
    daily: ['after-send', 'after-posted'],
  },
] as const;

const DAILY = { rules: { summary: { invoices: 'daily', costs: 'daily' } } };

describe.each(ERPS)('an ERP with $keys', ({ keys, idempotency, points, daily }) => {
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
        more: { limits: { erp: { postingsPerSecond: 200 } }, ...(isOneOf(daily, name) ? DAILY : {}) },
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
      if (await whileBegun(bed, daily, () => Promise.race([exit, sleep(25_000, false)]))) continue;
      survived.push(point);
      child.kill('SIGKILL');
      await exit;
    }
    expect(survived).toEqual([]);
    const last = bed.child({ timing: TIMING });
    await once(last, 'message');
    // Some come back out of a journal that was refused, and wait for the next one to be begun.
    await whileBegun(bed, daily, async () => {
      await allTaken(bed, daily);
      await bed.settled(100_000);
    });
    last.kill('SIGTERM');
    await once(last, 'exit');
    expect((await bed.states())['acknowledged']).toBeGreaterThan(points.length * 8);
    expect((await bed.database.prisma.summaryMember.count()) > 0).toBe(daily.length > 0);
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

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** The journal of a day is begun with a sweep; here now and then, as if sweeps came often. */
async function whileBegun<Result>(
  { database: { prisma } }: Bed,
  names: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const store = createSummaryStore(prisma, 'test');
  const begin = async () => {
    for (const tenant of await prisma.tenant.findMany({ where: { name: { in: [...names] } } }))
      await beginSummaries({ store }, {
        ...tenant,
        erp: { ledger: tenant.ledger },
      } as unknown as TenantContext);
  };
  const timer = setInterval(() => void begin(), 700);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

async function allTaken({ database: { prisma } }: Bed, names: readonly string[]): Promise<void> {
  const open = { tenantName: { in: [...names] }, state: { in: ['discovered', 'mapped', 'posting'] } };
  for (let look = 0; look < 500; look++) {
    if ((await prisma.posting.count({ where: open })) === 0) return;
    await sleep(200);
  }
  throw new Error('documents still wait for the journal of their day');
}
