// Submissions on a real PostgreSQL: moves, fences, what origins hand over twice, and who may claim what.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Guid } from '../../../src/domain/ids.js';
import { SUBMISSION_MOVES, SUBMISSION_STATES, type SubmissionState } from '../../../src/domain/submission.js';
import { createOriginStore, createOriginWatch } from '../../../src/store/origin-store.js';
import { createSubmissionStore } from '../../../src/store/submission-store.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { storedDocument } from '../../support/stored-document.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const CONTENT = JSON.stringify({
  customer: { kennitala: '5402696029', name: 'Prufa ehf.' },
  issue_date: '2026-03-01',
  lines: [{ item_number: '1', description: 'Vara', qty: '1', unit_price: '1000', tax: 'S' }],
});
const REQUEST = { act: 'create', kind: 'invoice', body: {} } as const;

let tenants = 0;

async function bed(options: { confirmed?: boolean; perDay?: number } = {}) {
  const tenant = `prufa-${String(++tenants)}`;
  const at = new Date();
  await database.prisma.tenant.create({ data: { name: tenant, environment: 'production', createdAt: at } });
  if (options.confirmed !== false)
    await database.prisma.outgoingTenant.create({
      data: { tenantName: tenant, confirmedAt: at, confirmedBy: 'test' },
    });
  const store = createSubmissionStore(database.db);
  const origins = createOriginStore(database.db);
  const put = (reference: string, content = CONTENT, kind: 'invoice' | 'customer' = 'invoice') =>
    origins.takeIn(tenant, 'orders', {
      records: [
        { kind, reference, place: `a.csv:${reference}`, content, key: `${tenant}-${kind}-${reference}` },
      ],
      ...{ problems: [], looked: [], cursor: '{}' },
    });
  const claim = () => store.claim([{ tenant, atOnce: 10, perDay: options.perDay ?? 100 }], 'test', 60_000);
  const row = (reference: string) =>
    database.prisma.submission.findFirstOrThrow({ where: { tenantName: tenant, reference } });
  return { tenant, store, origins, put, claim, row };
}

describe('submissions', () => {
  test('move as the table says, and in no other way', async () => {
    const { tenant } = await bed();
    for (const from of SUBMISSION_STATES)
      for (const to of SUBMISSION_STATES) {
        if (from === to) continue;
        const reference = `${from}-${to}`;
        const [{ id } = { id: '' }] = await database.prisma.$queryRaw<{ id: string }[]>`
          INSERT INTO submission (id, tenant_name, origin, kind, reference, key, place, state, state_since, content, content_hash, request,
                                  guid, received_at)
          VALUES (gen_random_uuid(), ${tenant}, 'o', 'invoice', ${reference}, ${reference}, '', ${from}, now(), '{}', '', '{}', 'g', now())
          RETURNING id`;
        const moving = database.prisma
          .$executeRaw`UPDATE submission SET state = ${to} WHERE id = ${id}::uuid`;
        const isLegal = (SUBMISSION_MOVES[from] as readonly SubmissionState[]).includes(to);
        if (isLegal) expect(await moving, reference).toBe(1);
        else await expect(moving, reference).rejects.toThrow(/cannot go from/);
      }
  });

  test('are never removed, and keep what was sent', async () => {
    const { put, claim, store, row } = await bed();
    await put('A-1');
    const [claimed] = await claim();
    await store.commit(claimed!, { action: 'intent', to: 'sending', begin: REQUEST, dueInMs: 0, keep: true });
    const { id } = await row('A-1');
    await expect(database.prisma.$executeRaw`DELETE FROM submission WHERE id = ${id}::uuid`).rejects.toThrow(
      /never removed/,
    );
    await expect(
      database.prisma.$executeRaw`UPDATE submission SET content = '{}' WHERE id = ${id}::uuid`,
    ).rejects.toThrow(/was sent as it is/);
    await expect(
      database.prisma.$executeRaw`UPDATE submission SET fence = 0 WHERE id = ${id}::uuid`,
    ).rejects.toThrow(/does not fall/);
  });

  test('are written by the latest claim only, in the state that it saw', async () => {
    const { put, claim, store, row } = await bed();
    await put('A-1');
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    await database.prisma
      .$executeRaw`UPDATE submission SET lease_until = now() - interval '1 second' WHERE key = ${first!.key}`;
    const [second] = await claim();
    expect(second!.fence).toBe(first!.fence + 1);
    expect([second!.tries, second!.deaths]).toEqual([0, 1]);
    const intent = { action: 'intent', to: 'sending', begin: REQUEST, dueInMs: 0, keep: true } as const;
    expect(await store.commit(first!, intent)).toBe(false);
    expect(await store.commit(second!, intent)).toBe(true);
    expect(await store.commit(second!, { action: 'late', dueInMs: null })).toBe(false);
    // Whether it has left is known when it is over.
    expect(await row('A-1')).toMatchObject({ state: 'sending', sends: 0, deaths: 1 });
    const attempts = await database.prisma.submissionAttempt.findMany({
      where: { submission: { key: first!.key } },
    });
    expect(attempts).toMatchObject([{ number: 1, outcome: null, request: JSON.stringify(REQUEST) }]);
  });

  test('count the requests that may have left, and no others', async () => {
    const { put, claim, store, row } = await bed();
    await put('A-1');
    const [claimed] = await claim();
    const sending = { ...claimed!, state: 'sending' } as const;
    const intent = { action: 'intent', to: 'sending', begin: REQUEST, dueInMs: 0, keep: true } as const;
    const unsent = { action: 'not-sent', to: 'received', dueInMs: 0, keep: true, isUnsent: true } as const;
    for (let time = 0; time < 2; time++) {
      expect(await store.commit(claimed!, intent)).toBe(true);
      expect(await store.commit(sending, unsent)).toBe(true);
    }
    expect(await row('A-1')).toMatchObject({ state: 'received', sends: 0 });
    expect(await store.commit(claimed!, intent)).toBe(true);
    expect(await store.commit(sending, { action: 'in-doubt', to: 'unknown', dueInMs: 0 })).toBe(true);
    expect(await row('A-1')).toMatchObject({ state: 'unknown', sends: 1 });
  });

  test('are not begun before the plan is confirmed, while paused, or beyond what a day allows', async () => {
    const unconfirmed = await bed({ confirmed: false });
    await unconfirmed.put('A-1');
    expect(await unconfirmed.claim()).toEqual([]);
    const limited = await bed({ perDay: 2 });
    for (const reference of ['A-1', 'A-2', 'A-3']) await limited.put(reference);
    for (const claimed of (await limited.claim()).slice(0, 2))
      await limited.store.commit(claimed, { action: 'intent', to: 'sending', begin: REQUEST, dueInMs: 0 });
    await database.prisma
      .$executeRaw`UPDATE submission SET lease_until = NULL WHERE tenant_name = ${limited.tenant}`;
    const states = (await limited.claim()).map(({ state }) => state);
    expect(states).toEqual(['sending', 'sending']);
    const paused = await bed();
    await paused.put('A-1');
    await database.prisma.outgoingTenant.updateMany({
      where: { tenantName: paused.tenant },
      data: { pausedAt: new Date() },
    });
    expect(await paused.claim()).toEqual([]);
  });
});

describe('what an origin hands over', () => {
  test('is one submission, however often it comes, with the audit of its coming', async () => {
    const { put, row, tenant } = await bed();
    expect(await put('A-1')).toEqual({ added: 1, changed: 0, late: 0, taken: 0 });
    expect(await put('A-1')).toEqual({ added: 0, changed: 0, late: 0, taken: 0 });
    expect(await row('A-1')).toMatchObject({
      state: 'received',
      counterparty: 'Prufa ehf.',
      currency: 'ISK',
    });
    expect((await row('A-1')).amount?.toFixed(2)).toBe('1240.00');
    expect(
      await database.prisma.auditEntry.count({ where: { chain: tenant, action: 'submission.received' } }),
    ).toBe(1);
  });

  test('is taken as it is now while nothing was sent, and whoever works on the old content cannot go on', async () => {
    const { put, claim, store, row } = await bed();
    await put('A-1');
    const [claimed] = await claim();
    expect(await put('A-1', CONTENT.replace('1000', '2000'))).toEqual({
      added: 0,
      changed: 1,
      late: 0,
      taken: 0,
    });
    expect(
      await store.commit(claimed!, { action: 'intent', to: 'sending', begin: REQUEST, dueInMs: 0 }),
    ).toBe(false);
    expect((await row('A-1')).amount?.toFixed(2)).toBe('2480.00');
  });

  test('is not sent again when it changes after it was sent: a person hears of it', async () => {
    const { put, claim, store, row, tenant } = await bed();
    await put('A-1');
    const [claimed] = await claim();
    await store.commit(claimed!, { action: 'intent', to: 'sending', begin: REQUEST, dueInMs: 0 });
    expect(await put('A-1', CONTENT.replace('1000', '2000'))).toEqual({
      added: 0,
      changed: 0,
      late: 1,
      taken: 0,
    });
    expect((await row('A-1')).amount?.toFixed(2)).toBe('1240.00');
    const incident = await database.prisma.incident.findFirst({ where: { tenantName: tenant } });
    expect(incident).toMatchObject({ code: 'SUBMISSION_CHANGED', severity: 'warning' });
  });

  test('that is booked at its origin after the bridge has booked it is told to a person', async () => {
    const { origins, tenant, row } = await bed();
    const put = (booked: 'bridge' | 'origin') =>
      origins.takeIn(tenant, 'erp', {
        records: [
          { kind: 'invoice', reference: 'A-1', place: '', content: CONTENT, key: `${tenant}-A-1`, booked },
        ],
        ...{ problems: [], looked: [], cursor: '{}' },
      });
    await put('bridge');
    const document = storedDocument(tenant);
    await database.prisma.document.create({ data: document });
    await database.prisma.submission.update({
      where: { id: (await row('A-1')).id },
      data: { guid: document.guid.toUpperCase() },
    });
    const open = () =>
      database.prisma.incident.findMany({
        where: { tenantName: tenant },
        select: { code: true, severity: true },
      });
    const id = randomUUID();
    const at = new Date();
    await database.prisma.posting.create({
      data: {
        ...{ id, documentId: document.id, tenantName: tenant, kind: 'invoice', key: id },
        ...{ state: 'discovered', stateSince: at, discoveredAt: at },
      },
    });
    await put('origin');
    expect(await open(), 'nothing of it was sent to the ERP').toEqual([]);
    await put('bridge');
    await database.prisma.posting.update({ where: { id }, data: { erpReference: '{"id":"17"}' } });
    await put('origin');
    expect(await open()).toEqual([{ code: 'BOOKED_AT_BOTH', severity: 'critical' }]);
  });

  // Its record says so, or nothing; then the tenant file does.
  test.each([
    ['that its origin has booked', 'origin', {}, 1],
    ['that its origin has booked by the tenant file', undefined, { isInOriginsBooks: true }, 1],
    [
      'that is the bridge’s, whatever the tenant file says of others,',
      'bridge',
      { isInOriginsBooks: true },
      0,
    ],
    ['that is the bridge’s by the tenant file', undefined, {}, 0],
  ] as const)(
    '%s, and that is found after the bridge has booked it too: %#',
    async (_whose, booked, more, count) => {
      const { origins, claim, store, tenant } = await bed();
      const record = { kind: 'invoice', reference: 'A-1', place: '', content: CONTENT } as const;
      const said = booked === undefined ? {} : { booked };
      const records = [{ ...record, key: `${tenant}-A-1`, ...said }];
      await origins.takeIn(tenant, 'erp', { records, problems: [], looked: [], cursor: '{}' });
      const document = storedDocument(tenant);
      await database.prisma.document.create({ data: document });
      const id = randomUUID();
      const at = new Date();
      await database.prisma.posting.create({
        data: {
          ...{ id, documentId: document.id, tenantName: tenant, kind: 'invoice', key: id },
          ...{ state: 'discovered', stateSince: at, discoveredAt: at, erpReference: '{"id":"17"}' },
        },
      });
      const [claimed] = await claim();
      const created = { guid: document.guid.toUpperCase() as Guid, number: '1042', paymentLink: null };
      const change = { action: 'created', to: 'created', created, dueInMs: 0, ...more } as const;
      expect(await store.commit(claimed!, change)).toBe(true);
      const told = await database.prisma.incident.findMany({ where: { tenantName: tenant } });
      const both = { code: 'BOOKED_AT_BOTH', severity: 'critical' };
      expect(told).toMatchObject(count === 0 ? [] : [both]);
    },
  );

  test('of an origin that cannot be looked at wait, and a person hears of it until it answers', async () => {
    const { tenant } = await bed();
    const watch = createOriginWatch(database.db);
    await watch.silent(tenant, 'orders', { message: 'The folder is not there.' });
    await watch.silent(tenant, 'orders', { message: 'The folder is not there.' });
    const all = () => database.prisma.incident.findMany({ where: { tenantName: tenant } });
    expect(await all()).toMatchObject([{ code: 'ORIGIN_SILENT', state: 'open' }]);
    await watch.answers(tenant, 'another');
    expect(await all()).toMatchObject([{ state: 'open' }]);
    await watch.answers(tenant, 'orders');
    expect(await all()).toMatchObject([{ state: 'resolved' }]);
  });

  test('that cannot be read is on record with its place until it is mended', async () => {
    const { origins, tenant } = await bed();
    const take = (problems: { place: string; problem: string }[]) =>
      origins.takeIn(tenant, 'orders', { records: [], problems, looked: ['a.csv'], cursor: '{}' });
    await take([{ place: 'a.csv:3', problem: 'qty is not a number' }]);
    expect(await database.prisma.originProblem.findMany({ where: { tenantName: tenant } })).toHaveLength(1);
    const open = () =>
      database.prisma.incident.count({
        where: { tenantName: tenant, code: 'ORIGIN_PROBLEMS', state: 'open' },
      });
    expect(await open()).toBe(1);
    await take([]);
    expect(await database.prisma.originProblem.findMany({ where: { tenantName: tenant } })).toEqual([]);
    expect(await open()).toBe(0);
  });

  test('a customer that changes is received again, whatever became of it before', async () => {
    const { put, claim, store, row } = await bed();
    const customer = (city: string) => JSON.stringify({ kennitala: '5402696029', name: 'Prufa', city });
    await put('5402696029', customer('Akureyri'), 'customer');
    const [claimed] = await claim();
    await store.commit(claimed!, {
      ...{ action: 'found', to: 'created', dueInMs: null },
      created: { guid: 'g-1', number: null, paymentLink: null },
    });
    await put('5402696029', customer('Reykjavík'), 'customer');
    expect(await row('5402696029')).toMatchObject({ state: 'received', guid: 'g-1' });
  });
});
