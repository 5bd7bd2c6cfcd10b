// An invoice that comes to less than nothing is no invoice: it is refused at its origin and never reaches the service, and one that the
// service shows with another sign is not taken for ours.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { invoice, KENNITALA, outgoingBed, testDatabase } from '../../support/outbound-bed.js';
import type { TestDatabase } from '../../support/database.js';

let database: TestDatabase;
let bed: Awaited<ReturnType<typeof outgoingBed>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

const KNOWN = { kennitala: KENNITALA, name: 'Prufa ehf.', email: 'prufa@example.is' };
const lines = (...qty: readonly number[]) =>
  qty.map((count, index) => ({
    ...{ item_number: `V-${String(index)}`, description: 'Vara', qty: count, unit_price: 1000, tax: 'S' },
  }));

describe('a total below zero', () => {
  test.each(['invoice', 'draft', 'order'])('is refused as %s, and points to a credit note', async (kind) => {
    bed = await outgoingBed({ database });
    await bed.put('a.jsonl', [invoice('SO-1', { kind, lines: lines(1, -3) })]);
    await bed.settle();
    expect(await bed.row('SO-1')).toMatchObject({ state: 'refused', reason: 'SUBMISSION_BREACH', sends: 0 });
    expect(await bed.results('a.jsonl')).toMatchObject([
      { state: 'refused', why: expect.stringMatching(/-2480\.00.*credit_of/) as string },
    ]);
    expect(bed.sandbox.control.journal({ endpoint: `POST create-${kind}` })).toEqual([]);
  });

  test('is refused as a quote and as a subscription', async () => {
    bed = await outgoingBed({ database, surface: 'agent' });
    const { issue_date: start_date, ...rest } = invoice('S-1', { lines: lines(-1) });
    const subscription = {
      ...rest,
      kind: 'subscription',
      name: 'Vefhýsing',
      interval: 'monthly',
      start_date,
    };
    await bed.put('a.jsonl', [invoice('Q-1', { kind: 'quote', lines: lines(-1) }), subscription]);
    await bed.settle();
    expect(await bed.row('Q-1')).toMatchObject({ state: 'refused', sends: 0 });
    expect(await bed.row('S-1')).toMatchObject({ state: 'refused', sends: 0 });
  });

  test('of a discount that is larger than its line is refused, and nothing at all is not', async () => {
    bed = await outgoingBed({ database });
    const discounted = (percent: number) => [{ ...lines(1)[0], discount: percent, discount_type: 1 }];
    await bed.put('a.jsonl', [
      invoice('SO-1', { lines: discounted(101) }),
      invoice('SO-2', { lines: discounted(100) }),
    ]);
    await bed.settle();
    expect(await bed.row('SO-1')).toMatchObject({ state: 'refused' });
    expect(await bed.row('SO-2')).toMatchObject({ state: 'acknowledged' });
  });
});

test('an invoice that the service shows with the other sign is shown to a person', async () => {
  bed = await outgoingBed({ database });
  await bed.put('c.jsonl', [{ ...KNOWN, kind: 'customer' }]);
  await bed.settle();
  await bed.put('a.jsonl', [invoice('SO-1', { lines: lines(1) })]);
  const { control } = bed.sandbox;
  control.addFault({ kind: 'reset-after', endpoint: 'create-invoice', times: 1 });
  // A machine that is too busy to send it in time sends it in a later round. After the first one it is in doubt, and not looked for yet.
  await expect
    .poll(() => bed.round().then(() => control.journal({ endpoint: 'create-invoice' })))
    .toHaveLength(1);
  const [made] = await vi.waitUntil(() => bed.atService('SO-1').catch(() => null), 30_000);
  control.editInvoice('hraun', made!.guid, { amount: -1240 });
  await bed.settle();
  expect(await bed.row('SO-1')).toMatchObject({ state: 'parked', reason: 'SUBMISSION_COLLISION', sends: 1 });
});
