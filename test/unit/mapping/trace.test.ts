import { describe, expect, test } from 'vitest';
import type { TraceEntry } from '../../../src/pipeline/mapping/trace.js';
import { cost, guid, invoice, item, map, posted, rulesWith, sampleRules, type Raw } from './build.js';

const about = (trace: readonly TraceEntry[], line: number | null, field: string): string[] =>
  trace.filter((entry) => entry.line === line && entry.field === field).map(({ rule }) => rule);

function ruleAt(rules: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Raw | undefined)?.[key], rules);
}

describe('the trace', () => {
  const rules = rulesWith({
    invoice: { revenueByItemNumber: { A: '3001' }, revenueByCategory: { K: '3002' }, settlement: 'all' },
    dimensions: { invoice: { cost_provide: 'location' }, values: { location: { RVK: '10' } } },
  });
  const two = guid();
  const raw = invoice({
    amount: 372,
    cost_provide: 'RVK',
    status: 'Paid',
    items: [item({ price: 100, number: 'A' }), item({ price: 200, number: 'B', guid: two })],
  });
  const mapped = posted(
    map('invoice', raw, rules, { items: { [two]: { category: 'K' } }, methodPayment: 1 }),
  );

  test('says of every line which rule chose its account', () => {
    const chosen = mapped.journal.lines.map((_line, at) =>
      about(
        mapped.trace.filter(({ journal }) => journal === 'document'),
        at,
        'account',
      ),
    );
    expect(chosen).toEqual([
      ['accounts.receivable'],
      ['invoice.revenueByItemNumber.A'],
      ['invoice.revenueByCategory.K'],
      ['accounts.vatOut.S'],
    ]);
    const settled = mapped.trace.filter(({ journal }) => journal === 'settlement');
    expect(about(settled, 0, 'account')).toEqual(['accounts.byPaymentMethod.1']);
  });

  test('says which rule chose VAT code and dimension', () => {
    expect(about(mapped.trace, 1, 'vatCode')).toContain('vat.out.S');
    expect(about(mapped.trace, 1, 'dimension')).toEqual(['dimensions.values.location.RVK']);
  });

  test('names what was decided about the whole document', () => {
    const fields = mapped.trace.filter(({ line }) => line === null).map(({ field }) => field);
    expect(fields).toEqual(['documentNo', 'figures', 'exchangeRate', 'postingDate']);
  });

  test.each([
    ['an invoice', map('invoice', raw, rules, { methodPayment: 1 })],
    [
      'a credit note with totals',
      map('invoice', invoice({ type: 'credit', refer_guid: 'o', amount: 111600, total_24vat: 90000 }), rules),
    ],
    ['a cost with both rates', map('cost', cost({ amount: 23550, vat_AA: 1100, how_paid: 1 }), rules)],
    [
      'an alias without deduction',
      map(
        'cost',
        cost({ cost_code: 'Items' }),
        rulesWith({ cost: { codes: { '2353': { vatDeductiblePercent: 0 } } } }),
      ),
    ],
    [
      'a reverse charge',
      map('cost', cost({ vat_S: 0 }, { country: 'IE' }), rulesWith({ cost: { reverseCharge: 'both' } })),
    ],
  ])('every account and VAT code of %s is the value of the rule that it names', (_what, outcome) => {
    const { trace, journal } = posted(outcome);
    const choices = trace.filter(
      ({ field, journal: of }) => of === 'document' && (field === 'account' || field === 'vatCode'),
    );
    expect(choices.length).toBeGreaterThanOrEqual(journal.lines.length);
    for (const { line, field, value, rule } of choices) {
      const booked = journal.lines[line ?? -1];
      expect(field === 'account' ? booked?.account : booked?.vatCode).toBe(value);
      expect([ruleAt(rules, rule), ruleAt(sampleRules, rule)]).toContain(value);
    }
    for (const [at, line] of journal.lines.entries()) {
      expect(about(choices, at, 'account')).toHaveLength(1);
      expect(about(choices, at, 'vatCode')).toHaveLength(line.vatCode === undefined ? 0 : 1);
    }
  });
});
