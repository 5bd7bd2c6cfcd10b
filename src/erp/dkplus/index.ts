// dkPlus, the web service of dk hugbúnaður. Promises: a journal is sent at most once per key by this process, after a
// look-up and before a read-back; amounts stay decimal; customers and vendors are found by kennitala. What dk cannot
// show (unposted journals) is reported as unknown and left to a person. See README.md for set-up and assumptions.
import { createHttpClient } from '../../http/http-client.js';
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { DkPlusAdapter } from './adapter.js';
import { CONCURRENCY } from './assumptions.js';
import { dkPlusConfiguration, type DkPlusConfiguration } from './config.js';

export const dkPlusAdapter: ErpAdapterDefinition<DkPlusConfiguration> = {
  name: 'dkplus',
  title: 'dkPlus (dk hugbúnaður)',
  configuration: dkPlusConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  create(configuration, services) {
    const http = createHttpClient({
      origins: [configuration.baseUrl],
      userAgent: 'ledgerbridge',
      connections: CONCURRENCY,
      deadlineMs: configuration.deadlineMs,
      gate: services.gate,
    });
    return new DkPlusAdapter(configuration, services, http);
  },
};
