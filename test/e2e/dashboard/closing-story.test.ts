// The whole story of a period in a real browser: the original beside the journal, a green certificate, one that is reopened and red
// when something changed, on paper in both languages, the file verified without the bridge, and rules rehearsed before they go live.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyCertificate } from '../../../src/certificate/verify-certificate.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { hasChromium, visitors, type Visitors } from '../../support/browser.js';
import { type ShippedDashboard, shippedDashboard } from '../../support/shipped-dashboard.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';

describe.skipIf(!hasChromium)('a period', () => {
  let bed: Bed;
  let erp: HttpErp;
  let dash: ShippedDashboard;
  let people: Visitors;
  let page: Page;
  let url: string;
  let period: string;

  beforeAll(async () => {
    erp = await httpErp();
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 4, costs: 3, seed: 'story', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: erp.erp(), more: { originals: { perSecond: 100 } } }],
      env: erp.env,
    });
    await bed.settled();
    const { prisma } = bed.database;
    for (let look = 0; look < 300; look++) {
      // First how many there are: those of a document may be written between two questions.
      const pdfs = await prisma.original.count({ where: { role: 'pdf' } });
      if (pdfs === 4 && (await prisma.original.count({ where: { dueAt: { not: null } } })) === 0) break;
      await sleep(100);
    }
    const days = await prisma.document.aggregate({ _min: { issueDate: true }, _max: { issueDate: true } });
    period = `${days._min.issueDate!}..${days._max.issueDate!}`;
    dash = await shippedDashboard(bed);
    url = dash.url;
    await dash.addUser('gudrun', 'operator');
    people = await visitors(url);
    page = await people.open('gudrun');
  });

  afterAll(async () => {
    await people.close();
    await dash.close();
    await bed.close();
    await erp.ledger.close();
  });

  const close = async () => {
    await page.goto(`${url}/certificates`);
    await page.fill('[name=period]', period);
    await page.fill('[name=reason]', 'VAT period');
    await page.click('form[action="/certificates"] button');
    await page.waitForURL(/\/certificates\/[0-9a-f-]{36}$/);
    return (await page.textContent('main')) ?? '';
  };
  const get = async (path: string) => page.request.get(url + path);

  it('has the original of every document beside its journal', async () => {
    const pdf = await bed.database.prisma.original.findFirstOrThrow({ where: { role: 'pdf' } });
    await page.goto(`${url}/documents/${pdf.postingId}`);
    expect(await page.locator('iframe.original').getAttribute('src')).toContain(pdf.id);
  });

  it('is closed with a click, green, and its file is good without the bridge', async () => {
    const text = await close();
    expect(text).toContain('Everything agrees');
    expect(text).toContain('none missing');
    expect(text).not.toContain('What must be looked at');
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    for (const [language, title] of [
      ['is', 'STA'],
      ['en', 'CERTIFICATE'],
    ] as const) {
      const pdf = await get(`/certificates/${id}/pdf?lang=${language}`);
      expect(pdf.headers()['content-type'], title).toBe('application/pdf');
      expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
    }
    const file = join(bed.directory, 'handed-over.jsonl');
    await writeFile(file, await (await get(`/certificates/${id}/json`)).body());
    expect(await verifyCertificate(file)).toMatchObject({ outcome: 'unsigned', problems: [] });
  });

  it('is reopened by a late document, and red when a cost was edited afterwards; in Icelandic too', async () => {
    const { control } = bed.sandbox;
    control.issueInvoice('hraun', { issueDate: period.split('..')[1] } as never);
    await bed.bridge.tenants.requestSweep('hraun');
    await bed.settled();
    await page.goto(`${url}/certificates`);
    expect(await page.textContent('main')).toContain('Reopened: 1 document');
    const [cost] = control.documents('hraun', { kind: 'cost', accountingStatus: 'Posted' });
    const { amount } = control.cost('hraun', cost!.guid);
    control.editCost('hraun', cost!.guid, { amount: amount + 12_345 });
    const text = await close();
    expect(text).toContain('What must be looked at');
    expect(text).toContain('when it was booked, and is');
    const icelandic = await people.open('gudrun', { locale: 'is-IS' });
    await icelandic.goto(page.url());
    expect(await icelandic.textContent('main')).toContain('þegar hann var bókaður en er nú');
  });

  it('is rehearsed under other rules, and nothing is written', async () => {
    // Originals of the late document may still be on their way meanwhile.
    const where = { NOT: { action: { startsWith: 'original.' } } };
    const audited = await bed.database.prisma.auditEntry.count({ where });
    await page.goto(`${url}/rehearsal?tenant=hraun`);
    await page.fill('[name=rules]', "extends: [default]\naccounts:\n  receivable: '7999'\n");
    await page.click('form[action="/rehearsal"] button');
    await page.waitForSelector('#result');
    expect(await page.textContent('#result')).toContain('7999');
    await page.fill('[name=rules]', 'extends: [../../secrets]');
    await page.click('form[action="/rehearsal"] button');
    expect(await page.textContent('body')).toContain('beside the tenant file only');
    expect(await bed.database.prisma.auditEntry.count({ where })).toBe(audited);
    expect(people.troubles).toEqual([]);
  });
});
