// Rules for one customer, supplier, item, country or text: the first that fits decides, and says so in the trace.
import { describe, expect, test } from 'vitest';
import { ruleAccounts, ruleClasses } from '../../../src/pipeline/mapping/rules.js';
import { base64, cost, invoice, item, map, posted, rulesWith, shown, ublXml, type Raw } from './build.js';

const book = (kind: 'invoice' | 'cost', raw: Raw, rules: ReturnType<typeof rulesWith>, context: Raw = {}) =>
  shown(posted(map(kind, raw, rules, context)).journal);

describe('cases of an invoice', () => {
  const cases = (...list: Raw[]) => rulesWith({ invoice: { cases: list } });

  test.each([
    ['customer', { customer: '410121-2040' }],
    ['one of several customers', { customer: ['1', '4101212040'] }],
    ['item', { item: 'V1' }],
    ['tax', { tax: ['S', 'AA'] }],
    ['currency', { currency: 'ISK' }],
    ['text', { text: 'vara v' }],
    ['all of them', { customer: '4101212040', item: 'V1', text: 'VARA' }],
  ])('by %s', (_by, when) => {
    expect(book('invoice', invoice(), cases({ when, account: '3100' }))[1]).toBe('3100 K 100000 U24');
  });

  test.each([
    { customer: '1' },
    { item: 'V' },
    { tax: 'Z' },
    { text: 'vél' },
    { item: 'V1', currency: 'EUR' },
  ])('%o does not fit', (when) =>
    expect(book('invoice', invoice(), cases({ when, account: '3100' }))[1]).toBe('3000 K 100000 U24'),
  );

  test('by category, where the item was looked up', () => {
    const line = item({ price: 100000, guid: 'g' });
    const rules = cases({ when: { category: 'Ráðgjöf' }, account: '3100' });
    const context = { items: { g: { category: 'Ráðgjöf' } } };
    expect(book('invoice', invoice({ items: [line] }), rules, context)[1]).toBe('3100 K 100000 U24');
  });

  test('the first that fits wins, and the trace names it', () => {
    const rules = cases(
      { when: { item: 'V9' }, account: '3900' },
      { when: { item: 'V1' }, account: '3100', dimensions: { deild: 'sala' } },
      { when: { tax: 'S' }, account: '3200' },
    );
    const outcome = posted(map('invoice', invoice(), rules));
    expect(outcome.journal.lines[1]).toMatchObject({ account: '3100', dimensions: { deild: 'sala' } });
    const traced = outcome.trace.filter(({ line }) => line === 1).map(({ rule }) => rule);
    expect(traced).toEqual(['invoice.cases.1.account', 'vat.out.S', 'invoice.cases.1.dimensions.deild']);
  });

  test('tells export from exempt on lines without VAT, and leaves taxed lines their code', () => {
    const items = [
      item({ price: 1000, tax: 'Z', number: 'EXP' }),
      item({ price: 2000, tax: 'Z' }),
      item({ price: 100 }),
    ];
    const rules = cases({ when: { item: ['EXP', 'V1'], tax: ['Z', 'S'] }, vatCode: 'UX' });
    expect(book('invoice', invoice({ amount: 3124, items }), rules)).toEqual([
      '1500 D 3124',
      '3020 K 3000 UX',
      '3000 K 100 U24',
      '2500 K 24 U24',
    ]);
  });

  test('lines with other dimensions are other lines', () => {
    const items = [item({ price: 600, number: 'A' }), item({ price: 400, number: 'B' })];
    const rules = cases(
      { when: { item: 'A' }, dimensions: { deild: 'a' } },
      { when: { item: 'B' }, dimensions: { deild: 'b' } },
    );
    expect(book('invoice', invoice({ amount: 1240, items }), rules)).toEqual([
      '1500 D 1240',
      '3000 K 600 U24',
      '3000 K 400 U24',
      '2500 K 240 U24',
    ]);
  });
});

describe('cases of a cost', () => {
  const cases = (...list: Raw[]) =>
    rulesWith({ cost: { cases: list }, fx: { table: { EUR: { '2025-03-10': 150 } } } });

  test.each([
    ['supplier', { supplier: '550119-2180' }],
    ['code', { code: '2353' }],
    ['country', { country: 'IS' }],
    ['currency', { currency: 'ISK' }],
    ['way of paying', { howPaid: '2' }],
    ['text', { text: ['leiga', 'kostn'] }],
    ['name of the supplier', { text: 'birgir ehf' }],
  ])('by %s', (_by, when) => {
    expect(book('cost', cost(), cases({ when, account: '6410' }))).toEqual([
      '6410 D 10000 I24',
      '1600 D 2400 I24',
      '1910 K 12400',
    ]);
  });

  test('decides on the deduction, what is credited, and dimensions', () => {
    const when = { supplier: '5501192180' };
    const rules = cases({
      when,
      vatDeductiblePercent: 0,
      creditAccount: '2445',
      dimensions: { maður: 'Jón' },
    });
    const outcome = posted(map('cost', cost({ how_paid: 4 }), rules));
    expect(shown(outcome.journal)).toEqual(['6400 D 12400 ND24', '2445 K 12400']);
    expect(outcome.journal.lines[0]?.dimensions).toEqual({ maður: 'Jón' });
    expect(outcome.trace.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining([
        'cost.cases.0.vatDeductiblePercent',
        'cost.cases.0.creditAccount',
        'cost.cases.0.dimensions.maður',
      ]),
    );
  });

  const line = (name: string, amount: number, percent: number) =>
    `<cac:InvoiceLine><cbc:LineExtensionAmount currencyID="ISK">${String(amount)}</cbc:LineExtensionAmount><cac:Item>` +
    `<cbc:Name>${name}</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>${String(percent)}</cbc:Percent>` +
    '</cac:ClassifiedTaxCategory></cac:Item></cac:InvoiceLine>';
  const split = (over: Raw, taxes: { percent: number; tax: number; taxable: number }[], lines: string[]) =>
    cost({
      ...over,
      xml: base64(
        ublXml({ payable: over['amount'], taxes }).replace('</Invoice>', `${lines.join('')}</Invoice>`),
      ),
    });

  test('splits a cost by the lines of its e-invoice, with one line of VAT a code', () => {
    const raw = split(
      { amount: 12400, vat_S: 2400 },
      [{ percent: 24, tax: 2400, taxable: 10000 }],
      [line('Prentari', 7000, 24), line('Kaffi', 1000, 24), line('Blek í prentara', 2000, 24)],
    );
    const rules = cases(
      { when: { line: 'prentar' }, account: '6130' },
      { when: { line: 'kaffi' }, account: '6520', vatDeductiblePercent: 0 },
    );
    expect(book('cost', raw, rules)).toEqual([
      '6130 D 9000 I24',
      '6520 D 1240 ND24',
      '1600 D 2160 I24',
      '1910 K 12400',
    ]);
  });

  test('lines that no case knows stay with the cost, and rates are split apart', () => {
    const raw = split(
      { amount: 17950, vat_S: 2400, vat_AA: 550 },
      [
        { percent: 24, tax: 2400, taxable: 10000 },
        { percent: 11, tax: 550, taxable: 5000 },
      ],
      [line('Vinna', 3333, 24), line('Efni', 6667, 24), line('Bækur', 5000, 11)],
    );
    expect(book('cost', raw, cases({ when: { line: ['efni', 'bækur'] }, account: '6130' }))).toEqual([
      '6130 D 6667 I24',
      '6400 D 3333 I24',
      '6130 D 5000 I11',
      '1600 D 2400 I24',
      '1601 D 550 I11',
      '1910 K 17950',
    ]);
  });

  test('lines that cannot be shared by, such as a return, leave the cost whole', () => {
    const raw = split(
      { amount: 12400, vat_S: 2400 },
      [{ percent: 24, tax: 2400, taxable: 10000 }],
      [line('Efni', 12000, 24), line('Skil', -2000, 24)],
    );
    expect(book('cost', raw, cases({ when: { line: 'efni' }, account: '6130' }))).toEqual([
      '6400 D 10000 I24',
      '1600 D 2400 I24',
      '1910 K 12400',
    ]);
  });
});

test('what cases can produce is checked against the chart, and has its class', () => {
  const rules = rulesWith({
    invoice: {
      cases: [{ when: { item: 'A' }, account: '7100', vatCode: 'UX', dimensions: { deild: 'sala' } }],
    },
    cost: { cases: [{ when: { code: '2353' }, account: '3990', creditAccount: '2445' }] },
  });
  const { accounts, vatCodes, dimensions } = ruleAccounts(rules);
  expect(dimensions).toMatchObject({ deild: ['sala'] });
  expect(accounts).toEqual(expect.arrayContaining(['7100', '3990', '2445']));
  expect(vatCodes).toContain('UX');
  expect(ruleClasses(rules)).toMatchObject({ '7100': 'Income', '3990': 'Expenses' });
});

test('a case that nothing has to fit is refused', () => {
  expect(() => rulesWith({ invoice: { cases: [{ when: {}, account: '1' }] } })).toThrow('at least one');
});
