// A Xero organisation, and the configuration that fits. Receivables and payables are replaced by clearing accounts.
import { FAKE_CHART, LOCKED_UNTIL, OPEN_ACCOUNTS } from './fake-chart.js';
import { XeroFake, type XeroFakeOptions } from './xero-fake.js';

export const XERO_SECRET = 'secret-of-the-custom-connection';
export const XERO_COMPANY = '5501012340';
const TENANT = '45e4708e-d862-4111-ab3a-dd8cd03913e1';

export function xeroBooks(options: Partial<XeroFakeOptions> = {}): XeroFake {
  const fake = new XeroFake({
    tenantId: TENANT,
    clientId: 'CLIENT',
    clientSecret: XERO_SECRET,
    organisation: {
      Name: 'Prufufélagið ehf.',
      BaseCurrency: 'ISK',
      // Xero shows no registration number for companies in Iceland.
      TaxNumber: XERO_COMPANY,
    },
    scopes: ['accounting.manualjournals', 'accounting.settings.read', 'accounting.attachments'],
    lockedUntil: LOCKED_UNTIL,
    callsPerMinute: 100_000,
    now: () => Date.now(),
    ...options,
  });
  const system: Record<string, string> = { '1500': 'DEBTORS', '2410': 'CREDITORS' };
  const { taxed } = FAKE_CHART;
  for (const code of [taxed.codeOut, taxed.codeIn]) fake.taxRates.set(code, '0.24');
  for (const code of [...OPEN_ACCOUNTS, taxed.revenue, taxed.expense, '1590', '2490']) {
    const Type = code === '1910' ? 'BANK' : 'CURRENT';
    fake.accounts.set(code, { Type, Status: 'ACTIVE', SystemAccount: system[code] ?? null });
  }
  fake.tracking.set('Staður', new Set([FAKE_CHART.dimension.value]));
  return fake;
}

export function xeroSettings(origin: string, overrides: Record<string, unknown> = {}) {
  return {
    tenantId: TENANT,
    company: XERO_COMPANY,
    clientId: 'CLIENT',
    clientSecret: 'env:XERO_SECRET',
    clearingAccounts: { '1500': '1590', '2410': '2490' },
    dimensions: { [FAKE_CHART.dimension.name]: 'Staður' },
    baseUrl: origin,
    identityUrl: origin,
    deadlineMs: 5_000,
    ...overrides,
  };
}
