// Customers and suppliers: none is made twice, whoever asks for it and whenever the request arrives.
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, JournalParty } from '../../../../src/domain/journal.js';
import type { ErpAdapter, ErpCapabilities } from '../../../../src/erp/erp-adapter.js';
import { type CaseWorld, type ConformanceCase, posted } from '../conformance-case.js';
import { freshCustomer, freshKey, purchase, sale } from '../journals.js';
import type { ConformanceChart } from '../target.js';

const TRIES_MAX = 5;
const TRY_AGAIN_MS = 200;

export const PARTNER_CASES: readonly ConformanceCase[] = [
  {
    id: 'known-party',
    title: 'finds a customer and a supplier by kennitala before it makes one, whatever name they have there',
    exempt: withoutPartners,
    run: async (world) => {
      const { customer, supplier } = world.chart;
      const renamed = {
        customer: { ...customer, name: `${customer.name} Nýja` },
        supplier: { ...supplier, name: `${supplier.name} Nýja` },
      };
      await assertFound(world, customer, (chart) => sale(chart), renamed);
      await assertFound(world, supplier, purchase, renamed);
    },
  },
  {
    id: 'new-party-once',
    title: 'creates a new customer once, although its documents come at once, from two processes, or late',
    exempt: withoutPartners,
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

function withoutPartners({ subledger }: ErpCapabilities): string | null {
  return subledger ? null : 'declares no partners';
}

/** Each from a connection that has not seen the party before: what is remembered proves no look-up. */
async function assertFound(
  world: CaseWorld,
  party: JournalParty,
  journal: (chart: ConformanceChart) => Journal,
  renamed: Pick<ConformanceChart, 'customer' | 'supplier'>,
): Promise<void> {
  if (!world.bed.countParties) {
    world.notShown('how many there are: the bed has no countParties(kennitala)');
    return;
  }
  for (const chart of [world.chart, { ...world.chart, ...renamed }])
    await posted(await world.another(), freshKey(), journal(chart));
  await assertOneParty(world, party);
}

async function assertOnce(world: CaseWorld, two: ErpAdapter[], customer: JournalParty): Promise<void> {
  const journal = () => sale(world.chart, { customer });
  await Promise.all(two.map((erp) => postedAtLast(erp, journal())));
  await posted(await world.another(), freshKey(), journal());
  await assertOneParty(world, customer);
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
  await assertOneParty(world, customer);
  await posted(world.erp, freshKey(), journal());
}

async function assertOneParty(world: CaseWorld, { kind, kennitala }: JournalParty): Promise<void> {
  const count = await world.bed.countParties?.(kennitala);
  assert.equal(count, 1, `the ERP has ${String(count)} ${kind}s with kennitala ${kennitala}`);
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
