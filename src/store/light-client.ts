// The client of a command that only asks. What is asked in SQL goes straight to PostgreSQL; Prisma, a WebAssembly program of some megabytes, is loaded by
// the first model or transaction.
import pg from 'pg';
import type { Secret } from '../domain/secret.js';
import { CONNECT_MS_MAX } from './connection.js';
import { directSql, type Query } from './direct-sql.js';
import type { PrismaClient } from './generated/client.js';

export function openLightly(url: Secret, openWhole: () => Promise<PrismaClient>): PrismaClient {
  const pool = openPool(url);
  const direct = directSql(pool, () => undefined);
  let whole: Promise<PrismaClient> | null = null;
  const prisma = async () => (whole ??= openWhole());
  const own: Readonly<Record<string, unknown>> = {
    $queryRaw: (query: Query, ...values: unknown[]) => direct.queryRows(query, values),
    $disconnect: async () => {
      await Promise.all([pool.end(), whole?.then((client) => client.$disconnect())]);
    },
  };
  return new Proxy({} as PrismaClient, {
    get: (_target, name: string) => {
      // It is no promise, whoever awaits it.
      if (name === 'then') return undefined;
      return own[name] ?? (name.startsWith('$') ? later(prisma, name) : model(prisma, name));
    },
  });
}

type Whole = () => Promise<PrismaClient>;
type Method = (...given: unknown[]) => unknown;

function later(prisma: Whole, name: string): Method {
  return async (...given) => {
    const client = (await prisma()) as unknown as Record<string, Method>;
    return client[name]?.(...given);
  };
}

function model(prisma: Whole, name: string): unknown {
  return new Proxy(
    {},
    {
      get:
        (_target, method: string): Method =>
        async (...given) => {
          const client = (await prisma()) as unknown as Record<string, Record<string, Method>>;
          return client[name]?.[method]?.(...given);
        },
    },
  );
}

/** A command does one thing after the other; each connection costs both sides some milliseconds. */
const CONNECTIONS = 1;

function openPool(url: Secret): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    application_name: `ledgerbridge command pid=${process.pid}`,
  });
  // A lost connection is an error of the statement under way, not of the process.
  pool.on('error', () => undefined);
  return pool;
}
