// Another bridge with a database of its own on the same account and books: seen from this one, on real records.
import { afterAll, expect, it } from 'vitest';
import type { Journal } from '../../../src/domain/journal.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

it('the first document that somebody else booked under our key stops the tenant', async () => {
  const bed = await pipelineBed(database, 'two');
  const first = bed.handOver('first');
  bed.handOver('second');
  await sweep(bed.intake, bed.tenant, 'invoice', CUT_OVER);
  const { key } = await bed.row('first');
  const journal = { postingDate: '2026-03-01', lines: [] } as unknown as Journal;
  bed.ledger.entries.push({ id: 'e1', key, journal, reverses: null, state: 'posted', at: 0 });
  first.accountingStatus = 'Posted';

  await advancePosting(bed.stage, bed.tenant, (await bed.row('first')).id, 'me');
  expect(await bed.row('first')).toMatchObject({ state: 'parked', reason: 'FOREIGN_POSTED' });
  expect(await prisma.tenant.findUnique({ where: { name: 'two' } })).toMatchObject({ pausedBy: 'bridge' });
  expect(await prisma.incident.findFirst({ where: { code: 'FOREIGN_ENTRY' } })).toMatchObject({
    tenantName: 'two',
    severity: 'critical',
  });

  const second = await bed.row('second');
  expect(await advancePosting(bed.stage, bed.tenant, second.id, 'me')).toBe('busy');
  expect(await bed.row('second')).toMatchObject({ state: 'discovered', fence: second.fence });
});
