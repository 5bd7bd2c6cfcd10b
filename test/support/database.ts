// A fresh, migrated database for a test file in some 50 ms: one real PostgreSQL for all test runs of this machine and
// user, a template per state of the migrations, a copy per caller. Nothing is left behind by a killed run for long:
// a minder stops the server when nobody uses it, and databases of dead processes are dropped by the next run.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir, totalmem, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Secret } from '../../src/domain/secret.js';
import { openDatabase, type Database } from '../../src/store/database.js';
import type { PrismaClient } from '../../src/store/generated/client.js';
import { joinOrStart, type EmbeddedPostgres } from '../../src/store/embedded-postgres.js';
import { processIsAlive } from '../../src/store/embedded/process-alive.js';
import { migrateAsOwner, readMigrations } from '../../src/store/migrate.js';
import { childProgram } from './children.js';
import { freePort } from './redis.js';

export interface TestDatabase extends Database {
  readonly name: string;
  /** By the role that bridges work as: it owns nothing. */
  readonly runtimeUrl: Secret;
  /** The client of `models`, opened: a test may ask for rows in one expression. */
  readonly prisma: PrismaClient;
}

export interface TestDatabaseOptions {
  readonly poolSize?: number;
  /** False: an empty database, for those who test migrations. */
  readonly migrated?: boolean;
}

/** Call `close()` in afterAll: it drops the database. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = await testServer();
  const name = `test_${String(process.pid)}_${randomBytes(4).toString('hex')}`;
  await onServer(server, async (client) => {
    const template = options.migrated === false ? 'template1' : await ensureTemplate(server, client);
    // Otherwise each page goes through the log first.
    await patiently(() => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`));
  });
  const database = await openDatabase({
    databaseUrl: databaseUrl(server.ownerUrl, name),
    dataDirectory: join(tmpdir(), 'unused'),
    role: 'command',
    poolSize: options.poolSize ?? 5,
  });
  return {
    ...database,
    name,
    runtimeUrl: databaseUrl(server.url, name),
    prisma: await database.models(),
    close: async () => {
      await database.close();
      await onServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      await releaseServer();
    },
  };
}

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

/**
 * In memory where there is plenty: a database is 350 files, and a file system on a disk takes the kernel up to a third of a second of a
 * processor for them. Asked for is what stays the same while tests run, so that all processes find the same place.
 */
function quickDirectory(): string {
  try {
    const { blocks, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK);
    return blocks * bsize >= MEMORY_BYTES_MIN && totalmem() >= 2 * MEMORY_BYTES_MIN ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Where the shared server keeps its files: outside of the tree, one per user, so root's and others' do not mix. */
export const TEST_SERVER_DIRECTORY = join(
  quickDirectory(),
  `ledgerbridge-test-postgres-18-${String(userInfo().uid)}`,
);

const SETTINGS = {
  max_connections: '400',
  max_wal_size: '512MB',
  // What stays behind is small: files of the log that are done with are removed, not kept for later.
  wal_recycle: 'off',
  wal_init_zero: 'off',
  autovacuum_naptime: '10s',
} as const;

/** They count for the first who comes. */
export async function testServerSettings() {
  return { ...SETTINGS, listen_addresses: '127.0.0.1', port: String(await freePort()) };
}

let users = 0;
let joined: Promise<EmbeddedPostgres> | null = null;

async function testServer(): Promise<EmbeddedPostgres> {
  users++;
  joined ??= joinTestServer();
  return joined;
}

async function joinTestServer(): Promise<EmbeddedPostgres> {
  const server = await joinOrStart({
    dataDirectory: TEST_SERVER_DIRECTORY,
    role: 'command',
    settings: await testServerSettings(),
    isBundled: true,
    durable: false,
  });
  await ensureMinder(server);
  await dropAbandoned(server);
  return server;
}

async function releaseServer(): Promise<void> {
  users--;
  if (users > 0 || joined === null) return;
  const server = joined;
  joined = null;
  await (await server).close();
}

async function onServer<T>(server: EmbeddedPostgres, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl(server.ownerUrl, 'postgres').reveal() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** By a port, as a bridge has it that is given a DATABASE_URL. */
function databaseUrl(of: Secret, name: string): Secret {
  const url = new URL(of.reveal());
  url.hostname = '127.0.0.1';
  url.searchParams.delete('host');
  url.pathname = `/${name}`;
  return new Secret(url.href);
}

const TEMPLATE_LOCK = 0x7465;

async function ensureTemplate(server: EmbeddedPostgres, client: pg.Client): Promise<string> {
  const migrations = readMigrations().map((migration) => migration.name + migration.checksum);
  const template = `template_${createHash('sha256').update(migrations.join()).digest('hex').slice(0, 16)}`;
  const exists = async () =>
    (await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])).rowCount === 1;
  if (await exists()) return template;
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  if (!(await exists())) {
    await hashQuickly(server, client);
    await client.query('DROP DATABASE IF EXISTS template_draft WITH (FORCE)');
    await client.query('CREATE DATABASE template_draft');
    const draft = {
      url: databaseUrl(server.url, 'template_draft'),
      ownerUrl: databaseUrl(server.ownerUrl, 'template_draft'),
    };
    await migrateAsOwner(draft);
    await (await import('../../src/worker/queues.js')).makeQueueTables(draft);
    await dropOldTemplates(client);
    // Renamed when complete: a killed run leaves a draft, never a half-migrated template.
    await patiently(() => client.query(`ALTER DATABASE template_draft RENAME TO ${template}`));
  }
  await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  return template;
}

/** Tests connect thousands of times, and each time the client hashes the password as often as its verifier says: 4,096 times by default. */
async function hashQuickly(server: EmbeddedPostgres, client: pg.Client): Promise<void> {
  const { username, password } = new URL(server.ownerUrl.reveal());
  await client.query('SET scram_iterations = 1');
  await client.query(
    `ALTER ROLE ${client.escapeIdentifier(decodeURIComponent(username))}
     PASSWORD ${client.escapeLiteral(decodeURIComponent(password))}`,
  );
}

const OLD_TEMPLATES_MAX = 5;

async function dropOldTemplates(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname ~ '^template_[0-9a-f]{16}$' ORDER BY oid DESC OFFSET $1`,
    [OLD_TEMPLATES_MAX],
  );
  for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name}`);
}

async function dropAbandoned(server: EmbeddedPostgres): Promise<void> {
  await onServer(server, async (client) => {
    const { rows } = await client.query<{ name: string; pid: string }>(
      `SELECT datname AS name, split_part(datname, '_', 2) AS pid FROM pg_database WHERE datname ~ '^test_[0-9]+_'`,
    );
    for (const { name, pid } of rows) {
      if (!processIsAlive(Number(pid))) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
  });
}

/** A template cannot be copied while a session on it, even a closing one, is still there. */
async function patiently(act: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await act();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt >= 100) throw error;
      await sleep(20);
    }
  }
}

export const MINDER_NAME = 'ledgerbridge test minder';

async function ensureMinder(server: EmbeddedPostgres): Promise<void> {
  const { rowCount } = await onServer(server, (client) =>
    client.query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [MINDER_NAME]),
  );
  if (rowCount !== 0) return;
  spawn(process.execPath, [childProgram('postgres-minder')], { detached: true, stdio: 'ignore' }).unref();
}
