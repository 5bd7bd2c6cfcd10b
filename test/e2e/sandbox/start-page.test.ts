// The start page and the consent page in a real browser.
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../lab/sandbox/start-sandbox.js';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({
    accounts: [
      { username: 'anna', invoices: 20, costs: 20 },
      { invoices: 5, costs: 5 },
    ],
  });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      ...['--disable-sync', '--no-first-run'],
    ],
  });
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});
beforeEach(async () => {
  problems.length = 0;
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
});
afterEach(async () => {
  await page.close();
  expect(problems, 'no errors in the console, so no breach of the content security policy').toEqual([]);
});

test('a person enters a cost, approves it and sees bookkeeping take it', async () => {
  await page.goto(sandbox.url);
  await page.fill('#cost-form [name=supplier_name]', 'Handverk ehf.');
  await page.click('#cost-form button[type=submit]');
  const row = page.locator('#documents tr', { hasText: 'Handverk ehf.' });
  await row.locator('button', { hasText: 'Approve' }).click();
  await row.locator('.status.Created').waitFor();
  const guid = sandbox.control
    .documents('anna', { kind: 'cost' })
    .find((cost) => cost.counterparty === 'Handverk ehf.')!.guid;
  sandbox.control.editCost('anna', guid, { accounting_status: 'Posted', accounting_message: 'Bókað nr. 17' });
  await row.locator('.status.Posted').waitFor();
  expect(await row.textContent()).toContain('Bókað nr. 17');
});

test('a person issues an invoice and finds it in the list', async () => {
  await page.goto(sandbox.url);
  await page.waitForSelector('#customer option', { state: 'attached' });
  await page.fill('#invoice-form [name=description]', 'Sérstök ráðgjöf');
  await page.click('#invoice-form button[type=submit]');
  await page.locator('#documents tr', { hasText: 'Sérstök ráðgjöf' }).waitFor();
  const [invoice] = sandbox.control
    .documents('anna', { kind: 'invoice' })
    .filter((row) => row.description === 'Sérstök ráðgjöf');
  expect(invoice).toMatchObject({ amount: 22_940, accountingStatus: 'Created' });
});

test('lists every endpoint, the accounts with their credentials, and the rule a client broke', async () => {
  await page.goto(sandbox.url);
  const account = sandbox.accounts[0]!;
  await page.getByText(account.apiKey, { exact: true }).waitFor();
  await fetch(`${sandbox.url}/api/v1/get-costs?accounting_status=Nope`, {
    headers: { authorization: `Basic ${btoa(`${account.username}:${account.apiKey}`)}` },
  });
  await page.locator('#journal .broken', { hasText: 'accounting-status-filter' }).waitFor();
  expect(await page.locator('.endpoints code').count()).toBeGreaterThan(110);
});

test.each([1280, 390])('nothing sticks out at %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 844 });
  await page.goto(sandbox.url);
  await page.waitForSelector('#documents tr');
  const content = await page.evaluate('document.documentElement.scrollWidth');
  expect(content).toBeLessThanOrEqual(width);
});

test('a person signs in, consents, and is sent back with a code', async () => {
  const redirect = 'https://bridge.example/callback';
  const client = sandbox.control.addClient({ name: 'Brúin', redirectUri: redirect });
  await page.route('https://bridge.example/**', (route) => route.fulfill({ body: 'back' }));
  const query = new URLSearchParams({
    client_id: client.client_id,
    scope: 'nav,cost',
    redirect_uri: redirect,
    state: 's',
  });
  await page.goto(`${sandbox.url}/strax/agent/authorize?${query.toString()}`);
  const account = sandbox.accounts[0]!;
  await page.fill('[name=username]', account.username);
  await page.fill('[name=password]', account.password);
  await page.click('button[type=submit]');
  await page.uncheck('[name=scope_nav]');
  await page.click('button[value=allow]');
  await page.waitForURL('https://bridge.example/callback*');
  const back = new URL(page.url());
  expect(back.searchParams.get('state')).toBe('s');
  expect(back.searchParams.get('code')).toMatch(/^\w{20,}$/);
});
