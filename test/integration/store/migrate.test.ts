import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { migrate, migrationStatus, readMigrations } from '../../../src/store/migrate.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { runStoreProcess } from '../../support/run-store-process.js';

const directory = mkdtempSync(join(tmpdir(), 'lb-migrate-'));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.close();
});
async function empty(): Promise<TestDatabase> {
  const database = await testDatabase({ migrated: false });
  databases.push(database);
  return database;
}

let folders = 0;
function migrations(files: Record<string, string>): { directory: string } {
  const folder = join(directory, String(folders++));
  for (const [name, sql] of Object.entries(files)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migration.sql'), sql);
  }
  return { directory: folder };
}

const ONE = { '001_one': 'CREATE TABLE one (id INT);' };
const TWO = { ...ONE, '002_two': 'CREATE TABLE two (id INT);' };

describe('migrations', () => {
  it('are applied in order, once', async () => {
    const { url } = await empty();
    const both = migrations(TWO);
    expect((await migrationStatus(url, both)).pending).toEqual(['001_one', '002_two']);
    expect(await migrate(url, both)).toEqual(['001_one', '002_two']);
    expect(await migrate(url, both)).toEqual([]);
    expect(await migrationStatus(url, both)).toEqual({
      applied: ['001_one', '002_two'],
      pending: [],
      newer: [],
    });
  });

  it('are recorded as Prisma records them', async () => {
    const { url, prisma } = await empty();
    await migrate(url, migrations(ONE));
    const rows =
      await prisma.$queryRaw`SELECT migration_name, checksum, applied_steps_count, rolled_back_at, logs,
      finished_at IS NOT NULL AS finished FROM _prisma_migrations`;
    expect(rows).toEqual([
      {
        migration_name: '001_one',
        checksum: readMigrations(migrations(ONE).directory)[0]?.checksum,
        applied_steps_count: 1,
        rolled_back_at: null,
        logs: null,
        finished: true,
      },
    ]);
  });

  it('are applied once by processes that start at the same time', async () => {
    const { url, prisma } = await empty();
    const slow = migrations({ '001_slow': 'CREATE TABLE slow (id INT); SELECT pg_sleep(0.3);', ...TWO });
    const said = await Promise.all(
      Array.from({ length: 3 }, () => runStoreProcess(url, 'migrate', slow.directory)),
    );
    const applied = said.map((words) => (words as { done: string[] }).done);
    expect(applied.filter((names) => names.length > 0)).toEqual([['001_one', '001_slow', '002_two']]);
    expect(applied).toHaveLength(3);
    expect(await prisma.$queryRaw`SELECT count(*)::int AS rows FROM _prisma_migrations`).toEqual([
      { rows: 3 },
    ]);
  });

  it('leave nothing behind when they fail, and say what failed', async () => {
    const { url, prisma } = await empty();
    const bad = migrations({ ...ONE, '002_bad': 'CREATE TABLE half (id INT); CREATE TABLE one (id INT);' });
    await expect(migrate(url, bad)).rejects.toMatchObject({
      code: 'DATABASE_MIGRATION_FAILED',
      message: 'The migration 002_bad failed and left no trace: relation "one" already exists',
    });
    expect(await prisma.$queryRaw`SELECT to_regclass('half')::text AS half`).toEqual([{ half: null }]);
    expect((await migrationStatus(url, bad)).pending).toEqual(['002_bad']);
  });

  it('are refused when one was changed after it was applied', async () => {
    const { url } = await empty();
    await migrate(url, migrations(ONE));
    const edited = migrations({ '001_one': 'CREATE TABLE one (id BIGINT);' });
    await expect(migrate(url, edited)).rejects.toMatchObject({ code: 'DATABASE_SCHEMA_CHANGED' });
    await expect(migrationStatus(url, edited)).rejects.toMatchObject({ code: 'DATABASE_SCHEMA_CHANGED' });
  });

  it('of a newer bridge do not stop an older one when they only add', async () => {
    const { url } = await empty();
    await migrate(url, migrations(TWO));
    const older = migrations(ONE);
    expect(await migrate(url, older)).toEqual([]);
    expect((await migrationStatus(url, older)).newer).toEqual(['002_two']);
  });

  it('of a newer bridge stop an older one when they break with it', async () => {
    const { url } = await empty();
    await migrate(url, migrations({ ...ONE, '002_two': '-- ledgerbridge: breaking\nDROP TABLE one;' }));
    await expect(migrate(url, migrations(ONE))).rejects.toMatchObject({ code: 'DATABASE_SCHEMA_NEWER' });
  });

  it('are refused when the database has one that is neither ours nor newer', async () => {
    const { url } = await empty();
    await migrate(url, migrations({ '001_other': 'CREATE TABLE other (id INT);' }));
    await expect(migrate(url, migrations({ '002_two': 'SELECT 1;' }))).rejects.toMatchObject({
      code: 'DATABASE_SCHEMA_FOREIGN',
    });
  });

  it('are refused after another tool began one and did not finish', async () => {
    const { url, prisma } = await empty();
    const one = migrations(ONE);
    await migrate(url, one);
    await prisma.$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL`;
    await expect(migrate(url, one)).rejects.toMatchObject({ code: 'DATABASE_SCHEMA_UNFINISHED' });
  });
});

describe('the migrations of the bridge', () => {
  it('leave no table for Prisma to invent: each has a name that sorts after the one before', () => {
    const names = readMigrations().map((migration) => migration.name);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(name).toMatch(/^\d{14}_[a-z_]+$/);
  });
});
