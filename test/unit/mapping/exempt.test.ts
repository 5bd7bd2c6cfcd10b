// A customer who is tax exempt: whether VAT was charged after all, the figures of the invoice tell, and only exact ones.
import { describe, expect, test } from 'vitest';
import { mayBeExempt } from '../../../src/pipeline/mapping/reconcile-invoice.js';
import { decodeDocument } from '../../../src/service/decode-document.js';
import {
  codes,
  invoice,
  item,
  map,
  posted,
  rulesWith,
  sampleRules,
  shown,
  stopped,
  type Raw,
} from './build.js';

const exempt = { customer: { tax_exempt: true } };
const mapped = (over: Raw, rules = sampleRules) => map('invoice', invoice(over), rules, exempt);
const book = (over: Raw, rules = sampleRules) => shown(posted(mapped(over, rules)).journal);

describe('an exempt customer’s invoice without VAT', () => {
  test.each([
    ['24 %', 'S', 'total_24vat'],
    ['11 %', 'AA', 'total_11vat'],
    ['24 %, the totals under 0 %', 'S', 'total_0vat'],
  ])('is booked without VAT where only the totals show a discount: lines at %s', (_what, tax, field) => {
    const over = { amount: 98000, [field]: 98000, items: [item({ price: 100000, tax })] };
    expect(book(over)).toEqual(['1500 D 98000', '3020 K 100000 U0', '3090 D 2000 U0']);
    expect(codes(mapped(over))).toEqual(['TAX_EXEMPT_CUSTOMER', 'LINES_DIFFER_FROM_TOTALS']);
  });

  test('is booked without VAT where only the totals show a fee', () => {
    const items = [item({ price: 60000 }), item({ price: 40000, tax: 'AA' })];
    expect(book({ amount: 100500, total_24vat: 60500, total_11vat: 40000, items })).toEqual([
      '1500 D 100500',
      '3020 K 100000 U0',
      '3095 K 500 U0',
    ]);
  });

  test('an exact reading without VAT wins over one with VAT that needs the tolerance', () => {
    // With VAT of the 0.35 at 24 % it is 23,325.69: within the tolerance of eight lines, more than rounding may be.
    const items = [
      item({ price: '23325.26', tax: 'Z' }),
      item({ price: '0.35' }),
      ...Array.from({ length: 6 }, () => item({ price: 0, tax: 'AA' })),
    ];
    const over = { currency: 'DKK', exchange_rate: '19.5', amount: '23325.61', items };
    expect(book(over)).toEqual(['1500 D 454849 23325.61', '3020 K 454849 U0 -23325.61']);
  });

  test('sums that the service rounded only at the end are exact', () => {
    const items = Array.from({ length: 3 }, () => item({ qty: 1, price: '33.3333' }));
    const over = { currency: 'EUR', exchange_rate: 150, amount: '100.00', items };
    expect(book(over)).toEqual(['1500 D 15000 100', '3020 K 15000 U0 -100']);
  });

  test('taxed lines that cancel out carry no VAT code either', () => {
    const items = [item({ price: 500 }), item({ qty: -1, price: 500 }), item({ price: 900, tax: 'Z' })];
    expect(book({ amount: 900, items })).toEqual(['1500 D 900', '3020 K 900 U0']);
  });

  test('a credit note of it mirrors it, whichever sign its figures have', () => {
    const mirrored = ['1500 K 98000', '3020 D 100000 U0', '3090 K 2000 U0'];
    const credit = { type: 'credit', refer_guid: 'o' };
    expect(book({ ...credit, amount: 98000, total_24vat: 98000 })).toEqual(mirrored);
    const items = [item({ qty: -1, price: 100000 })];
    expect(book({ ...credit, amount: -98000, total_24vat: -98000, items })).toEqual(mirrored);
  });
});

describe('an exempt customer who was charged VAT after all', () => {
  test.each([
    ['the lines', { amount: 124000 }, ['1500 D 124000', '3000 K 100000 U24', '2500 K 24000 U24']],
    [
      'the lines, with totals that include VAT',
      { amount: 124000, total_24vat: 124000 },
      ['1500 D 124000', '3000 K 100000 U24', '2500 K 24000 U24'],
    ],
    [
      'the totals, less a discount',
      { amount: 121520, total_24vat: 98000 },
      ['1500 D 121520', '3000 K 100000 U24', '3090 D 2000 U24', '2500 K 23520 U24'],
    ],
  ])('is booked with it: %s show it', (_what, over, lines) => expect(book(over)).toEqual(lines));

  test.each([
    ['fits nothing', { amount: 98000, total_24vat: 90000 }],
    ['fits only with the tolerance', { amount: '124000.40', items: [item({ price: '99999.99' })] }],
    [
      'fits without VAT, and the totals fit with it',
      { amount: 124000, total_24vat: 100000, items: [item({ price: 124000 })] },
    ],
    [
      'fits the lines with VAT, and the totals belong to something else',
      { amount: 124000, total_0vat: 124000 },
    ],
  ])('waits where the amount %s', (_what, over) => {
    expect(stopped(mapped(over))).toMatchObject({ outcome: 'park', reason: 'AMBIGUOUS_VAT' });
  });
});

test('a strict tenant is refused totals that differ from the lines, exempt or not', () => {
  const strict = rulesWith({ invoice: { whenLinesDiffer: 'reject' } });
  expect(stopped(mapped({ amount: 98000, total_24vat: 98000 }, strict)).reason).toBe('TOTALS_MISMATCH');
});

test.each([
  [true, 'a discount that only the totals show', { amount: 98000, total_24vat: 98000 }],
  [true, 'a fee that only the totals show', { amount: 130000, total_24vat: 130000 }],
  [true, 'no VAT', { amount: 100000 }],
  [false, 'VAT on every line', { amount: 124000 }],
  [false, 'lines that are not taxed', { amount: 100000, items: [item({ price: 100000, tax: 'Z' })] }],
])('whether the customer matters is %s for %s', (expected, _what, over) => {
  const decoded = decodeDocument('invoice', invoice(over));
  if (decoded.outcome !== 'decoded' || decoded.document.kind !== 'invoice') throw new Error('malformed');
  expect(mayBeExempt(decoded.document)).toBe(expected);
});
