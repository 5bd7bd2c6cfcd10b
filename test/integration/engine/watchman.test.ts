import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conditionsOf } from '../../../src/operations/conditions.js';
import { LEASE_MS } from '../../../src/operations/operator-claim.js';
import { newId } from '../../../src/store/ids.js';
import { createFollowedIncidents } from '../../../src/store/incidents.js';
import { readUnfinishedReversals } from '../../../src/store/operations/read-records.js';
import { createWatchStore } from '../../../src/store/watch-store.js';
import { makeRound } from '../../../src/worker/watchman.js';
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

  const round = () =>
    makeRound({
      store: createWatchStore(database.db),
      incidents: createFollowedIncidents(database.db),
      tenants: () => [],
      keepAlive: () => Promise.resolve(),
      onError: (error) => expect.unreachable(String(error)),
    });
  const incidentsOf = (code: string) =>
    database.prisma.incident.findMany({ where: { code }, orderBy: { tenantName: 'asc' } });
  const open = async (code: string) =>
    (await incidentsOf(code)).filter(({ state }) => state === 'open').map(({ tenantName }) => tenantName);

  test('a tenant that always has documents and suddenly has none is an incident, once, until one comes', async () => {
    await round();
    await round();
    expect(await open('TENANT_SILENT')).toEqual(['paused', 'quiet']);
    expect((await incidentsOf('TENANT_SILENT'))[1]?.title).toMatch(/^quiet always has documents/);
    await document('quiet', 0);
    await round();
    expect(await open('TENANT_SILENT')).toEqual(['paused']);
    expect((await incidentsOf('TENANT_SILENT'))[1]).toMatchObject({
      state: 'resolved',
      resolvedBy: 'bridge',
    });
  });

  test('a tenant whose costs were not swept for hours is one, though its invoices were, unless it is paused', async () => {
    expect(await open('SWEEP_OVERDUE')).toEqual(['quiet']);
    await sweep('quiet', 'invoice', 'complete');
    await sweep('quiet', 'cost', 'failed');
    await round();
    expect(await open('SWEEP_OVERDUE')).toEqual(['quiet']);
    await sweep('quiet', 'cost', 'complete');
    await round();
    expect(await open('SWEEP_OVERDUE')).toEqual([]);
  });

  test('what a person resolved is not opened again for the same, and is for what came after', async () => {
    const resolve = {
      state: 'resolved',
      resolvedAt: new Date(),
      resolvedBy: 'anna',
      resolution: 'they are closed',
    };
    await database.prisma.incident.updateMany({ where: { code: 'TENANT_SILENT' }, data: resolve });
    await round();
    expect(await open('TENANT_SILENT')).toEqual([]);
    await database.prisma.incident.updateMany({
      where: { code: 'TENANT_SILENT', tenantName: 'paused' },
      data: { resolvedAt: daysAgo(9) },
    });
    await round();
    expect(await open('TENANT_SILENT')).toEqual(['paused']);
  });

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

  /** An invoice whose reversal was begun so many minutes ago, and claimed until so many ago. */
  interface Reversing {
    readonly begun: number;
    /** Minutes since the claim ended. */
    readonly claimed: number;
    readonly booked?: { readonly main: string; readonly settlement: string };
    readonly undone?: string;
  }

  async function reversing(number: string, how: Reversing): Promise<string> {
    const [id, documentId, key] = [newId(), newId(), `R${number}`];
    const at = daysAgo(1);
    await database.prisma.document.create({
      data: {
        ...{ id: documentId, tenantName: 'busy', kind: 'invoice', guid: number, number, amount: 1 },
        ...{ currency: 'ISK', issueDate: '2026-01-01', counterpartyName: '', counterpartyKennitala: '' },
        ...{ sourceStatus: 'Posted', firstSeenAt: at, lastSeenAt: at },
      },
    });
    const { main, settlement } = how.booked ?? {};
    await database.prisma.posting.create({
      data: {
        ...{ id, documentId, tenantName: 'busy', kind: 'invoice', key: `I${number}` },
        ...{ state: 'discovered', stateSince: at, discoveredAt: at },
        ...{ leaseOwner: 'operator:anna', leaseUntil: minutesAgo(how.claimed) },
        ...(main === undefined ? {} : { erpReference: JSON.stringify({ id: main, number: '1' }) }),
        ...(settlement === undefined ? {} : { settlementReference: JSON.stringify({ id: settlement }) }),
      },
    });
    const [begun, request] = [minutesAgo(how.begun), JSON.stringify({ reverses: { id: how.undone } })];
    await database.prisma.attempt.create({
      data: {
        ...{ id: newId(), postingId: id, number: 1, fence: 1, part: 'reversal', key, request },
        ...{ startedAt: begun, sendBy: begun, lastSentAt: begun },
        ...(how.undone === undefined ? {} : { outcome: 'posted', finishedAt: begun }),
      },
    });
    return id;
  }
  const finish = (postingId: string) =>
    database.prisma.attempt.updateMany({
      where: { postingId, outcome: null },
      data: { outcome: 'posted', finishedAt: new Date() },
    });
  const look = async () => {
    const reversals = await readUnfinishedReversals(database.db, LEASE_MS);
    const nothingElse = { running: true, tenants: [], problems: [], originalsAway: null };
    const noneOf = { alarms: [], outgoing: [], endingTokens: [] };
    const found = conditionsOf({ at: new Date().toISOString(), ...nothingElse, ...noneOf, reversals });
    await createFollowedIncidents(database.db).follow(['REVERSAL_UNFINISHED'], found);
  };
  const openReversals = async () =>
    (await incidentsOf('REVERSAL_UNFINISHED')).filter(({ state }) => state === 'open');

  test('a reversal that nobody finished is one, with the command that finishes it, until it is finished', async () => {
    const left = await reversing('REV-1', { begun: 5, claimed: 1 });
    await reversing('REV-2', { begun: 5, claimed: -1 });
    await reversing('REV-3', { begun: 1, claimed: 1 });
    const again = await reversing('REV-4', { begun: 5, claimed: 1 });
    const sent = { startedAt: minutesAgo(4), sendBy: minutesAgo(4), outcome: 'posted' };
    await database.prisma.attempt.create({
      data: {
        ...{ id: newId(), postingId: again, number: 2, fence: 2, part: 'reversal', key: 'RREV-4' },
        ...{ request: '', ...sent },
      },
    });
    await look();
    const told = await openReversals();
    expect(told.map(({ fingerprint }) => fingerprint)).toEqual([`REVERSAL_UNFINISHED:${left}:busy`]);
    expect(told[0]).toMatchObject({ severity: 'critical', tenantName: 'busy' });
    expect(told[0]?.title).toContain('invoice REV-1');
    expect(told[0]?.nextStep).toContain(`ledgerbridge reverse ${left}`);
    await finish(left);
    await look();
    expect(await openReversals()).toEqual([]);
    expect(await incidentsOf('REVERSAL_UNFINISHED')).toMatchObject([{ resolvedBy: 'bridge' }]);
  });

  test('a document of which one entry is undone and the other still stands is one, until both are', async () => {
    const booked = { main: 'M', settlement: 'S' };
    const half = await reversing('REV-5', { begun: 5, claimed: 1, booked, undone: 'S' });
    await reversing('REV-7', { begun: 5, claimed: -1, booked, undone: 'S' });
    await reversing('REV-8', { begun: 5, claimed: 1, booked, undone: 'entry of the generation before' });
    await look();
    const told = await openReversals();
    expect(told.map(({ fingerprint }) => fingerprint)).toEqual([`REVERSAL_UNFINISHED:${half}:busy`]);
    expect(told[0]?.details).toContain('the other still stands');
    await reversing('REV-9', { begun: 5, claimed: 1 });
    const begun = minutesAgo(4);
    await database.prisma.attempt.create({
      data: {
        ...{ id: newId(), postingId: half, number: 2, fence: 2, part: 'reversal', key: 'RREV-5-main' },
        ...{ request: '', startedAt: begun, sendBy: begun, lastSentAt: begun },
      },
    });
    const unfinished = await readUnfinishedReversals(database.db, LEASE_MS);
    expect(unfinished.map(({ number, isHalf }) => `${number} ${String(isHalf)}`)).toEqual([
      'REV-9 false',
      'REV-5 false',
    ]);
    await finish(half);
    // As if it had gone all its way; which moves lead there is somebody else's test.
    await database.prisma.$transaction([
      database.prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
      database.prisma.$executeRaw`UPDATE posting SET state = 'reversed' WHERE id = ${half}::uuid`,
    ]);
    await look();
    expect((await openReversals()).map(({ title }) => title)).toEqual([expect.stringContaining('REV-9')]);
  });

  test('every working tenant is reconciled once a day', async () => {
    const asked = await database.prisma.outbox.findMany({ where: { topic: 'reconcile' } });
    expect(asked.map((row) => row.tenantName).toSorted()).toEqual(['busy', 'quiet']);
  });
});
