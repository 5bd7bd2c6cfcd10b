// A Xero organisation, and the configuration that fits. Receivables and payables are replaced by clearing accounts.
import { randomUUID } from 'node:crypto';
import { CURRENCY_CODES } from '../../../src/domain/money.js';
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
    scopes: [
      ...['accounting.manualjournals', 'accounting.invoices', 'accounting.payments', 'accounting.contacts'],
      ...['accounting.settings.read', 'accounting.attachments'],
    ],
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
    const EnablePaymentsToAccount = code === '1590' || code === '2490';
    fake.accounts.set(code, {
      ...{ Type, Status: 'ACTIVE', SystemAccount: system[code] ?? null },
      EnablePaymentsToAccount,
    });
  }
  for (const currency of CURRENCY_CODES) fake.documents.currencies.add(currency);
  for (const { name: Name, kennitala } of [FAKE_CHART.customer, FAKE_CHART.supplier])
    fake.documents.contacts.push({
      ...{ ContactID: randomUUID(), Name, TaxNumber: kennitala },
      ContactStatus: 'ACTIVE',
    });
  fake.tracking.set('Staður', new Set([FAKE_CHART.dimension.value]));
  return fake;
}

/** For settings with invoices and bills as documents. */
export const XERO_DOCUMENTS = {
  books: 'documents',
  subledger: { customers: ['1500'], suppliers: ['2410'] },
  partners: { create: true },
} as const;

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
