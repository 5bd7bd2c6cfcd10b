// Opens the database: DATABASE_URL, or the embedded PostgreSQL when there is none. Hand-written SQL goes through `db` and `indexed`,
// models through `models` (Prisma). The server is PostgreSQL 14 or newer and its encoding is UTF-8: both are checked here.
// This file does not migrate: the composition root calls `migrate` first.
import type pg from 'pg';
import { CodedError, isCoded } from '../domain/errors/coded-error.js';
import { Secret } from '../domain/secret.js';
import { connect, whereabouts } from './connection.js';
import { type Db, openDb, type OpenedDb } from './db.js';
import { type EmbeddedPostgres, joinOrStart } from './embedded-postgres.js';
import type { DatabaseRole } from './embedded/presence.js';
import type { DatabaseUrls } from './migrate.js';
import { ROLE_FACTS, type RoleFacts } from './runtime-rights.js';
import { type LazyPrisma, lazyPrisma, type Models } from './prisma.js';
import { setTimeout as sleep } from 'node:timers/promises';

export interface DatabaseOptions {
  /** DATABASE_URL; without one the embedded server is used. */
  readonly databaseUrl?: string | Secret | null | undefined;
  /** DATABASE_OWNER_URL; the embedded server has an owner by itself. */
  readonly databaseOwnerUrl?: Secret | null | undefined;
  /** Where the embedded server lives; its files survive. */
  readonly dataDirectory: string;
  /** `bridge` refuses a second one on the same data directory; a `command` works beside it. */
  readonly role: DatabaseRole;
  /** Connections of this process at most. */
  readonly poolSize?: number;
  /** For a command that runs a few statements: one connection, nothing is prepared. */
  readonly isForReading?: boolean;
  /** False for tests: the embedded server does not wait for the disk. */
  readonly durable?: boolean;
  /** Called when the embedded server was lost and could not be started again. */
  readonly onLost?: (error: unknown) => void;
}

export interface Database {
  readonly db: Db;
  /** For the statements of every document: see INDEXED. */
  readonly indexed: Db;
  readonly models: Models;
  /** Called for every new connection of `indexed`: another server may answer there than before. */
  onConnect(listener: () => void): void;
  /** For those who bring their own connections (queues). Carries the password. */
  readonly url: Secret;
  /** Of the role that owns the tables; null: nobody named another. */
  readonly ownerUrl: Secret | null;
  readonly embedded: boolean;
  /** The embedded server is the one that comes with the bridge. */
  readonly isBundled: boolean;
  /** Host, port and database name, to show to people. */
  readonly whereabouts: string;
  readonly serverVersion: string;
  close(): Promise<void>;
}

/** What a store takes that has both hand-written SQL and models. */
export type Records = Pick<Database, 'db' | 'models'>;

const POOL_SIZE = 10;
/** A command runs one statement after the other; each connection costs both sides some milliseconds. */
const READING_POOL_SIZE = 1;
const OLDEST_VERSION = 140_000;

// Every statement on these connections finds its rows by index. A plan that was made while the tables were empty would read them whole,
// and the server would keep it; and it need not look at the values five times before it decides that one plan serves them all.
const INDEXED = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};
const INDEXED_CONNECTIONS = 4;
/** A batch that waits longer for a lock fails; its documents then go one by one, and only the locked one waits. */
const LOCK_MS_MAX = 3_000;

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return open(options, (urls) => urls.url);
}

/**
 * As the role that owns the tables: for what the role of a running bridge may not do, which is to move or remove records of the audit. Opened for
 * such a command and closed after it; throws DATABASE_RIGHTS_MISSING where only the other role is known.
 */
export async function ownerDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await open(options, ({ url, ownerUrl }) => ownerUrl ?? url);
  try {
    await requireOwner(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function requireOwner({ db, ownerUrl }: Database): Promise<void> {
  const [facts] = await db.rows<RoleFacts>({ text: ROLE_FACTS, values: [] });
  if (facts?.ownsAudit !== false) return;
  const named = ownerUrl === null ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
  throw new CodedError(
    'DATABASE_RIGHTS_MISSING',
    `The role in ${named} does not own the tables, and only their owner may do this.`,
  );
}

async function open(options: DatabaseOptions, choose: (urls: DatabaseUrls) => Secret): Promise<Database> {
  const named = options.databaseUrl ?? null;
  const embedded = named === null ? await joinOrStart(options) : null;
  try {
    const urls = embedded ?? { url: asSecret(named ?? ''), ownerUrl: options.databaseOwnerUrl ?? null };
    const url = choose(urls);
    const serverVersion = embedded?.serverVersion ?? (await checkServer(url));
    return opened({ ...urls, url }, serverVersion, embedded, options);
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

function opened(
  { url, ownerUrl }: DatabaseUrls,
  serverVersion: string,
  embedded: EmbeddedPostgres | null,
  { isForReading = false, poolSize = POOL_SIZE }: DatabaseOptions,
): Database {
  const ordinary = openDb({
    url,
    connections: isForReading ? READING_POOL_SIZE : poolSize,
    prepares: !isForReading,
  });
  const indexed = openDb({
    ...{ url, connections: INDEXED_CONNECTIONS, purpose: 'indexed' },
    ...{ settings: INDEXED, lockMsMax: LOCK_MS_MAX },
  });
  const prisma = openModels(url, ordinary, isForReading ? poolSize : null);
  const closeAll = async () => {
    try {
      await prisma.close();
      await Promise.all([ordinary.close(), indexed.close()]);
    } finally {
      await embedded?.close();
    }
  };
  let closing: Promise<void> | null = null;
  return {
    db: ordinary.db,
    indexed: indexed.db,
    models: prisma.models,
    onConnect: (listener) => void indexed.pool.on('connect', listener),
    url,
    ownerUrl,
    embedded: embedded !== null,
    isBundled: embedded?.isBundled ?? false,
    whereabouts: whereabouts(url),
    serverVersion,
    close: () => (closing ??= closeAll()),
  };
}

/** On the same pool, or on one of its own where that has too few connections. */
function openModels(url: Secret, { pool, names }: OpenedDb, ownPoolSize: number | null): LazyPrisma {
  if (ownPoolSize === null) return lazyPrisma(() => pool, names);
  const own: OpenedDb[] = [];
  const openPool = (): pg.Pool => {
    const opening = openDb({ url, connections: ownPoolSize, prepares: false });
    own.push(opening);
    return opening.pool;
  };
  const prisma = lazyPrisma(openPool, names);
  return {
    models: prisma.models,
    close: async () => {
      await prisma.close();
      await Promise.all(own.map((opened) => opened.close()));
    },
  };
}

function asSecret(url: string | Secret): Secret {
  return url instanceof Secret ? url : new Secret(url);
}

async function checkServer(url: Secret): Promise<string> {
  const client = await connect(url, 'check');
  try {
    const version = await setting(client, 'server_version');
    const number = Number(await setting(client, 'server_version_num'));
    if (number < OLDEST_VERSION) {
      throw new CodedError(
        'DATABASE_TOO_OLD',
        `The database at ${whereabouts(url)} is PostgreSQL ${version}; the bridge needs 14 or newer.`,
      );
    }
    const encoding = await setting(client, 'server_encoding');
    if (encoding !== 'UTF8') {
      throw new CodedError(
        'DATABASE_ENCODING',
        `The database at ${whereabouts(url)} is encoded in ${encoding}; the bridge needs UTF8.`,
      );
    }
    return version;
  } finally {
    await client.end();
  }
}

async function setting(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name]);
  return rows[0]?.value ?? '';
}

// A process that starts while PostgreSQL is away waits for it, for a bounded time, and says so: after a power cut everything
// starts at once, and whoever gives up first needs a person.

export interface Patience {
  readonly waitMs: number;
  /** Told at the first failure and about twice a minute from then on. */
  readonly onWaiting: (error: unknown, leftMs: number) => void;
}

const PAUSE_MS = 1_000;
const SAID_EVERY_MS = 30_000;

/** Only for one that cannot be reached: what a server refuses it refuses again. */
export async function awaitDatabase(options: DatabaseOptions, patience: Patience): Promise<Database> {
  const until = performance.now() + patience.waitMs;
  let saidAt = -Infinity;
  for (;;) {
    try {
      return await openDatabase(options);
    } catch (error) {
      const leftMs = until - performance.now();
      if (!isCoded(error, 'DATABASE_UNREACHABLE') || leftMs <= 0) throw error;
      if (performance.now() - saidAt >= SAID_EVERY_MS) {
        saidAt = performance.now();
        patience.onWaiting(error, leftMs);
      }
      await sleep(Math.min(PAUSE_MS, leftMs));
    }
  }
}
