// A tenant's documents are of two kinds, and each is swept for itself.
import { afterAll, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { TenantContext } from '../../../src/pipeline/tenant-context.js';
import { handleSweep } from '../../../src/worker/handlers.js';
import { testDatabase } from '../../support/database.js';
import { intakeBed } from './intake-bed.js';
import { requestSweep, workshop } from './sweep-workshop.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

it('what is wrong with one kind does not keep the other from being swept, and is tried again', async () => {
  const bed = await intakeBed(database, 'no-invoices');
  const { source } = bed.tenant;
  const tenant: TenantContext = {
    ...bed.tenant,
    source: {
      ...source,
      count: (query) =>
        query.kind === 'invoice'
          ? Promise.reject(new CodedError('SOURCE_REFUSED', 'no'))
          : source.count(query),
    },
  };
  const id = await requestSweep(database, tenant.name);
  const swept = handleSweep(workshop(database, bed, tenant), { id, tenantName: null });
  await expect(swept).rejects.toMatchObject({ code: 'SOURCE_REFUSED' });
  const sweeps = await prisma.sweep.findMany({
    where: { tenantName: tenant.name },
    orderBy: { kind: 'asc' },
  });
  expect(sweeps.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['cost', 'complete'],
    ['invoice', 'failed'],
  ]);
  expect(await prisma.outbox.findUnique({ where: { id } })).toMatchObject({ tries: 1, queuedUntil: null });
});
