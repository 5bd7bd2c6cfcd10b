import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecondService } from '../../support/second-service/index.js';
import { agentTalk, answer, credentialTalk, CUSTOMER, invoiceFor } from './talk.js';

let service: SecondService;

beforeEach(async () => {
  service = await SecondService.start();
});

afterEach(async () => {
  expect(service.violations).toEqual([]);
  await service.close();
});

const send = (path: string, body: object) =>
  answer(
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

describe('the agent surface of the second service', () => {
  it('gives a token for a code with its verifier, and a new refresh token for the old one only', async () => {
    const { username, apiKey: api_key } = service.account;
    const redirect_uri = 'https://client.example/callback';
    const client = { username, api_key, name: 'Bridge', redirect_uri };
    const { client_id, client_secret } = (await send('/agent/register', client)).body;
    expect((await send('/agent/register', client)).body).toMatchObject({
      existing: true,
      client_secret: null,
      client_id,
    });
    const http = await send('/agent/register', { ...client, redirect_uri: 'http://x' });
    expect(http).toMatchObject({ status: 422, body: { code: 'validation_error' } });
    const code_verifier = 'a'.repeat(50);
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
    const query = new URLSearchParams({
      client_id,
      redirect_uri,
      scope: 'nav,cost',
      state: 's',
      code_challenge,
    });
    const page = await fetch(`${service.url}/strax/agent/authorize?${query}`, { redirect: 'manual' });
    const code = new URL(page.headers.get('location') ?? '').searchParams.get('code');
    const exchange = {
      grant_type: 'authorization_code',
      client_id,
      client_secret,
      code,
      redirect_uri,
      code_verifier,
    };
    const first = (await send('/strax/agent/token', exchange)).body;
    expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'nav,cost' });
    const refresh = {
      grant_type: 'refresh_token',
      client_id,
      client_secret,
      refresh_token: first.refresh_token,
    };
    const second = (await send('/strax/agent/token', refresh)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await send('/strax/agent/token', refresh)).status).toBe(400);
  });

  it('refuses a call outside the scopes, a wrong method and an old token as the document says', async () => {
    const ask = agentTalk(service, service.oauth.grant(['nav']).accessToken);
    expect(await ask('GET', '/costs')).toMatchObject({
      status: 403,
      body: { error: true, code: 403, message: 'Agent token does not include the required scope: cost' },
    });
    const wrong = await ask('DELETE', '/invoices');
    expect(wrong).toMatchObject({ status: 405, body: { error: true, code: 405 } });
    service.oauth.expireAccess();
    expect(await ask('GET', '/invoices')).toMatchObject({
      status: 401,
      body: { message: expect.stringMatching(/expired/) },
    });
    expect(service.calls.map(({ scope, status }) => [scope, status])).toEqual([
      ['cost', 403],
      ['nav', 405],
      ['nav', 401],
    ]);
  });

  it('creates customers in each of the three body forms and lists ten a page', async () => {
    const ask = agentTalk(service, service.oauth.grant(['manage_customers']).accessToken);
    const body = { kennitala: '5902697199', name: 'Kaupandi', output_select: 4, lang: 'is', currency: 'ISK' };
    for (const form of [body, { data: body }, { data: JSON.stringify(body) }]) {
      const { result, action_id } = (await ask('POST', '/customers', form)).body;
      expect(result).toMatchObject({ name: 'Kaupandi', registration_no: '5902697199', output_select: '4' });
      expect(action_id).toEqual(expect.any(Number));
    }
    expect((await ask('POST', '/customers', { ...body, lang: undefined })).body.message).toBe(
      'Field lang is required',
    );
    for (let more = 0; more < 9; more += 1) await ask('POST', '/customers', body);
    expect((await ask('GET', '/customers?kennitala=5902697199')).body.result).toHaveLength(10);
    expect((await ask('GET', '/customers?kennitala=5902697199&page=2')).body.result).toHaveLength(2);
  });

  it('answers an invoice as shown, lists it, and takes a quote that nobody can read back', async () => {
    const customer = (await credentialTalk(service).post('create-customer', { data: CUSTOMER })).body.result;
    const ask = agentTalk(service, service.oauth.grant(['nav', 'create_invoice']).accessToken);
    const data = JSON.stringify(invoiceFor(customer));
    const made = (await ask('POST', '/invoices', { data })).body;
    expect(made).toEqual({ success: true, invoice_id: expect.any(Number), action_id: expect.any(Number) });
    const read = (await ask('GET', `/invoices/${made.invoice_id}`)).body.result;
    expect((await ask('GET', '/invoices?accounting_status=Created')).body.result).toEqual([read]);
    const posted = JSON.stringify({ accounting_status: 'Posted' });
    expect((await ask('PUT', `/invoices/${read.guid}`, { data: posted })).body.status).toBe(true);
    expect((await ask('POST', '/quotes', { data })).body.status).toBe(true);
    expect((await ask('GET', '/invoices/count')).body.result).toEqual({ count: 1 });
    expect(service.world.counts()).toMatchObject({ invoices: 1, quotes: 1 });
  });

  it('logs hours in the Icelandic form, lists tasks without their logs and closes them', async () => {
    const customer_guid = (await credentialTalk(service).post('create-customer', { data: CUSTOMER })).body
      .result;
    const ask = agentTalk(service, service.oauth.grant(['task']).accessToken);
    const item = { guid: '', description: 'Vinna', uom: 'HUR', tax: 'S', unit_price: 10_000 };
    const guid = (
      await ask('POST', '/tasks', { data: JSON.stringify({ customer_guid, name: 'Verk', item }) })
    ).body.result;
    expect((await ask('POST', '/tasks/log', { guid, qty: 1.5, date: '2026-11-03' })).body.status).toBe(false);
    expect((await ask('POST', '/tasks/log', { guid, qty: 1.5, date: '3.11.2026' })).body).toEqual({
      status: true,
      action_id: expect.any(Number),
    });
    expect((await ask('GET', '/tasks?type=invoice')).body.result[0]).not.toHaveProperty('logs');
    const task = (await ask('GET', `/tasks/${guid}`)).body.result;
    expect(task.logs).toMatchObject([{ quantity: 1.5, from_date: '2026-11-03', description: null }]);
    await ask('PUT', '/tasks/log', {
      guid: task.logs[0].guid,
      description: 'corrected',
      h: '08:00',
      p: '10:00',
    });
    expect((await ask('GET', `/tasks/${guid}`)).body.result.logs).toMatchObject([
      { quantity: 2, description: 'corrected' },
    ]);
    expect((await ask('POST', `/tasks/${guid}/deactivate`)).body.status).toBe(true);
    expect((await ask('GET', '/tasks')).body.result).toEqual([]);
  });
});
