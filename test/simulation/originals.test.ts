// Originals in the random simulation: each is at its entry once at most although replies are lost, files arrive late and processes
// die; and where a tenant wants them first, the source hears of a posting only when they are there, and nothing is lost by it.
import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../lab/proof/run.js';
import { eventsOf, firstBroken, kept, seedsTo } from './seeds.js';

const SEEDS = seedsTo(3);
const NIGHT_MS = 14 * 60 * 60_000;

const WORLDS: readonly Omit<RunOptions, 'seed'>[] = [
  { erp: 'look-up', carries: 'originals' },
  { erp: 'look-up', carries: 'originals', restored: true },
  { erp: 'unique-reference', carries: 'originals-first' },
  { erp: 'look-up', carries: 'originals-first', nightMs: NIGHT_MS },
  { erp: 'look-up', carries: 'originals-first', restored: true },
];

describe('each original is at its entry once, and no posting is lost for one', () => {
  test.each(WORLDS)('with $carries, $erp, down for a night: $nightMs, put back: $restored', async (world) => {
    const runs = await kept(SEEDS, world);
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
    const found = await firstBroken({ erp: 'look-up', ...flaw }, () => true);
    expect(found.join('\n')).toMatch(/1[45]: /);
  });
});
