import { journalFromPlain, plainJournal } from '../../../src/domain/journal-json.js';
import { describe, expect, test } from 'vitest';
import { totalOf } from '../../../src/domain/journal.js';
import {
  base64,
  codes,
  cost,
  map,
  posted,
  rulesWith,
  sampleRules,
  shown,
  stopped,
  ublXml,
  type Raw,
  type UblShape,
} from './build.js';

const book = (over: Raw, rules = sampleRules, ubl: Partial<UblShape> = {}) =>
  shown(posted(map('cost', cost(over, ubl), rules)).journal);
const reason = (over: Raw, rules = sampleRules, ubl: Partial<UblShape> = {}) =>
  stopped(map('cost', cost(over, ubl), rules)).reason;

const PLAIN = ['6400 D 10000 I24', '1600 D 2400 I24', '1910 K 12400'];

describe('gates of a cost', () => {
  test.each([
    ['NOT_CREATED', { accounting_status: 'New' }],
    ['UNKNOWN_CURRENCY', { currency: 'XXX', cost_code: '1' }],
    ['UNMAPPED_COST_CODE', { cost_code: '9999', how_paid: 9 }],
    ['UNMAPPED_COST_CODE', { cost_code: '' }],
    ['UNMAPPED_COST_CODE', { cost_code: 'Travel' }],
    ['UNMAPPED_COST_CODE', { cost_code: 'toString' }],
    ['COST_CODE_NEEDS_REVIEW', { cost_code: '2633', vat_S: 0 }],
    ['UNMAPPED_HOW_PAID', { how_paid: 5, amount: -1 }],
    ['UNMAPPED_HOW_PAID', { how_paid: null }],
    ['NEGATIVE_COST', { amount: -12400, xml: null }],
    ['ZERO_AMOUNT', { amount: 0, vat_S: 0, xml: null }],
    ['XML_PENDING', { xml: null }],
    ['XML_PENDING', { xml: '' }],
    ['XML_UNREADABLE', { xml: 'not base64!' }],
    ['XML_UNREADABLE', { xml: base64('%PDF-1.7') }],
    ['XML_UNREADABLE', { xml: base64('<Order/>') }],
    [
      'MALFORMED_DOCUMENT',
      {
        issue_date: null,
        xml: base64(
          ublXml({ payable: 12400, taxes: [{ percent: 24, tax: 2400 }] }).replace(
            '<cbc:IssueDate>2025-03-10</cbc:IssueDate>',
            '',
          ),
        ),
      },
    ],
  ])('%s for %o', (expected, over) => expect(reason(over)).toBe(expected));

  test.each(['error', 'reject'])(
    'a cost without e-invoice is refused where the tenant says %s',
    (whenXmlMissing) => {
      expect(reason({ xml: null }, rulesWith({ cost: { whenXmlMissing } }))).toBe('XML_MISSING');
    },
  );

  test('a code that a tenant took away is unmapped, and says which', () => {
    const rules = rulesWith({ cost: { codes: { '2353': null } } });
    expect(stopped(map('cost', cost(), rules))).toMatchObject({
      reason: 'UNMAPPED_COST_CODE',
      why: { subject: 'cost code 2353' },
    });
  });

  test.each([
    ['SKIPPED_SUPPLIER', { suppliers: ['550119-2180'] }],
    ['SKIPPED_COST_CODE', { costCodes: ['2353'] }],
    ['BEFORE_CUT_OVER', { before: '2025-04-01' }],
  ])('%s by %o', (expected, skip) => expect(reason({}, rulesWith({ skip }))).toBe(expected));

  test('a cut-over counts, too, where only the e-invoice has the date', () => {
    const before = (day: string) => rulesWith({ skip: { before: day } });
    expect(reason({ issue_date: '' }, before('2025-03-11'))).toBe('BEFORE_CUT_OVER');
    expect(book({ issue_date: '' }, before('2025-03-10'))).toEqual(PLAIN);
    // The cost's own date goes before the e-invoice's, which is 2025-03-10.
    expect(book({ issue_date: '2025-04-01' }, before('2025-03-11'))).toEqual(PLAIN);
  });

  test('the date may come from the e-invoice', () => {
    expect(posted(map('cost', cost({ issue_date: '' }))).journal.documentDate).toBe('2025-03-10');
  });
});

describe('way of paying', () => {
  test.each([
    [1, '2410'],
    ['1', '2410'],
    [2, '1910'],
    ['2.0', '1910'],
    [3, '2430'],
    [4, '2440'],
  ])('how_paid %o credits %s', (how_paid, account) => {
    expect(book({ how_paid }).at(-1)).toBe(`${account} K 12400`);
  });

  test('only a supplier payable carries kennitala and due date', () => {
    const payable = posted(map('cost', cost({ how_paid: 1 }))).journal.lines.at(-1);
    expect(payable).toMatchObject({ role: 'payable', counterparty: '5501192180', dueDate: '2025-03-25' });
    const wages = posted(map('cost', cost({ how_paid: 1, cost_code: '3033', vat_S: 0 }))).journal.lines.at(
      -1,
    );
    expect(wages).toMatchObject({ account: '2600', role: 'clearing' });
    expect(wages?.counterparty).toBeUndefined();
  });

  test('currencies may have a payable of their own', () => {
    const rules = rulesWith({
      accounts: { payableByCurrency: { EUR: '2415' } },
      fx: { table: { EUR: { '2025-03-10': 150 } } },
    });
    const over = { currency: 'EUR', amount: 100, vat_S: 0, how_paid: 1 };
    expect(book(over, rules).at(-1)).toBe('2415 K 15000 -100');
    expect(book({ ...over, how_paid: 3 }, rules).at(-1)).toBe('2430 K 15000 -100');
  });
});

describe('credit note', () => {
  const mirrored = ['6400 K 10000 I24', '1600 K 2400 I24', '1910 D 12400'];
  test.each<[Partial<UblShape>]>([
    [{ root: 'CreditNote' }],
    ...['381', '81', '83', '396', '532'].map((typeCode): [Partial<UblShape>] => [{ typeCode }]),
    [{ payable: -12400, taxes: [{ percent: 24, tax: -2400 }] }],
  ])('is told by %o and mirrors the journal', (ubl) => expect(book({}, sampleRules, ubl)).toEqual(mirrored));

  const naming = (id: string) =>
    `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${id}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`;
  const appliedTo = (
    extra: string,
    root: NonNullable<UblShape['root']> = 'CreditNote',
    rules = sampleRules,
  ) => posted(map('cost', cost({}, { root, extra }), rules)).journal.appliesToNo;

  test('says which bill it is for, by the number that the bill is booked under', () => {
    const short = rulesWith({ numbering: { cost: 'B-', lengthMax: 8 } });
    expect(appliedTo(naming('F-1000'))).toBe('K-F-1000');
    expect(appliedTo(naming('2025-F-1000'), 'CreditNote', short)).toBe('B-F-1000');
    expect(appliedTo('')).toBeUndefined();
    expect(appliedTo(naming('F-1000'), 'Invoice')).toBeUndefined();
  });

  test('is not told by any other type code', () =>
    expect(book({}, sampleRules, { typeCode: '384' })).toEqual(PLAIN));
});

describe('VAT', () => {
  test.each([
    ['negative', { vat_S: -1 }],
    ['more than the amount can hold', { vat_S: 2403 }],
    ['on nothing', { amount: 0 }],
  ])('that is %s is implausible', (_what, over) => expect(reason(over)).toBe('VAT_IMPLAUSIBLE'));

  test('a few krónur of rounding are no rest: they join the larger base', () => {
    // 2400 / 0.24 = 10000, 3.6 krónur may be left over.
    expect(book({ amount: 12403 })).toEqual(['6400 D 10003 I24', '1600 D 2400 I24', '1910 K 12403']);
    expect(book({ amount: 12397 })).toEqual(['6400 D 9997 I24', '1600 D 2400 I24', '1910 K 12397']);
    expect(book({ amount: 12404 })).toEqual([
      '6400 D 10000 I24',
      '6400 D 4 I0',
      '1600 D 2400 I24',
      '1910 K 12404',
    ]);
  });

  test('with both rates the slack is wider, and the VAT base stays what the VAT implies', () => {
    const { journal } = posted(map('cost', cost({ amount: 12400 + 11100 + 8, vat_AA: 1100 })));
    expect(shown(journal)).toEqual([
      '6400 D 10008 I24',
      '6400 D 10000 I11',
      '1600 D 2400 I24',
      '1601 D 1100 I11',
      '1910 K 23508',
    ]);
    expect(journal.lines[2]?.vatBase?.toFixed()).toBe('10000');
  });

  test('a króna without VAT is the part without VAT', () => {
    expect(book({ amount: 1, vat_S: 0 })).toEqual(['6400 D 1 I0', '1910 K 1']);
  });

  test('aurar are rounded, line by line', () => {
    expect(book({ amount: '12400.49', vat_S: '2400.10' })).toEqual(PLAIN);
    expect(reason({ amount: '0.40', vat_S: 0 })).toBe('ZERO_AMOUNT');
  });

  test('half of it may be deductible', () => {
    const rules = rulesWith({ cost: { codes: { '2353': { vatDeductiblePercent: 50 } } } });
    const { journal } = posted(map('cost', cost({ vat_AA: 11, amount: 12400 + 111 + 50 }), rules));
    expect(shown(journal)).toEqual([
      '6400 D 11200 P24',
      '6400 D 105 P11',
      '6400 D 50 I0',
      '1600 D 1200 P24',
      '1601 D 6 P11',
      '1910 K 12561',
    ]);
    expect(journal.lines[3]?.vatBase?.toFixed()).toBe('5000');
  });

  test('none of it is, on hospitality; the part without VAT keeps its own code', () => {
    expect(book({ cost_code: '3163', amount: 12500 })).toEqual([
      '6520 D 12400 ND24',
      '6520 D 100 I0',
      '1910 K 12500',
    ]);
  });

  test('a code without VAT has no VAT code', () => {
    expect(book({ cost_code: '3653', vat_S: 0 })).toEqual(['8100 D 12400', '1910 K 12400']);
    expect(reason({ cost_code: '9535' })).toBe('VAT_NOT_ALLOWED');
  });

  test('where the ERP splits VAT, expenses are gross with their code', () => {
    const { journal } = posted(
      map('cost', cost({ amount: 12500 }), rulesWith({ vat: { mode: 'erp-splits' } })),
    );
    expect(shown(journal)).toEqual(['6400 D 12400 I24', '6400 D 100 I0', '1910 K 12500']);
    expect(journal.lines[0]?.vatBase?.toFixed()).toBe('10000');
    expect(journal.lines[0]).not.toHaveProperty('vatKept');
  });

  test('where the ERP splits VAT, the journal says how much of it is not deducted', () => {
    const rules = rulesWith({ vat: { mode: 'erp-splits' } });
    const { journal } = posted(map('cost', cost({ cost_code: '3163' }), rules));
    expect(shown(journal)).toEqual(['6520 D 12400 ND24', '1910 K 12400']);
    expect(journal.lines[0]?.vatBase?.toFixed()).toBe('10000');
    expect(journal.lines[0]?.vatKept?.toFixed()).toBe('2400');
    expect(journalFromPlain(plainJournal(journal)).lines[0]?.vatKept?.toFixed()).toBe('2400');
  });

  test('a watched code is posted with a warning', () => {
    const rules = rulesWith({ cost: { codes: { '2533': { watch: true } } } });
    expect(codes(map('cost', cost({ cost_code: '2533' }), rules))).toEqual(['COST_CODE_WATCHED']);
  });
});

describe('cross-check with the e-invoice', () => {
  test.each([
    ['another currency', { currency: 'EUR' }],
    ['another amount', { payable: 12402 }],
    ['another VAT', { taxes: [{ percent: 24, tax: 2398 }] }],
    ['VAT at another rate', { taxes: [{ percent: 11, tax: 2400 }] }],
    ['no VAT', { taxes: [] }],
  ])('%s is a mismatch', (_what, ubl) => expect(reason({}, sampleRules, ubl)).toBe('XML_MISMATCH'));

  test.each([
    ['a króna', { payable: 12401, taxes: [{ percent: '24.00', tax: '2399.5' }] }],
    [
      'two lines of the same rate',
      {
        taxes: [
          { percent: 24, tax: 1400 },
          { percent: 24, tax: 1000 },
        ],
      },
    ],
  ])('%s of difference is none', (_what, ubl) => expect(book({}, sampleRules, ubl)).toEqual(PLAIN));

  test('VAT of 11 % is category S with percent 11', () => {
    const ubl = { taxes: [{ percent: 11, tax: 1100 }] };
    expect(book({ amount: 11100, vat_S: 0, vat_AA: 1100 }, sampleRules, ubl)[1]).toBe('1601 D 1100 I11');
  });

  test('a foreign amount must agree to the cent', () => {
    const rules = rulesWith({ fx: { table: { EUR: { '2025-03-10': 150 } } } });
    const over = { currency: 'EUR', amount: '100.00', vat_S: 0 };
    expect(book(over, rules, { payable: '100.01' })).toHaveLength(2);
    expect(reason(over, rules, { payable: '100.02' })).toBe('XML_MISMATCH');
  });
});

describe('foreign currency', () => {
  const eur = { currency: 'EUR', amount: 124, vat_S: 3595 };

  test('the rate may come from VAT that the e-invoice states in both currencies', () => {
    const ubl = { taxes: [{ percent: 24, tax: 24 }], taxIsk: '3595.2' };
    const { journal } = posted(map('cost', cost(eur, ubl)));
    expect(journal.exchangeRate.toFixed()).toBe('149.8');
    expect(shown(journal)).toEqual(['6400 D 14980 I24 100', '1600 D 3595 I24 24', '1910 K 18575 -124']);
  });

  test('the supplier’s own rate wins over a table that says another, and must be plausible', () => {
    const ubl = { taxes: [{ percent: 24, tax: 24 }], taxIsk: 3595 };
    const rateBy = (day: number, taxIsk: number) =>
      posted(
        map(
          'cost',
          cost(eur, { ...ubl, taxIsk }),
          rulesWith({ fx: { table: { EUR: { '2025-03-10': day } } } }),
        ),
      ).journal.exchangeRate.toFixed();
    expect(rateBy(151, 3595)).toBe('149.7917');
    // Rounded to krónur, 3595 is what 149.8 gives: the table knows the rate more exactly.
    expect(rateBy(149.8, 3595)).toBe('149.8');
    // A rate of 1 is no rate: what the table says is better than what nobody can mean.
    expect(rateBy(149.8, 24)).toBe('149.8');
    expect(stopped(map('cost', cost({ ...eur, vat_S: 0 }, { ...ubl, taxIsk: 24 })))).toMatchObject({
      outcome: 'park',
      reason: 'FX_RATE_IMPLAUSIBLE',
    });
  });

  test('cents that do not add up go into the largest expense', () => {
    const rules = rulesWith({ fx: { table: { EUR: { '2025-03-10': 147.77 } } } });
    const { journal } = posted(
      map('cost', cost({ currency: 'EUR', amount: '99.99', vat_S: 1234, vat_AA: 0 }), rules),
    );
    // 1234 / 0.24 = 5142; the rest of the net is 8400.
    expect(shown(journal)).toEqual([
      '6400 D 5142 I24 34.8',
      '6400 D 8400 I0 56.84',
      '1600 D 1234 I24 8.35',
      '1910 K 14776 -99.99',
    ]);
  });

  test('a currency without decimals has none', () => {
    const rules = rulesWith({ fx: { table: { JPY: { '2025-03-10': '0.9312' } } } });
    expect(book({ currency: 'JPY', amount: 10000, vat_S: 0 }, rules)).toEqual([
      '6400 D 9312 I0 10000',
      '1910 K 9312 -10000',
    ]);
  });

  test('VAT too large for the amount waits for a rate that cures it', () => {
    const rules = rulesWith({ fx: { table: { EUR: { '2025-03-10': 150 } } } });
    const over = { currency: 'EUR', amount: 10, vat_S: 2400 };
    expect(stopped(map('cost', cost(over), rules))).toMatchObject({
      outcome: 'park',
      reason: 'VAT_IMPLAUSIBLE',
    });
  });
});

describe('reverse charge', () => {
  const both = { cost: { reverseCharge: 'both' }, fx: { table: { EUR: { '2025-03-10': 150 } } } };
  const abroad = { currency: 'EUR', amount: 100, vat_S: 0, supplier_id: '', how_paid: 3 };

  test('adds VAT that is owed and deducted, in ISK only', () => {
    const mapped = map('cost', cost(abroad, { country: 'IE' }), rulesWith(both));
    expect(shown(posted(mapped).journal)).toEqual([
      '6400 D 15000 RC24 100',
      '1603 D 3600 RC24',
      '2502 K 3600 RC24',
      '2430 K 15000 -100',
    ]);
    expect(codes(mapped)).toEqual([]);
  });

  test('what is not deductible joins the expense', () => {
    const half = rulesWith({
      ...both,
      cost: { ...both.cost, codes: { '2353': { vatDeductiblePercent: 50 } } },
    });
    expect(book(abroad, half, { country: 'IE' })).toEqual([
      '6400 D 15000 RC24 100',
      '1603 D 1800 RC24',
      '6400 D 1800 RC24',
      '2502 K 3600 RC24',
      '2430 K 15000 -100',
    ]);
  });

  test('where the ERP splits VAT, the expense carries the code', () => {
    const rules = rulesWith({ ...both, vat: { mode: 'erp-splits' } });
    expect(book(abroad, rules, { country: 'IE' })).toEqual(['6400 D 15000 RC24 100', '2430 K 15000 -100']);
    const { journal } = posted(map('cost', cost(abroad, { country: 'IE' }), rules));
    expect(journal.lines.map(({ reverseVat }) => reverseVat?.toFixed())).toEqual(['3600', undefined]);
    // As much as in books where VAT has lines of its own: the ERP puts it on both sides.
    const own = posted(map('cost', cost(abroad, { country: 'IE' }), rulesWith(both))).journal;
    expect([totalOf(journal).toFixed(), totalOf(own).toFixed()]).toEqual(['18600', '18600']);
  });

  test.each([
    ['the rules do not ask for it', abroad, { cost: { reverseCharge: 'none' } }, 'IE'],
    ['the supplier is Icelandic', abroad, {}, 'IS'],
    ['the code is not among them', { ...abroad, cost_code: '2443' }, {}, 'IE'],
  ])('is left out when %s', (_why, over, rules: Raw, country) => {
    const merged = rulesWith({ ...both, ...rules });
    expect(book(over, merged, { country })).toHaveLength(2);
  });

  const irish = { country: 'IE', taxes: [{ percent: 23, tax: 23, taxable: 100 }] };
  const withIrishVat = { ...abroad, amount: 123 };

  test('is of the amount without the VAT of another country, which is part of the expense', () => {
    expect(book(withIrishVat, rulesWith(both), irish)).toEqual([
      '6400 D 15000 RC24 100',
      '6400 D 3450 I0 23',
      '1603 D 3600 RC24',
      '2502 K 3600 RC24',
      '2430 K 18450 -123',
    ]);
    const { journal } = posted(map('cost', cost(withIrishVat, irish), rulesWith(both)));
    const bases = journal.lines.map(({ vatBase }) => vatBase?.toFixed()).filter(Boolean);
    expect(bases).toEqual(['15000', '15000']);
    const totalOnly = { country: 'IE', taxTotal: 23 };
    expect(book(withIrishVat, rulesWith(both), totalOnly)).toEqual(
      book(withIrishVat, rulesWith(both), irish),
    );
    expect(book(withIrishVat, rulesWith(both), { ...irish, root: 'CreditNote' })[0]).toBe(
      '6400 K 15000 RC24 -100',
    );
  });

  test('is of the amount without the VAT of another country, too, where the ERP splits VAT', () => {
    const rules = rulesWith({ ...both, vat: { mode: 'erp-splits' } });
    const { journal } = posted(map('cost', cost(withIrishVat, irish), rules));
    expect(shown(journal)).toEqual(['6400 D 15000 RC24 100', '6400 D 3450 I0 23', '2430 K 18450 -123']);
    expect(journal.lines.map(({ reverseVat }) => reverseVat?.toFixed())).toEqual([
      '3600',
      undefined,
      undefined,
    ]);
  });

  test('is shared out, with the VAT of another country, by the lines of the e-invoice', () => {
    const rules = rulesWith({
      ...both,
      cost: { ...both.cost, cases: [{ when: { line: 'hosting' }, account: '6450' }] },
    });
    const line = (name: string, amount: number) =>
      `<cac:InvoiceLine><cbc:LineExtensionAmount currencyID="EUR">${String(amount)}</cbc:LineExtensionAmount>` +
      `<cac:Item><cbc:Name>${name}</cbc:Name></cac:Item></cac:InvoiceLine>`;
    const extra = line('Hosting', 30) + line('Support', 70);
    expect(book(withIrishVat, rules, { ...irish, extra })).toEqual([
      '6400 D 10500 RC24 70',
      '6400 D 2415 I0 16.1',
      '6450 D 4500 RC24 30',
      '6450 D 1035 I0 6.9',
      '1603 D 3600 RC24',
      '2502 K 3600 RC24',
      '2430 K 18450 -123',
    ]);
  });

  test('of more VAT than the bill comes to is never booked', () => {
    const odd = { country: 'IE', taxes: [{ percent: 23, tax: 123, taxable: 0 }] };
    expect(stopped(map('cost', cost(withIrishVat, odd), rulesWith(both)))).toMatchObject({
      outcome: 'park',
      reason: 'XML_MISMATCH',
    });
  });

  describe('where only what is not deductible is owed', () => {
    const only = (vatDeductiblePercent: number) =>
      rulesWith({
        ...both,
        cost: { reverseCharge: 'notDeductible', codes: { '2353': { vatDeductiblePercent } } },
      });

    test('nothing is booked of a cost whose VAT is deductible', () => {
      expect(book(abroad, only(100), { country: 'IE' })).toEqual([
        '6400 D 15000 I0 100',
        '2430 K 15000 -100',
      ]);
    });

    test('the part that is not deductible is owed, and part of the expense', () => {
      const { journal } = posted(map('cost', cost(abroad, { country: 'IE' }), only(40)));
      expect(shown(journal)).toEqual([
        '6400 D 15000 RC24 100',
        '6400 D 2160 RC24',
        '2502 K 2160 RC24',
        '2430 K 15000 -100',
      ]);
      expect(journal.lines[2]?.vatBase?.toFixed()).toBe('9000');
      expect(book(abroad, only(0), { country: 'IE' })[2]).toBe('2502 K 3600 RC24');
    });
  });

  test('is left out when VAT was charged', () => {
    expect(book({ amount: 12400, vat_S: 2400 }, rulesWith(both), { country: 'IE' })).toHaveLength(3);
  });
});

describe('header of a cost', () => {
  test('document number, supplier and attachment', () => {
    const raw = cost(
      { file_name: 'kvittun', file_extension: 'pdf' },
      { id: 'R-77', kennitala: '5501192180' },
    );
    expect(posted(map('cost', raw)).journal).toMatchObject({
      documentNo: 'K-R-77',
      dueDate: '2025-03-25',
      attachments: ['kvittun.pdf'],
      party: { kind: 'supplier', kennitala: '5501192180', name: 'Birgir ehf.' },
    });
  });

  test('without an e-invoice the guid numbers it', () => {
    const rules = rulesWith({ cost: { whenXmlMissing: 'assumeInvoice' } });
    const { journal } = posted(map('cost', cost({ guid: 'abcdef0123456789', xml: null }), rules));
    expect(journal.documentNo).toBe('K-abcdef01');
  });

  test('eindagi is the settlement date', () => {
    const extra =
      '<cac:AdditionalDocumentReference><cbc:ID>2025-04-05</cbc:ID><cbc:DocumentDescription>EINDAGI</cbc:DocumentDescription></cac:AdditionalDocumentReference>';
    expect(posted(map('cost', cost({}, { extra }))).journal.settlementDate).toBe('2025-04-05');
  });

  test('a locked period moves a cost too', () => {
    const mapped = map(
      'cost',
      cost(),
      rulesWith({ period: { lockedUntil: '2025-03-31', whenLocked: 'firstOpenDay' } }),
    );
    expect(posted(mapped).journal).toMatchObject({ postingDate: '2025-04-01', documentDate: '2025-03-10' });
    expect(codes(mapped)).toEqual(['POSTING_DATE_MOVED']);
  });

  test.each([
    ['5501192180', 2, 'IS', []],
    ['5501192181', 2, 'IS', ['KENNITALA_FORMAT']],
    ['5501192280', 2, 'IS', ['KENNITALA_CHECKSUM']],
    ['', 2, 'IS', []],
    ['', 1, 'IS', ['KENNITALA_FORMAT']],
    ['', 1, 'IE', []],
  ])('supplier "%s", how_paid %i, from %s: %o', (supplier_id, how_paid, country, expected) => {
    expect(codes(map('cost', cost({ supplier_id, how_paid }, { country })))).toEqual(expected);
  });

  test('dimensions may come from the e-invoice', () => {
    const rules = rulesWith({
      dimensions: { cost: { ubl_accounting_cost: 'deild', project_name: 'deild' } },
    });
    const extra = '<cbc:AccountingCost>Sala</cbc:AccountingCost>';
    const { journal } = posted(map('cost', cost({ project_name: '' }, { extra }), rules));
    expect(journal.lines[0]?.dimensions).toEqual({ deild: 'Sala' });
  });
});
