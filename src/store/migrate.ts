// Brings a database to the schema of this bridge: at every start, under an advisory lock, each migration in a
// transaction of its own, recorded in Prisma's table in Prisma's format (so `prisma migrate deploy` agrees with us).
// Promises: several processes may start at once; a failed migration leaves nothing behind; a migration that was changed
// after it was applied is refused. During an upgrade two versions run at once: an older bridge goes on working on a newer
// schema, as migrations only add, unless one of them says `-- ledgerbridge: breaking`.
import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Secret } from '../domain/secret.js';
import { connect } from './connection.js';
import { grantRights, roleOf, sayRightsMissing } from './runtime-rights.js';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied by a newer bridge; this one can live with them. */
  readonly newer: readonly string[];
}

export interface MigrateOptions {
  readonly directory?: string;
}

interface AppliedRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
  readonly logs: string | null;
}

/** The number that Prisma's migrate takes: its tools and ours wait for each other. */
const MIGRATE_LOCK = 72_707_369;
const LOCK_MS_MAX = 300_000;

/** The database, by the role of the running bridge and by the one that owns the tables (null: the same). */
export interface DatabaseUrls {
  readonly url: Secret;
  readonly ownerUrl: Secret | null;
}

/** Applies what is missing as the owner, and gives the other role its rights; returns the names it applied. */
export async function migrateAsOwner({ url, ownerUrl }: DatabaseUrls): Promise<string[]> {
  if (ownerUrl === null) return migrate(url);
  return asMigrator(ownerUrl, async (client) => {
    const applied = await applyMissing(client, readMigrations());
    await grantLocked(client, roleOf(url));
    return applied;
  });
}

/** Applies what is missing; returns the names it applied. */
export async function migrate(url: Secret, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = readMigrations(options.directory ?? MIGRATIONS_DIRECTORY);
  return asMigrator(url, (client) => applyMissing(client, migrations));
}

/** As the owner; two grants at once would get into each other's way. */
export async function grantLocked(
  client: pg.Client,
  role: string,
  schema: string | null = null,
): Promise<void> {
  if (role === client.user) return;
  await lock(client);
  await grantRights(client, role, schema);
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  // A role that may make no table finds that it need not.
  if ((await readStatus(client, migrations)).pending.length === 0) return [];
  await lock(client);
  await client.query(CREATE_TABLE);
  const { pending } = compare(migrations, await appliedRows(client));
  for (const name of pending) {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (migration !== undefined) await apply(client, migration);
  }
  return [...pending];
}

/** It goes with the session. */
async function lock(client: pg.Client): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_MS_MAX}`);
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK]);
  await client.query('RESET lock_timeout');
}

/** Looks only; throws what `migrate` would refuse. */
export async function migrationStatus(url: Secret, options: MigrateOptions = {}): Promise<MigrationStatus> {
  return asMigrator(url, (client) =>
    readStatus(client, readMigrations(options.directory ?? MIGRATIONS_DIRECTORY)),
  );
}

async function readStatus(client: pg.Client, migrations: readonly Migration[]): Promise<MigrationStatus> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there`,
  );
  return compare(migrations, rows[0]?.there === true ? await appliedRows(client) : []);
}

async function asMigrator<Result>(
  url: Secret,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(url, 'migrate');
  try {
    return await work(client);
  } catch (error) {
    throw sayRightsMissing(error);
  } finally {
    await client.end();
  }
}

async function appliedRows(client: pg.Client): Promise<AppliedRow[]> {
  const { rows } = await client.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at, logs FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows;
}

function compare(migrations: readonly Migration[], applied: readonly AppliedRow[]): MigrationStatus {
  const ours = new Map(migrations.map((migration) => [migration.name, migration]));
  const newest = migrations.at(-1)?.name ?? '';
  const newer: string[] = [];
  for (const row of applied) {
    const known = ours.get(row.migration_name);
    if (row.finished_at === null) throw unfinished(row);
    if (known === undefined) {
      refuseUnlessNewerAndAdditive(row, newest);
      newer.push(row.migration_name);
    } else if (known.checksum !== row.checksum) throw changed(row);
  }
  const done = new Set(applied.map((row) => row.migration_name));
  const names = migrations.map((migration) => migration.name);
  return {
    applied: names.filter((name) => done.has(name)),
    pending: names.filter((name) => !done.has(name)),
    newer,
  };
}

function refuseUnlessNewerAndAdditive(row: AppliedRow, newest: string): void {
  if (row.migration_name <= newest) {
    throw new CodedError(
      'DATABASE_SCHEMA_FOREIGN',
      `The database has the migration ${row.migration_name}, which no version up to this one brought.`,
    );
  }
  if (row.logs === BREAKING_MARK) {
    throw new CodedError(
      'DATABASE_SCHEMA_NEWER',
      `A newer bridge applied ${row.migration_name}, with which this version cannot work.`,
    );
  }
}

function unfinished(row: AppliedRow): CodedError {
  return new CodedError(
    'DATABASE_SCHEMA_UNFINISHED',
    `The migration ${row.migration_name} was begun by another tool and did not finish.`,
  );
}

function changed(row: AppliedRow): CodedError {
  return new CodedError(
    'DATABASE_SCHEMA_CHANGED',
    `The migration ${row.migration_name} is not the one that was applied to this database: its file was changed since.`,
  );
}

/** In the free-text column that Prisma leaves empty: an older bridge has no file to read it from. */
const BREAKING_MARK = 'breaking';

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const startedAt = new Date();
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, logs, started_at, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, $4, $5, 1)`,
      [
        randomUUID(),
        migration.checksum,
        migration.name,
        migration.breaking ? BREAKING_MARK : null,
        startedAt,
      ],
    );
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new CodedError(
      'DATABASE_MIGRATION_FAILED',
      `The migration ${migration.name} failed and left no trace: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                      VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum                VARCHAR(64) NOT NULL,
  finished_at             TIMESTAMPTZ,
  migration_name          VARCHAR(255) NOT NULL,
  logs                    TEXT,
  rolled_back_at          TIMESTAMPTZ,
  started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;

// The migrations that this version of the bridge brings along, oldest first.

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, as Prisma's own tools compute it. */
  readonly checksum: string;
  /** An older bridge must not run beside it. A migration says so in its first lines; all others only add. */
  readonly breaking: boolean;
}

export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

const BREAKING = /^-- ledgerbridge: breaking\b/m;

export function readMigrations(directory = MIGRATIONS_DIRECTORY): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name, sql, checksum, breaking: BREAKING.test(sql) };
    });
}
