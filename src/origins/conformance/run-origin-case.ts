// Runs one case on a fresh bed and says what came of it. There is no silent way out: it passes, fails, or does not apply for a reason.
import type { Origin } from '../origin.js';
import { CHANGE_CASES, FILE_CASES, LISTING_CASES, TELLING_CASES } from './cases.js';
import type { OriginCase, OriginCaseId, OriginTarget } from './target.js';

export const ORIGIN_CASES: readonly OriginCase[] = [
  ...LISTING_CASES,
  ...CHANGE_CASES,
  ...TELLING_CASES,
  ...FILE_CASES,
];

export interface OriginCaseResult {
  readonly id: OriginCaseId;
  readonly title: string;
  readonly result: 'passed' | 'failed' | 'not-applicable';
  /** Why it failed, or does not apply. */
  readonly detail?: string;
}

export async function runOriginCase(target: OriginTarget, each: OriginCase): Promise<OriginCaseResult> {
  const { id, title } = each;
  const bed = await target.open();
  const origins: Origin[] = [];
  const another = async () => {
    const origin = await bed.connect();
    origins.push(origin);
    return origin;
  };
  try {
    const origin = await another();
    const reason = target.notApplicable?.[id] ?? each.exempt?.(target, bed, origin) ?? null;
    if (reason !== null) return { id, title, result: 'not-applicable', detail: reason };
    await each.run({ target, bed, origin, another });
    return { id, title, result: 'passed' };
  } catch (error) {
    return { id, title, result: 'failed', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const origin of origins) await origin.close();
    await bed.close();
  }
}
