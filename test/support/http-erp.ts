// The sandbox's ERP ledger as the ERP of a tenant.
import {
  type ErpLedger,
  type ErpLedgerOptions,
  startErpLedger,
} from '../../lab/sandbox/erp-ledger/server.js';
import type { Bed } from './bridge-bed.js';
import { foundOutside } from './outside.js';

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
        deadlineMs: 5_000,
        ...settings,
      },
    }),
  };
}

/** Every promise that can be read off the three sides after a run; each broken one is a sentence. */
export async function brokenPromises(bed: Bed, ledger: ErpLedger): Promise<string[]> {
  const broken = ledger.control.duplicatedKeys().map((key) => `more than one entry under ${key}`);
  broken.push(...foundOutside(bed, ledger));
  const known = await bed.database.prisma.posting.findMany({
    include: { document: { select: { guid: true } } },
  });
  const postings = new Map(known.map((posting) => [posting.document.guid, posting]));
  const acknowledged = known.filter(({ state }) => state === 'acknowledged');
  // Those that were booked with the others of their day have its entry.
  const members = new Map(
    (await bed.database.prisma.summaryMember.findMany()).map((member) => [
      member.postingId,
      member.summaryKey,
    ]),
  );
  const own = acknowledged.filter(({ id }) => !members.has(id));
  const entries = ledger.control.counts().entries;
  if (entries !== own.length) broken.push(`${entries} entries for ${own.length} acknowledged documents`);
  for (const { id, key, document } of acknowledged) {
    if (ledger.control.liveCount(members.get(id) ?? key) !== 1)
      broken.push(`${document.guid} is acknowledged without an entry`);
    if (members.has(id) && ledger.control.liveCount(key) > 0)
      broken.push(`${document.guid} is in the books by itself and with its day`);
  }
  const posted = new Set<string>();
  for (const { username } of bed.sandbox.accounts) {
    for (const kind of ['invoice', 'cost'] as const) {
      for (const { guid, accountingStatus } of bed.sandbox.control.documents(username, {
        kind,
        limit: 100_000,
      })) {
        const posting = postings.get(guid) ?? null;
        if (accountingStatus === 'Posted') posted.add(guid);
        if (!statusAgrees(accountingStatus, posting)) {
          const ours = posting ? `${posting.state} ${posting.reason ?? ''}` : 'unknown';
          broken.push(`${kind} ${guid} is ${accountingStatus} at the source and ${ours} here`);
        }
      }
    }
  }
  for (const { document } of acknowledged.filter(({ kind }) => kind !== 'summary')) {
    if (!posted.has(document.guid))
      broken.push(`${document.guid} is acknowledged, but not Posted at the source`);
  }
  return broken;
}

interface KnownState {
  readonly state: string;
  readonly reason: string | null;
}

/** What the source shows of a document against what we hold of it, once everything has settled. */
function statusAgrees(status: string | null, posting: KnownState | null): boolean {
  switch (status) {
    case 'Posted':
      return posting?.state === 'acknowledged';
    case 'Skipped':
      return posting === null || posting.state === 'skipped';
    case 'Error':
      return posting === null || posting.state === 'rejected';
    case 'Created':
      // Handed over and not dealt with: known, and with a reason that a person can read.
      return posting !== null && Boolean(posting.reason) && !['skipped', 'rejected'].includes(posting.state);
    default:
      return posting === null;
  }
}
