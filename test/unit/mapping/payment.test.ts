import { describe, expect, test } from 'vitest';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { invoice, item, posted, rulesWith, shown, stopped, type Raw } from './build.js';

const RULES: Raw = { invoice: { settlement: 'all' } };
const EXCHANGE: Raw = {
  ...RULES,
  accounts: { exchangeGain: '8030', exchangeLoss: '8130' },
  fx: { table: { EUR: { '2025-03-10': 150, '2025-04-01': 152, '2025-04-20': 147.5 } } },
};

/** The last of these readings of one invoice; the first is the one that was booked. */
const pay = (readings: readonly Raw[], rules: Raw = RULES, context: Raw = {}) => {
  const whole = readings.map((over) => invoice({ guid: 'a1', ...over }));
  const record = {
    kind: 'payment',
    document: whole.at(-1),
    context: { before: whole.slice(0, -1), paidOn: '2025-04-01', ...context },
  };
  return mapRecord(record, new RuleLayers(rulesWith(rules)));
};
const book = (...given: Parameters<typeof pay>) => shown(posted(pay(...given)).journal);
const reason = (...given: Parameters<typeof pay>) => stopped(pay(...given)).reason;

const SENT = { claim_status: 'sent' };
const LATE = {
  status: 'Paid',
  claim_status: 'paid',
  bank_transaction_amount: 125780,
  capital_gains_tax: 220,
  default_interest_amount: 1000,
  default_charge_amount: 950,
  other_default_costs_amount: 50,
};

describe('a claim that is paid after its invoice was booked', () => {
  test('brings interest, costs and withheld tax on the day it was paid', () => {
    const mapped = posted(pay([SENT, LATE]));
    expect(shown(mapped.journal)).toEqual([
      '1910 D 125780',
      '1520 D 220',
      '1500 K 124000',
      '8000 K 1000',
      '8050 K 1000',
    ]);
    expect(mapped.journal).toMatchObject({
      postingDate: '2025-04-01',
      documentDate: '2025-04-01',
      documentNo: 'SR1001',
      externalReference: 'a1',
    });
  });

  test('in parts: each part closes what it brought, and the last one closes the rest', () => {
    const part = { ...SENT, bank_transaction_amount: 50000 };
    expect(book([SENT, part])).toEqual(['1910 D 50000', '1500 K 50000']);
    expect(book([SENT, part, LATE])).toEqual([
      '1910 D 75780',
      '1520 D 220',
      '1500 K 74000',
      '8000 K 1000',
      '8050 K 1000',
    ]);
  });

  test('interest and costs come first in a part payment', () => {
    const part = {
      ...SENT,
      bank_transaction_amount: 10000,
      default_interest_amount: 400,
      default_charge_amount: 950,
    };
    expect(book([SENT, part])).toEqual(['1910 D 10000', '1500 K 8650', '8000 K 400', '8050 K 950']);
  });

  test('the settlement that was booked with the invoice counts', () => {
    expect(reason([LATE, LATE])).toBe('NOTHING_TO_SETTLE');
  });

  test('taken back, everything that was booked of it is booked the other way', () => {
    expect(book([SENT, LATE, SENT])).toEqual([
      '1910 K 125780',
      '1520 K 220',
      '1500 D 124000',
      '8000 D 1000',
      '8050 D 1000',
    ]);
    expect(book([LATE, SENT])).toContain('1500 D 124000');
    expect(reason([SENT, LATE, SENT, SENT])).toBe('NOTHING_TO_SETTLE');
  });

  test('a part that is taken back reopens that part', () => {
    const part = (amount: number) => ({ ...SENT, bank_transaction_amount: amount });
    expect(book([SENT, part(50000), part(20000)])).toEqual(['1910 K 30000', '1500 D 30000']);
  });

  test('a króna that the bank rounded goes to rounding, two wait for a person', () => {
    expect(book([SENT, { ...LATE, bank_transaction_amount: 125779 }]).at(-1)).toBe('9900 D 1');
    expect(pay([SENT, { ...LATE, bank_transaction_amount: 125778 }])).toMatchObject({
      outcome: 'park',
      reason: 'PAYMENT_AMOUNTS_MISMATCH',
    });
  });

  test('more than is owed waits for a person too', () => {
    expect(reason([SENT, { ...SENT, bank_transaction_amount: 130000 }])).toBe('PAYMENT_AMOUNTS_MISMATCH');
  });
});

describe('an invoice that is marked as paid after it was booked', () => {
  test('is paid by the way that is known, else by clearing', () => {
    expect(book([{}, { status: 'Paid' }])).toEqual(['1940 D 124000', '1500 K 124000']);
    expect(book([{}, { status: 'Paid' }], RULES, { methodPayment: '9' })[0]).toBe('1910 D 124000');
  });

  test('closes only what parts of a claim have left open', () => {
    const part = { ...SENT, bank_transaction_amount: 24000 };
    expect(book([SENT, part, { ...part, status: 'Paid', claim_status: 'cancel' }])).toEqual([
      '1940 D 100000',
      '1500 K 100000',
    ]);
  });

  test.each([
    ['claims alone are followed', { invoice: { settlement: 'claim' } }, { status: 'Paid' }],
    ['nothing is followed', { invoice: { settlement: 'none' } }, LATE],
    ['whether it was paid back is not shown', RULES, { status: 'Cancelled' }],
    ['nothing came in', RULES, { status: 'Collection' }],
  ])('nothing is booked where %s', (_why, rules, over) =>
    expect(reason([{}, over], rules)).toBe('NOTHING_TO_SETTLE'),
  );

  test('the books are locked: on the first open day, with a warning', () => {
    const period = { lockedUntil: '2025-04-15', whenLocked: 'firstOpenDay' };
    const mapped = posted(pay([{ issue_date: '2025-04-16' }, { status: 'Paid' }], { ...RULES, period }));
    expect(mapped.journal).toMatchObject({ postingDate: '2025-04-16', documentDate: '2025-04-01' });
  });
});

describe('a foreign invoice that is paid later', () => {
  const euros = {
    currency: 'EUR',
    amount: 1240,
    exchange_rate: 150,
    items: [item({ price: 1000 })],
  };
  const paid = { ...euros, status: 'Paid' };

  test('comes in at the rate of the day, and what the currency rose is a gain', () => {
    const mapped = posted(pay([euros, paid], EXCHANGE));
    expect(shown(mapped.journal)).toEqual(['1940 D 188480 1240', '1500 K 186000 -1240', '8030 K 2480']);
    expect(mapped.journal.exchangeRate.toString()).toBe('152');
  });

  test('what it fell is a loss', () => {
    expect(book([euros, paid], EXCHANGE, { paidOn: '2025-04-20' })).toEqual([
      '1940 D 182900 1240',
      '1500 K 186000 -1240',
      '8130 D 3100',
    ]);
  });

  test('taken back, the difference goes back too', () => {
    expect(book([euros, paid, euros], EXCHANGE)).toEqual([
      '1940 K 188480 -1240',
      '1500 D 186000 1240',
      '8030 D 2480',
    ]);
  });

  test('without accounts for the difference it is booked at the rate of the invoice', () => {
    expect(book([euros, paid])).toEqual(['1940 D 186000 1240', '1500 K 186000 -1240']);
  });

  test('without a rate of the day it waits', () => {
    expect(reason([euros, paid], EXCHANGE, { paidOn: '2025-06-30' })).toBe('FX_RATE_MISSING');
  });
});

test('every line says which rule chose its account', () => {
  const { trace } = posted(pay([SENT, LATE]));
  expect(trace.filter(({ field }) => field === 'account').map(({ rule }) => rule)).toEqual([
    'accounts.bank',
    'accounts.withheldCapitalTax',
    'accounts.receivable',
    'accounts.interestIncome',
    'accounts.collectionIncome',
  ]);
});
