// One key, one entry, whatever happens in between.
import { strict as assert } from 'node:assert';
import type { Journal } from '../../../../src/domain/journal.js';
import type { EarlierPost, ErpAdapter, ErpCapabilities } from '../../../../src/erp/erp-adapter.js';
import {
  assertInBooksOnce,
  assertNotInBooks,
  assertSame,
  type CaseWorld,
  type ConformanceCase,
  final,
  onlyEntry,
  posted,
  prepared,
  settled,
} from '../conformance-case.js';
import { freshKey, sale } from '../journals.js';

const FIVE = 5;

export const ONCE_CASES: readonly ConformanceCase[] = [
  {
    id: 'same-key-twice',
    title: 'books one entry when the same prepared request is posted twice',
    exempt: defenceless,
    run: async (world) => {
      const key = freshKey();
      const request = await prepared(world.erp, key, sale(world.chart));
      const first = await settled(world.erp, key, final(world.erp, await world.erp.post(request)));
      const again = await world.erp.post(request);
      if (again.outcome === 'rejected') assert.equal(again.code, 'duplicate', again.message);
      else assert.equal(final(world.erp, again).id, first.id);
      await assertInBooksOnce(world, key);
    },
  },
  {
    id: 'five-at-once',
    title: 'books one entry when five posts of one key run at once on one connection',
    exempt: defenceless,
    run: async (world) => {
      const key = freshKey();
      const request = await prepared(world.erp, key, sale(world.chart));
      const outcomes = await Promise.all(Array.from({ length: FIVE }, () => world.erp.post(request)));
      assert.ok(
        outcomes.some((outcome) => 'reference' in outcome),
        JSON.stringify(outcomes),
      );
      await assertInBooksOnce(world, key);
    },
  },
  {
    id: 'five-connections',
    title: 'books one entry over five connections at once, or shows every one of them',
    exempt: defenceless,
    run: async (world) => {
      const key = freshKey();
      const journal = sale(world.chart);
      const connections = await Promise.all(Array.from({ length: FIVE }, () => world.another()));
      const request = await prepared(world.erp, key, journal);
      await Promise.all(connections.map((erp) => erp.post(request)));
      if (world.erp.capabilities.idempotency !== 'none') return assertInBooksOnce(world, key);
      await assertNothingHidden(world, key);
    },
  },
  {
    id: 'refused-then-mended',
    title: 'books what was refused once the cause is mended, and is not told the old refusal again',
    exempt: (capabilities) =>
      capabilities.finality === 'async' ? 'what it refuses, it refuses later' : defenceless(capabilities),
    run: async (world) => {
      if (!world.bed.closeOpenDate) {
        world.notShown('a cause that is mended: the bed has no closeOpenDate');
        return;
      }
      const [key, journal] = [freshKey(), sale(world.chart)];
      const earlier = await refusedWhileClosed(world, key, journal);
      await assertNotInBooks(world, key);
      const survivor = await world.another();
      const again = await survivor.prepare({ key, journal, ...(earlier ? { earlier } : {}) });
      assert.equal(again.outcome, 'prepared', JSON.stringify(again));
      await settled(survivor, key, final(survivor, await survivor.post(again.prepared)));
      await survivor.post(again.prepared);
      await assertInBooksOnce(world, key);
    },
  },
  {
    id: 'collision',
    title: 'does not pass an entry with other content off as ours',
    exempt: defenceless,
    run: async (world) => {
      const key = freshKey();
      await posted(world.erp, key, sale(world.chart, { net: '10000', vat: '2400' }));
      const other = await prepared(world.erp, key, sale(world.chart, { net: '20000', vat: '4800' }));
      const outcome = await world.erp.post(other);
      assert.ok(outcome.outcome === 'rejected', JSON.stringify(outcome));
      assert.ok(['collision', 'duplicate'].includes(outcome.code), outcome.code);
      await assertInBooksOnce(world, key);
    },
  },
  {
    id: 'killed-after-create-resume',
    title: 'finishes a draft that a crash left between create and post',
    exempt: atomic,
    run: async (world) => {
      const { key, request, survivor } = await leaveADraft(world);
      const draft = await onlyEntry(survivor, key);
      assert.equal(draft.state, 'draft');
      final(survivor, await survivor.resume(draft, request));
      await assertInBooksOnce(world, key);
    },
  },
  {
    id: 'killed-after-create-post',
    title: 'makes no second entry beside such a draft when it is asked to post again',
    exempt: atomic,
    run: async (world) => {
      const { key, request, survivor } = await leaveADraft(world);
      // It may finish the draft, or say that it cannot; whatever it says, there is one.
      await survivor.post(request);
      const { posted: entries, drafts } = await world.bed.count(key);
      assert.equal(entries + drafts, 1, `there are ${entries} entries and ${drafts} drafts under the key`);
    },
  },
  {
    id: 'killed-after-post',
    title: 'finds its entry, with the same lines, after a crash that forgot the answer',
    exempt: blind,
    run: async (world) => {
      const key = freshKey();
      const journal = sale(world.chart);
      const request = await prepared(world.erp, key, journal);
      final(world.erp, await world.erp.post(request));
      const survivor = await world.another();
      assertSame(survivor, journal, await onlyEntry(survivor, key));
      const again = await survivor.post(request);
      if (again.outcome === 'rejected') assert.equal(again.code, 'duplicate', again.message);
      await assertInBooksOnce(world, key);
    },
  },
];

function atomic(capabilities: ErpCapabilities): string | null {
  return capabilities.atomicPost ? 'create and post are one step' : null;
}

/** Then the protocol never sends twice, and there is nothing to prove here. */
function defenceless(capabilities: ErpCapabilities): string | null {
  const { idempotency, lookUp } = capabilities;
  return idempotency === 'none' && lookUp === 'none' ? 'declares neither a key nor a look-up' : null;
}

export function blind(capabilities: ErpCapabilities): string | null {
  return capabilities.lookUp === 'none' ? 'declares no look-up' : null;
}

/** Refused by an ERP that keeps its answer under the key; else as soon as anybody sees that the period is closed. */
async function refusedWhileClosed(
  world: CaseWorld,
  key: string,
  journal: Journal,
): Promise<EarlierPost | null> {
  const keepsAnswers = world.erp.capabilities.idempotency === 'native-key';
  const before = keepsAnswers ? await prepared(world.erp, key, journal) : null;
  await world.bed.closeOpenDate?.(true);
  try {
    const late = await world.another();
    const outcome = before ? null : await late.prepare({ key, journal });
    const request = outcome?.outcome === 'prepared' ? outcome.prepared : before;
    const refusal = request ? await late.post(request) : outcome;
    assert.equal(refusal?.outcome, 'rejected', JSON.stringify(refusal));
    assert.equal(refusal.code, 'closed-period', refusal.message);
    return request && { request: request.request, isRefused: true };
  } finally {
    await world.bed.closeOpenDate?.(false);
  }
}

async function leaveADraft(world: CaseWorld) {
  const key = freshKey();
  const request = await prepared(world.erp, key, sale(world.chart));
  await world.bed.provoke({ kind: 'die-after-create' });
  const outcome = await world.erp.post(request);
  assert.equal(outcome.outcome, 'unknown', JSON.stringify(outcome));
  await world.bed.heal();
  assert.deepEqual(await world.bed.count(key), { posted: 0, drafts: 1 });
  const survivor: ErpAdapter = await world.another();
  return { key, request, survivor };
}

/** Nothing in the ERP stops five connections; then the look-up must show each, so that a person is called. */
async function assertNothingHidden(world: CaseWorld, key: string): Promise<void> {
  const { posted: booked, drafts } = await world.bed.count(key);
  const entries = world.erp.capabilities.finality === 'draft' ? booked + drafts : booked;
  assert.ok(entries >= 1, 'nothing was booked');
  const found = await world.erp.findByKey(key);
  if (entries === 1) assert.equal(found.outcome, 'one', JSON.stringify(found));
  else assert.equal(found.outcome === 'many' ? found.entries.length : found.outcome, entries);
}
