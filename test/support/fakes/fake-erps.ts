// The four adapters that are tested against fakes, opened in one way, for promises that all of them make. They have the chart that
// all fakes share, and what a test adds to it.
import { businessCentralAdapter } from '../../../src/erp/business-central/index.js';
import { dkPlusAdapter } from '../../../src/erp/dkplus/index.js';
import type { ErpAdapter, ErpAdapterDefinition, ErpServices } from '../../../src/erp/erp-adapter.js';
import { odooAdapter } from '../../../src/erp/odoo/index.js';
import { unicontaAdapter } from '../../../src/erp/uniconta/index.js';
import { xeroAdapter } from '../../../src/erp/xero/index.js';
import { BC_SECRET, businessCentralBooks, businessCentralSettings } from './business-central-books.js';
import { DK_TOKEN, dkPlusBooks, dkPlusSettings } from './dkplus-books.js';
import { FakeServer, type FakeVendor } from './fake-server.js';
import { fakeServices } from './fake-services.js';
import { addChart, type AddedChart } from './added-chart.js';
import { ODOO_KEY, odooBooks, odooSettings } from './odoo-books.js';
import { UNICONTA_PASSWORD, unicontaBooks, unicontaSettings } from './uniconta-books.js';
import { XERO_SECRET, xeroBooks, xeroSettings } from './xero-books.js';

const SECRETS = {
  'env:BC_SECRET': BC_SECRET,
  'env:DK_TOKEN': DK_TOKEN,
  'env:ODOO_KEY': ODOO_KEY,
  'env:UNICONTA_PASSWORD': UNICONTA_PASSWORD,
  'env:XERO_SECRET': XERO_SECRET,
};

export interface FakeErp {
  readonly server: FakeServer;
  /** One more connection to the same books, as another process has. */
  connect(services?: Partial<ErpServices>): ErpAdapter;
  close(): Promise<void>;
}

async function opened<Config>(
  vendor: FakeVendor,
  definition: ErpAdapterDefinition<Config>,
  settings: (origin: string) => Record<string, unknown>,
): Promise<FakeErp> {
  const server = await new FakeServer(vendor).start();
  const connections: ErpAdapter[] = [];
  return {
    server,
    connect(services = {}) {
      const configuration = definition.configuration.parse(settings(server.origin));
      const connection = definition.create(configuration, { ...fakeServices(SECRETS), ...services });
      connections.push(connection);
      return connection;
    },
    async close() {
      for (const connection of connections) await connection.close();
      await server.stop();
    },
  };
}

const rpc = { protocol: 'json-rpc', user: 'bot@example.is' };

interface NamedErp {
  readonly name: string;
  open(added?: AddedChart, settings?: Readonly<Record<string, unknown>>): Promise<FakeErp>;
}

/** Apart from the others: what it is sent waits for people. */
export const UNICONTA: NamedErp = {
  name: 'Uniconta',
  open: (added, more) =>
    opened(addChart.uniconta(unicontaBooks(), added), unicontaAdapter, (origin) =>
      unicontaSettings(origin, more),
    ),
};

export const FAKE_ERPS: readonly NamedErp[] = [
  {
    name: 'Odoo (JSON-2)',
    open: (added, more) =>
      opened(addChart.odoo(odooBooks(), added), odooAdapter, (origin) => odooSettings(origin, more)),
  },
  {
    name: 'Odoo (JSON-RPC)',
    open: (added, more) =>
      opened(addChart.odoo(odooBooks(), added), odooAdapter, (origin) =>
        odooSettings(origin, { ...rpc, ...more }),
      ),
  },
  {
    name: 'Business Central',
    open: (added, more) =>
      opened(addChart.businessCentral(businessCentralBooks(), added), businessCentralAdapter, (origin) =>
        businessCentralSettings(origin, more),
      ),
  },
  {
    name: 'dkPlus',
    open: (added, more) =>
      opened(addChart.dkPlus(dkPlusBooks(), added), dkPlusAdapter, (origin) => dkPlusSettings(origin, more)),
  },
  {
    name: 'Xero',
    open: (added, more) =>
      opened(addChart.xero(xeroBooks(), added), xeroAdapter, (origin) => xeroSettings(origin, more)),
  },
];
