// What may be wrong only by inference waits for a person; what contradicts itself in its own fields is refused. Error at
// the source is one-way, so the difference is the whole point.
import { describe, expect, test } from 'vitest';
import { decodeDocument } from '../../../src/service/decode-document.js';
import { mapDocument } from '../../../src/pipeline/mapping/map-document.js';
import { say } from '../../../src/language/say.js';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import {
  base64,
  codes,
  cost,
  invoice,
  item,
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

const eurAt = (rate: number | string) => rulesWith({ fx: { table: { EUR: { '2025-03-10': rate } } } });
const eur = { currency: 'EUR', amount: 124, vat_S: 3612 };
const bookCost = (over: Raw, rules = sampleRules, ubl: Partial<UblShape> = {}) =>
  shown(posted(map('cost', cost(over, ubl), rules)).journal);
const stopOf = (kind: 'cost' | 'invoice', raw: Raw, rules = sampleRules) => {
  const { outcome, reason, why } = stopped(map(kind, raw, rules));
  return { outcome, reason, sentence: say('en', why) };
};

describe('a foreign cost with VAT in ISK', () => {
  test('takes a supplier’s rate near the table’s as rounding, not as a part without VAT', () => {
    expect(bookCost(eur, eurAt('150.4'))).toEqual([
      '6400 D 15038 I24 99.98',
      '1600 D 3612 I24 24.02',
      '1910 K 18650 -124',
    ]);
    expect(bookCost(eur, eurAt('151.5'))).toEqual([
      '6400 D 15174 I24 100.16',
      '1600 D 3612 I24 23.84',
      '1910 K 18786 -124',
    ]);
  });

  test('the base of its VAT stays what the VAT is of', () => {
    const { journal } = posted(map('cost', cost(eur), eurAt('151.5')));
    expect(journal.lines.find(({ role }) => role === 'vat-in')?.vatBase?.toFixed()).toBe('15050');
  });

  test('takes the e-invoice’s own rate where it states VAT in both currencies', () => {
    const ubl = { taxes: [{ percent: 24, tax: 24, taxable: 100 }], taxIsk: 3612 };
    for (const table of ['150.4', '151.5', '120']) {
      expect(bookCost(eur, eurAt(table), ubl)).toEqual([
        '6400 D 15050 I24 100',
        '1600 D 3612 I24 24',
        '1910 K 18662 -124',
      ]);
    }
  });

  test('reads the two totals by their currency, whichever of them has the subtotals', () => {
    const inIsk =
      '<cac:TaxTotal><cbc:TaxAmount currencyID="ISK">3612</cbc:TaxAmount><cac:TaxSubtotal>' +
      '<cbc:TaxableAmount currencyID="ISK">15050</cbc:TaxableAmount><cbc:TaxAmount currencyID="ISK">3612</cbc:TaxAmount>' +
      '<cac:TaxCategory><cbc:Percent>24</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>';
    const ubl = { taxes: [{ percent: 24, tax: 24, taxable: 100 }], extra: inIsk };
    expect(bookCost(eur, eurAt('151.5'), ubl)).toEqual([
      '6400 D 15050 I24 100',
      '1600 D 3612 I24 24',
      '1910 K 18662 -124',
    ]);
  });

  test.each([
    ['24 %', { amount: '62138.24', vat_S: '1801608.65' }],
    ['11 %', { amount: '34704.73', vat_S: 0, vat_AA: '515193.66' }],
  ])('at the very same rate, large amounts fit: %s', (_rate, over) => {
    const lines = bookCost({ currency: 'EUR', ...over }, eurAt('149.8'));
    expect(lines).toHaveLength(3);
  });

  test.each(['75', '130', '145'])('far from the table it waits: %s', (rate) => {
    expect(stopOf('cost', cost(eur), eurAt(rate))).toMatchObject({
      outcome: 'park',
      reason: 'VAT_IMPLAUSIBLE',
    });
  });

  test('far above the VAT the rest is a part without VAT, as it was', () => {
    expect(bookCost(eur, eurAt('180'))).toHaveLength(4);
  });

  test('takes VAT fields in its own currency where the e-invoice shows that they are', () => {
    const over = { currency: 'EUR', amount: '188.15', vat_S: '27.00' };
    const ubl = {
      taxes: [
        { percent: 24, tax: '27.00', taxable: '112.50' },
        { percent: 0, tax: 0, taxable: '48.65' },
      ],
    };
    expect(bookCost(over, eurAt(150), ubl)).toEqual([
      '6400 D 16875 I24 112.5',
      '6400 D 7298 I0 48.65',
      '1600 D 4050 I24 27',
      '1910 K 28223 -188.15',
    ]);
  });

  test('without an e-invoice that says so, VAT that only fits in the currency waits', () => {
    const over = { currency: 'EUR', amount: 124, vat_S: 24 };
    expect(stopOf('cost', cost(over), eurAt(150))).toMatchObject({
      outcome: 'park',
      reason: 'VAT_CURRENCY_UNCLEAR',
    });
    expect(
      stopOf(
        'cost',
        cost({ ...over, xml: null }),
        rulesWith({
          fx: { table: { EUR: { '2025-03-10': 150 } } },
          cost: { whenXmlMissing: 'assumeInvoice' },
        }),
      ),
    ).toMatchObject({ outcome: 'park', reason: 'VAT_CURRENCY_UNCLEAR' });
  });

  test('a rate that the table has upside down waits: the rules are wrong, not the document', () => {
    expect(stopOf('cost', cost(eur), eurAt('0.0067'))).toMatchObject({
      outcome: 'park',
      reason: 'FX_RATE_IMPLAUSIBLE',
    });
  });
});

describe('a rate that was looked up', () => {
  const euros = { currency: 'EUR', exchange_rate: 0, amount: 124, items: [item({ price: 100 })] };
  const context = (day: string) => ({ rate: { day, rate: '150', origin: 'fx.source sedlabanki' } });

  test('is used where the document states none, and shown with its day', () => {
    const outcome = posted(map('invoice', invoice(euros), sampleRules, context('2025-03-07')));
    expect(shown(outcome.journal)[0]).toBe('1500 D 18600 124');
    expect(outcome.trace.find(({ field }) => field === 'exchangeRate')).toMatchObject({
      rule: 'fx.source sedlabanki',
      why: { code: 'RATE_OF_DAY', params: { day: '2025-03-07' } },
    });
    const paid = { currency: 'EUR', amount: 100, vat_S: 0 };
    expect(shown(posted(map('cost', cost(paid), sampleRules, context('2025-03-07'))).journal)[0]).toBe(
      '6400 D 15000 I0 100',
    );
  });

  test('yields to the tenant’s own table of the same day, and wins over an older one', () => {
    const first = (day: string) =>
      shown(posted(map('invoice', invoice(euros), eurAt(149), context(day))).journal)[0];
    expect(first('2025-03-10')).toBe('1500 D 18476 124');
    expect(first('2025-03-07')).toBe('1500 D 18476 124');
    const older = rulesWith({ fx: { table: { EUR: { '2025-03-05': 149 } } } });
    expect(shown(posted(map('invoice', invoice(euros), older, context('2025-03-07'))).journal)[0]).toBe(
      '1500 D 18600 124',
    );
  });

  test('that could not be fetched makes the document wait, not park', () => {
    const decoded = decodeDocument('invoice', invoice(euros));
    if (decoded.outcome !== 'decoded') throw new Error('malformed');
    const waits = mapDocument(decoded.document, sampleRules, { ratesProblem: 'sedlabanki: HTTP 503' });
    expect(waits).toMatchObject({ outcome: 'defer', reason: 'FX_RATE_PENDING' });
  });

  test('that nobody has is one row in the inbox a currency, whatever the day', () => {
    const subject = (day: string) =>
      stopped(map('invoice', invoice({ ...euros, issue_date: day }))).why.subject;
    expect(subject('2025-03-10')).toBe(subject('2025-03-11'));
  });
});

describe('an e-invoice that states less', () => {
  const totalOnly = (tax: string, over: Raw = {}) => {
    const xml = ublXml({ payable: over['amount'] ?? 12400 }).replace(
      /(<cac:TaxTotal><cbc:TaxAmount currencyID="ISK">)0</,
      `$1${tax}<`,
    );
    return cost({ ...over, xml: base64(xml) });
  };

  test('a total of VAT without subtotals is compared as a total', () => {
    expect(map('cost', totalOnly('2400')).outcome).toBe('post');
    const both = { amount: 24610, vat_S: 2400, vat_AA: 1210 };
    expect(map('cost', totalOnly('3610', both)).outcome).toBe('post');
  });

  test.each(['0', '3000'])('a total of %s that differs waits for a person', (tax) => {
    expect(stopOf('cost', totalOnly(tax))).toMatchObject({ outcome: 'park', reason: 'XML_MISMATCH' });
  });

  test('no word on VAT at all contradicts nothing', () => {
    const xml = ublXml({ payable: 12400 }).replace(/<cac:TaxTotal>.*<\/cac:TaxTotal>/, '');
    expect(map('cost', cost({ xml: base64(xml) })).outcome).toBe('post');
  });

  test('a subtotal without percent is read by its amounts', () => {
    const ubl = { payable: 12400, taxes: [{ percent: '', tax: 2400, taxable: 10000 }] };
    expect(map('cost', cost({ xml: base64(ublXml(ubl)) })).outcome).toBe('post');
    const other = { payable: 12400, taxes: [{ percent: '', tax: 2400, taxable: 0 }] };
    expect(map('cost', cost({ xml: base64(ublXml(other)) })).outcome).toBe('post');
  });

  test.each([
    [
      'PayableAmount 0, everything prepaid',
      '<cbc:TaxInclusiveAmount>12400</cbc:TaxInclusiveAmount><cbc:PrepaidAmount>12400</cbc:PrepaidAmount>',
      0,
    ],
    ['PayableAmount 0 and nothing said of why', '<cbc:TaxInclusiveAmount>12400</cbc:TaxInclusiveAmount>', 0],
    [
      'a part prepaid',
      '<cbc:TaxInclusiveAmount>12400</cbc:TaxInclusiveAmount><cbc:PrepaidAmount>2400</cbc:PrepaidAmount>',
      10000,
    ],
    [
      'more prepaid than it came to',
      '<cbc:TaxInclusiveAmount>12400</cbc:TaxInclusiveAmount><cbc:PrepaidAmount>13000</cbc:PrepaidAmount>',
      -600,
    ],
    ['a part prepaid, without the total', '<cbc:PrepaidAmount>2400</cbc:PrepaidAmount>', 10000],
  ])('%s: the whole is compared', (_what, totals, payable) => {
    const xml = ublXml({ payable, taxes: [{ percent: 24, tax: 2400 }] }).replace(
      '<cac:LegalMonetaryTotal>',
      `<cac:LegalMonetaryTotal>${totals}`,
    );
    expect(shown(posted(map('cost', cost({ xml: base64(xml) }))).journal)).toEqual([
      '6400 D 10000 I24',
      '1600 D 2400 I24',
      '1910 K 12400',
    ]);
  });

  test('what is taken back at a rate is taken off it', () => {
    const taxes = [
      { percent: 24, tax: 3000, taxable: 12500 },
      { percent: 24, tax: -600, taxable: -2500 },
    ];
    expect(map('cost', cost({}, { taxes })).outcome).toBe('post');
  });

  test('VAT that differs rate by rate is still refused', () => {
    expect(stopOf('cost', cost({}, { taxes: [{ percent: 11, tax: 2400 }] }))).toMatchObject({
      outcome: 'reject',
      reason: 'XML_MISMATCH',
    });
  });
});

describe('the base of a cost', () => {
  test('comes from VAT as it is given, not as it is rounded', () => {
    expect(bookCost({ amount: 43, vat_S: 0, vat_AA: '2.86' })).toEqual([
      '6400 D 26 I11',
      '6400 D 14 I0',
      '1601 D 3 I11',
      '1910 K 43',
    ]);
  });

  test('is what the e-invoice states for the rate, though VAT was rounded line by line', () => {
    const ubl = { taxes: [{ percent: 24, tax: 2405, taxable: 10000 }] };
    expect(bookCost({ amount: 12405, vat_S: 2405 }, sampleRules, ubl)).toEqual([
      '6400 D 10000 I24',
      '1600 D 2405 I24',
      '1910 K 12405',
    ]);
  });

  test('a small part without VAT is one where the e-invoice states it, and rounding where it does not', () => {
    const taxed = { percent: 24, tax: 2400, taxable: 10000 };
    const over = { amount: 12403, vat_S: 2400 };
    const stated = { taxes: [taxed, { percent: 0, tax: 0, taxable: 3 }] };
    expect(bookCost(over, sampleRules, stated)).toContain('6400 D 3 I0');
    expect(bookCost(over, sampleRules, { taxes: [taxed] })).toContain('6400 D 10003 I24');
  });

  test('a stated base that cannot belong to its VAT is not believed', () => {
    const ubl = { taxes: [{ percent: 24, tax: 2400, taxable: 5000 }] };
    expect(bookCost({}, sampleRules, ubl)).toEqual(['6400 D 10000 I24', '1600 D 2400 I24', '1910 K 12400']);
  });
});

describe('the lines of an invoice', () => {
  const totals = { amount: 124000, total_24vat: 100000 };

  test.each([
    ['missing', { items: [] }, 'items is empty'],
    ['null', { items: null }, 'items is empty'],
    ['without a quantity', { items: [item({ price: 100000, qty: null })] }, 'line 1: qty missing'],
    ['without a price', { items: [item({ price: 1 }), item({ price: '' })] }, 'line 2: unit_price missing'],
    [
      'without both',
      { items: [{ ...item({ price: null }), qty: undefined }] },
      'line 1: qty and unit_price missing',
    ],
  ])('that are %s make it malformed, totals or not', (_what, over, says) => {
    for (const whenLinesDiffer of ['totals', 'reject']) {
      const stoppedBy = stopOf(
        'invoice',
        invoice({ ...totals, ...over }),
        rulesWith({ invoice: { whenLinesDiffer } }),
      );
      expect(stoppedBy).toMatchObject({ outcome: 'park', reason: 'MALFORMED_DOCUMENT' });
      expect(stoppedBy.sentence).toContain(says);
    }
  });

  test('a quantity a thousand times too large is no discount of 99,900,000', () => {
    const over = { ...totals, items: [item({ price: 100000, qty: 1000 })] };
    const stoppedBy = stopOf('invoice', invoice(over));
    expect(stoppedBy).toMatchObject({ outcome: 'park', reason: 'RESIDUAL_EXCEEDED' });
    expect(stoppedBy.sentence).toContain('line 1: qty 1000, unit_price 100000');
  });

  test('a price of zero does not put all revenue on the fee account', () => {
    expect(stopOf('invoice', invoice({ ...totals, items: [item({ price: 0 })] })).reason).toBe(
      'RESIDUAL_EXCEEDED',
    );
  });

  test('lines at another rate than the totals are no fee and discount', () => {
    const over = { amount: 111000, total_11vat: 100000, items: [item({ price: 100000 })] };
    expect(stopOf('invoice', invoice(over)).reason).toBe('RESIDUAL_EXCEEDED');
  });

  test('how far they may differ is a rule', () => {
    const over = { amount: 111600, total_24vat: 90000 };
    const percent = (residualMaxPercent: number) => rulesWith({ invoice: { residualMaxPercent } });
    expect(map('invoice', invoice(over)).outcome).toBe('post');
    expect(map('invoice', invoice(over), percent(9)).outcome).toBe('post');
    expect(stopOf('invoice', invoice(over), percent(5)).reason).toBe('RESIDUAL_EXCEEDED');
  });
});

describe('signs, small sums and large ones', () => {
  test('credit_note on a cost without e-invoice is a credit note', () => {
    const assume = rulesWith({ cost: { whenXmlMissing: 'assumeInvoice' } });
    for (const credit_note of [1, '1', true]) {
      const outcome = posted(map('cost', cost({ xml: null, credit_note }), assume));
      expect(shown(outcome.journal)).toEqual(['6400 K 10000 I24', '1600 K 2400 I24', '1910 D 12400']);
      expect(codes(outcome)).toEqual([]);
    }
    expect(codes(map('cost', cost({ xml: null, credit_note: 0 }), assume))).toEqual(['SIGN_ASSUMED_INVOICE']);
    expect(stopOf('cost', cost({ credit_note: 1 }))).toMatchObject({
      outcome: 'park',
      reason: 'XML_MISMATCH',
    });
    expect(map('cost', cost({ credit_note: 1 }, { root: 'CreditNote' })).outcome).toBe('post');
  });

  test('an exchange rate of 1 on a foreign invoice is none', () => {
    const over = { currency: 'EUR', exchange_rate: 1, amount: 124, items: [item({ price: 100 })] };
    expect(stopOf('invoice', invoice(over))).toMatchObject({ outcome: 'park', reason: 'FX_RATE_MISSING' });
    expect(shown(posted(map('invoice', invoice(over), eurAt(150))).journal)[0]).toBe('1500 D 18600 124');
    const yen = { ...over, currency: 'JPY', amount: 124, items: [item({ price: 100 })] };
    expect(stopOf('invoice', invoice(yen)).reason).toBe('FX_RATE_MISSING');
  });

  test.each([
    ['an invoice of 40 aurar', 'invoice', invoice({ amount: '0.40', items: [item({ price: '0.32' })] })],
    ['a cost of 40 aurar', 'cost', cost({ amount: '0.40', vat_S: '0.08' })],
    [
      'a foreign invoice',
      'invoice',
      invoice({ currency: 'VND', exchange_rate: '0.0053', amount: 62, items: [item({ price: 50 })] }),
    ],
  ] as const)('%s rounds to nothing and is skipped', (_what, kind, raw) => {
    expect(stopOf(kind, raw)).toMatchObject({ outcome: 'skip', reason: 'ZERO_AMOUNT' });
  });

  test('a foreign cost worth nothing is skipped', () => {
    const rules = rulesWith({ fx: { table: { VND: { '2025-03-10': '0.0053' } } } });
    expect(stopOf('cost', cost({ currency: 'VND', amount: 62, vat_S: 0 }), rules).outcome).toBe('skip');
  });

  test('a document worth one króna keeps its largest sale', () => {
    const rules = rulesWith({ invoice: { revenueByItemNumber: { V2: '3200' } } });
    const items = [item({ price: '0.30', tax: 'Z' }), item({ price: '0.40', number: 'V2', tax: 'Z' })];
    expect(shown(posted(map('invoice', invoice({ amount: '0.70', items }), rules)).journal)).toEqual([
      '1500 D 1',
      '3200 K 1 U0',
    ]);
    const dong = {
      currency: 'VND',
      exchange_rate: '0.0053',
      amount: 120,
      items: [item({ price: 60, tax: 'Z' }), item({ price: 60, number: 'V2', tax: 'Z' })],
    };
    expect(shown(posted(map('invoice', invoice(dong), rules)).journal)).toEqual([
      '1500 D 1 120',
      '3000 K 1 U0 -120'.replace('3000', '3020'),
    ]);
  });

  test('a paid credit note gets no settlement', () => {
    const rules = rulesWith({ invoice: { settlement: 'all' } });
    const raw = invoice({
      type: 'credit',
      refer_guid: 'x',
      status: 'Paid',
      claim_status: 'paid',
      bank_transaction_amount: 124000,
    });
    expect(posted(map('invoice', raw, rules)).settlement).toBeUndefined();
  });
});

describe('what a refusal says', () => {
  const layers = new RuleLayers(sampleRules);
  const says = (kind: 'invoice' | 'cost', document: Raw) => {
    const outcome = mapRecord({ kind, document }, layers);
    return outcome.outcome === 'post' ? 'posted' : say('en', outcome.why);
  };

  test.each([
    ['amount is 10^15 or more', 'invoice', invoice({ amount: '1000000000000000' })],
    ['amount is 10^15 or more', 'invoice', invoice({ amount: '1e15' })],
    ['vat_S is 10^15 or more', 'cost', cost({ vat_S: '123456789012345678901234567890' })],
    [
      'items, line 2: unit_price is 10^15 or more',
      'invoice',
      invoice({ items: [item({ price: 1 }), item({ price: '9999999999999999' })] }),
    ],
    [
      'items, line 1: qty is not a number: tvö',
      'invoice',
      invoice({ items: [item({ price: 1, qty: 'tvö' })] }),
    ],
    ['xml: PayableAmount is 10^15 or more', 'cost', cost({}, { payable: '1000000000000000' })],
    [
      'items, line 2: tax is "X"',
      'invoice',
      invoice({ items: [item({ price: 1 }), item({ price: 1, tax: 'X' })] }),
    ],
    ['amount is -5, type is "invoice"', 'invoice', invoice({ amount: -5 })],
    ['amount is -5', 'cost', cost({ amount: -5 })],
    ['vat_AA is -5', 'cost', cost({ vat_AA: -5 })],
    ['refer_guid is empty', 'invoice', invoice({ type: 'credit' })],
    ['currency is "XXX"', 'invoice', invoice({ currency: 'XXX' })],
    ['exchange_rate says 0.0067', 'invoice', invoice({ currency: 'EUR', exchange_rate: 0.0067 })],
    ['vat_S: the cost says 2400', 'cost', cost({}, { taxes: [{ percent: 24, tax: 2000 }] })],
    ['cost_code is 3033, vat_S is 2400', 'cost', cost({ cost_code: '3033' })],
    ['amount is 130000.00, the items with VAT give 124000.00', 'invoice', invoice({ amount: 130000 })],
    ['issue_date is missing', 'invoice', invoice({ issue_date: '' })],
    ['how_paid is "7"', 'cost', cost({ how_paid: 7 })],
    ['xml is empty', 'cost', cost({ xml: null })],
  ] as const)('%s', (words, kind, raw) => expect(says(kind, raw)).toContain(words));
});

describe('reverse charge', () => {
  const abroad = { currency: 'EUR', amount: 100, vat_S: 0, supplier_id: '', how_paid: 3 };
  const rules = (code: Raw, vat: Raw = {}) =>
    rulesWith({
      cost: { reverseCharge: 'both', codes: { '2353': code } },
      fx: { table: { EUR: { '2025-03-10': 150 } } },
      vat,
    });
  const ie = { country: 'IE' };

  test('the expense carries the reverse-charge code', () => {
    expect(bookCost(abroad, rules({}), ie)[0]).toBe('6400 D 15000 RC24 100');
  });

  test('only the deductible part comes back, and the expense keeps the code', () => {
    expect(bookCost(abroad, rules({ vatDeductiblePercent: 0 }), ie)).toEqual([
      '6400 D 15000 RC24 100',
      '6400 D 3600 RC24',
      '2502 K 3600 RC24',
      '2430 K 15000 -100',
    ]);
    expect(bookCost(abroad, rules({ vatDeductiblePercent: 25 }), ie)).toEqual([
      '6400 D 15000 RC24 100',
      '1603 D 900 RC24',
      '6400 D 2700 RC24',
      '2502 K 3600 RC24',
      '2430 K 15000 -100',
    ]);
  });

  test('11 % where the code says so', () => {
    expect(bookCost(abroad, rules({ reverseChargeRate: 'AA' }, { reverseChargeAA: 'RC11' }), ie)).toEqual([
      '6400 D 15000 RC11 100',
      '1603 D 1650 RC11',
      '2502 K 1650 RC11',
      '2430 K 15000 -100',
    ]);
  });

  test('a code for costs without VAT has none, wherever the supplier is', () => {
    expect(bookCost(abroad, rules({ vat: 'none' }), ie)).toEqual(['6400 D 15000 100', '2430 K 15000 -100']);
  });
});
