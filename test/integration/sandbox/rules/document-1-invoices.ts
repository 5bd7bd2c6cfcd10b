// Document 1: invoices with their write rules, orders, drafts, recurring templates.
import { expect } from 'vitest';
import {
  invoiceBody,
  KENNITALA,
  line,
  PDF,
  resultOf,
  rowsOf,
  send,
  type Answer,
  type TestSandbox,
} from '../sandbox-client.js';
import { rule } from './rule.js';

async function buyer(sandbox: TestSandbox, changes: Record<string, unknown> = {}): Promise<string> {
  const customer = { name: 'Kaupandi ehf.', email: 'k@example.is', registration_no: KENNITALA, ...changes };
  return String((await sandbox.post('create-customer', { data: JSON.stringify(customer) })).body['result']);
}

async function create(sandbox: TestSandbox, changes: Record<string, unknown> = {}): Promise<Answer> {
  return sandbox.post('create-invoice', { data: invoiceBody(await buyer(sandbox), changes) });
}

async function created(sandbox: TestSandbox, changes: Record<string, unknown> = {}) {
  const answer = await create(sandbox, changes);
  expect(answer.body).toMatchObject({ status: true });
  const guid = String(answer.body['result']);
  return { guid, answer, read: async () => resultOf(await sandbox.get('get-invoice', { guid })) };
}

async function refused(sandbox: TestSandbox, changes: Record<string, unknown>): Promise<void> {
  const before = (await sandbox.get('get-count-items')).body['result'];
  const answer = await create(sandbox, changes);
  expect(answer.body, JSON.stringify(changes)).toMatchObject({ status: false, result: null });
  expect((await sandbox.get('get-count-items')).body['result'], 'nothing is left behind').toBe(before);
}

const status = (sandbox: TestSandbox, guid: string, accounting_status: string, accounting_message = '') =>
  sandbox.post('update-invoice', { guid, data: JSON.stringify({ accounting_status, accounting_message }) });

export const INVOICE_RULES = [
  rule('create-invoice', 'creates, numbers and hands it to bookkeeping as Created', async (sandbox) => {
    const { guid, read } = await created(sandbox, {
      description: 'Vinna',
      booking: 'B1',
      cost_provide: 'C1',
    });
    expect(await read()).toMatchObject({
      guid,
      number: expect.stringMatching(/^\d+$/) as string,
      amount: 3035.61,
      currency: 'ISK',
      status: 'Sent',
      type: 'invoice',
      refer_guid: null,
      created_date: '2026-03-10',
      issue_date: '2026-03-01',
      due_date: '2026-03-15',
      settlement_date: '2026-03-20',
      description: 'Vinna',
      booking: 'B1',
      cost_provide: 'C1',
      accounting_status: 'Created',
      accounting_message: '',
      total_24vat: 2000,
      total_11vat: 500.55,
      total_0vat: 0,
      exchange_rate: 1,
      customer: { name: 'Kaupandi ehf.', registration_no: KENNITALA, email: 'k@example.is' },
    });
  }),
  rule('create-invoice', 'amount equals Σ(lines) + VAT, rounded to 2 decimals', async (sandbox) => {
    await refused(sandbox, { amount: 3035.6 });
    await refused(sandbox, { amount: 3035.6105 });
    await refused(sandbox, { amount: undefined });
  }),
  rule('create-invoice', 'discounts count in the lines, percent or price', async (sandbox) => {
    const items = [
      line({ item_number: 'D1', qty: 3, unit_price: 100, tax: 'S', discount: 10, discount_type: 1 }),
      line({ item_number: 'D2', qty: 1, unit_price: 200, tax: 'Z', discount: 50, discount_type: 0 }),
    ];
    // 270 × 1.24 + 150 = 484.80
    const { read } = await created(sandbox, { amount: 484.8, items });
    expect((await read())['items']).toMatchObject([
      { qty: 3, unit_price: 100, discount: 10, discount_type: true },
      { qty: 1, unit_price: 200, discount: 50, discount_type: false },
    ]);
  }),
  rule(
    'create-invoice',
    'issue_date ≤ due_date ≤ settlement_date, settlement_date required',
    async (sandbox) => {
      await refused(sandbox, { settlement_date: undefined });
      await refused(sandbox, { due_date: '2026-02-28' });
      await refused(sandbox, { settlement_date: '2026-03-14' });
      await refused(sandbox, { issue_date: '2026-02-30' });
    },
  ),
  rule('create-invoice', 'issue_date defaults to today, due_date to issue_date', async (sandbox) => {
    const { read } = await created(sandbox, { issue_date: undefined, due_date: undefined });
    expect(await read()).toMatchObject({ issue_date: '2026-03-10', due_date: '2026-03-10' });
  }),
  rule(
    'create-invoice',
    'a line is an existing item (guid + qty) or a complete inline one',
    async (sandbox) => {
      const data = JSON.stringify({ description: 'Til', unit_price: 100, tax: 'S' });
      const guid = (await sandbox.post('create-item', { data })).body['result'];
      const { read } = await created(sandbox, { amount: 248, items: [{ guid, qty: 2 }] });
      expect((await read())['items']).toMatchObject([{ guid, qty: 2, unit_price: 100, tax: 'S' }]);
      await refused(sandbox, { items: [line({ qty: 1, unit_price: 1, tax: 'S' })] });
      await refused(sandbox, {
        items: [{ item_number: 'N', description: 'x', qty: 1, unit_price: 1, tax: 'S', uom: 'C62' }],
      });
      await refused(sandbox, { items: [line({ item_number: 'N', unit_price: 1, tax: 'S' })] });
      await refused(sandbox, { items: [] });
    },
  ),
  rule('create-invoice', 'the customer is {guid} or the Customer fields', async (sandbox) => {
    const { read } = await created(sandbox, { customer: { name: 'Nýr ehf.', email: 'n@example.is' } });
    expect((await read())['customer']).toMatchObject({ name: 'Nýr ehf.' });
    await refused(sandbox, { customer: { name: 'Án netfangs' } });
    await refused(sandbox, { customer: undefined });
  }),
  rule(
    'create-invoice',
    'credit: original of type invoice, customer inherited, sign by choice',
    async (sandbox) => {
      const original = await created(sandbox);
      const credit = await created(sandbox, {
        type: 'credit',
        ref_invoice_guid: original.guid,
        customer: undefined,
      });
      expect(await credit.read()).toMatchObject({
        type: 'credit',
        refer_guid: original.guid,
        amount: 3035.61,
        customer: (await original.read())['customer'],
      });
      await refused(sandbox, { type: 'credit' });
      await refused(sandbox, { type: 'credit', ref_invoice_guid: credit.guid });
    },
  ),
  rule('create-invoice', 'mark_paid → Paid; flags exclude each other', async (sandbox) => {
    const { read } = await created(sandbox, { mark_paid: true, method_payment: 3 });
    expect((await read())['status']).toBe('Paid');
    await refused(sandbox, { mark_paid: true, is_claim: true });
    await refused(sandbox, { mark_paid: true, is_payment_link: true });
    await refused(sandbox, { is_claim: true, is_payment_link: true });
    await refused(sandbox, { method_payment: 1 });
  }),
  rule('create-invoice', 'is_payment_link: the response includes payment_link (URL)', async (sandbox) => {
    const { answer } = await created(sandbox, { is_payment_link: true });
    const page = await send(String(answer.body['payment_link']));
    expect(page.http).toBe(200);
    expect(page.text).toContain('3035.61');
  }),
  rule('create-invoice', 'currency, type and tax are enumerations', async (sandbox) => {
    await refused(sandbox, { currency: 'XXX' });
    await refused(sandbox, { type: 'receipt' });
    await refused(sandbox, { items: [line({ item_number: 'N', qty: 1, unit_price: 1, tax: 'M' })] });
  }),
  rule('create-invoice', 'a tax-exempt customer bears no VAT', async (sandbox) => {
    const guid = await buyer(sandbox, { tax_exempt: true });
    const items = [line({ item_number: 'X', qty: 1, unit_price: 100, tax: 'S' })];
    await refused(sandbox, { customer: { guid }, items, amount: 124 });
    const { read } = await created(sandbox, { customer: { guid }, items, amount: 100 });
    expect(await read()).toMatchObject({ total_24vat: 0, total_0vat: 100 });
  }),
  rule('upload-file', 'multipart field file → file ID to put into invoice files', async (sandbox) => {
    const query = `?username=${sandbox.username}&api_key=${sandbox.apiKey}`;
    const uploaded = await sandbox.upload('upload-file', {}, PDF, query);
    expect(uploaded.body).toMatchObject({ status: true, result: expect.stringMatching(/^\d+$/) as string });
    await created(sandbox, { files: uploaded.body['result'] });
    await refused(sandbox, { files: '999999' });
    expect((await sandbox.post('upload-file')).body['message']).toBe('Field file is required');
  }),
  rule('get-invoice', 'an unknown guid is a handled failure', async ({ get }) => {
    expect((await get('get-invoice', { guid: 'nothing' })).body).toMatchObject({
      status: false,
      result: null,
    });
  }),
  rule('get-invoice-pdf', 'result {guid, file_name, file}, file is a base64 PDF', async (sandbox) => {
    const { guid } = await created(sandbox);
    const result = resultOf(await sandbox.get('get-invoice-pdf', { guid }));
    expect(result).toMatchObject({ guid, file_name: expect.stringMatching(/\.pdf$/) as string });
    expect(Buffer.from(String(result['file']), 'base64').toString('latin1')).toMatch(
      /^%PDF-[\s\S]+%%EOF\s*$/,
    );
  }),
  rule('update-invoice', 'Created → Posted with a message; Posted is terminal', async (sandbox) => {
    const { guid, read } = await created(sandbox);
    expect((await status(sandbox, guid, 'Posted', 'Bókað 17')).body).toMatchObject({
      status: true,
      result: guid,
    });
    expect(await read()).toMatchObject({ accounting_status: 'Posted', accounting_message: 'Bókað 17' });
    for (const again of ['Error', 'Skipped', 'Posted'])
      expect((await status(sandbox, guid, again)).body['status']).toBe(false);
  }),
  rule('update-invoice', 'accounting_status and accounting_message only', async (sandbox) => {
    const { guid } = await created(sandbox);
    const data = JSON.stringify({ accounting_status: 'Posted', amount: 1 });
    expect((await sandbox.post('update-invoice', { guid, data })).body['status']).toBe(false);
    for (const wrong of ['Created', 'New', 'posted', ''])
      expect((await status(sandbox, guid, wrong)).body['status']).toBe(false);
  }),
  rule(
    'update-invoice',
    'Error and Skipped are not called terminal: they can change, by choice',
    async (sandbox) => {
      const { guid } = await created(sandbox);
      expect((await status(sandbox, guid, 'Error')).body['status']).toBe(true);
      expect((await status(sandbox, guid, 'Posted')).body['status']).toBe(true);
    },
  ),
  rule('get-invoices', 'accounting_status filter, several by comma; 400 for others', async ({ get }) => {
    const rows = rowsOf(await get('get-invoices', { accounting_status: 'Posted,Error' }));
    expect(rows.every((row) => ['Posted', 'Error'].includes(String(row['accounting_status'])))).toBe(true);
    for (const wrong of ['New', 'created', 'Created,Nope']) {
      const answer = await get('get-invoices', { accounting_status: wrong });
      expect(answer).toMatchObject({
        http: 400,
        body: { status: false, error_code: 'invalid_accounting_status' },
      });
    }
  }),
  rule('get-invoices', 'sort: date_desc (default), date_asc, created_desc, created_asc', async ({ get }) => {
    const dates = async (sort?: string) =>
      rowsOf(await get('get-invoices', sort === undefined ? {} : { sort })).map((row) =>
        String(row['issue_date']),
      );
    const newest = await dates();
    expect(newest).toEqual([...newest].sort().reverse());
    expect(await dates('date_asc')).toEqual([...newest].sort());
    const days = (rows: Record<string, unknown>[]) => rows.map((row) => String(row['created_date']));
    const byCreation = days(rowsOf(await get('get-invoices', { sort: 'created_asc' })));
    expect(byCreation).toEqual([...byCreation].sort());
    const reversed = days(rowsOf(await get('get-invoices', { sort: 'created_desc' })));
    expect(reversed).toEqual([...byCreation].reverse());
    expect((await get('get-invoices', { sort: 'newest' })).body['status']).toBe(false);
  }),
  rule('get-invoices', 'limit and page cut the same order; all records by default', async ({ get }) => {
    const all = rowsOf(await get('get-invoices')).map((row) => row['guid']);
    const pages = [];
    for (let page = 1; page <= Math.ceil(all.length / 7); page += 1)
      pages.push(...rowsOf(await get('get-invoices', { limit: '7', page: String(page) })));
    expect(pages.map((row) => row['guid'])).toEqual(all);
    expect(rowsOf(await get('get-invoices', { limit: '7', page: '9999' }))).toEqual([]);
  }),
  rule('get-invoices', 'date_filter with from_date and to_date, default issue_date', async (sandbox) => {
    const { guid } = await created(sandbox, { issue_date: '2020-01-05', due_date: '2020-01-05' });
    const guids = async (query: Record<string, string>) =>
      rowsOf(await sandbox.get('get-invoices', query)).map((row) => row['guid']);
    expect(await guids({ from_date: '2020-01-05', to_date: '2020-01-05' })).toEqual([guid]);
    expect(await guids({ to_date: '2020-01-04' })).toEqual([]);
    const createdToday = { date_filter: 'created_date', from_date: '2026-03-10', to_date: '2026-03-10' };
    expect(await guids(createdToday)).toContain(guid);
    expect((await sandbox.get('get-invoices', { from_date: '05.01.2020' })).body['status']).toBe(false);
  }),
  rule('get-count-invoices', 'the same filters → integer', async ({ get }) => {
    for (const query of [
      {},
      { accounting_status: 'Created' },
      { from_date: '2026-02-01', to_date: '2026-02-20' },
    ]) {
      const rows = rowsOf(await get('get-invoices', query));
      expect((await get('get-count-invoices', query)).body['result']).toBe(rows.length);
    }
    expect((await get('get-count-invoices', { accounting_status: 'New' })).http).toBe(400);
  }),
  rule('do-paid-invoice', 'any changeable invoice → Paid; an active claim is cancelled', async (sandbox) => {
    const { guid, read } = await created(sandbox, { is_claim: true });
    expect(await read()).toMatchObject({ status: 'Sent', claim_status: 'sent' });
    const paid = await sandbox.post('do-paid-invoice', { guid });
    expect(paid.body['status']).toBe(true);
    expect('result' in paid.body).toBe(false);
    expect(await read()).toMatchObject({ status: 'Paid', claim_status: 'cancel' });
    expect((await sandbox.post('do-paid-invoice', { guid })).body['status']).toBe(false);
    expect((await sandbox.post('do-paid-invoice', { guid: 'none' })).body['message']).toBe(
      'Invoice not found',
    );
  }),
  rule('do-paid-invoice', 'failure to cancel the claim fails the call', async (sandbox) => {
    const { guid, read } = await created(sandbox, { is_claim: true });
    const fault = sandbox.sandbox.control.addFault({ kind: 'claim-cancellation' });
    expect((await sandbox.post('do-paid-invoice', { guid })).body['message']).toBe(
      'Claim cancellation failed',
    );
    sandbox.sandbox.control.removeFault(fault.id);
    expect((await read())['status']).toBe('Sent');
  }),
  rule('create-recurring-invoice', 'the service generates the invoices automatically', async (sandbox) => {
    const changes = {
      type: undefined,
      recurring_name: 'Áskrift',
      recurring_interval: 'annuall',
      recurring_start_date: '2023-03-01',
      recurring_max_invoice: 3,
      recurring_link_national: 0,
    };
    const before = Number((await sandbox.get('get-count-invoices')).body['result']);
    const data = invoiceBody(await buyer(sandbox), changes);
    expect((await sandbox.post('create-recurring-invoice', { data })).body['result']).toMatch(
      /^[0-9a-f-]{36}$/,
    );
    expect((await sandbox.get('get-count-invoices')).body['result']).toBe(before + 3);
    const { body } = await sandbox.post('create-recurring-invoice', {
      data: invoiceBody(await buyer(sandbox), { ...changes, recurring_interval: 'daily' }),
    });
    expect(body['status']).toBe(false);
  }),
  ...(['order', 'draft'] as const).flatMap((kind) => preparedRules(kind)),
];

function preparedRules(kind: 'order' | 'draft') {
  const body = (changes: Record<string, unknown> = {}) =>
    JSON.stringify({
      amount: 124,
      currency: 'ISK',
      settlement_date: 10,
      kennitala: KENNITALA,
      items: [line({ item_number: 'P', qty: 1, unit_price: 100, tax: 'S' })],
      ...changes,
    });
  const make = async ({ post }: TestSandbox) =>
    String((await post(`create-${kind}-invoice`, { data: body() })).body['result']);
  return [
    rule(`create-${kind}-invoice`, 'data → GUID; kennitala identifies the customer', async (sandbox) => {
      expect(await make(sandbox)).toMatch(/^[0-9a-f-]{36}$/);
      for (const wrong of [{ kennitala: '1' }, { amount: 1 }, { items: [] }]) {
        const answer = await sandbox.post(`create-${kind}-invoice`, { data: body(wrong) });
        expect(answer.body['status'], JSON.stringify(wrong)).toBe(false);
      }
    }),
    rule(`update-${kind}-invoice`, 'guid, data → GUID', async (sandbox) => {
      const guid = await make(sandbox);
      const data = JSON.stringify({ description: 'Breytt' });
      expect((await sandbox.post(`update-${kind}-invoice`, { guid, data })).body['result']).toBe(guid);
      expect((await sandbox.post(`update-${kind}-invoice`, { guid: 'x', data })).body['status']).toBe(false);
    }),
    rule(`delete-${kind}-invoice`, 'guid → status/message', async (sandbox) => {
      const guid = await make(sandbox);
      expect((await sandbox.post(`delete-${kind}-invoice`, { guid })).body).toEqual({
        status: true,
        message: expect.any(String) as string,
      });
      expect((await sandbox.post(`delete-${kind}-invoice`, { guid })).body['status']).toBe(false);
    }),
    rule(`get-invoices-from-${kind}`, 'guid, limit, page → list of invoices', async (sandbox) => {
      const guid = await make(sandbox);
      expect(rowsOf(await sandbox.post(`get-invoices-from-${kind}`, { guid }))).toEqual([]);
      const issued = sandbox.sandbox.control.issuePrepared(sandbox.username, guid);
      const rows = rowsOf(await sandbox.post(`get-invoices-from-${kind}`, { guid, limit: '5', page: '1' }));
      expect(rows.map((row) => [row['guid'], row['amount']])).toEqual([[issued, 124]]);
    }),
  ];
}
