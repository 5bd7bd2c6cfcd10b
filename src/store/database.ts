// The door to the records: a Prisma client on DATABASE_URL, or on the embedded PostgreSQL when there is none.
// Promises: the server is PostgreSQL 14 or newer, speaks UTF-8, and has been asked; what is wrong is said in words.
// It does not migrate: `migrate` does, and the composition root calls it first.
import pg from 'pg';
import { CodedError } from '../domain/errors/coded-error.js';
import { Secret } from '../domain/secret.js';
import { connect, CONNECT_MS_MAX, IDLE_IN_TRANSACTION_MS_MAX, whereabouts } from './connection.js';
import { withDirectSql } from './direct-sql.js';
import { joinOrStart, type EmbeddedPostgres } from './embedded-postgres.js';
import type { DatabaseRole } from './embedded/presence.js';
import type { PrismaClient } from './generated/client.js';
import { openLightly } from './light-client.js';
import { openStatements, type Statements, takesNames } from './statements.js';

export interface DatabaseOptions {
  /** DATABASE_URL; without one the embedded server is used. */
  readonly databaseUrl?: string | Secret | null | undefined;
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
  readonly embedded: boolean;
  /** Host, port and database name, to show to people. */
  readonly whereabouts: string;
  readonly serverVersion: string;
  close(): Promise<void>;
}

const POOL_SIZE = 10;
const OLDEST_VERSION = 140_000;
// Prisma's own 2 s for a connection are too few on a busy machine. Both together stay well below a lease.
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: 10_000 };

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const named = options.databaseUrl ?? null;
  const embedded = named === null ? await joinOrStart(options) : null;
  try {
    const url = embedded?.url ?? asSecret(named ?? '');
    const serverVersion = embedded?.serverVersion ?? (await checkServer(url));
    const whole = () => openPrisma(url, options.poolSize ?? POOL_SIZE);
    const prisma = options.isForReading ? openLightly(url, whole) : await whole();
    return opened(url, serverVersion, embedded, prisma);
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

function opened(
  url: Secret,
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
    embedded: embedded !== null,
    whereabouts: whereabouts(url),
    serverVersion,
    close: () => (closing ??= closeBoth()),
  };
}

async function openPrisma(url: Secret, poolSize: number): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('./generated/client.js'),
  ]);
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    // A process that sleeps in the middle of a transaction holds locks that everybody needs, the audit's first of all.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
    application_name: `ledgerbridge pid=${process.pid}`,
  });
  // A lost connection is an error of the statement under way, not of the process.
  pool.on('error', () => undefined);
  const nameOf = takesNames(url) ? statementNames() : null;
  const adapter = new PrismaPg(pool, nameOf ? { statementNameGenerator: ({ sql }) => nameOf(sql) } : {});
  const client = new PrismaClient({ adapter, transactionOptions: TRANSACTION_LIMITS });
  return withDirectSql(client, pool, nameOf ?? (() => undefined));
}

/** Shapes of statements that are named; what comes in ever new ones (lists of any length) is planned each time instead. */
const NAMES_MAX = 300;

function statementNames(): (text: string) => string {
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
