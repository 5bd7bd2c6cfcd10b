import { expect, test } from 'vitest';
import { journalFromJson } from '../../../src/domain/journal-json.js';
import { withoutPeople } from '../../../src/domain/journal.js';

const JOURNAL = {
  documentNo: 'SR1001',
  externalReference: 'guid',
  postingDate: '2016-02-01',
  documentDate: '2016-02-01',
  description: 'Anna Jónsdóttir, SR1001',
  currency: 'ISK',
  exchangeRate: '1',
  party: {
    kind: 'customer',
    kennitala: '1201303389',
    name: 'Anna Jónsdóttir',
    email: 'anna@example.is',
    city: 'Vík',
  },
  attachments: ['anna.pdf'],
  lines: [
    {
      account: '1200',
      role: 'receivable',
      debit: '1240',
      credit: '0',
      counterparty: '1201303389',
      text: 'Anna',
    },
    {
      account: '4000',
      role: 'revenue',
      debit: '0',
      credit: '1240',
      dimensions: { deild: '10' },
      text: 'Til: Anna',
    },
  ],
};

test('a journal without its people is the same journal to the books, and names nobody', () => {
  const text = withoutPeople(JSON.stringify(JOURNAL));
  expect(text).not.toMatch(/anna|1201303389|Vík/i);
  const journal = journalFromJson(text);
  expect(journal).toMatchObject({
    documentNo: 'SR1001',
    postingDate: '2016-02-01',
    party: { kind: 'customer' },
  });
  expect(
    journal.lines.map(({ account, debit, credit }) => [account, debit.toFixed(), credit.toFixed()]),
  ).toEqual([
    ['1200', '1240', '0'],
    ['4000', '0', '1240'],
  ]);
  expect(journal.lines[1]).toMatchObject({ dimensions: { deild: '10' } });
});

test('of a journal of a whole day nobody is left either', () => {
  const { party, ...day } = JOURNAL;
  const text = withoutPeople(JSON.stringify({ ...day, parties: [party, party] }));
  expect(text).not.toMatch(/anna|1201303389/i);
  expect(journalFromJson(text).parties).toEqual([]);
});

test('what an older version kept is left as it was, but for people', () => {
  expect(withoutPeople('{}')).toBe('{}');
  expect(JSON.parse(withoutPeople('{"lines":[{"text":"Anna","old":1}],"more":2}'))).toEqual({
    lines: [{ text: '', old: 1 }],
    more: 2,
  });
});
