// What the API documents have of an invoice, a customer and a template goes out as they name it, and no rule of either surface is against it.
import { expect, test } from 'vitest';
import { surfaceBreach } from '../../../src/service/surface-breach.js';
import {
  customerContent,
  invoiceContent,
  subscriptionContent,
  totalOf,
} from '../../../src/origins/content.js';
import {
  customerRequest,
  invoiceRequest,
  preparedRequest,
  subscriptionRequest,
} from '../../../src/outbound/make-request.js';

const GUID = '0b7c1f5e-1111-4222-8333-444455556666';
const ITEM = 'aaaa1f5e-1111-4222-8333-444455556666';
const TODAY = '2026-11-19';
const WISH = { mark: 'booking', customers: 'update', settlementDays: 7, costAi: true } as const;
const KNOWN = { key: 'OAAAAAAAAAAAAAAAAAAA', customerGuid: GUID, creditedGuid: null };
const LINE = { item_number: 'V-1', description: 'Vara', qty: '2', unit_price: '1000', tax: 'S' };
const SURFACES = ['credential', 'agent'] as const;

test('a discount and a fee on the whole invoice', () => {
  const content = invoiceContent.parse({
    ...{ issue_date: TODAY, lines: [LINE], discount_value: '10', discount_type: '1', payment_fee: '250' },
  });
  const request = invoiceRequest(content, WISH, KNOWN);
  expect(request.body).toMatchObject({
    ...{
      amount: '2480.00',
      is_discount: true,
      discount_type: true,
      discount_value: '10',
      payment_fee: '250',
    },
  });
  for (const surface of SURFACES) expect(surfaceBreach(surface, request, TODAY)).toBeNull();
  const draft = { ...content, customer: { kennitala: '5402696029' }, payment_fee: undefined };
  expect(preparedRequest('draft', draft, WISH, KNOWN).body).toMatchObject({ discount_value: '10' });
});

test('a line that names an item of the service has its quantity and discount, and nothing else', () => {
  const lines = [LINE, { guid: ITEM, qty: '3', discount: '5', discount_type: true }];
  const content = invoiceContent.parse({ issue_date: TODAY, customer_guid: GUID, amount: '5000', lines });
  const request = invoiceRequest(content, WISH, KNOWN);
  expect(request.body['items']).toEqual([
    { ...LINE, uom: 'C62', add_new: 1 },
    { guid: ITEM, qty: '3', discount: '5', discount_type: true },
  ]);
  expect(request.body['amount']).toBe('5000.00');
  for (const surface of SURFACES) expect(surfaceBreach(surface, request, TODAY)).toBeNull();
  // Read once more, as it is kept, it is the same.
  expect(invoiceContent.parse(JSON.parse(JSON.stringify(content)))).toEqual(content);
  expect(totalOf(content)).toBe('5000.00');
});

test('terms, photo, claim and discount of a customer, where the surface has them', () => {
  const fields = { term: '30', photo: 'AAAA', is_claim: true, is_discount: false };
  const content = customerContent.parse({
    kennitala: '5402696029',
    name: 'Prufa ehf.',
    email: 'a@b.is',
    ...fields,
  });
  const request = customerRequest(content);
  expect(request.body).toMatchObject(fields);
  expect(surfaceBreach('credential', request, TODAY)).toBeNull();
  expect(surfaceBreach('agent', request, TODAY)).not.toBeNull();
});

test('a template that is linked to the national registry says so', () => {
  const template = { name: 'Vefhýsing', interval: 'monthly', start_date: '2026-12-01', lines: [LINE] };
  const customer = { kennitala: '5402696029' };
  const made = (more: object) =>
    subscriptionRequest(subscriptionContent.parse({ ...template, customer, ...more }), WISH, KNOWN.key, GUID);
  expect(made({}).body['recurring_link_national']).toBe(0);
  const linked = made({ link_national: true, payment_fee: '250' });
  expect(linked.body).toMatchObject({ recurring_link_national: 1, payment_fee: '250' });
  for (const surface of SURFACES) expect(surfaceBreach(surface, linked, TODAY)).toBeNull();
});
