// Every endpoint of Document 2 against the sandbox: OAuth from registration to revocation, and each resource with a
// bearer token. At the end the sandbox's journal of broken rules must be empty.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { AGENT_ENDPOINTS as api } from '../../../src/service/agent-endpoints.js';
import type { ApiClient, CallOutcome } from '../../../src/service/api-client.js';
import { connectApi } from '../../../src/service/connect-source.js';
import type { AnyEndpoint, CallParams, CallResult } from '../../../src/service/endpoint.js';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { credentials } from '../../support/invoicing/connections.js';
import { MemoryGrantStore } from '../../support/invoicing/memory-grant-store.js';
import { type OAuthTenant, signInAtSandbox } from '../../support/invoicing/oauth-tenant.js';

let sandbox: Sandbox;
let tenant: OAuthTenant;
let bearer: ApiClient;
let basic: ApiClient;
const store = new MemoryGrantStore();
const called = new Set<string>();

beforeAll(async () => {
  sandbox = await startSandbox({
    seed: 'contract',
    accounts: [{ invoices: 30, costs: 30, from: '2026-01-01', to: '2026-02-28' }],
    choices: { aiSeconds: 0 },
  });
  tenant = await signInAtSandbox(sandbox, store);
  // What signInAtSandbox has done: register, authorize, exchange.
  for (const name of ['register', 'authorize', 'exchange-code']) called.add(name);
  bearer = connectApi(tenant.settings, tenant.services);
  const { username, apiKey } = sandbox.accounts[0]!;
  const auth = { username, apiKey: new Secret(apiKey), surface: 'agent' } as const;
  basic = connectApi(credentials(sandbox.url, auth), tenant.services);
});

afterAll(async () => {
  await bearer.close();
  await basic.close();
  await sandbox.close();
});

async function ok<E extends AnyEndpoint>(
  endpoint: E,
  params: CallParams<E>,
  client = bearer,
): Promise<CallResult<E>> {
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

describe('Document 2 through the client', () => {
  it('knows whose account it is', async () => {
    const { name, registrationNo } = sandbox.accounts[0]!;
    expect(await ok(api.status, {})).toMatchObject({ company_name: name, registration_no: registrationNo });
  });

  it('reads, issues and updates invoices', async () => {
    const made = await ok(api['create-invoice'], { data: invoice });
    await ok(api['create-quote'], { data: invoice });
    const { type: _type, ...recurring } = invoice;
    const schedule = {
      recurring_name: 'Áskrift',
      recurring_interval: 'monthly',
      recurring_start_date: '2026-03-01',
    } as const;
    await ok(api['create-recurring-invoice'], { data: { ...recurring, ...schedule } });
    const query = { accounting_status: 'Created', from_date: '2026-01-01', to_date: '2026-12-31' } as const;
    const listed = await ok(api['list-invoices'], { ...query, limit: 200, page: 1 });
    expect(listed.records.length).toBe(await ok(api['count-invoices'], query));
    const read = await ok(api['get-invoice'], { id: made.guid! });
    expect(read.readable && read.record.document.amount.toFixed()).toBe('24800');
    await ok(api['update-invoice'], { id: made.guid!, data: { accounting_status: 'Posted' } });
    const again = await ok(api['get-invoice'], { id: made.guid! });
    expect(again.readable && again.record.document.accountingStatus).toBe('Posted');
  });

  it('keeps items', async () => {
    const { guid } = await ok(api['create-item'], {
      data: { description: 'Vara', tax: 'S', unit_price: '990.5' },
    });
    await ok(api['update-item'], { id: guid!, data: { unit_price: '1000.25' } });
    expect((await ok(api['get-item'], { id: guid! })).unit_price.toFixed()).toBe('1000.25');
    const listed = await ok(api['list-items'], { limit: 500, page: 1 });
    expect(listed.records).toHaveLength(await ok(api['count-items'], {}));
  });

  it('keeps customers', async () => {
    const data = {
      kennitala: '4504013150',
      name: 'Ný Kaup ehf.',
      output_select: 3,
      lang: 'is',
      currency: 'ISK',
      email: 'b@example.is',
    } as const;
    const { guid } = await ok(api['create-customer'], { data });
    await ok(api['update-customer'], { guid: guid!, data: { city: 'Akureyri' } });
    expect(await ok(api['get-customer'], { guid: guid! })).toMatchObject({
      name: data.name,
      city: 'Akureyri',
    });
    const found = await ok(api['list-customers'], { kennitala: '4504013150', limit: 100 });
    expect(found.records.map((record) => record.guid)).toContain(guid);
    expect(await ok(api['count-customers'], { search: 'Ný Kaup' })).toBe(1);
  });

  it('registers, lists, updates, reopens and deletes costs', async () => {
    const { username } = sandbox.accounts[0]!;
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
    const { guid } = await ok(api['create-cost-advanced'], cost);
    await ok(api['create-cost'], { date: '2026-02-04', file: pdf, description: 'Kvittun' });
    sandbox.control.processCosts(username);
    sandbox.control.approveCost(username, guid!);
    await ok(api['move-cost-to-new'], { id: guid! });
    sandbox.control.approveCost(username, guid!);
    await ok(api['update-cost'], {
      id: guid!,
      data: { accounting_status: 'Error', accounting_message: 'x' },
    });
    const read = await ok(api['get-cost'], { id: guid! });
    expect(read.readable && read.record.document.accountingStatus).toBe('Error');
    await ok(api['delete-cost'], { id: guid! });
    const query = { accounting_status: 'Created', from_date: '2026-01-01' } as const;
    const listed = await ok(api['list-costs'], { ...query, limit: 200, date_filter: 'date' });
    expect(listed.records.length).toBe(await ok(api['count-costs'], query));
    expect(listed.records.every(({ document }) => document.fileBase64 === null)).toBe(true);
  });

  it('tracks time', async () => {
    const { records } = await ok(api['list-customers'], { limit: 1 });
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
    await ok(api['log-work'], { guid: guid!, qty: '1.5', date: '01.02.2026' });
    const task = await ok(api['get-task'], { guid: guid! });
    const logs = task.logs as { guid: string }[];
    await ok(api['edit-log'], { guid: logs[0]!.guid, description: 'lagað' });
    await ok(api['delete-log'], { id: logs[0]!.guid });
    const open = await ok(api['list-tasks'], { type: 'open', limit: 200 });
    expect(open.records.length).toBe(await ok(api['count-tasks'], { type: 'open' }));
    await ok(api['deactivate-task'], { guid: guid! });
  });

  it('shows product sales and who attends', async () => {
    const { records } = await ok(api['list-product-sales'], { limit: 100, page: 1 });
    expect(await ok(api['count-product-sales'], {})).toBe(records.length);
    const event = records.find((sale) => sale.type === 'EVENT');
    await ok(api['list-attendees'], { id: event!.guid, limit: 10, page: 1 });
  });

  it('reports', async () => {
    const summary = await ok(api['invoice-summaries'], { from_date: '2026-01-01', to_date: '2026-12-31' });
    expect(summary.summaries[0]?.status).toBe('total');
  });

  it('leaves a trail in the audit log', async () => {
    const { records } = await ok(api.audit, { limit: 200 });
    expect(records.length).toBeGreaterThan(10);
    const outcome = await bearer.call(api['count-items'], {});
    expect(outcome.outcome === 'ok' && outcome.actionId).toMatch(/^\d+$/);
  });

  it('refreshes when the token expires, and goes on', async () => {
    const before = store.rows.get('acme')!;
    sandbox.control.advanceClock(2 * 3_600_000);
    await ok(api['count-items'], {});
    called.add('refresh-token');
    expect(store.rows.get('acme')?.version).toBe(before.version + 1);
  });

  it('manages agents with the account’s own credentials, and a revoked one is out', async () => {
    const clientId = tenant.auth.clientId;
    await ok(api['grant-agent'], { client_id: clientId, scopes: 'nav,cost' }, basic);
    const { records } = await ok(api['list-agents'], {}, basic);
    expect(records.map((agent) => agent.agent_id)).toContain(clientId);
    expect(await ok(api['revoke-agent'], { agent_id: clientId }, basic)).toMatchObject({
      agent_id: clientId,
    });
    await expect(bearer.call(api['count-items'], {})).rejects.toMatchObject({
      code: 'SOURCE_CREDENTIALS_REFUSED',
    });
  });

  it('has called every endpoint of the table', () => {
    expect([...called].sort()).toEqual(Object.keys(api).sort());
  });

  it('broke no rule but the two that were provoked: an expired and a revoked token', () => {
    const broken = sandbox.control.brokenRules().map(({ rule, count }) => ({ rule, count }));
    expect(broken).toEqual(
      expect.arrayContaining([
        { rule: 'token-expired', count: 1 },
        { rule: 'bearer', count: 1 },
      ]),
    );
    expect(broken).toHaveLength(2);
  });

  it('met no field or value that its schemas do not know', () => {
    expect(bearer.newcomers()).toEqual([]);
  });
});
