import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { compareEntry } from '../../../src/erp/compare-entry.js';
import type { JournalLine } from '../../../src/domain/journal.js';
import type { ErpEntry, ErpEntryLine } from '../../../src/erp/erp-adapter.js';
import { FOREIGN_COST, SALE } from '../../support/erp/sample-journals.js';

const ALL = { readBack: 'lines', foreignCurrency: 'in-currency', dimensions: true, subledger: true } as const;

function entryOf(
  journal: typeof SALE,
  change: (lines: ErpEntryLine[]) => ErpEntryLine[] = (lines) => lines,
): ErpEntry {
  return {
    reference: { id: '1' },
    key: 'I',
    state: 'posted',
    postingDate: journal.postingDate,
    lines: change([...journal.lines]),
  };
}

function changeFirst(change: Partial<ErpEntryLine>) {
  return (lines: ErpEntryLine[]) => lines.map((line, index) => (index === 0 ? { ...line, ...change } : line));
}

describe('comparing a journal with what the ERP holds', () => {
  test('equal lines are equal in any order and however zeros are written', () => {
    const reversedOrder = entryOf(SALE, (lines) => lines.reverse());
    expect(compareEntry(SALE, reversedOrder, ALL)).toEqual([]);
    const padded = entryOf(SALE, changeFirst({ debit: new Decimal('12400.00'), currency: 'ISK' }));
    expect(compareEntry(SALE, padded, ALL)).toEqual([]);
    expect(compareEntry(FOREIGN_COST, entryOf(FOREIGN_COST), ALL)).toEqual([]);
  });

  test('one króna, one line, another day, another account or side is a difference', () => {
    const differs = (entry: ErpEntry) => compareEntry(SALE, entry, ALL);
    expect(differs(entryOf(SALE, changeFirst({ debit: new Decimal(12401) })))).toEqual([
      'missing: 1500 debit 12400 with 4501011230',
      'not ours: 1500 debit 12401 with 4501011230',
    ]);
    expect(differs(entryOf(SALE, (lines) => lines.slice(1)))).toHaveLength(1);
    expect(differs(entryOf(SALE, (lines) => [...lines, lines[1]!]))).toEqual([
      'not ours: 3000 credit 10000 costLocation=Reykjavík',
    ]);
    expect(differs({ ...entryOf(SALE), postingDate: '2026-03-16' })).toEqual([
      'posting date is 2026-03-16 instead of 2026-03-15',
    ]);
    expect(differs(entryOf(SALE, changeFirst({ account: '1501' })))).toHaveLength(2);
    expect(
      differs(entryOf(SALE, changeFirst({ debit: new Decimal(0), credit: new Decimal(12400) }))),
    ).toHaveLength(2);
  });

  test('partner, dimension and currency count only where the ERP has them', () => {
    const stranger = entryOf(SALE, changeFirst({ counterparty: '5501012420' }));
    expect(compareEntry(SALE, stranger, ALL)).toHaveLength(2);
    expect(compareEntry(SALE, stranger, { ...ALL, subledger: false })).toEqual([]);
    const undimensioned = entryOf(SALE, (lines) => lines.map(({ dimensions: _dropped, ...line }) => line));
    expect(compareEntry(SALE, undimensioned, ALL)).toHaveLength(2);
    expect(compareEntry(SALE, undimensioned, { ...ALL, dimensions: false })).toEqual([]);
    const inIsk = entryOf(FOREIGN_COST, changeFirst({ currency: 'ISK', currencyAmount: new Decimal(14533) }));
    expect(compareEntry(FOREIGN_COST, inIsk, ALL)).toHaveLength(2);
    expect(compareEntry(FOREIGN_COST, inIsk, { ...ALL, foreignCurrency: 'none' })).toEqual([]);
  });

  test('an ERP that shows only totals is compared account by account', () => {
    const totals = { ...ALL, readBack: 'totals' } as const;
    const merged = entryOf(SALE, (lines) => [
      ...lines.slice(0, 1),
      { ...lines[1]!, credit: new Decimal(4000) },
      { ...lines[1]!, credit: new Decimal(6000) },
      lines[2]!,
    ]);
    expect(compareEntry(SALE, merged, totals)).toEqual([]);
    expect(compareEntry(SALE, entryOf(SALE, changeFirst({ debit: new Decimal(1) })), totals)).toEqual([
      'account 1500 has 1 instead of 12400',
    ]);
  });
});

describe('comparing where the ERP takes VAT out of gross lines', () => {
  const [receivable, revenue] = SALE.lines;
  const gross = { ...revenue!, credit: new Decimal(12400), vatCode: 'U24', vatBase: new Decimal(10000) };
  const sent = { ...SALE, lines: [receivable!, gross] };
  const splits = { ...ALL, vatMode: 'erp-splits' } as const;
  const booked = (net: number, vat: number, vatAccount = '2500') =>
    entryOf(SALE, ([first]) => [
      first!,
      { account: '3000', debit: new Decimal(0), credit: new Decimal(net) },
      { account: vatAccount, debit: new Decimal(0), credit: new Decimal(vat) },
    ]);

  test('the net and the VAT together are the gross amount, within a króna of rounding', () => {
    expect(compareEntry(sent, booked(10000, 2400), splits)).toEqual([]);
    expect(compareEntry(sent, booked(10001, 2399, 'VAT'), splits)).toEqual([]);
  });

  test('another rate, no VAT at all, or a króna too many is a difference', () => {
    expect(compareEntry(sent, booked(11171, 1229), splits)).toEqual([
      'account 3000 has -11171 without VAT instead of -10000',
    ]);
    expect(compareEntry(sent, booked(12400, 0), splits)).toHaveLength(1);
    expect(compareEntry(sent, booked(10000, 2401), splits)).toEqual(['-12401 with VAT instead of -12400']);
    const other = booked(10000, 2400);
    const [first, ...rest] = other.lines;
    const dearer = { ...other, lines: [{ ...first!, debit: new Decimal(12500) }, ...rest] };
    expect(compareEntry(sent, dearer, splits)).not.toEqual([]);
  });

  test('VAT that is not deducted stays with the expense, and no other VAT does', () => {
    const cost = (vatKept: number): typeof SALE => ({
      ...sent,
      lines: [
        {
          ...gross,
          role: 'expense',
          debit: gross.credit,
          credit: gross.debit,
          vatKept: new Decimal(vatKept),
        },
        { ...receivable!, role: 'payable', debit: receivable!.credit, credit: receivable!.debit },
      ],
    });
    const bookedCost = (net: number, vat: number): ErpEntry => {
      const entry = booked(net, vat);
      return {
        ...entry,
        lines: entry.lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit })),
      };
    };
    expect(compareEntry(cost(2400), bookedCost(12400, 0), splits)).toEqual([]);
    expect(compareEntry(cost(1200), bookedCost(11200, 1200), splits)).toEqual([]);
    expect(compareEntry(cost(2400), bookedCost(10000, 2400), splits)).toEqual([
      'account 3000 has 10000 without VAT instead of 12400',
    ]);
  });

  describe('with a reverse charge', () => {
    const line = (account: string, debit: number, more: Partial<JournalLine> = {}): JournalLine => ({
      ...{ account, role: 'expense', text: account, ...more },
      debit: new Decimal(Math.max(debit, 0)),
      credit: new Decimal(Math.max(-debit, 0)),
    });
    const charged = line('6400', 15_000, { vatCode: 'RC24', reverseVat: new Decimal(3600) });
    const bill = { ...SALE, lines: [charged, line('2410', -15_000, { role: 'payable' })] };
    const withVat = (...vat: ErpEntryLine[]) => entryOf(SALE, () => [...bill.lines, ...vat]);
    const compared = (...vat: ErpEntryLine[]) => compareEntry(bill, withVat(...vat), splits);

    test('the ERP owes and deducts as much as the document says, within a króna of rounding', () => {
      expect(compared(line('1603', 3600), line('2502', -3600))).toEqual([]);
      expect(compared(line('1603', 3600.5), line('2502', -3600.5))).toEqual([]);
    });

    test('another rate, or no reverse charge at all, is a difference that says so', () => {
      expect(compared(line('1603', 1650), line('2502', -1650))).toEqual([
        '1650 of VAT owed and deducted by reverse charge instead of 3600',
      ]);
      expect(compared()).toEqual(['0 of VAT owed and deducted by reverse charge instead of 3600']);
      expect(compared(line('1603', 36_000), line('2502', -36_000))).toEqual([
        '36000 of VAT on both sides instead of 3600',
      ]);
    });

    test('VAT on both sides of a document without one is a difference', () => {
      const entry = entryOf(SALE, () => [
        ...booked(10000, 2400).lines,
        line('1603', 500),
        line('2502', -500),
      ]);
      expect(compareEntry(sent, entry, splits)).toEqual(['500 of VAT on both sides instead of 0']);
    });
  });

  test('a draft may still stand as it was sent', () => {
    const draft = { ...entryOf(sent), state: 'draft' } as const;
    expect(compareEntry(sent, draft, splits)).toEqual([]);
    expect(compareEntry(sent, { ...draft, state: 'posted' }, splits)).not.toEqual([]);
  });

  test('a document in its own currency is compared there to the cent, and its krónur within the part that is allowed', () => {
    const capabilities = {
      ...ALL,
      foreignCurrency: 'documents-in-currency',
      foreignIskTolerance: 0.0001,
    } as const;
    const inCurrency = FOREIGN_COST.lines.filter((line) => line.currencyAmount);
    const scaled = (by: number) =>
      entryOf(FOREIGN_COST, () =>
        inCurrency.map((line) => ({
          ...line,
          debit: line.debit.times(by).toDecimalPlaces(2),
          credit: line.credit.times(by).toDecimalPlaces(2),
        })),
      );
    expect(compareEntry(FOREIGN_COST, scaled(1.00005), capabilities)).toEqual([]);
    expect(compareEntry(FOREIGN_COST, scaled(1.01), capabilities)).toEqual([
      expect.stringMatching(/ISK instead of/),
    ]);
    const cent = entryOf(
      FOREIGN_COST,
      () =>
        inCurrency.map((line, index) =>
          index === 0 ? { ...line, currencyAmount: line.currencyAmount?.plus('0.01') } : line,
        ) as ErpEntryLine[],
    );
    expect(compareEntry(FOREIGN_COST, cent, capabilities)).toHaveLength(2);
  });

  test('an entry in krónur alone is compared in krónur, whatever the currency of the document', () => {
    const capabilities = { ...ALL, foreignCurrency: 'documents-in-currency' } as const;
    const plain = (lines: ErpEntryLine[]) =>
      lines.map(({ currency: _currency, currencyAmount: _amount, ...line }) => line);
    expect(compareEntry(FOREIGN_COST, entryOf(FOREIGN_COST, plain), capabilities)).toEqual([]);
    const more = (lines: ErpEntryLine[]) => plain(changeFirst({ debit: new Decimal(1) })(lines));
    expect(compareEntry(FOREIGN_COST, entryOf(FOREIGN_COST, more), capabilities)).toHaveLength(2);
  });
});
