// Odoo, over JSON-2 (19 and later) or JSON-RPC (18 and earlier). Promises: one draft and one posting per key from this
// process, with a look-up before and a read-back after; no taxes, balancing lines or dates of Odoo's own making get in
// unnoticed; partners are found by kennitala. See README.md for set-up and assumptions.
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { erpHttpClient } from '../erp-http.js';
import { OdooAdapter } from './adapter.js';
import { CONCURRENCY } from './assumptions.js';
import { odooConfiguration, type OdooConfiguration } from './config.js';

export const odooAdapter: ErpAdapterDefinition<OdooConfiguration> = {
  name: 'odoo',
  title: 'Odoo (JSON-2 and JSON-RPC)',
  configuration: odooConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  // The address of the form since Odoo 8; later versions lead from it to their own.
  entryUrl: ({ url }, { id }) => `${url}/web#id=${encodeURIComponent(id)}&model=account.move&view_type=form`,
  create(configuration, services) {
    const http = erpHttpClient(services, {
      origins: [configuration.url],
      connections: CONCURRENCY,
      deadlineMs: configuration.deadlineMs,
    });
    return new OdooAdapter(configuration, services, http);
  },
};
