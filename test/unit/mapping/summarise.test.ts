// One journal a day: which documents are in it, which lines are added up, and how each document is still found in it.
import { describe, expect, test } from 'vitest';
import { plainJournal } from '../../../src/domain/journal-json.js';
import { isPostingKey, postingKey } from '../../../src/domain/posting-key.js';
import { vatOfJournal } from '../../../src/operations/vat/vat-ledger.js';
import { openRuleBook, tenantRules } from '../../../src/pipeline/mapping/rules.js';
import {
  closingOf,
  isSummarised,
  readSummaryGuid,
  summarise,
  summaryGuid,
  summaryNumber,
} from '../../../src/pipeline/mapping/make-journal.js';
import { cost, guid, invoice, item, map, posted, rulesWith, shown, type Raw } from './build.js';

const daily = rulesWith({ summary: { invoices: 'daily' } });
const keyOf = (guid: string) =>
  postingKey({
    ...{ environment: 'production', sourceAccount: '4504013150', ledger: 'l', generation: 0 },
    ...{ kind: 'invoice', guid },
  });
const one = (raw: Raw, number: string, context: Raw = {}) => ({
  key: keyOf(number),
  journal: posted(map('invoice', { ...invoice({}), ...raw, number }, daily, context)).journal,
});
const name = { kind: 'invoice', day: '2025-03-10', serial: 1 } as const;

/** The worked example of docs/explanation/mapping.md: two sales, one of them mixed, and a credit note. */
const sale = one(invoice({ items: [item({ price: 100000 })] }), '1001');
const mixed = one(
  invoice({ amount: 13510, items: [item({ price: 10000 }), item({ price: 1000, tax: 'AA' })] }),
  '1002',
);
const together = summarise(name, [sale, mixed], openRuleBook(daily));

describe('the journal of a day', () => {
  test('keeps a line a document for what customers owe, and adds up revenue and VAT', () => {
    expect(shown(together)).toEqual([
      ...shown(sale.journal).slice(0, 1),
      ...shown(mixed.journal).slice(0, 1),
      '2500 K 26400 U24',
      '2501 K 110 U11',
      '3000 K 110000 U24',
      '3010 K 1000 U11',
    ]);
  });

  test('names each document and its key in its line, whole, so that the books alone answer for it', () => {
    const texts = together.lines.slice(0, 2).map(({ text }) => text.split(' ').slice(0, 2));
    expect(texts).toEqual([
      [sale.journal.documentNo, sale.key],
      [mixed.journal.documentNo, mixed.key],
    ]);
    expect(texts.every(([, key]) => isPostingKey(key ?? ''))).toBe(true);
    const narrow = openRuleBook({ ...daily, descriptions: { lineLengthMax: 10 } });
    expect(summarise(name, [sale], narrow).lines[0]?.text).toBe(`${sale.journal.documentNo} ${sale.key}`);
  });

  test('says the VAT that its documents say, code by code', () => {
    const rows = (journals: readonly (typeof together)[]) =>
      Object.fromEntries(
        ['U24', 'U11'].map((code) => {
          const found = journals
            .flatMap((journal) => vatOfJournal(plainJournal(journal), daily))
            .filter((row) => row.code === code);
          const total = (field: 'base' | 'vat') => found.reduce((sum, row) => sum + row[field].toNumber(), 0);
          return [code, [total('base'), total('vat')]];
        }),
      );
    expect(rows([together])).toEqual(rows([sale.journal, mixed.journal]));
    expect(rows([together])).toEqual({ U24: [110000, 26400], U11: [1000, 110] });
  });

  test('nets nothing: a credit note stands on its own side', () => {
    const credit = one(
      invoice({ type: 'credit', refer_guid: guid(), amount: 1240, items: [item({ price: 1000 })] }),
      '1003',
      { original: { accounting_status: 'Posted' } },
    );
    const lines = shown(summarise(name, [sale, credit], openRuleBook(daily)));
    expect(lines.filter((line) => line.startsWith('3000'))).toHaveLength(2);
  });

  test('has a number of twenty characters at most, and a name that says all that it is', () => {
    expect(summaryNumber({ ...name, serial: 999 })).toBe('DAG-20250310-R999');
    expect(readSummaryGuid(summaryGuid(name))).toEqual(name);
    expect(together).toMatchObject({ documentNo: 'DAG-20250310-R1', postingDate: '2025-03-10' });
    expect(together.parties?.length).toBe(1);
  });
});

describe('which documents are in it', () => {
  test('only those of a kind that the rules name, in krónur', () => {
    expect(isSummarised(daily, 'invoice', sale.journal)).toBe(true);
    expect(isSummarised(rulesWith({}), 'invoice', sale.journal)).toBe(false);
    expect(isSummarised(daily, 'cost', posted(map('cost', cost({}), daily)).journal)).toBe(false);
    expect(isSummarised(daily, 'invoice', { ...sale.journal, currency: 'EUR' })).toBe(false);
  });

  test('the trace says so, and when the day is closed', () => {
    const { trace } = posted(map('invoice', invoice({}), daily));
    expect(trace.at(-1)).toMatchObject({ field: 'summary', rule: 'summary.invoices' });
    expect(new Date(closingOf(daily, '2025-03-10')).toISOString()).toBe('2025-03-11T01:00:00.000Z');
    const evening = rulesWith({ summary: { invoices: 'daily', closesAfterHours: 18 } });
    expect(new Date(closingOf(evening, '2025-03-10')).toISOString()).toBe('2025-03-10T18:00:00.000Z');
  });

  test('an ERP that takes VAT out of gross lines is refused: it would round once a day', () => {
    const split = {
      ...rulesWith({ summary: { invoices: 'daily' } }),
      vat: { ...daily.vat, mode: 'erp-splits' },
    };
    expect(tenantRules.safeParse(split).error?.issues[0]?.path).toEqual(['summary', 'invoices']);
  });
});
