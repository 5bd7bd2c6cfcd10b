// Every pattern of the other direction against a service that was written from the API documents alone, by somebody who had not seen the
// client (test/support/second-service): it refuses whatever the documents forbid, is awkward wherever they leave it free, loses replies,
// does things late and turns callers away. Nothing may be there twice, nothing may be lost, what is doubtful waits for a person.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { taskSource } from '../../../src/bridge/carry-outgoing.js';
import type { AgentScope } from '../../../src/service/source-settings.js';
import { readDelivery } from '../../../src/origins/inbox.js';
import { InboxOrigin } from '../../../src/origins/inbox-origin.js';
import { createDeliveries, createInbox } from '../../../src/store/inbox-store.js';
import { BillableHours, type BillingSettings } from '../../../src/origins/billable-hours.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { invoice, KENNITALA, TODAY } from '../../support/outbound-bed.js';
import type { Fault } from '../../support/second-service/index.js';
import {
  meetFaults,
  noticedBy,
  refusalsOf,
  type SecondBed as Bed,
  type SecondBedOptions,
  secondServiceBed,
  settled as settledAt,
} from '../../support/second-service-bed.js';

let database: TestDatabase;
let bed: Bed;
const beds: Bed[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  const services = beds.map(({ service }) => service);
  for (const one of beds.splice(0)) await one.close();
  expect(services.flatMap(noticedBy)).toEqual([]);
});
afterAll(() => database.close());

async function opened(options: Omit<SecondBedOptions, 'database'> = {}): Promise<Bed> {
  bed = await secondServiceBed({ wish: { costAi: false }, ...options, database });
  beds.push(bed);
  return bed;
}

const SCOPES: readonly AgentScope[] = [
  'nav',
  'cost',
  'create_invoice',
  'manage_customers',
  'recurring',
  'task',
];
const SURFACES = [['credential', {}] as const, ['agent', { scopes: SCOPES }] as const];

const CUSTOMER = { kennitala: KENNITALA, name: 'Prufa ehf.', email: 'prufa@example.is' };
const LINES = [{ item_number: 'HYS', description: 'Vefhýsing', qty: 1, unit_price: 4990, tax: 'S' }];
const document = (kind: string, reference: string) => ({
  ...{ kind, reference, issue_date: TODAY, customer: CUSTOMER, lines: LINES },
});
const subscription = (reference: string, interval: string) => ({
  ...{ kind: 'subscription', reference, name: 'Vefhýsing', interval, customer: CUSTOMER, lines: LINES },
  ...{ start_date: '2030-12-01', end_date: '2031-11-30', settlement_days: 14 },
});
const JON = {
  kind: 'customer',
  reference: '0101302129',
  kennitala: '0101302129',
  name: 'Jón',
  email: 'jon@example.is',
};
const ITEM = { kind: 'item', reference: 'A-100', description: 'Stóll', unit_price: 1990, tax: 'S' };
const TASK = {
  kind: 'task',
  reference: 'T-1',
  customer: CUSTOMER,
  name: 'Ráðgjöf',
  unit_price: 15000,
  tax: 'S',
};
const HOURS = {
  kind: 'hours',
  reference: 'H-1',
  task: 'T-1',
  date: '2026-10-05',
  from: '09:00',
  to: '10:30',
};
const CREDIT = { ...invoice('CN-1'), credit_of: 'SO-1' };
const KNOWN = {
  ...{ date: '2026-11-02', amount: 12400, how_paid: 3, vat_24: 2400, description: 'Prentun' },
  ...{ supplier_name: 'Prentsmiðjan ehf.', supplier_id: '5402696029', type: '2353' },
};
const COMMON = [
  JON,
  ITEM,
  invoice('SO-1', { booking: 'PO 77' }),
  CREDIT,
  TASK,
  subscription('S-1', 'monthly'),
];

const pdf = (text: string) => `%PDF-1.4\n${text}`;

const FAULTS: readonly Fault[] = [
  { kind: 'lose-reply' },
  { kind: 'late', ms: 150 },
  { kind: 'break-after', status: 502 },
  { kind: 'refuse', status: 500 },
  { kind: 'refuse', status: 429, retryAfter: 0 },
];
/** Kennitalas, for as many customers as there are faults. */
const PEOPLE = ['0101302129', '5902697199', '4710080280', '0101302399', '1201743399'];
const named = (kennitala: string) => ({ reference: kennitala, kennitala });

const settled = () => settledAt(bed);
const rows = ({ prisma, name } = bed) =>
  prisma.submission.findMany({ where: { tenantName: name }, orderBy: { reference: 'asc' } });
const unwell = async () =>
  (await rows())
    .filter(({ state }) => state !== 'acknowledged')
    .map(({ reference, reason }) => [reference, reason]);
const refusals = ({ service } = bed) => refusalsOf(service);

describe.each(SURFACES)('over the %s surface', (surface, options) => {
  const isAgent = surface === 'agent';

  test('everything that goes there stands there once, and no rule of the documents is broken', async () => {
    const { put, beside, drop, service, row, results } = await opened(options);
    const more = isAgent
      ? [document('quote', 'Q-1'), HOURS]
      : [document('order', 'P-1'), document('draft', 'D-1'), invoice('SO-2', { files: ['a.pdf'] }), HOURS];
    await beside('a.pdf', pdf('skilmálar'));
    await put('a.jsonl', [...COMMON, ...more]);
    await drop('kvittun.pdf', pdf('a'));
    await drop('prentun.pdf', pdf('b'));
    await drop('prentun.pdf.json', JSON.stringify(KNOWN));
    await settled();
    expect(await unwell()).toEqual([]);
    expect(refusals()).toEqual([]);
    expect(service.world.counts()).toEqual({
      // The item of the catalogue, and the one of the task.
      ...{ customers: 2, items: 2, creditNotes: 1, templates: 1, tasks: 1, costs: 2 },
      ...(isAgent
        ? { invoices: 1, quotes: 1, orders: 0, drafts: 0, files: 0, logs: 1 }
        : { invoices: 2, quotes: 0, orders: 1, drafts: 1, files: 1, logs: 1 }),
    });
    const [original, credit] = ['SO-1', 'CN-1'].map((reference) =>
      service.world.invoices.find(({ booking }) => booking?.includes(bed.keyOf('invoice', reference))),
    );
    expect(credit).toMatchObject({ type: 'credit', refers: original!.guid, amount: 7902.85 });
    expect(await row('SO-1')).toMatchObject({ guid: original!.guid, number: original!.number });
    expect((await results('a.jsonl')).find(({ reference }) => reference === 'SO-1')).toMatchObject({
      state: 'created',
      number: original!.number,
    });
  });

  test('customers: what changes is changed there, several are for a person, a deactivated one is not made again', async () => {
    const { put, service, row, round, prisma } = await opened(options);
    const there = (kennitala: string, name: string) =>
      service.desk.customer({ registration_no: kennitala, name, email: 'a@example.is' });
    const one = there('0101302129', 'Jón');
    for (const name of ['Eldri', 'Yngri']) there('5402696029', name);
    await put('a.jsonl', [{ ...JON, city: 'Akureyri' }, document(isAgent ? 'quote' : 'order', 'P-1')]);
    await settled();
    expect(one).toMatchObject({ name: 'Jón', city: 'Akureyri', email: 'jon@example.is' });
    expect(await row('5402696029')).toMatchObject({
      state: 'parked',
      reason: 'CUSTOMER_AMBIGUOUS',
      sends: 0,
    });
    const held = await row('P-1');
    expect(held).toMatchObject({ state: 'held', reason: 'CUSTOMER_AWAITED' });
    // A look that finds nothing new leaves nothing behind.
    const said = () => prisma.auditEntry.count({ where: { subject: held.id } });
    const before = await said();
    await prisma.submission.update({ where: { id: held.id }, data: { dueAt: new Date() } });
    await round();
    const { stateSince, fence, dueAt } = await row('P-1');
    expect([stateSince, fence, await said()]).toEqual([held.stateSince, held.fence + 1, before]);
    expect(dueAt!.getTime()).toBeGreaterThan(Date.now());
    service.desk.deactivate(one);
    await put('a.jsonl', [{ ...JON, city: 'Selfoss' }]);
    await settled();
    expect(await row('0101302129')).toMatchObject({
      state: 'parked',
      reason: 'CUSTOMER_DEACTIVATED',
    });
    expect(service.world.counts().customers).toBe(3);
  });
});

type Records = Readonly<Record<string, (nth: number) => object>>;

/** Each five times, as there are faults, by what makes it. What the service can show is found again. */
const found = (isAgent: boolean): Records => ({
  [isAgent ? 'POST /customers' : 'create-customer']: (nth) => ({ ...JON, ...named(PEOPLE[nth]!) }),
  [isAgent ? 'POST /items' : 'create-item']: (nth) => ({ ...ITEM, reference: `A-${String(nth)}` }),
  [isAgent ? 'POST /invoices' : 'create-invoice']: (nth) => invoice(`SO-${String(nth)}`),
  [isAgent ? 'POST /tasks' : 'create-task']: (nth) => ({ ...TASK, reference: `T-${String(nth)}` }),
  [isAgent ? 'POST /tasks/{id}/end' : 'log-task']: (nth) => ({ ...HOURS, reference: `H-${String(nth)}` }),
});
/** Of these a person says. */
const unlisted = (isAgent: boolean): Records =>
  isAgent
    ? {
        'POST /quotes': (nth) => document('quote', `Q-${String(nth)}`),
        'POST /recurring-invoices': (nth) => subscription(`S-${String(nth)}`, 'monthly'),
      }
    : {
        'create-order-invoice': (nth) => document('order', `P-${String(nth)}`),
        'create-draft-invoice': (nth) => document('draft', `D-${String(nth)}`),
        'create-recurring-invoice': (nth) => subscription(`S-${String(nth)}`, 'monthly'),
      };
const receipts = (isAgent: boolean) =>
  isAgent ? ['POST /costs', 'POST /costs/advanced'] : ['create-cost', 'create-cost-adv'];

async function sendThrough(here: Bed, isAgent: boolean): Promise<void> {
  const { put, drop, service, settle } = here;
  await put('b.jsonl', [{ kind: 'customer', reference: KENNITALA, ...CUSTOMER }]);
  await settle();
  const made = Object.entries({ ...found(isAgent), ...unlisted(isAgent) });
  for (const operation of [...made.map(([name]) => name), ...receipts(isAgent)])
    for (const fault of FAULTS) service.faults.plan(operation, fault);
  for (const [nth] of FAULTS.entries()) {
    await drop(`kvittun-${String(nth)}.pdf`, pdf(`a${String(nth)}`));
    await drop(`prentun-${String(nth)}.pdf`, pdf(`b${String(nth)}`));
    await drop(`prentun-${String(nth)}.pdf.json`, JSON.stringify(KNOWN));
  }
  await put(
    'a.jsonl',
    FAULTS.flatMap((_fault, nth) => made.map(([, record]) => record(nth))),
  );
  await meetFaults(here);
}

test('whatever becomes of requests and replies, each is there once, or waits for a person who is told why', async () => {
  const places = [
    { isAgent: false, here: await opened() },
    { isAgent: true, here: await opened({ scopes: SCOPES }) },
  ];
  // Most of it is waiting until nothing can be on its way any more.
  await Promise.all(places.map(({ isAgent, here }) => sendThrough(here, isAgent)));
  for (const { isAgent, here } of places) {
    const kinds = Object.keys(unlisted(isAgent)).length;
    const parked = (await rows(here)).filter(({ state }) => state !== 'acknowledged');
    expect(new Set(parked.map(({ state, reason }) => `${state} ${String(reason)}`))).toEqual(
      new Set(['parked SUBMISSION_UNKNOWN']),
    );
    expect(parked).toHaveLength(kinds * FAULTS.length);
    const { quotes, orders, drafts, templates, ...there } = here.service.world.counts();
    // An item of its own for each task, and the customer of all of them.
    expect(there).toMatchObject({ customers: 6, items: 10, invoices: 5, tasks: 5, costs: 10, logs: 5 });
    const happened = FAULTS.filter(({ kind }) => kind !== 'refuse').length;
    expect(quotes + orders + drafts + templates).toBe(kinds * happened);
    expect(refusals(here)).toEqual([]);
  }
});

test('a call outside the granted scopes is never made, and what needs one waits', async () => {
  const granted: readonly AgentScope[] = ['nav', 'cost'];
  const { put, drop, round, service } = await opened({ scopes: granted });
  await put('a.jsonl', [JON, invoice('SO-1'), TASK, subscription('S-1', 'monthly'), ITEM]);
  await drop('kvittun.pdf', pdf('a'));
  for (let time = 0; time < 3; time++) await round().catch(() => undefined);
  const called = service.calls.filter(({ surface }) => surface === 'agent');
  expect(new Set(called.map(({ scope }) => scope))).toEqual(new Set(granted));
  expect(called.filter(({ status }) => status === 403)).toEqual([]);
  expect(service.world.counts()).toMatchObject({
    items: 1,
    costs: 1,
    customers: 0,
    invoices: 0,
    tasks: 0,
    templates: 0,
  });
  const waiting = (await rows()).filter(({ kind }) => !['item', 'cost'].includes(kind));
  expect(new Set(waiting.map(({ state }) => state))).toEqual(new Set(['received', 'held']));
});

test('a yearly subscription is one template in the other spelling of the documents too, and its invoices are known', async () => {
  const { put, service, row, tenant } = await opened({ freedoms: { yearlySpellings: ['annuall'] } });
  await put('a.jsonl', [subscription('S-1', 'yearly')]);
  await settled();
  expect(service.world.templates).toMatchObject([{ interval: 'annuall', most: 1 }]);
  const { guid } = service.world.templates[0]!;
  expect(await row('S-1')).toMatchObject({ state: 'acknowledged', guid });
  const made = service.desk.generate(guid, TODAY);
  const listed = await tenant().target.findInvoices(bed.keyOf('subscription', 'S-1'), 'booking', TODAY, {
    maxAgeMs: 0,
  });
  expect(listed).toMatchObject({ outcome: 'complete', found: [{ guid: made.guid, number: made.number }] });
});

test('two lines with one item number go to a service that takes each number once in a document, and nothing else of them changes', async () => {
  const { put, service } = await opened();
  const line = (unit_price: number) => ({
    ...LINES[0]!,
    description: `Hýsing á ${String(unit_price)}`,
    unit_price,
  });
  const lines = [line(4990), line(3990)];
  await put('a.jsonl', [
    invoice('SO-1', { lines }),
    { ...document('order', 'P-1'), lines },
    { ...subscription('S-1', 'monthly'), lines },
  ]);
  await settled();
  expect(await unwell()).toEqual([]);
  const { invoices, orders, templates } = service.world;
  for (const made of [invoices[0]!, orders[0]!.body, templates[0]!].map(({ lines: taken }) => taken))
    expect(
      made.map(({ itemNumber, description, unitPrice }) => [itemNumber, description, unitPrice]),
    ).toEqual([
      ['HYS', 'Hýsing á 4990', 4990],
      ['HYS-2', 'Hýsing á 3990', 3990],
    ]);
  expect(service.world.counts()).toMatchObject({ invoices: 1, orders: 1, templates: 1 });
  // Each was refused once in the words of the document, and no more.
  expect(refusals()).toHaveLength(3);
});

test('a record that came over HTTP goes with its file, once, and its sender hears of the payment link', async () => {
  const { bill, service, name, db } = await opened();
  const content = Buffer.from(pdf('skilmálar')).toString('base64');
  const body = { ...invoice('SO-9', { is_payment_link: true }), files: [{ name: 'a.pdf', content }] };
  const record = readDelivery('order-9', Buffer.from(JSON.stringify(body)));
  if ('problem' in record) throw new Error(record.problem);
  const deliveries = createDeliveries(db);
  const delivery = { tenantName: name, origin: 'shop', key: 'order-9', bodyHash: 'x', record, waitingMax: 9 };
  for (const outcome of ['accepted', 'known'])
    expect(await deliveries.accept(delivery)).toMatchObject({ outcome });
  bill(new InboxOrigin('shop', createInbox(db, name, 'shop')));
  await settled();
  const [made, ...others] = service.world.invoices;
  expect(others).toEqual([]);
  expect(service.world.files.find(({ guid }) => guid === made!.files[0])).toMatchObject({ name: 'a.pdf' });
  const { guid, number, paymentLink } = made!;
  expect(await deliveries.find(name, 'shop', 'order-9')).toMatchObject({ guid, number, paymentLink });
});

const BILLING: BillingSettings = {
  ...{ bill: 'invoice', period: 'month', since: '2026-10-01', afterDays: 3, endTasks: true },
};

test.each(SURFACES)(
  'over the %s surface hours are billed once to their customer, though lists show neither',
  async (surface, options) => {
    const { put, service, bill, row } = await opened(options);
    await put('a.jsonl', surface === 'agent' ? [TASK] : [TASK, HOURS]);
    await settled();
    const [task] = service.world.tasks;
    // The agent surface takes hours without any mark of ours: somebody logs them there.
    if (surface === 'agent') service.desk.hours(task!, '2026-10-05', 1.5);
    else service.faults.plan('create-invoice', { kind: 'lose-reply' });
    bill(
      new BillableHours('billing', BILLING, taskSource(bed.tenant().target), {
        now: () => new Date('2026-11-10T08:00:00Z'),
      }),
    );
    await settled();
    expect(await row(`hours 2026-10 ${KENNITALA}`)).toMatchObject({ state: 'acknowledged' });
    expect(service.world.invoices).toMatchObject([
      { amount: 27_900, customer: { registrationNo: KENNITALA } },
    ]);
    expect(task!.status).toBe(surface === 'agent' ? 'closed' : 'open');
  },
);

test('a receipt that AI is reading is one cost, and one whose reply was lost and whose mark is gone waits for a person', async () => {
  const freedoms = { costAi: true, aiMs: 2_000, aiRewritesDescription: true };
  const { drop, service, round, prisma, name } = await opened({ freedoms, wish: { costAi: true } });
  await drop('a.pdf', pdf('a'));
  await bed.settle();
  expect(await rows()).toMatchObject([{ state: 'acknowledged', amount: null, currency: null }]);
  service.faults.plan('create-cost', { kind: 'lose-reply' });
  await drop('b.pdf', pdf('b'));
  await settled();
  expect((await rows()).map(({ state, reason }) => `${state} ${String(reason)}`).sort()).toEqual([
    'acknowledged null',
    'parked SUBMISSION_UNKNOWN',
  ]);
  expect(service.world.counts().costs).toBe(2);
  // The service shows a receipt before its amount is known; that is looked for, and nobody waits for it.
  const theirs = { tenantName: name, state: 'acknowledged' };
  const carried = () => prisma.submission.findFirstOrThrow({ where: theirs });
  const look = async () => {
    await prisma.submission.updateMany({ where: { ...theirs, amount: null }, data: { dueAt: new Date() } });
    await round();
    return (await carried()).amount?.toNumber();
  };
  await expect.poll(look, { timeout: 10_000 }).toBe(12_400);
  expect(await carried()).toMatchObject({ sends: 1, dueAt: null, counterparty: '5902697199' });
});
