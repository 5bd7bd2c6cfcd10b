// Microsoft Dynamics 365 Business Central, API v2.0. Promises: one journal batch per document, posted once per key from
// this process, with a look-up by document number before and a read-back after; amounts that Business Central changed
// are noticed before they are posted; a posting that only was scheduled is pending, not posted. See README.md.
import { createClientCredentials } from '../../http/client-credentials.js';
import { createHttpClient } from '../../http/http-client.js';
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { BusinessCentralAdapter } from './adapter.js';
import { CONCURRENCY } from './assumptions.js';
import { businessCentralConfiguration, type BusinessCentralConfiguration } from './config.js';
import { documentReference } from './document-books.js';
import { SET_FACTS } from './wire-documents.js';

export const businessCentralAdapter: ErpAdapterDefinition<BusinessCentralConfiguration> = {
  name: 'business-central',
  title: 'Microsoft Dynamics 365 Business Central',
  configuration: businessCentralConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  // The page of general ledger entries, filtered to the first line of the entry; a draft has a code instead of a number.
  entryUrl: ({ baseUrl, tenantId, environment, companyName }, { id, number = '' }) => {
    const document = documentReference(id);
    const isShown = document !== null || /^\d+$/.test(number);
    if (baseUrl !== 'https://api.businesscentral.dynamics.com' || !isShown) return null;
    const { page, table } = document ? SET_FACTS[document.set] : { page: 20, table: 'G/L Entry' };
    const field = document ? 'No.' : 'Entry No.';
    const url = new URL(
      `https://businesscentral.dynamics.com/${tenantId}/${encodeURIComponent(environment)}`,
    );
    url.search = new URLSearchParams({
      ...{ company: companyName, page: String(page), filter: `'${table}'.'${field}' IS '${number}'` },
    }).toString();
    return url.href;
  },
  create(configuration, services) {
    const { baseUrl, loginUrl, tenantId, clientId } = configuration;
    const http = createHttpClient({
      origins: [baseUrl, loginUrl],
      userAgent: 'ledgerbridge',
      connections: CONCURRENCY,
      deadlineMs: configuration.deadlineMs,
      gate: services.gate,
    });
    const tokens = createClientCredentials({
      http,
      clock: services.clock,
      tokenUrl: new URL(`${loginUrl}/${tenantId}/oauth2/v2.0/token`),
      clientId,
      clientSecret: services.secret(configuration.clientSecret),
      scope: 'https://api.businesscentral.dynamics.com/.default',
      style: 'form',
    });
    return new BusinessCentralAdapter(configuration, services, http, tokens);
  },
};
