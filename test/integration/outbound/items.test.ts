// Items by the number of their origin, though the service numbers them itself. On a real PostgreSQL, a watched folder and a sandbox.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { watchService } from '../../../src/outbound/watch-service.js';
import { createAgreedStore } from '../../../src/store/submission-store.js';
import type { TestDatabase } from '../../support/database.js';
import {
  invoice,
  outgoingBed,
  type OutgoingBedOptions,
  testDatabase,
  TIMING,
} from '../../support/outbound-bed.js';

type Bed = Awaited<ReturnType<typeof outgoingBed>>;

let database: TestDatabase;
let bed: Bed;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

const ITEM = { kind: 'item', reference: 'A-100', description: 'Stóll', unit_price: 1990, tax: 'S' };

async function catalogue() {
  const listed = await bed.tenant().target.listItems('now');
  return listed.outcome === 'complete' ? listed.found : expect.fail(listed.message);
}
const ours = async () =>
  (await catalogue()).filter(({ fields }) => fields['description']?.includes('Stóll') === true);
const atService = (act: 'create' | 'update', body: Readonly<Record<string, unknown>>, guid?: string) =>
  bed.tenant().target.send({ act, kind: 'item', body, ...(guid === undefined ? {} : { guid }) }, later());
const later = () => new Date(Date.now() + 10_000);

async function carried(options: Omit<OutgoingBedOptions, 'database'> = {}, ...records: readonly object[]) {
  bed = await outgoingBed({ ...options, database });
  await bed.put('a.jsonl', records);
  await bed.settle();
  return bed;
}

test.each(['credential', 'agent'] as const)(
  'over the %s surface an item is made once, changed where its origin changes it, and never twice',
  async (surface) => {
    const { row, put, settle, results, sandbox } = await carried({ surface }, ITEM);
    const [made, another] = await ours();
    expect(another).toBeUndefined();
    expect(made?.fields).toMatchObject({ description: '[A-100] Stóll', unit_price: '1990', active: '1' });
    expect(await row('A-100')).toMatchObject({ state: 'acknowledged', sends: 1, number: made!.number });
    expect(await results('a.jsonl')).toMatchObject([{ kind: 'item', number: made!.number }]);
    await put('a.jsonl', [{ ...ITEM, unit_price: 2490 }]);
    await settle();
    expect(await ours()).toMatchObject([{ guid: made!.guid, fields: { unit_price: '2490', tax: 'S' } }]);
    expect(await row('A-100')).toMatchObject({ state: 'acknowledged', sends: 2 });
    expect(sandbox.control.brokenRules()).toEqual([]);
  },
);

test.each(['reset-after', 'reset-before'] as const)(
  'an item whose reply was lost (%s) is searched for in the catalogue, and stands there once',
  async (kind) => {
    bed = await outgoingBed({ database });
    bed.sandbox.control.addFault({ kind, endpoint: 'create-item', times: 1 });
    await bed.put('a.jsonl', [ITEM]);
    await bed.settle();
    await bed.settle();
    expect(await ours()).toHaveLength(1);
    expect(await bed.row('A-100')).toMatchObject({
      state: 'acknowledged',
      sends: kind === 'reset-after' ? 1 : 2,
    });
  },
);

test('a line that names it goes out under the number of the service, and any other under its own', async () => {
  const line = { description: 'Stóll', qty: 1, unit_price: 1990, tax: 'S' };
  const { row, put, settle } = await carried({}, ITEM);
  const lines = ['A-100', 'B-7'].map((item_number) => ({ ...line, item_number }));
  await put('b.jsonl', [invoice('SO-1', { lines })]);
  await settle();
  await settle();
  const [made] = (await ours()).filter(({ fields }) => fields['description'] === '[A-100] Stóll');
  expect(await row('SO-1')).toMatchObject({ state: 'acknowledged' });
  expect(JSON.parse((await row('SO-1')).request ?? '{}')).toMatchObject({
    body: { items: [{ item_number: made!.number }, { item_number: 'B-7' }] },
  });
});

test('what people change at the service stays, and is written over only where the origin changes it too by rule', async () => {
  const { put, settle, db, row, results } = await carried({ wish: { originWins: ['unit_price'] } }, ITEM);
  const [made] = await ours();
  await atService('update', { unit_price: '1500', category: '3028' }, made!.guid);
  const timing = { ...TIMING, sendByMs: 0, callMs: 0 };
  expect(await watchService(createAgreedStore(db), bed.tenant(), timing)).toBe(1);
  await settle();
  expect(await ours()).toMatchObject([{ fields: { unit_price: '1500', category: '3028' } }]);
  expect((await results('a.jsonl')).at(-1)).toMatchObject({ atService: { unit_price: '1500' } });
  await put('a.jsonl', [{ ...ITEM, unit_price: 2990, description: 'Stóll, blár' }]);
  await settle();
  expect(await ours()).toMatchObject([
    { fields: { unit_price: '2990', category: '3028', description: '[A-100] Stóll, blár' } },
  ]);
  expect(await row('A-100')).toMatchObject({ state: 'acknowledged', conflicts: null });
});

test('of several with its number a person says which; one of its number and another name is not taken for it', async () => {
  bed = await outgoingBed({ database });
  for (const name of ['eldri', 'yngri'])
    await atService('create', { description: `[A-100] Stóll, ${name}`, unit_price: '1', tax: 'S' });
  await atService('create', { description: 'Borð', unit_price: '1', tax: 'S' });
  const table = (await catalogue()).find(({ fields }) => fields['description'] === 'Borð')!;
  await bed.put('a.jsonl', [ITEM, { ...ITEM, reference: table.number, description: 'Lampi' }]);
  await bed.settle();
  expect(await bed.row('A-100')).toMatchObject({ state: 'parked', reason: 'ITEM_AMBIGUOUS', sends: 0 });
  expect(await bed.row(table.number)).toMatchObject({ state: 'parked', reason: 'ITEM_AMBIGUOUS', sends: 0 });
  expect((await bed.row(table.number)).reasonParams).toContain(table.guid);
});

test('an item that a line of an invoice left behind under its number and name is taken for it', async () => {
  const line = { item_number: 'A-100', description: 'Stóll', qty: 1, unit_price: 1990, tax: 'S' };
  const { put, settle, row } = await carried({}, invoice('SO-1', { lines: [line] }));
  await settle();
  await put('b.jsonl', [ITEM]);
  await settle();
  expect(await ours()).toMatchObject([{ number: 'A-100', fields: { description: '[A-100] Stóll' } }]);
  expect(await row('A-100')).toMatchObject({ state: 'acknowledged', number: 'A-100' });
});
