// Every endpoint of Document 1, called through the client against the sandbox, which was written from the document
// alone. The sandbox keeps a journal of the documented rules that a client breaks: at the end it must be empty.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import type { ApiClient, CallOutcome } from '../../../src/service/api-client.js';
import { connectApi } from '../../../src/service/connect-source.js';
import { CREDENTIAL_ENDPOINTS as api } from '../../../src/service/credential-endpoints.js';
import type { AnyEndpoint, CallParams, CallResult } from '../../../src/service/endpoint.js';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { testServices } from '../../support/invoicing/connections.js';

let sandbox: Sandbox;
let client: ApiClient;
const log = { lines: [] as string[] };
const called = new Set<string>();

beforeAll(async () => {
  sandbox = await startSandbox({
    environment: 'development',
    seed: 'contract',
    accounts: [{ invoices: 30, costs: 30, from: '2026-01-01', to: '2026-02-28' }],
    choices: { aiSeconds: 0 },
  });
  const [account] = sandbox.accounts;
  client = connectApi(
    {
      environment: 'development',
      baseUrl: sandbox.url,
      maintenanceCode: new Secret(sandbox.maintCode),
      auth: { type: 'credentials', username: account!.username, apiKey: new Secret(account!.apiKey) },
    },
    testServices(log),
  );
});

afterAll(async () => {
  await client.close();
  await sandbox.close();
});

async function ok<E extends AnyEndpoint>(endpoint: E, params: CallParams<E>): Promise<CallResult<E>> {
  const outcome: CallOutcome<CallResult<E>> = await client.call(endpoint, params);
  called.add(endpoint.name);
  if (outcome.outcome === 'refused') throw new Error(`${endpoint.name} was refused: ${outcome.message}`);
  return outcome.value;
}

const pdf = { fileName: 'kvittun.pdf', content: Buffer.from('%PDF-1.4 kvittun') };
const line = {
  add_new: 1,
  item_number: 'SKU-1',
  description: 'Ráðgjöf',
  qty: 2,
  uom: 'HUR',
  unit_price: '10000',
  tax: 'S',
} as const;
const invoice = {
  amount: '24800',
  currency: 'ISK',
  issue_date: '2026-02-01',
  due_date: '2026-02-15',
  settlement_date: '2026-02-28',
  type: 'invoice',
  items: [line],
  customer: {
    name: 'Kaupandi ehf.',
    email: 'a@example.is',
    output_select: '3',
    registration_no: '4504013150',
  },
} as const;
const order = {
  amount: '24800',
  currency: 'ISK',
  settlement_date: 14,
  kennitala: '4504013150',
  items: [line],
} as const;

describe('Document 1 through the client', () => {
  it('says hello', async () => {
    const account = await ok(api.hello, {});
    expect(account).toMatchObject({
      name: sandbox.accounts[0]?.name,
      registration_no: sandbox.accounts[0]?.registrationNo,
    });
    expect(Math.abs(client.clockSkewMs ?? Infinity)).toBeLessThan(5_000);
  });

  it('keeps customers', async () => {
    const data = {
      name: 'Ný Kaup ehf.',
      email: 'b@example.is',
      registration_no: '4504013150',
      output_select: '3',
    } as const;
    const { guid } = await ok(api['create-customer'], { data });
    await ok(api['update-customer'], { guid: guid!, data: { city: 'Akureyri' } });
    expect(await ok(api['get-customer'], { guid: guid! })).toMatchObject({
      name: data.name,
      city: 'Akureyri',
    });
    const listed = await ok(api['get-customers'], { search: 'Ný Kaup', limit: 10, page: 1 });
    expect(listed.records.map((record) => record.guid)).toContain(guid);
    expect(await ok(api['get-count-customers'], { search: 'Ný Kaup' })).toBe(1);
    const found = await ok(api['get-customers-by-kennitala'], { kennitala: '4504013150' });
    expect(found.records).toHaveLength(
      await ok(api['get-count-customers-by-kennitala'], { kennitala: '4504013150' }),
    );
  });

  it('keeps items', async () => {
    const data = { description: 'Vara', uom: 'C62', tax: 'S', unit_price: '1290.5', active: true } as const;
    const { guid } = await ok(api['create-item'], { data });
    await ok(api['update-item'], { guid: guid!, data: { unit_price: '1300.25' } });
    const item = await ok(api['get-item'], { guid: guid! });
    expect(item.unit_price.toFixed()).toBe('1300.25');
    const listed = await ok(api['get-items'], {});
    expect(listed.records).toHaveLength(await ok(api['get-count-items'], {}));
    expect(listed.problems).toEqual([]);
  });

  it('makes, lists, prints, updates and pays invoices', async () => {
    const { guid: file } = await ok(api['upload-file'], { file: pdf });
    const { guid } = await ok(api['create-invoice'], { data: { ...invoice, files: file! } });
    const made = await ok(api['get-invoice'], { guid: guid! });
    expect(made.readable && made.record.document.amount.toFixed()).toBe('24800');
    const query = { accounting_status: 'Created', from_date: '2026-01-01', to_date: '2026-12-31' } as const;
    const listed = await ok(api['get-invoices'], { ...query, limit: 500, sort: 'created_asc' });
    expect(listed.records.length).toBe(await ok(api['get-count-invoices'], query));
    expect((await ok(api['get-invoice-pdf'], { guid: guid! })).file).not.toBe('');
    const data = { accounting_status: 'Posted', accounting_message: 'Bókað' } as const;
    await ok(api['update-invoice'], { guid: guid!, data });
    const { guid: unpaid } = await ok(api['create-invoice'], { data: invoice });
    await ok(api['do-paid-invoice'], { guid: unpaid! });
    const { type: _type, ...recurring } = invoice;
    const schedule = {
      recurring_name: 'Áskrift',
      recurring_interval: 'monthly',
      recurring_start_date: '2026-03-01',
      recurring_link_national: 0,
    } as const;
    expect(
      (await ok(api['create-recurring-invoice'], { data: { ...recurring, ...schedule } })).guid,
    ).not.toBeNull();
  });

  it('makes a credit note of an invoice', async () => {
    const { guid } = await ok(api['create-invoice'], { data: invoice });
    const { customer: _customer, ...rest } = invoice;
    const credit = await ok(api['create-invoice'], {
      data: { ...rest, type: 'credit', ref_invoice_guid: guid! },
    });
    const read = await ok(api['get-invoice'], { guid: credit.guid! });
    expect(read.readable && read.record.document).toMatchObject({ type: 'credit', referGuid: guid });
  });

  it('prepares orders and drafts', async () => {
    const { guid: ordered } = await ok(api['create-order-invoice'], { data: order });
    await ok(api['update-order-invoice'], { guid: ordered!, data: { ...order, description: 'Breytt' } });
    await ok(api['get-invoices-from-order'], { guid: ordered!, limit: 5, page: 1 });
    await ok(api['delete-order-invoice'], { guid: ordered! });
    const { guid: drafted } = await ok(api['create-draft-invoice'], { data: order });
    await ok(api['update-draft-invoice'], { guid: drafted!, data: { ...order, description: 'Breytt' } });
    await ok(api['get-invoices-from-draft'], { guid: drafted!, limit: 5, page: 1 });
    await ok(api['delete-draft-invoice'], { guid: drafted! });
  });

  it('registers, lists, updates, reopens and deletes costs', async () => {
    const account = sandbox.accounts[0]!.username;
    const cost = {
      date: '2026-02-03',
      amount: '12400',
      how_paid: 3,
      supplier_name: 'Birgir ehf.',
      supplier_id: '4504013150',
      type: '2353',
      vat_24: '2400',
      file: pdf,
    } as const;
    const { guid } = await ok(api['create-cost-adv'], cost);
    await ok(api['create-cost'], { date: '2026-02-04', file: pdf, description: 'Kvittun' });
    sandbox.control.processCosts(account);
    const read = await ok(api['get-cost'], { guid: guid! });
    expect(read.readable && read.record.document.vatS.toFixed()).toBe('2400');
    sandbox.control.approveCost(account, guid!);
    await ok(api['move-cost-to-new'], { guid: guid! });
    sandbox.control.approveCost(account, guid!);
    await ok(api['update-cost'], {
      guid: guid!,
      data: { accounting_status: 'Error', accounting_message: 'x' },
    });
    await ok(api['delete-cost'], { guid: guid! });
    const query = { accounting_status: 'Created', from_date: '2026-01-01', date_filter: 'date' } as const;
    const page = await ok(api['get-costs'], { ...query, limit: 5, page: 1, sort: 'date_asc' });
    const total = await ok(api['get-count-costs'], query);
    expect(page.records.length).toBe(Math.min(5, total));
    expect(page.hasMore).toBe(total > 5);
  });

  it('reports', async () => {
    const listed = await ok(api['get-dashboard-data'], {
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      limit: 5,
    });
    expect(listed.records.length).toBeGreaterThan(0);
    expect(listed.problems).toEqual([]);
    const summary = await ok(api['invoice-summaries'], { year: 2026 });
    expect(summary.summaries[0]?.status).toBe('total');
  });

  it('tracks time', async () => {
    const { records } = await ok(api['get-customers'], { limit: 1 });
    const item = {
      guid: '',
      description: 'Vinna',
      uom: 'HUR',
      tax: 'S',
      unit_price: '15000',
      category: '',
    } as const;
    const data = { customer_guid: records[0]!.guid, name: 'Verk', item };
    const { guid } = await ok(api['create-task'], { data });
    await ok(api['start-task'], { guid: guid! });
    await ok(api['end-task'], { guid: guid!, description: 'búið' });
    const hours = {
      date: '2026-02-01',
      end_date: '2026-02-01',
      h: '09:00',
      p: '12:00',
      description: 'dagur',
    };
    await ok(api['log-task'], { guid: guid!, adv: false, ...hours });
    const task = await ok(api['get-task'], { guid: guid! });
    const logs = task.logs as { guid: string }[];
    await ok(api['edit-log-task'], { guid: logs[0]!.guid, ...hours, description: 'lagað' });
    await ok(api['task-log-delete'], { guid: logs[0]!.guid });
    const open = await ok(api['get-tasks'], { type: 'open', limit: 100 });
    expect(open.records.length).toBe(await ok(api['get-count-tasks'], { type: 'open' }));
  });

  it('shows product sales and who attends', async () => {
    const { records, total } = await ok(api['get-product-sales'], { limit: 100, page: 1 });
    expect(await ok(api['get-count-product-sales'], {})).toBe(total);
    const answers = await Promise.all(
      records.map((sale) =>
        client.call(api['get-product-sale-attends'], { guid: sale.guid, limit: 10, page: 1 }),
      ),
    );
    called.add('get-product-sale-attends');
    expect(answers.some((answer) => answer.outcome === 'ok')).toBe(true);
  });

  it('has called every endpoint of the table', () => {
    expect([...called].sort()).toEqual(Object.keys(api).sort());
  });

  it('broke no rule of the document, but for asking whether sales that are no event have guests', () => {
    const broken = sandbox.control.brokenRules().filter(({ rule }) => rule !== 'event-sale');
    expect(broken).toEqual([]);
  });

  it('met no field or value that its schemas do not know', () => {
    expect(client.newcomers()).toEqual([]);
  });
});
