import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isCoded } from '../../../src/domain/errors/coded-error.js';
import {
  ruleAccounts,
  parseRules,
  tenantRules,
  deepMergeRules,
} from '../../../src/pipeline/mapping/rules.js';
import { cost, fixture, invoice, map, posted, rulesWith, sampleRules } from './build.js';

const folder = new URL('../../../config/rules/', import.meta.url);
const bundled = readdirSync(folder);
const readBundled = (name: string): unknown => parse(readFileSync(new URL(name, folder), 'utf8'));

describe('bundled rules', () => {
  test('are the default and a starting point for dk, Business Central and Odoo', () => {
    expect(bundled.sort()).toEqual(['business-central.yaml', 'default.yaml', 'dk.yaml', 'odoo.yaml']);
  });

  test.each(bundled)('%s is complete and books an invoice and a cost', (name) => {
    const rules = parseRules(readBundled(name), name);
    expect(posted(map('invoice', invoice(), rules)).journal.lines).toHaveLength(3);
    expect(posted(map('cost', cost({ how_paid: 1 }), rules)).journal.lines).toHaveLength(3);
  });

  test.each(bundled)('%s has a rule for every documented cost code', (name) => {
    const rules = parseRules(readBundled(name), name);
    const documented = (fixture('cost-codes.json') as { code: string }[]).map(({ code }) => code);
    expect(Object.keys(rules.cost.codes).sort()).toEqual(documented.sort());
  });

  test('the default says what the specification’s sample says, in its newer words', () => {
    const sample = fixture('rules.default.json') as Record<string, unknown>;
    const newer = JSON.parse(JSON.stringify(sample).replaceAll('"error"', '"park"')) as Record<
      string,
      unknown
    >;
    const { _comment, ...rules } = newer;
    expect(_comment).toBeTypeOf('string');
    expect(readBundled('default.yaml')).toEqual(rules);
  });
});

describe('rules', () => {
  const problem = (value: unknown): string => {
    try {
      parseRules(value, 'rules.yaml');
    } catch (error) {
      if (isCoded(error, 'MAPPING_RULES_INVALID')) return error.message;
      throw error;
    }
    return '';
  };

  test.each([
    ['an unknown key', { accounts: { recievable: '1500' } }, 'accounts'],
    ['an account that is a number', { accounts: { receivable: 1500 } }, 'put it in quotes'],
    ['a policy that does not exist', { period: { whenLocked: 'ignore' } }, 'period.whenLocked'],
    ['a rate of zero', { fx: { table: { EUR: { '2025-03-10': 0 } } } }, 'fx.table.EUR'],
    ['a rate on no day', { fx: { table: { EUR: { 'March 10': 150 } } } }, 'fx.table.EUR'],
    ['a lock until a day that is none', { period: { lockedUntil: '2025-99-99' } }, 'period.lockedUntil'],
    ['a cut-over on a day that is none', { skip: { before: '2025-02-29' } }, 'skip.before'],
    ['a rate on a day that is none', { fx: { table: { EUR: { '2025-02-99': 150 } } } }, '2025-02-99'],
    [
      'a deduction above all',
      { cost: { codes: { '2353': { vatDeductiblePercent: 101 } } } },
      'cost.codes.2353',
    ],
    ['a template with a field that does not exist', { descriptions: { invoice: '{nubmer}' } }, '{number}'],
    [
      'a dimension of a field that does not exist',
      { dimensions: { invoice: { project: 'p' } } },
      'dimensions.invoice',
    ],
  ])('with %s are refused, and the message says where', (_what, over, where) => {
    expect(problem(deepMergeRules(sampleRules, over))).toContain(where);
  });

  test('may carry comments', () =>
    expect(tenantRules.safeParse({ ...sampleRules, _comment: 'ours' }).success).toBe(true));

  test('merge table by table; lists and values replace, null takes away', () => {
    const merged = deepMergeRules(
      { a: { b: 1, c: { d: 2 } }, list: [1, 2], gone: 1 },
      { a: { c: { e: 3 } }, list: [3], gone: null },
    );
    expect(merged).toEqual({ a: { b: 1, c: { d: 2, e: 3 } }, list: [3] });
  });

  test('do not let a document reach into what objects inherit', () => {
    deepMergeRules({}, JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('what rules can produce', () => {
  test('names every account, VAT code and dimension value that a journal uses', () => {
    const rules = rulesWith({
      invoice: { settlement: 'all' },
      cost: { reverseCharge: 'both', codes: { '2353': { vatDeductiblePercent: 50 } } },
      dimensions: { values: { costLocation: { RVK: '10' } } },
    });
    const chart = ruleAccounts(rules);
    for (const name of [
      '1500',
      '3000',
      '2500',
      '1600',
      '2410',
      '2600',
      '1603',
      '2502',
      '9900',
      '1930',
      '8050',
      '3090',
    ]) {
      expect(chart.accounts).toContain(name);
    }
    expect(chart.vatCodes).toEqual([
      'I0',
      'I11',
      'I24',
      'ND11',
      'ND24',
      'P11',
      'P24',
      'RC24',
      'U0',
      'U11',
      'U24',
    ]);
    expect(chart.dimensions).toEqual({ costLocation: ['10'], project: [] });
  });

  test('leaves out what no rule can reach', () => {
    const { accounts, vatCodes } = ruleAccounts(rulesWith({ vat: { mode: 'erp-splits' } }));
    for (const name of ['2500', '1600', '1603', '1910x', '8000']) expect(accounts).not.toContain(name);
    expect(vatCodes).not.toContain('RC24');
  });
});
