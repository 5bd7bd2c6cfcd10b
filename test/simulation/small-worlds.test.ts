// Small worlds, explored to their end: every placement of the faults, every order in which things can happen around them.
// `FAULTS=2 npx vitest run --project simulation test/simulation/small-worlds.test.ts` takes minutes instead of seconds.
import { describe, expect, test } from 'vitest';
import { type Exploration, explore } from '../../lab/proof/explore/explore.js';
import { GUARDS } from '../../lab/proof/explore/guards.js';
import { HistoryChecker } from '../../lab/proof/specification/check-history.js';
import { SmallWorld, type SmallWorldOptions } from '../../lab/proof/explore/small-world.js';
import { ERP_KINDS } from '../../lab/proof/simulated-ledger.js';
import { told } from './told.js';

const faults = Number(process.env['FAULTS'] ?? 1);
const LONG_MS = 60 * 60_000;

const world = (options: SmallWorldOptions) => (path: ConstructorParameters<typeof SmallWorld>[1]) =>
  new SmallWorld(options, path);

async function exhausted(options: SmallWorldOptions, faultsMax = faults): Promise<Exploration> {
  const explored = await explore(world(options), { faults: faultsMax });
  expect(told(explored)).toBe('');
  expect(explored.exhausted).toBe(true);
  return explored;
}

/** Of the others every path is one of these too, but for what the ERP itself takes for the same: `FULL=1` explores them all. */
const EXPLORED =
  faults > 1 || process.env['FULL'] === '1'
    ? ERP_KINDS
    : (['native-key', 'look-up', 'posted-only', 'none'] as const);

describe.each(EXPLORED)('one document, two replicas and an ERP of the kind %s', (erp) => {
  test(
    `keep every promise in every order of things with ${faults} faults`,
    async () => {
      const { states } = await exhausted({ erp });
      expect(states).toBeGreaterThan(500);
    },
    LONG_MS,
  );

  test.each(['entry', 'request'] as const)(
    'and when a restored database has forgotten an %s',
    async (forgotten) => {
      await exhausted({ erp, forgotten }, faults - 1);
    },
  );
});

test('what a restored database may have sent is not set aside before it can have arrived', async () => {
  await exhausted({ erp: 'look-up', forgotten: 'request', people: true });
});

test.each(['native-key', 'unique-reference', 'look-up', 'none'] as const)(
  'a payment is not booked beside a settlement that a restored database has forgotten, by an ERP of the kind %s',
  async (erp) => {
    await exhausted({ erp, paidLater: true, forgotten: 'settlement' }, faults - 1);
  },
);

/** The others go the same ways: `FAULTS=2` explores them too. */
const PAID_LATER = faults > 1 ? ERP_KINDS : (['look-up', 'none'] as const);

test.each(PAID_LATER)(
  'a payment that comes after posting is booked once in every order of things, by an ERP of the kind %s',
  async (erp) => {
    const { states } = await exhausted({ erp, paidLater: true });
    expect(states).toBeGreaterThan(300);
  },
  LONG_MS,
);

/** The specification has neither the content of a document nor the lists of the source. */
const BESIDE_IT = [
  'the content hash',
  'the read-back of a status',
  'the look for a settlement that was forgotten',
];

describe('each guard that is taken away is missed, and the history without it is refused by the specification', () => {
  test.each(GUARDS)('$guard', async ({ guard, without }) => {
    const { stories } = await explore(world(without), { faults: 2, pathsMax: 5_000 });
    expect(stories.length).toBeGreaterThan(0);
    const keyLifeMs = without.erpFlaws?.keyLifeMs ?? 1_800_000;
    const checker = new HistoryChecker({ kind: without.erp.replace('-two-step', ''), keyLifeMs });
    const refused = checker.check(stories[0]?.history ?? []);
    if (!BESIDE_IT.includes(guard)) expect(refused).not.toEqual([]);
  });
});

test('a story is told by who did what, and the shortest is told first', async () => {
  const without = { erp: 'look-up', erpFlaws: { trustsProxies: true } } as const;
  const [story] = (await explore(world(without), { faults: 2 })).stories;
  expect(story?.faults).toBe(1);
  expect(story?.events.join('\n')).toMatch(
    /a proxy says 503 while the ERP works on[^]*a request arrives that nobody waits for/,
  );
});
