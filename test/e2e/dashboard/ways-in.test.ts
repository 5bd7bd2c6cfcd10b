// The ways in beside a password, in a real browser: an identity provider (a real one, run here), and a second factor.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { codeAt, stepAt } from '../../../src/operations/users/second-factor.js';
import { openIdentity } from '../../../src/bridge/serve-dashboard.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { hasChromium, seriousFaults, visitors, type Visitors } from '../../support/browser.js';
import { type DashboardBed, dashboardBed, PASSWORD } from '../../support/dashboard-bed.js';
import { type TestIdentity, testIdentity } from '../../support/identity-provider.js';

const COMPANIES = ['hraun', 'fjord'] as const;
let bed: Bed;
let dash: DashboardBed;
let identity: TestIdentity;
let people: Visitors;
let config: string;
let now = new Date();

/** As an operator writes it. */
const signInFile = () => ({
  issuer: identity.issuer,
  clientId: identity.clientId,
  clientSecret: 'env:OPENID_SECRET',
  name: 'Prufa',
  scopes: ['openid', 'profile', 'groups'],
  roles: [
    { group: 'stjorn', role: 'admin' },
    { group: 'bokarar', role: 'operator', companies: ['hraun'] },
    { group: 'gestir', role: 'viewer', companies: ['hraun'] },
  ],
});

describe.skipIf(!hasChromium)('the ways in', () => {
  beforeAll(async () => {
    identity = await testIdentity();
    config = await mkdtemp(join(tmpdir(), 'ledgerbridge-sign-in-'));
    await writeFile(join(config, 'sign-in.yaml'), stringify(signInFile()));
    const env = { OPENID_SECRET: identity.clientSecret };
    const door = await openIdentity({ settings: { configDirectory: config }, env });
    bed = await bridgeBed({
      accounts: COMPANIES.map((username) => ({ username, invoices: 1, costs: 0, seed: username })),
      tenants: COMPANIES.map((name) => ({ name, account: name, erp: { adapter: 'file' } })),
      confirmPlans: false,
    });
    const key = new Secret(randomBytes(32).toString('base64'));
    dash = await dashboardBed(bed.bridge, { now: () => now, key, identity: door });
    await dash.addUser('gudrun', 'admin');
    people = await visitors(dash.url);
  });

  afterAll(async () => {
    await people.close();
    await dash.close();
    await identity.close();
    await bed.close();
    await rm(config, { recursive: true });
  });

  async function comeFromElsewhere(name: string, next = ''): Promise<Page> {
    const page = await people.open();
    await page.goto(`${dash.url}/login${next}`);
    await page.click('text=Sign in with Prufa');
    await page.fill('[name=login]', name);
    await page.fill('[name=password]', 'anything');
    await page.click('[type=submit]');
    // The provider asks for consent the first time.
    await page.click('[type=submit]');
    return page;
  }

  const login = async (page: Page) => {
    await page.goto(`${dash.url}/login`);
    await page.fill('[name=login]', 'gudrun');
    await page.fill('[name=password]', PASSWORD);
    await page.click('button.primary');
  };
  const giveCode = async (page: Page, code: string) => {
    await page.fill('[name=code]', code);
    await page.click('main button[type=submit].primary');
  };

  it('say that the provider is out of order, still take a password, and find it when it is back', async () => {
    const page = await people.open();
    await page.goto(`${dash.url}/login`);
    await page.click('text=Sign in with Prufa');
    expect(await page.textContent('.note-error')).toContain('Signing in with Prufa did not work');
    await login(page);
    await page.waitForSelector('#live');
    await page.context().close();
    identity.serve(`${dash.url}/login/openid/back`);
  });

  it('let somebody in whom the provider vouches for, to where they wanted, with the rights of their groups', async () => {
    identity.groups.set('Sigga Jóns', ['bokarar', 'anything else']);
    const page = await comeFromElsewhere('Sigga Jóns', '?next=%2Ftenants');
    await page.waitForURL(`${dash.url}/tenants`);
    expect(await page.textContent('main')).toContain('Fyrirtækið hraun');
    expect(await page.content()).not.toContain('Fyrirtækið fjord');
    expect((await page.goto(`${dash.url}/tenants/fjord`))?.status()).toBe(404);
    expect((await page.goto(`${dash.url}/users`))?.status()).toBe(403);
    await page.goto(`${dash.url}/account`);
    expect(await page.textContent('main')).toContain('sigga-jóns · Operator');
    expect(await page.locator('[name=current]').count()).toBe(0);
    await page.context().close();
  });

  it('take the rights of now at the next sign-in, and end what was open with the old ones', async () => {
    identity.groups.set('unnur', ['stjorn']);
    const before = await comeFromElsewhere('unnur');
    await before.waitForSelector('#live');
    expect((await before.goto(`${dash.url}/users`))?.status()).toBe(200);
    expect(await before.textContent('tr:has-text("unnur")')).toContain('signs in elsewhere');
    identity.groups.set('unnur', ['gestir']);
    const after = await comeFromElsewhere('unnur');
    await after.waitForSelector('#live');
    expect((await after.goto(`${dash.url}/users`))?.status()).toBe(403);
    await before.goto(`${dash.url}/users`);
    expect(before.url()).toContain('/login');
    const user = (await dash.users.list()).find((one) => one.login === 'unnur');
    expect(user?.reach).toEqual(new Map([['hraun', 'viewer']]));
    await expect(dash.users.setRole('unnur', 'admin', 'gudrun')).rejects.toThrow('signs in elsewhere');
    await before.context().close();
    await after.context().close();
  });

  it.each([
    ['in none of our groups', 'ari', [], 'none of their groups has a role here'],
    ['with the name of an account of the bridge', 'gudrun', ['stjorn'], 'nobody takes it over'],
  ])('stay shut for somebody %s', async (_who, name, groups, said) => {
    identity.groups.set(name, groups);
    const page = await comeFromElsewhere(name);
    await page.waitForSelector('.note-error');
    expect(await page.textContent('.note-error')).toContain(said);
    await page.goto(`${dash.url}/documents`);
    expect(page.url()).toContain('/login');
    await page.context().close();
    const { items } = await bed.bridge.operations.audit({ subject: name });
    const told = { action: 'sign-in.failed', details: { how: 'openid', address: '127.0.0.1' } };
    expect(items).toContainEqual(expect.objectContaining(told));
  });

  it('take no answer that this browser did not ask for, nor one that was tampered with', async () => {
    const page = await people.open();
    await page.goto(`${dash.url}/login/openid/back?code=stolen&state=guessed`);
    expect(await page.textContent('.note-error')).toContain('begun in another browser');
    await page.goto(`${dash.url}/login`);
    await page.click('text=Sign in with Prufa');
    await page.waitForSelector('[name=login]');
    await page.goto(`${dash.url}/login/openid/back?code=stolen&state=guessed`);
    expect(await page.textContent('.note-error')).toContain('did not work');
    await page.context().close();
  });

  it('lead somebody with a second factor through both steps, and no code twice', async () => {
    const page = await people.open('gudrun');
    await page.goto(`${dash.url}/account`);
    await page.fill('#second-factor [name=current]', 'not the password');
    await page.click('text=Turn on');
    expect(await page.textContent('.note-error')).toContain('wrong');
    await page.fill('#second-factor [name=current]', PASSWORD);
    await page.click('text=Turn on');
    await page.waitForSelector('svg.qr');
    expect(await seriousFaults(page)).toEqual([]);
    const key = (await page.textContent('#second-factor code'))?.replaceAll(' ', '') ?? '';
    const code = () => codeAt(new Secret(key), stepAt(now));
    await giveCode(page, '000000');
    expect(await page.textContent('.note-error')).toContain('not the code of now');
    const first = code();
    await giveCode(page, first);
    const recovery = ((await page.textContent('#second-factor pre')) ?? '').split('\n');
    expect(recovery.length).toBe(10);
    await page.context().close();

    const again = await people.open();
    await login(again);
    await again.waitForSelector('h1:has-text("One more step")');
    expect(await seriousFaults(again)).toEqual([]);
    await giveCode(again, first);
    expect(await again.textContent('.note-error')).toContain('used before');
    now = new Date(now.getTime() + 30_000);
    await giveCode(again, code());
    await again.waitForSelector('#live');
    await again.context().close();

    const lost = await people.open();
    await login(lost);
    await giveCode(lost, recovery[3]?.toLowerCase() ?? '');
    await lost.waitForSelector('#live');
    await lost.goto(`${dash.url}/account`);
    expect(await lost.textContent('#second-factor')).toContain('9 recovery codes are left');
    await lost.context().close();
    const late = await people.open();
    await login(late);
    await giveCode(late, recovery[3] ?? '');
    expect(await late.textContent('.note-error')).toContain('used before');
    await late.context().close();
  });
});
