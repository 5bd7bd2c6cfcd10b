// Income that waits for its month, on PostgreSQL: released once when its day has come, undone with its document.
import { afterAll, describe, expect, it } from 'vitest';
import { runAct } from '../../../src/operations/run-act.js';
import { journalFromJson } from '../../../src/domain/journal-json.js';
import { beginReleases } from '../../../src/sync/begin-follow-ups.js';
import { createReleaseStore } from '../../../src/store/follow-up-store.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import { testDatabase } from '../../support/database.js';
import { bookingBed } from '../../support/booking-bed.js';

const database = await testDatabase();
const { prisma, db } = database;
afterAll(() => database.close());

const HAND = { actor: 'anna', reason: 'rangt' };
const monthEnd = (months: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + months, 0));
};
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

async function releasesBed(name: string) {
  const bed = await bookingBed(database, name, {
    rules: (rules) => ({
      ...rules,
      accounts: { ...rules.accounts, deferredRevenue: '2600' },
      // From the month of delivery on, which is one or two months ago.
      invoice: { ...rules.invoice, cases: [{ when: { item: 'V1' }, spreadMonths: 6 }] },
    }),
  });
  const { ledger, tenant, work } = bed;
  const store = createReleaseStore(db);
  return {
    ...bed,
    /** On which day, by the clock of the process. */
    release: async (on: Date) => {
      const runtime = { ...SYSTEM_RUNTIME, clock: { now: () => on } };
      const begun = await beginReleases({ runtime, store }, tenant);
      await work();
      return begun;
    },
    releases: () =>
      prisma.posting.findMany({
        where: { tenantName: name, kind: 'release' },
        orderBy: { document: { issueDate: 'asc' } },
        include: { document: true },
      }),
    /** Account → what the entries that stand come to. */
    balances: () => {
      const totals: Record<string, number> = {};
      // A reversed entry is not live; what reverses it only says so.
      for (const { key } of ledger.entries.filter(({ reverses }) => !reverses))
        for (const { journal } of ledger.live(key))
          for (const { account, debit, credit } of journal.lines)
            totals[account] = (totals[account] ?? 0) + debit.minus(credit).toNumber();
      return totals;
    },
  };
}

describe('an invoice whose income is spread over six months', () => {
  it('is released month by month, each part once under a key of its own, and the source is told nothing', async () => {
    const bed = await releasesBed('months');
    bed.handOver('one');
    await bed.post();
    const writes = bed.service.writes.length;
    const first = await bed.release(monthEnd(0));
    expect(first).toBeGreaterThan(1);
    expect(await bed.release(monthEnd(0))).toBe(0);
    for (let month = 1; month <= 6; month++) await bed.release(monthEnd(month));
    const releases = await bed.releases();
    expect(releases).toHaveLength(6);
    expect(new Set(releases.map(({ key }) => key)).size).toBe(6);
    expect(releases.every(({ state }) => state === 'acknowledged')).toBe(true);
    expect(releases.map(({ postingDate, document }) => postingDate === document.issueDate)).toEqual(
      Array.from({ length: 6 }, () => true),
    );
    expect(bed.balances()).toMatchObject({ '1500': 1240, '2600': 0, '3000': -1000, '2500': -240 });
    expect(bed.service.writes).toHaveLength(writes);
  });

  it('is not released before its day, nor while the invoice is not in the books', async () => {
    const bed = await releasesBed('early');
    bed.handOver('one');
    expect(await bed.release(monthEnd(0))).toBe(0);
    await bed.post();
    await bed.release(new Date());
    const [next] = (await bed.releases()).slice(-1);
    expect((next?.document.issueDate ?? '') <= dayOf(new Date())).toBe(true);
  });

  it('two who look at once begin each release once', async () => {
    const bed = await releasesBed('two');
    bed.handOver('one');
    await bed.post();
    const begun = await Promise.all([bed.release(monthEnd(0)), bed.release(monthEnd(0))]);
    const releases = await bed.releases();
    expect(Math.max(...begun)).toBeLessThanOrEqual(releases.length);
    expect(bed.ledger.entries).toHaveLength(1 + releases.length);
  });

  it('a database that forgot a release begins the same one again, and finds its entry', async () => {
    const bed = await releasesBed('forgot');
    bed.handOver('one');
    await bed.post();
    await bed.release(monthEnd(0));
    const before = await bed.releases();
    const ids = before.map(({ documentId }) => documentId);
    await prisma.$transaction([
      prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
      prisma.attempt.deleteMany({ where: { posting: { documentId: { in: ids } } } }),
      prisma.posting.deleteMany({ where: { documentId: { in: ids } } }),
      prisma.document.deleteMany({ where: { id: { in: ids } } }),
    ]);
    await bed.release(monthEnd(0));
    const after = await bed.releases();
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  });
});

describe('a reversal of the invoice', () => {
  it('undoes what was released, stops what was not, and reposted it begins anew', async () => {
    const bed = await releasesBed('undone');
    bed.handOver('one');
    await bed.post();
    await bed.release(monthEnd(0));
    const released = (await bed.releases()).length;
    const { id } = await bed.row('one');
    const { entries } = await runAct(bed.operations, 'reverse', [id], {}, HAND);
    expect(entries.filter(({ part }) => part === 'release')).toHaveLength(released);
    expect(Object.values(bed.balances()).every((total) => total === 0)).toBe(true);
    expect((await bed.releases()).every(({ state }) => state === 'reversed')).toBe(true);
    expect(await bed.release(monthEnd(3))).toBe(0);
    await runAct(bed.operations, 'repost', [id], {}, HAND);
    await bed.work();
    for (let month = 0; month <= 6; month++) await bed.release(monthEnd(month));
    expect(bed.balances()).toMatchObject({ '1500': 1240, '2600': 0, '3000': -1000 });
    const journals = (await bed.releases()).map(({ journal }) => journalFromJson(journal ?? ''));
    expect(journals).toHaveLength(released + 6);
  });

  it('is refused while a release is under way', async () => {
    const bed = await releasesBed('busy');
    bed.handOver('one');
    await bed.post();
    await bed.release(monthEnd(0));
    const [release] = await bed.releases();
    await prisma.posting.update({
      where: { id: release?.id ?? '' },
      data: { leaseOwner: 'other', leaseUntil: new Date(Date.now() + 60_000) },
    });
    const { id } = await bed.row('one');
    await expect(runAct(bed.operations, 'reverse', [id], {}, HAND)).rejects.toThrow(/has this document/);
    expect((await bed.row('one')).state).toBe('acknowledged');
  });
});
