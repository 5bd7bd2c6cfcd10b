// A signed JSON contract for ERPs that have an integration layer of their own: openapi.yaml beside this file is all that
// the other side needs. Promises: every request is signed with a time; the key goes along as Idempotency-Key and in the
// body; what the layer promises about keys is configured, and no more is assumed.
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { erpHttpClient } from '../erp-http.js';
import { HttpAdapter } from './adapter.js';
import { httpConfiguration, type HttpConfiguration } from './settings.js';

export const httpAdapter: ErpAdapterDefinition<HttpConfiguration> = {
  name: 'http',
  title: 'Any ERP behind the signed JSON contract',
  configuration: httpConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  create(configuration, services) {
    const http = erpHttpClient(services, {
      origins: [configuration.baseUrl],
      connections: configuration.concurrency,
      deadlineMs: configuration.deadlineMs,
    });
    return new HttpAdapter(configuration, services, http);
  },
};
