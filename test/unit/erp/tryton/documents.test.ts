import { describe, expect, test } from 'vitest';
import { Decimal, ZERO } from '../../../../src/domain/money.js';
import type { Journal, JournalLine, LineRole } from '../../../../src/domain/journal.js';
import { invoicedLine, toInvoice, toMove } from '../../../../src/erp/tryton/translate.js';
import type { WireTax } from '../../../../src/erp/tryton/invoices.js';
import { taxesByCode, taxRefusal, type TrytonSetup } from '../../../../src/erp/tryton/facts.js';

const KINDS = { receivable: false, payable: false, revenue: false, expense: false, debt: false };
const account = (id: number, code: string, kind: Partial<typeof KINDS> = {}) =>
  [
    code,
    {
      ...{ id, code, name: '', closed: false, party_required: false, type: 1 },
      'type.': { ...KINDS, ...kind },
    },
  ] as const;
const tax = (id: number, name: string, more: Partial<WireTax> = {}): WireTax => ({
  ...{ id, name, type: 'percentage', parent: null, invoice_account: null, credit_note_account: null },
  ...more,
});
const on = (id: number) => ({ invoice_account: id, credit_note_account: id });

const KNOWN = [
  tax(1, 'Út 24%', on(4)),
  tax(2, 'Erlent', { type: 'none' }),
  tax(3, 'Erlent inn', { ...on(6), parent: 2 }),
  tax(4, 'Erlent út', { ...on(7), parent: 2 }),
];
const taxes = taxesByCode({ U24: 'Út 24%', RC24: 'Erlent' }, KNOWN);
const setup: TrytonSetup = {
  company: { id: 1, kennitala: '', name: 'Fjörður ehf.', currency: 'ISK', currencyDigits: 2 },
  salesJournal: 10,
  purchaseJournal: 20,
  currencies: new Map([['ISK', 1]]),
  accounts: new Map([
    account(1, '1500', { receivable: true }),
    account(2, '2410', { payable: true }),
    account(3, '3000', { revenue: true }),
    account(4, '2500'),
    account(5, '6100', { expense: true }),
    account(6, '1603'),
    account(7, '2502'),
    account(8, '2590'),
  ]),
  axes: new Map(),
  taxes: taxes.outcome === 'ok' ? taxes.value : new Map(),
};
const context = { setup, parties: new Map([['4501011230', 41]]), address: 51 };

/** Plus is debit. */
function line(account: string, role: LineRole, isk: number, vatCode?: string): JournalLine {
  const amount = new Decimal(isk);
  return {
    ...{ account, role, text: `${role} ${String(isk)}` },
    ...(isk > 0 ? { debit: amount, credit: ZERO } : { debit: ZERO, credit: amount.neg() }),
    ...(vatCode === undefined ? {} : { vatCode }),
    ...(role === 'receivable' || role === 'payable' ? { counterparty: '450101-1230' } : {}),
  };
}

function journal(lines: JournalLine[], more: Partial<Journal> = {}): Journal {
  return {
    ...{ documentNo: 'SR7', externalReference: 'guid-7', description: 'Sala', currency: 'ISK' },
    ...{ postingDate: '2026-03-15', documentDate: '2026-03-14', dueDate: '2026-04-01' },
    exchangeRate: new Decimal(1),
    lines,
    ...more,
  };
}

function invoiceOf(made: Journal) {
  const owed = invoicedLine(made, setup);
  if (!owed) throw new Error('it is no invoice');
  const values = toInvoice('IAAAAAAAAAAAAAAAAAAA', made, owed, context);
  const created = (name: string) => (values[name] as [[string, Record<string, unknown>[]]])[0][1];
  const text = (value: unknown) => (value as { decimal: string }).decimal;
  return {
    values,
    items: created('lines').map((item) => `${String(item['quantity'])} × ${text(item['unit_price'])}`),
    taxes: created('taxes').map(
      (each) =>
        `${String(each['tax'] ?? 'none')} on ${String(each['account'])}: ${text(each['amount'])} of ${text(each['base'])}${each['manual'] === true ? ', by itself' : ''}`,
    ),
  };
}

describe('an invoice in the words of Tryton', () => {
  const sale = [line('1500', 'receivable', 124), line('3000', 'revenue', -100, 'U24')];

  test('has the number, the dates and the guid of the document, and VAT as it was reckoned at the source', () => {
    const {
      values,
      items,
      taxes: given,
    } = invoiceOf(journal([...sale, line('2500', 'vat-out', -24, 'U24')]));
    expect(values).toMatchObject({
      ...{ type: 'out', number: 'SR7', reference: 'SR7', comment: 'guid-7', party: 41, account: 1 },
      description: 'IAAAAAAAAAAAAAAAAAAA SR7 Sala',
      invoice_date: { day: 14 },
      accounting_date: { day: 15 },
      payment_term_date: { month: 4, day: 1 },
    });
    expect(items).toEqual(['1 × 100']);
    expect(given).toEqual(['1 on 4: 24 of 100']);
  });

  test('says its number once, also where the rules have put it into the text', () => {
    const made = journal([...sale, line('2500', 'vat-out', -24, 'U24')], { description: 'SR7 Hraun ehf.' });
    expect(invoiceOf(made).values).toHaveProperty('description', 'IAAAAAAAAAAAAAAAAAAA SR7 Hraun ehf.');
    const move = toMove('IAAAAAAAAAAAAAAAAAAA', made, { ...context, periodId: 1 });
    expect(move).toHaveProperty('description', 'IAAAAAAAAAAAAAAAAAAA SR7 Hraun ehf.');
  });

  test('keeps VAT of a code without a tax in Tryton, by itself', () => {
    const { taxes: given } = invoiceOf(journal([...sale, line('2500', 'vat-out', -24)]));
    expect(given).toEqual(['1 on 4: 0 of 100', 'none on 4: 24 of 0, by itself']);
  });

  test('has a line of VAT once where items are sold and given back, whose bases Tryton reckons apart', () => {
    const lines = [
      line('1500', 'receivable', 93),
      line('3000', 'revenue', -100, 'U24'),
      line('3000', 'residual', 25, 'U24'),
      line('2500', 'vat-out', -18, 'U24'),
    ];
    const { items, taxes: given } = invoiceOf(journal(lines));
    expect(items).toEqual(['1 × 100', '-1 × 25']);
    expect(given).toEqual(['1 on 4: 18 of 100', '1 on 4: 0 of -25']);
  });

  test('has both parts of a reverse charge, and a credit note of it both with their sides changed', () => {
    const lines = (sign: 1 | -1) => [
      line('2410', 'payable', -100 * sign),
      line('6100', 'expense', 100 * sign, 'RC24'),
      line('1603', 'reverse-charge-in', 24 * sign, 'RC24'),
      line('2502', 'reverse-charge-out', -24 * sign, 'RC24'),
    ];
    expect(invoiceOf(journal(lines(1))).taxes).toEqual(['3 on 6: 24 of 100', '4 on 7: -24 of 100']);
    const credit = invoiceOf(journal(lines(-1)));
    expect(credit.values).toMatchObject({ type: 'in' });
    expect(credit.items).toEqual(['-1 × 100']);
    expect(credit.taxes).toEqual(['3 on 6: -24 of -100', '4 on 7: 24 of -100']);
  });

  test.each([
    ['in another currency', journal(sale, { currency: 'EUR' })],
    ['with income on a liability', journal([line('1500', 'receivable', 100), line('2590', 'revenue', -100)])],
    ['that was paid at once', journal([line('2500', 'bank', 100), line('3000', 'revenue', -100)])],
    ['owed on another account', journal([line('2590', 'payable', -100), line('6100', 'expense', 100)])],
  ])('is none for a document %s', (_what, made) => {
    expect(invoicedLine(made, setup)).toBeNull();
  });

  test('is refused where the tax in Tryton goes to another account than the rules', () => {
    const made = journal([...sale, line('2502', 'vat-out', -24, 'U24')]);
    expect(taxRefusal(made, setup.taxes, setup.accounts)).toMatchObject({
      ...{ code: 'unknown-vat-code', vatCode: 'U24', account: '2502' },
      message: expect.stringContaining('does not go to account 2502') as string,
    });
    expect(taxesByCode({ U24: 'Enginn' }, KNOWN)).toMatchObject({ code: 'unknown-vat-code' });
    expect(taxesByCode({ U24: 'Út 24%' }, [...KNOWN, tax(9, 'Út 24%')])).toMatchObject({
      message: expect.stringContaining('more than one tax') as string,
    });
  });

  test("is in Tryton's tax report as a plain move too", () => {
    const made = journal([...sale, line('2500', 'vat-out', -24, 'U24')]);
    const { lines } = toMove('IAAAAAAAAAAAAAAAAAAA', made, { ...context, periodId: 1 });
    const [[, values]] = lines as [[string, Record<string, unknown>[]]];
    expect(values.map((each) => each['tax_lines'] ?? null)).toMatchObject([
      null,
      [['create', [{ type: 'base', tax: 1, amount: { decimal: '100' } }]]],
      [['create', [{ type: 'tax', tax: 1, amount: { decimal: '24' } }]]],
    ]);
  });
});
