// Drafts and orders that change at their origin after they were made: updated at the service by their guid, until an invoice was made of them.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { KENNITALA, TODAY } from '../../support/outbound-bed.js';
import {
  meetFaults,
  noticedBy,
  refusalsOf,
  type SecondBed as Bed,
  secondServiceBed,
  settled as settledAt,
} from '../../support/second-service-bed.js';

let database: TestDatabase;
let bed: Bed;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await bed.close();
  expect(noticedBy(bed.service)).toEqual([]);
});
afterAll(() => database.close());

const KINDS = ['draft', 'order'] as const;
const line = (unit_price: number, item_number = 'HYS') => ({
  ...{ item_number, description: 'Vefhýsing', qty: 1, unit_price, tax: 'S' },
});
const record = (kind: string, price: number, more: object = {}) => ({
  ...{ kind, reference: 'P-1', issue_date: TODAY, lines: [line(price)] },
  customer: { kennitala: KENNITALA, name: 'Prufa ehf.', email: 'prufa@example.is' },
  ...more,
});

const settled = () => settledAt(bed);
const put = (kind: string, price: number, more: object = {}) =>
  bed.put('a.jsonl', [record(kind, price, more)]);
const incidents = () =>
  bed.prisma.incident.findMany({ where: { tenantName: bed.name, code: 'SUBMISSION_CHANGED' } });

async function made(kind: 'draft' | 'order', price = 100): Promise<void> {
  bed = await secondServiceBed({ database, wish: { costAi: false } });
  await put(kind, price);
  await settled();
}
const standing = (kind: 'draft' | 'order') => bed.service.world[`${kind}s`];
const updates = (kind: 'draft' | 'order') => bed.service.callsOf(`update-${kind}-invoice`);

describe.each(KINDS)('%s', (kind) => {
  test('one that changed is updated once, where it stands, and its origin hears of it once', async () => {
    await made(kind);
    const [before] = standing(kind);
    await put(kind, 200);
    await settled();
    expect(standing(kind)).toMatchObject([{ guid: before!.guid, body: { amount: 248 } }]);
    expect(updates(kind)).toHaveLength(1);
    await settled();
    expect(updates(kind)).toHaveLength(1);
    expect(await bed.row('P-1')).toMatchObject({ state: 'acknowledged', guid: before!.guid, reason: null });
    expect(await incidents()).toEqual([]);
    expect((await bed.results('a.jsonl')).map(({ state, guid }) => [state, guid])).toEqual([
      ['created', before!.guid],
    ]);
    expect(refusalsOf(bed.service)).toEqual([]);
  });

  test('one of which an invoice was made stays as it is, and a person hears that it changed', async () => {
    await made(kind);
    bed.service.desk[kind === 'draft' ? 'invoiceDraft' : 'invoiceOrder'](standing(kind)[0]!.guid);
    await put(kind, 200);
    await settled();
    expect(updates(kind)).toEqual([]);
    expect(standing(kind)).toMatchObject([{ body: { amount: 124 } }]);
    expect(await bed.row('P-1')).toMatchObject({ state: 'acknowledged', reason: 'CHANGED_TOO_LATE' });
    expect(await incidents()).toHaveLength(1);
  });

  test('one that somebody deleted at the service is not made again on a guess', async () => {
    await made(kind);
    standing(kind).splice(0);
    await put(kind, 200);
    await settled();
    expect(await bed.row('P-1')).toMatchObject({ state: 'parked', reason: 'PREPARED_GONE' });
    expect(standing(kind)).toEqual([]);
  });
});

test('an update whose reply was lost, or that came late, is made in the end', async () => {
  await made('draft');
  const { faults } = bed.service;
  faults.plan('update-draft-invoice', { kind: 'lose-reply' });
  faults.plan('update-draft-invoice', { kind: 'late', ms: 100 });
  await put('draft', 300);
  await meetFaults(bed);
  expect(standing('draft')).toMatchObject([{ body: { amount: 372 } }]);
  expect(await bed.row('P-1')).toMatchObject({ state: 'acknowledged' });
});

test.each(['after-submission-intent', 'after-submission-sent', 'after-submission-created'] as const)(
  'a process that is killed %s leaves one draft, as its origin has it',
  async (point) => {
    await made('draft');
    await put('draft', 400);
    expect(await bed.round(point)).toBe(false);
    await settled();
    expect(standing('draft')).toMatchObject([{ body: { amount: 496 } }]);
    expect(await bed.row('P-1')).toMatchObject({ state: 'acknowledged' });
  },
);

test('one that changes while it is being made is made once and then updated', async () => {
  bed = await secondServiceBed({ database, wish: { costAi: false } });
  await bed.put('b.jsonl', [{ kind: 'customer', reference: KENNITALA, ...record('draft', 1).customer }]);
  await settled();
  await put('draft', 100);
  expect(await bed.round('after-submission-created')).toBe(false);
  await put('draft', 500);
  await settled();
  expect(standing('draft')).toMatchObject([{ body: { amount: 620 } }]);
  expect(bed.service.callsOf('create-draft-invoice')).toHaveLength(1);
  expect(updates('draft')).toHaveLength(1);
});

test('a change that the service refuses is refused with its words, and goes when it is mended', async () => {
  await made('draft');
  await put('draft', 200, { is_claim: true, mark_paid: true });
  await settled();
  expect(await bed.row('P-1')).toMatchObject({ state: 'refused' });
  expect(standing('draft')).toMatchObject([{ body: { amount: 124 } }]);
  await put('draft', 200);
  await settled();
  expect(standing('draft')).toMatchObject([{ body: { amount: 248 } }]);
  expect(await bed.row('P-1')).toMatchObject({ state: 'acknowledged' });
});

test('another record of its reference never takes the place of a draft that was made', async () => {
  await made('draft');
  await bed.put('b.jsonl', [record('draft', 900)]);
  await settled();
  await bed.put('a.jsonl', [record('draft', 100, { reference: 'P-2' })]);
  await settled();
  const amounts = standing('draft').map(({ body: { amount } }) => amount);
  expect(amounts).toEqual([124, 124]);
  expect(updates('draft')).toEqual([]);
});
