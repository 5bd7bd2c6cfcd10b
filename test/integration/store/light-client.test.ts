// The client of a command answers as Prisma does, and loads Prisma only for what is not plain SQL.
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/database.js';
import { Prisma } from '../../../src/store/generated/client.js';
import { sql } from '../../../src/store/sql.js';
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
  'b0b0b0b0-0000-4000-8000-000000000000'::uuid AS id, '{"a":[1]}'::jsonb AS json, ARRAY['a,b', 'c"d'] AS texts, ${'given'} AS given`;

describe('the client of a command', () => {
  it('makes the same rows of every type as Prisma', async () => {
    const rows = await command.prisma.$queryRaw(EVERY_TYPE);
    expect(rows).toEqual(await prisma.$queryRaw(EVERY_TYPE));
    expect(rows).toMatchObject([{ big: 9007199254740993n, texts: ['a,b', 'c"d'], given: 'given' }]);
  });

  it('takes pieces of SQL of either kind, and lists', async () => {
    const piece = Prisma.sql`n > ${1}`;
    const rows = await command.prisma.$queryRaw`
      SELECT n FROM unnest(${[1, 2, 3]}::int[]) AS n WHERE ${piece} AND n = ANY(${[3]}::int[])`;
    expect(rows).toEqual([{ n: 3 }]);
  });

  it('refuses a type that it would read otherwise than Prisma', async () => {
    await expect(command.prisma.$queryRaw`SELECT 1.5::numeric AS amount`).rejects.toThrow(/must be cast/);
    expect(await command.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });

  it('has models and transactions all the same', async () => {
    await command.prisma.$transaction((tx) =>
      tx.tenant.create({ data: { name: 'hraun', environment: 'test', createdAt: new Date() } }),
    );
    expect(await command.prisma.tenant.findMany({ select: { name: true } })).toEqual([{ name: 'hraun' }]);
  });
});
