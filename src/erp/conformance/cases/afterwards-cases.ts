// What comes after a post: attachments, reversals, look-ups by the ERP's own number, and the list for reconciliation.
import { strict as assert } from 'node:assert';
import { compareEntry } from '../../compare-entry.js';
import type { Attachment, ErpCapabilities, ErpEntry } from '../../erp-adapter.js';
import {
  assertInBooksOnce,
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
    run: async ({ erp, chart }) => {
      const reference = await posted(erp, freshKey(), sale(chart));
      assert.deepEqual(await erp.attach(reference, PDF), { outcome: 'attached' });
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
        assert.deepEqual(compareEntry(journal, await onlyEntry(world.erp, key), world.erp.capabilities), []);
    },
  },
  {
    id: 'reverse',
    title: 'reverses an entry by its mirror, after which the key has no live entry',
    exempt: irreversible,
    run: async (world) => {
      const { key, reversalKey } = await reversed(world);
      const original = await world.erp.findByKey(key);
      if (original.outcome === 'one') assert.equal(original.entry.reversed, true);
      else assert.equal(original.outcome, 'none');
      const mirror = await onlyEntry(world.erp, reversalKey);
      assert.equal(mirror.postingDate, world.chart.reversalDate);
      assert.equal(mirror.reversed, true);
    },
  },
  {
    id: 'reverse-twice',
    title: 'reverses once, however often it is asked',
    exempt: irreversible,
    run: async (world) => {
      const { request, reversalKey } = await reversed(world);
      const again = await world.erp.reverse(request);
      if (again.outcome === 'rejected') assert.equal(again.code, 'duplicate', again.message);
      else final(world.erp, again);
      const otherKey = freshKey();
      const other = await world.erp.reverse({ ...request, key: otherKey });
      assert.equal(other.outcome, 'rejected', 'a second reversal under another key must be refused');
      assert.equal((await world.bed.count(otherKey)).posted, 0);
      await onlyEntry(world.erp, reversalKey);
    },
  },
  {
    id: 'find-by-reference',
    title: "finds an entry by the ERP's own reference, for mark-as-posted",
    exempt: blind,
    run: async ({ erp, chart }) => {
      const key = freshKey();
      const reference = await posted(erp, key, sale(chart));
      const byNumber = await erp.findByReference(reference.number ?? reference.id);
      const found = byNumber.outcome === 'none' ? await erp.findByReference(reference.id) : byNumber;
      assert.ok(found.outcome === 'one', JSON.stringify(found));
      assert.equal(found.entry.key, key);
    },
  },
  {
    id: 'list-entries',
    title: 'lists every entry of a period under its key, pages hidden, and none outside',
    exempt: blind,
    run: async (world) => {
      const keys = Array.from({ length: 3 }, freshKey);
      for (const key of keys) await posted(world.erp, key, sale(world.chart));
      const day = world.chart.openDate;
      const listed: ErpEntry[] = [];
      for await (const entry of world.erp.entries({ from: day, to: day })) listed.push(entry);
      for (const key of keys)
        assert.equal(listed.filter((entry) => entry.key === key).length, 1, `${key} is not listed once`);
      assert.ok(listed.every((entry) => entry.postingDate === day));
      for await (const entry of world.erp.entries({ from: '1990-01-01', to: '1990-12-31' }))
        assert.fail(`lists ${entry.key}, which is not of that period`);
    },
  },
];

async function reversed(world: CaseWorld) {
  const key = freshKey();
  const reversalKey = freshKey();
  await posted(world.erp, key, sale(world.chart));
  const original = await onlyEntry(world.erp, key);
  const request = {
    key: reversalKey,
    original,
    date: world.chart.reversalDate,
    reason: 'Rangur viðskiptavinur',
  };
  final(world.erp, await world.erp.reverse(request));
  return { key, reversalKey, request };
}

function unattached(capabilities: ErpCapabilities): string | null {
  return capabilities.attachments ? null : 'declares no attachments';
}

function irreversible(capabilities: ErpCapabilities): string | null {
  if (!capabilities.reverse) return 'declares no reversal';
  return blind(capabilities);
}
