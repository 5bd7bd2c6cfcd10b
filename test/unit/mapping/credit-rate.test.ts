// A credit note takes back what its original booked, so it is worth what that was worth, whatever the currency did since.
import { describe, expect, test } from 'vitest';
import { invoice, item, map, posted, rulesWith, sampleRules, shown, stopped, type Raw } from './build.js';

const credit = (over: Raw = {}) =>
  invoice({
    ...{ type: 'credit', refer_guid: 'original', currency: 'EUR', exchange_rate: 0, amount: 124 },
    ...{ issue_date: '2025-06-10', items: [item({ price: 100 })] },
    ...over,
  });
const rules = rulesWith({ fx: { table: { EUR: { '2025-03-10': 140, '2025-06-10': 150 } } } });
const mapped = (original: Raw, over: Raw = {}, by = rules) =>
  map('invoice', credit(over), by, { original: { accounting_status: 'Posted', ...original } });
const rateOf = (original: Raw, over: Raw = {}) =>
  posted(mapped(original, over)).journal.exchangeRate.toFixed();

describe('a foreign credit note without a rate', () => {
  test.each([0, 1, null, undefined])(
    'takes the rate that its original states, where its own is %s',
    (exchange_rate) => {
      const outcome = posted(mapped({ exchange_rate: '142.5', issue_date: '2025-03-10' }, { exchange_rate }));
      expect(shown(outcome.journal)[0]).toBe('1500 K 17670 -124');
      expect(outcome.trace.find(({ field }) => field === 'exchangeRate')?.why.code).toBe(
        'ORIGINAL_STATES_IT',
      );
    },
  );

  test('takes the rate of the day of its original, where that states none either', () => {
    expect(rateOf({ issue_date: '2025-03-10' })).toBe('140');
    expect(rateOf({ issue_date: '2025-03-10', exchange_rate: 1 })).toBe('140');
  });

  test('waits for a person where the day of its original has no rate', () => {
    const outcome = stopped(mapped({ issue_date: '2025-02-10' }));
    expect(outcome).toMatchObject({ outcome: 'park', reason: 'FX_RATE_MISSING' });
    expect(outcome.why.params).toMatchObject({ date: '2025-02-10' });
  });

  test('waits for a person where the rate of its original is far off', () => {
    expect(stopped(mapped({ exchange_rate: '0.0067' }))).toMatchObject({
      outcome: 'park',
      reason: 'FX_RATE_IMPLAUSIBLE',
    });
  });

  test('takes the rate of its own day where nothing is known of its original', () => {
    expect(rateOf({})).toBe('150');
    expect(posted(map('invoice', credit(), rules)).journal.exchangeRate.toFixed()).toBe('150');
  });

  test('takes no rate of another currency', () => {
    expect(rateOf({ currency: 'USD', exchange_rate: 130, issue_date: '2025-03-10' })).toBe('140');
  });
});

test('a credit note that states a rate keeps it', () => {
  expect(rateOf({ exchange_rate: '142.5' }, { exchange_rate: '149' })).toBe('149');
});

test('a plain invoice asks for no original', () => {
  const plain = credit({ type: 'invoice', refer_guid: '' });
  const context = { original: { accounting_status: 'Posted', exchange_rate: '142.5' } };
  expect(posted(map('invoice', plain, rules, context)).journal.exchangeRate.toFixed()).toBe('150');
  expect(stopped(map('invoice', plain, sampleRules, context)).reason).toBe('FX_RATE_MISSING');
});
