// What a simulated run consists of, for everybody who acts in it.
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import type { TokenSource } from '../../src/service/oauth/token-source.js';
import type { InvoicingSource } from '../../src/service/invoicing-source.js';
import { tenantRules } from '../../src/pipeline/mapping/rules.js';
import type { TenantContext } from '../../src/sync/tenant-context.js';
import type { Kernel } from './kernel.js';
import type { Life, Mortal } from './life.js';
import { memoryAwaited } from './memory-originals.js';
import type { MemoryRecords } from './memory-records.js';
import { noteEarlyWord } from './originals.js';
import { simulatedErp } from './simulated-erp.js';
import type { OutgoingSide } from './outgoing/outgoing-side.js';
import { memoryOurInvoices } from './outgoing/memory-our-invoices.js';
import type { SimulatedLedger } from './simulated-ledger.js';
import { hasStrayed, ownAccountOnly, type Stranger } from './stranger.js';
import { echoing, type SimulatedService, simulatedSource } from './simulated-source.js';

export const MINUTE_MS = 60_000;
/** While everything goes wrong. */
export const FAULTS_MS = 90 * MINUTE_MS;
export const CUT_OVER = '2026-01-01';

const rulesFile = new URL('../../config/rules/default.yaml', import.meta.url);
const DEFAULTS = tenantRules.parse(parseYaml(readFileSync(rulesFile, 'utf8')));
/** Paid invoices are two entries, and costs come without an e-invoice. */
const RULES = {
  ...DEFAULTS,
  invoice: { ...DEFAULTS.invoice, settlement: 'all' as const, cancelled: 'skip' as 'skip' | 'park' },
  cost: { ...DEFAULTS.cost, whenXmlMissing: 'assumeInvoice' as const },
};

/** And income waits for the month of its delivery. */
const SPREADING_RULES = {
  ...RULES,
  accounts: { ...RULES.accounts, deferredRevenue: '2600' },
  invoice: { ...RULES.invoice, spread: 'delivery' as const },
};

/** The documents of a day are one journal, and the day is closed half-way through the faults: some come after it. */
const SUMMARISING_RULES = {
  ...RULES,
  summary: { invoices: 'daily', costs: 'daily', closesAfterHours: 9, documentsMax: 6 } as const,
};

/** A tenant file that is edited: the moments from which on a new version of it lies there. */
export interface TenantFile {
  readonly editedAt: number[];
}

/** Versions take turns: income goes to one account, then to another; a cancelled invoice without a credit note is skipped, then parked. */
const OTHER_REVENUE = '3001';

function versionOf(rules: typeof RULES, version: number): typeof RULES {
  const { revenueByTreatment } = rules.invoice;
  return version % 2 === 0
    ? {
        ...rules,
        invoice: {
          ...rules.invoice,
          cancelled: 'park',
          revenueByTreatment: { ...revenueByTreatment, S: OTHER_REVENUE },
        },
      }
    : rules;
}

const VERSIONS = {
  plain: [1, 2].map((version) => versionOf(RULES, version)),
  spread: [1, 2].map((version) => versionOf(SPREADING_RULES, version)),
  summary: [1, 2].map((version) => versionOf(SUMMARISING_RULES, version)),
};

/** Of all tenants of a run. */
export interface Phase {
  /** Anything may go wrong. */
  isFaulty: boolean;
  /** There is much to do: nobody sits back for hours. */
  isBusy: boolean;
}

export interface World {
  readonly kernel: Kernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly phase: Phase;
  readonly isGentle: boolean;
  /** The store of originals: a disk that outlives every process. */
  readonly files: Map<string, Uint8Array>;
  /** Every process that may be alive. */
  readonly processes: Set<Mortal>;
  readonly file: TenantFile;
  /** Another company at the same service, whose credentials somebody puts into the file. */
  readonly stranger?: Stranger;
  /** What goes into the service; absent: nothing does. */
  readonly outgoing?: OutgoingSide;
}

/** What a process has of its own: how long after an edit it reads the file, and its tokens, where the source wants some. */
export interface Machine {
  readonly lagMs: number;
  readonly tokens?: TokenSource | undefined;
}

export function tenantOf(world: World, life: Life, { lagMs, tokens }: Machine = { lagMs: 0 }): TenantContext {
  const { nowMs } = world.kernel;
  const version = 1 + world.file.editedAt.filter((at) => at + lagMs <= nowMs).length;
  if (!world.stranger) return tenantAround(world, life, version, tokens);
  const service = hasStrayed(world.stranger, nowMs - lagMs) ? world.stranger.service : world.service;
  const tenant = tenantAround({ ...world, service }, life, version, tokens);
  return { ...tenant, source: ownAccountOnly(tenant.source, world.records, life) };
}

type Sides = Pick<World, 'service' | 'ledger' | 'records' | 'outgoing'>;

export function tenantAround(
  { service, ledger, records, outgoing }: Sides,
  life: Life,
  version = 1,
  tokens?: TokenSource,
): TenantContext {
  const source = simulatedSource(service, life, tokens);
  const isFirst = records.carries === 'originals-first';
  return {
    name: records.company.name,
    environment: 'production',
    sourceAccount: records.company.account,
    cutOver: CUT_OVER,
    rules:
      VERSIONS[records.spreads ? 'spread' : records.summarises ? 'summary' : 'plain'][(version - 1) % 2] ??
      RULES,
    rulesVersion: `v${String(version)}`,
    source: service.flaws.echoReadBack
      ? echoing(source)
      : isFirst
        ? overheard(source, service, records)
        : source,
    erp: simulatedErp(ledger, records, life),
    ...(outgoing ? { ours: memoryOurInvoices(outgoing, life) } : {}),
    ...(isFirst ? { awaited: memoryAwaited(records, life) } : {}),
  };
}

/**
 * Every word to the source is held against where the originals are at that moment. What stands there already is no news: a process that
 * slept may say once more what the entry before was told, after a person had it booked anew.
 */
function overheard(
  source: InvoicingSource,
  { documents }: SimulatedService,
  records: MemoryRecords,
): InvoicingSource {
  return {
    ...source,
    updateStatus: (kind, guid, status, message) => {
      const isNews = documents.get(guid)?.accountingStatus !== 'Posted';
      if (status === 'Posted' && isNews) noteEarlyWord(records, guid);
      return source.updateStatus(kind, guid, status, message);
    },
  };
}
