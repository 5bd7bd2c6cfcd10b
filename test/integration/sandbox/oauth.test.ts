// OAuth of the agent API document: registration, consent, PKCE, lifetimes, rotation, scopes, grants, revocation.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, openSandbox, send, type Answer, type TestSandbox } from './sandbox-client.js';

const REDIRECT = 'https://bridge.example/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-to-be-a-real-one-0123456789';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

let anna: TestSandbox;
let bjorn: TestSandbox;
beforeEach(async () => {
  anna = await openSandbox();
  bjorn = clientOf(anna.sandbox, anna.sandbox.accounts[1]!);
});
afterEach(() => anna.sandbox.close());

const postJson = (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  send(anna.sandbox.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const register = (changes: object = {}) =>
  postJson('/agent/register', {
    username: anna.username,
    api_key: anna.apiKey,
    name: 'Bridge',
    redirect_uri: REDIRECT,
    ...changes,
  });

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

async function newClient(): Promise<Client> {
  return (await register()).body as unknown as Client;
}

const authorizeUrl = (clientId: string, changes: Record<string, string> = {}) =>
  `/strax/agent/authorize?${new URLSearchParams({
    client_id: clientId,
    scope: 'nav,cost',
    redirect_uri: REDIRECT,
    state: 'st4te',
    code_challenge: CHALLENGE,
    ...changes,
  }).toString()}`;

const postForm = (url: string, fields: Record<string, string>, cookie = '') =>
  send(anna.sandbox.url + url, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });

/** What a person does with the two pages. */
async function consent(url: string, who: TestSandbox, choice: Record<string, string> = {}): Promise<URL> {
  const signedIn = await postForm(url, { step: 'sign-in', username: who.username, password: who.password });
  expect(signedIn.http).toBe(303);
  const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0]!;
  const page = await send(anna.sandbox.url + url, { headers: { cookie } });
  const formToken = /name="form_token" value="(\w+)"/.exec(page.text)?.[1] ?? '';
  const scopes: [string, string][] = [...page.text.matchAll(/name="(scope_\w+)"/g)].map((match) => [
    match[1]!,
    '1',
  ]);
  const ticked: Record<string, string> = Object.fromEntries(scopes);
  const fields = { step: 'consent', form_token: formToken, decision: 'allow', ...ticked };
  const done = await postForm(url, { ...fields, ...choice }, cookie);
  expect(done.http).toBe(302);
  return new URL(String(done.headers.get('location')));
}

async function codeFor(client: Client, changes: Record<string, string> = {}): Promise<string> {
  const back = await consent(authorizeUrl(client.client_id, changes), anna);
  return back.searchParams.get('code') ?? '';
}

const token = (body: object) => postJson('/strax/agent/token', body);

const exchange = (client: Client, code: string, changes: object = {}) =>
  token({
    grant_type: 'authorization_code',
    client_id: client.client_id,
    client_secret: client.client_secret,
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...changes,
  });

const refresh = (client: Client, refreshToken: unknown) =>
  token({
    grant_type: 'refresh_token',
    client_id: client.client_id,
    client_secret: client.client_secret,
    refresh_token: refreshToken,
  });

async function connected(scope = 'nav,cost') {
  const client = await newClient();
  const { body } = await exchange(client, await codeFor(client, { scope }));
  return { client, tokens: body as unknown as { access_token: string; refresh_token: string } };
}

const asAgent = (accessToken: string, path: string) =>
  send(`${anna.sandbox.url}/api/v1/agent${path}`, { headers: { authorization: `Bearer ${accessToken}` } });

const HOUR = 3_600_000;

describe('registration', () => {
  test('is idempotent on (user, name, redirect_uri) and shows the secret once', async () => {
    const first = await register();
    expect(first).toMatchObject({
      http: 200,
      body: { status: true, existing: false, name: 'Bridge', redirect_uri: REDIRECT },
    });
    expect(first.body['client_secret']).toMatch(/^\w{32,}$/);
    const again = await register();
    expect(again.body).toMatchObject({
      existing: true,
      client_id: first.body['client_id'],
      client_secret: null,
    });
    expect(again.body).not.toHaveProperty('rotated');
    expect((await register({ name: 'Other' })).body['client_id']).not.toBe(first.body['client_id']);
  });

  test('rotates the secret on request and ends the old one, while tokens live on', async () => {
    const { client, tokens } = await connected();
    const rotated = await register({ rotate_secret: true });
    expect(rotated.body).toMatchObject({ existing: true, rotated: true });
    expect((await refresh(client, tokens.refresh_token)).http).toBe(401);
    expect((await asAgent(tokens.access_token, '/items')).http).toBe(200);
    const renewed = { ...client, client_secret: String(rotated.body['client_secret']) };
    expect((await refresh(renewed, tokens.refresh_token)).http).toBe(200);
  });

  test('accepts Basic credentials and a session cookie as well', async () => {
    const basic = { authorization: `Basic ${btoa(`${anna.username}:${anna.apiKey}`)}` };
    const body = { name: 'Bridge', redirect_uri: REDIRECT };
    expect((await postJson('/agent/register', body, basic)).body['status']).toBe(true);
    const client = await newClient();
    const signedIn = await postForm(authorizeUrl(client.client_id), {
      step: 'sign-in',
      username: anna.username,
      password: anna.password,
    });
    const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0]!;
    expect((await postJson('/strax/agent/register', body, { cookie })).body['existing']).toBe(true);
  });

  test('refuses with the documented codes', async () => {
    expect(await register({ api_key: 'wrong' })).toMatchObject({
      http: 401,
      body: { status: false, code: 'invalid_credentials' },
    });
    expect(await register({ redirect_uri: 'http://bridge.example/' })).toMatchObject({
      http: 422,
      body: { status: false, code: 'validation_error' },
    });
    expect(await register({ name: '' })).toMatchObject({ http: 422 });
    const account = anna.sandbox.control.addAccount({
      invoices: 1,
      costs: 1,
      profile: { web_service: false },
    });
    const refused = await register({ username: account.username, api_key: account.apiKey });
    expect(refused).toMatchObject({ http: 403, body: { code: 'webservice_required' } });
  });
});

describe('consent', () => {
  test('returns code and state to the exact redirect_uri, and the code becomes tokens', async () => {
    const client = await newClient();
    const back = await consent(authorizeUrl(client.client_id), anna);
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(back.searchParams.get('state')).toBe('st4te');
    const answer = await exchange(client, String(back.searchParams.get('code')));
    expect(answer.http).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.any(String) as string,
      scope: 'nav,cost',
    });
  });

  test('never redirects to an address that is not registered', async () => {
    const client = await newClient();
    for (const url of [
      authorizeUrl(client.client_id, { redirect_uri: `${REDIRECT}/` }),
      authorizeUrl('agent_unknown'),
    ]) {
      const page = await send(anna.sandbox.url + url);
      expect(page.http).toBe(400);
      expect(page.text).toContain('Invalid client or redirect URI');
    }
  });

  test('refuses a wrong password and a form of another session', async () => {
    const url = authorizeUrl((await newClient()).client_id);
    const wrong = await postForm(url, { step: 'sign-in', username: anna.username, password: 'no' });
    expect(wrong.http).toBe(401);
    const signedIn = await postForm(url, {
      step: 'sign-in',
      username: anna.username,
      password: anna.password,
    });
    const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0]!;
    const forged = await postForm(url, { step: 'consent', decision: 'allow', scope_nav: '1' }, cookie);
    expect(forged.http).toBe(400);
  });

  test('grants only what the person ticked and the plan includes', async () => {
    const account = anna.sandbox.control.addAccount({
      username: 'lite',
      invoices: 1,
      costs: 1,
      scopes: ['nav', 'task'],
    });
    const { body } = await register({ username: 'lite', api_key: account.apiKey });
    const client = body as unknown as Client;
    const lite = clientOf(anna.sandbox, account);
    const back = await consent(authorizeUrl(client.client_id, { scope: 'nav,task,cost' }), lite, {
      scope_task: '0',
    });
    const tokens = await exchange(client, String(back.searchParams.get('code')));
    expect(tokens.body['scope']).toBe('nav');
  });

  test('sends access_denied back when the person declines', async () => {
    const back = await consent(authorizeUrl((await newClient()).client_id), anna, { decision: 'deny' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('code')).toBeNull();
  });

  test('lets only its owner use a client, and anybody an app client, bound to who consents', async () => {
    const own = await newClient();
    const signedIn = await postForm(authorizeUrl(own.client_id), {
      step: 'sign-in',
      username: bjorn.username,
      password: bjorn.password,
    });
    const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0]!;
    expect((await send(anna.sandbox.url + authorizeUrl(own.client_id), { headers: { cookie } })).http).toBe(
      400,
    );

    const app = anna.sandbox.control.addClient({ name: 'App', redirectUri: REDIRECT, isPublic: true });
    const back = await consent(authorizeUrl(app.client_id), bjorn);
    const answer = await exchange(
      { client_id: app.client_id, client_secret: '' },
      String(back.searchParams.get('code')),
    );
    const count = await asAgent(String(answer.body['access_token']), '/invoices/count');
    expect(count.body['result']).toEqual({ count: 10 });
  });

  test('takes S256 only, and a public client must send a challenge', async () => {
    const client = await newClient();
    const page = await send(
      anna.sandbox.url + authorizeUrl(client.client_id, { code_challenge_method: 'plain' }),
    );
    expect(page.headers.get('location')).toContain('error=invalid_request');
    const app = anna.sandbox.control.addClient({ name: 'App', redirectUri: REDIRECT, isPublic: true });
    const query = new URLSearchParams({ client_id: app.client_id, scope: 'nav', redirect_uri: REDIRECT });
    const bare = await send(`${anna.sandbox.url}/agent/authorize?${query.toString()}`);
    expect(bare.headers.get('location')).toContain('error=invalid_request');
  });
});

describe('tokens', () => {
  test('a code works once, for ten minutes, with its own verifier, redirect_uri and secret', async () => {
    const client = await newClient();
    const used = await codeFor(client);
    expect((await exchange(client, used)).http).toBe(200);
    expect((await exchange(client, used)).body['error']).toBe('invalid_grant');
    for (const wrong of [
      { code_verifier: 'other' },
      { code_verifier: undefined },
      { redirect_uri: `${REDIRECT}x` },
    ])
      expect((await exchange(client, await codeFor(client), wrong)).http, JSON.stringify(wrong)).toBe(400);
    const wrongSecret = await exchange(client, await codeFor(client), { client_secret: 'x' });
    expect(wrongSecret).toMatchObject({ http: 401, body: { message: 'Invalid client or redirect URI' } });
    const late = await codeFor(client);
    anna.sandbox.control.advanceClock(10 * 60_000);
    expect((await exchange(client, late)).body['error']).toBe('invalid_grant');
  });

  test('access tokens expire with a 401 that says so, and a refresh cures it', async () => {
    const { client, tokens } = await connected();
    anna.sandbox.control.advanceClock(HOUR);
    expect(await asAgent(tokens.access_token, '/items')).toMatchObject({
      http: 401,
      body: { error: 'token_expired' },
    });
    const renewed = await refresh(client, tokens.refresh_token);
    expect(renewed.body).not.toHaveProperty('scope');
    expect((await asAgent(String(renewed.body['access_token']), '/items')).http).toBe(200);
  });

  test('refresh tokens rotate, and a replaced one fails and is noted', async () => {
    const { client, tokens } = await connected();
    const second = await refresh(client, tokens.refresh_token);
    expect(second.body['refresh_token']).not.toBe(tokens.refresh_token);
    expect((await refresh(client, tokens.refresh_token)).http).toBe(400);
    expect((await refresh(client, second.body['refresh_token'])).http).toBe(200);
    expect(anna.sandbox.control.brokenRules().map(({ rule }) => rule)).toContain('refresh-replaced');
  });

  test('a refresh token lives thirty days', async () => {
    const { client, tokens } = await connected();
    anna.sandbox.control.advanceClock(30 * 24 * HOUR);
    expect((await refresh(client, tokens.refresh_token)).http).toBe(400);
  });

  test('a call outside the granted scopes is 403 with the documented message', async () => {
    const { tokens } = await connected('nav');
    expect((await asAgent(tokens.access_token, '/items')).http).toBe(200);
    expect(await asAgent(tokens.access_token, '/costs')).toMatchObject({
      http: 403,
      body: { error: true, message: 'Agent token does not include the required scope: cost', code: 403 },
    });
  });

  test('an unknown token is a 401 that does not speak of tokens or expiry', async () => {
    const answer = await asAgent('nonsense', '/items');
    expect(answer.http).toBe(401);
    expect(answer.text).not.toMatch(/token|expired/i);
  });
});

describe('grants', () => {
  const manage = (method: string, path = '', body?: object) =>
    send(`${anna.sandbox.url}/api/v1/agents${path}`, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${anna.username}:${anna.apiKey}`)}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('are listed with agent_id, name, scopes and granted_at', async () => {
    const { client } = await connected();
    expect((await manage('GET')).body).toEqual({
      data: [
        {
          agent_id: client.client_id,
          name: 'Bridge',
          scopes: ['nav', 'cost'],
          granted_at: '2026-03-10 12:00:00',
        },
      ],
      total: 1,
    });
  });

  test('can be given without the consent page, as array or text', async () => {
    const { client_id } = await newClient();
    expect((await manage('POST', '', { client_id, scopes: 'nav,task' })).http).toBe(200);
    expect((await manage('POST', '', { client_id, scopes: ['nav'] })).body['scopes']).toEqual(['nav']);
    expect((await manage('POST', '', { client_id })).http).toBe(422);
    expect((await manage('POST', '', { client_id: 'x', scopes: 'nav' })).http).toBe(422);
  });

  test('revocation ends every token, and refreshing after it is noted', async () => {
    const { client, tokens } = await connected();
    expect((await manage('DELETE', `/${client.client_id}`)).body).toEqual({
      message: expect.any(String) as string,
      agent_id: client.client_id,
    });
    const refused = await asAgent(tokens.access_token, '/items');
    expect(refused.http).toBe(401);
    expect(refused.text).not.toContain('token_expired');
    expect((await refresh(client, tokens.refresh_token)).http).toBe(400);
    expect(anna.sandbox.control.brokenRules().map(({ rule }) => rule)).toContain('refresh-without-expiry');
    expect((await manage('DELETE', `/${client.client_id}`)).http).toBe(404);
  });

  test('need Basic credentials: a bearer token is not enough', async () => {
    const { tokens } = await connected();
    const answer = await send(`${anna.sandbox.url}/api/v1/agents`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(answer.http).toBe(401);
  });
});
