// A dkPlus with a company in it, and the configuration that fits.
import { Decimal } from '../../../src/domain/money.js';
import { FAKE_CHART, LOCKED_UNTIL, OPEN_ACCOUNTS } from './fake-chart.js';
import { DkPlusFake } from './dkplus-fake.js';

export const DK_TOKEN = '6f1c1f4e-7a0b-4a56-9c1a-2f0e7a9f0001';
export const DK_COMPANY = '5501012340';

export function dkPlusBooks(obeys?: 'Option' | 'Options' | 'neither'): DkPlusFake {
  const fake = new DkPlusFake({
    token: DK_TOKEN,
    company: { Name: 'Prufufélagið ehf.', SSNumber: DK_COMPANY },
    lockedUntil: LOCKED_UNTIL,
    ...(obeys === undefined ? {} : { obeys }),
  });
  for (const account of OPEN_ACCOUNTS) {
    fake.accounts.set(account, { Name: account, TaxCode: '', Closed: false });
  }
  const { taxed } = FAKE_CHART;
  fake.accounts.set(taxed.revenue, { Name: 'Sala með VSK', TaxCode: taxed.codeOut, Closed: false });
  fake.accounts.set(taxed.expense, { Name: 'Kostnaður með VSK', TaxCode: taxed.codeIn, Closed: false });
  fake.taxCodes.set(taxed.codeOut, { rate: '0.24', account: FAKE_CHART.vatOut });
  fake.taxCodes.set(taxed.codeIn, { rate: '0.24', account: FAKE_CHART.vatIn });
  fake.accounts.set('3999', { Name: 'Lokaður', TaxCode: '', Closed: true });
  fake.rates.set(FAKE_CHART.foreign.currency, new Decimal(FAKE_CHART.foreign.rate));
  fake.dimensions.add(FAKE_CHART.dimension.value);
  const { customer, supplier } = FAKE_CHART;
  fake.customers.set(customer.kennitala, [{ Number: customer.kennitala, Name: customer.name }]);
  fake.vendors.set(supplier.kennitala, [{ Number: supplier.kennitala, Name: supplier.name }]);
  return fake;
}

export function dkPlusSettings(origin: string, overrides: Record<string, unknown> = {}) {
  return {
    baseUrl: `${origin}/api/v1`,
    token: 'env:DK_TOKEN',
    company: DK_COMPANY,
    dim1: FAKE_CHART.dimension.name,
    subledger: { customers: [FAKE_CHART.receivable], suppliers: [FAKE_CHART.payable] },
    partners: { create: true },
    deadlineMs: 5_000,
    ...overrides,
  };
}
