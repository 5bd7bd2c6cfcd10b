// Hand-written SQL and models, on one PostgreSQL: the same values either way, and Prisma is loaded for models only.
import { afterAll, describe, expect, it, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition } from '../../../src/domain/condition.js';
import type { ListedDocument } from '../../../src/service/invoicing-source.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import { openDatabase } from '../../../src/store/database.js';
import { openDb, sql } from '../../../src/store/db.js';
import { createFollowedIncidents } from '../../../src/store/incidents.js';
import type { Prisma } from '../../../src/store/generated/client.js';
import { createIntakeStore } from '../../../src/store/intake-store.js';
import { createMetricsReader } from '../../../src/store/metrics-reader.js';
import { createNotificationStore } from '../../../src/store/notification-store.js';
import { modelTx } from '../../../src/store/prisma.js';
import { createWatchStore } from '../../../src/store/watch-store.js';
import { testDatabase } from '../../support/database.js';

const { db, indexed, models, prisma, url, close } = await testDatabase();
const command = await openDatabase({
  databaseUrl: url,
  dataDirectory: '/nonexistent',
  role: 'command',
  isForReading: true,
});
afterAll(async () => {
  await command.close();
  await close();
});

const EVERY_TYPE = sql`SELECT true AS yes, 7::int AS int, 7::smallint AS small, 9007199254740993 AS big, 0.5::float8 AS float,
  'þ'::text AS text, 'v'::varchar AS varchar, '2026-01-31 23:59:59.123+00'::timestamptz AS at, NULL::timestamptz AS never,
  'b0b0b0b0-0000-4000-8000-000000000000'::uuid AS id, '{"a":[1]}'::jsonb AS json, ARRAY['a,b', 'c"d'] AS texts, ARRAY[1, 2] AS ints, ARRAY[1, NULL]::bigint[] AS bigs,
  ARRAY[true, false] AS both, '2026-02-28'::date AS day, ARRAY['2026-01-31 23:59:59+00'::timestamptz] AS moments, 0.25::float4 AS short,
  ARRAY['b0b0b0b0-0000-4000-8000-000000000000'::uuid] AS ids, ${'given'} AS given`;

const askPrisma = () => modelTx(models, (tx) => tx.rows(EVERY_TYPE));

describe.each([
  ['a bridge', db],
  ['a command', command.db],
  ['the document path', indexed],
])('the SQL of %s', (_name, asked) => {
  it('reads every type as Prisma reads it', async () => {
    const rows = await asked.rows(EVERY_TYPE);
    expect(rows).toEqual(await askPrisma());
    expect(rows).toMatchObject([{ big: 9007199254740993n, texts: ['a,b', 'c"d'], given: 'given' }]);
  });

  it('takes pieces of SQL, and lists', async () => {
    const piece = sql`n > ${1}`;
    const rows = await asked.rows`
      SELECT n FROM unnest(${[1, 2, 3]}::int[]) AS n WHERE ${piece} AND n = ANY(${[3]}::int[])`;
    expect(rows).toEqual([{ n: 3 }]);
  });

  it('refuses a type that it does not know', async () => {
    await expect(asked.rows`SELECT interval '1 day' AS lasting`).rejects.toThrow(/must be cast/);
    expect(await asked.rows`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });

  it('says how many rows a statement touched', async () => {
    await asked.run`DELETE FROM tenant WHERE name IN ('vik', 'nes')`;
    const touched = await asked.run`
      INSERT INTO tenant (name, environment, created_at) VALUES ('vik', 'test', ${new Date()}), ('nes', 'test', ${new Date()})`;
    expect(touched).toBe(2);
    expect(await asked.run`UPDATE tenant SET weight = 2 WHERE name = ${'nowhere'}`).toBe(0);
  });

  it('names what the server refused', async () => {
    await expect(asked.rows`SELECT 1 / ${0}::int`).rejects.toMatchObject({
      name: 'DatabaseFailure',
      code: '22012',
    });
  });

  it('reads a moment that it wrote, whatever the zone of the process', async () => {
    const at = new Date('2026-03-29T01:30:00.250Z');
    expect(await asked.rows`SELECT ${at}::timestamptz AS at`).toEqual([{ at }]);
  });

  it('has amounts with every digit, as Prisma has them', async () => {
    const amount = sql`SELECT 12345678901234567.890000::numeric AS amount`;
    const [direct] = await asked.rows<{ amount: Prisma.Decimal }>(amount);
    const [through] = await modelTx(models, (tx) => tx.rows<{ amount: Prisma.Decimal }>(amount));
    expect(direct?.amount.toFixed()).toBe('12345678901234567.89');
    expect(direct?.amount.toFixed()).toBe(through?.amount.toFixed());
  });
});

describe('models', () => {
  it('are there for a command, too', async () => {
    await modelTx(command.models, (tx) =>
      tx.model.tenant.create({ data: { name: 'hraun', environment: 'test', createdAt: new Date() } }),
    );
    const client = await command.models();
    expect(await client.tenant.findMany({ select: { name: true } })).toContainEqual({ name: 'hraun' });
  });

  it('and hand-written SQL are one transaction', async () => {
    const broken = modelTx(models, async (tx) => {
      await tx.model.tenant.create({ data: { name: 'saman', environment: 'test', createdAt: new Date() } });
      expect(await tx.rows`SELECT 1 AS one FROM tenant WHERE name = ${'saman'}`).toEqual([{ one: 1 }]);
      await tx.run(sql`UPDATE tenant SET weight = ${2} WHERE ${sql`name = ${'saman'}`}`);
      throw new Error('half-way');
    });
    await expect(broken).rejects.toThrow('half-way');
    expect(await prisma.tenant.count({ where: { name: 'saman' } })).toBe(0);
  });
});

describe('a transaction of SQL alone', () => {
  const tenants = (name: string) => prisma.tenant.count({ where: { name } });
  const add = (name: string) =>
    sql`INSERT INTO tenant (name, environment, created_at) VALUES (${name}, 'test', now())`;

  it('happens as a whole or not at all', async () => {
    await db.tx(async (tx) => void (await tx.run(add('eining'))));
    expect(await tenants('eining')).toBe(1);
    const broken = db.tx(async (tx) => {
      await tx.run(add('halft'));
      throw new Error('half-way');
    });
    await expect(broken).rejects.toThrow('half-way');
    expect(await tenants('halft')).toBe(0);
  });

  it('does not count as done where somebody caught what failed in it', async () => {
    const undone = db.tx(async (tx) => {
      await tx.run(add('tyndur'));
      await tx.run`SELECT 1 / 0`.catch(() => undefined);
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await tenants('tyndur')).toBe(0);
  });

  it('fails where its connection is cut between two statements, and nothing else does', async () => {
    const cut = db.tx(async (tx) => {
      const [own] = await tx.rows<{ pid: number }>`SELECT pg_backend_pid() AS pid`;
      await db.rows`SELECT pg_terminate_backend(${own?.pid}::int) AS cut`;
      await sleep(50);
      await tx.run(add('slitinn'));
    });
    await expect(cut).rejects.toThrow();
    expect(await tenants('slitinn')).toBe(0);
  });

  it('gives its connection back whatever becomes of it', async () => {
    for (let time = 0; time < 30; time++)
      await db.tx(() => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(await db.rows`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });
});

test('what a bridge does by itself loads no Prisma', async () => {
  const opened = openDb({ url, connections: 2 });
  const light = opened.db;
  const refused = () => Promise.reject(new Error('Prisma was loaded'));
  try {
    const users = createUserStore({ db: light, models: refused });
    expect(await users.anyUser()).toBe(false);
    await users.keepSetupCode('hash', new Date(Date.now() + 60_000), new Date());
    await db.run(sql`INSERT INTO tenant (name, environment, created_at) VALUES ('hofn', 'test', now())`);
    const listed: ListedDocument = {
      guid: 'g-1',
      kind: 'invoice',
      accountingStatus: 'Created',
      issueDate: '2026-03-01',
      number: '1',
      amount: '124',
      currency: 'ISK',
      counterpartyName: 'Prufa ehf.',
      counterpartyKennitala: '',
      updatedTimestamp: '',
    };
    const intake = createIntakeStore(light, 'worker');
    const record = () => intake.recordListed('hofn', [listed], () => 'KEY', 0);
    expect(await record()).toMatchObject({ discovered: 1 });
    expect(await record()).toMatchObject({ discovered: 0 });
    const paused = { by: 'Guðrún', reason: 'þ', needsYou: 0, waiting: 1 };
    const condition: Condition = {
      code: 'TENANT_PAUSED',
      tenant: 'hofn',
      subject: 'hofn',
      severity: 'warning',
      needsPerson: false,
      params: paused,
      lastAt: new Date().toISOString(),
    };
    const followed = createFollowedIncidents(light);
    await followed.follow(['TENANT_PAUSED'], [condition]);
    await followed.follow(
      ['TENANT_PAUSED'],
      [{ ...condition, params: { ...paused, waiting: 2 } } as Condition],
    );
    const notifications = createNotificationStore(light);
    const now = new Date();
    const told = await notifications.gather(now, 0, (news) =>
      news.map(({ tenant }) => ({ tenant, channel: 'c', kind: 'news', content: '{}', dueAt: now })),
    );
    expect(told.map(({ code }) => code)).toEqual(['TENANT_PAUSED']);
    expect(await notifications.due(now, 5)).toMatchObject([{ tenant: 'hofn', channel: 'c', createdAt: now }]);
    expect(await notifications.latest('digest')).toEqual(new Map());
    await followed.follow(['TENANT_PAUSED'], []);
    expect(await createWatchStore(light).requestReconciliations(7)).toBe(0);
    expect((await createMetricsReader(light).read()).states).toContainEqual({
      tenant: 'hofn',
      state: 'discovered',
      count: 1,
    });
    await expect(users.list()).rejects.toThrow('Prisma was loaded');
  } finally {
    await opened.close();
  }
});
