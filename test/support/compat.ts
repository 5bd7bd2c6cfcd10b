// What a released program needs of its database, and whether a schema still has it: its columns, and its statements, which
// PostgreSQL itself is asked to prepare.
import pg from 'pg';
import { readMigrations } from '../../src/store/migrate.js';
import { testDatabase } from './database.js';

export interface Column {
  readonly type: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
}

export type Columns = Readonly<Record<string, Readonly<Record<string, Column>>>>;

export interface CompatRecord {
  readonly version: string;
  /** The newest one that it brought. */
  readonly migration: string;
  readonly columns: Columns;
  readonly statements: readonly string[];
}

export async function columnsOf(client: pg.Client): Promise<Columns> {
  const { rows } = await client.query<{
    table_name: string;
    column_name: string;
    type: string;
    nullable: boolean;
    has_default: boolean;
  }>(`
    SELECT c.relname AS table_name, a.attname AS column_name, format_type(a.atttypid, a.atttypmod) AS type,
           NOT a.attnotnull AS nullable, a.atthasdef OR a.attidentity <> '' AS has_default
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
      AND c.relname <> '_prisma_migrations' ORDER BY 1, a.attname`);
  const tables: Record<string, Record<string, Column>> = {};
  for (const { table_name, column_name, type, nullable, has_default } of rows)
    (tables[table_name] ??= {})[column_name] = { type, nullable, hasDefault: has_default };
  return tables;
}

/** Why a program that was made for `before` cannot work on `after`; empty: it can. */
export function columnTroubles(before: Columns, after: Columns): string[] {
  return Object.entries(before).flatMap(([table, columns]) => {
    const now = after[table];
    if (!now) return [`${table} is gone`];
    const lost = Object.entries(columns).flatMap(([name, was]) => {
      const is = now[name];
      if (!is) return [`${table}.${name} is gone`];
      if (is.type !== was.type) return [`${table}.${name} was ${was.type} and is ${is.type}`];
      const narrowed = (was.nullable && !is.nullable) || (was.hasDefault && !is.hasDefault && !is.nullable);
      return narrowed ? [`${table}.${name} must be given now`] : [];
    });
    const asked = Object.entries(now).flatMap(([name, { nullable, hasDefault }]) =>
      name in columns || nullable || hasDefault ? [] : [`${table}.${name} is new and must be given`],
    );
    return [...lost, ...asked];
  });
}

/** PostgreSQL parses and plans each; what it objects to is said with the beginning of the statement. */
export async function unpreparable(client: pg.Client, statements: readonly string[]): Promise<string[]> {
  const troubles: string[] = [];
  for (const text of statements) {
    try {
      await client.query(`PREPARE compat AS ${text}`);
      await client.query('DEALLOCATE compat');
    } catch (error) {
      troubles.push(`${error instanceof Error ? error.message : String(error)}: ${text.slice(0, 120)}`);
    }
  }
  return troubles;
}

const STATEMENT = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
/** Queues bring and change their tables themselves; the catalogue is PostgreSQL's. */
const OTHERS = /bullmq|pg_catalog|pg_stat|pg_class|information_schema|_prisma_migrations|pg_advisory/i;

/** Of what tests sent, what a fresh database takes: the others are about tables of their own. */
export async function keepPreparable(statements: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(statements)].filter((text) => STATEMENT.test(text) && !OTHERS.test(text));
  return onFreshDatabase(async (client) => {
    const kept: string[] = [];
    for (const text of wanted.sort()) if ((await unpreparable(client, [text])).length === 0) kept.push(text);
    return kept;
  });
}

export async function describeSchema(): Promise<Pick<CompatRecord, 'migration' | 'columns'>> {
  return onFreshDatabase(async (client) => ({
    migration: readMigrations().at(-1)?.name ?? '',
    columns: await columnsOf(client),
  }));
}

export async function onFreshDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url.reveal() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
    await database.close();
  }
}
