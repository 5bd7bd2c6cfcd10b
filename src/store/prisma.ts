// Prisma, for models. It is loaded with the first call, because it is a WebAssembly program of some 30 MB: a process that only runs
// hand-written SQL never loads it.
import type pg from 'pg';
import { type StatementNames, toStatement, TRANSACTION_MS_MAX, type Tx } from './db.js';
import type { Prisma, PrismaClient } from './generated/client.js';

/** Loads Prisma the first time; the same client every time. */
export type Models = () => Promise<PrismaClient>;

// Prisma's own 2 s for a connection are too few on a busy machine. Both together stay well below a lease.
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: TRANSACTION_MS_MAX };

export interface LazyPrisma {
  readonly models: Models;
  close(): Promise<void>;
}

export function lazyPrisma(openPool: () => pg.Pool, names: StatementNames): LazyPrisma {
  let opened: Promise<PrismaClient> | null = null;
  return {
    models: () => (opened ??= openPrisma(openPool(), names)),
    close: async () => {
      await (await opened)?.$disconnect();
    },
  };
}

async function openPrisma(pool: pg.Pool, names: StatementNames): Promise<PrismaClient> {
  const [{ PrismaPg }, client] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('./generated/client.js'),
  ]);
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => names.of({ text: sql }) ?? '',
  });
  return new client.PrismaClient({ adapter, transactionOptions: TRANSACTION_LIMITS });
}

/** A transaction with models (`tx.model.tenant.update(…)`) that also takes hand-written SQL. */
export interface ModelTx extends Tx {
  readonly model: Prisma.TransactionClient;
}

export async function modelTx<Done>(models: Models, work: (tx: ModelTx) => Promise<Done>): Promise<Done> {
  const prisma = await models();
  return prisma.$transaction((model) =>
    work({
      model,
      // Whole statements only: Prisma does not know the pieces of sql-template-tag.
      rows: (query, ...values) => model.$queryRaw(toStatement(query, values) as never),
      run: (query, ...values) => model.$executeRaw(toStatement(query, values) as never),
    }),
  );
}
