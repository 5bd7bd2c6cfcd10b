// What becomes of a grant when a refresh goes wrong: at which step, and what is known afterwards.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { connectSource } from '../../../src/service/connect-source.js';
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import { keepGrantAlive } from '../../../src/service/oauth/keep-alive.js';
import { TokenSource } from '../../../src/service/oauth/token-source.js';
import { sealTokens } from '../../../src/service/oauth/sealed-tokens.js';
import { TokenKeyring } from '../../../src/service/oauth/token-keyring.js';
import { TokenEndpoint } from '../../../src/service/oauth/token-endpoint.js';
import type { SourceServices } from '../../../src/service/source-services.js';
import type { SourceSettings } from '../../../src/service/source-settings.js';
import { testServices } from '../../support/invoicing/connections.js';
import { MemoryGrantStore } from '../../support/invoicing/memory-grant-store.js';
import { tokenKey } from '../../support/invoicing/oauth-tenant.js';
import {
  json,
  type Reply,
  type ScriptedServer,
  startScriptedServer,
} from '../../support/invoicing/scripted-server.js';

const COUNT = '/api/v1/agent/invoices/count';
const TOKEN = '/strax/agent/token';
const keyring = new TokenKeyring(tokenKey());
const hour = 3_600_000;

let server: ScriptedServer;
let store: MemoryGrantStore;
let log: { lines: string[] };
let services: SourceServices;
let settings: SourceSettings;
let source: InvoicingSource;
let onToken: Reply;
let onCount: Reply;

const fresh = (n: number) =>
  json({
    access_token: `access-${String(n)}`,
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: `refresh-${String(n)}`,
  });
const hangUp: Reply = (_request, response) => void response.destroy();
const onlyWith =
  (token: string): Reply =>
  (request, response) => {
    const valid = request.headers.authorization === `Bearer ${token}`;
    const expired = { error: 'token_expired', message: 'Token has expired' };
    return (valid ? json({ status: true, message: '', result: { count: 7 } }) : json(expired, 401))(
      request,
      response,
    );
  };
const countNow = () => source.count({ kind: 'invoice', accountingStatus: 'Created' });
const grant = () => store.rows.get('acme')!;
const tokenCalls = () => server.seen.filter(({ path }) => path === TOKEN);

async function stored(leftMs: number, n = 1): Promise<void> {
  const pair = {
    accessToken: new Secret(`access-${String(n)}`),
    refreshToken: new Secret(`refresh-${String(n)}`),
  };
  const tokens = sealTokens(keyring, 'acme', { ...pair, expiresInMs: leftMs, scopes: ['nav'] }, new Date());
  await store.save('acme', 'client-1', tokens, new Date());
}

beforeEach(async () => {
  onToken = fresh(2);
  onCount = onlyWith('access-2');
  server = await startScriptedServer((request, response) =>
    (request.path === TOKEN ? onToken : request.path === COUNT ? onCount : json({ status: false }, 404))(
      request,
      response,
    ),
  );
  store = new MemoryGrantStore();
  log = { lines: [] };
  services = testServices(log, { deadlineMs: 2_000 }, { store, keyring });
  const auth = {
    type: 'oauth',
    clientId: 'client-1',
    redirectUri: 'https://x.example/cb',
    scopes: ['nav', 'cost'],
  } as const;
  settings = { environment: 'production', baseUrl: server.url, auth };
  source = connectSource(settings, services);
});

afterEach(async () => {
  await source.close();
  await server.close();
});

describe('a grant', () => {
  it('is refreshed before it expires, stored, then used', async () => {
    await stored(10_000);
    expect(await countNow()).toBe(7);
    expect(tokenCalls()).toHaveLength(1);
    expect(JSON.parse(tokenCalls()[0]!.body)).toEqual({
      grant_type: 'refresh_token',
      client_id: 'client-1',
      refresh_token: 'refresh-1',
    });
    expect(grant()).toMatchObject({ version: 2, state: 'active', leaseOwner: null });
    expect(keyring.open('acme', 'refresh-token', grant().sealedRefresh).reveal()).toBe('refresh-2');
  });

  it('is refreshed once when a 401 says expired, although its time had not come', async () => {
    await stored(hour);
    expect(await Promise.all([countNow(), countNow(), countNow()])).toEqual([7, 7, 7]);
    expect(tokenCalls()).toHaveLength(1);
  });

  it('is refreshed when the tokens that another process stored are said to have expired too', async () => {
    await stored(hour);
    onCount = json({ status: true, message: '', result: { count: 7 } });
    expect(await countNow()).toBe(7);
    // By our clock they are good for another hour.
    await stored(hour, 5);
    onCount = onlyWith('access-2');
    expect(await countNow()).toBe(7);
    expect(
      tokenCalls().map(({ body }) => (JSON.parse(body) as { refresh_token: string }).refresh_token),
    ).toEqual(['refresh-5']);
    expect(grant()).toMatchObject({ version: 3, state: 'active' });
  });

  it('is not refreshed by a 401 that says something else', async () => {
    await stored(hour);
    onCount = json({ status: false, message: 'No account record for this token' }, 401);
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_CREDENTIALS_REFUSED' });
    expect(tokenCalls()).toEqual([]);
  });

  it.each([
    ['revoked', 401],
    ['too narrow', 403],
  ])('that was %s is replaced by a new sign-in while the connection lives', async (message, status) => {
    await stored(hour);
    onCount = json({ status: false, message }, status);
    await expect(countNow()).rejects.toMatchObject({ definition: { disposition: 'pause-tenant' } });
    onCount = (request, response) => {
      const valid = request.headers.authorization === 'Bearer access-9';
      return (
        valid ? json({ status: true, result: { count: 7 } }) : json({ status: false, message }, status)
      )(request, response);
    };
    await stored(hour, 9);
    expect(await countNow()).toBe(7);
    expect(tokenCalls()).toEqual([]);
  });

  it('that was revoked here says so, not that the credentials are wrong', async () => {
    await stored(hour, 2);
    expect(await countNow()).toBe(7);
    await store.close({ tenant: 'acme', owner: '', version: 1 }, 'revoked', new Date());
    onCount = json({ status: false, message: 'Token was revoked' }, 401);
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_NEEDS_CONSENT' });
  });

  it('that expired at the service is renewed although other calls still settle for it', async () => {
    await stored(20_000);
    const other = { tenant: 'acme', owner: 'other', version: 1 };
    await store.acquireLease(other, 60_000);
    const acquireLease = store.acquireLease.bind(store);
    store.acquireLease = async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return acquireLease(...args);
    };
    if (settings.auth.type !== 'oauth' || !services.grants) throw new Error('no OAuth');
    const tokens = new TokenSource(
      services,
      services.grants,
      new TokenEndpoint(settings, settings.auth, services, services.grants),
    );
    const settling = tokens.current();
    await new Promise((resolve) => setTimeout(resolve, 10));
    const newer = tokens.newerThan(1);
    expect(await settling).toMatchObject({ version: 1 });
    const pair = { accessToken: new Secret('access-2'), refreshToken: new Secret('refresh-2') };
    const refreshed = sealTokens(keyring, 'acme', { ...pair, expiresInMs: hour, scopes: [] }, new Date());
    await store.storeRefreshed(other, refreshed, new Date());
    expect(await newer).toMatchObject({ version: 2 });
    await tokens.close();
  });

  it('is not refreshed twice by a service that calls every token expired', async () => {
    await stored(hour);
    onCount = json({ error: 'token_expired' }, 401);
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_CREDENTIALS_REFUSED' });
    expect(tokenCalls()).toHaveLength(1);
  });

  it('needs consent, loudly, when the service refuses to refresh it', async () => {
    await stored(10_000);
    onToken = json({ error: 'invalid_grant', message: 'The refresh token was replaced' }, 400);
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_NEEDS_CONSENT' });
    expect(grant().state).toBe('needs-consent');
    expect(log.lines.some((line) => line.startsWith('needs consent'))).toBe(true);
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_NEEDS_CONSENT' });
    expect(tokenCalls()).toHaveLength(1);
  });

  it.each([
    ['a 401 that says expired', json({ status: false, message: 'Refresh token expired' }, 401)],
    ['a 401 with invalid_grant', json({ error: 'invalid_grant' }, 401)],
    ['a 403 of the service', json({ error: true, message: 'Grant was withdrawn', code: 403 }, 403)],
    ['a 200 that says no', json({ status: false, message: 'Unknown refresh token' })],
  ])('needs consent after %s, and does not ask again', async (_what, reply) => {
    await stored(10_000);
    onToken = reply;
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_NEEDS_CONSENT' });
    expect(grant()).toMatchObject({ state: 'needs-consent', leaseOwner: null });
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_NEEDS_CONSENT' });
    expect(tokenCalls()).toHaveLength(1);
  });

  it('stays in doubt after a 403 page, which a proxy may have written', async () => {
    await stored(10_000);
    onToken = (_request, response) => {
      response.writeHead(403, { 'content-type': 'text/html' });
      response.end('<h1>Forbidden</h1>');
    };
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_NO_ANSWER' });
    expect(grant().state).toBe('refreshing');
    onToken = fresh(2);
    expect(await countNow()).toBe(7);
  });

  it('is kept when it is the client that was refused, whatever of it expired', async () => {
    await stored(10_000);
    onToken = json({ error: 'invalid_client', message: 'The client secret has expired' }, 401);
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_CREDENTIALS_REFUSED' });
    expect(grant()).toMatchObject({ state: 'active', leaseOwner: null, version: 1 });
  });

  it('is kept when it is the client that was refused', async () => {
    await stored(10_000);
    onToken = json({ error: 'invalid_client', message: 'Invalid client or redirect URI' }, 401);
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_CREDENTIALS_REFUSED' });
    expect(grant()).toMatchObject({ state: 'active', leaseOwner: null, version: 1 });
  });

  it('stays in doubt when the answer was lost, recovers if the service had not seen the request', async () => {
    await stored(10_000);
    onToken = hangUp;
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_NO_ANSWER' });
    expect(grant()).toMatchObject({ state: 'refreshing', leaseOwner: null });
    onToken = fresh(2);
    expect(await countNow()).toBe(7);
    expect(grant()).toMatchObject({ state: 'active', version: 2 });
  });

  it('needs consent when the answer was lost and the service had used the token up', async () => {
    await stored(10_000);
    onToken = hangUp;
    await expect(countNow()).rejects.toThrow();
    onToken = json({ error: 'invalid_grant', message: 'replaced' }, 400);
    await expect(countNow()).rejects.toThrow(/after an earlier refresh whose answer was lost/);
    expect(grant().state).toBe('needs-consent');
  });

  it('is untouched when the service could not be reached at all', async () => {
    await stored(10_000);
    await server.close();
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE' });
    expect(grant()).toMatchObject({ state: 'active', leaseOwner: null, version: 1 });
  });

  it('is taken over from a process that died holding the lease', async () => {
    await stored(10_000);
    const dead = { tenant: 'acme', owner: 'dead', version: 1 };
    await store.acquireLease(dead, -1);
    await store.markRefreshStarted(dead, new Date());
    expect(await countNow()).toBe(7);
  });

  it('takes tokens that come late from a process that was thought dead', async () => {
    await stored(10_000);
    const late = { tenant: 'acme', owner: 'late', version: 1 };
    await store.close(late, 'needs-consent', new Date());
    const pair = { accessToken: new Secret('access-2'), refreshToken: new Secret('refresh-2') };
    const tokens = sealTokens(keyring, 'acme', { ...pair, expiresInMs: hour, scopes: [] }, new Date());
    expect(await store.storeRefreshed(late, tokens, new Date())).toBe(true);
    expect(await countNow()).toBe(7);
  });

  it('is stored again and again while the database does not answer, before it is used', async () => {
    await stored(10_000);
    let refusals = 2;
    const storeRefreshed = store.storeRefreshed.bind(store);
    store.storeRefreshed = (...args) =>
      refusals-- > 0 ? Promise.reject(new Error('database is away')) : storeRefreshed(...args);
    expect(await countNow()).toBe(7);
    expect(tokenCalls()).toHaveLength(1);
  });

  it('is waited for while another process refreshes it', async () => {
    await stored(-1);
    onToken = async (request, response) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return fresh(2)(request, response);
    };
    const others = [connectSource(settings, services), connectSource(settings, services)];
    const asked = others.map((other) => other.count({ kind: 'invoice', accountingStatus: 'Created' }));
    expect(await Promise.all([countNow(), ...asked])).toEqual([7, 7, 7]);
    expect(tokenCalls()).toHaveLength(1);
    await Promise.all(others.map((other) => other.close()));
  });

  it('is used to its last second while another process refreshes it', async () => {
    await stored(20_000, 2);
    await store.acquireLease({ tenant: 'acme', owner: 'other', version: 1 }, 60_000);
    expect(await countNow()).toBe(7);
    expect(tokenCalls()).toEqual([]);
  });

  it('is asked for when nobody has given one', async () => {
    await expect(countNow()).rejects.toMatchObject({ code: 'SOURCE_NEEDS_CONSENT' });
    expect(server.seen).toEqual([]);
  });
});

describe('an idle grant', () => {
  it('is left alone while it has weeks to live', async () => {
    await stored(hour);
    expect(await keepGrantAlive(settings, services)).toBe('fresh');
    expect(server.seen).toEqual([]);
  });

  it('is refreshed when it has not been used for a week', async () => {
    await stored(hour);
    store.rows.set('acme', { ...grant(), refreshExpiresAt: new Date(Date.now() + 22 * 24 * hour) });
    expect(await keepGrantAlive(settings, services)).toBe('refreshed');
    expect(grant().refreshExpiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * hour);
  });
});
