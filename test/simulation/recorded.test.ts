// Runs that once broke a promise, kept as their decisions: they replay whatever the chance stream of the simulator is by now. Where
// the fault was a guard taken away, the decisions still break the promise without it; and every one is kept with the code as it is.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultsOf, RecordedChance, RecordingChance, SeededChance } from '../../lab/proof/chance.js';
import { brokenPromises } from '../../lab/proof/invariants.js';
import { simulate } from '../../lab/proof/run.js';
import { type Recording, replay, shrink } from '../../lab/proof/shrink.js';

const directory = new URL('./recorded/', import.meta.url);
const recordings = readdirSync(directory).map(
  (name) => [name, JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as Recording] as const,
);

/** Without whatever was taken away. */
function sound({ options, ...recording }: Recording): Recording {
  const { store: _store, source: _source, erpFlaws: _erp, outgoing, ...rest } = options;
  const { records, items, posted } = outgoing ?? {};
  const kept = {
    ...(records === undefined ? {} : { records }),
    ...(items === undefined ? {} : { items }),
    ...(posted === undefined ? {} : { posted }),
  };
  const sounder = outgoing ? { outgoing: kept } : {};
  return { ...recording, options: { ...rest, ...sounder } };
}

const numberOf = (promise: string) => promise.split(':')[0];
const isFlawed = ({ options: { store, source, erpFlaws } }: Recording) =>
  (store ?? source ?? erpFlaws) !== undefined;

describe.each(recordings)('%s', (_name, recording) => {
  test('keeps every promise', async () => {
    expect(brokenPromises(await replay(sound(recording)))).toEqual([]);
  });

  test.runIf(isFlawed(recording))('breaks its promise without the guard', async () => {
    const broken = brokenPromises(await replay(recording));
    expect(broken.map(numberOf)).toContain(numberOf(recording.broken));
  });
});

test('decisions that are recorded replay to the same trace', async () => {
  const chance = new RecordingChance(new SeededChance(5));
  const first = await simulate({ seed: 5, erp: 'look-up', documents: 6, chance });
  const again = await simulate({
    seed: 0,
    erp: 'look-up',
    documents: 6,
    chance: new RecordedChance(chance.decisions),
  });
  expect(again.digest).toBe(first.digest);
});

test('a broken run is shrunk, and breaks the same promise with fewer faults', async () => {
  const options = { seed: 1, erp: 'look-up', documents: 2, erpFlaws: { trustsProxies: true } } as const;
  const chance = new RecordingChance(new SeededChance(options.seed));
  await simulate({ ...options, chance });
  const shrunk = await shrink(options, { runsMax: 30, isOver: () => false });
  expect(shrunk?.broken).toMatch(/^1: /);
  const faults = faultsOf(shrunk?.decisions ?? {}).length;
  expect(faults).toBeGreaterThan(0);
  expect(faults).toBeLessThan(faultsOf(chance.decisions).length / 4);
});
