// Records that share a reference, from folders into a real PostgreSQL and the simulated service: the first goes, and the second is shown
// with both places and is never sent until somebody decides or its reference is another.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { takeIn } from '../../../src/outbound/take-in.js';
import { FolderOrigin } from '../../../src/origins/folder/folder-origin.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';
import { createOriginStore } from '../../../src/store/origin-store.js';
import { createOutgoingRecords } from '../../../src/store/operations/outgoing-records.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import { invoice, KENNITALA, outgoingBed, testDatabase } from '../../support/outbound-bed.js';
import type { TestDatabase } from '../../support/database.js';

type Bed = Awaited<ReturnType<typeof outgoingBed>>;

let database: TestDatabase;
let bed: Bed;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

const ACT = { actor: 'Sigga', reason: 'both were looked at' };
const lines = (price: number) => [
  { item_number: 'V-1', description: 'Vara', qty: 1, unit_price: price, tax: 'Z' },
];

const customers = (...rows: (readonly [string, string])[]) =>
  [
    'kennitala,name,email,address,zip,city',
    ...rows.map(([kennitala, name]) => `${kennitala},${name},a@example.is,Laugavegur 1,101,Reykjavík`),
  ].join('\n');

async function opened() {
  bed = await outgoingBed({ database });
  const people = createOutgoingRecords(database);
  const rows = async (reference: string) =>
    (await people.submissions({ companies: [bed.name], text: reference, limit: 10 })).map(
      ({ id, place, state, amount, reason, twinOf }) => ({
        ...{
          id,
          place,
          state,
          amount,
          why: reason?.code ?? null,
          params: reason?.params,
          isTwin: twinOf !== null,
        },
      }),
    );
  const isTwin = (one: { isTwin: boolean }) => one.isTwin;
  return {
    people,
    first: async (reference: string) => (await rows(reference)).find((one) => !isTwin(one)),
    twins: async (reference: string) => (await rows(reference)).filter(isTwin),
    problems: async () =>
      (await people.problems([bed.name], 100)).map(({ place, problem }) => ({ place, problem })),
    amounts: async (reference: string) => (await bed.atService(reference)).map(({ amount }) => amount),
  };
}

describe('a second record with the same reference', () => {
  test('in another file is shown with both places, told to its folder, and never sent', async () => {
    const { first, twins, problems, amounts } = await opened();
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) }), invoice('SO-2', { lines: lines(1) })]);
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(200) }), invoice('SO-3', { lines: lines(1) })]);
    await bed.settle();
    expect(await amounts('SO-1')).toEqual(['100.00']);
    expect(await amounts('SO-2')).toHaveLength(1);
    expect(await amounts('SO-3')).toHaveLength(1);
    expect(await first('SO-1')).toMatchObject({ place: 'a.jsonl:1', state: 'acknowledged' });
    expect(await twins('SO-1')).toMatchObject([
      {
        ...{ place: 'b.jsonl:1', state: 'refused', amount: '200.00', why: 'REFERENCE_TAKEN' },
        params: { reference: 'SO-1', first: 'orders: a.jsonl:1', second: 'orders: b.jsonl:1' },
      },
    ]);
    expect(await problems()).toEqual([
      { place: 'b.jsonl:1', problem: expect.stringContaining('orders: a.jsonl:1') },
    ]);
    expect((await people(bed))[0]).toMatchObject({ problems: 1 });
    const told = (await bed.results('b.jsonl')).filter(({ reference }) => reference === 'SO-1');
    expect(told).toMatchObject([{ state: 'refused', line: 1, why: expect.stringContaining('a.jsonl:1') }]);
  });

  test('on another line of one file is shown, and four records are four', async () => {
    const { twins, amounts } = await opened();
    await bed.put('a.jsonl', [
      invoice('SO-1', { lines: lines(100) }),
      invoice('SO-1', { lines: lines(200) }),
      invoice('SO-1', { lines: lines(300) }),
      invoice('SO-2', { lines: lines(400) }),
    ]);
    await bed.settle();
    expect(await amounts('SO-1')).toEqual(['100.00']);
    expect(await amounts('SO-2')).toEqual(['400.00']);
    expect((await twins('SO-1')).map(({ place, amount }) => [place, amount]).sort()).toEqual([
      ['a.jsonl:2', '200.00'],
      ['a.jsonl:3', '300.00'],
    ]);
  });

  test('of another origin is shown', async () => {
    const { twins, amounts } = await opened();
    await second('shop');
    await writeFile(
      join(bed.directory, 'shop', 'a.jsonl'),
      JSON.stringify(invoice('SO-1', { lines: lines(200) })),
    );
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.settle();
    expect(await amounts('SO-1')).toEqual(['100.00']);
    expect(await twins('SO-1')).toMatchObject([
      { place: 'a.jsonl:1', params: { first: 'orders: a.jsonl:1', second: 'shop: a.jsonl:1' } },
    ]);
  });

  test('of two rows of customers with one kennitala the first goes, and the second is shown', async () => {
    const { twins } = await opened();
    await bed.beside('c.csv', customers(['540269-6029', 'Fyrst ehf.'], [KENNITALA, 'Svo ehf.']));
    await bed.settle();
    expect(await bed.customers(KENNITALA)).toMatchObject([{ fields: { name: 'Fyrst ehf.' } }]);
    expect(await twins(KENNITALA)).toMatchObject([{ place: 'c.csv:3', state: 'refused' }]);
  });

  test('of customers with one kennitala in two files the first goes, however it is written, and the second is shown', async () => {
    const { twins, problems } = await opened();
    await bed.beside('a.csv', customers([KENNITALA, 'Fyrst ehf.']));
    await bed.settle();
    await bed.beside('b.csv', customers(['540269-6029', 'Svo ehf.']));
    await bed.put('c.jsonl', [
      { kind: 'customer', kennitala: KENNITALA, name: 'Loks ehf.', email: 'a@b.is' },
    ]);
    await bed.settle();
    expect(await bed.customers(KENNITALA)).toMatchObject([{ fields: { name: 'Fyrst ehf.' } }]);
    expect(await twins(KENNITALA)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ place: 'b.csv:2', state: 'refused', why: 'REFERENCE_TAKEN' }),
        expect.objectContaining({ place: 'c.jsonl:1', state: 'refused', why: 'REFERENCE_TAKEN' }),
      ]),
    );
    expect((await problems()).map(({ place }) => place).toSorted()).toEqual(['b.csv:2', 'c.jsonl:1']);
    expect(await bed.results('b.csv')).toMatchObject([{ state: 'refused', line: 2 }]);
  });

  test('of two rows of items with one number the first goes, and the second is shown', async () => {
    const { twins } = await opened();
    const rows = ['A-100,Stóll,19900,S', 'A-100,Borð,29900,S', 'A-101,Lampi,4900,S'];
    await bed.beside('i.csv', ['item_number,description,unit_price,tax', ...rows].join('\n'));
    await bed.settle();
    const listed = await bed.tenant().target.listItems('now');
    const names =
      listed.outcome === 'complete' ? listed.found.map(({ fields }) => fields['description']) : [];
    expect(names.filter((name) => name?.startsWith('[A-')).sort()).toEqual([
      '[A-100] Stóll',
      '[A-101] Lampi',
    ]);
    expect(await twins('A-100')).toMatchObject([{ place: 'i.csv:3', state: 'refused' }]);
  });

  test('with the same content is the same record', async () => {
    const { twins, problems, amounts } = await opened();
    await bed.put('a.jsonl', [invoice('SO-1'), invoice('SO-1')]);
    await bed.put('b.jsonl', [invoice('SO-1')]);
    await bed.settle();
    expect(await amounts('SO-1')).toHaveLength(1);
    expect(await twins('SO-1')).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  test('is found once by two replicas that look at the same time', async () => {
    const { first, twins } = await opened();
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(200) })]);
    const store = createOriginStore(database.db);
    const look = async () => {
      const { origins } = bed.tenant();
      await takeIn(store, NO_FAIL_POINTS, bed.tenant(), origins.get('orders')!);
    };
    await Promise.all([look(), look(), look()]);
    expect(await first('SO-1')).toMatchObject({ place: 'a.jsonl:1', amount: '100.00' });
    expect(await twins('SO-1')).toMatchObject([{ place: 'b.jsonl:1', amount: '200.00' }]);
  });
});

describe('the record that came first', () => {
  test('is corrected by its own file before it is sent, on whatever line it is', async () => {
    const { first, twins } = await opened();
    await hold();
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.round();
    await bed.put('a.jsonl', [invoice('SO-0'), invoice('SO-1', { lines: lines(150) })]);
    await bed.round();
    expect(await first('SO-1')).toMatchObject({ place: 'a.jsonl:2', amount: '150.00' });
    expect(await twins('SO-1')).toEqual([]);
  });

  test('is known in a file that was renamed, and corrected there', async () => {
    const { first, twins } = await opened();
    await hold();
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.round();
    await rm(join(bed.directory, 'orders', 'a.jsonl'));
    await bed.round();
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.round();
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(150) })]);
    await bed.round();
    expect(await first('SO-1')).toMatchObject({ place: 'b.jsonl:1', amount: '150.00' });
    expect(await twins('SO-1')).toEqual([]);
  });

  test('is not lost when its file is tidied away before it is sent', async () => {
    const { first, twins } = await opened();
    await hold();
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.round();
    await rm(join(bed.directory, 'orders', 'a.jsonl'));
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(200) })]);
    await bed.round();
    expect(await first('SO-1')).toMatchObject({ amount: '100.00', state: 'received' });
    expect(await twins('SO-1')).toMatchObject([{ amount: '200.00', state: 'refused' }]);
  });

  test('gives the reference up with its place: a new list of customers follows one that was taken away', async () => {
    const { twins } = await opened();
    await bed.beside('may.csv', customers([KENNITALA, 'Fyrst ehf.']));
    await bed.settle();
    await rm(join(bed.directory, 'orders', 'may.csv'));
    await bed.beside('june.csv', customers([KENNITALA, 'Svo ehf.']));
    await bed.settle();
    expect(await bed.customers(KENNITALA)).toMatchObject([{ fields: { name: 'Svo ehf.' } }]);
    expect(await twins(KENNITALA)).toEqual([]);
  });
});

describe('it is over when', () => {
  test('the second has another reference', async () => {
    const { twins, problems, amounts } = await opened();
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(200) })]);
    await bed.settle();
    await bed.put('b.jsonl', [invoice('SO-9', { lines: lines(200) })]);
    await bed.settle();
    expect(await amounts('SO-9')).toEqual(['200.00']);
    expect(await twins('SO-1')).toMatchObject([{ state: 'skipped', why: 'SHARING_ENDED' }]);
    expect(await problems()).toEqual([]);
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(200) })]);
    await bed.settle();
    expect(await twins('SO-1')).toMatchObject([{ state: 'refused', why: 'REFERENCE_TAKEN' }]);
  });

  test('the first has another reference before it was sent: each goes once', async () => {
    const { first, amounts } = await opened();
    await hold();
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(200) })]);
    await bed.round();
    await bed.put('a.jsonl', [invoice('SO-9', { lines: lines(100) })]);
    await bed.round();
    expect(await first('SO-1')).toMatchObject({ place: 'b.jsonl:1', amount: '200.00', state: 'received' });
    await release();
    await bed.settle();
    expect([await amounts('SO-1'), await amounts('SO-9')]).toEqual([['200.00'], ['100.00']]);
  });

  test('a person skips the first and lets the second go in its place, and not before', async () => {
    const { people, first, twins, amounts } = await opened();
    await hold();
    await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(100) })]);
    await bed.put('b.jsonl', [invoice('SO-1', { lines: lines(200) })]);
    await bed.round();
    const [twin] = await twins('SO-1');
    expect(await people.takePlace(twin!.id, ACT)).toBe(false);
    const skip = { action: 'skipped', from: ['received'], to: 'skipped' } as const;
    expect(await people.move((await first('SO-1'))!.id, ACT, skip)).toBe(true);
    expect(await people.takePlace(twin!.id, ACT)).toBe(true);
    await release();
    await bed.settle();
    expect(await amounts('SO-1')).toEqual(['200.00']);
    expect(await first('SO-1')).toMatchObject({ place: 'b.jsonl:1', state: 'acknowledged' });
    expect(await people.takePlace(twin!.id, ACT)).toBe(false);
  });
});

/** Nothing is sent before `release`. */
const hold = () =>
  database.prisma.outgoingTenant.update({ where: { tenantName: bed.name }, data: { pausedAt: new Date() } });
const release = () =>
  database.prisma.outgoingTenant.update({ where: { tenantName: bed.name }, data: { pausedAt: null } });

const people = ({ name }: Bed) => createOutgoingRecords(database).switches([name]);

async function second(at: string): Promise<void> {
  const directory = join(bed.directory, at);
  await mkdir(directory);
  bed.bill(new FolderOrigin(at, { directory, stableMs: 0 }, recordFiles('order'), SYSTEM_RUNTIME.clock));
}
