// The client of the records. What is asked in SQL goes straight to PostgreSQL; Prisma, a WebAssembly program of some megabytes, is loaded by
// the first model, or transaction with one. A bridge that carries documents, and that nobody signs in to, never does.
import type pg from 'pg';
import {
  asStatement,
  directSql,
  directTransaction,
  type NameOf,
  type Query,
  type SqlTransaction,
} from './direct-sql.js';
import type { Prisma, PrismaClient } from './generated/client.js';

/** With models in it: Prisma is loaded for it. For what people do, not for what the bridge does by itself. */
export type ModelTransaction = Prisma.TransactionClient;

const SQL_TRANSACTION = Symbol('a transaction of SQL alone');
type Transact = <Done>(work: (tx: SqlTransaction) => Promise<Done>) => Promise<Done>;

/** One transaction of SQL alone. */
export function sqlTransaction<Done>(
  prisma: PrismaClient,
  work: (tx: SqlTransaction) => Promise<Done>,
): Promise<Done> {
  return (prisma as unknown as Record<typeof SQL_TRANSACTION, Transact>)[SQL_TRANSACTION](work);
}

export function openLightly(
  pool: pg.Pool,
  nameOf: NameOf,
  openWhole: () => Promise<PrismaClient>,
): PrismaClient {
  const direct = directSql(pool, nameOf);
  let whole: Promise<Whole> | null = null;
  const prisma = async () => (whole ??= openWhole() as Promise<unknown> as Promise<Whole>);
  const transact: Transact = (work) => directTransaction(pool, nameOf, work);
  const own: Readonly<Record<string | symbol, unknown>> = {
    [SQL_TRANSACTION]: transact,
    $queryRaw: (query: Query, ...values: unknown[]) =>
      new Asked(
        () => direct.queryRows(query, values),
        (client) => client.$queryRaw(asStatement(query, values)),
      ),
    $executeRaw: (query: Query, ...values: unknown[]) =>
      new Asked(
        () => direct.execute(query, values),
        (client) => client.$executeRaw(asStatement(query, values)),
      ),
    $transaction: async (given: unknown, ...more: unknown[]) => {
      const client = await prisma();
      const work = given as (tx: object) => unknown;
      return client.$transaction(
        Array.isArray(given)
          ? given.map((one) => ofPrisma(one, client))
          : (tx: Whole) => work(takingPieces(tx)),
        ...more,
      );
    },
    $connect: async () => void (await pool.query('SELECT 1')),
    $disconnect: async () => {
      await whole?.then((client) => client.$disconnect());
      await pool.end();
    },
  };
  return new Proxy({} as PrismaClient, {
    get: (_target, name) => {
      if (name in own) return own[name];
      // It is no promise, whoever awaits it.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return name.startsWith('$') ? methodOf(prisma, (client) => client, name) : modelOf(prisma, name);
    },
  });
}

/** Prisma knows its own pieces of SQL only; it takes any statement that is whole. */
function takingPieces(tx: Whole): object {
  return new Proxy(tx, {
    get: (target, name) => {
      if (name === '$queryRaw' || name === '$executeRaw')
        return (query: Query, ...values: unknown[]) => target[name](asStatement(query, values));
      return Reflect.get(target, name) as unknown;
    },
  });
}

type Method = (...given: unknown[]) => unknown;
type Methods = Readonly<Record<string, Method>>;
type Whole = Readonly<Record<'$queryRaw' | '$executeRaw' | '$transaction' | '$disconnect', Method>>;

function modelOf(prisma: () => Promise<Whole>, name: string): unknown {
  const model = (client: Whole) => (client as unknown as Record<string, Methods>)[name] ?? {};
  return new Proxy({}, { get: (_target, method: string) => methodOf(prisma, model, method) });
}

function methodOf(prisma: () => Promise<Whole>, owner: (client: Whole) => Methods, name: string): Method {
  return (...given) => {
    const call = (client: Whole) => owner(client)[name]?.(...given);
    return new Asked(async () => call(await prisma()), call);
  };
}

function ofPrisma(one: unknown, client: Whole): unknown {
  return one instanceof Asked ? one.ofPrisma(client) : one;
}

/** As a promise of Prisma: it begins when somebody waits for it, and in a list of a transaction it is Prisma's. */
class Asked<Answer> implements Promise<Answer> {
  readonly [Symbol.toStringTag] = 'PrismaPromise';
  readonly #ask: () => Promise<Answer>;
  readonly ofPrisma: (client: Whole) => unknown;
  #answer: Promise<Answer> | null = null;

  constructor(ask: () => Promise<Answer>, through: (client: Whole) => unknown) {
    this.#ask = ask;
    this.ofPrisma = through;
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

  #begun(): Promise<Answer> {
    return (this.#answer ??= this.#ask());
  }
}
