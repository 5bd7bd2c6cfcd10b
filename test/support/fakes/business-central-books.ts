// A Business Central with a company in it, and the configuration that fits.
import { randomUUID } from 'node:crypto';
import { Decimal } from '../../../src/domain/money.js';
import { BusinessCentralFake } from './business-central-fake.js';
import { BcLedger, type BcLedgerOptions, type BcPartnerRow } from './business-central-ledger.js';
import { FAKE_CHART, OPEN_ACCOUNTS } from './fake-chart.js';

export const BC_SECRET = 'Q~secret~of~the~app';
const TENANT = '0f8fad5b-d9cb-469f-a165-70867728950e';
const COMPANY = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const CLIENT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const NAME = 'CRONUS Ísland hf.';

export function businessCentralBooks(options: Partial<BcLedgerOptions> = {}): BusinessCentralFake {
  const ledger = new BcLedger({
    allowPostingFrom: '2026-01-01',
    allowPostingTo: '2026-12-31',
    amountDecimals: 2,
    jobQueue: false,
    numberSeries: false,
    incrementBatchName: true,
    leftoverKeepsNumber: true,
    exchangeRate: 145.5,
    ...options,
  });
  for (const number of OPEN_ACCOUNTS) {
    const isControl = number === FAKE_CHART.receivable || number === FAKE_CHART.payable;
    ledger.accounts.set(number, { blocked: false, accountType: 'Posting', directPosting: !isControl });
  }
  const { taxed, vatOut, vatIn } = FAKE_CHART;
  for (const number of [taxed.revenue, taxed.expense])
    ledger.accounts.set(number, { blocked: false, accountType: 'Posting', directPosting: true });
  ledger.vatGroups.set(taxed.codeOut, { rate: '0.24', account: vatOut });
  ledger.vatGroups.set(taxed.codeIn, { rate: '0.24', account: vatIn });
  ledger.accounts.set('3', { blocked: false, accountType: 'Heading', directPosting: false });
  ledger.dimensions.set('COSTLOC', new Set([FAKE_CHART.dimension.value]));
  ledger.customers.push(partner(FAKE_CHART.customer.kennitala, FAKE_CHART.customer.name));
  ledger.vendors.push(partner(FAKE_CHART.supplier.kennitala, FAKE_CHART.supplier.name));
  const fake = new BusinessCentralFake(ledger, {
    tenantId: TENANT,
    environment: 'Production',
    companyId: COMPANY,
    companyName: NAME,
    registrationNo: '540269-6029',
    clientId: CLIENT,
    clientSecret: BC_SECRET,
  });
  const { currency: currencyCode, rate } = FAKE_CHART.foreign;
  fake.documents.rates.push({ currencyCode, startingDate: '2026-01-01', rate: new Decimal(rate) });
  return fake;
}

/** What the settings have for documents of Business Central's own. */
export const BC_DOCUMENTS = { books: 'documents', noVatGroup: 'NO VAT' };

export function partner(number: string, displayName: string, currencyCode = 'ISK'): BcPartnerRow {
  const taxRegistrationNumber = number;
  return { id: randomUUID(), number, displayName, taxRegistrationNumber, currencyCode, blocked: '_x0020_' };
}

export function businessCentralSettings(origin: string, overrides: Record<string, unknown> = {}) {
  return {
    tenantId: TENANT,
    companyId: COMPANY,
    companyName: NAME,
    clientId: CLIENT,
    clientSecret: 'env:BC_SECRET',
    dimensions: { [FAKE_CHART.dimension.name]: 'COSTLOC' },
    subledger: { customers: [FAKE_CHART.receivable], suppliers: [FAKE_CHART.payable] },
    partners: { create: true },
    baseUrl: origin,
    loginUrl: origin,
    deadlineMs: 5_000,
    ...overrides,
  };
}
