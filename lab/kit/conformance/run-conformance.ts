// Runs every case on one target and says what came of each. A case either passes, fails, does not apply, or could not be
// shown in full, the last two for a reason that is printed; there is no silent way out.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErpAdapter, ErpCapabilities } from '../../../src/erp/erp-adapter.js';
import { AFTERWARDS_CASES } from './cases/afterwards-cases.js';
import { CLEAN_UP_CASES } from './cases/clean-up-cases.js';
import { CONNECTION_CASES } from './cases/connection-cases.js';
import { CONTENT_CASES } from './cases/content-cases.js';
import { FAULT_CASES } from './cases/fault-cases.js';
import { MATCHING_CASES } from './cases/matching-cases.js';
import { ONCE_CASES } from './cases/once-cases.js';
import { PARTNER_CASES } from './cases/partner-cases.js';
import { PAUSE_CASES } from './cases/pause-cases.js';
import { VAT_CASES } from './cases/vat-cases.js';
import type { CaseWorld, ConformanceCase } from './conformance-case.js';
import type { ConformanceBed, ConformanceCaseId, ConformanceTarget } from './target.js';

export const CONFORMANCE_CASES: readonly ConformanceCase[] = [
  ...CONNECTION_CASES,
  ...ONCE_CASES,
  ...FAULT_CASES,
  ...PAUSE_CASES,
  ...CLEAN_UP_CASES,
  ...CONTENT_CASES,
  ...VAT_CASES,
  ...PARTNER_CASES,
  ...MATCHING_CASES,
  ...AFTERWARDS_CASES,
];

export interface CaseResult {
  readonly id: ConformanceCaseId;
  readonly title: string;
  /** `not-shown`: nothing failed, but the bed could not show all of the promise. */
  readonly result: 'passed' | 'failed' | 'not-applicable' | 'not-shown';
  /** Why it failed, why it does not apply, or what was not shown. */
  readonly detail?: string;
}

export interface ConformanceReport {
  readonly adapter: string;
  readonly judge: string;
  readonly capabilities: ErpCapabilities;
  readonly cases: readonly CaseResult[];
}

const CASE_MS_MAX = 90_000;

export async function runConformance(
  target: ConformanceTarget,
  onResult: (result: CaseResult) => void = () => undefined,
): Promise<ConformanceReport> {
  const bed = await target.open();
  try {
    const capabilities = await readCapabilities(bed);
    const cases: CaseResult[] = [];
    for (const each of CONFORMANCE_CASES) {
      const result = await runCase(target, bed, capabilities, each);
      onResult(result);
      cases.push(result);
    }
    return { adapter: target.name, judge: target.judge, capabilities, cases };
  } finally {
    await bed.close();
  }
}

export async function readCapabilities(bed: ConformanceBed): Promise<ErpCapabilities> {
  const erp = await bed.connect();
  await erp.close();
  return erp.capabilities;
}

/** One case on an open bed, for test runners that want each case as a test of its own. */
export async function runCase(
  target: ConformanceTarget,
  bed: ConformanceBed,
  capabilities: ErpCapabilities,
  each: ConformanceCase,
): Promise<CaseResult> {
  const { id, title } = each;
  const reason = target.notApplicable[id] ?? each.exempt?.(capabilities) ?? null;
  if (reason !== null) return { id, title, result: 'not-applicable', detail: reason };
  try {
    const notShown = await withinTime(inWorld(bed, each));
    if (notShown.length === 0) return { id, title, result: 'passed' };
    return { id, title, result: 'not-shown', detail: `not shown: ${notShown.join('; ')}` };
  } catch (error) {
    return { id, title, result: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns what could not be shown. */
async function inWorld(bed: ConformanceBed, each: ConformanceCase): Promise<readonly string[]> {
  const missing = new Set<string>();
  const notShown = (what: string): void => void missing.add(what);
  const connections: ErpAdapter[] = [];
  const another: CaseWorld['another'] = async (variant, shared) => {
    const erp = await bed.connect(variant, shared);
    connections.push(erp);
    return erp;
  };
  try {
    await each.run({ bed, chart: bed.chart, erp: await another(), another, notShown });
    return [...missing];
  } finally {
    await bed.heal();
    for (const erp of connections) await erp.close();
  }
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(CASE_MS_MAX, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`no result within ${String(CASE_MS_MAX / 1000)} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}
