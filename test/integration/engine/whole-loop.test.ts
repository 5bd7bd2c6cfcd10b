import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

describe('the whole loop', () => {
  let bed: Bed;

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'fjordur', invoices: 20, costs: 15, seed: 'loop' }],
      tenants: [{ name: 'fjordur', account: 'fjordur', erp: { adapter: 'file' } }],
    });
  });
  afterAll(() => bed.close());

  test('every document that was handed over ends as Posted at the source, or is visible with a reason', async () => {
    await bed.settled();
    const states = await bed.states();
    expect(states['acknowledged'] ?? 0).toBeGreaterThan(20);
    const unexplained = await bed.database.prisma.posting.count({
      where: { state: { in: ['held', 'parked', 'deferred', 'skipped', 'rejected'] }, reason: null },
    });
    expect(unexplained).toBe(0);
    for (const kind of ['invoice', 'cost'] as const) {
      const posted = bed.sandbox.control.documents('fjordur', {
        kind,
        accountingStatus: 'Posted',
        limit: 1000,
      });
      const acknowledged = await bed.database.prisma.posting.count({
        where: { kind, state: 'acknowledged' },
      });
      expect(posted).toHaveLength(acknowledged);
    }
  });
});
