// A rolling upgrade: the program of an earlier release goes on working on the newest schema. What it reads and writes was
// recorded when it was released; PostgreSQL says whether it still can.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  columnsOf,
  columnTroubles,
  type CompatRecord,
  onFreshDatabase,
  unpreparable,
} from '../../support/compat.js';

const PLACE = new URL('../../../prisma/compat/', import.meta.url);
const RECORDS = readdirSync(PLACE)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, PLACE), 'utf8')) as CompatRecord);

describe.each(RECORDS)('the program of $version', ({ columns, statements }) => {
  test('finds every column and may leave out every newer one, and its statements still mean something', async () => {
    expect(statements.length).toBeGreaterThan(100);
    await onFreshDatabase(async (client) => {
      expect(columnTroubles(columns, await columnsOf(client))).toEqual([]);
      expect(await unpreparable(client, statements)).toEqual([]);
    });
  });
});

describe('a schema that would stop an older program is found out', () => {
  const newest = RECORDS.at(-1)!;
  test.each([
    ['a column that is dropped', 'ALTER TABLE posting DROP COLUMN tries', /posting\.tries is gone/],
    [
      'a column that is renamed',
      'ALTER TABLE document RENAME snapshot TO content',
      /document\.snapshot is gone/,
    ],
    ['a column of another type', 'ALTER TABLE lease ALTER owner TYPE varchar(10)', /lease\.owner was text/],
    ['a new column that must be given', 'ALTER TABLE sweep ADD extra text NOT NULL', /sweep\.extra is new/],
    [
      'a column that must be given now',
      'ALTER TABLE posting ALTER reason SET NOT NULL',
      /posting\.reason must/,
    ],
  ])('%s', async (_name, change, said) => {
    await onFreshDatabase(async (client) => {
      await client.query(change);
      expect(columnTroubles(newest.columns, await columnsOf(client)).join('\n')).toMatch(said);
    });
  });

  test('a statement whose column is gone', async () => {
    await onFreshDatabase(async (client) => {
      await client.query('ALTER TABLE posting DROP COLUMN tries CASCADE');
      expect((await unpreparable(client, newest.statements)).length).toBeGreaterThan(3);
    });
  });
});
