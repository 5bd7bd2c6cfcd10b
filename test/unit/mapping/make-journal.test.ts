import { describe, expect, test } from 'vitest';
import type { LineRole } from '../../../src/domain/journal.js';
import {
  type DraftLine,
  type PricedLine,
  makeJournal,
  type JournalMaking,
} from '../../../src/pipeline/mapping/make-journal.js';
import { isStop } from '../../../src/pipeline/mapping/outcome.js';
import { dec } from './build.js';

const priced = (
  role: LineRole,
  isk: number,
  { treatment, ...over }: Partial<PricedLine> & Pick<DraftLine, 'treatment'> = {},
): PricedLine => ({
  draft: {
    account: '1000',
    role,
    amount: dec(isk),
    ...(treatment === undefined ? {} : { treatment }),
    text: '',
    because: [],
  },
  isk: dec(isk),
  ...over,
});

const header = {
  documentNo: 'SR1',
  externalReference: 'guid',
  postingDate: '2025-03-10',
  documentDate: '2025-03-10',
  description: 'Sala',
  currency: 'ISK',
  exchangeRate: dec(1),
};

const sale: JournalMaking = {
  header,
  lines: [
    priced('receivable', 1240),
    priced('revenue', -1000, { treatment: 'S' }),
    priced('vat-out', -240, { treatment: 'S', vatBase: dec(-1000) }),
  ],
  isMirrored: false,
  iskDecimals: 0,
  control: { roles: ['receivable'], isk: dec(1240) },
};

const purchase: JournalMaking = {
  header,
  lines: [
    priced('expense', 1000, { treatment: 'AA' }),
    priced('vat-in', 110, { treatment: 'AA', vatBase: dec(1000) }),
    priced('payable', -1110),
  ],
  isMirrored: false,
  iskDecimals: 0,
  control: { roles: ['payable'], isk: dec(-1110) },
};

const inEuros: JournalMaking = {
  ...sale,
  header: { ...header, currency: 'EUR', exchangeRate: dec(10) },
  lines: [
    priced('receivable', 1240, { currencyAmount: dec(124) }),
    priced('revenue', -1000, { treatment: 'S', currencyAmount: dec(-100) }),
    priced('vat-out', -240, { treatment: 'S', vatBase: dec(-1000), currencyAmount: dec(-24) }),
  ],
  control: { roles: ['receivable'], isk: dec(1240), currency: dec(124) },
};

const withVatBase = (making: JournalMaking, base: number): JournalMaking => ({
  ...making,
  lines: making.lines.map((line) => (line.vatBase === undefined ? line : { ...line, vatBase: dec(base) })),
});

const refusal = (making: JournalMaking): string => {
  const made = makeJournal(making);
  return isStop(made) ? `${made.stop} ${made.why.subject}`.trim() : '';
};

describe.each([
  ['as an invoice', false],
  ['mirrored, as a credit note', true],
])('a journal made %s', (_how, isMirrored) => {
  test.each([
    ['a sale', sale],
    ['a purchase', purchase],
    ['a sale in euros', inEuros],
  ])('of %s is let through', (_what, making) => {
    expect(refusal({ ...making, isMirrored })).toBe('');
  });

  test.each<[string, JournalMaking]>([
    ['the receivable is not the total', { ...sale, control: { roles: ['receivable'], isk: dec(1241) } }],
    ['the payable is not the total', { ...purchase, control: { roles: ['payable'], isk: dec(-1109) } }],
    ['the total stands on the other side', { ...sale, control: { roles: ['receivable'], isk: dec(-1240) } }],
    ['the total stands on another role', { ...sale, control: { roles: ['payable'], isk: dec(1240) } }],
    [
      'the total differs in the currency only',
      { ...inEuros, control: { roles: ['receivable'], isk: dec(1240), currency: dec('124.01') } },
    ],
  ])('is refused when %s', (_what, making) => {
    expect(refusal({ ...making, isMirrored })).toBe('JOURNAL_REFUSED control-total');
  });

  test.each([
    ['its sale', sale, [995, 996, 1004, 1005]],
    ['its purchase', purchase, [990, 991, 1009, 1010]],
    // 2.5 cents at 10 krónur are a quarter of a króna more.
    ['its sale in euros', inEuros, [994, 995, 1005, 1006]],
  ])('is refused when the VAT of %s strays from its base', (_what, making, [low, from, to, high]) => {
    const at = (base = 0) => refusal({ ...withVatBase(making, base), isMirrored });
    const strayed = 'JOURNAL_REFUSED vat-of-base';
    expect([at(low), at(from), at(to), at(high)]).toEqual([strayed, '', '', strayed]);
  });

  test('is refused when it does not balance, and says by how much', () => {
    const made = makeJournal({ ...sale, isMirrored, lines: sale.lines.slice(0, 2) });
    expect(made).toMatchObject({ stop: 'JOURNAL_REFUSED', why: { subject: 'balanced-isk' } });
    expect(isStop(made) && made.why.params['problem']).toMatch(/1240 against 1000|1000 against 1240/);
  });

  test('is refused when it has more decimals than the books', () => {
    const lines = sale.lines.map((line) => ({ ...line, isk: line.isk.times('1.001') }));
    const control = { roles: ['receivable'] as const, isk: dec('1241.24') };
    expect(refusal({ ...sale, lines, control, isMirrored })).toBe('JOURNAL_REFUSED isk-decimals');
    expect(refusal({ ...sale, lines, control, isMirrored, iskDecimals: 2 })).toBe('');
  });

  test('of one line is too little', () => {
    expect(refusal({ ...sale, isMirrored, lines: sale.lines.slice(0, 1) })).toBe('TOO_FEW_LINES');
  });
});
