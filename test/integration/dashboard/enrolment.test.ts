// A role that needs a second factor: whoever has none can turn it on, sign out, and do nothing else.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBridgeSettings } from '../../../src/tenants/bridge-settings.js';
import { Secret } from '../../../src/domain/secret.js';
import { codeAt, stepAt } from '../../../src/operations/users/second-factor.js';
import type { FactorPolicy } from '../../../src/domain/factor-policy.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { addressOf, dashboardBed, type OwnDashboard, PASSWORD } from '../../support/dashboard-bed.js';

let bed: Bed;
let now = new Date();
const beds = new Map<FactorPolicy, OwnDashboard>();
const dashOf = (policy: FactorPolicy) => beds.get(policy)!;

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 2, costs: 0, seed: 'enrolment' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' }, more: { title: 'Leynifélagið' } }],
  });
  const key = new Secret(randomBytes(32).toString('base64'));
  for (const secondFactor of ['none', 'admin', 'operator', 'everybody'] as const)
    beds.set(secondFactor, await dashboardBed(bed.bridge, { now: () => now, key, secondFactor }));
});
afterAll(async () => {
  for (const dash of beds.values()) await dash.close();
  await bed.close();
});

let visits = 0;
function visitor(dash: OwnDashboard, cookie = '') {
  visits += 1;
  const remoteAddress = `10.9.${String(visits >> 8)}.${String(visits & 255)}`;
  const headers = { origin: dash.url, host: new URL(dash.url).host, accept: 'text/html', cookie };
  return {
    ask: (method: string, url: string, payload?: Record<string, string>, more: Record<string, string> = {}) =>
      dash.app.inject({
        ...{ method: method as 'GET', url, remoteAddress, headers: { ...headers, ...more } },
        ...(payload === undefined ? {} : { payload }),
      }),
  };
}

async function signedIn(dash: OwnDashboard, login: string) {
  const answer = await visitor(dash).ask('POST', '/login', { login, password: PASSWORD });
  expect(answer.statusCode).toBe(303);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const { ask } = visitor(dash, cookie);
  const page = await ask('GET', '/account');
  const csrf = /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
  return { cookie, csrf, page: page.body, ask };
}

async function newAdmin(dash: OwnDashboard, name = 'stjori') {
  const login = `${name}-${randomUUID().slice(0, 8)}`;
  await dash.addUser(login, 'admin');
  return login;
}

describe('somebody whose role needs a second factor, and who has none', () => {
  it('comes to no page but the one that turns it on, and does nothing but that and signing out', async () => {
    const dash = dashOf('admin');
    const login = await newAdmin(dash);
    const { csrf, page, ask } = await signedIn(dash, login);
    expect(page).toContain('Your role needs a second factor');
    expect(page).not.toContain('Leynifélagið');
    const closed = dash.routes.filter(({ access, enrolling }) => access !== 'anyone' && !enrolling);
    expect(closed.length).toBeGreaterThan(60);
    for (const route of closed) {
      const answer = await ask(route.method, addressOf(route), undefined, { 'x-csrf-token': csrf });
      const told = `${route.method} ${route.url}`;
      if (route.method === 'GET')
        expect([told, answer.statusCode, answer.headers.location]).toEqual([told, 303, '/account']);
      else expect([told, answer.statusCode]).toEqual([told, 403]);
      expect(answer.body).not.toContain('Leynifélagið');
    }
    const open = dash.routes
      .filter(({ enrolling }) => enrolling)
      .map(({ method, url }) => `${method} ${url}`);
    expect(open.filter((one) => !one.startsWith('HEAD')).sort()).toEqual([
      ...['GET /account', 'POST /account/second-factor/begin'],
      ...['POST /account/second-factor/confirm', 'POST /logout'],
    ]);
    expect((await ask('POST', '/logout', { _csrf: csrf })).headers.location).toBe('/login');
    expect((await ask('GET', '/account')).headers.location).toContain('/login');
  });

  it('is let on once it is on, with the recovery codes', async () => {
    const dash = dashOf('admin');
    const login = await newAdmin(dash);
    const { csrf, ask } = await signedIn(dash, login);
    expect((await ask('GET', '/users')).headers.location).toBe('/account');
    const begun = await ask('POST', '/account/second-factor/begin', { _csrf: csrf });
    expect(begun.statusCode).toBe(200);
    const secret = new Secret((/<code>([A-Z2-7 ]+)<\/code>/.exec(begun.body)?.[1] ?? '').replaceAll(' ', ''));
    const confirm = (code: string) => ask('POST', '/account/second-factor/confirm', { _csrf: csrf, code });
    expect((await confirm('000000')).statusCode).toBe(400);
    expect((await ask('GET', '/users')).headers.location).toBe('/account');
    const done = await confirm(codeAt(secret, stepAt(now)));
    expect(done.body).toMatch(/([A-Z2-7]{4}-){3}[A-Z2-7]{4}/);
    expect((await ask('GET', '/users')).statusCode).toBe(200);
    // Whoever has the machine takes a lost one away: then it begins anew.
    await dash.users.secondFactor.end(login, 'command line');
    expect((await ask('GET', '/users')).headers.location).toBe('/account');
  });

  it('gives the password once more where it was given long ago', async () => {
    const dash = dashOf('admin');
    const { csrf, ask } = await signedIn(dash, await newAdmin(dash));
    now = new Date(now.getTime() + 11 * 60_000);
    const begin = (fields: Record<string, string>) =>
      ask('POST', '/account/second-factor/begin', { _csrf: csrf, ...fields });
    expect((await ask('GET', '/account')).body).toContain('name="current"');
    expect((await begin({})).statusCode).toBe(400);
    expect((await begin({ current: PASSWORD })).statusCode).toBe(200);
  });
});

describe('the roles that need a second factor', () => {
  it.each([
    ['none', []],
    ['admin', ['admin']],
    ['operator', ['admin', 'operator']],
    ['everybody', ['admin', 'operator', 'viewer']],
  ] as const)('are, with %s: %j', async (policy, needed) => {
    const dash = dashOf(policy);
    const stopped: string[] = [];
    for (const role of ['admin', 'operator', 'viewer'] as const) {
      const login = `${role}-${randomUUID().slice(0, 8)}`;
      await dash.addUser(login, role);
      const { ask } = await signedIn(dash, login);
      if ((await ask('GET', '/documents')).statusCode !== 200) stopped.push(role);
    }
    expect(stopped).toEqual(needed);
  });

  it('count in one company as in all', async () => {
    const dash = dashOf('operator');
    const login = `felag-${randomUUID().slice(0, 8)}`;
    await dash.users.create(login, 'viewer', new Secret(PASSWORD), 'test', new Map([['hraun', 'operator']]));
    const { ask } = await signedIn(dash, login);
    expect((await ask('GET', '/documents')).headers.location).toBe('/account');
  });

  it('are asked at the provider of whoever signs in there: it says so, or does not let them in', async () => {
    const { users } = dashOf('operator');
    const person = (role: 'viewer' | 'operator', secondFactor: boolean) => {
      const subject = randomUUID();
      const who = { issuer: 'https://login.example.is', subject, login: `gestur-${subject.slice(0, 8)}` };
      const browser = { browser: '', address: '10.0.0.1' };
      return users.signInExternal({ ...who, role, reach: null, secondFactor }, browser);
    };
    expect(await person('operator', false)).toEqual({ outcome: 'factor-missing' });
    expect(await person('viewer', false)).toMatchObject({ outcome: 'signed-in' });
    const admitted = await person('operator', true);
    if (admitted.outcome !== 'signed-in') expect.unreachable(admitted.outcome);
    else expect(await users.whoIs(admitted.sessionId)).toMatchObject({ external: true, mustEnrol: false });
  });

  it('leave reading out of the audit unless that is asked for', () => {
    const { operations } = bed.bridge;
    expect(operations.readBy({ actor: 'gudrun', by: {} })).toBe(operations);
  });

  it('need a key to seal the secrets with, or the bridge does not start', () => {
    const settings = (more: Record<string, string>) => () =>
      readBridgeSettings({ LEDGERBRIDGE_SECOND_FACTOR: 'admin', ...more }, '/');
    expect(settings({})).toThrow('LEDGERBRIDGE_KEY');
    const key = randomBytes(32).toString('base64');
    expect(settings({ LEDGERBRIDGE_KEY: key })().secondFactor).toBe('admin');
    expect(readBridgeSettings({}, '/').secondFactor).toBe('none');
  });
});
