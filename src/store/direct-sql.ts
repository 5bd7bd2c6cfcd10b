// SQL straight to PostgreSQL: through Prisma a statement is serialised, kept for a while and read again. Promises: rows are what Prisma would make of them, and
// a type of which that is not known is refused.
import { Decimal } from 'decimal.js';
import pg from 'pg';
import { Sql } from 'sql-template-tag';
import type { PrismaClient } from './generated/client.js';

/** What a caller may have beside pieces of its own. */
export type Query = TemplateStringsArray | Sql;

export interface DirectSql {
  queryRows(query: Query, values: readonly unknown[]): Promise<unknown[]>;
  /** How many rows it touched. */
  execute(query: Query, values: readonly unknown[]): Promise<number>;
}

/** The name under which the server knows a text the next time; without one it is planned each time. */
export type NameOf = (text: string) => string | undefined;

export function directSql(pool: pg.Pool, nameOf: NameOf): DirectSql {
  const run = async (query: Query, values: readonly unknown[]) => {
    const { text, values: given } = 'text' in query ? query : new Sql(query, values.map(asPiece));
    const name = nameOf(text);
    try {
      return await pool.query<Record<string, unknown>>({
        ...(name ? { name } : {}),
        text,
        values: [...given],
        types: { getTypeParser },
      });
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

/** The client with its SQL going straight; models and transactions stay with Prisma, on the same connections. */
export function withDirectSql(client: PrismaClient, pool: pg.Pool, nameOf: NameOf): PrismaClient {
  const direct = directSql(pool, nameOf);
  const own: Readonly<Record<string | symbol, unknown>> = {
    $queryRaw: (query: Query, ...values: unknown[]) =>
      new Asked(
        () => direct.queryRows(query, values),
        () => client.$queryRaw(query, ...values),
      ),
    $executeRaw: (query: Query, ...values: unknown[]) =>
      new Asked(
        () => direct.execute(query, values),
        () => client.$executeRaw(query, ...values),
      ),
    $disconnect: async () => {
      await client.$disconnect();
      await pool.end();
    },
  };
  return new Proxy(client, {
    get: (target, name) => {
      if (name in own) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

interface OfPrisma {
  requestTransaction?(...given: unknown[]): unknown;
}

/** As a promise of Prisma: it begins when somebody waits for it, and in a list of a transaction it is Prisma's. */
class Asked<Answer> implements Promise<Answer> {
  readonly [Symbol.toStringTag] = 'PrismaPromise';
  readonly #ask: () => Promise<Answer>;
  readonly #throughPrisma: () => unknown;
  #answer: Promise<Answer> | null = null;

  constructor(ask: () => Promise<Answer>, throughPrisma: () => unknown) {
    this.#ask = ask;
    this.#throughPrisma = throughPrisma;
  }

  then<Kept = Answer, Other = never>(
    kept?: ((answer: Answer) => Kept | PromiseLike<Kept>) | null,
    broken?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Kept | Other> {
    return this.#begun().then(kept, broken);
  }

  catch<Other = never>(
    broken?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Answer | Other> {
    return this.#begun().catch(broken);
  }

  finally(ended?: (() => void) | null): Promise<Answer> {
    return this.#begun().finally(ended);
  }

  requestTransaction(...given: unknown[]): unknown {
    return (this.#throughPrisma() as OfPrisma).requestTransaction?.(...given);
  }

  #begun(): Promise<Answer> {
    return (this.#answer ??= this.#ask());
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
