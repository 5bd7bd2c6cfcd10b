// The client of a command that only asks. What is asked in SQL goes straight to PostgreSQL; Prisma, a WebAssembly program of some megabytes, is loaded by
// the first model or transaction. Promises: rows are what Prisma would make of them, and a type of which that is not known is refused.
import pg from 'pg';
import { Sql } from 'sql-template-tag';
import type { Secret } from '../domain/secret.js';
import { CONNECT_MS_MAX } from './connection.js';
import type { PrismaClient } from './generated/client.js';

export function openLightly(url: Secret, openWhole: () => Promise<PrismaClient>): PrismaClient {
  const pool = openPool(url);
  let whole: Promise<PrismaClient> | null = null;
  const prisma = async () => (whole ??= openWhole());
  const own: Readonly<Record<string, unknown>> = {
    $queryRaw: (query: TemplateStringsArray | Sql, ...values: unknown[]) => queryRows(pool, query, values),
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
    types: { getTypeParser },
  });
  // A lost connection is an error of the statement under way, not of the process.
  pool.on('error', () => undefined);
  return pool;
}

async function queryRows(
  pool: pg.Pool,
  query: TemplateStringsArray | Sql,
  values: readonly unknown[],
): Promise<unknown[]> {
  const { text, values: given } = 'text' in query ? query : new Sql(query, values.map(asPiece));
  const { rows, fields } = await pool.query<Record<string, unknown>>({ text, values: [...given] });
  refuseUnknown(fields);
  return rows;
}

/** Prisma's pieces of SQL are of a class of its own. */
function asPiece(value: unknown): unknown {
  const isPiece = typeof value === 'object' && value !== null && 'strings' in value && 'values' in value;
  return isPiece ? new Sql(value.strings as string[], value.values as unknown[]) : value;
}

type Parse = (text: string) => unknown;
const asText: Parse = (text) => text;
const asTexts = pg.types.getTypeParser(1009 as never) as Parse;
const asJson: Parse = (text) => JSON.parse(text) as unknown;

/** By the number that PostgreSQL gives to a type. */
const PARSERS: ReadonlyMap<number, Parse> = new Map([
  [16, (text) => text === 't'],
  [19, asText],
  [20, (text) => BigInt(text)],
  [21, Number],
  [23, Number],
  [25, asText],
  [114, asJson],
  [701, Number],
  [1009, asTexts],
  [1043, asText],
  [1184, (text) => new Date(text)],
  [2950, asText],
  [3802, asJson],
]);

/** Never throws: it is called in the middle of the protocol. What it does not know is refused when the answer is there. */
function getTypeParser(type: number): Parse {
  return PARSERS.get(type) ?? asText;
}

function refuseUnknown(fields: readonly pg.FieldDef[]): void {
  const unknown = fields.find(({ dataTypeID }) => !PARSERS.has(dataTypeID));
  if (!unknown) return;
  throw new RangeError(
    `${unknown.name} has PostgreSQL's type ${String(unknown.dataTypeID)} and must be cast to one that a command reads`,
  );
}
