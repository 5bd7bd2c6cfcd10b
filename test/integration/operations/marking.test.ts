// One entry in the ERP stands for one document, also when two operators are at it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../support/database.js';
import { ACT, type OperatorBed, operatorBed } from './operator-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

/** Two documents of the same amount, and one entry that somebody booked by hand. */
async function twoDocumentsOneEntry(name: string): Promise<{ bed: OperatorBed; ids: string[] }> {
  const bed = await operatorBed(database, name);
  await bed.advance(await bed.invoice('booked'));
  const [like] = bed.books.entries;
  bed.books.entries.push({ ...like!, reference: { id: 'by-hand' }, key: '' });
  return { bed, ids: [await bed.invoice('first'), await bed.invoice('second')] };
}

const mark = ({ operations }: OperatorBed, id: string, acceptDifferences = true) =>
  operations.act('mark-posted', [id], { entry: 'by-hand', acceptDifferences }, ACT);

test('two operators who mark two documents with the same entry at once do not both succeed', async () => {
  const { bed, ids } = await twoDocumentsOneEntry('race');
  const { source } = bed.tenant;
  const { get } = source;
  // Long enough for both to have seen that nobody has the entry.
  source.get = async (kind, guid) => {
    await sleep(300);
    return get(kind, guid);
  };
  const results = await Promise.allSettled(ids.map((id) => mark(bed, id)));
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find((result) => result.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 'POSTING_BUSY' });
  const rows = await Promise.all(ids.map(bed.row));
  expect(rows.map(({ erpNumber }) => erpNumber).sort()).toEqual(['by-hand', null]);

  const loser = rows.find(({ erpNumber }) => erpNumber === null)!;
  await expect(mark(bed, loser.id)).rejects.toMatchObject({ code: 'ERP_REFERENCE_TAKEN' });
});

test('another entry is not marked beside the one that the bridge has sent', async () => {
  const { bed, ids } = await twoDocumentsOneEntry('beside');
  const [first] = ids as [string];
  const { key } = await bed.row(first);
  const { erp } = bed.tenant;
  const { findByKey, findByReference } = erp;
  // Its own request became a draft that was never posted.
  erp.findByKey = async (asked) => {
    const byHand = await findByReference('by-hand');
    const entry = byHand.outcome === 'one' ? byHand.entry : null;
    return asked === key && entry
      ? { outcome: 'one', entry: { ...entry, key, state: 'draft', reference: { id: 'draft-1' } } }
      : findByKey(asked);
  };
  await expect(mark(bed, first)).rejects.toMatchObject({ code: 'ERP_REFERENCE_TAKEN' });
  expect(await bed.row(first)).toMatchObject({ erpNumber: null });
});

test('an entry that was not this document is free for another one at once', async () => {
  const { bed, ids } = await twoDocumentsOneEntry('free-again');
  const [first, second] = ids as [string, string];
  bed.service.documents.get('first')!.amount = 999;
  await expect(mark(bed, first)).rejects.toMatchObject({ code: 'ERP_ENTRY_DIFFERS' });
  expect(await mark(bed, second)).toMatchObject({ marked: true });
  expect(await bed.row(second)).toMatchObject({ state: 'posted', erpNumber: 'by-hand' });
});

test('an entry that was made of what the document said before is not taken for it', async () => {
  const { bed, ids } = await twoDocumentsOneEntry('edited');
  const [first] = ids as [string];
  bed.books.declines = () => true;
  await bed.advance(first);
  expect(await bed.row(first), 'its journal was made').toMatchObject({ state: 'held', erpNumber: null });
  expect((await bed.row(first)).journal).not.toBeNull();
  // The entry is like that journal to the last line.
  const document = bed.service.documents.get('first')!;
  Object.assign(document, { net: 2000, amount: 2480, version: 2, amounts: [1240, 2480] });
  for (const acceptsDifferences of [false, true])
    await expect(mark(bed, first, acceptsDifferences)).rejects.toMatchObject({ code: 'ERP_ENTRY_DIFFERS' });
  Object.assign(document, { net: 1000, amount: 1240, version: 1 });
  expect(await mark(bed, first, false)).toMatchObject({ marked: true, differences: [] });
});

describe('where the ERP shows nothing to programs, and an answer was lost', () => {
  const lost = async (name: string) => {
    const bed = await operatorBed(database, name, { lookUp: 'none', idempotency: 'none' });
    await bed.advance(await bed.invoice('booked'));
    bed.books.entries.push({ ...bed.books.entries[0]!, reference: { id: 'by-hand' }, key: '' });
    bed.books.losesAnswer = () => true;
    const id = await bed.invoice('lost');
    for (let times = 0; times < 2; times++) await bed.advance(id);
    expect(await bed.row(id)).toMatchObject({ state: 'parked', reason: 'OUTCOME_UNKNOWN' });
    const sentAgo = (minutes: number) =>
      bed.prisma.$executeRaw`
        UPDATE attempt SET last_sent_at = now() - make_interval(mins => ${minutes}::int)
        WHERE posting_id = ${id}::uuid`;
    return { bed, id, sentAgo };
  };

  test('another entry is not marked while its own may still arrive', async () => {
    const { bed, id, sentAgo } = await lost('too-soon');
    await expect(mark(bed, id)).rejects.toMatchObject({ code: 'ACT_NOT_POSSIBLE' });
    await sentAgo(16);
    expect(await mark(bed, id)).toMatchObject({ marked: true });
  });

  test('nor by an operator whose machine has slept since they looked: it was sent meanwhile', async () => {
    const { bed, id, sentAgo } = await lost('asleep');
    await sentAgo(16);
    const { findByReference } = bed.tenant.erp;
    const { now } = bed.clock;
    bed.tenant.erp.findByReference = (reference) => {
      bed.clock.now = () => new Date(now().getTime() + 5 * 60_000);
      return findByReference(reference);
    };
    await expect(mark(bed, id)).rejects.toMatchObject({ code: 'ACT_NOT_POSSIBLE' });
    expect(await bed.row(id)).toMatchObject({ state: 'parked', erpNumber: null });
  });
});
