// What bookkeepers do by hand where the rules do not: accounts by period and by person, dimensions by customer, supplier and item.
import { describe, expect, test } from 'vitest';
import { ruleAccounts, ruleClasses } from '../../../src/pipeline/mapping/rules.js';
import { cost, guid, invoice, item, map, posted, rulesWith, shown, type Raw } from './build.js';

const journal = (kind: 'invoice' | 'cost', raw: Raw, rules: Raw, context: Raw = {}) =>
  posted(map(kind, raw, rulesWith(rules), context)).journal;

describe('a credit note for an invoice of a prior period', () => {
  const credit = invoice({ type: 'credit', refer_guid: guid(), issue_date: '2025-03-10' });
  const booked = (issued: string, rule: Raw, more: Raw = {}) =>
    shown(
      journal(
        'invoice',
        credit,
        { invoice: { priorPeriodCredit: { account: '3099', ...rule } }, ...more },
        { original: { accounting_status: 'Posted', issue_date: issued } },
      ),
    )[1];

  test.each([
    ['another year', '2024-12-30', {}, '3099 D 100000 U24'],
    ['this year', '2025-01-05', {}, '3000 D 100000 U24'],
    ['another month', '2025-02-27', { period: 'month' }, '3099 D 100000 U24'],
    ['this month', '2025-03-01', { period: 'month' }, '3000 D 100000 U24'],
  ])('%s: the revenue goes to its account, VAT stays', (_what, issued, rule, expected) =>
    expect(booked(issued, rule)).toBe(expected),
  );

  test('locked: what was issued before the lock', () => {
    const period = { period: { lockedUntil: '2025-02-28', whenLocked: 'park' } };
    expect(booked('2025-02-28', { period: 'locked' }, period)).toBe('3099 D 100000 U24');
    expect(booked('2025-03-01', { period: 'locked' }, period)).toBe('3000 D 100000 U24');
  });

  test('is booked as always without the rule, or where the original was not looked up', () => {
    expect(shown(journal('invoice', credit, {}))[1]).toBe('3000 D 100000 U24');
    expect(
      shown(journal('invoice', credit, { invoice: { priorPeriodCredit: { account: '3099' } } }))[1],
    ).toBe('3000 D 100000 U24');
  });
});

describe('what an employee paid', () => {
  const rules = { cost: { employees: { 'Jón Jónsson': '2441', Anna: '2442' } } };
  const credited = (over: Raw) => shown(journal('cost', cost(over), rules)).at(-1);

  test('is owed to the one whom the texts name', () => {
    expect(credited({ how_paid: 4, description: 'Leigubíll, jón jónsson' })).toBe('2441 K 12400');
    expect(credited({ how_paid: 4, project_name: 'Anna' })).toBe('2442 K 12400');
  });

  test('is owed to the owner where they name nobody, and only what an employee paid', () => {
    expect(credited({ how_paid: 4 })).toBe('2440 K 12400');
    expect(credited({ how_paid: 2, description: 'Anna' })).toBe('1910 K 12400');
  });
});

describe('dimensions by customer, supplier and item', () => {
  const dimensions = {
    byCustomer: { deild: { '4101212040': 'sala' } },
    byItem: { vara: { V1: 'A', V2: 'B' } },
    bySupplier: { deild: { '5501192180': 'innkaup' } },
  };

  test('each line has those of its item beside those of the customer', () => {
    const items = [item({ price: 40000, number: 'V1' }), item({ price: 60000, number: 'V2' })];
    const { lines } = journal('invoice', invoice({ items }), { dimensions });
    expect(lines.map((line) => line.dimensions)).toEqual([
      undefined,
      { deild: 'sala', vara: 'A' },
      { deild: 'sala', vara: 'B' },
      undefined,
    ]);
  });

  test('a case says more of a line than a table, and a table more than a text', () => {
    const rules = {
      dimensions: { ...dimensions, invoice: { booking: 'deild' } },
      invoice: { cases: [{ when: { item: 'V1' }, dimensions: { vara: 'X' } }] },
    };
    const { lines } = journal('invoice', invoice({ booking: 'annað' }), rules);
    expect(lines[1]?.dimensions).toEqual({ deild: 'sala', vara: 'X' });
  });

  test('a cost has those of its supplier, and the trace says which table', () => {
    const mapped = posted(map('cost', cost(), rulesWith({ dimensions })));
    expect(mapped.journal.lines[0]?.dimensions).toEqual({ deild: 'innkaup' });
    expect(mapped.trace.map(({ rule }) => rule)).toContain('dimensions.bySupplier.deild.5501192180');
  });
});

test('the country of a customer is IS or abroad', () => {
  const cases = [{ when: { country: 'abroad' }, account: '3021', vatCode: 'UX' }];
  const sold = (registration_no: string) => {
    const customer = { guid: guid(), name: 'Kunde', registration_no };
    const items = [item({ price: 1000, tax: 'Z' })];
    return shown(journal('invoice', invoice({ amount: 1000, items, customer }), { invoice: { cases } }))[1];
  };
  expect(sold('DE129273398')).toBe('3021 K 1000 UX');
  expect(sold('4101212040')).toBe('3020 K 1000 U0');
});

test('the ERP is asked for the accounts and values that they use', () => {
  const rules = rulesWith({
    invoice: { priorPeriodCredit: { account: '3099' } },
    cost: { employees: { Anna: '2442' } },
    dimensions: { byItem: { vara: { V1: 'A' } } },
  });
  const chart = ruleAccounts(rules);
  expect(chart.accounts).toEqual(expect.arrayContaining(['3099', '2442']));
  expect(chart.dimensions['vara']).toEqual(['A']);
  expect(ruleClasses(rules)).toMatchObject({ '3099': 'Income', '2442': 'Liabilities' });
});
