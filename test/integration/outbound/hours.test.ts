// Tasks and dated hours into the service, each once, corrected and taken back; and what stands there billed once by customer and month.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { message } from '../../../src/language/messages.js';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { takeIn } from '../../../src/outbound/take-in.js';
import { createOriginStore } from '../../../src/store/origin-store.js';
import { taskSource } from '../../../src/bridge/carry-outgoing.js';
import { BillableHours, type BillingSettings } from '../../../src/origins/billable-hours.js';
import type { TestDatabase } from '../../support/database.js';
import { KENNITALA, outgoingBed, testDatabase } from '../../support/outbound-bed.js';

type Bed = Awaited<ReturnType<typeof outgoingBed>>;

let database: TestDatabase;
let bed: Bed;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

const CUSTOMER = { kennitala: KENNITALA, name: 'Prufa ehf.', email: 'prufa@example.is' };
const TASK = {
  kind: 'task',
  reference: 'T-1',
  customer: CUSTOMER,
  name: 'Ráðgjöf',
  unit_price: 15000,
  tax: 'S',
};
const hours = (reference: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ kind: 'hours', reference, task: 'T-1', date: '2026-10-05', from: '09:00', to: '11:00' },
  ...more,
});

async function tasks() {
  const listed = await bed.tenant().target.listTasksToBill();
  if (listed.outcome === 'incomplete') throw new Error(listed.message);
  return listed.found.filter(({ name }) => name.startsWith('Ráðgjöf'));
}

test('a task and its hours stand there once, also when replies were lost', async () => {
  bed = await outgoingBed({ database });
  const { put, settle, sandbox, row } = bed;
  for (const endpoint of ['create-task', 'log-task'])
    sandbox.control.addFault({ kind: 'reset-after', endpoint, times: 1 });
  await put('a.jsonl', [hours('H-1'), hours('H-2', { from: '13:00', to: '13:30' }), TASK]);
  await settle();
  await settle();
  const [task, ...others] = await tasks();
  expect(others).toEqual([]);
  expect(task?.logs.map((log) => log.hours).sort()).toEqual(['0.5', '2']);
  expect(await row('H-1')).toMatchObject({ state: 'acknowledged' });
  expect(sandbox.control.brokenRules()).toEqual([]);
});

test.each(['credential', 'agent'] as const)(
  'hours that are corrected over the %s surface are corrected there, and what was a mistake is deleted there',
  async (surface) => {
    bed = await outgoingBed({ database, surface });
    const { put, settle, row, results } = bed;
    await put('a.jsonl', [TASK, hours('H-1'), hours('H-2')]);
    await settle();
    await settle();
    await put('a.jsonl', [TASK, hours('H-1', { to: '12:00' }), hours('H-2', { deleted: true })]);
    await settle();
    const [task] = await tasks();
    expect(task?.logs.map((log) => log.hours)).toEqual(['3']);
    expect(await row('H-2')).toMatchObject({ state: 'withdrawn' });
    expect((await results('a.jsonl')).filter(({ reference }) => reference === 'H-2')).toMatchObject([
      { state: 'created' },
      { state: 'withdrawn' },
    ]);
  },
);

/** What is before and after them is the same for every kind (carried.test.ts). */
const POINTS = ['after-submission-intent', 'after-submission-sent'] as const;

test.each(POINTS)('a process that is killed %s leaves hours there once', async (point) => {
  bed = await outgoingBed({ database });
  const { put, round, settle } = bed;
  await put('a.jsonl', [TASK, hours('H-1')]);
  for (let life = 0; life < 4; life++) await round(point);
  await settle();
  await settle();
  const [task, ...others] = await tasks();
  expect(others).toEqual([]);
  expect(task?.logs).toHaveLength(1);
});

const BILLING: BillingSettings = {
  ...{ bill: 'invoice', period: 'month', since: '2026-10-01', afterDays: 3, endTasks: false },
};

test('hours of a month that is over become one invoice of their customer; what changes later is told, not billed', async () => {
  bed = await outgoingBed({ database });
  const { put, settle, bill, row, atService, prisma, name } = bed;
  await put('a.jsonl', [
    TASK,
    hours('H-1'),
    hours('H-2', { date: '2026-10-30', from: '08:00', to: '09:30' }),
  ]);
  await settle();
  await settle();
  bill(new BillableHours('billing', BILLING, taskSource(bed.tenant().target), LATER));
  await settle();
  const reference = `hours 2026-10 ${KENNITALA}`;
  expect(await atService(reference, '2026-11-04')).toMatchObject([
    { amount: '65100.00', kennitala: KENNITALA },
  ]);
  expect(await row(reference)).toMatchObject({ state: 'acknowledged', sends: 1 });

  await put('a.jsonl', [TASK, hours('H-1', { to: '12:00' }), hours('H-2', { date: '2026-11-02' })]);
  await settle();
  bill(new BillableHours('billing', BILLING, taskSource(bed.tenant().target), MUCH_LATER));
  await settle();
  expect(await atService(reference, '2026-11-04')).toHaveLength(1);
  const incidents = await prisma.incident.findMany({ where: { tenantName: name }, select: { code: true } });
  expect(incidents.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['SUBMISSION_CHANGED', 'ORIGIN_PROBLEMS']),
  );
  // The hours that moved into November were billed with October.
  expect(
    await prisma.submission.count({
      where: { tenantName: name, kind: 'invoice', reference: { contains: KENNITALA } },
    }),
  ).toBe(1);
});

test('hours that a person has invoiced at the service are not billed again, and what nobody can tell apart is told', async () => {
  bed = await outgoingBed({ database });
  const { put, settle, bill, row, atService, prisma, name, sandbox } = bed;
  const ofTask = (task: string, date = '2026-10-05') => hours(`H-${task}`, { task, date });
  await put('a.jsonl', [
    ...['T-1', 'T-2', 'T-3'].map((reference) => ({ ...TASK, reference })),
    ...['T-1', 'T-2', 'T-3'].map((task) => ofTask(task)),
  ]);
  await settle();
  await settle();
  const [first, second] = await tasks();
  sandbox.control.invoiceTask('hraun', first!.guid);
  sandbox.control.invoiceTask('hraun', second!.guid, true);
  bill(new BillableHours('billing', BILLING, taskSource(bed.tenant().target), LATER));
  await settle();
  const reference = `hours 2026-10 ${KENNITALA}`;
  // The two hours of one task, and not six.
  expect(await atService(reference, '2026-11-04')).toMatchObject([{ amount: '37200.00' }]);
  expect(await row(reference)).toMatchObject({ state: 'acknowledged', sends: 1 });
  expect(await prisma.originProblem.findMany({ where: { tenantName: name } })).toMatchObject([
    {
      place: `tasks:${second!.number}`,
      problem: JSON.stringify(message('HOURS_MAY_BE_BILLED', { hours: '2', date: '2026-10-05' })),
    },
  ]);
});

test('hours that a person has invoiced while the bill waited are not sent', async () => {
  bed = await outgoingBed({ database });
  const { put, settle, bill, row, atService, sandbox } = bed;
  await put('a.jsonl', [TASK, hours('H-1')]);
  await settle();
  await settle();
  bill(new BillableHours('billing', BILLING, taskSource(bed.tenant().target), LATER));
  await takeIn(createOriginStore(bed.db), NO_FAIL_POINTS, bed.tenant(), bed.tenant().origins.get('billing')!);
  const [task] = await tasks();
  sandbox.control.invoiceTask('hraun', task!.guid);
  await settle();
  const reference = `hours 2026-10 ${KENNITALA}`;
  expect(await atService(reference, '2026-11-04')).toEqual([]);
  expect(await row(reference)).toMatchObject({ state: 'parked', reason: 'GONE_AT_ORIGIN', sends: 0 });
});

const LATER = { now: () => new Date('2026-11-10T08:00:00Z') };
const MUCH_LATER = { now: () => new Date('2026-12-10T08:00:00Z') };
