// Originals in the random simulation: each is at its entry once at most although replies are lost, files arrive late and processes
// die; and where a tenant wants them first, the source hears of a posting only when they are there, and nothing is lost by it.
import { describe, expect, test } from 'vitest';
import { brokenPromises } from '../../lab/proof/invariants.js';
import { type Run, type RunOptions, simulate } from '../../lab/proof/run.js';

const only = process.env['SEED'];
const SEEDS = only
  ? [Number(only)]
  : Array.from({ length: Number(process.env['SEEDS'] ?? 3) }, (_, index) => index + 1);
const NIGHT_MS = 14 * 60 * 60_000;

async function kept(options: Omit<RunOptions, 'seed'>): Promise<Run[]> {
  const runs: Run[] = [];
  for (const seed of SEEDS) {
    const run = await simulate({ seed, ...options });
    expect(brokenPromises(run), `seed ${seed} with ${options.erp}`).toEqual([]);
    runs.push(run);
  }
  return runs;
}

const eventsOf = (runs: readonly Run[]) => runs.flatMap(({ kernel }) => kernel.trace);

const WORLDS: readonly Omit<RunOptions, 'seed'>[] = [
  { erp: 'look-up', carries: 'originals' },
  { erp: 'look-up', carries: 'originals', restored: true },
  { erp: 'unique-reference', carries: 'originals-first' },
  { erp: 'look-up', carries: 'originals-first', nightMs: NIGHT_MS },
  { erp: 'look-up', carries: 'originals-first', restored: true },
];

describe('each original is at its entry once, and no posting is lost for one', () => {
  test.each(WORLDS)('with $carries, $erp, down for a night: $nightMs, put back: $restored', async (world) => {
    const runs = await kept(world);
    for (const { ledger } of runs) expect(ledger.files.size).toBeGreaterThan(5);
    const events = eventsOf(runs);
    for (const happens of [/attaching → attached/, /attaching → unknown/, /→ absent/])
      expect(
        events.some((event) => happens.test(event)),
        String(happens),
      ).toBe(true);
  });
});

describe('the simulation notices when a guard is taken away', () => {
  const guards = {
    'waiting until a late file has arrived': { carries: 'originals', store: { forgetsAttaching: true } },
    'waiting for the originals before the source is told': {
      carries: 'originals-first',
      store: { tellsWithoutOriginals: true },
    },
  } as const;

  test.each(Object.entries(guards))('%s', async (_name, flaw) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 40 && found.length === 0; seed++)
      found.push(...brokenPromises(await simulate({ seed, erp: 'look-up', ...flaw })));
    expect(found.join('\n')).toMatch(/1[45]: /);
  });
});
