// What an origin promises of its lists: nothing lost, nothing twice after a cursor that was kept, the same again after one that was not.
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { contentText, readContent } from '../content.js';
import {
  list,
  listRipe,
  type OriginCase,
  putAndList,
  referencesOf,
  recordOf,
  type OriginWorld,
  assertTold,
  told,
  TELLING_TEXT,
} from './target.js';
import type { NamedAtOrigin, OriginRecord, Told } from '../origin.js';

const MANY = 45;
const REFERENCE_MAX = 100;

export const LISTING_CASES: readonly OriginCase[] = [
  {
    id: 'empty',
    title: 'a place with nothing in it is a list with nothing in it, and has an end',
    run: async ({ origin }) => {
      const { records, problems, cursor } = await list(origin, null);
      assert.deepEqual({ records, problems }, { records: [], problems: [] });
      assert.deepEqual((await list(origin, cursor)).records, []);
    },
  },
  {
    id: 'lists-new',
    title: 'what is new is handed over, and what comes later after the cursor',
    run: async (world) => {
      const first = await world.bed.put(1);
      const before = await listRipe(world, null);
      assert.deepEqual(referencesOf(before), [first]);
      const second = await world.bed.put(2);
      assert.ok(referencesOf(await listRipe(world, before.cursor)).includes(second), 'the second is lost');
    },
  },
  {
    id: 'well-formed',
    title:
      'a record has a kind, a reference, a place, and content of its schema, letter for letter and in one form',
    run: async (world) => {
      const record = await putAndList(world);
      assert.equal(record.kind, world.target.kind);
      assert.ok(record.reference.length > 0 && record.reference.length <= REFERENCE_MAX, record.reference);
      assert.notEqual(record.place, '');
      const read = readContent(record.kind, JSON.parse(record.content));
      assert.equal(read.outcome, 'read', JSON.stringify(read));
      assert.equal(contentText(read.content), record.content, 'the content is not written in the one form');
      assert.ok(record.content.includes(TELLING_TEXT), `"${TELLING_TEXT}" is not in ${record.content}`);
    },
  },
  {
    id: 'not-again',
    title: 'nothing is handed over again after a cursor that was kept',
    run: async (world) => {
      await world.bed.put(1);
      const { cursor } = await listRipe(world, null);
      assert.deepEqual((await listRipe(world, cursor)).records, []);
    },
  },
  {
    id: 'again-after-crash',
    title: 'the same is handed over again after a cursor that was not kept, also to another process',
    run: async (world) => {
      await world.bed.put(1);
      const first = await listRipe(world, null);
      assert.deepEqual((await list(world.origin, null)).records, first.records);
      const other = await world.another();
      assert.deepEqual((await listRipe({ ...world, origin: other }, null)).records, first.records);
    },
  },
  {
    id: 'cursor-is-anybodys',
    title: 'a cursor that one process made is good in another: nothing twice, nothing lost',
    run: async (world) => {
      const first = await world.bed.put(1);
      const { cursor } = await listRipe(world, null);
      const second = await world.bed.put(2);
      const other = { ...world, origin: await world.another() };
      const later = await listRipe(other, cursor);
      assert.deepEqual(referencesOf(later), [second], `${first} is handed over again, or the second is lost`);
      assert.deepEqual((await listRipe(other, later.cursor)).records, []);
    },
  },
  {
    id: 'many',
    title: 'more than fits into one look is handed over whole, look by look, each by whoever is there',
    run: async (world) => {
      const wanted: string[] = [];
      const { many = MANY } = world.target;
      for (let record = 1; record <= many; record++) wanted.push(await world.bed.put(record));
      const other = await world.another();
      for (const one of [world.origin, other]) await world.bed.ripen(one);
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let look = 0, more = true; more; look++) {
        assert.ok(look < many * 2, 'it says that there is more for ever');
        // Every other look by another process, which has the cursor alone.
        const changes = await (look % 2 === 0 ? world.origin : other).changes(cursor);
        seen.push(...changes.records.map(({ reference }) => reference));
        ({ cursor, more } = changes);
      }
      assert.deepEqual([...new Set(seen)].sort(), [...wanted].sort());
    },
  },
  {
    id: 'put-meanwhile',
    title: 'what is put there while it is being listed is not lost',
    run: async (world) => {
      const wanted: string[] = [];
      const { many = MANY } = world.target;
      for (let record = 2; record <= many; record++) wanted.push(await world.bed.put(record));
      await world.bed.ripen(world.origin);
      const first = await world.origin.changes(null);
      wanted.push(await world.bed.put(1));
      const rest = await listRipe(world, first.cursor);
      // A list that goes by name may have passed its place by: then the next one finds it.
      const next = await listRipe(world, rest.cursor);
      const seen = referencesOf({ records: [...first.records, ...rest.records, ...next.records] });
      assert.deepEqual(seen, wanted.sort());
    },
  },
];

// What an origin promises of what changes, cannot be read, or goes away.

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

// What an origin promises of files that stand beside a record and go with it.

const noFiles: OriginCase['exempt'] = (_target, bed, origin) =>
  origin.file === undefined || bed.attach === undefined ? 'nothing stands beside its records' : null;

const NAME = 'skilmálar.pdf';
const CONTENT = Buffer.from('%PDF-1.7 Þæögð \u0000\u00ff', 'latin1');
const OTHER = Buffer.from('%PDF-1.7 annað', 'latin1');

export const FILE_CASES: readonly OriginCase[] = [
  {
    id: 'named-files',
    title: 'a file beside a record is named with it, and its bytes are had to the byte, by any process',
    exempt: noFiles,
    run: async (world) => {
      const { record, file } = await putWithFile(world);
      assert.equal(file.name, NAME);
      assert.equal(file.bytes, String(CONTENT.byteLength));
      assert.deepEqual(await readBytes(world, record, file), CONTENT);
      const other = { ...world, origin: await world.another() };
      assert.deepEqual(await readBytes(other, record, file), CONTENT);
      const { kind, reference, place } = record;
      assert.deepEqual(await world.origin.read(kind, reference, place), record);
    },
  },
  {
    id: 'named-file-changed',
    title: 'a file that has changed is never handed out for the one that was named, nor is one that is gone',
    exempt: noFiles,
    run: async (world) => {
      const { record, file } = await putWithFile(world);
      await world.bed.attach?.(1, NAME, OTHER);
      const now = (await world.origin.file?.(record.place, file)) ?? null;
      assert.ok(now === null || isAnother(now, file), 'it hands out other bytes than were named');
      await world.bed.detach?.(1, NAME);
      assert.equal(await world.origin.file?.(record.place, file), null, 'it hands out what is gone');
    },
  },
  {
    id: 'outage-file',
    title: 'a file in a place that does not answer is not said to be gone',
    exempt: (...about) =>
      about[1].outage === undefined ? 'the place is always there' : (noFiles(...about) ?? null),
    run: async (world) => {
      const { record, file } = await putWithFile(world);
      await world.bed.outage?.();
      const asked = async () => world.origin.file?.(record.place, file);
      await assert.rejects(asked(), 'it says that the file is gone');
      await world.bed.heal?.();
      assert.deepEqual(await readBytes(world, record, file), CONTENT);
    },
  },
];

type Named = NamedAtOrigin & { readonly bytes: string };

async function putWithFile(world: OriginWorld): Promise<{ record: OriginRecord; file: Named }> {
  const reference = await world.bed.put(1);
  await world.bed.attach?.(1, NAME, CONTENT);
  const record = recordOf(await listRipe(world, null), reference);
  const { files = [] } = JSON.parse(record.content) as { files?: readonly Named[] };
  const [file] = files;
  assert.ok(file && files.length === 1, `one file is to be named in ${record.content}`);
  return { record, file };
}

async function readBytes({ origin }: Pick<OriginWorld, 'origin'>, { place }: OriginRecord, file: Named) {
  const bytes = await origin.file?.(place, file);
  return bytes ? Buffer.from(bytes) : null;
}

/** Whoever names files by their hash leaves it to the bridge to compare. */
function isAnother(bytes: Uint8Array, { sha256 }: Named): boolean {
  return sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256;
}

// What an origin promises of being told, of outages, and of files.

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
