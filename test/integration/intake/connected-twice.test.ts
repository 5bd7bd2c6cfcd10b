// Two tenants whose documents go from one account into one ledger: each document is booked by whoever had it first.
import { afterAll, expect, it } from 'vitest';
import type { TenantName } from '../../../src/domain/ids.js';
import { sweep } from '../../../src/sync/intake.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, intakeBed } from './intake-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

it('a person is called, and the list of the second one is complete though nothing of it is booked', async () => {
  const bed = await intakeBed(database, 'first');
  await intakeBed(database, 'second');
  bed.handOver('x');
  bed.handOver('y');
  await bed.sweep();
  const second = { ...bed.tenant, name: 'second' as TenantName };
  for (const mode of ['full', 'fast']) {
    const swept = await sweep(bed.intake, second, 'invoice', CUT_OVER);
    expect(swept).toMatchObject({ mode, discovered: 0, expectedCount: 2, outcome: 'complete' });
  }
  const { prisma } = database;
  expect(await prisma.posting.count()).toBe(2);
  const incidents = await prisma.incident.findMany({ where: { tenantName: 'second' } });
  expect(incidents.map(({ code }) => code)).toEqual(['ACCOUNT_CONNECTED_TWICE']);
  expect(await bed.intake.store.countWaiting(bed.tenant.name, 'invoice')).toBe(2);
});
