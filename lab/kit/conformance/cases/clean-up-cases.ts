// What an adapter takes away again (a draft that the ERP will not book, what posting leaves behind) may stay there when that fails too.
import { strict as assert } from 'node:assert';
import {
  assertInBooksOnce,
  type CaseWorld,
  type ConformanceCase,
  final,
  onlyEntry,
  prepared,
} from '../conformance-case.js';
import { freshKey, sale } from '../journals.js';
import { recover } from './fault-cases.js';

export const CLEAN_UP_CASES: readonly ConformanceCase[] = [
  {
    id: 'clean-up-fails',
    title:
      'takes nothing that a failed clean-up left for an entry, says of a draft that it is there, and ends with one entry',
    exempt: ({ atomicPost }) =>
      atomicPost ? 'create and post are one step: nothing is left to clean up' : null,
    run: async (world) => {
      await proveLeftoverIsNoEntry(world);
      await proveDraftIsNotDenied(world);
    },
  },
];

/** It is booked, and what the booking left behind cannot be taken away. */
async function proveLeftoverIsNoEntry(world: CaseWorld): Promise<void> {
  const key = freshKey();
  const request = await prepared(world.erp, key, sale(world.chart));
  await world.bed.provoke({ kind: 'fail-clean-up', afterRefusal: false });
  final(world.erp, await world.erp.post(request));
  const survivor = await world.another();
  const entry = await onlyEntry(survivor, key);
  const listed: string[] = [];
  for await (const each of survivor.entries({ from: world.chart.openDate, to: world.chart.openDate }))
    if (each.key === key) listed.push(each.state);
  assert.deepEqual(listed, [entry.state], 'the list has something else than the look-up under the key');
  await world.bed.heal();
  final(survivor, await survivor.post(request));
  await assertInBooksOnce(world, key);
}

/** It is refused, and its draft stays: who says "rejected" or "transient" then gets a second one beside it. */
async function proveDraftIsNotDenied(world: CaseWorld): Promise<void> {
  const key = freshKey();
  const request = await prepared(world.erp, key, sale(world.chart));
  await world.bed.provoke({ kind: 'fail-clean-up', afterRefusal: true });
  const outcome = await world.erp.post(request);
  await world.bed.heal();
  const { drafts } = await world.bed.count(key);
  if (drafts === 0) {
    world.notShown('a draft that cannot be taken away: the bed does nothing at `fail-clean-up`');
    return;
  }
  assert.ok(
    ['draft', 'unknown'].includes(outcome.outcome),
    `a draft is there, and post said ${JSON.stringify(outcome)}`,
  );
  await recover(world, key, request);
  await assertInBooksOnce(world, key);
}
