// dkPlus, the web service of dk hugbúnaður. Promises: a journal is sent at most once per key by this process, after a look-up and before
// a read-back; amounts stay decimal; customers and vendors are found by kennitala. What dk cannot show (unposted journals) is reported as
// unknown and left to a person. See README.md for set-up and assumptions.
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { erpHttpClient } from '../erp-http.js';
import { KeyedBooks } from '../keyed-books.js';
import { DkBooks } from './books.js';
import { DkClient } from './client.js';
import { CONCURRENCY, dkPlusConfiguration, type DkPlusConfiguration } from './settings.js';

export const dkPlusAdapter: ErpAdapterDefinition<DkPlusConfiguration> = {
  name: 'dkplus',
  title: 'dkPlus (dk hugbúnaður)',
  configuration: dkPlusConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  create(settings, services) {
    const { baseUrl, deadlineMs } = settings;
    const http = erpHttpClient(services, { origins: [baseUrl], connections: CONCURRENCY, deadlineMs });
    const token = services.secret(settings.token);
    const client = new DkClient({ http, clock: services.clock, baseUrl, token });
    return new KeyedBooks(new DkBooks(client, settings, services), http);
  },
};
