// Records that wait for another one: their folder says so and why, and they go on when what they wait for was mended. From a folder into a
// real PostgreSQL and the simulated service.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../support/database.js';
import { invoice, KENNITALA, outgoingBed, testDatabase } from '../../support/outbound-bed.js';

let database: TestDatabase;
let bed: Awaited<ReturnType<typeof outgoingBed>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

/** An e-invoice wants the recipient's address in the network, and this one has none: the customer is refused. */
const LACKING = { kennitala: KENNITALA, name: 'Prufa ehf.', output_select: '2' };
const MENDED = { ...LACKING, trading_partner_id: KENNITALA, email: 'a@b.is' };

const told = async (file: string, reference: string) =>
  (await bed.results(file)).filter((line) => line['reference'] === reference);

async function opened() {
  bed = await outgoingBed({ database });
  return bed;
}

describe('an invoice whose customer is refused', () => {
  test('tells its folder that it waits, for whom and why, once', async () => {
    const { put, settle, row } = await opened();
    await put('a.jsonl', [invoice('SO-1', { customer: LACKING })]);
    await settle();
    expect(await row(KENNITALA)).toMatchObject({ state: 'refused', origin: '' });
    expect(await row('SO-1')).toMatchObject({ state: 'held', reason: 'CUSTOMER_AWAITED' });
    const lines = await told('a.jsonl', 'SO-1');
    expect(lines).toMatchObject([{ state: 'held', line: 1, guid: null, number: null }]);
    expect(lines[0]!['why']).toContain(KENNITALA);
    expect(lines[0]!['why']).toContain('trading_partner_id');
    await database.prisma.submission.updateMany({ where: { state: 'held' }, data: { dueAt: new Date() } });
    await settle();
    expect(await told('a.jsonl', 'SO-1')).toHaveLength(1);
  });

  test('goes when its customer was mended in its own file, and so do the others of that customer', async () => {
    const { put, settle, row, customers, atService } = await opened();
    await put('a.jsonl', [invoice('SO-1', { customer: LACKING })]);
    await put('b.jsonl', [invoice('SO-2', { customer: { kennitala: KENNITALA } })]);
    await settle();
    await put('a.jsonl', [invoice('SO-1', { customer: MENDED })]);
    await settle();
    await settle();
    expect(await row(KENNITALA)).toMatchObject({ state: 'acknowledged' });
    expect(await customers(KENNITALA)).toHaveLength(1);
    for (const reference of ['SO-1', 'SO-2']) {
      expect(await row(reference), reference).toMatchObject({ state: 'acknowledged' });
      expect(await atService(reference)).toHaveLength(1);
    }
    expect((await told('a.jsonl', 'SO-1')).map(({ state }) => state)).toEqual(['held', 'created']);
  });

  test('and a mended customer that lacks something else is refused again, with what it lacks now', async () => {
    const { put, settle, row } = await opened();
    await put('a.jsonl', [invoice('SO-1', { customer: LACKING })]);
    await settle();
    await put('a.jsonl', [invoice('SO-1', { customer: { ...LACKING, email: 'a@b.is' } })]);
    await settle();
    expect(await row(KENNITALA)).toMatchObject({ state: 'refused' });
    const lines = await told('a.jsonl', 'SO-1');
    expect(lines).toMatchObject([{ state: 'held' }, { state: 'held' }]);
    expect(lines[0]!['why']).toContain('email is required');
    expect(lines[1]!['why']).not.toContain('email is required');
    expect(lines[1]!['why']).toContain('trading_partner_id is required');
  });
});

test('a credit note of an invoice that is nowhere tells its folder what it waits for', async () => {
  const { put, settle } = await opened();
  await put('a.jsonl', [invoice('K-1', { credit_of: 'SO-9', customer: undefined })]);
  await settle();
  expect(await told('a.jsonl', 'K-1')).toMatchObject([
    { state: 'held', why: expect.stringContaining('SO-9') },
  ]);
});

test('an invoice of a new customer says nothing of the moment in which it waits for it', async () => {
  const { put, settle } = await opened();
  await put('a.jsonl', [invoice('SO-1')]);
  await settle();
  expect((await told('a.jsonl', 'SO-1')).map(({ state }) => state)).toEqual(['created']);
});
