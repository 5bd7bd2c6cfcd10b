// The sandbox's ERP ledger as the ERP of a tenant.
import {
  type ErpLedger,
  type ErpLedgerOptions,
  startErpLedger,
} from '../../src/sandbox/erp-ledger/server.js';
import type { Bed } from './bridge-bed.js';

export const LEDGER_SECRET = 'a-secret-of-the-test-ledger-that-is-long';

export interface HttpErp {
  readonly ledger: ErpLedger;
  readonly env: Record<string, string>;
  erp(settings?: Record<string, unknown>): Record<string, unknown>;
}

export async function httpErp(options: ErpLedgerOptions = {}): Promise<HttpErp> {
  const ledger = await startErpLedger({
    company: 'Prufa ehf.',
    ledger: 'prufa',
    secret: LEDGER_SECRET,
    ...options,
  });
  return {
    ledger,
    env: { LEDGER_SECRET },
    erp: (settings = {}) => ({
      adapter: 'http',
      settings: {
        baseUrl: ledger.url,
        secret: 'env:LEDGER_SECRET',
        company: 'Prufa ehf.',
        ledger: 'prufa',
        requestsPerSecond: 500,
        ...settings,
      },
    }),
  };
}

/** Every promise that can be read off the three sides after a run; each broken one is a sentence. */
export async function brokenPromises(bed: Bed, ledger: ErpLedger): Promise<string[]> {
  const broken = ledger.control.duplicatedKeys().map((key) => `more than one entry under ${key}`);
  const acknowledged = await bed.database.prisma.posting.findMany({
    where: { state: 'acknowledged' },
    include: { document: true },
  });
  const entries = ledger.control.counts().entries;
  if (entries !== acknowledged.length)
    broken.push(`${entries} entries for ${acknowledged.length} acknowledged documents`);
  for (const posting of acknowledged) {
    if (ledger.control.liveCount(posting.key) !== 1)
      broken.push(`${posting.document.number} is acknowledged without an entry`);
  }
  for (const account of bed.sandbox.accounts) {
    for (const kind of ['invoice', 'cost'] as const) {
      for (const document of bed.sandbox.control.documents(account.username, {
        kind,
        accountingStatus: 'Posted',
        limit: 100_000,
      })) {
        const ours = acknowledged.some((posting) => posting.document.guid === document.guid);
        if (!ours) broken.push(`${kind} ${document.guid} is Posted at the source, but not acknowledged`);
      }
      const forgotten = bed.sandbox.control.documents(account.username, {
        kind,
        accountingStatus: 'Created',
        limit: 100_000,
      });
      for (const document of forgotten) {
        const posting = await bed.database.prisma.posting.findFirst({
          where: { document: { guid: document.guid } },
        });
        if (!posting?.reason)
          broken.push(
            `${kind} ${document.guid} is still Created and nobody knows why (${posting?.state ?? 'not found'})`,
          );
      }
    }
  }
  return broken;
}
