// Customers and suppliers: none is made twice, whoever asks for it and whenever the request arrives.
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, JournalParty } from '../../../domain/journal.js';
import type { ErpAdapter } from '../../erp-adapter.js';
import { type CaseWorld, type ConformanceCase, posted } from '../conformance-case.js';
import { freshCustomer, freshKey, sale } from '../journals.js';

const TRIES_MAX = 5;
const TRY_AGAIN_MS = 200;

export const PARTNER_CASES: readonly ConformanceCase[] = [
  {
    id: 'new-party-once',
    title: 'creates a new customer once, although its documents come at once, from two processes, or late',
    exempt: (capabilities) => (capabilities.subledger ? null : 'declares no partners'),
    run: async (world) => {
      if (!world.bed.countParties) {
        world.notShown('how many there are: the bed has no countParties(kennitala)');
        return;
      }
      const other = await world.another();
      await assertOnce(world, [world.erp, world.erp], world.chart.newCustomer);
      await assertOnce(world, [world.erp, other], freshCustomer(world.chart));
      await assertLateOnce(world, other);
    },
  },
];

async function assertOnce(world: CaseWorld, two: ErpAdapter[], customer: JournalParty): Promise<void> {
  const journal = () => sale(world.chart, { customer });
  await Promise.all(two.map((erp) => postedAtLast(erp, journal())));
  await posted(await world.another(), freshKey(), journal());
  await assertOneCustomer(world, customer);
}

/** A creation was cut off, another process made the customer meanwhile, and then the first request arrives after all. */
async function assertLateOnce(world: CaseWorld, other: ErpAdapter): Promise<void> {
  const customer = freshCustomer(world.chart);
  const journal = () => sale(world.chart, { customer });
  await world.bed.provoke({ kind: 'late-partner' });
  const cut = await world.erp.prepare({ key: freshKey(), journal: journal() });
  if (cut.outcome === 'prepared') {
    world.notShown('that a late creation is refused: the bed does nothing at `late-partner`');
    return;
  }
  assert.equal(cut.outcome, 'transient', JSON.stringify(cut));
  await postedAtLast(other, journal());
  await world.bed.heal();
  await assertOneCustomer(world, customer);
  await posted(world.erp, freshKey(), journal());
}

async function assertOneCustomer(world: CaseWorld, customer: JournalParty): Promise<void> {
  const count = await world.bed.countParties?.(customer.kennitala);
  assert.equal(count, 1, `the ERP has ${String(count)} customers with kennitala ${customer.kennitala}`);
}

/** Whoever comes second may be told to wait while the first makes the partner. */
async function postedAtLast(erp: ErpAdapter, journal: Journal): Promise<void> {
  const key = freshKey();
  for (let tries = 1; tries < TRIES_MAX; tries++) {
    const outcome = await erp.prepare({ key, journal });
    if (outcome.outcome !== 'transient') break;
    await sleep(TRY_AGAIN_MS);
  }
  await posted(erp, key, journal);
}
