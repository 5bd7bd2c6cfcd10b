// A list of many pages from a service that fails now and then: what was read is kept, and nobody begins at the first page again.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

/** The service gives out pages of at most this many. */
const PAGE = 100;
const DOCUMENTS = 350;

describe('a service that fails in the middle of a long list', () => {
  let bed: Bed;
  afterEach(() => bed.close());

  const start = async (fault: { skip: number; times: number }) => {
    bed = await bridgeBed({
      accounts: [{ username: 'prufa', invoices: DOCUMENTS, costs: 0, seed: 'flaky' }],
      sandbox: { faults: [{ kind: 'server-error', endpoint: 'get-invoices', ...fault }] },
      tenants: [{ name: 'prufa', account: 'prufa', erp: { adapter: 'file' } }],
      confirmPlans: false,
    });
  };
  const sweeps = () =>
    bed.database.prisma.sweep.findMany({ where: { kind: 'invoice' }, orderBy: { startedAt: 'asc' } });
  const finished = async (count: number) => {
    for (;;) {
      const done = (await sweeps()).filter(({ outcome }) => outcome !== null);
      if (done.length >= count) return done;
      await sleep(100);
    }
  };
  const known = () => bed.database.prisma.posting.count();

  test('for a moment: the same sweep goes on at that page', async () => {
    await start({ skip: 2, times: 2 });
    const [first] = await finished(1);
    expect(first).toMatchObject({ outcome: 'complete', pages: 4 + 1 });
    expect(first?.discovered).toBe(await known());
    expect(await known()).toBeGreaterThan(3 * PAGE);
  });

  test('for longer: the pages before are kept and counted, and the next sweep finds the rest', async () => {
    await start({ skip: 2, times: 3 });
    const [first, second] = await finished(2);
    expect(first).toMatchObject({ outcome: 'failed', pages: 3, listed: 2 * PAGE, discovered: 2 * PAGE });
    expect(first?.message).toContain('Internal server error');
    expect(second).toMatchObject({ mode: 'full', outcome: 'complete' });
    expect(2 * PAGE + (second?.discovered ?? 0)).toBe(await known());
    expect(await known()).toBeGreaterThan(3 * PAGE);
  });
});
