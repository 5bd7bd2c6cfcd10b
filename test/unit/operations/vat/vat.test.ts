// A VAT return from journals: what goes into which box, and what a period is.
import { describe, expect, test } from 'vitest';
import { plainJournal } from '../../../../src/domain/journal-json.js';
import type { VatReport } from '../../../../src/operations/views/vat.js';
import { vatPdf } from '../../../../src/operations/vat/pdf.js';
import { vatPeriod } from '../../../../src/operations/vat/period.js';
import { vatOfJournal } from '../../../../src/operations/vat/vat-ledger.js';
import { vatCsv } from '../../../../src/operations/vat/write.js';
import { cost, invoice, item, map, posted, rulesWith, sampleRules, type Raw } from '../../mapping/build.js';

const rows = (kind: 'invoice' | 'cost', raw: Raw, rules = sampleRules) =>
  vatOfJournal(plainJournal(posted(map(kind, raw, rules)).journal) as never, rules).map(
    ({ code, side, box, base, vat, owed }) =>
      `${code} ${side} ${box} ${base.toFixed()} ${vat.toFixed()} ${owed.toFixed()}`,
  );

describe('what a journal says about VAT', () => {
  const items = [item({ price: 30000 }), item({ price: 15000, tax: 'AA' }), item({ price: 8000, tax: 'Z' })];

  test('turnover and tax of a sale, by code', () => {
    expect(rows('invoice', invoice({ amount: 61850, items }))).toEqual([
      'U24 sale A 30000 7200 0',
      'U11 sale B 15000 1650 0',
      'U0 sale C 8000 0 0',
    ]);
  });

  test('a credit note takes back what its invoice gave', () => {
    expect(rows('invoice', invoice({ amount: 61850, items, type: 'credit', refer_guid: 'x' }))).toEqual([
      'U24 sale A -30000 -7200 0',
      'U11 sale B -15000 -1650 0',
      'U0 sale C -8000 0 0',
    ]);
  });

  test('the same where the ERP splits VAT out of gross lines', () => {
    const splits = rulesWith({ vat: { mode: 'erp-splits' } });
    expect(rows('invoice', invoice({ amount: 61850, items }), splits)).toEqual([
      'U24 sale A 30000 7200 0',
      'U11 sale B 15000 1650 0',
      'U0 sale C 8000 0 0',
    ]);
    expect(rows('cost', cost(), splits)).toEqual(['I24 purchase none 10000 2400 0']);
    expect(rows('cost', cost({ cost_code: '3163' }), splits)).toEqual(['ND24 purchase none 10000 0 0']);
  });

  test('deductible VAT comes back, other VAT does not', () => {
    expect(rows('cost', cost())).toEqual(['I24 purchase none 10000 2400 0']);
    expect(rows('cost', cost({ cost_code: '3163' }))).toEqual([]);
    const partly = rulesWith({ cost: { codes: { '2353': { vatDeductiblePercent: 25 } } } });
    expect(rows('cost', cost(), partly)).toEqual(['P24 purchase none 2500 600 0']);
  });

  test('a reverse charge is owed and deducted', () => {
    const rules = rulesWith({
      cost: { reverseCharge: 'both', codes: { '2353': { vatDeductiblePercent: 50 } } },
      fx: { table: { EUR: { '2025-03-10': 150 } } },
    });
    const raw = cost({ currency: 'EUR', amount: 100, vat_S: 0 }, { country: 'IE' });
    expect(rows('cost', raw, rules)).toEqual(['RC24 reverse-charge none 15000 1800 3600']);
  });

  test('what is exempt by article 2 is not reported', () => {
    const rules = rulesWith({ vat: { outsideReturn: ['U0'] } });
    expect(
      rows('invoice', invoice({ amount: 8000, items: [item({ price: 8000, tax: 'Z' })] }), rules),
    ).toEqual(['U0 sale outside 8000 0 0']);
  });
});

describe('a period', () => {
  test.each([
    ['2026-09..10', '2026-09-01', '2026-10-31'],
    ['2026-11..2027-02', '2026-11-01', '2027-02-28'],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['2026', '2026-01-01', '2026-12-31'],
    ['2026-09-05..2026-10-06', '2026-09-05', '2026-10-06'],
  ])('%s', (written, from, to) => expect(vatPeriod(written)).toEqual({ from, to }));

  test.each([
    '',
    '2026-13',
    '2026-10..09',
    '26-01',
    '2026-01..2028-01',
    '2026-09-31..2026-10-06',
    'september',
  ])('%j is none', (written) => expect(() => vatPeriod(written)).toThrow('is no period'));
});

describe('a return as a file', () => {
  const report: VatReport = {
    tenant: 'hraun',
    from: '2026-09-01',
    to: '2026-10-31',
    boxes: { A: '30000', B: '0', C: '0', D: '7200', E: '2400', F: '4800' },
    outside: '0',
    codes: [{ code: '=U24', side: 'sale', box: 'A', base: '30000', vat: '7200', owed: '0', entries: 1 }],
    documents: [],
    documentsLeftOut: 0,
    entries: 1,
    withoutLines: 0,
    unposted: { items: [], more: false },
  };

  test('CSV has the boxes and the codes, and no formula', () => {
    const csv = vatCsv(report);
    expect(csv).toContain('F,4800\r\n');
    expect(csv).toContain("'=U24,sale,A,30000,7200,0,1\r\n");
  });

  test('PDF is one', async () => {
    const pdf = await vatPdf(report);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.length).toBeGreaterThan(1000);
  });
});
