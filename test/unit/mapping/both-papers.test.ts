// What is unusual and right all the same: where the cost and its e-invoice agree, it is booked by the figures of the two.
import { describe, expect, test } from 'vitest';
import {
  cost,
  invoice,
  item,
  map,
  posted,
  rulesWith,
  sampleRules,
  shown,
  stopped,
  type Raw,
  type UblShape,
} from './build.js';

const book = (over: Raw, ubl: Partial<UblShape>, rules = sampleRules) =>
  shown(posted(map('cost', cost(over, ubl), rules)).journal);
const stopOf = (over: Raw, ubl: Partial<UblShape>, rules = sampleRules) => {
  const { outcome, reason } = stopped(map('cost', cost(over, ubl), rules));
  return `${outcome} ${reason}`;
};

describe('a negative VAT category in a purchase', () => {
  const returned = { amount: 11290, vat_S: 2400, vat_AA: -110 };
  const taxes = [
    { percent: 24, tax: 2400, taxable: 10000 },
    { percent: 11, tax: -110, taxable: -1000 },
  ];

  test('takes back expense and VAT of its rate', () => {
    expect(book(returned, { taxes })).toEqual([
      '6400 D 10000 I24',
      '6400 K 1000 I11',
      '1600 D 2400 I24',
      '1601 K 110 I11',
      '1910 K 11290',
    ]);
  });

  test('is turned with the rest of a credit note, in either sign', () => {
    const mirrored = [
      '6400 K 10000 I24',
      '6400 D 1000 I11',
      '1600 K 2400 I24',
      '1601 D 110 I11',
      '1910 D 11290',
    ];
    const negated = taxes.map(({ percent, tax, taxable }) => ({ percent, tax: -tax, taxable: -taxable }));
    expect(book(returned, { root: 'CreditNote', taxes })).toEqual(mirrored);
    expect(book(returned, { payable: -11290, taxes: negated })).toEqual(mirrored);
    expect(book(returned, { root: 'CreditNote', taxes: negated })).toEqual(mirrored);
  });

  test('may be more than what was bought at the other rate: then VAT comes to less than nothing', () => {
    const mostlyBack = [
      { percent: 24, tax: -2400, taxable: -10000 },
      { percent: 0, tax: 0, taxable: 20000 },
    ];
    expect(book({ amount: 7600, vat_S: -2400 }, { taxes: mostlyBack })).toEqual([
      '6400 K 10000 I24',
      '6400 D 20000 I0',
      '1600 K 2400 I24',
      '1910 K 7600',
    ]);
  });

  test('has its sign in a foreign currency, too', () => {
    const rules = rulesWith({ fx: { table: { EUR: { '2025-03-10': 150 } } } });
    const over = { currency: 'EUR', amount: '112.90', vat_S: 3600, vat_AA: -165 };
    const inEuros = [
      { percent: 24, tax: 24, taxable: 100 },
      { percent: 11, tax: '-1.10', taxable: -10 },
    ];
    expect(book(over, { taxes: inEuros }, rules)).toEqual([
      '6400 D 15000 I24 100',
      '6400 K 1500 I11 -10',
      '1600 D 3600 I24 24',
      '1601 K 165 I11 -1.1',
      '1910 K 16935 -112.9',
    ]);
  });

  test.each<[string, Raw, Partial<UblShape>]>([
    ['that only the cost has', returned, { taxes: taxes.slice(0, 1) }],
    ['that only the e-invoice has', { ...returned, vat_AA: 0 }, { taxes }],
    ['whose sign only the e-invoice has', { ...returned, vat_AA: 110 }, { taxes }],
  ])('%s waits for a person', (_what, over, ubl) => expect(stopOf(over, ubl)).toMatch(/^park /));

  test('without an e-invoice waits for a person', () => {
    const rules = rulesWith({ cost: { whenXmlMissing: 'assumeInvoice' } });
    const { outcome, reason } = stopped(map('cost', cost({ ...returned, xml: null }), rules));
    expect({ outcome, reason }).toEqual({ outcome: 'park', reason: 'VAT_IMPLAUSIBLE' });
  });
});

describe('a deposit that comes back in a purchase', () => {
  const over = { amount: 10400, vat_S: 2400 };
  const taxes = [
    { percent: 24, tax: 2400, taxable: 10000 },
    { percent: 0, tax: 0, taxable: -2000 },
  ];

  test('lowers the part without VAT, not the VAT', () => {
    expect(book(over, { taxes })).toEqual([
      '6400 D 10000 I24',
      '6400 K 2000 I0',
      '1600 D 2400 I24',
      '1910 K 10400',
    ]);
  });

  test('is no rounding, however small it is', () => {
    const small = [taxes[0]!, { percent: 0, tax: 0, taxable: -3 }];
    expect(book({ amount: 12397, vat_S: 2400 }, { taxes: small })).toEqual([
      '6400 D 10000 I24',
      '6400 K 3 I0',
      '1600 D 2400 I24',
      '1910 K 12397',
    ]);
  });
});

describe('VAT that only the e-invoice states', () => {
  const silent = { vat_S: 0, vat_AA: 0 };
  const taxes = [
    { percent: 24, tax: 1200, taxable: 5000 },
    { percent: 11, tax: 550, taxable: 5000 },
    { percent: 0, tax: 0, taxable: 650 },
  ];

  test('is part of the expense, rate by rate, where none of it comes back (hospitality)', () => {
    expect(book({ ...silent, cost_code: '3163' }, { taxes })).toEqual([
      '6520 D 6200 ND24',
      '6520 D 5550 ND11',
      '6520 D 650 I0',
      '1910 K 12400',
    ]);
  });

  test('is taken back with it on a credit note', () => {
    const one = [{ percent: 24, tax: 2400, taxable: 10000 }];
    expect(book({ ...silent, cost_code: '3163' }, { root: 'CreditNote', taxes: one })).toEqual([
      '6520 K 12400 ND24',
      '1910 D 12400',
    ]);
  });

  test('waits for a person where it could be deducted, in part or on a line', () => {
    const one = [{ percent: 24, tax: 2400, taxable: 10000 }];
    expect(stopOf(silent, { taxes: one })).toBe('park XML_MISMATCH');
    const half = rulesWith({ cost: { codes: { '2353': { vatDeductiblePercent: 50 } } } });
    expect(stopOf(silent, { taxes: one }, half)).toBe('park XML_MISMATCH');
    const kaffi =
      '<cac:InvoiceLine><cbc:LineExtensionAmount>10000</cbc:LineExtensionAmount><cac:Item><cbc:Name>Kaffi</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>24</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item></cac:InvoiceLine>';
    const byLine = rulesWith({ cost: { cases: [{ when: { line: 'kaffi' }, vatDeductiblePercent: 100 }] } });
    const meal = { ...silent, cost_code: '3163' };
    expect(stopOf(meal, { taxes: one, extra: kaffi }, byLine)).toBe('park XML_MISMATCH');
  });
});

describe('a fee or a discount on the whole invoice that only its amount shows', () => {
  const lines = { items: [item({ price: 100000 })] };
  const stop = (over: Raw, rules = sampleRules, context: Raw = {}) => {
    const { outcome, reason } = stopped(map('invoice', invoice({ ...lines, ...over }), rules, context));
    return `${outcome} ${reason}`;
  };

  test.each<[string, Raw]>([
    ['a payment fee', { amount: 124250 }],
    ['a payment fee, with totals of the lines', { amount: 124250, total_24vat: 100000 }],
    ['a discount', { amount: 111600 }],
    ['a discount, with totals of the lines', { amount: 111600, total_24vat: 100000 }],
    ['a fee on a small invoice', { amount: 1730, items: [item({ price: 1000 })] }],
    ['of a credit note', { amount: -124250, type: 'credit', refer_guid: 'a' }],
    [
      'in a foreign currency',
      { amount: '124.50', currency: 'EUR', exchange_rate: 150, items: [item({ price: 100 })] },
    ],
  ])('waits for a person, who can tell what it is: %s', (_what, over) =>
    expect(stop(over)).toBe('park TOTALS_MISMATCH'),
  );

  test('waits on the invoice of an exempt customer, too', () => {
    const exempt = { customer: { tax_exempt: true } };
    expect(stop({ amount: 100250 }, sampleRules, exempt)).toBe('park AMBIGUOUS_VAT');
    expect(stop({ amount: 100250, total_0vat: 100000 }, sampleRules, exempt)).toMatch(/^park /);
  });

  test('is refused where the rules say that lines and amount must agree', () => {
    const strict = rulesWith({ invoice: { whenLinesDiffer: 'reject' } });
    expect(stop({ amount: 124250 }, strict)).toBe('reject TOTALS_MISMATCH');
  });

  test('is no fee and no discount where more than half would be one', () => {
    expect(stop({ amount: 248001 })).toBe('reject TOTALS_MISMATCH');
    expect(stop({ amount: 61999 })).toBe('reject TOTALS_MISMATCH');
  });

  test('of a cost waits as well: its e-invoice states the same amount and VAT, and not where the rest went', () => {
    const taxes = [{ percent: 24, tax: 2400, taxable: 10000 }];
    expect(stopOf({ amount: 12000 }, { taxes })).toBe('park VAT_IMPLAUSIBLE');
    expect(book({ amount: 12650 }, { taxes })).toEqual([
      '6400 D 10000 I24',
      '6400 D 250 I0',
      '1600 D 2400 I24',
      '1910 K 12650',
    ]);
  });
});
