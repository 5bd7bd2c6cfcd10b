// How far an ERP was read: what a late commit, a change meanwhile or a crash must not lose.
import { expect, test } from 'vitest';
import type { Listed, Reading } from '../../../src/origins/erp-records.js';
import { cursorOf, type FeedCursor, take, withUnread } from '../../../src/origins/erp-origin.js';

const at = (minute: number, second = 0) =>
  `2026-11-16T12:${String(minute).padStart(2, '0')}:${String(second).padStart(2, '0')}.000000`;
const entry = (id: number, stamp: string): Listed => ({ id: String(id), at: stamp, position: String(id) });
const BEGINNING = cursorOf({}, { name: 'party' });

/** An ERP as a list by id: everything that is committed by now. */
function page(all: readonly Listed[], { since, after }: FeedCursor, size = 100) {
  const found = all
    .filter((one) => (since === null || one.at >= since) && Number(one.id) > Number(after ?? 0))
    .sort((a, b) => Number(a.id) - Number(b.id));
  return { entries: found.slice(0, size), isFull: found.length >= size };
}

test('a change that was stamped before the newest one and committed after it is not lost', () => {
  const newest = entry(1, at(10));
  const first = take(BEGINNING, page([newest], BEGINNING), 50, 0);
  expect(first.ids).toEqual(['1']);
  // Nine minutes in a transaction.
  const all = [newest, entry(2, at(1))];
  const second = take(first.cursor, page(all, first.cursor), 50, 30_000);
  expect(second.ids).toEqual(['2']);
  expect(take(second.cursor, page(all, second.cursor), 50, 60_000).ids).toEqual([]);
});

test('a record that changes again within the time that is looked back to is handed over again', () => {
  const first = take(BEGINNING, page([entry(1, at(10))], BEGINNING), 50, 0);
  const second = take(first.cursor, page([entry(1, at(11))], first.cursor), 50, 1_000);
  expect(second.ids).toEqual(['1']);
});

test('what changes behind a pass that takes an hour is seen by the next one', () => {
  let all = [1, 2, 3].map((id) => entry(id, at(id)));
  let taken = take(BEGINNING, page(all, BEGINNING), 1, 0);
  expect(taken).toMatchObject({ ids: ['1'], more: true });
  // Changed right after it was handed over; the pass ends an hour later with a change of its last minute.
  all = [entry(1, at(4)), entry(2, at(2)), entry(3, '2026-11-16T13:03:00.000000')];
  for (let look = 1; taken.more; look++)
    taken = take(taken.cursor, page(all, taken.cursor), 1, look * 1_800_000);
  expect(take(taken.cursor, page(all, taken.cursor), 50, 3_660_000).ids).toContain('1');
});

test('what was handed over long ago is forgotten, so that the cursor stays small', () => {
  const old = [1, 2, 3].map((id) => entry(id, at(0, id)));
  const first = take(BEGINNING, page(old, BEGINNING), 50, 0);
  const later = [...old, entry(4, at(30))];
  const second = take(first.cursor, page(later, first.cursor), 50, 1_000);
  expect(Object.keys(second.cursor.seen)).toEqual([at(30)]);
  expect(take(second.cursor, page(later, second.cursor), 50, 2_000).ids).toEqual([]);
});

test('what could not be read is read at every look until it can, and is known by its place when it goes', () => {
  const bad: Reading = { id: '7', records: [], problems: [{ place: 'p/7', problem: 'x' }], looked: 'p/7' };
  const { cursor } = withUnread(BEGINNING, [bad]);
  expect(cursor.unread).toEqual({ '7': 'p/7' });
  expect(withUnread(cursor, [{ ...bad, problems: [] }])).toMatchObject({ cursor: { unread: {} }, gone: [] });
  expect(withUnread(cursor, [])).toMatchObject({ cursor: { unread: {} }, gone: ['p/7'] });
});
