// Document 1: authentication test, customers, items.
import { expect } from 'vitest';
import { KENNITALA, resultOf, rowsOf, type TestSandbox } from '../sandbox-client.js';
import { rule } from './rule.js';

const CUSTOMER = {
  name: 'Jökull ehf.',
  registration_no: KENNITALA,
  email: 'a@example.is',
  output_select: '3',
};

async function newCustomer(sandbox: TestSandbox, changes: Record<string, unknown> = {}) {
  return sandbox.post('create-customer', { data: JSON.stringify({ ...CUSTOMER, ...changes }) });
}

export const CATALOGUE_RULES = [
  rule(
    'hello',
    "status, message 'Connection succeeded', name, registration_no, vat_no",
    async ({ get, sandbox }) => {
      const { http, body } = await get('hello');
      expect(http).toBe(200);
      expect(body).toEqual({
        status: true,
        message: 'Connection succeeded',
        name: sandbox.accounts[0]!.name,
        registration_no: sandbox.accounts[0]!.registrationNo,
        vat_no: expect.stringMatching(/^\d+$/) as string,
      });
    },
  ),
  rule('create-customer', 'result is the GUID; every call creates a profile', async (sandbox) => {
    const [first, second] = [await newCustomer(sandbox), await newCustomer(sandbox)];
    expect(first.body['result']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.body['result']).not.toBe(first.body['result']);
  }),
  rule('create-customer', 'email is required unless output_select = 4', async (sandbox) => {
    expect((await newCustomer(sandbox, { email: '' })).body['status']).toBe(false);
    expect((await newCustomer(sandbox, { email: '', output_select: '4' })).body['status']).toBe(true);
  }),
  rule('create-customer', 'trading_partner_id is required when output_select = 2, bare', async (sandbox) => {
    const partner = (id: string) => newCustomer(sandbox, { output_select: '2', trading_partner_id: id });
    expect((await partner('')).body['status']).toBe(false);
    expect((await partner(`0196:${KENNITALA}`)).body['status']).toBe(false);
    expect((await partner(KENNITALA)).body['status']).toBe(true);
  }),
  rule('create-customer', 'kennitala is validated with a mod-11 checksum', async (sandbox) => {
    const answer = await newCustomer(sandbox, { registration_no: '5902697189' });
    expect(answer.body).toMatchObject({ status: false, result: null });
  }),
  rule('create-customer', 'data is a JSON-encoded string', async ({ post }) => {
    expect((await post('create-customer', { data: '{broken' })).body['status']).toBe(false);
    expect((await post('create-customer', { name: 'Flat' })).body).toMatchObject({
      status: false,
      message: 'Field data is required',
    });
  }),
  rule('get-customer', 'guid (required) → Customer with every field', async (sandbox) => {
    const created = await newCustomer(sandbox, { due_date: 14, tax_exempt: 1, lang: 'en', currency: 'EUR' });
    const { body } = await sandbox.get('get-customer', { guid: String(created.body['result']) });
    expect(body['result']).toMatchObject({
      ...CUSTOMER,
      due_date: 14,
      settlement_date: 7,
      tax_exempt: true,
      lang: 'en',
      currency: 'EUR',
      is_claim: false,
      is_discount: false,
      updated_timestamp: '2026-03-10 12:00:00',
    });
    expect(Object.keys(body['result'] as object)).not.toContain('active');
    expect((await sandbox.get('get-customer')).body['message']).toBe('Field guid is required');
  }),
  rule('update-customer', 'guid, data → GUID; fields not sent stay', async (sandbox) => {
    const guid = String((await newCustomer(sandbox)).body['result']);
    const changed = await sandbox.post('update-customer', {
      guid,
      data: JSON.stringify({ city: 'Akureyri' }),
    });
    expect(changed.body['result']).toBe(guid);
    expect(resultOf(await sandbox.get('get-customer', { guid }))).toMatchObject({
      ...CUSTOMER,
      city: 'Akureyri',
    });
  }),
  rule('get-customers', 'search by name, limit and page; all records by default', async (sandbox) => {
    await newCustomer(sandbox, { name: 'Leitarorð hf.' });
    const found = await sandbox.get('get-customers', { search: 'leitarorð' });
    expect(rowsOf(found).map((row) => row['name'])).toEqual(['Leitarorð hf.']);
    const all = rowsOf(await sandbox.get('get-customers'));
    expect(all.length).toBeGreaterThan(8);
    const second = rowsOf(await sandbox.get('get-customers', { limit: '3', page: '2' }));
    expect(second.map((row) => row['guid'])).toEqual(all.slice(3, 6).map((row) => row['guid']));
  }),
  rule('get-count-customers', 'result is an integer that equals the list', async ({ get }) => {
    expect((await get('get-count-customers')).body['result']).toBe(rowsOf(await get('get-customers')).length);
    expect((await get('get-count-customers', { search: 'enginn heitir svona' })).body['result']).toBe(0);
  }),
  rule('get-customers-by-kennitala', 'exact kennitala, list', async (sandbox) => {
    await newCustomer(sandbox);
    const rows = rowsOf(await sandbox.get('get-customers-by-kennitala', { kennitala: KENNITALA }));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row['registration_no'] === KENNITALA)).toBe(true);
  }),
  rule('get-count-customers-by-kennitala', 'integer', async (sandbox) => {
    await newCustomer(sandbox);
    const query = { kennitala: KENNITALA };
    const rows = rowsOf(await sandbox.get('get-customers-by-kennitala', query));
    expect((await sandbox.get('get-count-customers-by-kennitala', query)).body['result']).toBe(rows.length);
  }),
  rule('create-item', 'tax defaults to Z; the number is generated by the service', async ({ get, post }) => {
    const data = JSON.stringify({ description: 'Skrúfa', uom: 'C62', unit_price: 12.345, active: 1 });
    const guid = String((await post('create-item', { data })).body['result']);
    expect(resultOf(await get('get-item', { guid }))).toMatchObject({
      guid,
      description: 'Skrúfa',
      tax: 'Z',
      unit_price: 12.345,
      active: true,
      item_number: expect.stringMatching(/.+/) as string,
    });
  }),
  rule('create-item', 'tax and uom are enumerations', async ({ post }) => {
    for (const wrong of [{ tax: 'B' }, { uom: 'box' }]) {
      const data = JSON.stringify({ description: 'x', unit_price: 1, ...wrong });
      expect((await post('create-item', { data })).body['status']).toBe(false);
    }
  }),
  rule('update-item', 'guid, data → GUID', async ({ get, post }) => {
    const guid = String(rowsOf(await get('get-items', { limit: '1' }))[0]!['guid']);
    const data = JSON.stringify({ unit_price: 99.5 });
    expect((await post('update-item', { guid, data })).body['result']).toBe(guid);
    expect(resultOf(await get('get-item', { guid }))['unit_price']).toBe(99.5);
  }),
  rule('get-items', 'limit, page → list of Item', async ({ get }) => {
    const all = rowsOf(await get('get-items'));
    const second = rowsOf(await get('get-items', { limit: '2', page: '2' }));
    expect(second).toEqual(all.slice(2, 4));
  }),
  rule('get-count-items', 'integer', async ({ get }) => {
    expect((await get('get-count-items')).body['result']).toBe(rowsOf(await get('get-items')).length);
  }),
  rule('get-item', 'an unknown or foreign guid is a handled failure', async ({ get }) => {
    const answer = await get('get-item', { guid: 'c0ffee00-0000-4000-8000-000000000000' });
    expect(answer).toMatchObject({
      http: 200,
      body: { status: false, message: 'No item found', result: null },
    });
  }),
];
