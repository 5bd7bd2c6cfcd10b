// A tenant's documents are of two kinds, and each is swept for itself.
import { afterAll, expect, it } from 'vitest';
import { CodedError, isCoded } from '../../../src/domain/errors/coded-error.js';
import type { TenantContext } from '../../../src/sync/tenant-context.js';
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

it('of two kinds that fail each is told, and a Retry-After of the service is kept for both sides of it', async () => {
  const bed = await intakeBed(database, 'asked-to-wait');
  const { source } = bed.tenant;
  const failing = (code: 'SOURCE_RATE_LIMITED' | 'SOURCE_REFUSED') =>
    new CodedError(code, code, code === 'SOURCE_REFUSED' ? {} : { details: { retryAfterMs: 200_000 } });
  const tenant: TenantContext = {
    ...bed.tenant,
    source: {
      ...source,
      count: ({ kind }) =>
        Promise.reject(failing(kind === 'invoice' ? 'SOURCE_RATE_LIMITED' : 'SOURCE_REFUSED')),
    },
  };
  const id = await requestSweep(database, tenant.name);
  const others: unknown[] = [];
  const swept = handleSweep(
    workshop(database, bed, tenant),
    { id, tenantName: null },
    undefined,
    {},
    (about, error) => others.push([about, isCoded(error) && error.code]),
  );
  await expect(swept).rejects.toMatchObject({ code: 'SOURCE_RATE_LIMITED' });
  expect(others).toEqual([[{ tenant: 'asked-to-wait' }, 'SOURCE_REFUSED']]);
  const leftMs = (until: Date | null | undefined) => (until?.getTime() ?? 0) - Date.now();
  const breaker = await prisma.breaker.findFirst({ where: { tenantName: tenant.name, side: 'source' } });
  expect(breaker).toMatchObject({ state: 'open' });
  expect(leftMs(breaker?.holdUntil)).toBeGreaterThan(150_000);
  expect(leftMs((await prisma.outbox.findUnique({ where: { id } }))?.dueAt)).toBeGreaterThan(150_000);
});
