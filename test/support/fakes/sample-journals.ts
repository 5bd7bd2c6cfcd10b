// Journals that the adapters' own tests translate and post: an invoice with VAT and a dimension, and a cost.
import { Decimal, ZERO } from '../../../src/domain/money.js';
import type { Journal, JournalLine } from '../../../src/domain/journal.js';
import { FAKE_CHART } from './fake-chart.js';

export const INVOICE_KEY = 'IABCDEFGHIJKLMNOPQR2';
export const COST_KEY = 'CABCDEFGHIJKLMNOPQR3';

export function invoiceJournal(overrides: Partial<Journal> = {}): Journal {
  const { customer, dimension, openDate } = FAKE_CHART;
  return {
    documentNo: 'SR1001',
    externalReference: '0f8fad5b-d9cb-469f-a165-70867728950e',
    postingDate: openDate,
    documentDate: openDate,
    dueDate: '2026-04-14',
    description: 'Reikningur 1001 – Þórður Ægisson',
    currency: 'ISK',
    exchangeRate: new Decimal(1),
    party: customer,
    lines: [
      {
        account: FAKE_CHART.receivable,
        role: 'receivable',
        debit: new Decimal(12_400),
        credit: ZERO,
        counterparty: customer.kennitala,
        dueDate: '2026-04-14',
        text: 'Viðskiptakrafa',
      },
      {
        account: FAKE_CHART.revenue,
        role: 'revenue',
        debit: ZERO,
        credit: new Decimal(10_000),
        vatCode: 'U24',
        dimensions: { [dimension.name]: dimension.value },
        text: 'Ráðgjöf',
      },
      {
        account: FAKE_CHART.vatOut,
        role: 'vat-out',
        debit: ZERO,
        credit: new Decimal(2_400),
        vatCode: 'U24',
        vatBase: new Decimal(10_000),
        text: 'Útskattur 24%',
      },
    ],
    ...overrides,
  };
}

export function costJournal(overrides: Partial<Journal> = {}): Journal {
  const { supplier, openDate } = FAKE_CHART;
  return {
    documentNo: 'K-778',
    externalReference: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    postingDate: openDate,
    documentDate: openDate,
    description: 'Húsaleiga',
    currency: 'ISK',
    exchangeRate: new Decimal(1),
    party: supplier,
    lines: [
      {
        account: FAKE_CHART.expense,
        role: 'expense',
        debit: new Decimal('8064.52'),
        credit: ZERO,
        text: 'Húsaleiga',
      },
      {
        account: FAKE_CHART.vatIn,
        role: 'vat-in',
        debit: new Decimal('1935.48'),
        credit: ZERO,
        text: 'Innskattur',
      },
      {
        account: FAKE_CHART.payable,
        role: 'payable',
        debit: ZERO,
        credit: new Decimal(10_000),
        counterparty: supplier.kennitala,
        text: 'Viðskiptaskuld',
      },
    ],
    ...overrides,
  };
}

/** The invoice undone in part: the same accounts, each on its other side. */
export function creditNoteJournal(): Journal {
  const { lines, dueDate: _dueDate, ...invoice } = invoiceJournal();
  return {
    ...invoice,
    documentNo: 'SK1002',
    description: 'Kreditreikningur vegna SR1001',
    lines: lines.map(({ dueDate: _due, ...line }) => ({
      ...line,
      debit: line.credit.div(2),
      credit: line.debit.div(2),
    })),
  };
}

/** An invoice in euros. The last line is worth a króna and nothing in euros: what rounding left. */
export function foreignJournal(): Journal {
  const [receivable, revenue] = invoiceJournal().lines;
  if (!receivable || !revenue) throw new RangeError('An invoice has lines.');
  const euros = (amount: string) => ({ currency: 'EUR', currencyAmount: new Decimal(amount) });
  return invoiceJournal({
    currency: 'EUR',
    exchangeRate: new Decimal('145.5'),
    lines: [
      { ...receivable, debit: new Decimal(12_369), ...euros('85') },
      { ...revenue, credit: new Decimal(12_368), ...euros('-85') },
      {
        account: FAKE_CHART.rounding,
        role: 'rounding',
        debit: ZERO,
        credit: new Decimal(1),
        ...euros('0'),
        text: 'Aurajöfnun',
      },
    ],
  });
}

/** What takes it back, line by line. */
export function mirrored(journal: Journal, over: Partial<Journal> = {}): Journal {
  const lines = journal.lines.map((line) => ({
    ...line,
    debit: line.credit,
    credit: line.debit,
    ...(line.currencyAmount ? { currencyAmount: line.currencyAmount.negated() } : {}),
  }));
  return { ...journal, ...over, lines };
}

/** The whole of a sale, paid into the bank. */
export function paymentOf({ lines, ...head }: Journal): Journal {
  const [owed] = lines as [JournalLine];
  const bank: JournalLine = { ...owed, account: '1910', role: 'bank' };
  const { counterparty: _who, dueDate: _due, ...paid } = bank;
  const [settled] = mirrored({ ...head, lines: [owed] }).lines as [JournalLine];
  return { ...head, lines: [paid, settled] };
}
