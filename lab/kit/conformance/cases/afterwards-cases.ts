// What comes after a post: attachments, reversals, look-ups by the ERP's own number, and the list for reconciliation.
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { isPostingKey } from '../../../../src/domain/posting-key.js';
import type { IsoDate } from '../../../../src/domain/source-document.js';
import type { Attachment, ErpCapabilities, ErpEntry, ErpReference } from '../../../../src/erp/erp-adapter.js';
import { mirrorJournal } from '../../../../src/erp/reversal.js';
import {
  assertInBooksOnce,
  assertSame,
  type CaseWorld,
  type ConformanceCase,
  final,
  onlyEntry,
  posted,
} from '../conformance-case.js';
import { freshKey, sale } from '../journals.js';
import { blind } from './once-cases.js';

const PDF: Attachment = {
  fileName: 'reikningur æ.pdf',
  contentType: 'application/pdf',
  content: Buffer.from('%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'latin1'),
};

export const AFTERWARDS_CASES: readonly ConformanceCase[] = [
  {
    id: 'attachment',
    title: 'attaches the original document to the entry',
    exempt: unattached,
    run: async (world) => {
      const reference = await posted(world.erp, freshKey(), sale(world.chart));
      assert.deepEqual(await world.erp.attach(reference, PDF), { outcome: 'attached' });
      const kept = await world.bed.attachments?.(reference);
      if (!kept) {
        world.notShown('what the ERP keeps: the bed has no attachments(reference)');
        return;
      }
      const sha256 = createHash('sha256').update(PDF.content).digest('hex');
      assert.deepEqual(
        kept,
        [{ fileName: PDF.fileName, sha256 }],
        'the file is not in the ERP as it was sent',
      );
    },
  },
  {
    id: 'attachment-fails',
    title: 'leaves the entry as it is when the attachment is refused',
    exempt: unattached,
    run: async (world) => {
      const key = freshKey();
      const journal = sale(world.chart);
      const reference = await posted(world.erp, key, journal);
      await world.bed.provoke({ kind: 'refuse-attachments' });
      const { outcome } = await world.erp.attach(reference, PDF);
      assert.notEqual(outcome, 'attached');
      await world.bed.heal();
      await assertInBooksOnce(world, key);
      if (blind(world.erp.capabilities) === null)
        assertSame(world.erp, journal, await onlyEntry(world.erp, key));
    },
  },
  {
    id: 'attachment-twice',
    title: 'keeps a file once, however often it is asked, and beside another file',
    exempt: unattached,
    run: async (world) => {
      const reference = await posted(world.erp, freshKey(), sale(world.chart));
      const other = {
        ...PDF,
        fileName: 'fylgiskjal.pdf',
        content: Buffer.concat([PDF.content, PDF.content]),
      };
      for (const file of [PDF, PDF, other, PDF])
        assert.deepEqual(await world.erp.attach(reference, file), { outcome: 'attached' });
      await assertKept(world, reference, [PDF, other]);
    },
  },
  {
    id: 'attachment-lost-reply',
    title:
      'knows that it does not know when the answer to an attachment is lost, and keeps the file once when asked again',
    exempt: unattached,
    run: async (world) => {
      const reference = await posted(world.erp, freshKey(), sale(world.chart));
      await world.bed.provoke({ kind: 'lose-attachment-reply' });
      const { outcome } = await world.erp.attach(reference, PDF);
      assert.equal(outcome, 'unknown', 'it may have arrived');
      await world.bed.heal();
      assert.deepEqual(await world.erp.attach(reference, PDF), { outcome: 'attached' });
      await assertKept(world, reference, [PDF]);
    },
  },
  {
    id: 'attachment-late',
    title: 'keeps a file once that arrived after we gave up, when asked again afterwards',
    exempt: unattached,
    run: async (world) => {
      const reference = await posted(world.erp, freshKey(), sale(world.chart));
      await world.bed.provoke({ kind: 'late-attachment' });
      const { outcome } = await world.erp.attach(reference, PDF);
      assert.equal(outcome, 'unknown', 'it may still arrive');
      await world.bed.heal();
      assert.deepEqual(await world.erp.attach(reference, PDF), { outcome: 'attached' });
      await assertKept(world, reference, [PDF]);
    },
  },
  {
    id: 'reverse',
    title: 'reverses an entry by its mirror, after which the key has no live entry',
    exempt: irreversible,
    run: async (world) => {
      const { key, request } = await reversed(world);
      const original = await world.erp.findByKey(key);
      if (original.outcome === 'one') assert.equal(original.entry.reversed, true);
      else assert.equal(original.outcome, 'none');
      const mirror = await onlyEntry(world.erp, request.key);
      assertSame(world.erp, mirrorJournal(request), mirror);
      assert.equal(mirror.reversed, true);
    },
  },
  {
    id: 'reverse-twice',
    title: 'reverses once, however often it is asked',
    exempt: irreversible,
    run: async (world) => {
      const { request } = await reversed(world);
      const again = await world.erp.reverse(request);
      if (again.outcome === 'rejected') assert.equal(again.code, 'duplicate', again.message);
      else final(world.erp, again);
      const otherKey = freshKey('R');
      const other = await world.erp.reverse({ ...request, key: otherKey });
      assert.equal(other.outcome, 'rejected', 'a second reversal under another key must be refused');
      assert.equal((await world.bed.count(otherKey)).posted, 0);
      await onlyEntry(world.erp, request.key);
    },
  },
  {
    id: 'find-by-reference',
    title: "finds an entry by the ERP's own reference, for mark-as-posted",
    exempt: blind,
    run: async ({ erp, chart }) => {
      const key = freshKey();
      const reference = await posted(erp, key, sale(chart));
      // What the ERP shows to people is what they type; without a number, that is the id.
      const found = await erp.findByReference(reference.number ?? reference.id);
      assert.ok(found.outcome === 'one', JSON.stringify(found));
      assert.equal(found.entry.key, key);
    },
  },
  {
    id: 'list-entries',
    title:
      'lists every entry of a period under its key, of every kind and page, reversed ones as such, and no others',
    exempt: blind,
    run: async (world) => {
      const { openDate, reversalDate } = world.chart;
      if (world.bed.crowd) await world.bed.crowd(openDate);
      else world.notShown('that later pages are read: the bed has no crowd(day)');
      const keys = (['I', 'C', 'S'] as const).map((kind) => freshKey(kind));
      for (const key of keys) await posted(world.erp, key, sale(world.chart));
      const undone = world.erp.capabilities.reverse ? await reversed(world) : null;
      const listed = await listEntries(world, openDate);
      for (const key of keys) assert.deepEqual(statesOf(listed, key), ['live'], `${key} in the list`);
      if (undone) {
        assert.deepEqual(
          statesOf(listed, undone.key),
          await statesFound(world, undone.key),
          'what was reversed',
        );
        const mirrors = statesOf(await listEntries(world, reversalDate), undone.request.key);
        assert.deepEqual(mirrors, ['reversed'], 'the reversal in the list');
      }
      for await (const entry of world.erp.entries({ from: '1990-01-01', to: '1990-12-31' }))
        assert.fail(`lists ${entry.key}, which is not of that period`);
    },
  },
];

async function assertKept(
  world: CaseWorld,
  reference: ErpReference,
  files: readonly Attachment[],
): Promise<void> {
  const kept = await world.bed.attachments?.(reference);
  if (!kept) {
    world.notShown('what the ERP keeps: the bed has no attachments(reference)');
    return;
  }
  const wanted = files.map(({ fileName, content }) => ({
    fileName,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const byName = (one: { fileName: string }, other: { fileName: string }) =>
    one.fileName < other.fileName ? -1 : 1;
  assert.deepEqual([...kept].sort(byName), wanted.sort(byName), 'the files are not there once each');
}

async function listEntries(world: CaseWorld, day: IsoDate): Promise<ErpEntry[]> {
  const listed: ErpEntry[] = [];
  for await (const entry of world.erp.entries({ from: day, to: day })) listed.push(entry);
  assert.ok(
    listed.every((entry) => entry.postingDate === day),
    'it lists another day',
  );
  const foreign = listed.find((entry) => !isPostingKey(entry.key));
  assert.equal(foreign, undefined, `it lists ${foreign?.key ?? ''}, which is no key of ours`);
  return listed;
}

function statesOf(entries: readonly ErpEntry[], key: string): string[] {
  const ours = entries.filter((entry) => entry.key === key);
  return ours.map((entry) => (entry.reversed === true ? 'reversed' : 'live'));
}

/** An ERP that takes the original out of its books finds it no more, and need not list it. */
async function statesFound(world: CaseWorld, key: string): Promise<string[]> {
  const found = await world.erp.findByKey(key);
  return found.outcome === 'none' ? [] : statesOf([await onlyEntry(world.erp, key)], key);
}

async function reversed(world: CaseWorld) {
  const key = freshKey();
  await posted(world.erp, key, sale(world.chart));
  const original = await onlyEntry(world.erp, key);
  const request = {
    key: freshKey('R'),
    original,
    date: world.chart.reversalDate,
    reason: 'Rangur viðskiptavinur',
  };
  final(world.erp, await world.erp.reverse(request));
  return { key, request };
}

function unattached(capabilities: ErpCapabilities): string | null {
  return capabilities.attachments ? null : 'declares no attachments';
}

function irreversible(capabilities: ErpCapabilities): string | null {
  if (!capabilities.reverse) return 'declares no reversal';
  return blind(capabilities);
}
