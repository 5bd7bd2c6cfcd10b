// Document 1: dashboard, summaries, tasks, product sales.
import { expect } from 'vitest';
import { resultOf, rowsOf, type TestSandbox } from '../sandbox-client.js';
import { rule } from './rule.js';

async function newTask({ post }: TestSandbox): Promise<string> {
  const item = { guid: '', description: 'Forritun', uom: 'HUR', tax: 'S', unit_price: 18000, category: '' };
  const data = JSON.stringify({ name: 'Vefur', item });
  return String((await post('create-task', { data })).body['result']);
}

const taskOf = async ({ post }: TestSandbox, guid: string) => resultOf(await post('get-task', { guid }));

async function logged(sandbox: TestSandbox) {
  const guid = await newTask(sandbox);
  const fields = {
    guid,
    date: '2026-03-09',
    end_date: '2026-03-09',
    h: '09:00',
    p: '11:30',
    description: 'Dagur',
  };
  expect((await sandbox.post('log-task', fields)).body).toMatchObject({ status: true });
  const [log] = (await taskOf(sandbox, guid))['logs'] as Record<string, unknown>[];
  return { guid, log: log!, logGuid: String(log!['guid']) };
}

async function eventSale({ get }: TestSandbox, isEvent: boolean) {
  const sales = rowsOf(await get('get-product-sales', { limit: '100' }));
  return String(sales.find((sale) => (sale['type'] === 4) === isEvent)!['guid']);
}

export const WORK_RULES = [
  rule(
    'get-dashboard-data',
    'start_date, end_date, limit, page → Dashboard invoices',
    async ({ get, post }) => {
      const period = { start_date: '2026-02-01', end_date: '2026-02-20' };
      const rows = rowsOf(await post('get-dashboard-data', period));
      const issued = rowsOf(await get('get-invoices', { from_date: '2026-02-01', to_date: '2026-02-20' }));
      expect(rows.length).toBe(issued.filter((invoice) => invoice['status'] !== 'Draft').length);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        const [net, vat, gross] = ['excluding_vat', 'vat_total', 'including_vat'].map((name) =>
          Math.round(Number(row[name === 'vat_total' ? 'invoice_vat_total' : `invoice_total_${name}`]) * 100),
        );
        expect(Math.abs(net! + vat! - gross!)).toBeLessThanOrEqual(2);
        expect(row['invoice_status']).toMatch(/^(Paid|Not Paid)$/);
        expect(row['document_type']).toMatch(/^(Invoice|Credit Note)$/);
        expect((row['items'] as unknown[]).length).toBeGreaterThan(0);
      }
      expect(rowsOf(await post('get-dashboard-data', { ...period, limit: '1', page: '2' }))).toEqual([
        rows[1],
      ]);
    },
  ),
  rule(
    'invoice-summaries',
    'total first, then those with data; total is the sum of the four',
    async ({ get }) => {
      const { body } = await get('invoice-summaries', { year: '2026' });
      expect(body).toMatchObject({ status: true, period: { from: '2026-01-01', to: '2026-12-31' } });
      const [total, ...buckets] = body['summaries'] as { status: string; count: number }[];
      expect(total!.status).toBe('total');
      expect(total!.count).toBe(buckets.reduce((sum, bucket) => sum + bucket.count, 0));
      expect(buckets.map((bucket) => bucket.status)).toEqual(
        ['paid', 'sent', 'overdue', 'collection'].filter((name) =>
          buckets.some((bucket) => bucket.status === name),
        ),
      );
    },
  ),
  rule('invoice-summaries', 'exactly one period mode', async ({ get }) => {
    const period = async (query: Record<string, string>) =>
      (await get('invoice-summaries', query)).body['period'];
    expect(await period({ year: '2024', month: '2' })).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(await period({ year: '2026', from_month: '3', to_month: '4' })).toEqual({
      from: '2026-03-01',
      to: '2026-04-30',
    });
    expect(await period({ from_date: '2026-01-05', to_date: '2026-01-06' })).toEqual({
      from: '2026-01-05',
      to: '2026-01-06',
    });
    for (const wrong of [
      {},
      { month: '1' },
      { year: '2026', month: '13' },
      { year: '2026', from_month: '1' },
      { year: '2026', from_date: '2026-01-01', to_date: '2026-01-02' },
      { from_date: '2026-02-01', to_date: '2026-01-01' },
    ])
      expect((await get('invoice-summaries', wrong)).body['status'], JSON.stringify(wrong)).toBe(false);
  }),
  rule('create-task', 'data → GUID', async (sandbox) => {
    expect(await newTask(sandbox)).toMatch(/^[0-9a-f-]{36}$/);
    expect((await sandbox.post('create-task', { data: '{}' })).body['message']).toBe(
      'Field name is required',
    );
  }),
  rule('get-task', 'guid → Task; start_time is d.m.Y H:i', async (sandbox) => {
    expect(await taskOf(sandbox, await newTask(sandbox))).toMatchObject({
      name: 'Vefur',
      status: 'open',
      start_time: '10.03.2026 12:00',
      total_time: 0,
      invoices: [],
      logs: [],
      canStart: true,
      canStop: false,
      canDeactive: true,
      project_name: '',
      item: { description: 'Forritun', unit_price: 18000, tax: 'S' },
    });
  }),
  rule('get-tasks', 'type open (default), invoice, older', async (sandbox) => {
    const open = await newTask(sandbox);
    const { guid: withHours } = await logged(sandbox);
    const guids = async (fields: Record<string, string>) =>
      rowsOf(await sandbox.post('get-tasks', fields)).map((task) => task['guid']);
    expect(await guids({})).toEqual(expect.arrayContaining([open, withHours]));
    expect(await guids({ type: 'invoice' })).toContain(withHours);
    expect(await guids({ type: 'invoice' })).not.toContain(open);
    expect(await guids({ type: 'older' })).not.toContain(open);
    expect((await sandbox.post('get-tasks', { type: 'all' })).body['status']).toBe(false);
  }),
  rule('get-count-tasks', 'type → count', async ({ post }) => {
    for (const type of ['open', 'invoice', 'older'])
      expect((await post('get-count-tasks', { type })).body['result']).toBe(
        rowsOf(await post('get-tasks', { type })).length,
      );
  }),
  rule('start-task', 'guid → status/message; canStart, then canStop', async (sandbox) => {
    const guid = await newTask(sandbox);
    expect((await sandbox.post('start-task', { guid })).body['status']).toBe(true);
    expect(await taskOf(sandbox, guid)).toMatchObject({ canStart: false, canStop: true, canDeactive: false });
    expect((await sandbox.post('start-task', { guid })).body['status']).toBe(false);
  }),
  rule('end-task', 'stops the timer and logs its hours', async (sandbox) => {
    const guid = await newTask(sandbox);
    expect((await sandbox.post('end-task', { guid })).body['status']).toBe(false);
    await sandbox.post('start-task', { guid });
    sandbox.sandbox.control.advanceClock(90 * 60_000);
    expect((await sandbox.post('end-task', { guid, description: 'Búið' })).body['status']).toBe(true);
    expect(await taskOf(sandbox, guid)).toMatchObject({
      total_time: 1.5,
      logs: [{ manual: false, quantity: 1.5, description: 'Búið' }],
    });
    sandbox.sandbox.control.advanceClock(-90 * 60_000);
  }),
  rule('log-task', 'date and end_date are required; h and p are times of the day', async (sandbox) => {
    const { guid, log } = await logged(sandbox);
    expect(log).toMatchObject({
      manual: true,
      quantity: 2.5,
      description: 'Dagur',
      advanced: false,
      count_of_workers: 1,
      from_date: '2026-03-09',
      to_date: '2026-03-09',
      creation_date: '2026-03-10 12:00:00',
      image: '',
    });
    expect((await sandbox.post('log-task', { guid, date: '2026-03-09' })).body['message']).toBe(
      'Field end_date is required',
    );
  }),
  rule('edit-log-task', 'guid is the log-entry GUID', async (sandbox) => {
    const { guid, logGuid } = await logged(sandbox);
    const fields = { guid: logGuid, date: '2026-03-08', end_date: '2026-03-08', h: '8', p: '12' };
    expect((await sandbox.post('edit-log-task', fields)).body['status']).toBe(true);
    expect((await taskOf(sandbox, guid))['logs']).toMatchObject([
      { guid: logGuid, quantity: 4, from_date: '2026-03-08' },
    ]);
    expect((await sandbox.post('edit-log-task', { ...fields, guid })).body['status']).toBe(false);
  }),
  rule('task-log-delete', 'guid (log entry) → status/message', async (sandbox) => {
    const { guid, logGuid } = await logged(sandbox);
    expect((await sandbox.post('task-log-delete', { guid: logGuid })).body['status']).toBe(true);
    expect((await taskOf(sandbox, guid))['logs']).toEqual([]);
  }),
  rule('get-product-sales', 'result, total, page; type is an integer code', async ({ get }) => {
    const { body } = await get('get-product-sales');
    const sales = body['result'] as Record<string, unknown>[];
    expect(body).toMatchObject({ status: true, page: 1, total: sales.length });
    for (const sale of sales) {
      expect([1, 2, 3, 4]).toContain(sale['type']);
      expect(sale['is_open']).toBe(sale['status'] === 1);
      expect(sale).not.toHaveProperty('attendees');
    }
    const second = await get('get-product-sales', { limit: '1', page: '2' });
    expect(second.body).toMatchObject({ total: sales.length, page: 2, result: [sales[1]] });
  }),
  rule('get-count-product-sales', 'search_text → integer', async ({ get }) => {
    const { body } = await get('get-count-product-sales');
    expect(body['result']).toBe((await get('get-product-sales')).body['total']);
    expect((await get('get-count-product-sales', { search_text: 'ekkert slíkt' })).body['result']).toBe(0);
  }),
  rule('get-product-sale-attends', 'event-type sales only; result, total, page', async (sandbox) => {
    const guid = await eventSale(sandbox, true);
    const { body } = await sandbox.get('get-product-sale-attends', { guid, limit: '2' });
    expect(body).toMatchObject({ status: true, page: 1, total: expect.any(Number) as number });
    for (const attendee of body['result'] as Record<string, unknown>[])
      expect(attendee).toMatchObject({ attended: expect.stringMatching(/^(true|false)$/) as string });
    const other = await eventSale(sandbox, false);
    expect((await sandbox.get('get-product-sale-attends', { guid: other })).body['status']).toBe(false);
  }),
];
