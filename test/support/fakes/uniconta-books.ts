// A Uniconta with a company in it, and the configuration that fits.
import { FAKE_CHART, OPEN_ACCOUNTS } from './fake-chart.js';
import { UnicontaFake } from './uniconta-fake.js';

export const UNICONTA_PASSWORD = 'a-password-of-the-bot';
const COMPANY = '5501012340';

export function unicontaBooks(): UnicontaFake {
  const fake = new UnicontaFake('0012345/einvordur', UNICONTA_PASSWORD, {
    ...{ CompanyId: 12345, CompanyName: 'Prufufélagið ehf.', Id: COMPANY, CurrencyId: 'ISK' },
  });
  for (const account of OPEN_ACCOUNTS)
    fake.accounts.set(account, { Name: account, AccountType: 'Account', Blocked: false });
  fake.dimensions.add(FAKE_CHART.dimension.value);
  const { customer, supplier } = FAKE_CHART;
  fake.partners.DebtorClient.set(customer.kennitala, { Account: customer.kennitala, Name: customer.name });
  fake.partners.CreditorClient.set(supplier.kennitala, { Account: supplier.kennitala, Name: supplier.name });
  return fake;
}

export function unicontaSettings(origin: string, overrides: Record<string, unknown> = {}) {
  return {
    baseUrl: origin,
    companyId: '12345',
    company: COMPANY,
    user: 'einvordur',
    password: 'env:UNICONTA_PASSWORD',
    dimensions: { [FAKE_CHART.dimension.name]: 'Dimension1' },
    subledger: { customers: [FAKE_CHART.receivable], suppliers: [FAKE_CHART.payable] },
    partners: { create: true },
    deadlineMs: 5_000,
    ...overrides,
  };
}
