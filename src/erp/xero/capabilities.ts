// What this connection can do, by its settings and the tenant's rules.
import type { ErpCapabilities, VatMode } from '../erp-adapter.js';
import * as assumed from './assumptions.js';
import type { XeroConfiguration } from './config.js';

const FOREIGN = {
  'in-isk': 'in-isk',
  'in-currency': 'documents-in-currency',
  refuse: 'none',
} as const;

export function capabilitiesOf(
  configuration: XeroConfiguration,
  vatMode: VatMode = 'explicit-lines',
): ErpCapabilities {
  return {
    idempotency: 'native-key',
    nativeKeyLifeMs: assumed.NATIVE_KEY_LIFE_MS,
    lookUp: 'posted-and-draft',
    lookUpLagMs: 2_000,
    finality: 'posted',
    atomicPost: true,
    readBack: 'lines',
    attachments: true,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: FOREIGN[configuration.foreignDocuments],
    ...(configuration.foreignDocuments === 'in-currency'
      ? { foreignIskTolerance: assumed.ISK_TOLERANCE }
      : {}),
    subledger: configuration.books === 'documents',
    vatMode,
    splitsVat: true,
    makesDocuments: true,
    matchesPayments: true,
    creditsBills: true,
    reverse: true,
    keyLengthMax: 128,
    concurrency: assumed.CONCURRENCY,
    requestsPerSecond: assumed.REQUESTS_PER_SECOND,
  };
}
