// Document 2: the resource endpoints of the agent surface, by scope.
import { expect } from 'vitest';
import {
  invoiceBody,
  KENNITALA,
  PDF,
  resultOf,
  rowsOf,
  send,
  type Answer,
  type TestSandbox,
} from '../sandbox-client.js';
import { ADVANCED } from './document-1-costs.js';
import { rule } from './rule.js';

const CUSTOMER = { kennitala: KENNITALA, name: 'Fjall ehf.', output_select: 4, lang: 'is', currency: 'ISK' };

const acted = (answer: Answer) => {
  expect(answer.body['action_id']).toBeTypeOf('number');
  return answer;
};

async function newCustomer({ agent }: TestSandbox, changes: object = {}) {
  return resultOf(acted(await agent('POST', '/customers', { ...CUSTOMER, ...changes })));
}

async function newInvoice(sandbox: TestSandbox) {
  const { guid } = await newCustomer(sandbox);
  const answer = acted(await sandbox.agent('POST', '/invoices', { data: invoiceBody(String(guid)) }));
  return { guid: String(answer.body['result']), id: Number(answer.body['invoice_id']), answer };
}

async function approvedCost(sandbox: TestSandbox): Promise<string> {
  const { body } = acted(await sandbox.agent('POST', '/costs/advanced', ADVANCED));
  const { guid } = body['result'] as { guid: string };
  sandbox.sandbox.control.approveCost(sandbox.username, guid);
  return guid;
}

async function newTask({ agent }: TestSandbox): Promise<string> {
  const data = JSON.stringify({ name: 'Verk', item: { guid: '', description: 'Vinna', uom: 'HUR' } });
  return String(acted(await agent('POST', '/tasks', { data })).body['result']);
}

async function loggedTask(sandbox: TestSandbox) {
  const guid = await newTask(sandbox);
  const body = { guid, qty: 2.25, date: '09.03.2026', description: 'Log' };
  expect(acted(await sandbox.agent('POST', '/tasks/log', body)).body['status']).toBe(true);
  const task = resultOf(await sandbox.agent('GET', `/tasks/${guid}`));
  return { guid, log: (task['logs'] as Record<string, unknown>[])[0]! };
}

const NAV = [
  rule('GET /invoices', 'limit defaults to 10, page to 1', async ({ agent }) => {
    const first = rowsOf(acted(await agent('GET', '/invoices')));
    expect(first).toHaveLength(10);
    const second = rowsOf(await agent('GET', '/invoices?limit=4&page=2'));
    expect(second.map((row) => row['guid'])).toEqual(first.slice(4, 8).map((row) => row['guid']));
  }),
  rule('GET /invoices', 'accounting_status, from_date, to_date', async ({ agent }) => {
    const rows = rowsOf(
      await agent(
        'GET',
        '/invoices?limit=100&accounting_status=Created&from_date=2026-02-01&to_date=2026-02-28',
      ),
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row['accounting_status']).toBe('Created');
      expect(String(row['issue_date'])).toMatch(/^2026-02/);
    }
    expect((await agent('GET', '/invoices?accounting_status=New')).http).toBe(400);
  }),
  rule('GET /invoices/count', 'counts what the list shows', async ({ agent }) => {
    const rows = rowsOf(await agent('GET', '/invoices?limit=1000&accounting_status=Created'));
    const { body } = acted(await agent('GET', '/invoices/count?accounting_status=Created'));
    expect(body['result']).toEqual({ count: rows.length });
  }),
  rule('GET /invoices/{id}', 'by guid, and by the integer that create returned', async (sandbox) => {
    const { guid, id } = await newInvoice(sandbox);
    for (const name of [guid, id])
      expect(resultOf(acted(await sandbox.agent('GET', `/invoices/${name}`)))['guid']).toBe(guid);
    expect((await sandbox.agent('GET', '/invoices/none')).body).toMatchObject({ status: false });
  }),
  rule('PUT /invoices/{id}', 'data with accounting_status and accounting_message only', async (sandbox) => {
    const { guid } = await newInvoice(sandbox);
    const put = (data: unknown) => sandbox.agent('PUT', `/invoices/${guid}`, { data });
    expect((await put({ accounting_status: 'Posted', amount: 1 })).body['status']).toBe(false);
    expect(
      (await put({ accounting_status: 'Error', accounting_message: 'x'.repeat(501) })).body['status'],
    ).toBe(false);
    expect(acted(await put(JSON.stringify({ accounting_status: 'Posted' }))).body['status']).toBe(true);
    expect((await put({ accounting_status: 'Error' })).body['status']).toBe(false);
  }),
  rule('PUT /invoices/{id}', 'PUT bodies must be application/json', async (sandbox) => {
    const { guid } = await newInvoice(sandbox);
    const answer = await send(`${sandbox.sandbox.url}/api/v1/agent/invoices/${guid}`, {
      method: 'PUT',
      headers: { authorization: `Basic ${btoa(`${sandbox.username}:${sandbox.apiKey}`)}` },
      body: new URLSearchParams({ data: '{"accounting_status":"Posted"}' }),
    });
    expect(answer.http).toBe(415);
    const invoice = resultOf(await sandbox.agent('GET', `/invoices/${guid}`));
    expect(invoice['accounting_status']).toBe('Created');
  }),
  rule('GET /items', 'limit 10 by default', async ({ agent }) => {
    expect(rowsOf(acted(await agent('GET', '/items'))).length).toBeLessThanOrEqual(10);
    expect(rowsOf(await agent('GET', '/items?limit=2&page=2'))).toHaveLength(2);
  }),
  rule('GET /items/count', 'counts them', async ({ agent }) => {
    const rows = rowsOf(await agent('GET', '/items?limit=1000'));
    expect((await agent('GET', '/items/count')).body['result']).toEqual({ count: rows.length });
  }),
  rule('POST /items', 'data as JSON string; tax defaults to Z', async ({ agent }) => {
    const data = JSON.stringify({ description: 'Hlutur', unit_price: 5 });
    const guid = String(acted(await agent('POST', '/items', { data })).body['result']);
    expect(resultOf(await agent('GET', `/items/${guid}`))).toMatchObject({ guid, tax: 'Z', unit_price: 5 });
  }),
  rule('GET /items/{id}', 'an unknown one is a handled failure with action_id', async ({ agent }) => {
    expect(acted(await agent('GET', '/items/none')).body).toMatchObject({
      status: false,
      message: 'No item found',
    });
  }),
  rule('PUT /items/{id}', 'changes the item', async ({ agent }) => {
    const guid = String(rowsOf(await agent('GET', '/items?limit=1'))[0]!['guid']);
    await agent('PUT', `/items/${guid}`, { data: JSON.stringify({ description: 'Nýtt nafn' }) });
    expect(resultOf(await agent('GET', `/items/${guid}`))['description']).toBe('Nýtt nafn');
  }),
];

const INVOICING = [
  rule('POST /invoices', '{success, invoice_id, action_id}, and the guid to store', async (sandbox) => {
    const { answer, guid, id } = await newInvoice(sandbox);
    expect(answer.body).toMatchObject({ status: true, success: true, invoice_id: id });
    expect(guid).toMatch(/^[0-9a-f-]{36}$/);
  }),
  rule('POST /invoices', 'the write rules of Document 1 apply', async (sandbox) => {
    const { guid } = await newCustomer(sandbox);
    const data = invoiceBody(String(guid), { amount: 1 });
    expect(acted(await sandbox.agent('POST', '/invoices', { data })).body['status']).toBe(false);
  }),
  rule(
    'POST /invoices',
    'second form: client_kennitala, client_name, items {item_no, qty, price}',
    async (sandbox) => {
      const item = rowsOf(await sandbox.agent('GET', '/items?limit=1'))[0]!;
      const answer = await sandbox.agent('POST', '/invoices', {
        client_kennitala: KENNITALA,
        client_name: 'Stutt ehf.',
        items: [{ item_no: item['item_number'], qty: 2, price: 1000 }],
      });
      expect(answer.body).toMatchObject({ status: true });
      const invoice = resultOf(await sandbox.agent('GET', `/invoices/${String(answer.body['result'])}`));
      expect((invoice['customer'] as Record<string, unknown>)['registration_no']).toBe(KENNITALA);
      expect(invoice['items']).toMatchObject([{ qty: 2, unit_price: 1000 }]);
    },
  ),
  rule('POST /quotes', 'same body; a quote is no invoice', async (sandbox) => {
    const count = async () => resultOf(await sandbox.agent('GET', '/invoices/count'))['count'];
    const { guid } = await newCustomer(sandbox);
    const before = await count();
    const answer = acted(await sandbox.agent('POST', '/quotes', { data: invoiceBody(String(guid)) }));
    expect(answer.body).toMatchObject({ status: true, success: true });
    expect(await count()).toBe(before);
  }),
  rule('POST /recurring-invoices', 'data (recurring body of Document 1)', async (sandbox) => {
    const { guid } = await newCustomer(sandbox);
    const data = invoiceBody(String(guid), {
      recurring_name: 'Áskrift',
      recurring_interval: 'monthly',
      recurring_start_date: '2027-01-01',
    });
    expect(acted(await sandbox.agent('POST', '/recurring-invoices', { data })).body['status']).toBe(true);
  }),
];

const CUSTOMERS = [
  rule(
    'POST /customers',
    'flat, nested under data, or data as JSON string; returns the customer',
    async (sandbox) => {
      for (const body of [CUSTOMER, { data: CUSTOMER }, { data: JSON.stringify(CUSTOMER) }]) {
        const { body: answer } = await sandbox.agent('POST', '/customers', body);
        expect(answer['result']).toMatchObject({
          registration_no: KENNITALA,
          name: 'Fjall ehf.',
          output_select: '4',
          due_date: 3,
          settlement_date: 7,
        });
      }
    },
  ),
  rule(
    'POST /customers',
    'kennitala, name, output_select, lang and currency are required',
    async ({ agent }) => {
      for (const name of ['kennitala', 'name', 'output_select', 'lang', 'currency'])
        expect((await agent('POST', '/customers', { ...CUSTOMER, [name]: '' })).body['message']).toBe(
          `Field ${name} is required`,
        );
      expect((await agent('POST', '/customers', { ...CUSTOMER, output_select: 3 })).body['status']).toBe(
        false,
      );
    },
  ),
  rule(
    'GET /customers',
    'search in name, kennitala or e-mail; kennitala exact; limit 10',
    async (sandbox) => {
      const { guid } = await newCustomer(sandbox, { name: 'Einstakt heiti', email: 'einstakt@example.is' });
      for (const query of ['search=einstakt%20heiti', 'search=einstakt@example'])
        expect(rowsOf(await sandbox.agent('GET', `/customers?${query}`)).map((row) => row['guid'])).toEqual([
          guid,
        ]);
      expect(
        rowsOf(await sandbox.agent('GET', `/customers?kennitala=${KENNITALA}&limit=200`)).map(
          (row) => row['guid'],
        ),
      ).toContain(guid);
      expect(rowsOf(await sandbox.agent('GET', `/customers?kennitala=${KENNITALA.slice(0, 5)}`))).toEqual([]);
      expect(rowsOf(await sandbox.agent('GET', '/customers'))).toHaveLength(10);
    },
  ),
  rule('GET /customers/count', 'counts them', async ({ agent }) => {
    const rows = rowsOf(await agent('GET', '/customers?limit=1000'));
    expect((await agent('GET', '/customers/count')).body['result']).toEqual({ count: rows.length });
  }),
  rule('GET /customers/{guid}', 'the customer', async (sandbox) => {
    const customer = await newCustomer(sandbox);
    expect(resultOf(await sandbox.agent('GET', `/customers/${String(customer['guid'])}`))).toEqual(customer);
  }),
  rule('PUT /customers/{guid}', 'only the fields to change are sent', async (sandbox) => {
    const { guid } = await newCustomer(sandbox);
    const answer = await sandbox.agent('PUT', `/customers/${String(guid)}`, { city: 'Ísafjörður' });
    expect(answer.body['result']).toMatchObject({ guid, city: 'Ísafjörður', name: 'Fjall ehf.' });
  }),
];

const COSTS = [
  rule('GET /costs', 'oldest first, without file and xml, limit 10', async ({ agent }) => {
    const rows = rowsOf(acted(await agent('GET', '/costs')));
    expect(rows).toHaveLength(10);
    const dates = rows.map((row) => String(row['issue_date']));
    expect(dates).toEqual([...dates].sort());
    for (const row of rows) {
      expect(row).not.toHaveProperty('xml');
      expect(row).not.toHaveProperty('file');
    }
  }),
  rule('GET /costs', 'accounting_status by comma, type, supplier_id, date_filter, dates', async (sandbox) => {
    const guid = await approvedCost(sandbox);
    const list = async (query: string) =>
      rowsOf(await sandbox.agent('GET', `/costs?limit=500&${query}`)).map((row) => row['guid']);
    expect(await list(`accounting_status=Created,New&supplier_id=${KENNITALA}&type=2353`)).toContain(guid);
    expect(await list('date_filter=created_date&from_date=2026-03-10&to_date=2026-03-10')).toContain(guid);
    expect(await list('from_date=2026-03-03&to_date=2026-03-03')).not.toContain(guid);
  }),
  rule('GET /costs/count', '→ result.count', async ({ agent }) => {
    const rows = rowsOf(await agent('GET', '/costs?limit=1000&accounting_status=New'));
    expect((await agent('GET', '/costs/count?accounting_status=New')).body['result']).toEqual({
      count: rows.length,
    });
  }),
  rule(
    'POST /costs',
    'multipart date, description, file; {success, cost_id}, result.queue',
    async (sandbox) => {
      const answer = await sandbox.upload('agent/costs', { date: '2026-03-01' }, PDF);
      expect(answer.body).toMatchObject({
        success: true,
        cost_id: expect.any(Number) as number,
        result: { queue: false },
      });
      const cost = resultOf(await sandbox.agent('GET', `/costs/${String(answer.body['cost_id'])}`));
      expect(cost).toMatchObject({ file_extension: 'pdf', accounting_status: 'New' });
    },
  ),
  rule('POST /costs', 'or JSON with description, amount, date', async ({ agent }) => {
    const { body } = await agent('POST', '/costs', {
      description: 'Leigubíll',
      amount: 4500,
      date: '2026-03-04',
    });
    const { guid } = body['result'] as { guid: string };
    expect(resultOf(await agent('GET', `/costs/${guid}`))).toMatchObject({
      amount: 4500,
      description: 'Leigubíll',
    });
  }),
  rule('POST /costs/advanced', 'the fields of create-cost-adv', async (sandbox) => {
    expect(
      (await sandbox.agent('POST', '/costs/advanced', { ...ADVANCED, type: 'Sales' })).body['status'],
    ).toBe(false);
    expect((await sandbox.upload('agent/costs/advanced', ADVANCED, PDF)).body['success']).toBe(true);
  }),
  rule('GET /costs/{id}', 'a single cost has file and xml', async (sandbox) => {
    const cost = resultOf(await sandbox.agent('GET', `/costs/${await approvedCost(sandbox)}`));
    expect(Buffer.from(String(cost['xml']), 'base64').toString()).toContain('<Invoice');
    expect(cost).toHaveProperty('file');
  }),
  rule('PUT /costs/{id}', 'data with accounting_status and optional accounting_message', async (sandbox) => {
    const guid = await approvedCost(sandbox);
    const data = { accounting_status: 'Posted', accounting_message: 'ok' };
    expect((await sandbox.agent('PUT', `/costs/${guid}`, { data })).body).toMatchObject({
      status: true,
      result: guid,
    });
    expect((await sandbox.agent('PUT', `/costs/${guid}`, { data })).body['message']).toBe(
      'Only costs with accounting_status Created can be updated via the API',
    );
  }),
  rule('DELETE /costs/{id}', 'permanent; Posted costs cannot be deleted', async (sandbox) => {
    const guid = await approvedCost(sandbox);
    expect(acted(await sandbox.agent('DELETE', `/costs/${guid}`)).body['status']).toBe(true);
    expect((await sandbox.agent('GET', `/costs/${guid}`)).body['message']).toBe('No cost found');
    const posted = await approvedCost(sandbox);
    await sandbox.agent('PUT', `/costs/${posted}`, { data: { accounting_status: 'Posted' } });
    expect((await sandbox.agent('DELETE', `/costs/${posted}`)).body['status']).toBe(false);
  }),
  rule(
    'POST /costs/{id}/move-to-new',
    "{status: true, result: guid}; failure has result ''",
    async (sandbox) => {
      const guid = await approvedCost(sandbox);
      expect((await sandbox.agent('POST', `/costs/${guid}/move-to-new`)).body).toMatchObject({
        status: true,
        result: guid,
      });
      expect((await sandbox.agent('POST', `/costs/${guid}/move-to-new`)).body).toMatchObject({
        status: false,
        message:
          'This cost cannot be moved to New (only approved, non-Posted costs can be re-opened for editing)',
        result: '',
      });
    },
  ),
];

const TASKS = [
  rule('GET /tasks', 'type open (default), invoice, older; limit 10', async (sandbox) => {
    const { guid } = await loggedTask(sandbox);
    const guids = async (query: string) =>
      rowsOf(acted(await sandbox.agent('GET', `/tasks?limit=200&${query}`))).map((row) => row['guid']);
    expect(await guids('')).toContain(guid);
    expect(await guids('type=invoice')).toContain(guid);
    expect(await guids('type=older')).not.toContain(guid);
    expect(rowsOf(await sandbox.agent('GET', '/tasks')).length).toBeLessThanOrEqual(10);
  }),
  rule('GET /tasks/count', 'counts them', async ({ agent }) => {
    const rows = rowsOf(await agent('GET', '/tasks?limit=1000&type=older'));
    expect((await agent('GET', '/tasks/count?type=older')).body['result']).toEqual({ count: rows.length });
  }),
  rule('POST /tasks', 'data; or keys name, item_no, customer_no', async (sandbox) => {
    const item = rowsOf(await sandbox.agent('GET', '/items?limit=1'))[0]!;
    await newCustomer(sandbox);
    const data = JSON.stringify({ name: 'Stutt', item_no: item['item_number'], customer_no: KENNITALA });
    const guid = String((await sandbox.agent('POST', '/tasks', { data })).body['result']);
    expect(resultOf(await sandbox.agent('GET', `/tasks/${guid}`))).toMatchObject({
      name: 'Stutt',
      item: { guid: item['guid'] },
      customer: { registration_no: KENNITALA },
    });
  }),
  rule('GET /tasks/{guid}', 'with its log entries, each carrying its guid', async (sandbox) => {
    const { log } = await loggedTask(sandbox);
    expect(log).toMatchObject({
      guid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      quantity: 2.25,
      from_date: '2026-03-09',
    });
  }),
  rule('POST /tasks/{guid}/start', 'starts the timer', async (sandbox) => {
    const guid = await newTask(sandbox);
    expect(acted(await sandbox.agent('POST', `/tasks/${guid}/start`)).body['status']).toBe(true);
    expect(resultOf(await sandbox.agent('GET', `/tasks/${guid}`))['canStop']).toBe(true);
  }),
  rule('POST /tasks/{guid}/end', 'stops the timer; adv records a dated entry instead', async (sandbox) => {
    const guid = await newTask(sandbox);
    await sandbox.agent('POST', `/tasks/${guid}/start`);
    expect(
      acted(await sandbox.agent('POST', `/tasks/${guid}/end`, { description: 'Lok' })).body['status'],
    ).toBe(true);
    const body = { adv: 1, date: '2026-03-01', end_date: '2026-03-02', h: '7.5' };
    expect((await sandbox.agent('POST', `/tasks/${guid}/end`, body)).body['status']).toBe(true);
    expect(resultOf(await sandbox.agent('GET', `/tasks/${guid}`))).toMatchObject({
      canStop: false,
      total_time: 7.5,
      logs: [{ description: 'Lok' }, { advanced: true, quantity: 7.5, to_date: '2026-03-02' }],
    });
  }),
  rule('POST /tasks/{guid}/deactivate', 'closes it', async (sandbox) => {
    const guid = await newTask(sandbox);
    expect(acted(await sandbox.agent('POST', `/tasks/${guid}/deactivate`)).body['status']).toBe(true);
    expect(resultOf(await sandbox.agent('GET', `/tasks/${guid}`))).toMatchObject({
      status: 'closed',
      canDeactive: false,
    });
  }),
  rule('POST /tasks/log', 'guid and qty are required; date d.m.Y, default today', async (sandbox) => {
    const guid = await newTask(sandbox);
    expect((await sandbox.agent('POST', '/tasks/log', { guid })).body['message']).toBe(
      'Field qty is required',
    );
    await sandbox.agent('POST', '/tasks/log', { guid, qty: 1 });
    expect(resultOf(await sandbox.agent('GET', `/tasks/${guid}`))['logs']).toMatchObject([
      { from_date: '2026-03-10', quantity: 1 },
    ]);
  }),
  rule('PUT /tasks/log', 'guid is the task-LOG guid', async (sandbox) => {
    const { guid, log } = await loggedTask(sandbox);
    const body = { guid: log['guid'], description: 'Leiðrétt', h: '09:00', p: '10:30' };
    expect(acted(await sandbox.agent('PUT', '/tasks/log', body)).body['status']).toBe(true);
    expect(resultOf(await sandbox.agent('GET', `/tasks/${guid}`))['logs']).toMatchObject([
      { description: 'Leiðrétt', quantity: 1.5 },
    ]);
  }),
  rule('DELETE /tasks/log/{id}', 'id is the task-LOG guid', async (sandbox) => {
    const { guid, log } = await loggedTask(sandbox);
    expect(acted(await sandbox.agent('DELETE', `/tasks/log/${String(log['guid'])}`)).body['status']).toBe(
      true,
    );
    expect(resultOf(await sandbox.agent('GET', `/tasks/${guid}`))['logs']).toEqual([]);
  }),
];

const SALES_AND_STATUS = [
  rule('GET /product-sales', 'type is STAND, SUB, DONA or EVENT; limit 10', async ({ agent }) => {
    const rows = rowsOf(acted(await agent('GET', '/product-sales')));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(['STAND', 'SUB', 'DONA', 'EVENT']).toContain(row['type']);
  }),
  rule('GET /product-sales/count', 'counts them', async ({ agent }) => {
    const rows = rowsOf(await agent('GET', '/product-sales?limit=1000'));
    expect((await agent('GET', '/product-sales/count')).body['result']).toEqual({ count: rows.length });
  }),
  rule('GET /product-sales/{id}/attendees', 'the sale must be of type EVENT', async ({ agent }) => {
    const sales = rowsOf(await agent('GET', '/product-sales?limit=1000'));
    for (const sale of sales) {
      const { body } = await agent('GET', `/product-sales/${String(sale['guid'])}/attendees`);
      expect(body['status']).toBe(sale['type'] === 'EVENT');
    }
  }),
  rule(
    'GET /status',
    'company_name, registration_no, username; bare and inside result',
    async ({ agent, sandbox }) => {
      const { name, registrationNo, username } = sandbox.accounts[0]!;
      const shown = { company_name: name, registration_no: registrationNo, username };
      expect(acted(await agent('GET', '/status')).body).toMatchObject({ ...shown, result: shown });
    },
  ),
  rule('GET /invoice-summaries', 'the period modes of Document 1', async ({ agent }) => {
    const { body } = acted(await agent('GET', '/invoice-summaries?year=2026&month=2'));
    expect(body).toMatchObject({ status: true, period: { from: '2026-02-01', to: '2026-02-28' } });
    expect((await agent('GET', '/invoice-summaries')).body['status']).toBe(false);
  }),
  rule('GET /audit', 'who did what; limit 1–200, default 50', async ({ agent, username }) => {
    await agent('GET', '/items', undefined, { 'x-agent-id': 'agent_of_mine' });
    const { body } = await agent('GET', '/audit?agent_id=agent_of_mine&limit=1');
    expect(body).toMatchObject({ total: expect.any(Number) as number, page: 1, limit: 1 });
    expect(body['data']).toEqual([
      {
        agent_id: 'agent_of_mine',
        action: 'list-items',
        ip_address: '127.0.0.1',
        timestamp: '2026-03-10 12:00:00',
      },
    ]);
    expect((await agent('GET', '/audit?limit=999')).body['limit']).toBe(200);
    expect((await agent('GET', '/audit')).body['limit']).toBe(50);
    expect(username).toBe('anna');
  }),
];

export const AGENT_RULES = [...NAV, ...INVOICING, ...CUSTOMERS, ...COSTS, ...TASKS, ...SALES_AND_STATUS];
