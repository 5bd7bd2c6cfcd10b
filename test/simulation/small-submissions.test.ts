// Small worlds of the other direction, explored to their end: one record, its customer, two replicas, and a service that creates whatever
// it is sent, as often as it is sent.
import { describe, expect, test } from 'vitest';
import { type Exploration, explore } from '../../lab/proof/explore/explore.js';
import { OUTGOING_GUARDS } from '../../lab/proof/explore/outgoing-guards.js';
import { OutgoingWorld, type OutgoingWorldOptions } from '../../lab/proof/explore/outgoing-world.js';
import { told } from './told.js';

const faults = Number(process.env['FAULTS'] ?? 1);
const LONG_MS = 60 * 60_000;

const world = (options: OutgoingWorldOptions) => (path: ConstructorParameters<typeof OutgoingWorld>[1]) =>
  new OutgoingWorld(options, path);

async function exhausted(options: OutgoingWorldOptions, faultsMax = faults): Promise<Exploration> {
  const explored = await explore(world(options), { faults: faultsMax });
  expect(told(explored)).toBe('');
  expect(explored.exhausted).toBe(true);
  return explored;
}

describe('each stands at the service once, and its origin hears of it, in every order of things', () => {
  const worlds: [string, OutgoingWorldOptions, number][] = [
    ['an invoice', { kind: 'invoice' }, 200],
    ['an invoice of a customer who is not there yet', { kind: 'invoice', newCustomer: true }, 400],
    ['a customer', { kind: 'customer' }, 200],
    ['a cost', { kind: 'cost', costAi: false }, 200],
    ['a receipt that AI reads first', { kind: 'cost', target: { queuesCosts: true } }, 200],
    ['a task', { kind: 'task' }, 200],
    ['a subscription, whose template is listed nowhere', { kind: 'subscription' }, 100],
    ['hours on a task', { kind: 'hours' }, 200],
    ['a draft, which cannot be searched for', { kind: 'draft' }, 100],
  ];
  test.each(worlds)(
    '%s',
    async (_name, options, statesMin) => {
      const { states } = await exhausted(options);
      expect(states).toBeGreaterThan(statesMin);
    },
    LONG_MS,
  );

  test.each(['effect', 'request', 'unsaid'] as const)(
    'an invoice, when a history was lost: %s',
    async (forgotten) => {
      // Where nobody said that it was lost, a list that is behind as well cannot be told from one that is not.
      await exhausted({ kind: 'invoice', forgotten }, forgotten === 'unsaid' ? 0 : faults - 1);
    },
  );

  test.each(['effect', 'request'] as const)('a draft, when a history was lost: %s', async (forgotten) => {
    await exhausted({ kind: 'draft', forgotten }, faults - 1);
  });
});

describe('each guard of the other direction that is taken away is missed', () => {
  test.each(OUTGOING_GUARDS)('$guard', async ({ without }) => {
    const { stories } = await explore(world(without), { faults: 2, pathsMax: 5_000 });
    expect(stories[0]?.broken.join('\n')).toMatch(/^2[01]: /m);
  });
});
