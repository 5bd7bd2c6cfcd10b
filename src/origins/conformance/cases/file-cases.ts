// What an origin promises of files that stand beside a record and go with it.
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import type { NamedAtOrigin, OriginRecord } from '../../origin.js';
import { listRipe, type OriginCase, type OriginWorld, recordOf } from '../origin-case.js';

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
