// One entry in the ERP stands for one document, also when two operators are at it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
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
  operations.markPosted(id, 'by-hand', ACT, { acceptDifferences });

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
