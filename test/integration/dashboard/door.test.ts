// Who gets in, and who does not: every registered route as a stranger, the first account, locks, sessions, forgery.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, dashboardBed, PASSWORD } from '../../support/dashboard-bed.js';

let bed: Bed;
let dash: DashboardBed;
let now = new Date();

beforeAll(async () => {
  bed = await bridgeBed({ accounts: [], tenants: [] });
  dash = await dashboardBed(bed.bridge, { now: () => now });
});

afterAll(async () => {
  await dash.close();
  await bed.close();
});

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

async function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(dash.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: dash.url, ...headers },
    body: form(fields),
  });
}

async function signIn(login: string, password = PASSWORD): Promise<string> {
  const answer = await post('/login', { login, password });
  expect(answer.status).toBe(303);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function csrfOf(cookie: string): Promise<string> {
  const page = await (await fetch(`${dash.url}/account`, { headers: { cookie } })).text();
  return /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

describe('the first account', () => {
  it('is made with the printed code only, and only once', async () => {
    const door = await fetch(`${dash.url}/`, { redirect: 'manual', headers: { accept: 'text/html' } });
    expect(door.headers.get('location')).toBe('/login?next=%2F');
    const code = await dash.users.issueSetupCode();
    const given = { login: 'Gudrun', password: PASSWORD, again: PASSWORD };
    expect((await post('/setup', { ...given, code: 'wrong' })).status).toBe(400);
    expect((await post('/setup', { ...given, code, again: 'other' })).status).toBe(400);
    expect((await post('/setup', { ...given, code, password: 'short', again: 'short' })).status).toBe(400);
    const made = await post('/setup', { ...given, code });
    expect(made.status).toBe(303);
    expect(made.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
    expect((await post('/setup', { ...given, login: 'second', code })).status).toBe(400);
    expect((await dash.users.list()).map(({ login, role }) => [login, role])).toEqual([['gudrun', 'admin']]);
  });
});

describe('a stranger', () => {
  it('is refused at every registered route that is not the door itself', async () => {
    const open = dash.routes.filter(({ access }) => access === 'anyone').map(({ url }) => url);
    expect([...new Set(open.filter((url) => !url.startsWith('/assets/')))].sort()).toEqual([
      '/login',
      '/preferences',
      '/setup',
    ]);
    const guarded = dash.routes.filter(({ access }) => access !== 'anyone');
    expect(guarded.length).toBeGreaterThan(50);
    for (const { method, url } of guarded) {
      const path = url.replaceAll(/:\w+/g, 'x').replace('*', 'x');
      const answer = await dash.app.inject({
        method: method as 'GET',
        url: path,
        remoteAddress: `10.0.${String(guarded.length % 250)}.${String(Math.floor(Math.random() * 250))}`,
        headers: { origin: dash.url },
      });
      expect(answer.statusCode, `${method} ${url}`).toBe(401);
      expect(answer.body, `${method} ${url}`).toBe('');
    }
  });

  it('finds no page by guessing either', async () => {
    expect((await fetch(`${dash.url}/no-such-page`)).status).toBe(401);
  });

  it('is not sent to another site after signing in', async () => {
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
      const answer = await post('/login', { login: 'gudrun', password: PASSWORD, next });
      expect(answer.headers.get('location')).toBe('/');
    }
  });

  it('cannot tell an unknown login from a wrong password, and is locked out after five', async () => {
    await dash.addUser('locked', 'viewer');
    const wrong = async (login: string) => post('/login', { login, password: 'not the password' });
    const unknown = await (await wrong('nobody')).text();
    const known = await (await wrong('locked')).text();
    expect(known.replaceAll('locked', 'nobody')).toBe(unknown);
    for (let tries = 0; tries < 4; tries++) await wrong('locked');
    const right = await post('/login', { login: 'locked', password: PASSWORD });
    expect(right.status).toBe(401);
    expect(await right.text()).toContain('locked until');
    now = new Date(now.getTime() + 61_000);
    await signIn('locked');
  });
});

describe('somebody signed in', () => {
  it('sees pages with a strict policy and nothing kept by caches', async () => {
    const cookie = await signIn('gudrun');
    const page = await fetch(`${dash.url}/`, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    expect(text).not.toMatch(/<script(?![^>]*src=)/);
    expect(text).not.toMatch(/ style="| on\w+="/);
  });

  it('can be impersonated by no other site', async () => {
    const cookie = await signIn('gudrun');
    const token = await csrfOf(cookie);
    const fields = { login: 'made', password: PASSWORD, role: 'viewer' };
    const foreign = await post(
      '/users',
      { ...fields, _csrf: token },
      { cookie, origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect((await post('/users', fields, { cookie })).status).toBe(403);
    expect((await post('/users', { ...fields, _csrf: 'guess' }, { cookie })).status).toBe(403);
    expect((await dash.users.list()).some(({ login }) => login === 'made')).toBe(false);
    expect((await post('/users', { ...fields, _csrf: token }, { cookie })).status).toBe(200);
    expect((await dash.users.list()).some(({ login }) => login === 'made')).toBe(true);
  });

  it('does only what the role allows, on every route', async () => {
    await dash.addUser('viewer', 'viewer');
    const cookie = await signIn('viewer');
    const token = await csrfOf(cookie);
    const headers = { cookie, origin: dash.url, 'x-csrf-token': token };
    const beyond = dash.routes.filter(({ access }) => access === 'operator' || access === 'admin');
    for (const { method, url } of beyond) {
      const path = url.replaceAll(/:\w+/g, 'x').replace('*', 'x');
      const answer = await dash.app.inject({ method: method as 'GET', url: path, headers });
      expect(answer.statusCode, `${method} ${url}`).toBe(403);
    }
  });

  it('is out everywhere after signing out everywhere, and after a new password', async () => {
    await dash.addUser('many', 'viewer');
    const [one, two] = [await signIn('many'), await signIn('many')];
    const token = await csrfOf(one);
    await post('/account/sign-out', { _csrf: token }, { cookie: one });
    for (const cookie of [one, two])
      expect((await fetch(`${dash.url}/account`, { headers: { cookie } })).status).toBe(401);
    const three = await signIn('many');
    await dash.users.setPassword('many', new Secret('another fine password'), 'gudrun');
    expect((await fetch(`${dash.url}/account`, { headers: { cookie: three } })).status).toBe(401);
  });

  it('is out after half a day without a request', async () => {
    const cookie = await signIn('gudrun');
    now = new Date(now.getTime() + 13 * 3_600_000);
    expect((await fetch(`${dash.url}/account`, { headers: { cookie } })).status).toBe(401);
  });

  it('leaves every act on people in the audit, under their name', async () => {
    const { items } = await bed.bridge.operations.audit({ subject: 'made' });
    expect(items[0]).toMatchObject({ actor: 'gudrun', action: 'user.created' });
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

describe('behind https', () => {
  it('gives cookies that only travel over https', async () => {
    const secure = await dashboardBed(bed.bridge, { publicUrl: 'https://bridge.example' });
    try {
      const answer = await fetch(`${secure.url}/login`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://bridge.example' },
        body: form({ login: 'gudrun', password: PASSWORD }),
      });
      expect(answer.headers.get('set-cookie')).toMatch(
        /^__Host-ledgerbridge=.*HttpOnly; Secure; SameSite=Lax/,
      );
      expect(answer.headers.get('strict-transport-security')).toContain('max-age');
    } finally {
      await secure.close();
    }
  });
});
