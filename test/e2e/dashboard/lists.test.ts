// Lists in the hand of a bookkeeper: on paper, as a file, by amount, and one act on many documents.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { launchBrowser } from '../../support/browser.js';
import { type DashboardBed, PASSWORD } from '../../support/dashboard-bed.js';
import { shippedDashboard } from '../../support/shipped-dashboard.js';

let bed: Bed;
let dash: DashboardBed;
let cookie: string;

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 25, costs: 5, seed: 'lists' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    // Found and not booked: what can still be held.
    confirmPlans: false,
  });
  for (let looks = 0; looks < 200; looks++) {
    const sweeps = await bed.database.prisma.sweep.count({ where: { outcome: 'complete' } });
    if (sweeps >= 2) break;
    await sleep(100);
  }
  dash = await shippedDashboard(bed);
  await dash.addUser('gudrun', 'admin');
  const answer = await dash.users.signIn('gudrun', new Secret(PASSWORD), { browser: '', address: '' });
  cookie = answer.outcome === 'signed-in' ? answer.sessionId : '';
});
afterAll(async () => {
  await dash.close();
  await bed.close();
});

const get = async (path: string) =>
  (await fetch(dash.url + path, { headers: { cookie: `ledgerbridge=${cookie}` } })).text();

describe('the list of documents', () => {
  it('prints as a table on two sheets, without what can only be clicked', async () => {
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext();
      await context.addCookies([{ name: 'ledgerbridge', value: cookie, url: dash.url }]);
      const page = await context.newPage();
      await page.goto(`${dash.url}/documents`);
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      const sheets = pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
      // A letter a line was dozens of sheets.
      expect(sheets).toBeGreaterThanOrEqual(1);
      expect(sheets).toBeLessThanOrEqual(3);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('table.rows tbody tr').first().isVisible()).toBe(true);
      for (const clicked of ['.side', '.top', '.filters', '.pager', 'input[type=checkbox]'])
        expect(await page.locator(clicked).first().isVisible(), clicked).toBe(false);
      const cell = await page.locator('table.rows tbody td.num').first().boundingBox();
      expect(cell!.width).toBeGreaterThan(40);
    } finally {
      await browser.close();
    }
  });

  it('has as many documents behind each number of the overview as the number says', async () => {
    const { totals } = await bed.bridge.operations.overview();
    const listed = async (group: string) =>
      (await get(`/documents/csv?group=${group}`)).trim().split('\r\n').length - 1;
    expect(totals.waiting).toBeGreaterThan(0);
    expect(await listed('waiting')).toBe(totals.waiting);
    expect(await listed('needs-you')).toBe(totals.needsYou);
  });

  it('keeps a view under a name, for the one who saved it alone, until it is forgotten', async () => {
    const csrf = /name="_csrf" value="([^"]+)"/.exec(await get('/documents'))?.[1] ?? '';
    const post = (path: string, fields: Record<string, string>) =>
      fetch(dash.url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          cookie: `ledgerbridge=${cookie}`,
          origin: dash.url,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ _csrf: csrf, ...fields }).toString(),
      });
    const query = 'group=waiting&amountMin=100.000';
    const kept = await post('/documents/views', { name: 'Stórar <b>', query: `${query}&after=x` });
    expect(kept.headers.get('location')).toBe(`/documents?${query}`);
    const page = await get('/documents');
    expect(page).toContain('Stórar &lt;b&gt;');
    expect(page).toContain('href="/documents?group=waiting&amp;amountMin=100.000"');
    await dash.addUser('jon', 'viewer');
    expect(await dash.users.views('jon')).toEqual([]);
    const [view] = await dash.users.views('gudrun');
    await dash.users.dropView('jon', view?.id ?? '');
    expect(await dash.users.views('gudrun')).toHaveLength(1);
    await post(`/documents/views/${view?.id ?? ''}/drop`, {});
    expect(await dash.users.views('gudrun')).toEqual([]);
  });

  it('is the same as a file, filters included', async () => {
    const lines = (await get('/documents/csv')).trim().split('\r\n');
    expect(lines[0]).toMatch(/^tenant,kind,number/);
    const { items } = await bed.bridge.operations.documents({ limit: 100 });
    expect(items.length).toBeGreaterThan(20);
    expect(lines).toHaveLength(items.length + 1);
    const some = (await get('/documents/csv?amountMin=1.000.000')).trim().split('\r\n').slice(1);
    const amounts = some.map((line) => Number(line.split(',').at(6)));
    expect(some.length).toBeLessThan(items.length);
    for (const amount of amounts.filter((value) => !Number.isNaN(value)))
      expect(amount).toBeGreaterThanOrEqual(1_000_000);
  });

  it.each(['issued', 'issued-up', 'amount', 'amount-up'] as const)(
    'is walked in the order "%s" page by page, with nothing twice and nothing left out',
    async (order) => {
      const { documents } = bed.bridge.operations;
      const all = (await documents({ limit: 100 })).items;
      const walked: typeof all = [];
      for (let after: string | null | undefined; after !== null && walked.length <= all.length;) {
        const page = await documents({ limit: 7, order, ...(after === undefined ? {} : { after }) });
        walked.push(...page.items);
        after = page.next;
      }
      const key = (row: (typeof all)[number]) =>
        order.startsWith('amount') ? Number(row.amount) : Date.parse(row.issueDate);
      const keys = walked.map(key);
      const sorted = [...keys].sort((a, b) => (order.endsWith('-up') ? a - b : b - a));
      expect(keys).toEqual(sorted);
      expect(new Set(walked.map(({ postingId }) => postingId)).size).toBe(all.length);
      expect(walked).toHaveLength(all.length);
    },
  );

  it('is sorted by a click on a heading, and by another one the other way round', async () => {
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext();
      await context.addCookies([{ name: 'ledgerbridge', value: cookie, url: dash.url }]);
      const page = await context.newPage();
      await page.goto(`${dash.url}/documents`);
      const heading = page.locator('thead th', { hasText: 'Amount' });
      for (const direction of ['descending', 'ascending']) {
        await heading.getByRole('link').click();
        await page.waitForSelector(`th[aria-sort=${direction}]`);
        const [found] = (
          await bed.bridge.operations.documents({
            order: direction === 'ascending' ? 'amount-up' : 'amount',
            limit: 1,
          })
        ).items;
        const first = page.locator('table.rows tbody tr').first();
        expect(await first.getAttribute('data-href')).toBe(`/documents/${found?.postingId ?? ''}`);
      }
      await page.fill('input[name=currency]', 'usd');
      await page.click('form.filters button[type=submit]');
      await page.waitForURL(/currency=usd/);
      // The order stays when a filter is added.
      expect(page.url()).toContain('order=amount-up');
      const { items } = await bed.bridge.operations.documents({ currency: 'USD', limit: 100 });
      expect(await page.locator('table.rows tbody tr').count()).toBe(items.length);
    } finally {
      await browser.close();
    }
  });

  it('holds and releases what was chosen, and says what was left alone', async () => {
    const csrf = /name="_csrf" value="([^"]+)"/.exec(await get('/account'))?.[1] ?? '';
    const { items } = await bed.bridge.operations.documents({ limit: 100 });
    const [stuck] = items;
    const nobodys = randomUUID();
    const act = async (what: string, reason: string) => {
      const body = new URLSearchParams({ _csrf: csrf, reason });
      for (const id of [stuck!.postingId, nobodys]) body.append('id', id);
      const answer = await fetch(`${dash.url}/documents/chosen/${what}/done`, {
        method: 'POST',
        headers: {
          cookie: `ledgerbridge=${cookie}`,
          origin: dash.url,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: body.toString(),
      });
      return answer.text();
    };
    const page = await act('hold', 'waits for the auditor');
    expect(page).toContain('Done with one document.');
    expect(page).toContain('It does not exist');
    const held = await bed.database.prisma.posting.findUniqueOrThrow({ where: { id: stuck!.postingId } });
    expect(held).toMatchObject({ state: 'held', reason: 'HELD_BY_OPERATOR' });
    expect(await act('release', 'the auditor was here')).toContain('Done with one document.');
  });

  it('holds, releases and skips what was ticked, each with a reason, in a browser', async () => {
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({ locale: 'en-GB' });
      await context.addCookies([{ name: 'ledgerbridge', value: cookie, url: dash.url }]);
      const page = await context.newPage();
      const ticked = (await bed.bridge.operations.documents({ kind: 'invoice', limit: 2 })).items.map(
        ({ postingId }) => postingId,
      );
      const stateOf = async (id = '') => (await bed.bridge.operations.explain(id)).document.state;
      for (const [act, becomes] of [
        ['hold', 'held'],
        ['release', 'discovered'],
        ['skip', 'skipped'],
      ] as const) {
        await page.goto(`${dash.url}/documents?kind=invoice&group=all`);
        for (const id of ticked) await page.check(`input[name=id][value="${id}"]`);
        await page.click(`#chosen button[formaction="/documents/chosen/${act}"]`);
        await page.fill('main [name=reason]', `the auditor says ${act}`);
        await page.click(`main form[action="/documents/chosen/${act}/done"] button[type=submit]`);
        await page.waitForSelector('main .note:has-text("Done with 2 documents.")');
        for (const id of ticked) expect(await stateOf(id), act).toBe(becomes);
      }
    } finally {
      await browser.close();
    }
  });
});
