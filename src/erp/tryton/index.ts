// Tryton over JSON-RPC, proven against a real trytond. Promises: an entry is created and posted under its key, found again as
// draft or posted, and never created while another under the same key is there; parties are found by kennitala and created
// once; money stays decimal. README.md has the set-up and what was verified.
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { erpHttpClient } from '../erp-http.js';
import { TrytonAdapter } from './adapter.js';
import { trytonConfiguration, type TrytonConfiguration } from './settings.js';
import { invoiceIdOf } from './entries.js';

const CONNECTIONS = 4;

export const trytonAdapter: ErpAdapterDefinition<TrytonConfiguration> = {
  name: 'tryton',
  title: 'Tryton',
  configuration: trytonConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  // The web client, where the server serves it.
  entryUrl: ({ baseUrl, database }, { id }) => {
    const invoice = invoiceIdOf(id);
    const record = invoice === null ? `account.move/${encodeURIComponent(id)}` : `account.invoice/${invoice}`;
    return `${baseUrl}/#${database}/model/${record}`;
  },
  create(configuration, services) {
    const http = erpHttpClient(services, {
      origins: [configuration.baseUrl],
      connections: CONNECTIONS,
      deadlineMs: configuration.deadlineMs,
    });
    return new TrytonAdapter(configuration, services, http);
  },
};
