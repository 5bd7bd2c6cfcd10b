// Uniconta, by its web interface. Promises: lines are put into a daily journal at most once per key by this process, after a look-up and
// before a read-back; a document counts as booked when people in Uniconta have posted it. See README.md for set-up and assumptions.
import { createHttpClient } from '../../http/http-client.js';
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { UnicontaAdapter } from './adapter.js';
import { CONCURRENCY } from './assumptions.js';
import { unicontaConfiguration, type UnicontaConfiguration } from './config.js';

export const unicontaAdapter: ErpAdapterDefinition<UnicontaConfiguration> = {
  name: 'uniconta',
  title: 'Uniconta',
  configuration: unicontaConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  create(configuration, services) {
    const http = createHttpClient({
      origins: [configuration.baseUrl],
      userAgent: 'ledgerbridge',
      connections: CONCURRENCY,
      deadlineMs: configuration.deadlineMs,
      gate: services.gate,
    });
    return new UnicontaAdapter(configuration, services, http);
  },
};
