// Pictures of every page for the docs: a bridge on a sandbox with an ordinary bad day, in Chromium, both widths, light and
// dark. Usage: node --import tsx scripts/dashboard-screenshots.mjs [directory] [--few]
import { mkdirSync } from 'node:fs';
import { bridgeBed } from '../test/support/bridge-bed.ts';
import { launchBrowser, signIn } from '../test/support/browser.ts';
import { dashboardBed } from '../test/support/dashboard-bed.ts';

const directory = process.argv.slice(2).find((one) => !one.startsWith('--')) ?? 'docs/images/dashboard';
const few = process.argv.includes('--few');
mkdirSync(directory, { recursive: true });

const COMPANIES = [
  ['fjordur', 'Fjörður ehf.', 'tidy'],
  ['hraun', 'Hraun slf.', 'troubled'],
  ['thorunn', 'Þórunn og synir hf.', 'everyday'],
];
const bed = await bridgeBed({
  accounts: COMPANIES.map(([username, name, difficulty]) => ({
    username,
    name,
    seed: username,
    invoices: 24,
    costs: 16,
    difficulty,
  })),
  tenants: COMPANIES.map(([name, title]) => ({
    name,
    account: name,
    erp: { adapter: 'file' },
    more: { title, rules: { extends: ['default'], dimensions: { whenUnmapped: 'park' } } },
  })),
});
const dash = await dashboardBed(bed.bridge);
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  await page.goto(`${dash.url}/`);
  await page.screenshot({ path: `${directory}/first-run-1280-light.png` });
  await page.close();
  await dash.addUser('gudrun', 'admin');
  await bed.settled(180_000);
  const day = new Date().toISOString().slice(0, 10);
  await bed.bridge.operations.reconcile('fjordur', { from: `${day.slice(0, 4)}-01-01`, to: day });
  await takeAll(await pages());
} finally {
  await browser.close();
  await dash.close();
  await bed.close();
}

async function pages() {
  const { operations } = bed.bridge;
  const id = async (states) => (await operations.documents({ states, limit: 1 })).items[0]?.postingId;
  const posted = await id(['acknowledged']);
  const stuck = await id(['parked', 'held', 'rejected']);
  return {
    overview: '/',
    problems: '/problems',
    documents: '/documents',
    'document-posted': `/documents/${posted}`,
    'document-stuck': `/documents/${stuck}`,
    'dialog-reverse': `/documents/${posted}/act/reverse`,
    replay: '/replay?tenant=hraun',
    inbox: '/inbox',
    incidents: '/incidents',
    plan: '/plan?tenant=hraun',
    reconciliation: '/reconciliation',
    tenants: '/tenants',
    tenant: '/tenants/hraun',
    schedules: '/schedules',
    queues: '/queues',
    audit: '/audit',
    users: '/users',
    account: '/account',
    empty: '/documents?text=no-such-document',
  };
}

async function takeAll(paths) {
  const widths = few ? [1280] : [1280, 390];
  for (const colorScheme of few ? ['light'] : ['light', 'dark']) {
    const context = await browser.newContext({ colorScheme, locale: 'en-GB' });
    const page = await context.newPage();
    await signIn(page, dash.url, 'gudrun');
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(dash.url + path);
        await page.waitForSelector('.live[data-state=live]');
        await page.waitForTimeout(name === 'queues' || name === 'plan' ? 1_500 : 150);
        await page.screenshot({ path: `${directory}/${name}-${width}-${colorScheme}.png` });
      }
    }
    await context.close();
  }
}
