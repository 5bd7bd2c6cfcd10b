import { describe, expect, test } from 'vitest';
import { fileConfiguration } from '../../../../src/erp/file/settings.js';
import { beancountFormat } from '../../../../src/erp/file/formats/beancount-format.js';
import { cell, csvFormat } from '../../../../src/erp/file/formats/csv-format.js';
import { journalFormat } from '../../../../src/erp/file/formats/journal-format.js';
import { decodeRecord, encodeRecord, type LedgerRecord } from '../../../../src/erp/file/records.js';
import { accountNaming, toRecord, toReversal } from '../../../../src/erp/file/translate.js';
import { ruleClasses } from '../../../../src/pipeline/mapping/rules.js';
import { rulesWith, sampleRules } from '../../mapping/build.js';
import { FOREIGN_COST, SALE } from '../../../support/erp/sample-journals.js';

const nameOf = accountNaming(fileConfiguration.parse({}).accountRoots);
const sale = recordOf('IAAAAAAAAAAAAAAAAAAA', SALE, 1);
const cost = recordOf('CAAAAAAAAAAAAAAAAAAA', FOREIGN_COST, 2);
const reversal: LedgerRecord = {
  ...toReversal('IBBBBBBBBBBBBBBBBBBB', sale, '2026-03-31', 'Rangt'),
  number: '2026-03/3',
  recordedAt: '2026-03-31T10:00:00.000Z',
};
const vocabulary = {
  accounts: new Set(['1500', '3000', '2500', '6100', '9900', '2410']),
  dimensions: new Set(['costLocation']),
};

function recordOf(key: string, journal: typeof SALE, position: number): LedgerRecord {
  return {
    ...toRecord(key, journal),
    number: `2026-03/${String(position)}`,
    recordedAt: '2026-03-15T10:00:00.000Z',
  };
}

const GOLDEN = '../../../fixtures/erp/file';

describe('formats of the books', () => {
  test.each([
    ['journal', journalFormat('Fjörður ehf.', nameOf)],
    ['beancount', beancountFormat('Fjörður "ehf."', nameOf)],
    ['csv', csvFormat()],
  ])('%s is written as it always was', async (name, format) => {
    const month = format.head + [sale, cost, reversal].map((record) => format.entry(record)).join('');
    await expect(month).toMatchFileSnapshot(`${GOLDEN}/month.${name}`);
    await expect(format.main(vocabulary, ['2026-02', '2026-03']) ?? 'none').toMatchFileSnapshot(
      `${GOLDEN}/main.${name}`,
    );
  });

  test('a record is read back as written, and one changed letter is noticed', () => {
    const line = encodeRecord(sale);
    expect(line.endsWith('\n')).toBe(true);
    expect(decodeRecord(line.trimEnd())).toEqual(sale);
    for (let at = 0; at < line.length - 1; at += 7) {
      const other = line.charAt(at) === '0' ? '1' : '0';
      expect(decodeRecord(line.slice(0, at) + other + line.slice(at + 1).trimEnd())).toBeNull();
    }
  });

  test.each([
    ['=1+1', `"'=1+1"`],
    ['+354 555', `"'+354 555"`],
    ['-12.50', '"-12.50"'],
    ['-afsláttur', `"'-afsláttur"`],
    ['@x', `"'@x"`],
    ['\t=1', `"'\t=1"`],
    ['say "hi"', '"say ""hi"""'],
    ['venjulegur texti', '"venjulegur texti"'],
  ])('a spreadsheet does not run %j', (text, expected) => {
    expect(cell(text)).toBe(expected);
  });

  test('accounts have the class of their longest known beginning', () => {
    const name = accountNaming({ '1': 'Assets', '19': 'Liabilities' });
    expect([name('1500'), name('1910'), name('x-1')]).toEqual([
      'Assets:1500',
      'Liabilities:1910',
      'Equity:X-1',
    ]);
  });

  test('accounts have the class that the rules use them for, not the one of their first digit', () => {
    const classes = ruleClasses(sampleRules);
    const name = accountNaming(undefined, classes);
    expect(
      ['8000', '8100', '3090', '1120', '2590', '2440', '9900', '1603', '2502', '8010'].map(name),
    ).toEqual([
      'Income:8000',
      'Expenses:8100',
      'Income:3090',
      'Assets:1120',
      'Liabilities:2590',
      'Liabilities:2440',
      'Expenses:9900',
      'Assets:1603',
      'Liabilities:2502',
      'Income:8010',
    ]);
    const odd = ruleClasses(rulesWith({ invoice: { revenueByItemNumber: { V1: '7000' } } }));
    expect(accountNaming(undefined, odd)('7000')).toBe('Income:7000');
    expect(accountNaming({ '7': 'Equity' }, odd)('7000')).toBe('Equity:7000');
  });
});
