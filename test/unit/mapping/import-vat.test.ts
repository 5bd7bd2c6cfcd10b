// VAT on imported goods stands on the bill of customs, or of whoever brought them in, and not the price of the goods: it may be nearly
// all of the bill.
import { describe, expect, test } from 'vitest';
import {
  cost,
  map,
  posted,
  rulesWith,
  sampleRules,
  shown,
  stopped,
  type Raw,
  type UblShape,
} from './build.js';

const byCode = rulesWith({ cost: { codes: { '2353': { importVat: true } } } });
const bySupplier = rulesWith({ cost: { cases: [{ when: { supplier: '550119-2180' }, importVat: true }] } });
const customs = { amount: 24500, vat_S: 24000 };
const BOOKED = ['6400 D 500 I0', '1600 D 24000 I24', '1910 K 24500'];

const journalOf = (over: Raw, rules = sampleRules, ubl: Partial<UblShape> = {}) =>
  posted(map('cost', cost({ ...customs, ...over }, ubl), rules)).journal;
const book = (over: Raw, rules = sampleRules, ubl: Partial<UblShape> = {}) =>
  shown(journalOf(over, rules, ubl));
const stopOf = (over: Raw, rules = sampleRules, ubl: Partial<UblShape> = {}) => {
  const { outcome, reason } = stopped(map('cost', cost({ ...customs, ...over }, ubl), rules));
  return `${outcome} ${reason}`;
};

describe('import VAT', () => {
  const ofGoods = { taxes: [{ percent: 24, tax: 24000, taxable: 100000 }] };

  test('is booked where the e-invoice states it with the value of the goods', () => {
    expect(book({}, sampleRules, ofGoods)).toEqual(BOOKED);
    const vat = journalOf({}, sampleRules, ofGoods).lines.find(({ role }) => role === 'vat-in');
    expect(vat?.vatBase?.toFixed()).toBe('100000');
    expect(book({}, sampleRules, { ...ofGoods, inclusive: 24500 })).toEqual(BOOKED);
  });

  test.each([
    ['its code', byCode],
    ['its supplier', bySupplier],
  ])('is booked where the rules expect it of %s, whatever the e-invoice says of it', (_what, rules) => {
    for (const ubl of [
      ofGoods,
      { taxes: [{ percent: 0, tax: 0, taxable: 24500 }] },
      { taxes: [] },
      { taxes: [{ percent: 24, tax: 24000, taxable: 0 }] },
    ])
      expect(book({}, rules, ubl)).toEqual(BOOKED);
    const duties = { amount: 131000, vat_S: 24000 };
    const untaxed = { taxes: [{ percent: 0, tax: 0, taxable: 131000 }] };
    expect(book(duties, rules, untaxed)).toEqual(['6400 D 107000 I0', '1600 D 24000 I24', '1910 K 131000']);
  });

  test('is told from the VAT of whoever brought the goods in, where the e-invoice has that', () => {
    const agent = {
      taxes: [
        { percent: 24, tax: 480, taxable: 2000 },
        { percent: 0, tax: 0, taxable: 24000 },
      ],
    };
    expect(book({ amount: 26480, vat_S: 24480 }, byCode, agent)).toEqual([
      '6400 D 2000 I24',
      '1600 D 24480 I24',
      '1910 K 26480',
    ]);
  });

  test('leaves an ordinary bill of the same supplier as it is', () => {
    const taxes = [{ percent: 24, tax: 2400, taxable: 10000 }];
    expect(book({ amount: 12400, vat_S: 2400 }, bySupplier, { taxes })).toEqual([
      '6400 D 10000 I24',
      '1600 D 2400 I24',
      '1910 K 12400',
    ]);
  });

  test('waits for a person where neither the rules nor the e-invoice tell that it is', () => {
    expect(stopOf({})).toBe('park VAT_IMPLAUSIBLE');
    expect(stopOf({}, rulesWith({ cost: { whenXmlMissing: 'assumeInvoice' } }), {})).toMatch(/^park/);
    // The rest of the bill may have been paid beforehand, and nobody says so.
    expect(stopOf({}, sampleRules, { ...ofGoods, inclusive: 124000 })).toBe('park VAT_IMPLAUSIBLE');
  });

  test('waits where the ERP would reckon it itself', () => {
    const splitting = rulesWith({
      vat: { mode: 'erp-splits' },
      cost: { codes: { '2353': { importVat: true } } },
    });
    expect(stopOf({}, splitting, ofGoods)).toBe('park VAT_IMPLAUSIBLE');
  });

  test('is never more than the bill', () => {
    expect(stopOf({ vat_S: 24501 }, byCode)).toBe('park VAT_IMPLAUSIBLE');
    expect(stopOf({ vat_S: 24501 }, sampleRules, { taxes: [] })).toBe('reject VAT_IMPLAUSIBLE');
  });
});
