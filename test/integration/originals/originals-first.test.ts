// A tenant that wants its originals first: the source hears of a posting only when they are where they belong, and nothing is
// lost while they are not.
import { afterAll, expect, test } from 'vitest';
import type { OriginalChange } from '../../../src/sync/originals.js';
import { createAwaitedOriginals, createOriginalsStore } from '../../../src/store/originals-store.js';
import { testDatabase } from '../../support/database.js';
import { ACT, operatorBed } from '../operations/operator-bed.js';

const database = await testDatabase();
const { prisma, db } = database;
const store = createOriginalsStore(db);
afterAll(() => database.close());

const PARKED: OriginalChange = {
  to: 'parked',
  reason: { code: 'TOO_LARGE', detail: '' },
  dueInMs: null,
};

async function bedOf(name: string) {
  const bed = await operatorBed(database, name, {}, { awaited: createAwaitedOriginals(db) });
  /** What the keeper does with the one that is due. */
  const carry = async (change: OriginalChange) => {
    await store.want([name], { overlapMs: 60_000, perTenant: 10 });
    const [claimed] = await store.claim({ [name]: 1 }, 'keeper', 60_000);
    expect(await store.commit(claimed!, change)).toBe(true);
  };
  const statusOf = (guid: string) => bed.service.documents.get(guid)?.accountingStatus;
  return { ...bed, carry, statusOf };
}

test('is told when the last of them is there, and a person can read what it waits for', async () => {
  const bed = await bedOf('first');
  const id = await bed.invoice('a');
  await bed.advance(id);
  expect(await bed.row(id)).toMatchObject({ state: 'posted', reason: 'ORIGINALS_AWAITED' });
  expect(bed.statusOf('a')).toBe('Created');
  expect((await bed.operations.explain(id)).sentence).toContain('told when its originals are at the entry');
  // Nobody has even looked for them yet; and one that a person must see to is not where it belongs.
  await bed.advance(id);
  await bed.carry(PARKED);
  await bed.advance(id);
  expect(bed.statusOf('a')).toBe('Created');
  await prisma.$executeRaw`UPDATE original SET state = 'wanted', due_at = now() - interval '1 millisecond' WHERE posting_id = ${id}::uuid`;
  await bed.carry({ to: 'absent', reason: { code: 'NONE_AT_SOURCE', detail: '' }, dueInMs: null });
  const { dueAt } = await bed.row(id);
  expect(dueAt!.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  await bed.writeBack(id);
  expect(await bed.row(id)).toMatchObject({ state: 'acknowledged', reason: null });
  expect(bed.statusOf('a')).toBe('Posted');
});

test('is looked at meanwhile: one that is deleted at the source goes to a person although its original is parked', async () => {
  const bed = await bedOf('deleted');
  const id = await bed.invoice('b');
  await bed.advance(id);
  await bed.carry(PARKED);
  bed.service.documents.get('b')!.deleted = true;
  await bed.advance(id);
  expect(await bed.row(id)).toMatchObject({ state: 'orphaned', reason: 'ORPHANED' });
});

test('of an entry that was reversed before, no word is left waiting: the document is taken up again when it is reopened', async () => {
  const bed = await bedOf('reversed');
  const id = await bed.invoice('c');
  await bed.advance(id);
  await bed.operations.act('reverse', [id], {}, ACT);
  expect(await prisma.writeBack.findMany({ where: { postingId: id } })).toMatchObject([
    { wanted: 'Posted', state: 'abandoned', answer: 'reversed' },
  ]);
});
