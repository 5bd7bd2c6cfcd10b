import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { beginSummaries } from '../../../src/sync/begin-follow-ups.js';
import type { SpecifiedErp } from '../../../lab/proof/specification/check-history.js';
import type { HistoryStep } from '../../../lab/proof/specification/history.js';
import type { TenantContext } from '../../../src/sync/tenant-context.js';
import { createSummaryStore } from '../../../src/store/follow-up-store.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';
import { historyOf, refusedBy, watchDatabase, Witnesses } from '../../support/real-history.js';

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

/** As the specification calls them; nothing of a request is on its way after this. */
const QUIET = { keyLifeMs: 1_800_000, quietPeriodMs: TIMING.sendByMs + 2 * TIMING.erpTimeoutMs };
const SPECIFIED = {
  key: { kind: 'native-key', ...QUIET },
  'look-up': { kind: 'look-up', ...QUIET },
} as const;

const NEEDED = ['intend', 'send', 'arrive', 'find', 'book', 'sayPosted', 'tellPosted'];

/** Of a document that nothing happened to: one that was sent or looked for again has a step to spare. */
function plainHistory(history: readonly HistoryStep[]): readonly HistoryStep[] {
  const byDocument = new Map<string, HistoryStep[]>();
  for (const step of history)
    if ('guid' in step) byDocument.set(step.guid, [...(byDocument.get(step.guid) ?? []), step]);
  const isPlain = (steps: readonly HistoryStep[]) => {
    // It is claimed once for the books and once for the source.
    const done: string[] = steps.map(({ what }) => what).filter((what) => what !== 'claim');
    return NEEDED.every((what) => done.includes(what)) && new Set(done).size === done.length;
  };
  return [...byDocument.values()].find(isPlain) ?? [];
}

/** Wrong histories of one document: each of these steps never happened, or a request left before its intent was on record. */
function acceptedWithout(erp: SpecifiedErp, steps: readonly HistoryStep[]): string[] {
  const of = (what: string) => steps.find((step) => step.what === what);
  const wrong = NEEDED.map((what) => ({ what, steps: steps.filter((step) => step !== of(what)) }));
  const [intent, sent] = [of('intend'), of('send')];
  const early = steps.map((step) => (step === intent ? sent : step === sent ? intent : step));
  wrong.push({ what: 'an intent in time', steps: early.flatMap((step) => step ?? []) });
  return wrong.filter(({ steps: changed }) => refusedBy(erp, changed).length === 0).map(({ what }) => what);
}

const DAILY = { rules: { summary: { invoices: 'daily', costs: 'daily' } } };

// Side by side: each has a world of its own, and waits for leases most of the time.
describe.concurrent.each(ERPS)('an ERP with $keys', ({ keys, idempotency, points, daily }) => {
  let bed: Bed;
  let erp: HttpErp;
  const witnesses = new Witnesses();

  beforeAll(async () => {
    erp = await httpErp({ behaviour: { idempotency, latencyMs: 2 }, onEffect: witnesses.onEffect });
    bed = await bridgeBed({
      sandbox: { onStatus: witnesses.onStatus },
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
    await watchDatabase(bed.database);
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

    const history = await historyOf(bed.database, witnesses);
    expect(refusedBy(SPECIFIED[idempotency], history)).toEqual([]);
    expect(history.filter(({ what }) => what === 'acknowledge').length).toBeGreaterThan(
      points.length * 8 - 15,
    );
    const plain = plainHistory(history);
    expect(plain.length).toBeGreaterThan(NEEDED.length);
    expect(refusedBy(SPECIFIED[idempotency], plain)).toEqual([]);
    expect(acceptedWithout(SPECIFIED[idempotency], plain)).toEqual([]);
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
  { database: { prisma, db } }: Bed,
  names: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const store = createSummaryStore(db, 'test');
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
