// SQL straight to PostgreSQL: through Prisma a statement is serialised, kept for a while and read again. Promises: rows are what Prisma would make of them, and
// a type of which that is not known is refused.
import { Decimal } from 'decimal.js';
import pg from 'pg';
import { Sql } from 'sql-template-tag';
import type { Prisma } from './generated/client.js';

/** What a caller may have beside pieces of its own. */
export type Query = TemplateStringsArray | Pick<Sql, 'text' | 'values'>;

/** SQL alone. What a store does in one of these needs no Prisma, which is a WebAssembly program of some megabytes. */
export type SqlTransaction = Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw' | '$queryRawUnsafe'>;

export interface DirectSql {
  queryRows(query: Query, values: readonly unknown[]): Promise<unknown[]>;
  /** How many rows it touched. */
  execute(query: Query, values: readonly unknown[]): Promise<number>;
}

/** The name under which the server knows a text the next time; without one it is planned each time. */
export type NameOf = (text: string) => string | undefined;

type Asked = pg.QueryConfig & { readonly types: { readonly getTypeParser: typeof getTypeParser } };
/** A pool, or one connection of it. */
interface Connection {
  query(asked: Asked): Promise<pg.QueryResult<Record<string, unknown>>>;
}

export function directSql(connection: Connection, nameOf: NameOf): DirectSql {
  const run = async (query: Query, values: readonly unknown[]) => {
    const { text, values: given } = asStatement(query, values);
    const name = nameOf(text);
    try {
      return await connection.query({ name, text, values: [...given], types: { getTypeParser } });
    } catch (error) {
      throw new DatabaseFailure(error);
    }
  };
  return {
    queryRows: async (query, values) => {
      const { rows, fields } = await run(query, values);
      refuseUnknown(fields);
      return rows;
    },
    execute: async (query, values) => (await run(query, values)).rowCount ?? 0,
  };
}

/** As long as a transaction of Prisma may take; both stay well below a lease. */
export const TRANSACTION_MS_MAX = 10_000;

/** All of it happens or nothing; whatever `work` throws undoes it. */
export async function directTransaction<Done>(
  pool: pg.Pool,
  nameOf: NameOf,
  work: (tx: SqlTransaction) => Promise<Done>,
): Promise<Done> {
  const connection = await pool.connect().catch((error: unknown) => {
    throw new DatabaseFailure(error);
  });
  // One that is cut between two statements fails the next one; unheard, it would end the process.
  const unheard = () => undefined;
  connection.on('error', unheard);
  const release = (isBroken: boolean) => {
    connection.off('error', unheard);
    connection.release(isBroken);
  };
  try {
    await connection.query(`BEGIN; SET LOCAL statement_timeout = ${TRANSACTION_MS_MAX}`);
    const direct = directSql(connection, nameOf);
    const done = await work({
      $queryRaw: (query: Query, ...values: unknown[]) => direct.queryRows(query, values),
      $executeRaw: (query: Query, ...values: unknown[]) => direct.execute(query, values),
      $queryRawUnsafe: (text: string, ...values: unknown[]) => direct.queryRows({ text, values }, []),
    } as SqlTransaction);
    // After a statement that failed, whoever caught it, PostgreSQL answers a COMMIT by undoing everything.
    const { command } = await connection.query('COMMIT');
    if (command !== 'COMMIT') throw new DatabaseFailure(new Error('the transaction was undone'));
    release(false);
    return done;
  } catch (error) {
    await connection.query('ROLLBACK').then(
      () => release(false),
      // It cannot be told what state it is in.
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

/** Prisma's pieces of SQL are of a class of its own. */
/** A statement of pieces, whoever made them. */
export function asStatement(query: Query, values: readonly unknown[]): Pick<Sql, 'text' | 'values'> {
  return 'text' in query ? query : new Sql(query, values.map(asPiece));
}

function asPiece(value: unknown): unknown {
  const isPiece = typeof value === 'object' && value !== null && 'strings' in value && 'values' in value;
  return isPiece ? new Sql(value.strings as string[], value.values as unknown[]) : value;
}

type Parse = (text: string) => unknown;
const asText: Parse = (text) => text;
const asTexts = pg.types.getTypeParser(1009 as never) as Parse;
const listOf =
  (parse: Parse): Parse =>
  (text) =>
    (asTexts(text) as (string | null)[]).map((one) => (one === null ? null : parse(one)));
const asBigInt: Parse = (text) => BigInt(text);
const asDecimal: Parse = (text) => new Decimal(text);
const asMoment: Parse = (text) => new Date(text);
const asDay: Parse = (text) => new Date(`${text}T00:00:00Z`);
const asJson: Parse = (text) => JSON.parse(text) as unknown;

/** By the number that PostgreSQL gives to a type. */
const PARSERS: ReadonlyMap<number, Parse> = new Map([
  [16, (text) => text === 't'],
  [17, pg.types.getTypeParser(17 as never) as Parse],
  [19, asText],
  [20, asBigInt],
  [21, Number],
  [23, Number],
  [25, asText],
  [114, asJson],
  [700, Number],
  [701, Number],
  [1000, listOf((text) => text === 't')],
  [1005, listOf(Number)],
  [1007, listOf(Number)],
  [1009, asTexts],
  [1015, asTexts],
  [1016, listOf(asBigInt)],
  [1022, listOf(Number)],
  [1043, asText],
  [1082, asDay],
  [1184, asMoment],
  [1185, listOf(asMoment)],
  [1700, asDecimal],
  [2950, asText],
  [2951, asTexts],
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
    `${unknown.name} has PostgreSQL's type ${String(unknown.dataTypeID)} and must be cast to one that is read as Prisma reads it`,
  );
}
