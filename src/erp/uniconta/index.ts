// Uniconta, by its web interface. Promises: lines are put into a daily journal at most once per key by this process, after a look-up and
// before a read-back; a document counts as booked when people in Uniconta have posted it. See README.md for set-up and assumptions.
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { erpHttpClient } from '../erp-http.js';
import { KeyedBooks } from '../keyed-books.js';
import { UnicontaBooks } from './books.js';
import { UnicontaClient } from './client.js';
import { CONCURRENCY, unicontaConfiguration, type UnicontaConfiguration } from './settings.js';

export const unicontaAdapter: ErpAdapterDefinition<UnicontaConfiguration> = {
  name: 'uniconta',
  title: 'Uniconta',
  configuration: unicontaConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  create(configuration, services) {
    const { baseUrl, deadlineMs } = configuration;
    const http = erpHttpClient(services, { origins: [baseUrl], connections: CONCURRENCY, deadlineMs });
    const password = services.secret(configuration.password);
    const client = new UnicontaClient({ http, clock: services.clock, configuration, password });
    return new KeyedBooks(new UnicontaBooks(client, configuration, services), http);
  },
};
