// Hand-written SQL. A `Db` sends statements to PostgreSQL over a pg pool and reads each column by its PostgreSQL type. Models go through
// Prisma (prisma.ts). A column of a type that is not listed in PARSERS is refused: a row never holds a value that its row type does not name.
import { Decimal } from 'decimal.js';
import pg from 'pg';
import { Sql } from 'sql-template-tag';
import type { Secret } from '../domain/secret.js';
import { CONNECT_MS_MAX, IDLE_IN_TRANSACTION_MS_MAX } from './connection.js';

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';

export interface Statement {
  /** Under this name the server keeps the plan, once per connection. Without a name `Db` gives it one. */
  readonly name?: string;
  readonly text: string;
}

export interface BoundStatement extends Statement {
  readonly values: readonly unknown[];
}

/** Used as a template tag, or called with a whole statement. */
export type Query = TemplateStringsArray | BoundStatement;

/** Statements on one connection, inside a transaction. */
export interface Tx {
  rows<Row>(query: Query, ...values: unknown[]): Promise<Row[]>;
  /** How many rows the statement wrote. */
  run(query: Query, ...values: unknown[]): Promise<number>;
}

/** Statements on any connection of a pool. */
export interface Db extends Tx {
  /** Commits when `work` resolves and rolls back when it throws. */
  tx<Done>(work: (tx: Tx) => Promise<Done>): Promise<Done>;
}

export interface OpenedDb {
  readonly db: Db;
  /** Knows the password: it is not for callers of `db`. */
  readonly pool: pg.Pool;
  readonly names: StatementNames;
  close(): Promise<void>;
}

export interface DbOptions {
  readonly url: Secret;
  readonly connections: number;
  /** Shown in pg_stat_activity. */
  readonly purpose?: string;
  /** False where a statement is sent once: preparing it would cost more than it saves. */
  readonly prepares?: boolean;
  /** `SET` for every connection. A pooler in transaction mode would not keep them, so they are left out behind one. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly lockMsMax?: number;
}

/** Of a transaction, here and in Prisma. Well below a lease. */
export const TRANSACTION_MS_MAX = 10_000;

export function openDb(options: DbOptions): OpenedDb {
  const { url, connections, purpose, prepares = true, settings, lockMsMax } = options;
  const keepsNames = knowsNames(url);
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: connections,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    // A process that stops in the middle of a transaction holds locks that every other process needs, the audit's first of all.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
    application_name: ['ledgerbridge', purpose, `pid=${process.pid}`].filter(Boolean).join(' '),
    ...(lockMsMax === undefined ? {} : { lock_timeout: lockMsMax }),
    ...(keepsNames && settings ? { options: settingsText(settings) } : {}),
  });
  // A lost connection is an error of the statement under way, not of the process.
  pool.on('error', () => undefined);
  const names = keepsNames && prepares ? new StatementNames() : NO_NAMES;
  return {
    db: { ...statementsOn(pool, names), tx: (work) => transaction(pool, names, work) },
    pool,
    names,
    close: () => pool.end(),
  };
}

/** PgBouncer in transaction mode knows statements by name from 1.21 on (max_prepared_statements); `?pgbouncer=true` says that it does not. */
function knowsNames(url: Secret): boolean {
  return new URL(url.reveal()).searchParams.get('pgbouncer') !== 'true';
}

function settingsText(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

interface Connection {
  query(config: pg.QueryConfig): Promise<pg.QueryResult<Record<string, unknown>>>;
}

function statementsOn(connection: Connection, names: StatementNames): Tx {
  const send = async (query: Query, values: readonly unknown[]) => {
    const statement = toStatement(query, values);
    const config = { name: names.of(statement), text: statement.text, values: [...statement.values] };
    try {
      return await connection.query({ ...config, types: { getTypeParser } } as pg.QueryConfig);
    } catch (error) {
      throw new DatabaseFailure(error);
    }
  };
  return {
    rows: async <Row>(query: Query, ...values: unknown[]) => {
      const { rows, fields } = await send(query, values);
      refuseUnknownTypes(fields);
      return rows as Row[];
    },
    run: async (query, ...values) => (await send(query, values)).rowCount ?? 0,
  };
}

async function transaction<Done>(
  pool: pg.Pool,
  names: StatementNames,
  work: (tx: Tx) => Promise<Done>,
): Promise<Done> {
  const connection = await pool.connect().catch((error: unknown) => {
    throw new DatabaseFailure(error);
  });
  // A connection that is cut between two statements fails the next statement; an unhandled event would end the process.
  const ignore = () => undefined;
  connection.on('error', ignore);
  const release = (isBroken: boolean) => {
    connection.off('error', ignore);
    connection.release(isBroken);
  };
  try {
    await connection.query(`BEGIN; SET LOCAL statement_timeout = ${TRANSACTION_MS_MAX}`);
    const done = await work(statementsOn(connection, names));
    // After a statement that failed, even if `work` caught the error, PostgreSQL answers COMMIT with ROLLBACK.
    const { command } = await connection.query('COMMIT');
    if (command !== 'COMMIT') throw new DatabaseFailure(new Error('the transaction was undone'));
    release(false);
    return done;
  } catch (error) {
    await connection.query('ROLLBACK').then(
      () => release(false),
      // Its state is unknown: the pool drops it.
      () => release(true),
    );
    throw error;
  }
}

/** The server refused a statement, or could not be reached. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';
  /** PostgreSQL's own (`23505`), or the socket's. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = (cause as { code?: string } | null)?.code;
  }
}

/** PostgreSQL itself reported the error. When a connection is lost, or the server ends it, the statement may have been committed. */
export function isUndone(error: unknown): boolean {
  const { cause } = error instanceof DatabaseFailure ? error : {};
  const { code = '' } = cause instanceof pg.DatabaseError ? cause : {};
  return code !== '' && !MAY_BE_DONE.test(code);
}

/** The connection (08), its end by the server (57P), trouble of the server itself (58, XX), and "statement completion unknown". */
const MAY_BE_DONE = /^(08|57P|58|XX|40003)/;

export function toStatement(query: Query, values: readonly unknown[]): BoundStatement {
  return 'text' in query ? query : new Sql(query, values);
}

/** Texts that get a name. Statements in ever new shapes (lists of any length) get none after these, and are planned each time. */
const NAMES_MAX = 300;

/** A name for each text, so that the server plans it once per connection. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  of({ name, text }: Statement): string | undefined {
    if (name !== undefined) return name;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= NAMES_MAX) return undefined;
    const given = `sql-${this.#names.size + 1}`;
    this.#names.set(text, given);
    return given;
  }
}

const NO_NAMES = new (class extends StatementNames {
  override of(): undefined {
    return undefined;
  }
})();

type Parse = (text: string) => unknown;
const asText: Parse = (text) => text;
const asTexts = pg.types.getTypeParser(1009 as never) as Parse;
const listOf =
  (parse: Parse): Parse =>
  (text) =>
    (asTexts(text) as (string | null)[]).map((one) => (one === null ? null : parse(one)));
const asBoolean: Parse = (text) => text === 't';
const asBigInt: Parse = (text) => BigInt(text);
const asDecimal: Parse = (text) => new Decimal(text);
const asInstant: Parse = (text) => new Date(text);
const asDay: Parse = (text) => new Date(`${text}T00:00:00Z`);
const asJson: Parse = (text) => JSON.parse(text) as unknown;

/** How a column is read, by the number of its type in pg_type, and what TypeScript calls it. The same as Prisma reads them. */
export const PARSERS: ReadonlyMap<number, readonly [typescript: string, parse: Parse]> = new Map([
  [16, ['boolean', asBoolean]],
  [17, ['Buffer', pg.types.getTypeParser(17) as Parse]],
  [19, ['string', asText]],
  [20, ['bigint', asBigInt]],
  [21, ['number', Number]],
  [23, ['number', Number]],
  [25, ['string', asText]],
  [114, ['json', asJson]],
  [700, ['number', Number]],
  [701, ['number', Number]],
  [1000, ['boolean[]', listOf(asBoolean)]],
  [1005, ['number[]', listOf(Number)]],
  [1007, ['number[]', listOf(Number)]],
  [1009, ['string[]', asTexts]],
  [1015, ['string[]', asTexts]],
  [1016, ['bigint[]', listOf(asBigInt)]],
  [1022, ['number[]', listOf(Number)]],
  [1043, ['string', asText]],
  [1082, ['Date', asDay]],
  [1184, ['Date', asInstant]],
  [1185, ['Date[]', listOf(asInstant)]],
  [1700, ['Decimal', asDecimal]],
  [2950, ['string', asText]],
  [2951, ['string[]', asTexts]],
  [3802, ['json', asJson]],
]);

/** Must not throw: pg calls it while it reads an answer. Unknown types are refused when the whole answer is there. */
function getTypeParser(type: number): Parse {
  return PARSERS.get(type)?.[1] ?? asText;
}

function refuseUnknownTypes(fields: readonly pg.FieldDef[]): void {
  const unknown = fields.find(({ dataTypeID }) => !PARSERS.has(dataTypeID));
  if (!unknown) return;
  throw new RangeError(
    `column ${unknown.name} has PostgreSQL type ${String(unknown.dataTypeID)} and must be cast to a type that Db reads`,
  );
}
