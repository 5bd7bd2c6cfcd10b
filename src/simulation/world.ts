// What a simulated run consists of, for everybody who acts in it.
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { tenantRules } from '../pipeline/mapping/rules.js';
import type { TenantContext } from '../pipeline/tenant-context.js';
import type { Kernel } from './kernel.js';
import type { Life, Mortal } from './life.js';
import type { MemoryRecords } from './memory-records.js';
import { simulatedErp } from './simulated-erp.js';
import type { SimulatedLedger } from './simulated-ledger.js';
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
  invoice: { ...DEFAULTS.invoice, settlement: 'all' as const },
  cost: { ...DEFAULTS.cost, whenXmlMissing: 'assumeInvoice' as const },
};

export interface World {
  readonly kernel: Kernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  faulty: boolean;
  readonly isGentle: boolean;
  /** Every process that may be alive. */
  readonly processes: Set<Mortal>;
}

export function tenantOf(world: World, life: Life): TenantContext {
  return tenantAround(world, life);
}

type Sides = Pick<World, 'service' | 'ledger' | 'records'>;

export function tenantAround({ service, ledger, records }: Sides, life: Life): TenantContext {
  const source = simulatedSource(service, life);
  return {
    name: 'prufa',
    environment: 'production',
    sourceAccount: '4504013150',
    cutOver: CUT_OVER,
    rules: RULES,
    rulesVersion: 'v1',
    source: service.flaws.echoReadBack ? echoing(source) : source,
    erp: simulatedErp(ledger, records, life),
  };
}
