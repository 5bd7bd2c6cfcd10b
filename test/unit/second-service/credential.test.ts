import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SecondService } from '../../support/second-service/index.js';
import { credentialTalk, CUSTOMER, invoiceFor, LINE, orderFor } from './talk.js';

let service: SecondService;
let talk: ReturnType<typeof credentialTalk>;
let customer: string;

beforeAll(async () => {
  service = await SecondService.start();
  talk = credentialTalk(service);
});

beforeEach(async () => {
  customer = (await talk.post('create-customer', { data: CUSTOMER })).body.result;
});

afterAll(async () => {
  expect(service.violations).toEqual([]);
  await service.close();
});

/** What the service says no to, and that it has done nothing. */
async function refused(name: string, data: object): Promise<string> {
  const before = service.world.counts();
  const { status, body } = await talk.post(name, { data });
  expect({ status, said: body.status, counts: service.world.counts() }).toEqual({
    status: 200,
    said: false,
    counts: before,
  });
  return body.message;
}

describe('accounts, customers and items of the second service', () => {
  it('lets in who has the key, and says so otherwise in an envelope', async () => {
    expect((await talk.get('hello')).body).toMatchObject({ status: true, message: 'Connection succeeded' });
    expect((await talk.get('hello', { api_key: 'wrong' })).body).toEqual({
      status: false,
      message: 'Invalid api_key',
    });
  });

  it('creates a customer each time and never looks for the same kennitala', async () => {
    const before = service.world.counts().customers;
    await talk.post('create-customer', { data: CUSTOMER });
    await talk.post('create-customer', { data: CUSTOMER });
    expect(service.world.counts().customers).toBe(before + 2);
    const { body } = await talk.get('get-customers-by-kennitala', {
      kennitala: CUSTOMER.registration_no,
      limit: 2,
    });
    expect(body.result).toHaveLength(2);
    expect(body.result[0]).toMatchObject({
      registration_no: '5902697199',
      output_select: '3',
      email: CUSTOMER.email,
    });
  });

  it('wants what the write rules want of a customer', async () => {
    expect(await refused('create-customer', { ...CUSTOMER, registration_no: '5902697189' })).toBe(
      'Invalid kennitala',
    );
    expect(await refused('create-customer', { ...CUSTOMER, email: undefined })).toBe(
      'Field email is required',
    );
    const xml = { ...CUSTOMER, output_select: '2' };
    expect(await refused('create-customer', xml)).toBe('Field trading_partner_id is required');
    expect(await refused('create-customer', { ...xml, trading_partner_id: '0196:5902697199' })).toMatch(
      /bare kennitala/,
    );
  });

  it('numbers items itself and takes Z for a tax that is left out', async () => {
    const { body } = await talk.post('create-item', {
      data: { item_number: 'MINE', description: 'Vara', unit_price: 5 },
    });
    const item = (await talk.get('get-item', { guid: body.result })).body.result;
    expect(item).toMatchObject({ description: 'Vara', tax: 'Z', unit_price: 5, active: true });
    expect(item.item_number).not.toBe('MINE');
    expect(service.callsOf('create-item').at(-1)?.ignored).toEqual(['item_number']);
  });
});

describe('invoices, orders and drafts of the second service', () => {
  it('issues an invoice and gives it back in the shape of the table', async () => {
    const { body } = await talk.post('create-invoice', {
      data: invoiceFor(customer, { booking: 'ours', is_payment_link: true }),
    });
    expect(body.payment_link).toMatch(/^https:/);
    const read = (await talk.get('get-invoice', { guid: body.result })).body.result;
    expect(read).toMatchObject({
      amount: 24_800,
      total_24vat: 20_000,
      booking: 'ours',
      accounting_status: 'Created',
    });
    expect(read).toMatchObject({
      type: 'invoice',
      status: 'Sent',
      delivery_date: null,
      customer: { guid: customer },
    });
    expect(read.items).toMatchObject([{ item_number: 'SKU-1', qty: 2, discount_type: 0 }]);
  });

  it.each([
    ['an amount that is not the sum of its lines with VAT', { amount: 24_799.99 }, /Amount mismatch/],
    ['no settlement date', { settlement_date: undefined }, /settlement_date is required/],
    [
      'a settlement before it is due',
      { settlement_date: '2026-11-04' },
      /settlement_date must not be before/,
    ],
    [
      'an inline line without a number',
      { items: [{ ...LINE, item_number: undefined }] },
      /item_number is required/,
    ],
    [
      'a quantity that is not whole',
      { items: [{ ...LINE, qty: 1.5 }], amount: 18_600 },
      /qty must be an integer/,
    ],
    ['a credit note of nothing', { type: 'credit' }, /ref_invoice_guid/],
    ['a claim that is paid', { is_claim: true, mark_paid: true }, /is_claim/],
    ['an amount in words', { amount: '24800' }, /amount must be a number/],
    ['a file that was not uploaded', { files: '1' }, /No file/],
  ])('refuses an invoice with %s', async (_what, more, message) => {
    expect(await refused('create-invoice', invoiceFor(customer, more))).toMatch(message);
  });

  it('credits an invoice for the customer of the original, with an uploaded file', async () => {
    const original = (await talk.post('create-invoice', { data: invoiceFor(customer) })).body.result;
    const file = (await talk.upload('upload-file', {}, new File(['%PDF'], 'a.pdf'))).body.result;
    const data = invoiceFor('nobody', { type: 'credit', ref_invoice_guid: original, files: String(file) });
    const credit = (await talk.post('create-invoice', { data })).body.result;
    const read = (await talk.get('get-invoice', { guid: credit })).body.result;
    expect(read).toMatchObject({ type: 'credit', refer_guid: original, customer: { guid: customer } });
  });

  it('keeps a draft and an order, and names the invoices that came of them', async () => {
    for (const word of ['order', 'draft'] as const) {
      const guid = (await talk.post(`create-${word}-invoice`, { data: orderFor(CUSTOMER.registration_no) }))
        .body.result;
      expect((await talk.post(`get-invoices-from-${word}`, { guid })).body.result).toEqual([]);
      const invoice = word === 'order' ? service.desk.invoiceOrder(guid) : service.desk.invoiceDraft(guid);
      const [read] = (await talk.post(`get-invoices-from-${word}`, { guid })).body.result;
      expect(read.guid).toBe(invoice.guid);
    }
    expect(await refused('create-draft-invoice', orderFor('0101302989'))).toBe(
      'No customer found with this kennitala',
    );
  });

  it('keeps a recurring template, without a type, and makes its invoices', async () => {
    const recurring = {
      recurring_name: 'Áskrift',
      recurring_start_date: '2026-12-01',
      recurring_link_national: 0,
    };
    const body = { ...invoiceFor(customer), ...recurring, recurring_interval: 'monthly', type: undefined };
    const guid = (await talk.post('create-recurring-invoice', { data: body })).body.result;
    expect(service.desk.generate(guid, '2026-12-01')).toMatchObject({
      issueDate: '2026-12-01',
      amount: 24_800,
    });
    expect(await refused('create-recurring-invoice', { ...body, type: 'invoice' })).toBe(
      'A recurring invoice has no type',
    );
  });

  it('lists by status and day, newest first, and locks what is posted', async () => {
    const guid = (
      await talk.post('create-invoice', { data: invoiceFor(customer, { issue_date: '2026-11-04' }) })
    ).body.result;
    const filter = {
      accounting_status: 'Created,Error',
      from_date: '2026-11-03',
      to_date: '2026-11-04',
      limit: 1,
    };
    expect((await talk.get('get-invoices', filter)).body.result[0].guid).toBe(guid);
    expect((await talk.get('get-count-invoices', filter)).body.result).toBe(1);
    const data = { accounting_status: 'Posted', accounting_message: 'V-1' };
    expect((await talk.post('update-invoice', { guid, data })).body).toMatchObject({
      status: true,
      result: guid,
    });
    expect((await talk.post('update-invoice', { guid, data })).body).toMatchObject({ status: false });
    const wrong = await talk.get('get-invoices', { accounting_status: 'Nonsense' });
    expect(wrong).toMatchObject({ status: 400, body: { error_code: 'invalid_accounting_status' } });
  });
});
