// Everything that a running bridge serves, visited by somebody who is not signed in. The routes come from the server's own
// listing, so what is added tomorrow is visited as well.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import {
  addressOf,
  type DashboardBed,
  PASSWORD,
  registeredRoutes,
  servedDashboard,
} from '../../support/dashboard-bed.js';

/** Says nothing about any document, tenant or person. */
const OPEN = [
  ...['/health', '/ready', '/login', '/login/code', '/setup', '/preferences'],
  ...['/login/openid', '/login/openid/back'],
];
const isOpen = (url: string) =>
  OPEN.includes(url) || url.startsWith('/assets/') || /^\/api\/v1\/(openapi\.json|docs)$/.test(url);
/** Of pages, as far as they read any. */
const FIELDS = (
  'actor after amountMax amountMin asked cause code conflicts currency field from group kind lang next order period report ' +
  'sale saved show span state subject take tenant text to'
).split(' ');
const SECRET_TITLE = 'Leyndarmál ehf.';

let bed: Bed;
let dash: DashboardBed;
let visits = 0;

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'leynd', invoices: 2, costs: 1, seed: 'strangers' }],
    tenants: [{ name: 'leynd', account: 'leynd', erp: { adapter: 'file' }, more: { title: SECRET_TITLE } }],
  });
  // A provider that nobody answers at: its two routes stand open like the rest of the door.
  const signIn = {
    issuer: 'http://127.0.0.1:9/',
    clientId: 'x',
    name: 'Auðkenni',
    roles: [{ group: 'x', role: 'viewer' }],
  };
  await writeFile(join(bed.settings.configDirectory, 'sign-in.yaml'), JSON.stringify(signIn));
  await bed.restart();
  dash = servedDashboard(bed.bridge);
  await dash.addUser('gudrun', 'admin');
});

afterAll(() => bed.close());

/** From an address of its own each time: this is about the door, not about its patience. */
async function visit(method: string, url: string, cookie?: string) {
  visits += 1;
  const remoteAddress = `10.${String(visits >> 16)}.${String((visits >> 8) & 255)}.${String(visits & 255)}`;
  const headers = { origin: dash.url, ...(cookie === undefined ? {} : { cookie }) };
  return dash.app.inject({ method: method as 'GET', url, remoteAddress, headers });
}

async function session(): Promise<string> {
  const fields = new URLSearchParams({ login: 'gudrun', password: PASSWORD });
  const headers = { origin: dash.url, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(`${dash.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: fields.toString(),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function endedSession(): Promise<string> {
  const cookie = await session();
  expect((await visit('GET', '/account', cookie)).statusCode).toBe(200);
  await dash.users.signOutEverywhere('gudrun', 'test');
  return cookie;
}

describe('a stranger', () => {
  it('may open the simulator, which stands alone: no cookie, no address and no page of ours is within its reach', async () => {
    const answer = await visit('GET', '/assets/simulator.html');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('ledgerbridge: exactly once');
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none';/);
    expect(policy).not.toContain("'self'");
  });

  it('finds the pages, the queue board, the live events, the metrics and the API among what is visited here', () => {
    const urls = registeredRoutes(dash.app).map(({ url }) => url);
    for (const url of [
      '/login/openid',
      '/login/openid/back',
      '/',
      '/documents/:id',
      '/queues/board/*',
      '/events',
      '/metrics',
    ])
      expect(urls).toContain(url);
    expect(urls.filter((url) => url.startsWith('/api/v1/')).length).toBeGreaterThan(25);
    expect(urls.length).toBeGreaterThan(150);
  });

  it.each([
    ['without a cookie', () => Promise.resolve(undefined)],
    ['with a cookie of their own making', () => Promise.resolve(`ledgerbridge=${'A'.repeat(43)}`)],
    ['with the cookie of a session that was ended', endedSession],
  ])('is refused everywhere but at the door, %s', async (_how, cookieOf) => {
    const cookie = await cookieOf();
    for (const route of registeredRoutes(dash.app).filter(({ url }) => !isOpen(url))) {
      const answer = await visit(route.method, addressOf(route), cookie);
      expect(answer.statusCode, `${route.method} ${route.url}`).toBe(401);
      expect(answer.body, `${route.method} ${route.url}`).not.toContain(SECRET_TITLE);
    }
  });

  it('who comes back from a provider without having left for it is not let in', async () => {
    const back = await visit('GET', '/login/openid/back?code=stolen&state=guessed');
    expect(back.headers['location']).toBeUndefined();
    expect(String(back.headers['set-cookie'])).not.toMatch(/ledgerbridge=[^;]/);
    const away = await visit('GET', '/login/openid?next=//evil.example');
    expect(away.headers['location']).toBeUndefined();
    expect(away.body).not.toContain('127.0.0.1:9');
    expect(away.statusCode).toBe(401);
  });

  it('learns nothing from what is open', async () => {
    for (const route of registeredRoutes(dash.app).filter(({ url }) => isOpen(url))) {
      const { body } = await visit(route.method, addressOf(route));
      expect(body, `${route.method} ${route.url}`).not.toMatch(/Leyndarmál|gudrun/);
    }
  });

  it('finds no page by guessing either', async () => {
    for (const path of ['/no-such-page', '/assets/../users', '/queues/board/../../users', '/API/v1/overview'])
      expect([401, 404], path).toContain((await visit('GET', path)).statusCode);
    expect((await visit('GET', '/no-such-page')).statusCode).toBe(401);
  });
});

describe('whoever is let in', () => {
  it('looks at the board of the queues, which asks nobody outside, and moves nothing by it', async () => {
    const cookie = await session();
    const page = await visit('GET', '/queues/board/', cookie);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<base href="/queues/board/"');
    expect(page.body).not.toMatch(/<link[^>]+href="https?:/);
    expect(String(page.headers['content-security-policy'])).toContain("default-src 'none'");
    const script = /src="([^"]+\.js)"/.exec(page.body)?.[1] ?? '';
    const loaded = await visit('GET', `/queues/board/${script.replace(/^\/queues\/board\//, '')}`, cookie);
    expect([loaded.statusCode, loaded.body.length > 1000]).toEqual([200, true]);
    const queues = await visit('GET', '/queues/board/api/queues', cookie);
    const names = (JSON.parse(queues.body) as { queues: { name: string }[] }).queues.map(({ name }) => name);
    expect(names).toContain('post');
    expect((await visit('HEAD', '/queues/board/', cookie)).statusCode).toBe(200);
    expect((await visit('PUT', '/queues/board/api/queues/post/pause', cookie)).statusCode).toBe(403);
    expect((await visit('GET', '/queues/board/api/no-such-thing', cookie)).statusCode).toBe(404);
  });

  it('is told what is wrong with an odd request, which never fails as if it were our fault', async () => {
    const cookie = await session();
    const odd = ['toString', '__proto__', 'constructor', '\0', '-1', '9'.repeat(40)].map(encodeURIComponent);
    const questions = odd.map((value) => FIELDS.map((name) => `${name}=${value}`).join('&'));
    const failed: string[] = [];
    for (const route of registeredRoutes(dash.app).filter(({ method }) => method === 'GET')) {
      if (/^\/(ready|events)$/.test(route.url)) continue;
      const paths = [
        ...questions.map((question) => `${addressOf(route)}?${question}`),
        ...(route.url.includes(':') ? odd.map((value) => route.url.replaceAll(/:\w+/g, value)) : []),
      ];
      for (const path of paths) {
        const { statusCode } = await visit('GET', path, cookie);
        if (statusCode >= 500) failed.push(`${String(statusCode)} ${path}`);
      }
    }
    expect(failed).toEqual([]);
  });

  it('is told that a character that no text has cannot be taken, at the door as well', async () => {
    const host = new URL(dash.url).host;
    const headers = { host, origin: dash.url, 'content-type': 'application/x-www-form-urlencoded' };
    const options = { method: 'POST' as const, headers };
    const login = await dash.app.inject({ ...options, url: '/login', payload: 'login=a%00b&password=c' });
    expect(login.statusCode).toBe(400);
    const search = await visit('GET', '/documents?text=a%00b', await session());
    expect(search.statusCode).toBe(400);
  });
});
