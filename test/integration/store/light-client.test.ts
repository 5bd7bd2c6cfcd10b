// SQL that goes straight to PostgreSQL answers as Prisma does; Prisma is loaded only for what is not plain SQL.
import { afterAll, describe, expect, it, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Condition } from '../../../src/domain/condition.js';
import type { ListedDocument } from '../../../src/service/invoicing-source.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import { openDatabase } from '../../../src/store/database.js';
import { createFollowedIncidents } from '../../../src/store/followed-incidents.js';
import { Prisma } from '../../../src/store/generated/client.js';
import { createIntakeStore } from '../../../src/store/intake-store.js';
import { openLightly, sqlTransaction } from '../../../src/store/light-client.js';
import { createMetricsReader } from '../../../src/store/metrics-reader.js';
import { createNotificationStore } from '../../../src/store/notification-store.js';
import { sql } from '../../../src/store/sql.js';
import { createWatchStore } from '../../../src/store/watch-store.js';
import { testDatabase } from '../../support/database.js';

const { prisma, url, close } = await testDatabase();
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

/** Within a transaction everything goes through Prisma. */
const askPrisma = () => prisma.$transaction((tx) => tx.$queryRaw(EVERY_TYPE));

describe('the client of a command', () => {
  it('makes the same rows of every type as Prisma', async () => {
    const rows = await command.prisma.$queryRaw(EVERY_TYPE);
    expect(rows).toEqual(await askPrisma());
    expect(rows).toMatchObject([{ big: 9007199254740993n, texts: ['a,b', 'c"d'], given: 'given' }]);
  });

  it('takes pieces of SQL of either kind, and lists', async () => {
    const piece = Prisma.sql`n > ${1}`;
    const rows = await command.prisma.$queryRaw`
      SELECT n FROM unnest(${[1, 2, 3]}::int[]) AS n WHERE ${piece} AND n = ANY(${[3]}::int[])`;
    expect(rows).toEqual([{ n: 3 }]);
  });

  it('refuses a type that it would read otherwise than Prisma', async () => {
    await expect(command.prisma.$queryRaw`SELECT interval '1 day' AS lasting`).rejects.toThrow(
      /must be cast/,
    );
    expect(await command.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });

  it('has models and transactions all the same', async () => {
    await command.prisma.$transaction((tx) =>
      tx.tenant.create({ data: { name: 'hraun', environment: 'test', createdAt: new Date() } }),
    );
    expect(await command.prisma.tenant.findMany({ select: { name: true } })).toContainEqual({
      name: 'hraun',
    });
  });
});

describe('the client of a bridge', () => {
  it('makes the same rows of every type as Prisma', async () => {
    expect(await prisma.$queryRaw(EVERY_TYPE)).toEqual(await askPrisma());
  });

  it('has amounts with every digit, as Prisma has them', async () => {
    const amount = sql`SELECT 12345678901234567.890000::numeric AS amount`;
    const [direct] = await prisma.$queryRaw<[{ amount: Prisma.Decimal }]>(amount);
    const [through] = await prisma.$transaction((tx) => tx.$queryRaw<[{ amount: Prisma.Decimal }]>(amount));
    expect(direct.amount.toFixed()).toBe('12345678901234567.89');
    expect(direct.amount.toFixed()).toBe(through.amount.toFixed());
  });

  it('asks nothing before somebody waits, and takes its place in a list of a transaction', async () => {
    const never = prisma.$executeRaw`INSERT INTO tenant (name, environment, created_at) VALUES ('ei', 'test', now())`;
    const [set, shown] = await prisma.$transaction([
      prisma.$executeRaw`SET LOCAL work_mem = '5MB'`,
      prisma.$queryRaw`SELECT current_setting('work_mem') AS mem`,
    ]);
    expect([set, shown]).toEqual([0, [{ mem: '5MB' }]]);
    expect(await prisma.tenant.count({ where: { name: 'ei' } })).toBe(0);
    expect([await never, await never]).toEqual([1, 1]);
    expect(await prisma.tenant.count({ where: { name: 'ei' } })).toBe(1);
  });

  it('says how many rows a statement touched', async () => {
    const touched = await prisma.$executeRaw`
      INSERT INTO tenant (name, environment, created_at) VALUES ('vik', 'test', ${new Date()}), ('nes', 'test', ${new Date()})`;
    expect(touched).toBe(2);
    expect(await prisma.$executeRaw`UPDATE tenant SET weight = 2 WHERE name = ${'nowhere'}`).toBe(0);
  });

  it('names what the server refused', async () => {
    await expect(prisma.$queryRaw`SELECT 1 / ${0}::int`).rejects.toMatchObject({
      name: 'DatabaseFailure',
      code: '22012',
    });
  });

  it('reads a moment that it wrote, whatever the zone of the process', async () => {
    const at = new Date('2026-03-29T01:30:00.250Z');
    expect(await prisma.$queryRaw`SELECT ${at}::timestamptz AS at`).toEqual([{ at }]);
  });
});

describe('a transaction of SQL alone', () => {
  const tenants = (name: string) => prisma.tenant.count({ where: { name } });
  const add = (name: string) =>
    sql`INSERT INTO tenant (name, environment, created_at) VALUES (${name}, 'test', now())`;

  it('happens as a whole or not at all', async () => {
    await sqlTransaction(prisma, async (tx) => void (await tx.$executeRaw(add('eining'))));
    expect(await tenants('eining')).toBe(1);
    const broken = sqlTransaction(prisma, async (tx) => {
      await tx.$executeRaw(add('halft'));
      throw new Error('half-way');
    });
    await expect(broken).rejects.toThrow('half-way');
    expect(await tenants('halft')).toBe(0);
  });

  it('does not count as done where somebody caught what failed in it', async () => {
    const undone = sqlTransaction(prisma, async (tx) => {
      await tx.$executeRaw(add('tyndur'));
      await tx.$executeRaw`SELECT 1 / 0`.catch(() => undefined);
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await tenants('tyndur')).toBe(0);
  });

  it('fails where its connection is cut between two statements, and nothing else does', async () => {
    const cut = sqlTransaction(prisma, async (tx) => {
      const [own] = await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
      await prisma.$queryRaw`SELECT pg_terminate_backend(${own.pid}::int) AS cut`;
      await sleep(50);
      await tx.$executeRaw(add('slitinn'));
    });
    await expect(cut).rejects.toThrow();
    expect(await tenants('slitinn')).toBe(0);
  });

  it('gives its connection back whatever becomes of it', async () => {
    for (let time = 0; time < 30; time++)
      await sqlTransaction(prisma, () => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(await prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });
});

test('what a bridge does by itself loads no Prisma', async () => {
  const pool = new pg.Pool({ connectionString: url.reveal(), max: 2 });
  const light = openLightly(
    pool,
    () => undefined,
    () => Promise.reject(new Error('Prisma was loaded')),
  );
  try {
    await light.$connect();
    const users = createUserStore(light);
    expect(await users.anyUser()).toBe(false);
    await users.keepSetupCode('hash', new Date(Date.now() + 60_000), new Date());
    await prisma.$executeRaw(
      sql`INSERT INTO tenant (name, environment, created_at) VALUES ('hofn', 'test', now())`,
    );
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
    await expect(light.tenant.count()).rejects.toThrow('Prisma was loaded');
  } finally {
    await pool.end();
  }
});
