// Every ERP that is no real one, with whatever accounts the given journals use.
import type { Journal } from '../../../src/domain/journal.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { httpAdapter } from '../../../src/erp/http/index.js';
import { FAKE_ERPS } from '../fakes/fake-erps.js';
import { httpErp, LEDGER_SECRET } from '../http-erp.js';
import { erpServices } from './erp-services.js';
import { TRYTON_PLACES } from './tryton-company.js';

export interface OpenBooks {
  connect(): ErpAdapter;
  close(): Promise<void>;
}

/** Manual journals of Xero refuse the accounts of banks too. */
const XERO_CLEARING = { '1500': '1590', '1910': '1990', '2410': '2490' };

export const SIMULATIONS: readonly {
  readonly name: string;
  open(journals: readonly Journal[]): Promise<OpenBooks>;
}[] = [
  ...FAKE_ERPS.filter(({ name }) => name !== 'Odoo (JSON-RPC)').map(({ name, open }) => ({
    name,
    open: (journals: readonly Journal[]) => {
      const used = journals.flatMap(({ lines }) => lines.map(({ account }) => account));
      const accounts = [...new Set([...used, ...Object.values(XERO_CLEARING)])];
      const isXero = name === 'Xero';
      return open({ accounts, places: TRYTON_PLACES }, isXero ? { clearingAccounts: XERO_CLEARING } : {});
    },
  })),
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
