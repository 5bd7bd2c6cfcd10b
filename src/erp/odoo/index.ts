// Odoo, over JSON-2 (19 and later) or JSON-RPC (18 and earlier). Promises: one draft and one posting per key from this
// process, with a look-up before and a read-back after; no taxes, balancing lines or dates of Odoo's own making get in
// unnoticed; partners are found by kennitala. See README.md for set-up and assumptions.
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { erpHttpClient } from '../erp-http.js';
import { KeyedBooks } from '../keyed-books.js';
import { OdooBooks } from './books.js';
import { OdooClient } from './client.js';
import { CONCURRENCY, odooConfiguration, type OdooConfiguration } from './settings.js';

export const odooAdapter: ErpAdapterDefinition<OdooConfiguration> = {
  name: 'odoo',
  title: 'Odoo (JSON-2 and JSON-RPC)',
  configuration: odooConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  // The address of the form since Odoo 8; later versions lead from it to their own.
  entryUrl: ({ url }, { id }) => `${url}/web#id=${encodeURIComponent(id)}&model=account.move&view_type=form`,
  create(configuration, services) {
    const { url, deadlineMs } = configuration;
    const http = erpHttpClient(services, { origins: [url], connections: CONCURRENCY, deadlineMs });
    const apiKey = services.secret(configuration.apiKey);
    const client = new OdooClient({ http, clock: services.clock, apiKey, configuration });
    return new KeyedBooks(new OdooBooks(client, configuration, services), http);
  },
};
