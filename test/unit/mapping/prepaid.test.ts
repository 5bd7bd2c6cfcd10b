// A bill of which a part was paid beforehand: that changes what is owed, not what was bought nor its VAT.
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

const knowing = rulesWith({ accounts: { supplierPrepayments: '1650' } });
const taxes = [{ percent: 24, tax: 24000, taxable: 100000 }];
const ubl = { payable: 24800, inclusive: 124000, prepaid: 99200, taxes };
const over = { amount: 24800, vat_S: 24000, how_paid: 1 };
const book = (raw: Raw = {}, rules = knowing, shape: Partial<UblShape> = {}) =>
  shown(posted(map('cost', cost({ ...over, ...raw }, { ...ubl, ...shape }), rules)).journal);
const stopOf = (raw: Raw = {}, rules = sampleRules, shape: Partial<UblShape> = {}) => {
  const { outcome, reason } = stopped(map('cost', cost({ ...over, ...raw }, { ...ubl, ...shape }), rules));
  return `${outcome} ${reason}`;
};

describe('a cost of what is left to pay, with the VAT of the whole', () => {
  test('is booked as a whole, and what was paid is taken from the account that has it', () => {
    expect(book()).toEqual(['6400 D 100000 I24', '1600 D 24000 I24', '2410 K 24800', '1650 K 99200']);
  });

  test('is booked in the other sense as a credit note', () => {
    expect(book({}, knowing, { root: 'CreditNote' })).toEqual([
      '6400 K 100000 I24',
      '1600 K 24000 I24',
      '2410 D 24800',
      '1650 D 99200',
    ]);
  });

  test('is booked in its currency, too, to the cent', () => {
    const rules = rulesWith({
      accounts: { supplierPrepayments: '1650' },
      fx: { table: { EUR: { '2025-03-10': '149.37' } } },
    });
    const euros = { currency: 'EUR', amount: '24.80', vat_S: 3585 };
    const shape = {
      payable: '24.80',
      inclusive: 124,
      prepaid: '99.20',
      taxes: [{ percent: 24, tax: 24, taxable: 100 }],
    };
    expect(book(euros, rules, shape)).toEqual([
      '6400 D 14937 I24 100',
      '1600 D 3585 I24 24',
      '2410 K 3704 -24.8',
      '1650 K 14818 -99.2',
    ]);
  });

  test('owes nothing where all of it was paid', () => {
    const paid = { payable: 0, inclusive: 124000, prepaid: 124000 };
    expect(book({ amount: 0 }, knowing, paid)).toEqual([
      '6400 D 100000 I24',
      '1600 D 24000 I24',
      '1650 K 124000',
    ]);
  });

  test('waits for a person where the rules name no such account', () => {
    expect(stopOf()).toBe('park PREPAID_WITHOUT_ACCOUNT');
    expect(stopOf({ vat_S: 0 }, sampleRules, { taxes: [] })).toBe('park PREPAID_WITHOUT_ACCOUNT');
  });

  test('waits where the cost has the VAT of what is left alone', () => {
    for (const rules of [sampleRules, knowing])
      expect(stopOf({ vat_S: 4800 }, rules)).toBe('park XML_MISMATCH');
  });
});

test('a cost of the whole is owed as a whole: what was paid stands with the supplier', () => {
  const whole = { amount: 124000 };
  for (const rules of [sampleRules, knowing])
    expect(book(whole, rules)).toEqual(['6400 D 100000 I24', '1600 D 24000 I24', '2410 K 124000']);
});
