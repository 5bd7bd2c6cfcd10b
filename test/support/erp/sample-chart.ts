// Names that the books of the test beds know.
import type { ConformanceChart } from '../../../lab/kit/conformance/target.js';

export const CHART: ConformanceChart = {
  receivable: '1500',
  payable: '2410',
  revenue: '3000',
  expense: '6100',
  vatOut: '2500',
  vatIn: '1600',
  rounding: '9900',
  unknownAccount: '3999',
  openDate: '2026-03-15',
  reversalDate: '2026-04-01',
  closedDate: '2025-11-15',
  customer: {
    kind: 'customer',
    kennitala: '4504013150',
    name: 'Fjörður ehf.',
    zip: '220',
    city: 'Hafnarfjörður',
  },
  supplier: { kind: 'supplier', kennitala: '5501012420', name: 'Þjónusta ehf.' },
  newCustomer: { kind: 'customer', kennitala: '6601012110', name: 'Nýr Æðarbóndi ehf.', city: 'Ísafjörður' },
  dimension: { name: 'costLocation', value: 'Reykjavík', unknownValue: 'Atlantis' },
  foreign: { currency: 'EUR', rate: '145.35' },
};

export const ACCOUNTS: readonly string[] = [
  CHART.receivable,
  CHART.payable,
  CHART.revenue,
  CHART.expense,
  CHART.vatOut,
  CHART.vatIn,
  CHART.rounding,
];
