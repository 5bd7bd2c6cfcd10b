// What an origin promises of being told, of outages, and of files.
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import type { Told } from '../../origin.js';
import { assertTold, list, listRipe, type OriginCase, putAndList, recordOf, told } from '../origin-case.js';

const holdsNothing: OriginCase['exempt'] = ({ holds }) =>
  holds.length === 0 ? 'the place holds nothing of what it is told' : null;
const alwaysThere: OriginCase['exempt'] = (_target, bed) =>
  bed.outage === undefined ? 'the place is always there' : null;

const OTHERS: readonly Partial<Told>[] = [
  { state: 'refused', guid: null, number: null, paymentLink: null, why: 'Viðskiptavin vantar' },
  { state: 'held', guid: null, number: null, paymentLink: null, why: 'Viðskiptavin vantar' },
  { state: 'skipped', guid: null, number: null, paymentLink: null, why: null },
  { state: 'created' },
  { state: 'withdrawn' },
  { state: 'refused', guid: null, number: null, paymentLink: null, why: 'Viðskiptavin vantar' },
];

export const TELLING_CASES: readonly OriginCase[] = [
  {
    id: 'told-created',
    title:
      'what became of a record stands there: state, guid, number and payment link, where it has a place for them',
    exempt: holdsNothing,
    run: async (world) => {
      const record = await putAndList(world);
      await world.origin.tell(told(record));
      await assertTold(world, record.reference, told(record));
    },
  },
  {
    id: 'told-others',
    title: 'a refusal, a skip, and what was taken back later stand there too, the last word last',
    exempt: holdsNothing,
    run: async (world) => {
      const record = await putAndList(world);
      for (const other of OTHERS) {
        await world.origin.tell(told(record, other));
        await assertTold(world, record.reference, told(record, other));
      }
    },
  },
  {
    id: 'told-twice',
    title: 'telling twice is telling once, also by another process',
    exempt: holdsNothing,
    run: async (world) => {
      const record = await putAndList(world);
      await world.origin.tell(told(record));
      const once = await world.bed.toldOf(record.reference);
      await world.origin.tell(told(record));
      await (await world.another()).tell(told(record));
      assert.deepEqual(await world.bed.toldOf(record.reference), once);
    },
  },
  {
    id: 'told-at-once',
    title: 'two records that are told at the same moment are both told',
    exempt: holdsNothing,
    run: async (world) => {
      const references = [await world.bed.put(1), await world.bed.put(2)];
      const listed = await listRipe(world, null);
      const records = references.map((reference) => recordOf(listed, reference));
      await Promise.all(records.map((record) => world.origin.tell(told(record))));
      for (const record of records) await assertTold(world, record.reference, told(record));
    },
  },
  {
    id: 'told-is-no-change',
    title: 'what was told is no change of the record: its content stays the same, whatever is listed again',
    run: async (world) => {
      const reference = await world.bed.put(1);
      const before = await listRipe(world, null);
      const record = recordOf(before, reference);
      await world.origin.tell(told(record));
      const after = await listRipe(world, before.cursor);
      for (const again of after.records) assert.equal(again.content, record.content, 'it counts as changed');
      const now = await world.origin.read(record.kind, reference, record.place);
      assert.deepEqual(
        now && 'content' in now && now.content,
        record.content,
        'it is read as something else',
      );
      assert.deepEqual((await listRipe(world, after.cursor)).records, [], 'it is listed again and again');
    },
  },
  {
    id: 'tell-gone',
    title: 'what is told of a record that was taken away meanwhile disturbs nothing',
    exempt: (_target, bed) => (bed.remove === undefined ? 'nothing is ever taken away there' : null),
    run: async (world) => {
      const record = await putAndList(world);
      await world.bed.remove?.(1);
      await world.origin.tell(told(record));
      assert.deepEqual((await listRipe(world, null)).records, []);
    },
  },
  {
    id: 'outage-is-not-empty',
    title:
      'a place that does not answer is no empty place: the look fails, and the next one finds everything',
    exempt: alwaysThere,
    run: async (world) => {
      const reference = await world.bed.put(1);
      await world.bed.ripen(world.origin);
      await world.bed.outage?.();
      await assert.rejects(list(world.origin, null), 'it says that there is nothing');
      await world.bed.heal?.();
      recordOf(await listRipe(world, null), reference);
    },
  },
  {
    id: 'outage-read',
    title: 'a record, or its file, in a place that does not answer is not said to be gone',
    exempt: alwaysThere,
    run: async (world) => {
      const { kind, reference, place } = await putAndList(world);
      await world.bed.outage?.();
      await assert.rejects(world.origin.read(kind, reference, place), 'it says that the record is gone');
      if (world.origin.file !== undefined && kind === 'cost')
        await assert.rejects(world.origin.file(place), 'it says that the file is gone');
      await world.bed.heal?.();
      assert.ok(await world.origin.read(kind, reference, place), 'it is not there any more');
    },
  },
  {
    id: 'outage-tell',
    title: 'what could not be told is said to be so, and told when the place answers again',
    exempt: (...about) => alwaysThere(...about) ?? holdsNothing(...about),
    run: async (world) => {
      const record = await putAndList(world);
      await world.bed.outage?.();
      await assert.rejects(world.origin.tell(told(record)), 'it says that it was told');
      await world.bed.heal?.();
      await world.origin.tell(told(record));
      await assertTold(world, record.reference, told(record));
    },
  },
  {
    id: 'files',
    title: 'the file of a record is the one whose hash it names, and is said to be gone when it is',
    exempt: ({ kind }, bed, origin) =>
      origin.file === undefined || kind !== 'cost' || bed.remove === undefined
        ? 'its records have no files'
        : null,
    run: async (world) => {
      const { place, content } = await putAndList(world);
      const { file } = JSON.parse(content) as { file?: { sha256: string } };
      const bytes = (await world.origin.file?.(place)) ?? assert.fail('the file is not there');
      assert.equal(createHash('sha256').update(bytes).digest('hex'), file?.sha256);
      await world.bed.remove?.(1);
      assert.equal(await world.origin.file?.(place), null);
    },
  },
];
