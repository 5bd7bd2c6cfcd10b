// Small worlds of sweeps, explored to their end: one document is deleted, another approved long after its date, a third leaves the
// list because it is posted, and processes die, or find the source away, at every step of every sweep.
import { describe, expect, test } from 'vitest';
import { explore } from '../../lab/proof/explore/explore.js';
import { INTAKE_GUARDS } from '../../lab/proof/explore/guards.js';
import { IntakeWorld, type IntakeWorldOptions } from '../../lab/proof/explore/intake-world.js';
import { told } from './told.js';

const faults = Number(process.env['FAULTS'] ?? 1);
const LONG_MS = 60 * 60_000;

const world = (options: IntakeWorldOptions) => (path: ConstructorParameters<typeof IntakeWorld>[1]) =>
  new IntakeWorld(options, path);

const ALL_AT_ONCE: [string, IntakeWorldOptions['happens'], number] = [
  'all of them at once',
  ['one is deleted', 'one is approved late', 'one is posted'],
  faults - 1,
];

describe('whatever is handed over is found', () => {
  const worlds: [string, IntakeWorldOptions['happens'], number][] = [
    ['a deletion beside a late approval', ['one is deleted', 'one is approved late'], faults],
    ['a document that leaves the list while it is read', ['one is posted', 'one is approved late'], faults],
    // `FULL=1`: seconds more.
    ...(process.env['FULL'] === '1' ? [ALL_AT_ONCE] : []),
  ];
  test.each(worlds)(
    'with %s, in every order of things',
    async (_name, happens, faultsMax) => {
      const explored = await explore(world({ happens }), { faults: faultsMax });
      expect(told(explored)).toBe('');
      expect(explored.exhausted).toBe(true);
      expect(explored.states).toBeGreaterThan(1_000);
    },
    LONG_MS,
  );
});

describe('each guard of the sweeps that is taken away is missed', () => {
  test.each(INTAKE_GUARDS)('$guard', async ({ without, broken, nth = 1 }) => {
    const { stories } = await explore(world(without), { faults: 1, storiesMax: nth });
    const story = stories.find((one) => one.broken.includes(broken));
    expect(story?.events.join('\n')).toMatch(/one is approved late/);
  });
});
