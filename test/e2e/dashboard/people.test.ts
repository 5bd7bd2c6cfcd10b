// People at the dashboard: who comes first, who may only look, who works by keys, who is signed out elsewhere.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { hasChromium, seriousFaults, visitors, type Visitors } from '../../support/browser.js';
import { type DashboardBed, dashboardBed, PASSWORD } from '../../support/dashboard-bed.js';
import { shippedDashboard } from '../../support/shipped-dashboard.js';

async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
  await page.click('button.primary');
}

describe.skipIf(!hasChromium)('the first person', () => {
  it('is led to the set-up, needs the code, and is told what to do while there is no tenant', async () => {
    const bed = await bridgeBed({ accounts: [], tenants: [] });
    const dash = await shippedDashboard(bed);
    const people = await visitors(dash.url);
    try {
      const code = await dash.users.issueSetupCode();
      const page = await people.open();
      await page.goto(`${dash.url}/`);
      await page.waitForURL(/\/setup$/);
      const account = { login: 'gudrun', password: PASSWORD, again: PASSWORD };
      await fillIn(page, { ...account, code: 'guessed' });
      await page.waitForSelector('.note-error');
      await fillIn(page, { ...account, code });
      await page.waitForSelector('.live[data-state=live]');
      expect(await page.textContent('main')).toContain('ledgerbridge tenant init');
      for (const path of ['/problems', '/documents', '/inbox', '/incidents', '/plan', '/reconciliation']) {
        await page.goto(dash.url + path);
        expect(await page.locator('.empty-title').count(), path).toBe(1);
      }
      const later = await people.open();
      await later.goto(`${dash.url}/setup?code=${code}`);
      await later.waitForURL(/\/login$/);
      expect(people.troubles).toEqual([]);
    } finally {
      await people.close();
      await dash.close();
      await bed.close();
    }
  });
});

describe.skipIf(!hasChromium)('somebody at the dashboard', () => {
  let bed: Bed;
  let dash: DashboardBed;
  let people: Visitors;
  const goTo = (page: Page, path: string) => page.goto(dash.url + path);

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 6, costs: 0, seed: 'people', difficulty: 'tidy' }],
      tenants: [
        { name: 'hraun', account: 'hraun', erp: { adapter: 'file' }, more: { fourEyes: ['reversal'] } },
      ],
      tenantFiles: 'editable',
    });
    const { control } = bed.sandbox;
    for (const code of ['9998', '9999', '9999']) {
      const guid = control.createCost('hraun', { amount: '5000', description: `Kóði ${code}` });
      control.editCost('hraun', guid, { cost_code: code });
      control.approveCost('hraun', guid);
    }
    await bed.bridge.tenants.requestSweep('hraun');
    dash = await shippedDashboard(bed);
    await dash.addUser('gudrun', 'admin');
    await dash.addUser('sigga', 'operator');
    await dash.addUser('jon', 'viewer');
    people = await visitors(dash.url);
    await bed.settled(120_000);
  });

  afterAll(async () => {
    await people.close();
    await dash.close();
    await bed.close();
  });

  it('who is a viewer looks but cannot replay, neither by button, address, key nor by hand', async () => {
    const page = await people.open('jon');
    await goTo(page, '/problems');
    await page.waitForSelector('.cause');
    expect(await page.locator('text=Preview replay').count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    expect(page.url()).toMatch(/\/problems$/);
    const { items } = await bed.bridge.operations.documents({ states: ['held'], limit: 1 });
    const id = items[0]?.postingId ?? '';
    await goTo(page, `/documents/${id}`);
    expect(await page.locator('.why .bar').count()).toBe(0);
    for (const path of [
      '/replay?cause=UNMAPPED_COST_CODE',
      `/documents/${id}/act/replay`,
      '/users',
      '/queues/board/',
    ])
      expect((await goTo(page, path))?.status(), path).toBe(403);
    await goTo(page, '/account');
    const token = (await page.locator('[name=_csrf]').first().getAttribute('value')) ?? '';
    const given = { _csrf: token, id, reason: 'because I can' };
    const status = await page.evaluate(async (fields) => {
      const body = new URLSearchParams(fields);
      return (await fetch('/replay/start', { method: 'POST', body })).status;
    }, given);
    expect(status).toBe(403);
    const { items: acts } = await bed.bridge.operations.audit({ actor: 'jon' });
    expect(new Set(acts.map(({ action }) => action))).toEqual(new Set(['user.signed-in']));
    await page.context().close();
  });

  it('works by keys: ? helps, / searches, j and k step, Enter opens, x chooses, r replays', async () => {
    const page = await people.open('gudrun');
    await goTo(page, '/problems');
    await page.keyboard.press('?');
    await page.waitForSelector('#keys[open]');
    await page.keyboard.press('j');
    expect(await page.locator('.here').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.waitForSelector('.cause:nth-child(2).here');
    await page.keyboard.press('k');
    await page.waitForSelector('.cause:nth-child(1).here');
    await page.keyboard.press('r');
    await page.waitForURL(/\/replay\?cause=/);
    await page.goBack();
    await page.waitForURL(/\/problems$/);
    await page.keyboard.press('/');
    await page.keyboard.type('jr9999');
    expect(await page.inputValue('#search')).toBe('jr9999');
    await goTo(page, '/documents?group=needs-you');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.waitForSelector('#chosen:has-text("1 chosen")');
    await page.keyboard.press('r');
    await page.waitForSelector('h1:has-text("1 of 1 document can be replayed")');
    await goTo(page, '/documents?group=needs-you');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/documents\/[0-9a-f-]{36}$/);
    await page.keyboard.press('r');
    await page.waitForSelector('#dialog[open]:has-text("Replay")');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.waitForURL(/\/problems$/);
    await page.context().close();
  });

  it('gets by a deep link to what it shows, through the door if need be, and back by the back button', async () => {
    const page = await people.open();
    const link = '/documents?tenant=hraun&group=waiting&kind=cost&text=9999';
    await goTo(page, link);
    expect(page.url()).toContain(`/login?next=${encodeURIComponent(link)}`);
    await fillIn(page, { login: 'gudrun', password: PASSWORD });
    await page.waitForURL(dash.url + link);
    const filters = async () => [
      await page.inputValue('#tenant'),
      await page.inputValue('[name=kind]'),
      await page.inputValue('#search'),
      await page.textContent('.tabs [aria-current]'),
    ];
    const asLinked = ['hraun', 'cost', '9999', 'Waiting'];
    expect(await filters()).toEqual(asLinked);
    await page.click('.tabs >> text=All');
    await page.waitForURL((url) => !url.search.includes('group'));
    await page.goBack();
    await page.waitForURL(dash.url + link);
    expect(await filters()).toEqual(asLinked);
    await page.goForward();
    await page.waitForURL((url) => !url.search.includes('group'));
    expect(await page.textContent('.tabs [aria-current]')).toBe('All');
    await page.context().close();
  });

  it('is out in every browser after signing out everywhere in one', async () => {
    const [one, two] = [await people.open('gudrun'), await people.open('gudrun')];
    await goTo(two, '/problems');
    await goTo(one, '/account');
    await one.click('form[action="/account/sign-out"] button');
    await one.waitForURL(/\/login$/);
    await goTo(two, '/documents');
    expect(two.url()).toContain('/login?next=%2Fdocuments');
    expect(await two.textContent('main')).toContain('Your session is over');
    await one.context().close();
    await two.context().close();
  });

  it('asks for a reversal by a dialog that wants a real reason; another person agrees, and nobody alone', async () => {
    const { items } = await bed.bridge.operations.documents({ states: ['acknowledged'], limit: 1 });
    const page = await people.open('gudrun');
    await goTo(page, `/documents/${items[0]?.postingId ?? ''}`);
    await page.click('.why >> text=Reverse');
    await page.waitForSelector('#dialog[open]');
    await page.fill('#dialog [name=reason]', 'no');
    await page.click('#dialog button[type=submit]');
    await page.waitForSelector('#dialog .act-error .note');
    await page.fill('#dialog [name=reason]', 'booked in the wrong company');
    await page.click('#dialog button[type=submit]');
    await page.waitForURL(/\/approvals\?asked=yes/);
    const said = await page.innerText('main');
    expect(said).toContain('booked in the wrong company');
    expect(said).toContain('gudrun');
    expect(await seriousFaults(page)).toEqual([]);
    // Neither by a button nor by the address of one.
    expect(await page.locator('main a.button.primary').count()).toBe(0);
    const withdraw = await page.locator('main .acts a.button').getAttribute('href');
    await goTo(page, withdraw?.replace('/withdraw', '/agree') ?? '');
    expect(await seriousFaults(page)).toEqual([]);
    await page.fill('main [name=reason]', 'it is surely right');
    await page.click('main form[action^="/approvals/"] button[type=submit]');
    await page.waitForSelector('main .note');
    const stands = await bed.bridge.operations.explain(items[0]?.postingId ?? '');
    expect(stands.document.state).toBe('acknowledged');
    await page.context().close();

    const other = await people.open('sigga');
    await goTo(other, '/approvals');
    await other.click('main a.button.primary');
    await other.waitForSelector('#dialog[open]');
    await other.fill('#dialog [name=reason]', 'I looked at it too');
    await other.click('#dialog button[type=submit]');
    await other.waitForSelector('.empty-title');
    await goTo(other, `/documents/${items[0]?.postingId ?? ''}`);
    await other.waitForSelector('.state:has-text("Reversed")');
    await other.context().close();
  });

  it('writes what is missing into the file from the inbox, sees the change first, and the documents are posted', async () => {
    const looker = await people.open('jon');
    await goTo(looker, '/inbox');
    expect(await looker.locator('[name=value]').count()).toBe(0);
    await looker.context().close();
    const page = await people.open('gudrun');
    await goTo(page, '/inbox');
    const fill = async (code: string, account: string) =>
      page.fill(`.cause:has-text("cost code ${code}") [name=value]`, account);
    await fill('9998', '6900');
    await fill('9999', '6910');
    await page.click('main button.primary');
    await page.waitForSelector('.difference');
    expect(await page.locator('.line-in').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/"9998": \{ account: "?6900"? \}/)]),
    );
    expect(await page.locator('.line-out').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.fill('[name=reason]', 'the codes of the new chart');
    await page.click('main button.primary');
    await page.waitForSelector('.note-ok:has-text("Saved")');
    await expect.poll(async () => (await bed.states('hraun'))['held'] ?? 0, { timeout: 60_000 }).toBe(0);
    await bed.settled();
    const costs = bed.sandbox.control.documents('hraun', { kind: 'cost', limit: 10 });
    expect(costs.map(({ accountingStatus }) => accountingStatus)).toEqual(Array(3).fill('Posted'));
    const { items } = await bed.bridge.operations.audit({ chain: 'hraun', actor: 'gudrun' });
    expect(items.find(({ action }) => action === 'tenant.file-changed')).toMatchObject({
      reason: 'the codes of the new chart',
    });
    await page.context().close();
  });

  it('sees that the connection is gone, from when the numbers are, and that it is back', async () => {
    const own = await dashboardBed(bed.bridge);
    const { port } = new URL(own.url);
    const page = await people.open();
    await page.goto(`${own.url}/login`);
    await fillIn(page, { login: 'gudrun', password: PASSWORD });
    await page.waitForSelector('.live[data-state=live]');
    expect(await page.isVisible('#stale')).toBe(false);
    await own.close();
    await page.waitForSelector('.live[data-state=lost]', { timeout: 60_000 });
    expect(await page.textContent('#stale')).toMatch(/No connection to the bridge.*\d\d:\d\d:\d\d/);
    const again = await dashboardBed(bed.bridge, { port: Number(port) });
    await page.waitForSelector('.live[data-state=live]', { timeout: 60_000 });
    expect(await page.isVisible('#stale')).toBe(false);
    await again.close();
    await page.context().close();
  });

  it('met no foreign script, host or broken policy in all of this', () => {
    const elsewhere = people.troubles.filter((trouble) => !/^request: http:\/\/127\.0\.0\.1:/.test(trouble));
    expect(elsewhere).toEqual([]);
  });
});
