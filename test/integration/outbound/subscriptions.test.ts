// A subscription is one recurring template at the service, made once; its invoices are the service's, and are tied to it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOurInvoices } from '../../../src/store/our-invoices.js';
import type { TestDatabase } from '../../support/database.js';
import { KENNITALA, outgoingBed, testDatabase, TODAY } from '../../support/outbound-bed.js';

type Bed = Awaited<ReturnType<typeof outgoingBed>>;

let database: TestDatabase;
let bed: Bed;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

const subscription = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ kind: 'subscription', reference: 'S-1', name: 'Vefhýsing', interval: 'monthly', start_date: TODAY },
  customer: { kennitala: KENNITALA, name: 'Prufa ehf.', email: 'prufa@example.is' },
  lines: [{ item_number: 'HYS', description: 'Vefhýsing', qty: 1, unit_price: 4990, tax: 'S' }],
  ...more,
});

const created = (surface: 'credential' | 'agent') =>
  bed.sandbox.control.journal({
    endpoint: surface === 'agent' ? 'POST /recurring-invoices' : 'create-recurring-invoice',
  });

describe.each(['credential', 'agent'] as const)('over the %s surface', (surface) => {
  test('one template is made, and the invoices that it makes carry its mark and are tied to it', async () => {
    bed = await outgoingBed({ database, surface });
    const { put, settle, row, prisma, db, name } = bed;
    await put('a.jsonl', [subscription()]);
    await settle();
    await settle();
    const made = await row('S-1');
    expect(made).toMatchObject({ state: 'acknowledged', sends: 1 });
    expect(created(surface)).toHaveLength(1);
    const found = await bed.tenant().target.findInvoices(made.key, 'booking', TODAY, { maxAgeMs: 0 });
    const [invoice] = found.outcome === 'complete' ? found.found : [];
    expect(invoice).toMatchObject({ amount: '6187.60', kennitala: KENNITALA });
    for (const booked of ['bridge', 'origin'] as const)
      expect(
        await createOurInvoices(db, name, { unlessSaid: booked, originsSay: false }).recognise(invoice!, [
          made.key,
        ]),
      ).toEqual({
        verdict: 'another',
        reference: 'S-1',
      });
    expect(await prisma.subscriptionInvoice.findMany({ where: { submissionId: made.id } })).toMatchObject([
      { guid: invoice!.guid, number: invoice!.number },
    ]);
    expect(bed.sandbox.control.brokenRules()).toEqual([]);
  });
});

test('one whose reply was lost is not made again: a person looks, and is told when its invoices are there', async () => {
  bed = await outgoingBed({ database });
  const { put, settle, row, sandbox } = bed;
  sandbox.control.addFault({ kind: 'reset-after', endpoint: 'create-recurring-invoice', times: 1 });
  await put('a.jsonl', [subscription()]);
  await settle();
  await settle();
  const parked = await row('S-1');
  expect(parked).toMatchObject({ state: 'parked', reason: 'SUBMISSION_UNKNOWN', sends: 1 });
  expect(parked.reasonParams).toContain('TEMPLATE_MAKES_INVOICES');
  expect(created('credential')).toHaveLength(1);
});

test('it ends by rule, with as many invoices as fall until its end; what changes later is told to a person', async () => {
  bed = await outgoingBed({ database });
  const { put, settle, row, prisma, name } = bed;
  await put('a.jsonl', [subscription({ start_date: '2030-01-31', end_date: '2030-06-30' })]);
  await settle();
  await settle();
  expect(JSON.parse((await row('S-1')).request ?? '{}')).toMatchObject({
    body: { recurring_max_invoice: 6, recurring_start_date: '2030-01-31' },
  });
  await put('a.jsonl', [subscription({ start_date: '2030-01-31', end_date: '2030-12-31' })]);
  await settle();
  expect(created('credential')).toHaveLength(1);
  expect(await prisma.incident.findFirst({ where: { tenantName: name } })).toMatchObject({
    code: 'SUBMISSION_CHANGED',
  });
});
