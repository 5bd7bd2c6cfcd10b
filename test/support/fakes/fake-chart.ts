// The chart of accounts and the people that every fake ERP is set up with.
import type { ConformanceChart } from '../../../lab/kit/conformance/target.js';

export const FAKE_CHART: ConformanceChart & Required<Pick<ConformanceChart, 'taxed'>> = {
  receivable: '1500',
  payable: '2410',
  revenue: '3000',
  expense: '6000',
  vatOut: '2500',
  vatIn: '1600',
  rounding: '9900',
  unknownAccount: '7777',
  openDate: '2026-03-15',
  reversalDate: '2026-03-31',
  closedDate: '2025-12-30',
  customer: { kind: 'customer', kennitala: '4501011230', name: 'Þórður Ægisson ehf.', city: 'Reykjavík' },
  supplier: { kind: 'supplier', kennitala: '5902697199', name: 'Heildsalan hf.' },
  newCustomer: { kind: 'customer', kennitala: '6001012340', name: 'Nýi viðskiptavinurinn', zip: '101' },
  dimension: { name: 'costLocation', value: 'RVK', unknownValue: 'HVERGI' },
  foreign: { currency: 'EUR', rate: '145.5' },
  taxed: { revenue: '3001', expense: '6001', codeOut: 'U24', codeIn: 'I24' },
};

/** The last day of the closed period. */
export const LOCKED_UNTIL = '2025-12-31';

export const OPEN_ACCOUNTS = ['1500', '2410', '3000', '6000', '2500', '1600', '9900', '1910'] as const;
