// The door to the records: a Prisma client on DATABASE_URL, or on the embedded PostgreSQL when there is none.
// Promises: the server is PostgreSQL 14 or newer, speaks UTF-8, and has been asked; what is wrong is said in words.
// It does not migrate: `migrate` does, and the composition root calls it first.
import pg from 'pg';
import { CodedError } from '../domain/errors/coded-error.js';
import { Secret } from '../domain/secret.js';
import { connect, CONNECT_MS_MAX, IDLE_IN_TRANSACTION_MS_MAX, whereabouts } from './connection.js';
import { type NameOf, TRANSACTION_MS_MAX } from './direct-sql.js';
import { joinOrStart, type EmbeddedPostgres } from './embedded-postgres.js';
import type { DatabaseRole } from './embedded/presence.js';
import type { PrismaClient } from './generated/client.js';
import { openLightly } from './light-client.js';
import type { DatabaseUrls } from './migrate.js';
import { ROLE_FACTS, type RoleFacts } from './runtime-rights.js';
import { openStatements, type Statements, takesNames } from './statements.js';

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
  /** A question or two, in SQL: Prisma is loaded only if something else is asked. */
  readonly isForReading?: boolean;
  /** False for tests: the embedded server does not wait for the disk. */
  readonly durable?: boolean;
  /** Heard when the embedded server was lost and could not be had again. */
  readonly onLost?: (error: unknown) => void;
}

export interface Database {
  readonly prisma: PrismaClient;
  /** For what is done for every document. */
  readonly statements: Statements;
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

const POOL_SIZE = 10;
/** A command does one thing after the other; each connection costs both sides some milliseconds. */
const READING_POOL_SIZE = 1;
const OLDEST_VERSION = 140_000;
// Prisma's own 2 s for a connection are too few on a busy machine. Both together stay well below a lease.
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: TRANSACTION_MS_MAX };

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

async function requireOwner({ statements, ownerUrl }: Database): Promise<void> {
  const [facts] = await statements.run<RoleFacts>({ name: 'role-facts', text: ROLE_FACTS }, []);
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
    return opened({ ...urls, url }, serverVersion, embedded, openRecords(url, options));
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

function opened(
  { url, ownerUrl }: DatabaseUrls,
  serverVersion: string,
  embedded: EmbeddedPostgres | null,
  prisma: PrismaClient,
): Database {
  const statements = openStatements(url);
  const closeBoth = async () => {
    try {
      await Promise.all([prisma.$disconnect(), statements.close()]);
    } finally {
      await embedded?.close();
    }
  };
  let closing: Promise<void> | null = null;
  return {
    prisma,
    statements,
    url,
    ownerUrl,
    embedded: embedded !== null,
    isBundled: embedded?.isBundled ?? false,
    whereabouts: whereabouts(url),
    serverVersion,
    close: () => (closing ??= closeBoth()),
  };
}

function openRecords(
  url: Secret,
  { isForReading = false, poolSize = POOL_SIZE }: DatabaseOptions,
): PrismaClient {
  const nameOf = takesNames(url) && !isForReading ? statementNames() : () => undefined;
  const pool = openPool(url, isForReading ? READING_POOL_SIZE : poolSize);
  if (!isForReading) return openLightly(pool, nameOf, () => openPrisma(pool, nameOf));
  return openLightly(pool, nameOf, () =>
    openPrisma(openPool(url, poolSize), nameOf, { disposeExternalPool: true }),
  );
}

async function openPrisma(pool: pg.Pool, nameOf: NameOf, more: object = {}): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('./generated/client.js'),
  ]);
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => nameOf(sql) ?? '', ...more });
  return new PrismaClient({ adapter, transactionOptions: TRANSACTION_LIMITS });
}

function openPool(url: Secret, size: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: size,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    // A process that sleeps in the middle of a transaction holds locks that everybody needs, the audit's first of all.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
    application_name: `ledgerbridge pid=${process.pid}`,
  });
  // A lost connection is an error of the statement under way, not of the process.
  pool.on('error', () => undefined);
  return pool;
}

/** Shapes of statements that are named; what comes in ever new ones (lists of any length) is planned each time instead. */
const NAMES_MAX = 300;

function statementNames(): NameOf {
  const names = new Map<string, string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= NAMES_MAX) return '';
    const name = `prisma-${names.size + 1}`;
    names.set(sql, name);
    return name;
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
