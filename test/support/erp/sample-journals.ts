// Fixed journals for golden tests: every field once.
import { Decimal } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';

const isk = (amount: number | string) => new Decimal(amount);
const ZERO = isk(0);

export const SALE: Journal = {
  documentNo: 'SR-1001',
  externalReference: '3f2c0e0a-0001-4000-8000-000000000001',
  postingDate: '2026-03-15',
  documentDate: '2026-03-14',
  dueDate: '2026-04-15',
  description: 'Sala til Þórðar; ákveðin "pöntun"',
  currency: 'ISK',
  exchangeRate: isk(1),
  party: { kind: 'customer', kennitala: '4501011230', name: 'Þórður Ægisson ehf.', city: 'Ísafjörður' },
  lines: [
    {
      account: '1500',
      role: 'receivable',
      debit: isk(12400),
      credit: ZERO,
      counterparty: '4501011230',
      dueDate: '2026-04-15',
      text: 'Krafa',
    },
    {
      account: '3000',
      role: 'revenue',
      debit: ZERO,
      credit: isk(10000),
      vatCode: 'U24',
      dimensions: { costLocation: 'Reykjavík' },
      text: '=SUM(A1) [2020-01-01] date: 2019-01-01\nnew line',
    },
    {
      account: '2500',
      role: 'vat-out',
      debit: ZERO,
      credit: isk(2400),
      vatCode: 'U24',
      vatBase: isk(10000),
      text: 'Virðisaukaskattur',
    },
  ],
};

export const FOREIGN_COST: Journal = {
  documentNo: 'K-77',
  externalReference: '3f2c0e0a-0002-4000-8000-000000000002',
  postingDate: '2026-03-20',
  documentDate: '2026-03-20',
  description: 'Erlendur kostnaður',
  currency: 'EUR',
  exchangeRate: isk('145.35'),
  party: { kind: 'supplier', kennitala: '5501012420', name: 'Þjónusta ehf.' },
  lines: [
    {
      account: '6100',
      role: 'expense',
      debit: isk(14533),
      credit: ZERO,
      currency: 'EUR',
      currencyAmount: isk('99.99'),
      text: 'Hugbúnaður',
    },
    { account: '9900', role: 'rounding', debit: isk(1), credit: ZERO, text: 'Aurajöfnun' },
    {
      account: '2410',
      role: 'payable',
      debit: ZERO,
      credit: isk(14534),
      currency: 'EUR',
      currencyAmount: isk('-99.99'),
      counterparty: '5501012420',
      text: 'Skuld',
    },
  ],
};
