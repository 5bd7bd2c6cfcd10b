import { expect, test } from 'vitest';
import { reversalKey, settlementKey } from '../../../src/domain/posting-key.js';
import {
  currentEntries,
  formerEntries,
  NO_LINES,
  NO_LINES_NO_DATE,
} from '../../../src/operations/booked-entries.js';
import type { ReversedPosting } from '../../../src/operations/views/exported-posting.js';

const journal = (account: string) =>
  JSON.stringify({
    postingDate: '2026-01-31',
    lines: [{ account, debit: '100', credit: '0', currency: 'EUR', currencyAmount: '0.7', text: '' }],
  });
const FIRST = 'IAAAAAAAAAAAAAAAAAAA';
const SECOND = 'IBBBBBBBBBBBBBBBBBBB';
const posting = {
  key: SECOND,
  erpNumber: 'J-3',
  settlementNumber: 'J-4',
  postingDate: '2026-01-31',
  journal: journal('7700'),
  settlement: journal('3200'),
} as ReversedPosting;
const attempt = (part: 'main' | 'reversal', key: string, entry: string) => ({
  part,
  key,
  entry,
  request: '{"date":"2026-02-28"}',
  finishedOn: '2026-02-03',
});

test('an entry and its settlement have a key and a number of their own', () => {
  expect(currentEntries(posting)).toMatchObject([
    { key: SECOND, entry: 'J-3', part: 'main', note: '' },
    { key: settlementKey(SECOND), entry: 'J-4', part: 'settlement', note: '' },
  ]);
});

test('a reversal has the lines of its entry with the sides changed, and its own day', () => {
  const attempts = [attempt('main', SECOND, 'J-3'), attempt('reversal', reversalKey(SECOND), 'J-5')];
  const [reversal, ...more] = formerEntries({ ...posting, attempts, former: [] });
  expect(more).toEqual([]);
  expect(reversal).toMatchObject({ entry: 'J-5', reverses: SECOND, postingDate: '2026-02-28' });
  expect(reversal!.journal!.lines).toMatchObject([{ debit: '0', credit: '100', currencyAmount: '-0.7' }]);
});

test('what an older version did not keep is named, and the row says what is missing', () => {
  const attempts = [attempt('main', FIRST, 'J-1'), attempt('reversal', reversalKey(FIRST), 'J-2')];
  expect(formerEntries({ ...posting, attempts, former: [null] })).toMatchObject([
    { key: FIRST, entry: 'J-1', postingDate: '2026-02-03', journal: null, note: NO_LINES_NO_DATE },
    { entry: 'J-2', reverses: FIRST, postingDate: '2026-02-28', journal: null, note: NO_LINES },
  ]);
});

test('of a document that was booked with its day the entry has the key of that, and is undone by its own', () => {
  const attempts = [attempt('reversal', reversalKey(SECOND), 'J-9')];
  const together = { ...posting, summaryKey: 'DAAAAAAAAAAAAAAAAAAA', attempts, former: [] };
  expect(currentEntries(together)[0]).toMatchObject({ key: together.summaryKey, entry: 'J-3', part: 'main' });
  expect(formerEntries(together)).toMatchObject([
    { key: reversalKey(SECOND), reverses: together.summaryKey, journal: { lines: [{ credit: '100' }] } },
  ]);
});

test('a reversal whose request was moved into the archive has the day on which it was booked', () => {
  const archived = { ...attempt('reversal', reversalKey(SECOND), 'J-5'), request: '' };
  expect(formerEntries({ ...posting, attempts: [archived], former: [] })).toMatchObject([
    { entry: 'J-5', postingDate: '2026-02-03' },
  ]);
});
