// Who gets in, and who does not: the first account, locks, sessions, roles, forgery. Each test makes what it uses up, so
// that it can be tried again.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { codeAt, stepAt } from '../../../src/operations/users/second-factor.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { addressOf, dashboardBed, type OwnDashboard, PASSWORD } from '../../support/dashboard-bed.js';

let bed: Bed;
let dash: OwnDashboard;
let now = new Date();
const wait = (ms: number) => (now = new Date(now.getTime() + ms));
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  bed = await bridgeBed({ accounts: [], tenants: [] });
  const key = new Secret(randomBytes(32).toString('base64'));
  dash = await dashboardBed(bed.bridge, { now: () => now, key });
  await dash.addUser('gudrun', 'admin');
});

afterAll(async () => {
  await dash.close();
  await bed.close();
});

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const newLogin = (name: string) => `${name}-${randomUUID().slice(0, 8)}`;

interface From {
  readonly at?: Pick<OwnDashboard, 'url'>;
  readonly headers?: Record<string, string>;
}

function post(path: string, fields: Record<string, string>, { at = dash, headers = {} }: From = {}) {
  return fetch(at.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: at.url, ...headers },
    body: form(fields),
  });
}

async function signIn(login: string): Promise<string> {
  const answer = await post('/login', { login, password: PASSWORD });
  expect(answer.status).toBe(303);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function csrfOf(cookie: string): Promise<string> {
  const page = await (await fetch(`${dash.url}/account`, { headers: { cookie } })).text();
  return /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

const statusOf = async (path: string, cookie: string) =>
  (await fetch(dash.url + path, { headers: { cookie } })).status;

describe('the first account', () => {
  it('is made with the printed code only, and only once', async () => {
    const fresh = await bridgeBed({ accounts: [], tenants: [] });
    const at = await dashboardBed(fresh.bridge);
    try {
      const door = await fetch(`${at.url}/`, { redirect: 'manual', headers: { accept: 'text/html' } });
      expect(door.headers.get('location')).toBe('/login?next=%2F');
      const code = await at.users.issueSetupCode();
      const given = { login: 'Gudrun', password: PASSWORD, again: PASSWORD, code };
      const setUp = (fields: Record<string, string>) => post('/setup', { ...given, ...fields }, { at });
      expect((await setUp({ code: 'wrong' })).status).toBe(400);
      expect((await setUp({ again: 'other' })).status).toBe(400);
      expect((await setUp({ password: 'short', again: 'short' })).status).toBe(400);
      const made = await setUp({});
      expect(made.status).toBe(303);
      expect(made.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
      expect((await setUp({ login: 'second' })).status).toBe(400);
      const everybody = await at.users.list();
      expect(everybody.map(({ login, role }) => [login, role])).toEqual([['gudrun', 'admin']]);
    } finally {
      await at.close();
      await fresh.close();
    }
  });
});

describe('a stranger', () => {
  it('is not sent to another site after signing in', async () => {
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
      const answer = await post('/login', { login: 'gudrun', password: PASSWORD, next });
      expect(answer.headers.get('location')).toBe('/');
    }
  });

  it('cannot tell an unknown login from a wrong password, and is locked out after five', async () => {
    wait(2 * HOUR_MS);
    const login = newLogin('locked');
    await dash.addUser(login, 'viewer');
    const wrong = (name: string) => post('/login', { login: name, password: 'not the password' });
    const unknown = await (await wrong('nobody')).text();
    const known = await (await wrong(login)).text();
    expect(known.replaceAll(login, 'nobody')).toBe(unknown);
    for (let tries = 0; tries < 4; tries++) await wrong(login);
    const right = await post('/login', { login, password: PASSWORD });
    expect(right.status).toBe(401);
    expect(await right.text()).toContain('locked until');
    wait(61_000);
    await signIn(login);
  });

  it('learns from a lock on one unknown name nothing about another', async () => {
    const first = newLogin('gestur');
    const bucket = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 4);
    let second = '';
    for (let n = 0; second === ''; n++) if (bucket(`gestur${n}`) === bucket(first)) second = `gestur${n}`;
    const guess = async (login: string) => (await post('/login', { login, password: 'wrong' })).text();
    for (let tries = 0; tries < 5; tries++) await guess(first);
    expect(await guess(first)).toContain('locked until');
    expect(await guess(second)).not.toContain('locked until');
    wait(6 * 60_000);
  });

  it('is locked out by two hundred wrong passwords at once, under a name that exists and under one that does not', async () => {
    wait(2 * HOUR_MS);
    const login = newLogin('stormed');
    await dash.addUser(login, 'viewer');
    for (const name of [login, newLogin('nobody')]) {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          dash.app.inject({
            method: 'POST',
            url: '/login',
            remoteAddress: `10.7.${String(index)}.${name === login ? '1' : '2'}`,
            headers: { origin: dash.url, host: new URL(dash.url).host },
            payload: { login: name, password: `wrong ${String(index)}` },
          }),
        ),
      );
      const locked = answers.filter(({ body }) => body.includes('locked until'));
      expect(locked).toHaveLength(196);
      expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(200);
    }
    expect((await post('/login', { login, password: PASSWORD })).status).toBe(401);
    wait(61_000);
    await signIn(login);
  });

  it('has thirty tries in five minutes from one address, whatever the login', async () => {
    wait(HOUR_MS);
    const from = (remoteAddress: string) =>
      dash.app.inject({
        method: 'POST',
        url: '/setup',
        remoteAddress,
        headers: { origin: dash.url, host: new URL(dash.url).host },
        payload: { code: 'guess', login: 'gudrun', password: PASSWORD, again: 'not the same' },
      });
    for (let tries = 0; tries < 30; tries++) expect((await from('10.9.9.9')).statusCode).toBe(400);
    expect((await from('10.9.9.9')).statusCode).toBe(429);
    expect((await from('10.9.9.8')).statusCode).toBe(400);
    wait(5 * 60_000 + 1);
    expect((await from('10.9.9.9')).statusCode).toBe(400);
  });

  it('is not listened to after three hundred requests in a minute', async () => {
    wait(HOUR_MS);
    const ask = () => dash.app.inject({ url: '/documents', remoteAddress: '10.8.8.8' });
    for (let tries = 0; tries < 300; tries++) expect((await ask()).statusCode).toBe(401);
    expect((await ask()).statusCode).toBe(429);
  });
});

describe('somebody signed in', () => {
  it('sees pages with a strict policy and nothing kept by caches', async () => {
    const cookie = await signIn('gudrun');
    const page = await fetch(`${dash.url}/`, { headers: { cookie } });
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
  });

  it('can be impersonated by no other site, and what they do stands in the audit under their name', async () => {
    const cookie = await signIn('gudrun');
    const token = await csrfOf(cookie);
    const login = newLogin('made');
    const fields = { login, password: PASSWORD, role: 'viewer' };
    const exists = async () => (await dash.users.list()).some((user) => user.login === login);
    const make = (more: Record<string, string>, headers: Record<string, string> = {}) =>
      post('/users', { ...fields, ...more }, { headers: { cookie, ...headers } });
    expect((await make({ _csrf: token }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await make({ _csrf: token }, { origin: 'null' })).status).toBe(403);
    expect((await make({})).status).toBe(403);
    expect((await make({ _csrf: 'guess' })).status).toBe(403);
    expect(await exists()).toBe(false);
    expect((await make({ _csrf: token })).status).toBe(200);
    expect(await exists()).toBe(true);
    const { items } = await bed.bridge.operations.audit({ subject: login });
    expect(items[0]).toMatchObject({ actor: 'gudrun', action: 'user.created' });
  });

  it('needs our origin and the token on every route that changes something', async () => {
    const cookie = await signIn('gudrun');
    const token = await csrfOf(cookie);
    const host = new URL(dash.url).host;
    const changing = dash.routes.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
    expect(changing.length).toBeGreaterThan(20);
    const forged: readonly Record<string, string>[] = [
      { origin: 'https://evil.example', 'x-csrf-token': token },
      { 'x-csrf-token': token },
      { origin: dash.url },
    ];
    for (const route of changing)
      for (const headers of forged) {
        const request = { method: route.method as 'POST', url: addressOf(route) };
        const answer = await dash.app.inject({ ...request, headers: { cookie, host, ...headers } });
        expect(answer.statusCode, `${route.method} ${route.url} ${Object.keys(headers).join()}`).toBe(403);
      }
  });

  it('does only what the role allows, on every route', async () => {
    const login = newLogin('viewer');
    await dash.addUser(login, 'viewer');
    const cookie = await signIn(login);
    const headers = { cookie, origin: dash.url, 'x-csrf-token': await csrfOf(cookie) };
    const beyond = dash.routes.filter(({ access }) => access === 'operator' || access === 'admin');
    expect(beyond.some(({ url }) => url === '/replay/start')).toBe(true);
    for (const route of beyond) {
      const answer = await dash.app.inject({ method: route.method as 'GET', url: addressOf(route), headers });
      expect(answer.statusCode, `${route.method} ${route.url}`).toBe(403);
    }
  });

  it('is out everywhere after signing out everywhere, and after a new password', async () => {
    const login = newLogin('many');
    await dash.addUser(login, 'viewer');
    const [one, two] = [await signIn(login), await signIn(login)];
    await post('/account/sign-out', { _csrf: await csrfOf(one) }, { headers: { cookie: one } });
    expect(await Promise.all([one, two].map((cookie) => statusOf('/account', cookie)))).toEqual([401, 401]);
    const three = await signIn(login);
    await dash.users.setPassword(login, new Secret('another fine password'), 'gudrun');
    expect(await statusOf('/account', three)).toBe(401);
  });

  it('is out after half a day without a request', async () => {
    const cookie = await signIn('gudrun');
    wait(13 * HOUR_MS);
    expect(await statusOf('/account', cookie)).toBe(401);
  });

  it('keeps at least one admin', async () => {
    await expect(dash.users.disable('gudrun', 'gudrun')).rejects.toThrow('last admin');
    await expect(dash.users.setRole('gudrun', 'viewer', 'gudrun')).rejects.toThrow('last admin');
  });

  it('has neither password nor session id in the records', async () => {
    const cookie = await signIn('gudrun');
    const users = JSON.stringify(await bed.database.prisma.dashboardUser.findMany());
    const sessions = JSON.stringify(await bed.database.prisma.dashboardSession.findMany());
    expect(users).not.toContain(PASSWORD);
    expect(sessions).not.toContain(cookie.split('=')[1] ?? 'x');
  });
});

describe('people and tokens', () => {
  const location = (answer: Response) => answer.headers.get('location');

  async function adminOf(name: string) {
    const login = newLogin(name);
    await dash.addUser(login, 'admin');
    const cookie = await signIn(login);
    const token = await csrfOf(cookie);
    const send = (path: string, fields: Record<string, string> = {}) =>
      post(path, { _csrf: token, ...fields }, { headers: { cookie } });
    return { login, cookie, send };
  }

  it('are changed only within ten minutes of a password, whatever the route', async () => {
    const { login, cookie, send } = await adminOf('opid');
    const routes = dash.routes.filter(
      ({ method, url }) => method === 'POST' && /^\/(users|tokens)\b/.test(url),
    );
    expect(routes.length).toBeGreaterThan(8);
    wait(10 * 60_000 + 1);
    for (const route of routes)
      expect(location(await send(addressOf(route))), route.url).toBe('/account/confirm?next=%2Fusers');
    const made = newLogin('nyr');
    const make = () => send('/users', { login: made, password: PASSWORD, role: 'admin' });
    expect((await make()).status).toBe(303);
    expect((await send('/account/confirm', { next: '/users', proof: 'not it' })).status).toBe(400);
    expect((await make()).status).toBe(303);
    expect((await dash.users.list()).some((user) => user.login === made)).toBe(false);
    const confirmed = await send('/account/confirm', { next: '/users', proof: PASSWORD });
    expect([confirmed.status, location(confirmed)]).toEqual([303, '/users']);
    expect((await make()).status).toBe(200);
    expect((await dash.users.list()).some((user) => user.login === made)).toBe(true);
    expect(await statusOf('/users', cookie)).toBe(200);
    expect(await dash.users.isPassword(login, new Secret(PASSWORD))).toBe(true);
  });

  it('are changed after a code where a second factor is on: the password alone is not enough', async () => {
    const { login, cookie, send } = await adminOf('kodi');
    const { secret } = await dash.users.secondFactor.begin(login);
    const sessionId = cookie.split('=')[1] ?? '';
    await dash.users.secondFactor.confirm(login, codeAt(secret, stepAt(now)), sessionId);
    wait(10 * 60_000 + 1);
    expect((await send(`/users/${login}/second-factor-off`)).status).toBe(303);
    expect((await send('/account/confirm', { proof: PASSWORD })).status).toBe(400);
    expect((await send(`/users/${login}/second-factor-off`)).status).toBe(303);
    expect((await dash.users.secondFactor.state(login)).on).toBe(true);
    expect((await send('/account/confirm', { proof: codeAt(secret, stepAt(now)) })).status).toBe(303);
    expect((await send(`/users/${login}/second-factor-off`)).status).toBe(200);
    expect((await dash.users.secondFactor.state(login)).on).toBe(false);
  });

  it('keep who made a token, as signed in', async () => {
    const { login, send } = await adminOf('lykill');
    const name = newLogin('token');
    expect((await send('/tokens', { name, role: 'viewer' })).status).toBe(200);
    const row = await bed.database.prisma.apiToken.findFirstOrThrow({ where: { name } });
    expect(row.identity).toBe(`login:${login}`);
  });
});

describe('a right password', () => {
  it('is no try, however often it is given', async () => {
    const login = newLogin('oft');
    await dash.addUser(login, 'viewer');
    const cookie = await signIn(login);
    const fields = { _csrf: await csrfOf(cookie), current: PASSWORD };
    for (let times = 0; times < 12; times++) {
      const begun = await post('/account/second-factor/begin', fields, { headers: { cookie } });
      expect(begun.status).toBe(200);
    }
    await signIn(login);
  });
});

describe('a second factor', () => {
  async function withFactor(name: string) {
    const login = newLogin(name);
    await dash.addUser(login, 'viewer');
    const { secret } = await dash.users.secondFactor.begin(login);
    const code = () => codeAt(secret, stepAt(now));
    expect(await dash.users.secondFactor.confirm(login, code(), '')).toHaveLength(10);
    wait(60_000);
    const ticket = async () => {
      const answer = await dash.users.signIn(login, new Secret(PASSWORD), BROWSER);
      expect(answer.outcome).toBe('code-needed');
      return answer.outcome === 'code-needed' ? answer.ticket : '';
    };
    return { login, secret, code, ticket };
  }
  const BROWSER = { browser: 'test', address: '10.1.1.1' };

  it('lets one of three in who write the same code at once', async () => {
    const { code, ticket } = await withFactor('samtimis');
    const tickets = [await ticket(), await ticket(), await ticket()];
    const answers = await Promise.all(tickets.map((one) => dash.users.signInWithCode(one, code(), BROWSER)));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['refused', 'refused', 'signed-in']);
  });

  it('locks after five wrong codes, and a ticket counts for five minutes and once', async () => {
    const { code, ticket } = await withFactor('giskar');
    const held = await ticket();
    const outcomes: string[] = [];
    for (let tries = 0; tries < 6; tries++)
      outcomes.push((await dash.users.signInWithCode(held, '12345', BROWSER)).outcome);
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'refused', 'locked', 'locked']);
    expect((await dash.users.signInWithCode(held, code(), BROWSER)).outcome).toBe('locked');
    wait(2 * 60_000);
    expect((await dash.users.signInWithCode(held, code(), BROWSER)).outcome).toBe('signed-in');
    wait(60_000);
    expect((await dash.users.signInWithCode(held, code(), BROWSER)).outcome).toBe('ticket-over');
    const late = await ticket();
    wait(5 * 60_000);
    expect((await dash.users.signInWithCode(late, code(), BROWSER)).outcome).toBe('ticket-over');
  });

  it('is at rest only sealed, and opens for its owner and key alone', async () => {
    const { login, secret } = await withFactor('innsiglad');
    const rows = await bed.database.prisma.secondFactor.findMany();
    expect(JSON.stringify(rows)).not.toContain(secret.reveal());
    const codes = await bed.database.prisma.recoveryCode.findMany({ where: { user: { login } } });
    expect(codes.every(({ codeHash }) => /^[0-9a-f]{64}$/.test(codeHash))).toBe(true);
  });

  it('is refused without a key to keep it with', async () => {
    const keyless = await dashboardBed(bed.bridge);
    await expect(keyless.users.secondFactor.begin('gudrun')).rejects.toMatchObject({
      code: 'SECOND_FACTOR_KEY',
    });
    await keyless.close();
  });
});

describe('behind https', () => {
  it('gives cookies that only travel over https', async () => {
    const secure = await dashboardBed(bed.bridge, { publicUrl: 'https://bridge.example' });
    try {
      const given = { login: 'gudrun', password: PASSWORD };
      const headers = { origin: 'https://bridge.example' };
      const answer = await post('/login', given, { at: secure, headers });
      expect(answer.headers.get('set-cookie')).toMatch(
        /^__Host-ledgerbridge=.*Path=\/; Expires=.*HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(answer.headers.get('strict-transport-security')).toContain('max-age');
    } finally {
      await secure.close();
    }
  });
});

describe('signing in elsewhere', () => {
  it('sends nobody back to an address that only the header Host names', async () => {
    const askedFor: string[] = [];
    const provider = {
      begin: (redirectUri: string) => {
        askedFor.push(redirectUri);
        return Promise.resolve({
          url: 'http://provider/',
          pending: { state: 's', nonce: 'n', verifier: 'v' },
        });
      },
      finish: () => Promise.reject(new Error('not asked')),
    };
    const identity = { provider, rules: [], name: 'Auðkenni', passwords: true, secondFactor: false };
    const at = await dashboardBed(bed.bridge, { identity });
    try {
      const go = (host: string) => at.app.inject({ url: '/login/openid', headers: { host } });
      expect((await go('evil.example')).statusCode).toBe(401);
      expect((await go('localhost.evil.example:8420')).statusCode).toBe(401);
      expect((await go('127.0.0.1:8420')).statusCode).toBe(303);
      expect(askedFor).toEqual(['http://127.0.0.1:8420/login/openid/back']);
    } finally {
      await at.close();
    }
  });
});
