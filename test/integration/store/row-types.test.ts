// The row types of hand-written SQL are what PostgreSQL returns: each statement of src/store is described by the server on the real schema
// and compared with the type that the code gives to its rows.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PARSERS } from '../../../src/store/db.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { type DescribedColumn, describeStatement } from '../../support/describe-statement.js';
import { type DeclaredColumn, type WrittenStatement, writtenStatements } from '../../support/sql-rows.js';

const files = readdirSync('src/store', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/') && !name.startsWith('embedded/'))
  .map((name) => join(process.cwd(), 'src/store', name));
const statements = writtenStatements(files);

let database: TestDatabase;
let client: pg.Client;
/** `table.column` of those that may be NULL, by the numbers of the server. */
let nullable: ReadonlySet<string>;

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url.reveal() });
  await client.connect();
  const { rows } = await client.query<{ place: string }>(
    `SELECT a.attrelid || '.' || a.attnum AS place FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE NOT a.attnotnull AND a.attnum > 0 AND c.relkind = 'r'`,
  );
  nullable = new Set(rows.map(({ place }) => place));
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** One of several statements, chosen when the program runs, or put together of pieces that the caller hands over. */
const KNOWN_WHEN_RUN = {
  'dispatch-store.ts': 1,
  'operations/document-search.ts': 1,
  'intake-store.ts': 2,
  'metrics-reader.ts': 1,
  'operations/overview-reader.ts': 1,
  'operations/story-reader.ts': 1,
  'posting-store.ts': 2,
  'privacy/operators-store.ts': 2,
  'privacy/privacy-store.ts': 1,
  'turn-claims.ts': 1,
};

/** They may be NULL in the table, and the WHERE of the statement leaves those out. */
const NOT_NULL_BY_WHERE: readonly string[] = [
  ...['submission-store.ts guid', 'submission-store.ts agreed', 'metrics-reader.ts reason'],
  ...['follow-up-store.ts day', 'follow-up-store.ts journal', 'operations/outgoing-records.ts conflicts'],
  'operations/originals-reader.ts sha256',
  ...['closing-store.ts snapshot', 'operations/read-records.ts endsAt'],
  // Every INSERT gives it; the column was made without NOT NULL.
  'operations/story-reader.ts warnings',
];

const fileOf = ({ place }: WrittenStatement) => place.replace(/^src\/store\/|:\d+$/g, '');

test('all other statements are known before the program runs', () => {
  expect(statements.length).toBeGreaterThan(150);
  const counts: Record<string, number> = {};
  for (const one of statements.filter(({ text }) => text === null))
    counts[fileOf(one)] = (counts[fileOf(one)] ?? 0) + 1;
  expect(counts).toEqual(KNOWN_WHEN_RUN);
});

describe('the rows of', () => {
  test.each(statements.filter(({ text }) => text !== null))(
    '$place are of the declared type',
    async (one) => {
      const columns = await describeStatement(client, one.text ?? '');
      expect(differences(one, columns)).toEqual([]);
    },
  );
});

function differences(statement: WrittenStatement, columns: readonly DescribedColumn[]): string[] {
  const { row } = statement;
  const returned = new Map(columns.map((column) => [column.name, column]));
  const missing = [...row].flatMap(([name, { optional }]) =>
    returned.has(name) || optional ? [] : [`${name} is declared and not returned`],
  );
  const wrong = [...returned.values()].flatMap((column) => {
    const declared = row.get(column.name);
    const isGuarded = NOT_NULL_BY_WHERE.includes(`${fileOf(statement)} ${column.name}`);
    return declared ? differenceOf(column, declared, isGuarded) : [];
  });
  return [...missing, ...wrong];
}

function differenceOf(column: DescribedColumn, declared: DeclaredColumn, isGuarded: boolean): string[] {
  const kind = PARSERS.get(column.type)?.[0] ?? `unknown type ${String(column.type)}`;
  if (!fits(kind, declared.kind)) return [`${column.name} is ${kind} and declared ${declared.kind}`];
  const mayBeNull = !isGuarded && nullable.has(`${String(column.table)}.${String(column.column)}`);
  return mayBeNull && !declared.nullable ? [`${column.name} may be NULL and is declared without null`] : [];
}

function fits(kind: string, declared: string): boolean {
  // What JSON holds is anything.
  return declared === 'any' || kind === 'json' || kind === declared;
}
