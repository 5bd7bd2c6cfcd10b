// Every ERP that is no real one, with whatever accounts the given journals use.
import type { Journal } from '../../../src/domain/journal.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { httpAdapter } from '../../../src/erp/http/index.js';
import { BC_DOCUMENTS } from '../fakes/business-central-books.js';
import { FAKE_ERPS, UNICONTA } from '../fakes/fake-erps.js';
import { XERO_DOCUMENTS } from '../fakes/xero-books.js';
import { httpErp, LEDGER_SECRET } from '../http-erp.js';
import { erpServices } from './erp-services.js';
import { TRYTON_PLACES } from './tryton-company.js';

export interface OpenBooks {
  connect(): ErpAdapter;
  close(): Promise<void>;
}

/** Manual journals of Xero refuse the accounts of banks too. */
const XERO_CLEARING = { '1500': '1590', '1910': '1990', '2410': '2490' };

const FAKED: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['dkPlus', 'dkPlus', {}],
  ['dkPlus', 'dkPlus, with supplier invoices for approval', { supplierInvoices: 'approval' }],
  ['Business Central', 'Business Central', {}],
  ['Business Central', 'Business Central, with invoices and bills', BC_DOCUMENTS],
  ['Odoo (JSON-2)', 'Odoo', {}],
  ['Odoo (JSON-2)', 'Odoo, with invoices and bills', { books: 'documents' }],
  ['Xero', 'Xero', { clearingAccounts: XERO_CLEARING }],
  ['Xero', 'Xero, with invoices and bills', { clearingAccounts: XERO_CLEARING, ...XERO_DOCUMENTS }],
  ['Uniconta', 'Uniconta', {}],
];

function fakeErp(wanted: string) {
  const found = [...FAKE_ERPS, UNICONTA].find(({ name }) => name === wanted);
  if (!found) throw new RangeError(`there is no fake ${wanted}`);
  return found;
}

interface Simulation {
  readonly name: string;
  open(journals: readonly Journal[]): Promise<OpenBooks>;
}

function simulated([name, called, settings]: (typeof FAKED)[number]): Simulation {
  return {
    name: called,
    open: (journals) => {
      const used = journals.flatMap(({ lines }) => lines.map(({ account }) => account));
      const accounts = [...new Set([...used, ...Object.values(XERO_CLEARING)])];
      const rates = journals
        .filter(({ currency }) => currency !== 'ISK')
        .map(({ currency, postingDate: day, exchangeRate: rate }) => ({ currency, day, rate }));
      return fakeErp(name).open({ accounts, places: TRYTON_PLACES, rates }, settings);
    },
  };
}

/** Foreign documents are in their own currency here, and the krónur are reckoned by the ERP from a rate that it rounds, or has. */
export const IN_CURRENCY: readonly Simulation[] = [
  simulated([
    'dkPlus',
    'dkPlus, with supplier invoices and lines in their currency',
    { supplierInvoices: 'approval', foreignDocuments: 'in-currency' },
  ]),
  simulated([
    'Xero',
    'Xero, with invoices and bills in their currency',
    { clearingAccounts: XERO_CLEARING, ...XERO_DOCUMENTS, foreignDocuments: 'in-currency' },
  ]),
  simulated([
    'Business Central',
    'Business Central, with invoices and bills in their currency',
    { ...BC_DOCUMENTS, foreignDocuments: 'in-currency' },
  ]),
];

export const SIMULATIONS: readonly Simulation[] = [
  ...FAKED.map(simulated),
  { name: 'plain HTTP', open: openHttp },
];

async function openHttp(): Promise<OpenBooks> {
  const { ledger, erp } = await httpErp();
  const { settings } = erp();
  const services = erpServices({ 'env:LEDGER_SECRET': LEDGER_SECRET });
  const adapter = httpAdapter.create(httpAdapter.configuration.parse(settings), services);
  return {
    connect: () => adapter,
    close: async () => {
      await adapter.close();
      await ledger.close();
    },
  };
}
