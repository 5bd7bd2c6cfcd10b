// What an origin promises of its lists: nothing lost, nothing twice after a cursor that was kept, the same again after one that was not.
import { strict as assert } from 'node:assert';
import { contentText, readContent } from '../../../outbound/content.js';
import { list, listRipe, type OriginCase, putAndList, referencesOf } from '../origin-case.js';
import { TELLING_TEXT } from '../target.js';

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
