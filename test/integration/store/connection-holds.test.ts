import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBreakerStore, createConnectionHolds } from '../../../src/store/breaker-store.js';
import { testDatabase } from '../../support/database.js';

const database = await testDatabase();
const { prisma, db } = database;
afterAll(() => database.close());
beforeAll(async () => {
  for (const name of ['asked', 'other'])
    await prisma.tenant.create({ data: { name, environment: 'production', createdAt: new Date() } });
});
beforeEach(() => prisma.breaker.deleteMany());

/** One process each. */
const aProcess = () => {
  const breakers = createBreakerStore(db);
  return { breakers, holds: createConnectionHolds(db, breakers) };
};
const row = () => prisma.breaker.findFirst({ where: { tenantName: 'asked', side: 'erp' } });

describe('a server that asks for a pause', () => {
  test('is left alone by every process, and by nobody longer than it asked', async () => {
    const [one, another] = [aProcess(), aProcess()];
    expect(await another.holds.heldMs('asked', 'erp')).toBe(0);
    await one.holds.hold('asked', 'erp', 700, 'busy');
    expect(await one.holds.heldMs('asked', 'erp')).toBeGreaterThan(400);
    await sleep(150);
    expect(await another.holds.heldMs('asked', 'erp')).toBeGreaterThan(200);
    await sleep(600);
    expect(await one.holds.heldMs('asked', 'erp')).toBe(0);
    expect(await another.holds.heldMs('asked', 'erp')).toBe(0);
  });

  test('holds its own tenant and side only', async () => {
    const { holds } = aProcess();
    await holds.hold('asked', 'erp', 60_000, 'busy');
    expect(await holds.heldMs('asked', 'source')).toBe(0);
    expect(await holds.heldMs('other', 'erp')).toBe(0);
  });

  test('is not disturbed because a request that was under way succeeded', async () => {
    const [one, another] = [aProcess(), aProcess()];
    await one.holds.hold('asked', 'erp', 60_000, 'busy');
    await another.breakers.succeeded('asked', 'erp');
    expect(await row()).toMatchObject({ state: 'open' });
    expect((await row())?.holdUntil?.getTime()).toBeGreaterThan(Date.now() + 50_000);
  });

  test('asked once, however many requests were under way: those that it turned away are no failures', async () => {
    const { holds, breakers } = aProcess();
    await holds.hold('asked', 'erp', 12_000, 'busy');
    const first = await row();
    for (let request = 0; request < 12; request++)
      await breakers.failed('asked', 'erp', 'turned away', 11_990);
    expect(await row()).toMatchObject({
      failures: 1,
      holdUntil: first?.holdUntil,
      openUntil: first?.openUntil,
    });
  });

  test('may ask for more', async () => {
    const { holds } = aProcess();
    await holds.hold('asked', 'erp', 2_000, 'busy');
    await holds.hold('asked', 'erp', 60_000, 'very busy');
    expect((await row())?.openUntil?.getTime()).toBeGreaterThan(Date.now() + 50_000);
  });

  test('is asked again by one document when the pause is over, and by the rest when that worked', async () => {
    const { holds, breakers } = aProcess();
    await holds.hold('asked', 'erp', 50, 'busy');
    await sleep(80);
    expect(await row()).toMatchObject({ state: 'open' });
    await breakers.succeeded('asked', 'erp');
    expect(await row()).toMatchObject({ state: 'closed', failures: 0, holdUntil: null });
  });
});

describe('failures without a wish', () => {
  test('open a breaker after five in a row, as ever', async () => {
    const { breakers } = aProcess();
    for (let failure = 1; failure <= 5; failure++) {
      expect((await row())?.state ?? 'closed').toBe('closed');
      await breakers.failed('asked', 'erp', 'down');
    }
    expect(await row()).toMatchObject({ state: 'open', failures: 5, holdUntil: null });
  });
});

describe('what went well', () => {
  test('ends a failure that was being written while the troubles of all were read', async () => {
    const { breakers } = aProcess();
    await breakers.failed('asked', 'erp', 'no answer');
    await breakers.succeeded('asked', 'erp');
    let failing: Promise<void> = Promise.resolve();
    await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM breaker WHERE tenant_name = 'asked' AND side = 'erp' FOR UPDATE`;
      failing = breakers.failed('asked', 'erp', 'no answer');
      await breakers.succeeded('other', 'erp');
    });
    await failing;
    expect(await row()).toMatchObject({ failures: 1 });
    await breakers.succeeded('asked', 'erp');
    expect(await row()).toMatchObject({ state: 'closed', failures: 0 });
  });

  test('with a hundred companies whom nothing troubles is one question to the records', async () => {
    let asked = 0;
    const rows: typeof db.rows = (...query) => {
      asked++;
      return db.rows(...query);
    };
    const breakers = createBreakerStore({ ...db, rows });
    for (let company = 0; company < 100; company++) await breakers.succeeded(`c${String(company)}`, 'erp');
    expect(asked).toBeLessThan(4);
  });
});

describe('a side that goes down', () => {
  test('is told once, however many requests fail in the same moment', async () => {
    const told: string[] = [];
    const breakers = createBreakerStore(db, ({ event }) => told.push(event));
    await breakers.failed('asked', 'erp', 'away');
    // Some open it within one millisecond, which the time of the row cannot tell apart.
    for (let round = 0; round < 20; round++) {
      told.length = 0;
      await prisma.breaker.updateMany({ data: { state: 'closed', failures: 4, openUntil: null } });
      await Promise.all(Array.from({ length: 8 }, () => breakers.failed('asked', 'erp', 'away')));
      expect(told).toEqual(['breaker.opened']);
    }
  });
});
