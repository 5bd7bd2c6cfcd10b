import { describe, expect, test } from 'vitest';
import {
  CURRENCY_CODES,
  currencyDecimals,
  isDocumentedCurrency,
  amountText,
  isWithin,
  roundTo,
} from '../../../src/domain/money.js';
import { isCoded } from '../../../src/domain/errors/coded-error.js';
import {
  type Journal,
  type JournalLine,
  createJournal,
  journalBreaches,
  JOURNAL_INVARIANTS,
  type JournalExpectations,
  type JournalInvariant,
} from '../../../src/domain/journal.js';
import { journalFromJson, journalToJson } from '../../../src/domain/journal-json.js';
import { isCalendarDay } from '../../../src/domain/local-time.js';
import { dec, fixture } from './build.js';

const line = (account: string, amount: number | string, over: Partial<JournalLine> = {}): JournalLine => ({
  account,
  role: 'revenue',
  debit: dec(amount).gt(0) ? dec(amount) : dec(0),
  credit: dec(amount).lt(0) ? dec(amount).neg() : dec(0),
  text: '',
  ...over,
});

const foreign = (
  account: string,
  isk: string,
  amount: string,
  over: Partial<JournalLine> = {},
): JournalLine => line(account, isk, { currency: 'EUR', currencyAmount: dec(amount), ...over });

const good: Journal = {
  documentNo: 'SR1',
  externalReference: 'guid',
  postingDate: '2025-03-10',
  documentDate: '2025-03-10',
  description: 'Sala',
  currency: 'EUR',
  exchangeRate: dec('150.25'),
  lines: [
    foreign('1500', '18631', '124', {
      role: 'receivable',
      counterparty: '4101212040',
      dueDate: '2025-03-24',
    }),
    foreign('3000', '-15025', '-100', { vatCode: 'U24', dimensions: { deild: '10' } }),
    foreign('2500', '-3606', '-24', { role: 'vat-out', vatCode: 'U24', vatBase: dec(15025) }),
  ],
};

const expected: JournalExpectations = {
  iskDecimals: 0,
  vatRateOf: ({ role }) => (role === 'vat-out' ? dec('0.24') : undefined),
  control: { roles: ['receivable'], isk: dec(18631), currency: dec(124) },
};

const withLine = (index: number, over: Partial<JournalLine>): Journal => ({
  ...good,
  lines: good.lines.map((entry, at) => (at === index ? { ...entry, ...over } : entry)),
});

/** Each breaks one invariant, and as little else as can be. */
const BROKEN: Record<JournalInvariant, Journal> = {
  'two-lines': { ...good, lines: [line('1500', 1, { role: 'receivable' })] },
  'balanced-isk': withLine(1, { credit: dec(15024) }),
  'balanced-currency': withLine(1, { currencyAmount: dec('-100.01') }),
  'one-side': withLine(1, { debit: dec(1), credit: dec(15026) }),
  'currency-sign': withLine(1, { currencyAmount: dec(100) }),
  'currency-named': withLine(1, { currency: 'USD' }),
  'amounts-bounded': withLine(2, { vatBase: dec('1e20') }),
  'isk-decimals': withLine(1, { credit: dec('15025.5') }),
  'currency-decimals': withLine(1, { currencyAmount: dec('-100.001') }),
  'vat-of-base': withLine(2, { vatBase: dec(15100) }),
  'control-total': withLine(0, { role: 'clearing' }),
  'account-named': withLine(1, { account: '' }),
  dated: { ...good, postingDate: '2025-02-30' },
  'rate-positive': { ...good, exchangeRate: dec(0) },
};

describe('a journal', () => {
  test('that keeps every invariant is let through', () => {
    expect(journalBreaches(good, expected)).toEqual([]);
    expect(createJournal(good, expected)).toBe(good);
  });

  test.each(Object.keys(JOURNAL_INVARIANTS) as JournalInvariant[])(
    'that breaks %s is refused',
    (invariant) => {
      const found = journalBreaches(BROKEN[invariant], expected).map((breach) => breach.invariant);
      expect(found).toContain(invariant);
      expect(() => createJournal(BROKEN[invariant], expected)).toThrow(JOURNAL_INVARIANTS[invariant]);
    },
  );

  test.each<[string, Partial<JournalLine>]>([
    ['negative on both sides', { debit: dec(-15025), credit: dec(0) }],
    ['zero on both sides', { debit: dec(0), credit: dec(0) }],
    ['not a number', { credit: dec(NaN) }],
    ['infinite', { credit: dec(Infinity) }],
  ])('with a line that is %s is refused', (_what, over) => {
    expect(journalBreaches(withLine(1, over)).map(({ invariant }) => invariant)).toContain('one-side');
  });

  test('VAT may miss its base by one króna, and by 2.5 cents of a foreign currency more', () => {
    const off = (base: string) => journalBreaches(withLine(2, { vatBase: dec(base) }), expected).length;
    // 3606 ± (1 + 0.025 × 150.25 = 4.75625) is 3601.24 to 3610.76; ÷ 0.24 is 15005.2 to 15044.8.
    expect([off('15044'), off('15046'), off('15006'), off('15005')]).toEqual([0, 1, 0, 1]);
  });

  test('in ISK has the rate 1 and no currency amounts', () => {
    const isk: Journal = {
      ...good,
      currency: 'ISK',
      exchangeRate: dec(1),
      lines: [line('1', 5), line('2', -5)],
    };
    expect(journalBreaches(isk)).toEqual([]);
    expect(journalBreaches({ ...isk, exchangeRate: dec(2) })[0]?.invariant).toBe('rate-positive');
    const odd = [
      line('1', 5, { currency: 'ISK', currencyAmount: dec(5) }),
      line('2', -5, { currency: 'ISK', currencyAmount: dec(-5) }),
    ];
    expect(journalBreaches({ ...isk, lines: odd })[0]?.invariant).toBe('currency-named');
  });
});

describe('a journal as JSON', () => {
  test('takes every amount that a journal may hold', () => {
    const most = dec('99999999999999999999');
    const lines = [line('1', most.toFixed()), line('2', most.neg().toFixed())];
    const isk: Journal = { ...good, currency: 'ISK', exchangeRate: dec(1), lines };
    expect(journalBreaches(isk)).toEqual([]);
    expect(journalFromJson(journalToJson(isk))).toEqual(isk);
    const beyond = [line('1', '1e20'), line('2', '-1e20')];
    expect(journalBreaches({ ...isk, lines: beyond }).map(({ invariant }) => invariant)).toContain(
      'amounts-bounded',
    );
  });

  test('comes back as it went, digit for digit', () => {
    const whole: Journal = {
      ...good,
      exchangeRate: dec('150.12345678901234567'),
      attachments: ['a.pdf'],
      appliesTo: 'original',
      appliesToNo: 'F-1000',
      dueDate: '2025-03-24',
      party: { kind: 'customer', kennitala: '4101212040', name: 'Dæmi ehf.', city: 'Reykjavík' },
    };
    expect(journalFromJson(journalToJson(whole))).toEqual(whole);
    expect(JSON.parse(journalToJson(whole))).toMatchObject({
      exchangeRate: '150.12345678901234567',
      lines: [{ debit: '18631' }, {}, {}],
    });
  });

  test.each([
    ['not JSON', 'nonsense', 'JOURNAL_UNREADABLE'],
    ['another shape', '{}', 'JOURNAL_UNREADABLE'],
    ['numbers for amounts', journalToJson(good).replace('"18631"', '18631'), 'JOURNAL_UNREADABLE'],
    ['a changed amount', journalToJson(good).replace('"18631"', '"18632"'), 'JOURNAL_INVALID'],
  ])('that is %s is refused', (_what, text, code) => {
    let thrown: unknown;
    try {
      journalFromJson(text);
    } catch (error) {
      thrown = error;
    }
    expect(isCoded(thrown) && thrown.code).toBe(code);
  });
});

describe('money', () => {
  test.each([
    ['0.5', '1'],
    ['-0.5', '-1'],
    ['1.4999', '1'],
    ['2.5', '3'],
    ['-2.5', '-3'],
  ])('%s rounds to %s', (from, to) => expect(roundTo(dec(from), 0).toFixed()).toBe(to));

  test('is never written with an exponent or as minus zero', () => {
    expect(amountText(dec('1e21'))).toBe('1000000000000000000000');
    expect(amountText(dec('-0'))).toBe('0');
    expect(amountText(dec('0.00000001'))).toBe('0.00000001');
    expect(amountText(dec('5'), 2)).toBe('5.00');
  });

  test('tolerance includes its edge', () => {
    expect(isWithin(dec('1.01'), dec(1), dec('0.01'))).toBe(true);
    expect(isWithin(dec('1.0101'), dec(1), dec('0.01'))).toBe(false);
  });
});

describe('currencies', () => {
  test('are the documented ones with their decimals', () => {
    const documented = fixture('currencies.json') as { code: string; minorUnits: number }[];
    expect([...CURRENCY_CODES].sort()).toEqual(documented.map(({ code }) => code).sort());
    for (const { code, minorUnits } of documented) expect(currencyDecimals(code)).toBe(minorUnits);
    expect(isDocumentedCurrency('XXX')).toBe(false);
  });
});

describe('calendar days', () => {
  test.each([
    ['2024-02-29', true],
    ['2000-02-29', true],
    ['2025-02-29', false],
    ['1900-02-29', false],
    ['2025-04-31', false],
    ['2025-00-10', false],
    ['2025-13-01', false],
    ['2025-01-00', false],
    ['0000-01-01', false],
    ['2025-1-1', false],
    ['', false],
  ])('%s exists: %s', (written, exists) => expect(isCalendarDay(written)).toBe(exists));
});
