// Invoices that are paid after they were made: their origin says so, and the service is told once.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { invoice } from '../../support/outbound-bed.js';
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

const settled = () => settledAt(bed);
const paid = () => bed.service.callsOf('do-paid-invoice');
const statuses = () => bed.service.world.invoices.map(({ status }) => status);
const incidents = () =>
  bed.prisma.incident.findMany({ where: { tenantName: bed.name, code: 'SUBMISSION_CHANGED' } });

async function made(more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  bed = await secondServiceBed({ database, wish: { costAi: false } });
  await bed.put('a.jsonl', [invoice('SO-1', more)]);
  await settled();
}

test('an invoice whose record says later that it is paid is marked as paid once', async () => {
  await made();
  expect(statuses()).toEqual(['Sent']);
  await bed.put('a.jsonl', [invoice('SO-1', { mark_paid: true })]);
  await settled();
  await settled();
  expect(statuses()).toEqual(['Paid']);
  expect(paid()).toHaveLength(1);
  expect(await bed.row('SO-1')).toMatchObject({ state: 'acknowledged', reason: null });
  expect(await bed.results('a.jsonl')).toHaveLength(1);
  expect(await incidents()).toEqual([]);
  expect(refusalsOf(bed.service)).toEqual([]);
});

test('one that people have marked already is not marked again', async () => {
  await made();
  bed.service.world.invoices[0]!.status = 'Paid';
  await bed.put('a.jsonl', [invoice('SO-1', { mark_paid: true })]);
  await settled();
  expect(paid()).toEqual([]);
  expect(await bed.row('SO-1')).toMatchObject({ state: 'acknowledged' });
});

test('one whose reply was lost, or that came late, is marked in the end', async () => {
  await made();
  bed.service.faults.plan('do-paid-invoice', { kind: 'refuse', status: 429, retryAfter: 0 });
  bed.service.faults.plan('do-paid-invoice', { kind: 'lose-reply' });
  await bed.put('a.jsonl', [invoice('SO-1', { mark_paid: true })]);
  await meetFaults(bed);
  expect(statuses()).toEqual(['Paid']);
  expect(await bed.row('SO-1')).toMatchObject({ state: 'acknowledged' });
  expect(paid()).toHaveLength(2);
});

test.each(['after-submission-intent', 'after-submission-sent'] as const)(
  'a process that is killed %s leaves one that is paid',
  async (point) => {
    await made();
    await bed.put('a.jsonl', [invoice('SO-1', { mark_paid: true })]);
    expect(await bed.round(point)).toBe(false);
    await settled();
    expect(statuses()).toEqual(['Paid']);
    expect(paid()).toHaveLength(1);
    expect(await bed.row('SO-1')).toMatchObject({ state: 'acknowledged' });
  },
);

test('what else changes with it is for a person, and nothing is marked', async () => {
  await made();
  await bed.put('a.jsonl', [invoice('SO-1', { mark_paid: true, description: 'annað' })]);
  await settled();
  expect(paid()).toEqual([]);
  expect(await incidents()).toHaveLength(1);
});

test('one that the service does not let be marked stays as it is, and a person hears why', async () => {
  await made();
  bed.service.world.invoices[0]!.credited = true;
  await bed.put('a.jsonl', [invoice('SO-1', { mark_paid: true })]);
  await settled();
  await settled();
  expect(await bed.row('SO-1')).toMatchObject({ state: 'acknowledged', reason: 'NOT_MARKED_PAID' });
  expect(await incidents()).toHaveLength(1);
  expect(paid()).toHaveLength(1);
});

test('over the agent surface, which has no way to say so, a person hears of it', async () => {
  bed = await secondServiceBed({
    database,
    wish: { costAi: false },
    scopes: ['nav', 'create_invoice', 'manage_customers'],
  });
  await bed.put('a.jsonl', [invoice('SO-1')]);
  await settled();
  await bed.put('a.jsonl', [invoice('SO-1', { mark_paid: true })]);
  await settled();
  expect(await bed.row('SO-1')).toMatchObject({ state: 'acknowledged', reason: 'NOT_MARKED_PAID' });
  expect(await incidents()).toHaveLength(1);
});

test('one that is paid while it is being made is made once and then marked', async () => {
  bed = await secondServiceBed({ database, wish: { costAi: false } });
  const { kennitala, ...customer } = invoice('SO-1')['customer'] as { kennitala: string };
  await bed.put('b.jsonl', [{ kind: 'customer', reference: kennitala, kennitala, ...customer }]);
  await settled();
  await bed.put('a.jsonl', [invoice('SO-1')]);
  expect(await bed.round('after-submission-created')).toBe(false);
  await bed.put('a.jsonl', [invoice('SO-1', { mark_paid: true })]);
  await settled();
  expect(statuses()).toEqual(['Paid']);
  expect(bed.service.callsOf('create-invoice')).toHaveLength(1);
  expect(paid()).toHaveLength(1);
});
