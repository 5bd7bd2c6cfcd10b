// Pictures of every page: a bridge on a sandbox with an ordinary bad day, in Chromium, both widths, light and dark, in Icelandic
// too; and the states that one rarely sees: first run, nothing yet, busy, source down, connection gone.
// Usage: node --import tsx scripts/dashboard-screenshots.mjs <directory>      all of them, to look at
//        node --import tsx scripts/dashboard-screenshots.mjs --docs           the handful in docs/images/dashboard
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bridgeBed } from '../test/support/bridge-bed.ts';
import { launchBrowser, signIn } from '../test/support/browser.ts';
import { dashboardBed } from '../test/support/dashboard-bed.ts';
import { httpErp } from '../test/support/http-erp.ts';

const DOCS = [
  ...['overview-1280-light', 'problems-1280-light', 'document-posted-1280-dark', 'replay-running-1280-light'],
  ...['overview-390-light', 'document-stuck-390-dark'],
];
const forDocs = process.argv.includes('--docs');
const directory = forDocs ? 'docs/images/dashboard' : process.argv[2];
if (!directory) {
  console.error('Say where the pictures go: scripts/dashboard-screenshots.mjs <directory>, or --docs');
  process.exit(2);
}
mkdirSync(directory, { recursive: true });

const COMPANIES = [
  ['fjordur', 'Fjörður ehf.', 'tidy'],
  ['hraun', 'Hraun slf.', 'troubled'],
  ['thorunn', 'Þórunn og synir hf.', 'everyday'],
];
const LATE = 120;
const CLOSED_YEAR = { from: '2021-01-01', to: '2021-12-31' };
const ORIGIN = { name: 'pantanir', type: 'folder', directory: '../pantanir', stableSeconds: 1 };
const erp = await httpErp();
const bed = await bridgeBed({
  accounts: COMPANIES.map(([username, name, difficulty]) => ({
    ...{ username, name, difficulty, seed: username, invoices: 24, costs: 16 },
  })),
  env: erp.env,
  tenants: COMPANIES.map(([name, title]) => ({
    name,
    account: name,
    erp: name === 'hraun' ? erp.erp() : { adapter: 'file' },
    more: {
      title,
      rules: { extends: ['default'], dimensions: { whenUnmapped: 'park' } },
      ...(name === 'thorunn' && { outgoing: { origins: [ORIGIN] }, fourEyes: ['reversal'] }),
    },
  })),
});
const dash = await dashboardBed(bed.bridge);
const browser = await launchBrowser();
try {
  await firstRun();
  await dash.addUser('gudrun', 'admin');
  await closedYear();
  await compare();
  if (!forDocs) await otherDirection();
  const paths = await pages();
  await spread(paths);
  for (const colorScheme of ['light', 'dark'])
    for (const width of [1280, 390]) await takeAll(colorScheme, width, paths);
  if (!forDocs)
    for (const colorScheme of ['light', 'dark'])
      for (const width of [1280, 390]) await takeAll(colorScheme, width, paths, 'is-IS');
  await replayRunning();
  if (!forDocs) await sourceDown();
  if (!forDocs) await connectionGone();
} finally {
  await browser.close();
  await dash.close();
  await bed.close();
  await erp.ledger.close();
}
// Whatever was under way when the last picture was taken needs not come to its end.
process.exit();

async function take(page, name) {
  if (forDocs && !DOCS.includes(name)) return;
  await page.screenshot({ path: `${directory}/${name}.png` });
  console.log(`${name}.png`);
}

async function opened(options = {}) {
  const { width = 1280, colorScheme = 'light', login = 'gudrun', at = dash, locale = 'en-GB' } = options;
  const viewport = { width, height: width === 390 ? 844 : 900 };
  const context = await browser.newContext({ colorScheme, viewport, locale });
  const page = await context.newPage();
  if (login) await signIn(page, at.url, login);
  return page;
}

async function firstRun() {
  const page = await opened({ login: null });
  await page.goto(`${dash.url}/`);
  await take(page, 'first-run-1280-light');
  const nothing = await bridgeBed({ accounts: [], tenants: [] });
  const empty = await dashboardBed(nothing.bridge);
  await empty.addUser('gudrun', 'admin');
  const visitor = await opened({ at: empty });
  await take(visitor, 'no-tenant-1280-light');
  await visitor.goto(`${empty.url}/problems`);
  await take(visitor, 'no-problem-1280-light');
  await empty.close();
  await nothing.close();
}

/** Costs of a year that the ERP has closed: something that many documents wait for. */
async function closedYear() {
  erp.ledger.control.closePeriod(CLOSED_YEAR);
  const { control } = bed.sandbox;
  for (let number = 0; number < LATE; number++) {
    const guid = control.createCost('hraun', { date: '2021-11-30', amount: String(4_000 + number * 137) });
    control.approveCost('hraun', guid);
  }
  await bed.bridge.tenants.requestSweep('hraun');
  await bed.settled(300_000);
}

/** One that agrees, and one of books from which somebody took entries; a certificate of each. */
async function compare() {
  const day = new Date().toISOString().slice(0, 10);
  const period = { from: `${day.slice(0, 4)}-01-01`, to: day };
  const { operations } = bed.bridge;
  await operations.reconcile('fjordur', period);
  if (forDocs) return;
  const { control } = erp.ledger;
  const whole = control.entries();
  const keep = (entries) => {
    control.reset();
    control.closePeriod(CLOSED_YEAR);
    control.restore(entries);
  };
  keep(whole.slice(0, -2));
  await operations.reconcile('hraun', period);
  const act = { actor: 'gudrun', reason: 'The year so far' };
  for (const name of ['hraun', 'fjordur']) await operations.closePeriod(name, period, act);
  keep(whole);
}

/** Orders in a folder, one of which cannot be read. */
async function otherDirection() {
  const folder = join(bed.settings.tenantsDirectory, ORIGIN.directory);
  mkdirSync(folder, { recursive: true });
  const head =
    'reference,issue_date,kennitala,customer_name,customer_email,item_number,description,qty,unit_price,tax';
  const row = (number, price) =>
    `P-${number},2026-11-01,5402696029,Prufa ehf.,prufa@example.is,V-1,Vara,2,${price},S`;
  writeFileSync(
    join(folder, 'orders.csv'),
    [head, row(1, 1000), row(2, 24500), row(3, 'mikið'), ''].join('\n'),
  );
  await bed.bridge.operations.confirmOutgoing('thorunn', { actor: 'gudrun', reason: 'Looked at it' });
  for (let waited = 0; waited < 30; waited++) {
    if ((await bed.database.prisma.submission.count({ where: { state: 'created' } })) > 1) return;
    await sleep(1_000);
  }
}

/** As if it had run since yesterday: moments move back by up to a day; not those of the documents that are shown. */
async function spread(paths) {
  const shown = Object.values(paths).flatMap(
    (path) => /^\/documents\/([0-9a-f-]{36})$/.exec(path)?.[1] ?? [],
  );
  const others = `id NOT IN (${shown.map((id) => `'${id}'`).join(', ')})`;
  const hours = 'least(23, (abs(hashtext(id::text)) % 24 + abs(hashtext(key)) % 12) / 2)';
  const back = (column) =>
    `${column} = ${column} - ${hours} * interval '1 hour' - (abs(hashtext(key)) % 50) * interval '1 second'`;
  const faster = `discovered_at = posted_at - (1 + abs(hashtext(key)) % 9) * interval '1 second'`;
  await bed.database.prisma.$transaction([
    bed.database.prisma.$executeRawUnsafe('SET LOCAL session_replication_role = replica'),
    bed.database.prisma.$executeRawUnsafe(
      `UPDATE posting SET ${faster} WHERE posted_at IS NOT NULL AND ${others}`,
    ),
    bed.database.prisma.$executeRawUnsafe(
      `UPDATE posting SET ${['posted_at', 'discovered_at', 'state_since'].map(back).join(', ')} WHERE reason IS DISTINCT FROM 'ERP_PERIOD_CLOSED' AND ${others}`,
    ),
  ]);
}

async function pages() {
  const { operations } = bed.bridge;
  const one = async (query) => (await operations.documents({ ...query, limit: 1 })).items[0]?.postingId;
  const posted = await one({ states: ['acknowledged'], kind: 'invoice' });
  const stuck = await one({ states: ['held'], reason: 'UNMAPPED_COST_CODE' });
  const [certificate] = await operations.certificates('hraun');
  const others = forDocs
    ? {}
    : {
        approvals: '/approvals',
        vat: '/vat?tenant=fjordur',
        certificates: '/certificates',
        certificate: `/certificates/${certificate?.id ?? ''}`,
        outgoing: '/outgoing',
        reports: '/reports?tenant=thorunn&report=sales',
        attendees: '/reports?tenant=thorunn&report=attendees',
        replays: '/replays',
        rehearsal: '/rehearsal?tenant=hraun',
      };
  return {
    ...others,
    overview: '/',
    problems: '/problems',
    documents: '/documents?order=issued',
    'document-posted': `/documents/${posted}`,
    'document-stuck': `/documents/${stuck ?? posted}`,
    replay: '/replay?cause=ERP_PERIOD_CLOSED',
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
    nothing: '/documents?text=no-such-document',
  };
}

async function takeAll(colorScheme, width, paths, locale = 'en-GB') {
  const page = await opened({ width, colorScheme, locale });
  const language = locale === 'en-GB' ? '' : `-${locale.slice(0, 2)}`;
  for (const [name, path] of Object.entries(paths)) {
    if (forDocs && !DOCS.includes(`${name}-${width}-${colorScheme}`)) continue;
    await page.goto(dash.url + path);
    await page.waitForSelector('.live[data-state=live]');
    await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
    await take(page, `${name}-${width}-${colorScheme}${language}`);
  }
  if (!forDocs && language === '') {
    await page.goto(dash.url + paths['document-posted']);
    await page.click('.why >> text=Reverse');
    await page.waitForSelector('#dialog[open]');
    await take(page, `dialog-${width}-${colorScheme}`);
  }
  await page.context().close();
}

async function replayRunning() {
  erp.ledger.control.openAllPeriods();
  const { operations } = bed.bridge;
  const act = { actor: 'gudrun', reason: 'The year was opened again for late invoices' };
  const run = await operations.startReplay({ cause: 'ERP_PERIOD_CLOSED' }, act, { perSecond: 10 });
  const page = await opened();
  await page.goto(`${dash.url}/replay/${run.id}`);
  while (Number(await page.textContent('[data-arrived]')) < 40) await sleep(200);
  await take(page, 'replay-running-1280-light');
  await page.context().close();
}

async function sourceDown() {
  await bed.sandbox.close();
  for (const [name] of COMPANIES) await bed.bridge.tenants.requestSweep(name);
  for (let waited = 0; waited < 60; waited++) {
    const { tenants } = await bed.bridge.operations.overview();
    if (tenants.some(({ health }) => health === 'down')) break;
    await sleep(1_000);
  }
  const page = await opened();
  // What the frame shows may be a moment old.
  await sleep(3_000);
  await page.reload();
  await take(page, 'source-down-1280-light');
  await page.goto(`${dash.url}/tenants/hraun`);
  await take(page, 'tenant-down-1280-light');
  await page.context().close();
}

async function connectionGone() {
  const page = await opened({ colorScheme: 'dark' });
  await page.waitForSelector('.live[data-state=live]');
  await dash.close();
  await page.waitForSelector('.live[data-state=lost]');
  await take(page, 'connection-gone-1280-dark');
}
