// Seeded worlds, and what their tests ask of them. `SEED` runs one alone, `SEEDS` so many.
import { expect } from 'vitest';
import { brokenPromises } from '../../lab/proof/invariants.js';
import { EndlessRun, type Run, type RunOptions, simulate } from '../../lab/proof/run.js';

export const only = process.env['SEED'];

export function seedsTo(count: number): readonly number[] {
  if (only) return [Number(only)];
  return Array.from({ length: Number(process.env['SEEDS'] ?? count) }, (_, index) => index + 1);
}

type World = Omit<RunOptions, 'seed'>;

/** The worlds of these seeds, each of which keeps every promise. */
export async function kept(
  seeds: readonly number[],
  world: World | ((seed: number) => RunOptions),
): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const seed of seeds) {
    const options = typeof world === 'function' ? world(seed) : { seed, ...world };
    const run = await simulate(options);
    expect(brokenPromises(run), `seed ${String(seed)} with ${options.erp}`).toEqual([]);
    runs.push(run);
  }
  return runs;
}

export function eventsOf(runs: readonly Run[]): readonly string[] {
  return runs.flatMap(({ kernel }) => kernel.trace);
}

/** Which of these none of the events is. */
export function missingIn(
  events: readonly string[],
  happens: Readonly<Record<string, RegExp>>,
): readonly string[] {
  const missing = Object.entries(happens).filter(([, event]) => !events.some((one) => event.test(one)));
  return missing.map(([what]) => what);
}

const SEEDS_MAX = 40;

/**
 * The promises that are broken in the first world that breaks some of those that count, beginning with the one that showed it last. When a
 * run takes another course and that one shows nothing any more, the others are asked.
 */
export async function firstBroken(
  world: World,
  counts: (broken: string) => boolean,
  last = 1,
): Promise<readonly string[]> {
  const others = Array.from({ length: SEEDS_MAX }, (_, index) => index + 1).filter((seed) => seed !== last);
  for (const seed of [last, ...others]) {
    const found = (await brokenBy({ seed, ...world })).filter(counts);
    if (found.length > 0) return found;
  }
  return [];
}

/** A run that never ends shows that something is wrong, but not that a promise was broken: another seed tells. */
function brokenBy(options: RunOptions): Promise<readonly string[]> {
  return simulate(options).then(brokenPromises, (error: unknown) => {
    if (error instanceof EndlessRun) return [];
    throw error;
  });
}
