// The story of a failed posting, and of two hundred: found by their cause, explained, mended, replayed, Posted at the source.
// Each story has a bridge, a source and an ERP of its own, so that it can be told again from the beginning.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Bed, bridgeBed, type TenantSpec } from '../../support/bridge-bed.js';
import { hasChromium, visitors, type Visitors } from '../../support/browser.js';
import type { DashboardBed } from '../../support/dashboard-bed.js';
import { shippedDashboard } from '../../support/shipped-dashboard.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';

interface Told {
  readonly bed: Bed;
  readonly dash: DashboardBed;
  readonly erp: HttpErp;
  readonly people: Visitors;
  readonly tenant: (rules: Record<string, unknown>) => TenantSpec;
}

const COMMON = { limits: { erp: { postingsPerSecond: 200 } } };

async function tell(rules: Record<string, unknown>, story: (told: Told) => Promise<void>): Promise<void> {
  const erp = await httpErp({ chart: { accounts: await chart() } });
  const tenant = (given: Record<string, unknown>): TenantSpec => ({
    name: 'hraun',
    account: 'hraun',
    erp: erp.erp(),
    more: { ...COMMON, title: 'Hraun slf.', rules: { extends: ['default'], ...given } },
  });
  const bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 3, costs: 2, seed: 'mended', difficulty: 'tidy' }],
    env: erp.env,
    tenants: [tenant(rules)],
  });
  const dash = await shippedDashboard(bed);
  await dash.addUser('gudrun', 'admin');
  const people = await visitors(dash.url);
  try {
    await story({ bed, dash, erp, people, tenant });
    expect(people.troubles).toEqual([]);
  } finally {
    await people.close();
    await dash.close();
    await bed.close();
    await erp.ledger.close();
  }
}

function addCost({ bed }: Told, fields: Record<string, unknown>): string {
  const { control } = bed.sandbox;
  const guid = control.createCost('hraun', { amount: '12400', ...fields });
  control.approveCost('hraun', guid);
  return guid;
}

async function sweep({ bed }: Told): Promise<void> {
  await bed.bridge.tenants.requestSweep('hraun');
  await bed.settled(120_000);
}

/** Gives the reason in the open dialog; the page that follows is loaded. */
async function confirm(page: Page, reason: string): Promise<void> {
  await page.fill('#dialog [name=reason]', reason);
  const loaded = page.waitForEvent('load');
  await page.click('#dialog button[type=submit]');
  await loaded;
}

/** Whatever the default rules name is an account of this ERP; 7999, which the tenant file names, is not. */
async function chart(): Promise<{ account: string }[]> {
  const rules = await readFile(new URL('../../../config/rules/default.yaml', import.meta.url), 'utf8');
  const numbers = new Set(rules.match(/\b\d{4,6}\b/g)).add('7950');
  numbers.delete('7999');
  return [...numbers].map((account) => ({ account }));
}

const WRONG = { cost: { codes: { '2533': { account: '7999' } } } };
const RIGHT = { cost: { codes: { '2533': { account: '7950' } } } };

describe.skipIf(!hasChromium)('a person at the dashboard', () => {
  it('finds a failed posting by its cause, mends the tenant file, replays it and sees it Posted', async () => {
    await tell(WRONG, async (told) => {
      const { bed, dash, people, tenant } = told;
      const guid = addCost(told, { type: '2533', description: 'Reikningur sem festist' });
      await sweep(told);
      expect(bed.sandbox.control.cost('hraun', guid).accounting_status).toBe('Created');

      const page = await people.open('gudrun');
      const overview = await people.open('gudrun');
      await overview.evaluate('globalThis.sameSinceTheBeginning = true');
      await page.click('a.banner.needs');
      const cause = page.locator('.cause', { hasText: 'The ERP has no account 7999' });
      expect(await cause.textContent()).toContain('Hraun slf.');
      await cause.locator('.facts a').click();
      await page.click('tr[data-href] a');
      expect(await page.textContent('.why')).toContain('The ERP has no account 7999');
      expect(await page.textContent('table.journal')).toContain('7999');
      const address = page.url();

      // Paused, so that nothing moves before the person says so.
      await page.goto(`${dash.url}/tenants/hraun`);
      await page.click('a:has-text("Pause")');
      await confirm(page, 'the account of 2533 is being mended');
      expect(await page.textContent('.why')).toContain('Paused by gudrun');
      const before = bed.bridge.connections.tenant('hraun')?.rulesVersion;
      await bed.writeTenant(tenant(RIGHT));
      // A busy machine takes seconds to notice that the file was written.
      await expect
        .poll(() => bed.bridge.connections.tenant('hraun')?.rulesVersion, { timeout: 30_000 })
        .not.toBe(before);

      await page.goto(address);
      await page.keyboard.press('r');
      await confirm(page, 'the file names the right account now');
      await page.goto(`${dash.url}/tenants/hraun`);
      await page.click('a:has-text("Resume")');
      await confirm(page, 'mended');

      await expect
        .poll(() => bed.sandbox.control.cost('hraun', guid).accounting_status, { timeout: 60_000 })
        .toBe('Posted');
      // The source has heard of it a moment before that is on record.
      const why = async () => {
        await page.goto(address);
        return page.textContent('.why');
      };
      await expect.poll(why).toContain('in the books');
      expect(await page.textContent('table.journal')).toContain('7950');
      const { items } = await bed.bridge.operations.audit({ actor: 'gudrun' });
      expect(items.map(({ reason }) => reason)).toContain('the file names the right account now');

      // Whoever had the overview open saw it happen, in place.
      await overview.waitForSelector('[data-live="totals.waiting"]:text-is("0")', { timeout: 30_000 });
      await overview.waitForSelector('.badge[data-live="totals.causes"]:text-is("0")', { state: 'attached' });
      expect(await overview.evaluate('globalThis.sameSinceTheBeginning')).toBe(true);
    });
  });

  it('replays two hundred at once, sees them move, leaves and finds the run again', async () => {
    await tell({}, async (told) => {
      const { bed, dash, erp, people } = told;
      erp.ledger.control.closePeriod({ from: '2021-01-01', to: '2021-12-31' });
      for (let number = 0; number < 200; number++)
        addCost(told, { date: '2021-03-15', description: `Gamall reikningur ${String(number)}` });
      await sweep(told);
      erp.ledger.control.openAllPeriods();

      const page = await people.open('gudrun');
      await page.goto(`${dash.url}/problems`);
      const cause = page.locator('.cause', { hasText: 'ERP_PERIOD_CLOSED' });
      expect(await cause.textContent()).toContain('200 documents');
      await cause.locator('text=Preview replay').click();
      await page.waitForSelector('h1:has-text("200 of 200 documents")');
      await page.fill('[name=perSecond]', '50');
      await page.fill('[name=reason]', 'the year was opened again');
      await page.click('text=Replay 200 documents');
      await page.waitForURL(/\/replay\/[0-9a-f-]{36}$/);
      const run = page.url();

      const seen = new Set<number>();
      const arrived = async () => {
        const now = Number(await page.textContent('[data-arrived]'));
        seen.add(now);
        return now;
      };
      await expect.poll(arrived, { timeout: 60_000, interval: 100 }).toBeGreaterThan(0);
      await page.goto(`${dash.url}/replays`);
      await page.click('text=the year was opened again');
      await page.waitForURL(run);
      await expect.poll(arrived, { timeout: 90_000, interval: 100 }).toBe(200);
      expect([...seen].filter((number) => number > 0 && number < 200).length).toBeGreaterThanOrEqual(2);
      await page.waitForSelector('#run:has-text("Done.")');
      expect(await page.getAttribute('progress', 'value')).toBe('200');

      await bed.settled(60_000);
      const costs = bed.sandbox.control.documents('hraun', { kind: 'cost', limit: 1_000 });
      const old = costs.filter(({ description }) => description.startsWith('Gamall reikningur'));
      expect(old.map(({ accountingStatus }) => accountingStatus)).toEqual(Array(200).fill('Posted'));
      expect(erp.ledger.control.duplicatedKeys()).toEqual([]);
      await page.goto(`${dash.url}/problems`);
      expect(await page.textContent('main')).not.toContain('ERP_PERIOD_CLOSED');
    });
  });
});
