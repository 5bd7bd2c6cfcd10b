// The orders kept per status must give what sorting everything each time would give.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DocumentIndex, type PageQuery } from '../../../lab/sandbox/service/document-index.js';

interface Row {
  readonly id: number;
  readonly guid: string;
  issue_date: string;
  created_at: string;
  accounting_status: string | null;
}

const day = fc.integer({ min: 1, max: 9 }).map((value) => `2026-01-0${value}`);
const status = fc.constantFrom<(string | null)[]>('New', 'Created', 'Posted', null);
const rows = fc
  .array(fc.record({ issue_date: day, created: day, accounting_status: status }), { maxLength: 40 })
  .map((list) =>
    list.map(({ issue_date, created, accounting_status }, index): Row => ({
      id: index + 1,
      guid: `g${index + 1}`,
      issue_date,
      created_at: `${created} 10:00:00`,
      accounting_status,
    })),
  );
const field = fc.constantFrom<('issue' | 'created')[]>('issue', 'created');
const query = fc.record({
  statuses: fc.option(fc.uniqueArray(fc.constantFrom('New', 'Created', 'Posted'), { minLength: 1 })),
  filterBy: field,
  sortBy: field,
  from: fc.option(day),
  to: fc.option(day),
  descending: fc.boolean(),
  offset: fc.nat(20),
  limit: fc.option(fc.integer({ min: 1, max: 10 })),
});

function naive(
  all: readonly Row[],
  { statuses, filterBy, sortBy, from, to, descending }: PageQuery<Row>,
): Row[] {
  const date = (row: Row, by: 'issue' | 'created') => (by === 'issue' ? row.issue_date : row.created_at);
  const found = all.filter((row) => {
    const at = date(row, filterBy).slice(0, 10);
    if (statuses !== null && !statuses.includes(String(row.accounting_status))) return false;
    return (from === null || at >= from) && (to === null || at <= to);
  });
  found.sort((a, b) => {
    const [x, y] = [date(a, sortBy), date(b, sortBy)];
    return x < y ? -1 : x > y ? 1 : a.id - b.id;
  });
  return descending ? found.reverse() : found;
}

test('pages and counts equal those of a full sort, after any additions, changes and deletions', () => {
  fc.assert(
    fc.property(rows, rows, query, (loaded, changes, asked) => {
      const index = new DocumentIndex<Row>();
      const half = Math.floor(loaded.length / 2);
      index.load(loaded.slice(0, half));
      for (const row of loaded.slice(half)) index.add(row);
      for (const { id, issue_date, accounting_status } of changes) {
        const row = index.get(`g${id}`);
        if (row === undefined) continue;
        if (id % 5 === 0) index.delete(row);
        else index.change(row, () => Object.assign(row, { issue_date, accounting_status }));
      }
      const expected = naive([...index.values()], asked);
      expect(index.count(asked)).toBe(expected.length);
      const end = asked.limit === null ? undefined : asked.offset + asked.limit;
      expect(index.page(asked).map((row) => row.guid)).toEqual(
        expected.slice(asked.offset, end).map((row) => row.guid),
      );
      const odd = (row: Row) => row.id % 2 === 1;
      expect(index.page({ ...asked, where: odd }).map((row) => row.guid)).toEqual(
        expected
          .filter(odd)
          .slice(asked.offset, end)
          .map((row) => row.guid),
      );
      expect(index.count({ ...asked, where: odd })).toBe(expected.filter(odd).length);
    }),
    { numRuns: 400 },
  );
});
