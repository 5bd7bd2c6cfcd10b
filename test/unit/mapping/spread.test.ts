// Income and cost of other months than their document: they wait on the balance sheet, and are released month by month.
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { journalFromJson, journalToJson, plainJournal } from '../../../src/domain/journal-json.js';
import { vatOfJournal } from '../../../src/operations/vat/vat-ledger.js';
import { mapRelease, releaseDays } from '../../../src/pipeline/mapping/map-document.js';
import { ruleAccounts, ruleClasses } from '../../../src/pipeline/mapping/rules.js';
import { cost, guid, invoice, item, map, posted, rulesWith, shown, stopped, type Raw } from './build.js';

const accounts = { deferredRevenue: '2600', prepaidExpense: '1700' };
const journal = (kind: 'invoice' | 'cost', raw: Raw, rules: Raw, context: Raw = {}) =>
  posted(map(kind, raw, rulesWith({ accounts, ...rules }), context)).journal;
const released = (booked: ReturnType<typeof journal>, day: string, rules: Raw = {}) =>
  shown(posted(mapRelease(booked, day, rulesWith({ accounts, ...rules }))).journal);

/** The worked example of docs/explanation/mapping.md: a year's subscription, sold in March. */
const SUBSCRIPTION = { invoice: { cases: [{ when: { item: 'ASKRIFT' }, spreadMonths: 12 }] } };
const subscription = invoice({ items: [item({ price: 100000, number: 'ASKRIFT' })] });

describe('a subscription for a year, by a case of the rules', () => {
  const booked = journal('invoice', subscription, SUBSCRIPTION);

  test('waits as deferred income; VAT is owed at once', () => {
    expect(shown(booked)).toEqual(['1500 D 124000', '2600 K 100000 U24', '2500 K 24000 U24']);
    const [vat] = vatOfJournal(plainJournal(booked), rulesWith({}));
    expect([vat?.box, vat?.base.toFixed(), vat?.vat.toFixed()]).toEqual(['A', '100000', '24000']);
  });

  test('is released on the last day of each month, all of it together, and says no VAT again', () => {
    const days = releaseDays(booked);
    expect([days[0], days.at(-1), days.length]).toEqual(['2025-03-31', '2026-02-28', 12]);
    expect(released(booked, '2025-03-31')).toEqual(['2600 D 8333', '3000 K 8333']);
    expect(released(booked, '2025-05-31')).toEqual(['2600 D 8333', '3000 K 8333']);
    const parts = days.map((day) => Number(released(booked, day)[1]?.split(' ')[2]));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(100000);
    expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    expect(stopped(mapRelease(booked, '2025-04-01', rulesWith({ accounts }))).reason).toBe(
      'NOTHING_TO_RELEASE',
    );
  });

  test('is kept with the entry, whatever the rules say later', () => {
    expect(journalFromJson(journalToJson(booked))).toEqual(booked);
    expect(released(journalFromJson(journalToJson(booked)), '2026-02-28')).toHaveLength(2);
  });

  test('says in the trace where it waits, where it goes, and when', () => {
    const { trace } = posted(map('invoice', subscription, rulesWith({ accounts, ...SUBSCRIPTION })));
    const about = trace
      .filter(({ line }) => line === 1)
      .map(({ field, value, rule }) => [field, value, rule]);
    expect(about).toEqual(
      expect.arrayContaining([
        ['account', '2600', 'accounts.deferredRevenue'],
        ['releasedTo', '3000', 'invoice.revenueByTreatment.S'],
        ['release', '2025-03-31 … 2026-02-28', 'invoice.cases.0.spreadMonths'],
      ]),
    );
  });

  test('is credited in August: what was released comes back at once, the rest month by month', () => {
    const credit = { ...subscription, type: 'credit', refer_guid: guid(), issue_date: '2025-08-15' };
    const original = { accounting_status: 'Posted', issue_date: '2025-03-10', delivery_date: '2025-03-10' };
    const undone = journal('invoice', credit, SUBSCRIPTION, { original });
    expect(shown(undone)).toEqual(['1500 K 124000', '2600 D 100000 U24', '2500 D 24000 U24']);
    // March to July, five of twelve parts, on the day of the credit note.
    expect(released(undone, '2025-08-15')).toEqual(['2600 K 41667', '3000 D 41667']);
    const both = (day: string) => [released(booked, day), released(undone, day)];
    expect(both('2025-09-30')).toEqual([
      ['2600 D 8333', '3000 K 8333'],
      ['2600 K 8333', '3000 D 8333'],
    ]);
    expect(releaseDays(undone).at(-1)).toBe('2026-02-28');
  });
});

describe('income by the month of its delivery', () => {
  const byDelivery = { invoice: { spread: 'delivery' } };

  test('a later delivery waits for its day', () => {
    const booked = journal('invoice', invoice({ delivery_date: '2025-06-12' }), byDelivery);
    expect(shown(booked)[1]).toBe('2600 K 100000 U24');
    expect(releaseDays(booked)).toEqual(['2025-06-12']);
    expect(released(booked, '2025-06-12')).toEqual(['2600 D 100000', '3000 K 100000']);
  });

  test('an earlier one is income of that month, on an account of its own where there is one', () => {
    const rules = { accounts: { ...accounts, accruedRevenue: '1550' }, ...byDelivery };
    const booked = journal('invoice', invoice({ delivery_date: '2025-01-20' }), rules);
    expect(shown(booked)[1]).toBe('1550 K 100000 U24');
    expect(releaseDays(booked)).toEqual(['2025-01-20']);
  });

  test('the same month, no delivery date, and no rule: booked as always', () => {
    for (const day of ['2025-03-31', ''])
      expect(shown(journal('invoice', invoice({ delivery_date: day }), byDelivery))[1]).toBe(
        '3000 K 100000 U24',
      );
    expect(shown(journal('invoice', invoice({ delivery_date: '2025-06-12' }), {}))[1]).toBe(
      '3000 K 100000 U24',
    );
  });

  test('nothing is released into a locked period', () => {
    const period = { lockedUntil: '2025-02-28', whenLocked: 'park' };
    const booked = journal('invoice', invoice({ delivery_date: '2025-01-20' }), { ...byDelivery, period });
    expect(shown(booked)[1]).toBe('3000 K 100000 U24');
    const later = journal('invoice', invoice({ delivery_date: '2025-06-12' }), byDelivery);
    const closed = rulesWith({ accounts, period: { lockedUntil: '2025-06-30', whenLocked: 'park' } });
    expect(stopped(mapRelease(later, '2025-06-12', closed)).reason).toBe('PERIOD_LOCKED');
  });
});

describe('cost', () => {
  const period = (from: string, until: string) =>
    `<cac:InvoicePeriod><cbc:StartDate>${from}</cbc:StartDate><cbc:EndDate>${until}</cbc:EndDate></cac:InvoicePeriod>`;
  const byDelivery = { cost: { spread: 'delivery' } };

  test('is spread over the months of the e-invoice’s period', () => {
    const rent = cost({}, { extra: period('2025-04-01', '2025-06-30') });
    const booked = journal('cost', rent, byDelivery);
    expect(shown(booked)[0]).toBe('1700 D 10000 I24');
    expect(releaseDays(booked)).toEqual(['2025-04-30', '2025-05-31', '2025-06-30']);
    expect(released(booked, '2025-05-31')).toEqual(['1700 K 3334', '6400 D 3334']);
  });

  test('an insurance, by a case, with the VAT that does not come back', () => {
    const rules = {
      cost: { cases: [{ when: { text: 'trygging' }, spreadMonths: 12, vatDeductiblePercent: 0 }] },
    };
    const booked = journal('cost', cost({ description: 'Trygging bifreiða' }), rules);
    expect(shown(booked)[0]).toMatch(/^1700 D 12400/);
    expect(booked.lines[0]?.release?.amount.toFixed()).toBe('12400');
    expect(releaseDays(booked)).toHaveLength(12);
  });

  test('where the ERP splits VAT, only what is left without it is released', () => {
    const rules = { ...byDelivery, vat: { mode: 'erp-splits' } };
    const booked = journal('cost', cost({}, { extra: period('2025-04-01', '2025-05-31') }), rules);
    expect(shown(booked)[0]).toBe('1700 D 12400 I24');
    expect(released(booked, '2025-04-30', rules)).toEqual(['1700 K 5000', '6400 D 5000']);
  });

  test('in euros is released in krónur of its own day', () => {
    const raw = cost(
      { amount: 124, currency: 'EUR', vat_S: 3595 },
      { extra: period('2025-04-01', '2025-05-31') },
    );
    const booked = journal('cost', raw, { ...byDelivery, fx: { table: { EUR: { '2025-03-10': 149.8 } } } });
    const total = booked.lines[0]?.release?.amount ?? new Decimal(0);
    const [april, may] = ['2025-04-30', '2025-05-31'].map((day) => released(booked, day));
    expect(april).toHaveLength(2);
    const parts = [april, may].map((lines) => Number(lines?.[1]?.split(' ')[2]));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total.toNumber());
  });
});

test('rules that spread without an account to wait on are refused', () => {
  expect(() => rulesWith(SUBSCRIPTION)).toThrow(/accounts.deferredRevenue/);
  expect(() => rulesWith({ cost: { spread: 'delivery' } })).toThrow(/accounts.prepaidExpense/);
});

test('the accounts that wait are in the chart, as what they are', () => {
  const rules = rulesWith({ accounts });
  expect(ruleAccounts(rules).accounts).toEqual(expect.arrayContaining(['1700', '2600']));
  expect([ruleClasses(rules)['1700'], ruleClasses(rules)['2600']]).toEqual(['Assets', 'Liabilities']);
});
