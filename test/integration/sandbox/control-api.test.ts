// The control API over HTTP: everything the in-process control does, for this machine only.
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, send, type Answer, type TestSandbox } from './sandbox-client.js';

let anna: TestSandbox;
beforeAll(async () => {
  anna = await openSandbox();
});
afterAll(() => anna.sandbox.close());

const control = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  send(`${anna.sandbox.url}/_control/${path}`, {
    method,
    headers: {
      'x-sandbox-control': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const result = (answer: Answer) => answer.body['result'] as Record<string, unknown>;

test('shows the state: accounts with credentials, clock, faults, choices', async () => {
  const state = result(await control('GET', 'state'));
  expect(state).toMatchObject({
    environment: 'production',
    maintCode: null,
    now: '2026-03-10T12:00:00.000Z',
    frozen: true,
  });
  expect(state['accounts']).toMatchObject([
    { username: 'anna', apiKey: anna.apiKey, invoices: 40 },
    { username: 'bjorn' },
  ]);
});

test('enters a cost, approves it, edits it and deletes it', async () => {
  const { guid } = result(
    await control('POST', 'accounts/anna/costs', { amount: '1240', vat_24: '240', supplier_name: 'Búð' }),
  );
  const path = `accounts/anna/costs/${String(guid)}`;
  expect((await control('POST', `${path}/approve`)).http).toBe(200);
  expect((await control('POST', `${path}/approve`)).http).toBe(400);
  await control('PATCH', path, { accounting_status: 'Posted' });
  expect(anna.sandbox.control.cost('anna', String(guid)).accounting_status).toBe('Posted');
  const listed = (await control('GET', 'accounts/anna/documents?kind=cost&accounting_status=Posted')).body[
    'result'
  ];
  expect(listed).toEqual(
    expect.arrayContaining([expect.objectContaining({ guid, counterparty: 'Búð', amount: 1240 })]),
  );
  expect(result(await control('DELETE', path))).toEqual({ deleted: true });
  expect(result(await control('DELETE', path))).toEqual({ deleted: false });
});

test('issues an invoice through the write rules', async () => {
  const { guid } = result(
    await control('POST', 'accounts/anna/invoices', {
      description: 'Handgert',
      qty: 3,
      unitPrice: '100.5',
      tax: 'AA',
    }),
  );
  const invoice = anna.sandbox.control.invoice('anna', String(guid));
  expect(invoice).toMatchObject({ amount: 33_467, accounting_status: 'Created' });
  expect((await control('POST', 'accounts/anna/invoices', { tax: 'X' })).http).toBe(400);
});

test('opens accounts, arms and disarms faults, moves the clock, reads the journal', async () => {
  const account = result(await control('POST', 'accounts', { name: 'Ný stofa ehf.', invoices: 2, costs: 0 }));
  expect(account['name']).toBe('Ný stofa ehf.');
  const fault = result(await control('POST', 'faults', { kind: 'html', endpoint: 'hello', times: 1 }));
  await anna.get('hello');
  expect(result(await control('DELETE', `faults/${String(fault['id'])}`))).toEqual({ removed: true });
  expect((await control('POST', 'faults', { kind: 'nonsense' })).http).toBe(400);
  expect(result(await control('POST', 'clock', { set: '2026-04-01T00:00:00Z', advanceSeconds: 60 }))).toEqual(
    {
      now: '2026-04-01T00:01:00.000Z',
    },
  );
  expect((await control('GET', 'journal?endpoint=hello&limit=1')).body['result']).toMatchObject([
    { endpoint: 'hello', fault: 'html' },
  ]);
});

test('answers this machine’s own pages only', async () => {
  expect((await control('POST', 'faults', { kind: 'html' }, { origin: 'https://evil.example' })).http).toBe(
    403,
  );
  expect((await control('DELETE', 'journal', undefined, { 'x-sandbox-control': '' })).http).toBe(403);
  // fetch sets Host itself, so a rebinding attack needs a plainer client.
  const { port } = new URL(anna.sandbox.url);
  const status = await new Promise((resolve, reject) => {
    const rebound = request({
      port,
      host: '127.0.0.1',
      path: '/_control/state',
      headers: { host: 'evil.example' },
    });
    rebound.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    rebound.on('error', reject);
    rebound.end();
  });
  expect(status).toBe(403);
});
