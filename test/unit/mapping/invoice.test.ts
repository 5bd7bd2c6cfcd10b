import { describe, expect, test } from 'vitest';
import {
  codes,
  guid,
  invoice,
  item,
  map,
  posted,
  rulesWith,
  sampleRules,
  shown,
  stopped,
  type Raw,
} from './build.js';

const book = (over: Raw, rules = sampleRules, context: Raw = {}) =>
  shown(posted(map('invoice', invoice(over), rules, context)).journal);
const reason = (over: Raw, rules = sampleRules, context: Raw = {}) =>
  stopped(map('invoice', invoice(over), rules, context)).reason;

const PLAIN = ['1500 D 124000', '3000 K 100000 U24', '2500 K 24000 U24'];

describe('gates of an invoice', () => {
  test.each([
    ['NOT_CREATED', { accounting_status: 'Posted' }],
    ['NOT_CREATED', { accounting_status: 'Skipped', status: 'Nonsense' }],
    ['UNKNOWN_STATUS', { status: 'Overdue' }],
    ['UNKNOWN_STATUS', { status: null }],
    ['DRAFT', { status: 'Draft', number: '' }],
    ['CANCELLED', { status: 'Cancelled' }],
    ['NO_NUMBER', { number: '' }],
    ['NO_NUMBER', { number: null, currency: 'XXX' }],
    ['UNKNOWN_CURRENCY', { currency: 'BTC', type: 'quote' }],
    ['UNKNOWN_TYPE', { type: 'quote' }],
    ['UNKNOWN_VAT_CODE', { items: [item({ price: 100000, tax: 'E' })] }],
    ['UNKNOWN_VAT_CODE', { items: [item({ price: 100000, tax: 'constructor' })] }],
    ['NEGATIVE_INVOICE', { amount: -124000 }],
    ['CREDIT_WITHOUT_REFERENCE', { type: 'credit', refer_guid: '' }],
    ['ZERO_AMOUNT', { amount: 0, items: [] }],
    ['ZERO_AMOUNT', { amount: '0.00', items: [item({ price: 500, discount: 100, percent: true })] }],
    ['MALFORMED_DOCUMENT', { issue_date: '' }],
  ])('%s for %o', (expected, over) => expect(reason(over)).toBe(expected));

  test.each([
    ['Posted', 'post'],
    ['Skipped', 'ORIGINAL_NOT_POSTED'],
    ['Created', 'WAIT_FOR_ORIGINAL'],
    ['Error', 'WAIT_FOR_ORIGINAL'],
  ])('a credit note whose original is %s: %s', (status, expected) => {
    const mapped = map('invoice', invoice({ type: 'credit', refer_guid: guid() }), sampleRules, {
      original: { accounting_status: status },
    });
    expect(mapped.outcome === 'post' ? 'post' : mapped.reason).toBe(expected);
  });

  test.each([
    [{ creditNotes: [{ guid: guid() }] }],
    [{ creditNotes: [guid()] }],
    [{ credit_notes: [{ guid: guid(), refer_guid: 'AAAA' }] }],
    [{ credit_note: guid() }],
    [{ creditedBy: guid() }],
    [{ credited_by: [{ guid: guid() }] }],
    [{ referringCreditNotes: [guid()] }],
    [{ referencedBy: [guid()] }],
    [{ hasCreditNote: true }],
  ])('a cancelled invoice with a credit note is booked as usual: %o', (context) => {
    expect(book({ status: 'Cancelled', guid: 'aaaa' }, sampleRules, context)).toEqual(PLAIN);
  });

  test.each([
    [{ credit_limit: 5000 }],
    [{ credit_limit: '5000', creditworthy: true }],
    [{ reference: 'PO-1', referrer: 'web' }],
    [{ credits: 3 }],
    [{ creditNotes: [] }],
    [{ creditNotes: null, credit_note: '' }],
    [{ hasCreditNote: false }],
  ])('a cancelled invoice stays cancelled where no credit note is named: %o', (context) => {
    expect(reason({ status: 'Cancelled' }, sampleRules, context)).toBe('CANCELLED');
  });

  test('a credit note that refers to another invoice does not bring a cancelled one back', () => {
    const context = { creditNotes: [{ guid: guid(), refer_guid: guid() }] };
    expect(reason({ status: 'Cancelled' }, sampleRules, context)).toBe('CANCELLED');
  });
});

describe('sign of a credit note', () => {
  const credit = { type: 'credit', refer_guid: 'o', total_24vat: 99000 };
  const mirrored = ['1500 K 122760', '3000 D 99000 U24', '2500 D 23760 U24'];

  test.each([
    ['positive', { amount: 122760, items: [item({ price: 100000, discount: 1000 })] }],
    [
      'negative',
      { amount: -122760, total_24vat: -99000, items: [item({ qty: -1, price: 100000, discount: -1000 })] },
    ],
    ['negative in the amount only', { amount: -122760, items: [item({ price: 100000, discount: 1000 })] }],
  ])('is its type, with %s figures', (_how, over) => expect(book({ ...credit, ...over })).toEqual(mirrored));

  test('keeps the guid of what it credits, under a number of its own series', () => {
    const { journal } = posted(map('invoice', invoice({ type: 'credit', refer_guid: 'original-guid' })));
    expect(journal).toMatchObject({ documentNo: 'KR1001', appliesTo: 'original-guid' });
  });
});

describe('reconciling', () => {
  test.each([
    ['nets', { total_24vat: 100000 }],
    ['grosses', { total_24vat: 124000 }],
    ['VAT amounts', { total_24vat: 24000 }],
    ['VAT amounts beside an untaxed total of any kind', { total_24vat: 24000, total_0vat: 7 }],
  ])('takes totals that are %s', (_what, totals) => expect(book(totals)).toEqual(PLAIN));

  test('refuses totals that belong to something else', () => {
    expect(reason({ total_24vat: 100000, total_11vat: 50 })).toBe('VAT_TOTALS_MISMATCH');
  });

  test('reads a price discount per unit when only that gives the amount', () => {
    const items = [item({ qty: 4, price: 5000, discount: 1000 })];
    expect(book({ amount: 19840, items })).toEqual(['1500 D 19840', '3000 K 16000 U24', '2500 K 3840 U24']);
  });

  test('takes numbers as text and nulls for what is absent', () => {
    const items = [item({ qty: '2', price: '50000.00', discount: null })];
    expect(book({ amount: '124000.00', items, total_24vat: null, exchange_rate: null })).toEqual(PLAIN);
  });

  test('forgives the digits of a binary float', () => {
    expect(book({ amount: '124000.00000000001', items: [item({ price: '99999.99999999999' })] })).toEqual(
      PLAIN,
    );
  });

  test('parks taxed lines without VAT unless the customer is known to be exempt', () => {
    const over = { amount: 50000, items: [item({ price: 50000 })] };
    expect(reason(over)).toBe('AMBIGUOUS_VAT');
    expect(reason(over, sampleRules, { customer: { tax_exempt: false } })).toBe('AMBIGUOUS_VAT');
    expect(book(over, sampleRules, { customer: { tax_exempt: 1 } })).toEqual([
      '1500 D 50000',
      '3020 K 50000 U0',
    ]);
  });

  test('books an exempt customer’s mixed lines under one treatment', () => {
    const items = [item({ price: 30000 }), item({ price: 20000, tax: 'AA' }), item({ price: 100, tax: 'Z' })];
    const mapped = posted(
      map('invoice', invoice({ amount: 50100, items }), sampleRules, { customer: { tax_exempt: true } }),
    );
    expect(shown(mapped.journal)).toEqual(['1500 D 50100', '3020 K 50100 U0']);
    expect(codes(mapped)).toEqual(['TAX_EXEMPT_CUSTOMER']);
  });

  test('books a fee that only the totals show', () => {
    const mapped = posted(map('invoice', invoice({ amount: 124310, total_24vat: 100250 })));
    expect(shown(mapped.journal)).toEqual([
      '1500 D 124310',
      '3000 K 100000 U24',
      '3095 K 250 U24',
      '2500 K 24060 U24',
    ]);
    expect(codes(mapped)).toEqual(['LINES_DIFFER_FROM_TOTALS']);
  });

  test('a return that outweighs the sale on the lines does not turn a credit note around', () => {
    const items = [item({ qty: -4, price: 100000 }), item({ price: 495000, tax: 'Z' })];
    const credit = { type: 'credit', refer_guid: 'o', total_24vat: -400000, total_0vat: 500000 };
    expect(book({ ...credit, amount: 4000, items })).toEqual([
      '1500 K 4000',
      '3000 K 400000 U24',
      '3020 D 495000 U0',
      '3095 D 5000 U0',
      '2500 K 96000 U24',
    ]);
  });

  test('reads the totals as grosses where that gives the amount', () => {
    const over = { amount: 111600, total_24vat: 111600 };
    expect(book(over)).toEqual([
      '1500 D 111600',
      '3000 K 100000 U24',
      '3090 D 10000 U24',
      '2500 K 21600 U24',
    ]);
  });

  test.each(['error', 'reject'])('a strict tenant (%s) gets TOTALS_MISMATCH', (whenLinesDiffer) => {
    const strict = rulesWith({ invoice: { whenLinesDiffer } });
    expect(reason({ amount: 111600, total_24vat: 90000 }, strict)).toBe('TOTALS_MISMATCH');
  });

  test('forgives a cent a line and one a rate, and half a króna in ISK, but no more', () => {
    const items = [item({ price: 100000 })];
    expect(book({ amount: '124000.52', items })[0]).toBe('1500 D 124001');
    expect(reason({ amount: '124000.53', items })).toBe('TOTALS_MISMATCH');
    const eur = { currency: 'EUR', exchange_rate: 150, items: [item({ price: 100 })] };
    expect(book({ ...eur, amount: '124.02' })[0]).toBe('1500 D 18603 124.02');
    expect(reason({ ...eur, amount: '124.03' })).toBe('TOTALS_MISMATCH');
  });
});

describe('lines', () => {
  test('an amount of zero with lines on different accounts has no receivable', () => {
    const rules = rulesWith({ invoice: { revenueByItemNumber: { INN: '3500' } } });
    const items = [item({ price: 1000 }), item({ qty: -1, price: 1000, number: 'INN' })];
    expect(book({ amount: 0, items }, rules)).toEqual(['3000 K 1000 U24', '3500 D 1000 U24']);
  });

  test('an amount of zero whose lines cancel out on one account leaves nothing to book', () => {
    const items = [item({ price: 1000 }), item({ qty: -1, price: 1000 })];
    expect(reason({ amount: 0, items })).toBe('ZERO_AMOUNT');
  });

  test('a negative bucket changes side', () => {
    const items = [item({ price: 10000 }), item({ qty: -1, price: 2000, tax: 'AA' })];
    expect(book({ amount: 10180, items })).toEqual([
      '1500 D 10180',
      '3000 K 10000 U24',
      '3010 D 2000 U11',
      '2500 K 2400 U24',
      '2501 D 220 U11',
    ]);
  });

  test('the item number wins over the category, the category over the treatment', () => {
    const rules = rulesWith({
      invoice: { revenueByItemNumber: { A: '3001' }, revenueByCategory: { K: '3002' } },
    });
    const [one, two, three] = [guid(), guid(), guid()];
    const items = [
      item({ price: 100, number: 'A', guid: one }),
      item({ price: 200, number: 'B', guid: two }),
      item({ price: 300, number: 'C', guid: three }),
    ];
    const context = { items: { [one]: { category: 'K' }, [two]: { category: 'K' } } };
    expect(book({ amount: 744, items }, rules, context)).toEqual([
      '1500 D 744',
      '3001 K 100 U24',
      '3002 K 200 U24',
      '3000 K 300 U24',
      '2500 K 144 U24',
    ]);
  });

  test('currencies may have a receivable of their own', () => {
    const rules = rulesWith({ accounts: { receivableByCurrency: { EUR: '1510' } } });
    const over = { currency: 'EUR', exchange_rate: 150, amount: 124, items: [item({ price: 100 })] };
    expect(book(over, rules)[0]).toBe('1510 D 18600 124');
    expect(book({}, rules)[0]).toBe('1500 D 124000');
  });

  test('the receivable carries kennitala without dash, and due date; VAT carries its base', () => {
    const { journal } = posted(
      map('invoice', invoice({ customer: { name: 'A', registration_no: '410121-2040' } })),
    );
    expect(journal.lines[0]).toMatchObject({ counterparty: '4101212040', dueDate: '2025-03-24' });
    expect(journal.lines[2]?.vatBase?.toFixed()).toBe('100000');
    expect(journal.party).toEqual({ kind: 'customer', kennitala: '4101212040', name: 'A' });
  });

  test('where the ERP splits VAT, revenue is gross with its code and there are no VAT lines', () => {
    const rules = rulesWith({ vat: { mode: 'erp-splits' }, invoice: { revenueByItemNumber: { B: '3001' } } });
    const items = [
      item({ price: 100 }),
      item({ price: '33.33', number: 'B' }),
      item({ price: 50, tax: 'Z' }),
    ];
    const { journal } = posted(map('invoice', invoice({ amount: '215.33', items }), rules));
    expect(shown(journal)).toEqual(['1500 D 215', '3000 K 124 U24', '3001 K 41 U24', '3020 K 50 U0']);
    expect(journal.lines[1]?.vatBase?.toFixed()).toBe('100');
  });
});

describe('rounding', () => {
  test('more than rules.rounding.maxIsk is refused', () => {
    const rules = rulesWith({
      rounding: { maxIsk: 1 },
      invoice: { revenueByItemNumber: Object.fromEntries(['A', 'B', 'C', 'D'].map((n) => [n, `30${n}`])) },
    });
    const items = ['A', 'B', 'C', 'D'].map((number) => item({ price: '10.40', number, tax: 'Z' }));
    expect(reason({ amount: '41.60', items }, rules)).toBe('ROUNDING_EXCEEDED');
    expect(book({ amount: '41.60', items }).at(-1)).toBe('3020 K 42 U0');
  });

  test('a tenant may allow no rounding at all', () => {
    const none = rulesWith({ rounding: { maxIsk: 0 } });
    const items = [item({ price: 1001 }), item({ price: 113, tax: 'AA' })];
    expect(reason({ amount: '1366.67', items }, none)).toBe('ROUNDING_EXCEEDED');
    expect(book({}, none)).toEqual(PLAIN);
  });

  test('books that keep aurar round to them', () => {
    const rules = rulesWith({ rounding: { iskDecimals: 2 } });
    expect(book({ amount: '1.24', items: [item({ price: 1 })] }, rules)).toEqual([
      '1500 D 1.24',
      '3000 K 1 U24',
      '2500 K 0.24 U24',
    ]);
  });

  test('a cent over goes into the largest revenue line before conversion', () => {
    const items = [item({ price: '33.33' }), item({ price: '66.68', tax: 'AA' })];
    // 33.33 + 8.00 + 66.68 + 7.33 = 115.34; the invoice says 115.35.
    expect(book({ currency: 'EUR', exchange_rate: 150, amount: '115.35', items })).toEqual([
      '1500 D 17303 115.35',
      '3000 K 5000 U24 -33.33',
      '3010 K 10004 U11 -66.69',
      '2500 K 1200 U24 -8',
      '2501 K 1100 U11 -7.33',
      '9900 D 1',
    ]);
  });

  test('more than rules.rounding.maxMinorUnits is refused', () => {
    const rules = rulesWith({ rounding: { maxMinorUnits: 0 } });
    const over = { currency: 'EUR', exchange_rate: 150, amount: '124.01', items: [item({ price: 100 })] };
    expect(reason(over, rules)).toBe('ROUNDING_EXCEEDED');
  });

  test('what would be worth nothing in ISK joins the largest revenue line', () => {
    const items = [item({ price: 100000 }), item({ price: 50, tax: 'Z' })];
    expect(book({ currency: 'VND', exchange_rate: '0.0053', amount: 124050, items })).toEqual([
      '1500 D 657 124050',
      '3000 K 530 U24 -100050',
      '2500 K 127 U24 -24000',
    ]);
  });

  test('a foreign document worth less than a króna is too small to book', () => {
    const over = { currency: 'VND', exchange_rate: '0.0053', amount: 62, items: [item({ price: 50 })] };
    expect(reason(over)).toBe('ZERO_AMOUNT');
  });
});

describe('exchange rate', () => {
  const eur = { currency: 'EUR', amount: 124, items: [item({ price: 100 })] };

  test('from the table: the latest day not after the invoice', () => {
    const table = { EUR: { '2025-03-11': 170, '2025-03-07': 149.8, '2025-03-04': '120.5' } };
    expect(book({ ...eur, exchange_rate: 0 }, rulesWith({ fx: { table } }))[0]).toBe('1500 D 18575 124');
  });

  test('the document’s own wins over the table', () => {
    const rules = rulesWith({ fx: { table: { EUR: { '2025-03-10': 140 } } } });
    expect(book({ ...eur, exchange_rate: 150 }, rules)[0]).toBe('1500 D 18600 124');
  });

  test.each([
    ['2025-03-03', true],
    ['2025-03-02', false],
  ])('a rate of %s is young enough: %s', (day, isYoung) => {
    const mapped = map(
      'invoice',
      invoice({ ...eur, exchange_rate: null }),
      rulesWith({ fx: { table: { EUR: { [day]: 150 } } } }),
    );
    expect(mapped.outcome === 'post' ? 'post' : mapped.reason).toBe(isYoung ? 'post' : 'FX_RATE_MISSING');
  });

  test.each([48.3, 435.1, 0.0067, -150])('refuses %d ISK for a euro, and never inverts it', (rate) => {
    expect(reason({ ...eur, exchange_rate: rate })).toBe('FX_RATE_IMPLAUSIBLE');
  });

  test.each([48.34, 435])('lets %d ISK for a euro pass: inside the band', (exchange_rate) => {
    expect(map('invoice', invoice({ ...eur, exchange_rate })).outcome).toBe('post');
  });

  test('is 1 in ISK whatever the document says', () => {
    expect(posted(map('invoice', invoice({ exchange_rate: 150 }))).journal.exchangeRate.toFixed()).toBe('1');
  });
});

describe('posting date', () => {
  test('the last locked day is locked, the next is open', () => {
    expect(reason({}, rulesWith({ period: { lockedUntil: '2025-03-10', whenLocked: 'park' } }))).toBe(
      'PERIOD_LOCKED',
    );
    const forever = { lockedUntil: '9999-12-31', whenLocked: 'firstOpenDay' };
    expect(reason({}, rulesWith({ period: forever }))).toBe('PERIOD_LOCKED');
    const open = posted(map('invoice', invoice(), rulesWith({ period: { lockedUntil: '2025-03-09' } })));
    expect([open.journal.postingDate, codes(open)]).toEqual(['2025-03-10', []]);
  });

  test('the first open day may be in the next year', () => {
    const rules = rulesWith({ period: { lockedUntil: '2025-12-31', whenLocked: 'firstOpenDay' } });
    const { journal } = posted(map('invoice', invoice(), rules));
    expect(journal).toMatchObject({
      postingDate: '2026-01-01',
      documentDate: '2025-03-10',
      dueDate: '2025-03-24',
    });
  });
});

describe('payment', () => {
  const claim = {
    status: 'Paid',
    claim_status: 'paid',
    default_interest_amount: 1000,
    default_charge_amount: 950,
    other_default_costs_amount: 50,
    capital_gains_tax: 220,
    bank_transaction_amount: 125780,
  };
  const settle = (settlement: string, over: Raw, context: Raw = {}) => {
    const mapped = posted(map('invoice', invoice(over), rulesWith({ invoice: { settlement } }), context));
    return { lines: shown(mapped.settlement), warnings: codes(mapped) };
  };

  test.each(['claim', 'all'])(
    'a paid claim is settled with its interest, costs and tax (%s)',
    (settlement) => {
      expect(settle(settlement, claim)).toEqual({
        lines: ['1910 D 125780', '1520 D 220', '1500 K 124000', '8000 K 1000', '8050 K 1000'],
        warnings: [],
      });
    },
  );

  test('a króna of difference goes to rounding, two are a warning and no settlement', () => {
    expect(settle('claim', { ...claim, bank_transaction_amount: 125779 }).lines.at(-1)).toBe('9900 D 1');
    expect(settle('all', { ...claim, bank_transaction_amount: 125778 })).toEqual({
      lines: [],
      warnings: ['CLAIM_AMOUNTS_MISMATCH'],
    });
  });

  test.each([
    ['none', claim],
    ['claim', { ...claim, claim_status: 'sent' }],
    ['claim', { status: 'Paid' }],
    ['all', { status: 'Sent' }],
  ])('nothing is settled (%s, %o)', (settlement, over) => expect(settle(settlement, over).lines).toEqual([]));

  test.each([
    [{ methodPayment: 2 }, '1930'],
    [{ methodPayment: '9' }, '1910'],
    [{ methodPayment: 77 }, '1940'],
    [{}, '1940'],
  ])('paid by %o is debited on %s', (context, account) => {
    expect(settle('all', { status: 'Paid' }, context).lines).toEqual([
      `${account} D 124000`,
      '1500 K 124000',
    ]);
  });

  test('a foreign invoice is settled in its currency', () => {
    const over = {
      status: 'Paid',
      currency: 'EUR',
      exchange_rate: 150,
      amount: 124,
      items: [item({ price: 100 })],
    };
    expect(settle('all', over).lines).toEqual(['1940 D 18600 124', '1500 K 18600 -124']);
  });
});

describe('dimensions', () => {
  const booking = { dimensions: { invoice: { booking: 'verk' }, values: { verk: { A: '10' } } } };

  test('a table maps, an unknown text parks and names itself', () => {
    const { journal } = posted(map('invoice', invoice({ booking: ' A ' }), rulesWith(booking)));
    expect(journal.lines.map((line) => line.dimensions)).toEqual([undefined, { verk: '10' }, undefined]);
    const parked = stopped(map('invoice', invoice({ booking: 'B' }), rulesWith(booking)));
    expect(parked).toMatchObject({
      outcome: 'park',
      reason: 'UNMAPPED_DIMENSION',
      why: { subject: 'dimension verk, value "B"' },
    });
  });

  test('without a table the text is taken as it is', () => {
    const { journal } = posted(map('invoice', invoice({ cost_provide: 'RVK' })));
    expect(journal.lines[1]?.dimensions).toEqual({ costLocation: 'RVK' });
  });

  test.each(['omit', 'ignore'])('an unknown text is left out where the tenant says %s', (whenUnmapped) => {
    const rules = rulesWith({ dimensions: { ...booking.dimensions, whenUnmapped } });
    expect(
      posted(map('invoice', invoice({ booking: 'constructor' }), rules)).journal.lines[1]?.dimensions,
    ).toBeUndefined();
  });
});

describe('kennitala', () => {
  const customer = (registration_no: string) => ({ customer: { name: 'A', registration_no } });
  test.each([
    ['4101212040', []],
    ['1003902369', ['KENNITALA_CHECKSUM']],
    ['123', ['KENNITALA_FORMAT']],
    ['', ['KENNITALA_FORMAT']],
  ])('%s is posted with %o', (written, expected) => {
    expect(codes(map('invoice', invoice(customer(written))))).toEqual(expected);
  });
});

describe('skip rules', () => {
  test.each([
    ['SKIPPED_CUSTOMER', { customers: ['410121-2040'] }],
    ['SKIPPED_SERIES', { series: ['10'] }],
    ['BEFORE_CUT_OVER', { before: '2025-03-11' }],
  ])('%s by %o', (expected, skip) => {
    const rules = rulesWith({ skip });
    expect(reason({}, rules)).toBe(expected);
    expect(reason({ status: 'Draft' }, rules)).toBe('DRAFT');
  });

  test('what no rule names is booked', () => {
    const skip = { customers: ['5501192180'], series: ['WEB-'], before: '2025-03-10' };
    expect(book({}, rulesWith({ skip }))).toEqual(PLAIN);
  });
});

describe('wording', () => {
  test.each([
    ['kept whole', '123', 5, 'SR123', []],
    ['cut at its beginning', '2025-000123', 6, 'SR0123', ['DOCUMENT_NUMBER_CUT']],
    ['cut by whole characters', '1😀234', 6, 'SR234', ['DOCUMENT_NUMBER_CUT']],
  ])('a document number is %s', (_how, number, lengthMax, documentNo, warned) => {
    const mapped = posted(map('invoice', invoice({ number }), rulesWith({ numbering: { lengthMax } })));
    expect([mapped.journal.documentNo, codes(mapped)]).toEqual([documentNo, warned]);
    const cuts = mapped.trace.filter(({ rule }) => rule === 'numbering.lengthMax');
    expect(cuts.map(({ value }) => value)).toEqual(warned.map(() => documentNo));
  });

  test('neighbours in a series stay apart, even under a prefix that leaves no room', () => {
    const rules = rulesWith({ numbering: { invoice: 'SOLUREIKNINGUR-', lengthMax: 5 } });
    const numbers = ['2025-00012345', '2025-00012346'].map(
      (number) => posted(map('invoice', invoice({ number }), rules)).journal.documentNo,
    );
    expect(numbers).toEqual(['12345', '12346']);
  });

  test('a document number holds nothing that steers a terminal', () => {
    const { journal } = posted(map('invoice', invoice({ number: ' 10\u001b[2J01\n\u0000 ' })));
    expect(journal.documentNo).toBe('SR10 [2J01');
  });

  test('templates fill in, lengths are kept to whole characters', () => {
    const descriptions = {
      invoice: 'Sala {number} {party}: {description}',
      lengthMax: 30,
      lineLengthMax: 12,
    };
    const rules = rulesWith({ descriptions, numbering: { lengthMax: 5 } });
    const { journal } = posted(
      map('invoice', invoice({ number: '123456', description: 'þ😀'.repeat(9) }), rules),
    );
    expect(journal.documentNo).toBe('SR456');
    expect(journal.description).toBe('Sala 123456 Dæmi ehf.: þ😀þ😀…');
    expect(journal.lines.map(({ text }) => text)).toEqual(['Sala 123456…', 'Vara V1', 'Sala 123456…']);
  });
});

describe('a cancelled invoice that no credit note answers', () => {
  const cancelled = (over: Raw = {}, rules = sampleRules) =>
    stopped(map('invoice', invoice({ status: 'Cancelled', ...over }), rules));

  test('is parked, and its amount is named', () => {
    expect(cancelled()).toMatchObject({
      outcome: 'park',
      reason: 'CANCELLED',
      why: { params: { amount: '124000', currency: 'ISK' } },
    });
  });

  test('is skipped where the rules say so', () => {
    const rules = rulesWith({ invoice: { cancelled: 'skip' } });
    expect(cancelled({}, rules)).toMatchObject({ outcome: 'skip', reason: 'CANCELLED' });
  });

  test('is skipped where it is about nothing', () => {
    expect(cancelled({ amount: 0, items: [] })).toMatchObject({ outcome: 'skip' });
  });

  test('is left out like any other where the rules leave it out', () => {
    const rules = rulesWith({ skip: { before: '2030-01-01' } });
    expect(cancelled({}, rules)).toMatchObject({ outcome: 'skip', reason: 'BEFORE_CUT_OVER' });
  });
});

describe('a credit note whose original is older than the cut-over', () => {
  const rules = rulesWith({ skip: { before: '2025-01-01' } });
  const noteTo = (original: Raw) =>
    map('invoice', invoice({ type: 'credit', refer_guid: guid() }), rules, { original });

  test.each(['Skipped', 'Created', 'Error'])(
    'is booked with a warning, since the original is in the books by hand: %s',
    (status) => {
      const mapped = posted(noteTo({ accounting_status: status, issue_date: '2024-12-31' }));
      expect(mapped.warnings.map(({ code }) => code)).toContain('ORIGINAL_BEFORE_CUT_OVER');
    },
  );

  test('waits for one of the first day after it', () => {
    expect(stopped(noteTo({ accounting_status: 'Created', issue_date: '2025-01-01' })).reason).toBe(
      'WAIT_FOR_ORIGINAL',
    );
  });

  test('is parked where the original was skipped for another reason', () => {
    expect(stopped(noteTo({ accounting_status: 'Skipped', issue_date: '2025-01-01' })).reason).toBe(
      'ORIGINAL_NOT_POSTED',
    );
  });
});
