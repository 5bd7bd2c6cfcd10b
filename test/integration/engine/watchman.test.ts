import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/store/ids.js';
import { createWatchStore } from '../../../src/store/watch-store.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('the watchman', () => {
  let database: TestDatabase;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

  beforeAll(async () => {
    database = await testDatabase();
    const { prisma } = database;
    for (const name of ['quiet', 'busy', 'paused']) {
      await prisma.tenant.create({
        data: {
          name,
          environment: 'development',
          createdAt: daysAgo(60),
          planConfirmedAt: daysAgo(60),
          ...(name === 'paused' ? { pausedAt: daysAgo(1) } : {}),
        },
      });
      for (let day = 4; day < 14; day++) await document(name, day);
    }
    await document('busy', 0);
    for (const kind of ['invoice', 'cost']) await sweep('busy', kind, 'complete');
  });
  afterAll(() => database.close());

  async function sweep(tenantName: string, kind: string, outcome: string): Promise<void> {
    const at = { startedAt: new Date(), finishedAt: new Date() };
    await database.prisma.sweep.create({
      data: { id: newId(), tenantName, kind, mode: 'full', ...at, outcome },
    });
  }

  async function document(tenantName: string, day: number): Promise<void> {
    await database.prisma.document.create({
      data: {
        id: newId(),
        tenantName,
        kind: 'invoice',
        guid: `${tenantName}-${day}`,
        number: String(day),
        amount: 1,
        currency: 'ISK',
        issueDate: '2026-01-01',
        counterpartyName: '',
        counterpartyKennitala: '',
        sourceStatus: 'Posted',
        firstSeenAt: daysAgo(day),
        lastSeenAt: daysAgo(day),
      },
    });
  }

  test('a tenant that always has documents and suddenly has none becomes an incident, once', async () => {
    const store = createWatchStore(database.prisma);
    expect((await store.openSilence(5, 3)).toSorted()).toEqual(['paused', 'quiet']);
    await store.openSilence(5, 3);
    const incidents = await database.prisma.incident.findMany({
      where: { code: 'TENANT_SILENT', tenantName: 'quiet' },
    });
    expect(incidents).toMatchObject([{ count: 2, state: 'open' }]);
  });

  test('a tenant without a complete sweep for hours becomes an incident, unless it is paused', async () => {
    const store = createWatchStore(database.prisma);
    expect(await store.openOverdue(6 * 60 * 60 * 1000)).toEqual(['quiet']);
  });

  test('a tenant whose costs were not swept for hours becomes one too, though its invoices were', async () => {
    await sweep('quiet', 'invoice', 'complete');
    await sweep('quiet', 'cost', 'failed');
    const store = createWatchStore(database.prisma);
    expect(await store.openOverdue(6 * 60 * 60 * 1000)).toEqual(['quiet']);
    await sweep('quiet', 'cost', 'complete');
    expect(await store.openOverdue(6 * 60 * 60 * 1000)).toEqual([]);
  });

  test('every working tenant is reconciled once a day', async () => {
    const store = createWatchStore(database.prisma);
    expect(await store.requestReconciliations(35)).toBe(2);
    expect(await store.requestReconciliations(35)).toBe(0);
    const asked = await database.prisma.outbox.findMany({ where: { topic: 'reconcile' } });
    expect(asked.map((row) => row.tenantName).toSorted()).toEqual(['busy', 'quiet']);
  });
});
