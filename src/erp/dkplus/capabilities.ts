// What this connection can do, by its settings and the tenant's rules.
import type { ErpCapabilities, VatMode } from '../erp-adapter.js';
import * as assumed from './assumptions.js';
import type { DkPlusConfiguration } from './config.js';
import { dimensionNames } from './translate.js';

const FOREIGN = { 'in-isk': 'in-isk', 'in-currency': 'documents-in-currency', refuse: 'none' } as const;

export function capabilitiesOf(
  configuration: DkPlusConfiguration,
  vatMode: VatMode = 'explicit-lines',
): ErpCapabilities {
  const { subledger, foreignDocuments, supplierInvoices } = configuration;
  const isApproved = supplierInvoices === 'approval';
  return {
    idempotency: 'none',
    // Journals that were saved and not posted are listed nowhere, so that nothing proves an absence.
    lookUp: 'posted',
    lookUpLagMs: 2_000,
    finality: isApproved ? 'draft' : 'posted',
    atomicPost: true,
    readBack: 'lines',
    attachments: false,
    ...(isApproved ? { filesWithPost: true } : {}),
    dimensions: dimensionNames(configuration).length > 0,
    foreignCurrency: FOREIGN[foreignDocuments],
    ...(foreignDocuments === 'in-currency' ? { foreignIskTolerance: assumed.RATE_TOLERANCE } : {}),
    subledger: subledger.customers.length + subledger.suppliers.length > 0,
    vatMode,
    splitsVat: true,
    makesDocuments: true,
    reverse: true,
    keyLengthMax: assumed.REFERENCE_LENGTH_MAX,
    concurrency: assumed.CONCURRENCY,
    requestsPerSecond: assumed.REQUESTS_PER_SECOND,
  };
}
