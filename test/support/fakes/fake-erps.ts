// The four adapters that are tested against fakes, opened in one way, for promises that all of them make.
import { businessCentralAdapter } from '../../../src/erp/business-central/index.js';
import { dkPlusAdapter } from '../../../src/erp/dkplus/index.js';
import type { ErpAdapter, ErpAdapterDefinition } from '../../../src/erp/erp-adapter.js';
import { odooAdapter } from '../../../src/erp/odoo/index.js';
import { xeroAdapter } from '../../../src/erp/xero/index.js';
import { BC_SECRET, businessCentralBooks, businessCentralSettings } from './business-central-books.js';
import { DK_TOKEN, dkPlusBooks, dkPlusSettings } from './dkplus-books.js';
import { FakeServer, type FakeVendor } from './fake-server.js';
import { fakeServices } from './fake-services.js';
import { ODOO_KEY, odooBooks, odooSettings } from './odoo-books.js';
import { XERO_SECRET, xeroBooks, xeroSettings } from './xero-books.js';

const SECRETS = {
  'env:BC_SECRET': BC_SECRET,
  'env:DK_TOKEN': DK_TOKEN,
  'env:ODOO_KEY': ODOO_KEY,
  'env:XERO_SECRET': XERO_SECRET,
};

export interface FakeErp {
  readonly server: FakeServer;
  /** One more connection to the same books, as another process has. */
  connect(): ErpAdapter;
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
    connect() {
      const configuration = definition.configuration.parse(settings(server.origin));
      const connection = definition.create(configuration, fakeServices(SECRETS));
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

export const FAKE_ERPS: readonly { readonly name: string; open(): Promise<FakeErp> }[] = [
  { name: 'Odoo (JSON-2)', open: () => opened(odooBooks(), odooAdapter, odooSettings) },
  {
    name: 'Odoo (JSON-RPC)',
    open: () => opened(odooBooks(), odooAdapter, (origin) => odooSettings(origin, rpc)),
  },
  {
    name: 'Business Central',
    open: () => opened(businessCentralBooks(), businessCentralAdapter, businessCentralSettings),
  },
  { name: 'dkPlus', open: () => opened(dkPlusBooks(), dkPlusAdapter, dkPlusSettings) },
  { name: 'Xero', open: () => opened(xeroBooks(), xeroAdapter, xeroSettings) },
];
