// What a starting process asks for: replicas that start together, or one after the other, do not ask for everything each.
import { afterAll, describe, expect, it } from 'vitest';
import { createBreakerStore } from '../../../src/store/breaker-store.js';
import { createTenantStore } from '../../../src/store/tenant-store.js';
import { testDatabase } from '../../support/database.js';

const database = await testDatabase();
const { prisma, db } = database;
const store = createTenantStore(db, 'test');
afterAll(() => database.close());

const MINUTE_MS = 60_000;

async function tenant(name: string, sweptMinutesAgo: readonly number[], fullSweepDue = false): Promise<void> {
  await prisma.tenant.create({ data: { name, environment: 'development', createdAt: new Date() } });
  for (const [index, minutes] of sweptMinutesAgo.entries())
    await prisma.cursor.create({
      data: {
        tenantName: name,
        kind: ['invoice', 'cost'][index] ?? '',
        fromDate: '2026-01-15',
        lastSweepAt: new Date(Date.now() - minutes * MINUTE_MS),
        fullSweepDue,
      },
    });
}

async function requested(): Promise<string[]> {
  const rows = await prisma.outbox.findMany({ where: { topic: 'sweep' }, orderBy: { tenantName: 'asc' } });
  return rows.map(({ tenantName }) => tenantName ?? '');
}

describe('a process that starts', () => {
  it('asks for sweeps of those that nobody has swept lately, once each', async () => {
    await tenant('fresh', [0.1, 0.1]);
    await tenant('half', [0.1]);
    await tenant('never', []);
    await tenant('failed', [0.1, 0.1], true);
    await tenant('old', [0.1, 5]);
    const names = ['fresh', 'half', 'never', 'failed', 'old'];
    await store.requestOverdueSweeps(names, MINUTE_MS);
    expect(await requested()).toEqual(['failed', 'half', 'never', 'old']);
    await store.requestOverdueSweeps(names, MINUTE_MS);
    expect(await requested(), 'what is on its way is not asked for again').toHaveLength(4);
  });

  it('asks for nothing when it has no tenants', async () => {
    await prisma.outbox.deleteMany();
    await store.requestOverdueSweeps([], MINUTE_MS);
    expect(await requested()).toEqual([]);
  });
});

describe('a tick of the schedule', () => {
  it('asks for no sweep while the source refuses the credentials, until the breaker lets one try', async () => {
    await tenant('refused', []);
    const minutes = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number));
    await prisma.outbox.deleteMany();
    await createBreakerStore(db).refused('refused', 'source', 'Invalid api_key');
    expect(await store.tick(['refused'], minutes(1), 'me')).toEqual(['refused']);
    expect(await requested()).toEqual([]);
    await prisma.$executeRaw`UPDATE breaker SET open_until = now() - interval '1 second'`;
    expect(await store.tick(['refused'], minutes(2), 'me')).toEqual(['refused']);
    expect(await requested()).toEqual(['refused']);
  });

  it('is fired once for each company, by whichever replica is first, all companies of a schedule at once', async () => {
    const at = new Date(Date.UTC(2026, 0, 2));
    await prisma.outbox.deleteMany();
    expect(await store.tick(['fresh', 'half'], at, 'one')).toEqual(['fresh', 'half']);
    expect(await store.tick(['fresh', 'half', 'never'], at, 'another')).toEqual(['never']);
    expect(await requested()).toEqual(['fresh', 'half', 'never']);
    expect(await store.tick([], at, 'one')).toEqual([]);
  });

  it('forgets ticks of a week ago', async () => {
    const old = new Date(Date.now() - 8 * 24 * 60 * MINUTE_MS);
    await prisma.tick.create({ data: { tenantName: 'old', scheduledAt: old, firedBy: 'one' } });
    await store.tick(['old'], new Date(), 'one');
    expect(await prisma.tick.count({ where: { tenantName: 'old' } })).toBe(1);
  });
});
