// Customers in step on both sides: whose change it was is told by what both had when they were last at one. On a real PostgreSQL, a
// watched folder and a sandbox in which people change customers too.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SUBMISSION_ACT_TABLE } from '../../../src/operations/outgoing/submission-acts.js';
import type { FieldConflict } from '../../../src/outbound/agree-fields.js';
import { watchService } from '../../../src/outbound/watch-service.js';
import { createAgreedStore } from '../../../src/store/submission-store.js';
import { createOutgoingRecords } from '../../../src/store/operations/outgoing-records.js';
import type { TestDatabase } from '../../support/database.js';
import {
  invoice,
  KENNITALA,
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

const CUSTOMER = { kind: 'customer', reference: KENNITALA, kennitala: KENNITALA, name: 'Prufa ehf.' };
const FIRST = { ...CUSTOMER, email: 'a@b.is', city: 'Reykjavík', phone_number: '5551234' };

/** A customer that both sides have, as `FIRST` says. */
async function inStep(options: Omit<OutgoingBedOptions, 'database'> = {}) {
  bed = await outgoingBed({ ...options, database });
  await bed.put('a.jsonl', [FIRST]);
  await bed.settle();
  const [there] = await bed.customers(KENNITALA);
  return {
    ...bed,
    atOrigin: async (changes: object) => {
      await bed.put('a.jsonl', [{ ...FIRST, ...changes }]);
      await bed.settle();
    },
    atService: (changes: Parameters<Bed['sandbox']['control']['editCustomer']>[2]) =>
      bed.sandbox.control.editCustomer('hraun', there!.guid, changes),
    /** As the keeper does now and then. */
    look: async () => {
      const woken = await watchService(createAgreedStore(bed.db), bed.tenant(), {
        ...TIMING,
        ...{ sendByMs: 0, callMs: 0 },
      });
      await bed.settle();
      return woken;
    },
    shown: async () => (await bed.customers(KENNITALA))[0]!.fields,
    conflicts: async () =>
      JSON.parse((await bed.row(KENNITALA)).conflicts ?? '[]') as readonly FieldConflict[],
    incidents: () =>
      bed.prisma.incident.count({
        where: { tenantName: bed.name, code: 'FIELDS_IN_CONFLICT', state: 'open' },
      }),
  };
}

test.each(['credential', 'agent'] as const)(
  'over the %s surface a change on either side alone is kept, and the origin hears of the one at the service',
  async (surface) => {
    const { atOrigin, atService, look, shown, conflicts, results } = await inStep({ surface });
    expect(await look()).toBe(0);
    atService({ phone_number: '5559999' });
    await atOrigin({ city: 'Akureyri' });
    expect(await shown()).toMatchObject({ city: 'Akureyri', phone_number: '5559999' });
    expect(await conflicts()).toEqual([]);
    expect((await results('a.jsonl')).at(-1)).toMatchObject({ atService: { phone_number: '5559999' } });
    atService({ zip: '600', email: 'ny@b.is' });
    expect(await look()).toBe(1);
    expect(await look()).toBe(0);
    expect((await results('a.jsonl')).at(-1)).toMatchObject({
      atService: { phone_number: '5559999', email: 'ny@b.is' },
    });
    expect(await shown()).toMatchObject({ email: 'ny@b.is', city: 'Akureyri' });
  },
);

test('what both changed waits for a person, whose word holds for what was shown, and nothing else waits', async () => {
  const { atOrigin, atService, shown, conflicts, incidents, settle, put, row } = await inStep();
  atService({ city: 'Selfoss' });
  await atOrigin({ city: 'Akureyri', phone_number: '5550000' });
  expect(await shown()).toMatchObject({ city: 'Selfoss', phone_number: '5550000' });
  expect(await conflicts()).toMatchObject([{ field: 'city', origin: 'Akureyri', service: 'Selfoss' }]);
  expect(await incidents()).toBe(1);
  await put('b.jsonl', [invoice('SO-1', { customer: { kennitala: KENNITALA } })]);
  await settle();
  expect(await row('SO-1')).toMatchObject({ state: 'acknowledged' });
  const records = createOutgoingRecords(database);
  const { id } = await row(KENNITALA);
  const act = { actor: 'anna', reason: 'asked them' };
  const take = (service: string) =>
    records.decide(id, act, { city: { take: 'origin', origin: 'Akureyri', service } });
  // What somebody was shown before it changed again is not what is decided.
  expect(await take('Kópavogur')).toBe(false);
  expect(await take('Selfoss')).toBe(true);
  await settle();
  expect(await shown()).toMatchObject({ city: 'Akureyri' });
  expect([await conflicts(), await incidents()]).toEqual([[], 0]);
  expect(await take('Selfoss')).toBe(false);
});

test('what waits for a person is not taken up at every look, but when the service shows something else of it', async () => {
  const { atOrigin, atService, look, conflicts, incidents, row } = await inStep();
  atService({ city: 'Selfoss' });
  await atOrigin({ city: 'Akureyri' });
  const { fence } = await row(KENNITALA);
  expect([await look(), await look()]).toEqual([0, 0]);
  expect(await row(KENNITALA)).toMatchObject({ fence, state: 'acknowledged' });
  atService({ city: 'Hella' });
  expect(await look()).toBe(1);
  expect(await conflicts()).toMatchObject([{ field: 'city', origin: 'Akureyri', service: 'Hella' }]);
  expect(await look()).toBe(0);
  // Back to what both had: the change of the origin is the only one left.
  atService({ city: 'Reykjavík' });
  expect(await look()).toBe(1);
  expect([await conflicts(), await incidents()]).toEqual([[], 0]);
});

test('a word that comes too late for a change at the service is not taken for another', async () => {
  const { atOrigin, atService, shown, conflicts, settle, row } = await inStep();
  atService({ city: 'Selfoss' });
  await atOrigin({ city: 'Akureyri' });
  const { id } = await row(KENNITALA);
  const word = { city: { take: 'origin', origin: 'Akureyri', service: 'Selfoss' } } as const;
  expect(await createOutgoingRecords(database).decide(id, { actor: 'anna', reason: 'x' }, word)).toBe(true);
  atService({ city: 'Hella' });
  await settle();
  expect(await shown()).toMatchObject({ city: 'Hella' });
  expect(await conflicts()).toMatchObject([{ field: 'city', origin: 'Akureyri', service: 'Hella' }]);
});

test.each([
  [{ originWins: ['city'] }, 'Akureyri'],
  [{ serviceWins: ['city'] }, 'Selfoss'],
])('where both changed a rule decides: %j', async (wish, city) => {
  const { atOrigin, atService, shown, conflicts } = await inStep({ wish });
  atService({ city: 'Selfoss' });
  await atOrigin({ city: 'Akureyri' });
  expect(await shown()).toMatchObject({ city });
  expect(await conflicts()).toEqual([]);
});

test('a profile that was deactivated is not made a second time', async () => {
  const { atService, look, settle, row, customers, atOrigin } = await inStep();
  atService({ active: false });
  expect(await look()).toBe(1);
  expect(await row(KENNITALA)).toMatchObject({ state: 'parked', reason: 'CUSTOMER_DEACTIVATED' });
  expect(await customers(KENNITALA)).toEqual([]);
  const records = createOutgoingRecords(database);
  const [parked] = await records.submissions({ companies: [bed.name], text: KENNITALA, limit: 1 });
  const { from, to } = SUBMISSION_ACT_TABLE.replay;
  const replay = () =>
    records.move(
      parked!.id,
      { actor: 'anna', reason: 'reactivated' },
      { action: 'replayed', from, to: to(parked!) },
    );
  expect(await replay()).toBe(true);
  await settle();
  expect(await row(KENNITALA)).toMatchObject({ state: 'parked', reason: 'CUSTOMER_DEACTIVATED' });
  atService({ active: true });
  expect(await replay()).toBe(true);
  await settle();
  await atOrigin({ city: 'Akureyri' });
  expect(await customers(KENNITALA)).toMatchObject([{ fields: { city: 'Akureyri' } }]);
});

test('where the rule wants it, a new profile is made beside one that was deactivated', async () => {
  const { atService, look, row, customers } = await inStep({ wish: { deactivated: 'create' } });
  const { guid } = await row(KENNITALA);
  atService({ active: false });
  expect(await look()).toBe(1);
  expect(await customers(KENNITALA)).toHaveLength(1);
  expect((await row(KENNITALA)).guid).not.toBe(guid);
});
