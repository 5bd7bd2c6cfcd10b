// What this connection can do, by its settings and the tenant's rules.
import type { ErpCapabilities, VatMode } from '../erp-adapter.js';
import * as assumed from './assumptions.js';
import type { BusinessCentralConfiguration } from './config.js';

const FOREIGN = {
  'in-isk': 'in-isk',
  'in-currency': 'documents-in-currency',
  refuse: 'none',
} as const;

export function capabilitiesOf(
  configuration: BusinessCentralConfiguration,
  vatMode: VatMode = 'explicit-lines',
): ErpCapabilities {
  const { books, foreignDocuments, posting, subledger } = configuration;
  const isDocuments = books === 'documents';
  return {
    idempotency: 'none',
    lookUp: 'posted-and-draft',
    lookUpLagMs: 1_000,
    finality: posting === 'job-queue' ? 'async' : 'posted',
    atomicPost: false,
    readBack: 'lines',
    attachments: true,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: FOREIGN[foreignDocuments],
    ...(foreignDocuments === 'in-currency' ? { foreignIskTolerance: assumed.RATE_TOLERANCE } : {}),
    subledger: subledger.customers.length + subledger.suppliers.length > 0,
    vatMode,
    splitsVat: true,
    makesDocuments: true,
    creditsBills: true,
    reverse: true,
    keyLengthMax: assumed.DOCUMENT_NUMBER_LENGTH_MAX,
    concurrency: assumed.CONCURRENCY,
    requestsPerSecond: isDocuments ? assumed.DOCUMENTS_PER_SECOND : assumed.REQUESTS_PER_SECOND,
  };
}
