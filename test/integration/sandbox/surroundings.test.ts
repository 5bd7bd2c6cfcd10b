// What holds for every endpoint: credentials, envelopes, environments, isolation, AI processing, choices.
import { afterEach, describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../../lab/sandbox/options.js';
import { ADVANCED } from './rules/document-1-costs.js';
import {
  clientOf,
  invoiceBody,
  openSandbox,
  PDF,
  resultOf,
  rowsOf,
  send,
  type TestSandbox,
} from './sandbox-client.js';

const opened: TestSandbox[] = [];
async function open(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await openSandbox(options);
  opened.push(sandbox);
  return sandbox;
}
afterEach(async () => {
  for (const { sandbox } of opened.splice(0)) await sandbox.close();
});

const broken = (sandbox: TestSandbox) => sandbox.sandbox.control.brokenRules().map(({ rule }) => rule);

describe('a draft', () => {
  test('has an accounting status that is a string, as every invoice has', async () => {
    const sandbox = await open({ accounts: [{ invoices: 200, costs: 0, difficulty: 'everyday' }] });
    const rows = rowsOf(await sandbox.get('get-invoices', { limit: '500' }));
    const drafts = rows.filter(({ status }) => status === 'Draft');
    expect(drafts.length).toBeGreaterThan(0);
    expect(rows.filter((row) => typeof row['accounting_status'] !== 'string')).toEqual([]);
  });
});

describe('credentials', () => {
  test('work as fields and as Basic, and fields win over Basic', async () => {
    const anna = await open();
    const bjorn = anna.sandbox.accounts[1]!;
    const fields = { username: bjorn.username, api_key: bjorn.apiKey };
    expect((await anna.get('hello', fields)).body['registration_no']).toBe(bjorn.registrationNo);
    const url = `${anna.sandbox.url}/api/v1/create-item`;
    const body = new URLSearchParams({ ...fields, data: JSON.stringify({ description: 'x' }) });
    expect((await send(url, { method: 'POST', body })).body['status']).toBe(true);
    expect((await anna.get('hello', { ...fields, api_key: 'wrong' })).body['status']).toBe(false);
  });

  test('that are wrong get the envelope, with the HTTP status of the choice', async () => {
    for (const badCredentialsStatus of [401, 200]) {
      const { sandbox } = await open({ choices: { badCredentialsStatus } });
      const answer = await send(`${sandbox.url}/api/v1/hello?username=anna&api_key=no`);
      expect(answer).toMatchObject({
        http: badCredentialsStatus,
        body: { status: false, message: 'Invalid api_key', result: null },
      });
    }
  });

  test('in the query of a POST are noted, except for upload-file', async () => {
    const anna = await open();
    const query = `?username=${anna.username}&api_key=${anna.apiKey}`;
    await anna.upload('upload-file', {}, PDF, query);
    expect(broken(anna)).toEqual([]);
    await anna.upload('create-cost', { date: '2026-03-01' }, PDF, query);
    expect(broken(anna)).toEqual(['credentials-in-post-query']);
    expect(JSON.stringify(anna.sandbox.control.journal())).not.toContain(anna.apiKey);
  });
});

describe('accounts', () => {
  test('never see each other’s records, on either surface', async () => {
    const anna = await open();
    const bjorn = clientOf(anna.sandbox, anna.sandbox.accounts[1]!);
    const mine = rowsOf(await anna.get('get-costs', { limit: '1' }))[0]!['guid'] as string;
    const invoice = rowsOf(await anna.get('get-invoices', { limit: '1' }))[0]!['guid'] as string;
    const customer = rowsOf(await anna.get('get-customers', { limit: '1' }))[0]!['guid'] as string;
    const data = JSON.stringify({ accounting_status: 'Posted' });
    for (const answer of [
      await bjorn.get('get-cost', { guid: mine }),
      await bjorn.get('get-invoice', { guid: invoice }),
      await bjorn.get('get-invoice-pdf', { guid: invoice }),
      await bjorn.get('get-customer', { guid: customer }),
      await bjorn.post('update-cost', { guid: mine, data }),
      await bjorn.post('update-invoice', { guid: invoice, data }),
      await bjorn.post('move-cost-to-new', { guid: mine }),
      await bjorn.post('delete-cost', { guid: mine }),
      await bjorn.post('do-paid-invoice', { guid: invoice }),
      await bjorn.post('create-invoice', { data: invoiceBody(customer) }),
      await bjorn.agent('GET', `/costs/${mine}`),
      await bjorn.agent('DELETE', `/costs/${mine}`),
      await bjorn.agent('PUT', `/invoices/${invoice}`, { data }),
      await bjorn.agent('GET', `/customers/${customer}`),
    ])
      expect(answer.body).toMatchObject({ status: false });
    expect((await anna.get('get-cost', { guid: mine })).body['status']).toBe(true);
    expect((await bjorn.get('get-count-invoices')).body['result']).toBe(10);
  });

  test('of the same seed are the same, and of another seed are not', async () => {
    const list = async (seed: string) =>
      rowsOf(await (await open({ seed })).get('get-invoices')).map((row) => [row['guid'], row['amount']]);
    const first = await list('seven');
    expect(await list('seven')).toEqual(first);
    expect(await list('eight')).not.toEqual(first);
  });
});

describe('requests', () => {
  test('for unknown paths and with wrong methods get an envelope', async () => {
    const anna = await open();
    expect(await anna.get('get-everything')).toMatchObject({ http: 404, body: { status: false } });
    expect(await anna.post('get-costs')).toMatchObject({ http: 405, body: { status: false } });
    expect(broken(anna)).toEqual(['endpoint', 'method']);
  });

  test('with unlisted fields are answered, and noted', async () => {
    const anna = await open();
    expect((await anna.get('get-count-costs', { status: 'Created' })).body['status']).toBe(true);
    const [entry] = anna.sandbox.control.journal({ onlyBroken: true });
    expect(entry).toMatchObject({
      endpoint: 'get-count-costs',
      account: 'anna',
      httpStatus: 200,
      broken: [{ rule: 'unknown-field', detail: 'status' }],
    });
  });

  test('with JSON instead of form fields are refused on the credential surface', async () => {
    const anna = await open();
    const answer = await send(`${anna.sandbox.url}/api/v1/update-cost`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`anna:${anna.apiKey}`)}` },
      body: JSON.stringify({ guid: 'x', data: {} }),
    });
    expect(answer.body['status']).toBe(false);
    expect(broken(anna)).toEqual(['form-body']);
  });

  test('larger than any attachment are refused without ending the server', async () => {
    const anna = await open();
    const huge = new File([Buffer.alloc(9 * 1024 * 1024)], 'huge.pdf');
    expect((await anna.upload('create-cost', { date: '2026-03-01' }, huge)).http).toBe(413);
    expect((await anna.get('hello')).http).toBe(200);
  });

  test('carry the service’s own clock in the Date header', async () => {
    const anna = await open();
    expect((await anna.get('hello')).headers.get('date')).toBe('Tue, 10 Mar 2026 12:00:00 GMT');
  });
});

describe('environments', () => {
  test('development answers 503 without its code, on every surface but the consent page', async () => {
    const anna = await open({ environment: 'development', maintCode: 'open-sesame' });
    expect((await anna.get('hello')).http).toBe(503);
    expect((await anna.get('hello', { en4_maint_code: 'wrong' })).http).toBe(503);
    expect((await anna.get('hello', { en4_maint_code: 'open-sesame' })).http).toBe(200);
    expect((await anna.agent('GET', '/status')).http).toBe(503);
    expect((await anna.agent('GET', '/status?en4_maint_code=open-sesame')).http).toBe(200);
    expect((await send(`${anna.sandbox.url}/strax/agent/token`, { method: 'POST' })).http).toBe(503);
    expect((await send(`${anna.sandbox.url}/strax/agent/authorize`)).http).toBe(400);
  });

  test('production remembers a maintenance code as an offence, and never shows it', async () => {
    const anna = await open();
    expect((await anna.get('hello', { en4_maint_code: 'hush-hush' })).http).toBe(200);
    expect(broken(anna)).toEqual(['maintenance-code-to-production']);
    expect(JSON.stringify(anna.sandbox.control.journal())).not.toContain('hush-hush');
  });
});

describe('costs read by AI', () => {
  test('are queued, invisible and undeletable until processed', async () => {
    const anna = await open({ accounts: [{ username: 'anna', invoices: 1, costs: 3, costAi: true }] });
    // Whatever the generator left in the queue is out of the way first.
    anna.sandbox.control.processCosts('anna');
    const before = (await anna.get('get-count-costs')).body['result'] as number;
    const created = await anna.upload('create-cost', {}, PDF);
    expect(created).toMatchObject({ http: 201, body: { queue: true } });
    const guid = String(created.body['result']);
    const listed = async () =>
      rowsOf(await anna.get('get-costs', { limit: '100' })).some((row) => row['guid'] === guid);
    expect(await listed()).toBe(false);
    expect((await anna.get('get-count-costs')).body['result']).toBe(before);
    expect((await anna.get('get-cost', { guid })).body['message']).toBe('No cost found');
    expect((await anna.post('delete-cost', { guid })).body['message']).toMatch(/still being processed$/);
    anna.sandbox.control.advanceClock(3_000);
    expect(await listed()).toBe(true);
    expect((await anna.get('get-count-costs')).body['result']).toBe(before + 1);
    const cost = resultOf(await anna.get('get-cost', { guid }));
    expect(cost).toMatchObject({ accounting_status: 'New' });
    expect(cost['amount']).toBeGreaterThan(0);
    expect((await anna.post('delete-cost', { guid })).body['status']).toBe(true);
  });
});

describe('choices', () => {
  const creditOf = async (anna: TestSandbox) => {
    const invoices = rowsOf(await anna.get('get-invoices'));
    const customer = String((invoices[0]!['customer'] as Record<string, unknown>)['guid']);
    const original = (await anna.post('create-invoice', { data: invoiceBody(customer) })).body['result'];
    const data = invoiceBody(customer, { type: 'credit', ref_invoice_guid: original });
    const guid = String((await anna.post('create-invoice', { data })).body['result']);
    return { original: String(original), read: resultOf(await anna.get('get-invoice', { guid })) };
  };

  test('creditSign: negative figures on read', async () => {
    const { read } = await creditOf(await open({ choices: { creditSign: 'negative' } }));
    expect(read).toMatchObject({ amount: -3035.61, total_24vat: -2000, items: [{ qty: -2 }, { qty: -1 }] });
  });

  test('vatTotals: gross or VAT instead of net', async () => {
    for (const [vatTotals, total] of [
      ['gross', 2480],
      ['vat', 480],
    ] as const) {
      const { read } = await creditOf(await open({ choices: { vatTotals } }));
      expect(read['total_24vat']).toBe(total);
    }
  });

  test('creditedOriginal: the original becomes Cancelled', async () => {
    const anna = await open({ choices: { creditedOriginal: 'cancelled' } });
    const { original } = await creditOf(anna);
    expect(resultOf(await anna.get('get-invoice', { guid: original }))['status']).toBe('Cancelled');
  });

  test('invoiceErrorCanChange: false locks Error as well', async () => {
    const anna = await open({ choices: { invoiceErrorCanChange: false } });
    const guid = String(
      rowsOf(await anna.get('get-invoices', { accounting_status: 'Created', limit: '1' }))[0]!['guid'],
    );
    const update = (accounting_status: string) =>
      anna.post('update-invoice', { guid, data: JSON.stringify({ accounting_status }) });
    expect((await update('Error')).body['status']).toBe(true);
    expect((await update('Posted')).body['status']).toBe(false);
  });

  test('moveToNewFrom: whether an Error cost can be reopened', async () => {
    for (const [moveToNewFrom, reopened] of [
      ['approved', true],
      ['created', false],
    ] as const) {
      const anna = await open({ choices: { moveToNewFrom } });
      const guid = String((await anna.post('create-cost-adv', ADVANCED)).body['result']);
      anna.sandbox.control.approveCost('anna', guid);
      await anna.post('update-cost', { guid, data: JSON.stringify({ accounting_status: 'Error' }) });
      expect((await anna.post('move-cost-to-new', { guid })).body['status']).toBe(reopened);
    }
  });

  test('pageSizeMax, listPaging, agentCounts, handledFailureStatus, xmlSeconds', async () => {
    const anna = await open({
      choices: {
        pageSizeMax: 5,
        listPaging: 'fields',
        agentCounts: 'integer',
        handledFailureStatus: 422,
        xmlSeconds: 60,
      },
    });
    const list = await anna.get('get-invoices', { limit: '100', page: '2' });
    expect(rowsOf(list)).toHaveLength(5);
    expect(list.body).toMatchObject({ page: 2, limit: 5 });
    expect((await anna.agent('GET', '/invoices/count')).body['result']).toBe(40);
    expect((await anna.get('get-cost', { guid: 'x' })).http).toBe(422);
    const guid = String((await anna.post('create-cost-adv', ADVANCED)).body['result']);
    anna.sandbox.control.approveCost('anna', guid);
    expect(resultOf(await anna.get('get-cost', { guid }))).toMatchObject({
      accounting_status: 'Created',
      xml: null,
    });
    anna.sandbox.control.advanceClock(60_000);
    expect(resultOf(await anna.get('get-cost', { guid }))['xml']).toBeTypeOf('string');
  });
});
