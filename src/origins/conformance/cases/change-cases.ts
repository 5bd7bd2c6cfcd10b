// What an origin promises of what changes, cannot be read, or goes away.
import { strict as assert } from 'node:assert';
import { list, listRipe, type OriginCase, putAndList, recordOf, referencesOf } from '../origin-case.js';

const noRemoval: OriginCase['exempt'] = (_target, bed) =>
  bed.remove === undefined ? 'nothing is ever taken away there' : null;

export const CHANGE_CASES: readonly OriginCase[] = [
  {
    id: 'changed',
    title: 'a record that changed is handed over again, under its reference and with other content',
    run: async (world) => {
      const reference = await world.bed.put(1);
      const before = await listRipe(world, null);
      assert.equal(await world.bed.put(1, 2), reference, 'the bed gives it another reference');
      const after = await listRipe(world, before.cursor);
      assert.deepEqual(referencesOf(after), [reference]);
      assert.notEqual(recordOf(after, reference).content, recordOf(before, reference).content);
    },
  },
  {
    id: 'touched',
    title: 'a record that was written again as it was has the same content, to the letter',
    exempt: (_target, bed) => (bed.touch === undefined ? 'nothing is written again as it was there' : null),
    run: async (world) => {
      const reference = await world.bed.put(1);
      const before = await listRipe(world, null);
      await world.bed.touch?.(1);
      for (const { content } of (await listRipe(world, before.cursor)).records)
        assert.equal(content, recordOf(before, reference).content);
    },
  },
  {
    id: 'bad-spoils-none',
    title: 'what cannot be read is named with its place and its fault, and spoils no other record',
    run: async (world) => {
      const reference = await world.bed.put(1);
      await world.bed.putBad();
      const { records, problems, looked } = await listRipe(world, null);
      assert.deepEqual(referencesOf({ records }), [reference]);
      assert.ok(problems.length > 0, 'nobody hears of it');
      for (const { place, problem } of problems) {
        assert.notEqual(problem.trim(), '');
        assert.ok(within(place, looked), `${place} is in nothing that was looked at: ${looked.join(', ')}`);
      }
    },
  },
  {
    id: 'bad-mended',
    title: 'what was mended is no problem any more: its place is looked at again, and found well',
    run: async (world) => {
      await world.bed.putBad();
      const before = await listRipe(world, null);
      const [problem] = before.problems;
      assert.ok(problem, 'nobody hears of it');
      await world.bed.mendBad();
      const after = await listRipe(world, before.cursor);
      assert.deepEqual(after.problems, []);
      assert.ok(within(problem.place, after.looked), `${problem.place} was not looked at again`);
    },
  },
  {
    id: 'bad-again-after-crash',
    title: 'what cannot be read is named again after a cursor that was not kept',
    run: async (world) => {
      await world.bed.putBad();
      const first = await listRipe(world, null);
      assert.deepEqual((await list(world.origin, null)).problems, first.problems);
      const other = { ...world, origin: await world.another() };
      assert.deepEqual((await listRipe(other, null)).problems, first.problems);
    },
  },
  {
    id: 'removed',
    title: 'what is taken away is not handed over as a change, and holds nothing up',
    exempt: noRemoval,
    run: async (world) => {
      const first = await world.bed.put(1);
      const { cursor } = await listRipe(world, null);
      await world.bed.remove?.(1);
      const second = await world.bed.put(2);
      const after = referencesOf(await listRipe(world, cursor));
      assert.ok(!after.includes(first), 'it is handed over once more');
      assert.ok(after.includes(second), 'the next one is lost');
    },
  },
  {
    id: 'read-one',
    title: 'one record is read as it was listed, and another kind or name is not there',
    run: async (world) => {
      const record = await putAndList(world);
      const { kind, reference, place } = record;
      assert.deepEqual(await world.origin.read(kind, reference, place), record);
      assert.equal(await world.origin.read(kind, `${reference}-9`, place), null);
      assert.equal(await world.origin.read(kind === 'quote' ? 'order' : 'quote', reference, place), null);
    },
  },
  {
    id: 'read-now',
    title: 'one record is read as it is now, not as it was listed',
    run: async (world) => {
      const { kind, reference, place, content } = await putAndList(world);
      await world.bed.put(1, 2);
      await world.bed.ripen(world.origin);
      const now = await world.origin.read(kind, reference, place);
      assert.ok(now && 'content' in now, 'it is not there any more, or cannot be read');
      assert.notEqual(now.content, content);
    },
  },
  {
    id: 'read-gone',
    title: 'a record that was taken away is said to be gone',
    exempt: noRemoval,
    run: async (world) => {
      const { kind, reference, place } = await putAndList(world);
      await world.bed.remove?.(1);
      assert.equal(await world.origin.read(kind, reference, place), null);
    },
  },
];

/** As the bridge takes problems back: by their place, or by the part of it before the last colon. */
function within(place: string, looked: readonly string[]): boolean {
  return looked.some((at) => place === at || place.startsWith(`${at}:`));
}
