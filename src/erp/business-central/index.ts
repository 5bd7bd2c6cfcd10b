// Microsoft Dynamics 365 Business Central, API v2.0. Promises: one journal batch per document, posted once per key from
// this process, with a look-up by document number before and a read-back after; amounts that Business Central changed
// are noticed before they are posted; a posting that only was scheduled is pending, not posted. See README.md.
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { BusinessCentralAdapter } from './adapter.js';
import { businessCentralConfiguration, type BusinessCentralConfiguration, CONCURRENCY } from './settings.js';
import { connectBc } from './client.js';
import { documentReference } from './document-books.js';
import { SET_FACTS } from './wire.js';

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
    const { http, tokens } = connectBc(configuration, services, CONCURRENCY, configuration.deadlineMs);
    return new BusinessCentralAdapter(configuration, services, http, tokens);
  },
};
