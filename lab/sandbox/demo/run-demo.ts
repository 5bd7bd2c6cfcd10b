// The whole bridge on embedded defaults: a sandbox with three companies, three kinds of books, an ordinary bad day on the
// network. It shows what happens while it happens, and ends with the proof: counts, totals, and a clean reconciliation.
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { stringify } from 'yaml';
import type { Bridge } from '../../../src/bridge/start-bridge.js';
import type { ReconciliationReport } from '../../../src/sync/reconcile.js';
import { createLog } from '../../../src/telemetry/log.js';
import { type BridgeSettings, DEFAULT_PORT } from '../../../src/tenants/bridge-settings.js';
import type { CliIo } from '../../../src/cli/command.js';
import { EXIT } from '../../../src/cli/exit-codes.js';
import { VERSION } from '../../../src/cli/version.js';
import { demoDirectory, demoRecords } from './demo-place.js';
import { COMPANIES, type DemoWorld, LEDGER_SECRET, startDemoWorld } from './demo-world.js';
import type { ErpLedger } from '../erp-ledger/server.js';
import type { Sandbox } from '../start-sandbox.js';
import { Secret } from '../../../src/domain/secret.js';
import { createUserAccounts } from '../../../src/operations/users/user-accounts.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import type { Database } from '../../../src/store/database.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import type { TenantName } from '../../../src/domain/ids.js';
import { Decimal } from '../../../src/domain/money.js';
import type { Db } from '../../../src/store/db.js';

export interface DemoOptions {
  readonly once: boolean;
  readonly json: boolean;
  readonly documents: number;
  readonly timeoutMs: number;
}

const LOOK_MS = 250;
/** The first document is waited for impatiently, without asking the database. */
const FIRST_LOOK_MS = 25;
const SAVE_EVERY_MS = 2_000;
const SIGN_OF_LIFE_MS = 30_000;
const RECONCILE_TRIES_MAX = 8;

export async function runDemo(io: CliIo, base: BridgeSettings, options: DemoOptions): Promise<void> {
  // Since the command was given, not since its code was loaded.
  const startedAt = performance.timeOrigin;
  const directory = demoDirectory(base);
  const say = (text: string) => (options.json ? io.err(text) : io.out(text));
  say(
    `ledgerbridge ${VERSION} demo: three companies, ${String(options.documents * COMPANIES.length)} documents, faults on\n`,
  );
  const world = await startDemoWorld(directory, options.documents);
  try {
    const config = await writeDemoConfig(directory, base, world.sandbox, world.ledger);
    const { startBridge } = await import('../../../src/bridge/start-bridge.js');
    const bridge = await startBridge({
      settings: { ...config.settings, port: await portOrAny(base.host, base.port ?? DEFAULT_PORT) },
      env: config.env,
      role: 'all',
      version: VERSION,
      log: demoLog(base),
    });
    try {
      await show(io, { bridge, world, config }, options, startedAt, say);
    } finally {
      await bridge.close();
    }
  } finally {
    await world.save();
    await world.close();
  }
}

interface Stage {
  readonly bridge: Bridge;
  readonly world: DemoWorld;
  readonly config: DemoConfig;
}

async function show(
  io: CliIo,
  { bridge, world, config }: Stage,
  options: DemoOptions,
  startedAt: number,
  say: (text: string) => void,
): Promise<void> {
  // An operator would look at the plan first; the demo's companies exist to be posted.
  for (const { tenant } of COMPANIES) await bridge.tenants.confirmPlan(tenant, 'demo');
  const visitor = await demoVisitor(bridge.database);
  say(
    `dashboard ${bridge.http?.url ?? ''}   login ${visitor.login}   password ${visitor.password}\nsandbox ${world.sandbox.url}   ERP ledger ${world.ledger.url}\nbooks   ${config.booksDirectory}\n\n`,
  );
  const result = await watchUntilSettled(io, bridge, world, options, startedAt, say);
  const closing = closingTable(result, config.booksDirectory, world.ledger.control.counts());
  io.out(options.json ? `${JSON.stringify(closing.facts, null, 2)}\n` : `\n${closing.text}\n`);
  io.setExitCode(closing.ok ? EXIT.ok : EXIT.failed);
  if (!options.once && !io.signal.aborted) await stayOpen(io, { bridge, world }, startedAt, say);
}

function demoLog({ logLevel }: BridgeSettings) {
  return createLog({ level: logLevel === 'info' ? 'error' : logLevel, format: 'json', isTty: false });
}

async function watchUntilSettled(
  io: CliIo,
  bridge: Bridge,
  world: DemoWorld,
  options: DemoOptions,
  startedAt: number,
  say: (text: string) => void,
): Promise<DemoResult> {
  const deadline = Date.now() + options.timeoutMs;
  const postedBefore = world.postedAtSource();
  let firstPostedMs: number | null = null;
  let savedAt = Date.now();
  let settled = false;
  let progress = await readProgress(bridge.database.db);
  let calm = 0;
  let looks = 0;
  while (Date.now() < deadline && !io.signal.aborted) {
    progress = await readProgress(bridge.database.db);
    const acknowledged = progress.tenants.reduce(
      (total, tenant) => total + (tenant.states['acknowledged'] ?? 0),
      0,
    );
    if (!options.json && (io.isTty || ++looks % 8 === 1))
      say(progressLine(progress, Date.now() - startedAt, io.isTty));
    // Nothing under way twice in a row, and at least one sweep behind us.
    calm = progress.underWay === 0 && acknowledged > 0 ? calm + 1 : 0;
    settled = calm >= 3;
    if (settled) break;
    if (Date.now() - savedAt > SAVE_EVERY_MS) {
      await world.save();
      savedAt = Date.now();
    }
    for (let waited = 0; waited < LOOK_MS; waited += FIRST_LOOK_MS) {
      await sleep(FIRST_LOOK_MS);
      if (world.postedAtSource() > postedBefore) firstPostedMs ??= Math.round(Date.now() - startedAt);
    }
  }
  const settledMs = settled ? Math.round(Date.now() - startedAt) : null;
  const period = { from: '2020-01-01', to: new Date().toISOString().slice(0, 10) };
  const reports: ReconciliationReport[] = [];
  for (const { tenant } of COMPANIES)
    if (settled) reports.push(await reconcilePatiently(bridge, tenant, period));
  return { settled, firstPostedMs, settledMs, progress, reports };
}

/** The faults stay on to the end, so a reading may fail; as queued work it would be tried again too. */
async function reconcilePatiently(
  bridge: Bridge,
  tenant: string,
  period: { from: string; to: string },
): Promise<ReconciliationReport> {
  for (let tries = 1; ; tries++) {
    try {
      return await bridge.reconciler.run(tenant, period);
    } catch (error) {
      if (tries >= RECONCILE_TRIES_MAX) throw error;
      await sleep(LOOK_MS * tries);
    }
  }
}

async function stayOpen(
  io: CliIo,
  { bridge, world }: Pick<Stage, 'bridge' | 'world'>,
  startedAt: number,
  say: (text: string) => void,
): Promise<void> {
  say(
    '\nThe bridge goes on running: create invoices on the sandbox page and watch them arrive. Ctrl-C ends it.\n',
  );
  let saidAt = Date.now();
  while (!io.signal.aborted) {
    await sleep(SAVE_EVERY_MS, undefined, { signal: io.signal }).catch(() => undefined);
    await world.save();
    // A pipe that nobody reads any more shows only when something is written into it.
    if (io.isTty || Date.now() - saidAt < SIGN_OF_LIFE_MS) continue;
    saidAt = Date.now();
    say(progressLine(await readProgress(bridge.database.db), Date.now() - startedAt, false));
  }
}

// What the demo shows: one line that moves while documents do, and a closing table with the proof.
export interface DemoResult {
  readonly settled: boolean;
  /** Since the command was given; null when nothing was left to post. */
  readonly firstPostedMs: number | null;
  readonly settledMs: number | null;
  readonly progress: Progress;
  readonly reports: readonly ReconciliationReport[];
}

const PERSON = ['held', 'parked', 'orphaned'];

function of(states: Readonly<Record<string, number>>, names: readonly string[]): number {
  return names.reduce((total, name) => total + (states[name] ?? 0), 0);
}

const krona = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });

export function progressLine(progress: Progress, elapsedMs: number, isTty: boolean): string {
  const parts = progress.tenants.map(({ tenantName, states }) => {
    const all = Object.values(states).reduce((total, count) => total + count, 0);
    return `${tenantName} ${of(states, ['acknowledged'])}/${all}`;
  });
  const line = `${(elapsedMs / 1000).toFixed(1).padStart(5)} s  ${parts.join('   ')}   under way ${progress.underWay}`;
  return isTty ? `\r\x1b[K${line}` : `${line}\n`;
}

interface Row {
  readonly company: string;
  readonly documents: number;
  readonly posted: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly waiting: number;
  readonly needsYou: number;
  readonly isk: string;
  readonly books: string;
  readonly reconciled: boolean;
}

export function closingTable(
  result: DemoResult,
  booksDirectory: string,
  ledger: { readonly entries: number },
): { ok: boolean; text: string; facts: Record<string, unknown> } {
  const rows = COMPANIES.map((company): Row => {
    const tenant = result.progress.tenants.find(({ tenantName }) => tenantName === company.tenant);
    const states = tenant?.states ?? {};
    return {
      company: company.title,
      documents: Object.values(states).reduce((total, count) => total + count, 0),
      posted: of(states, ['acknowledged']),
      skipped: of(states, ['skipped']),
      rejected: of(states, ['rejected']),
      waiting: of(states, ['deferred']),
      needsYou: of(states, PERSON),
      isk: `${krona.format(Number(tenant?.postedIsk ?? '0'))} kr.`,
      books: company.books,
      reconciled: result.reports.find((report) => report.tenant === company.tenant)?.clean ?? false,
    };
  });
  const ok = result.settled && rows.every((row) => row.reconciled && row.posted > 0);
  const facts = {
    ok,
    settled: result.settled,
    firstPostedMs: result.firstPostedMs,
    settledMs: result.settledMs,
    companies: rows,
    erpLedgerEntries: ledger.entries,
    booksDirectory,
    differences: result.reports.flatMap((report) => report.differences),
  };
  return { ok, text: asText(rows, result, ok, booksDirectory), facts };
}

const COLUMNS: readonly [keyof Row, string][] = [
  ['company', 'Company'],
  ['documents', 'Documents'],
  ['posted', 'Posted'],
  ['skipped', 'Skipped'],
  ['rejected', 'Error'],
  ['waiting', 'Waiting'],
  ['needsYou', 'Needs you'],
  ['isk', 'In the books'],
  ['books', 'Books'],
  ['reconciled', 'Reconciled'],
];

function asText(rows: readonly Row[], result: DemoResult, ok: boolean, booksDirectory: string): string {
  const cells = [
    COLUMNS.map(([, title]) => title),
    ...rows.map((row) => COLUMNS.map(([field]) => cell(row[field]))),
  ];
  const widths = COLUMNS.map((_, index) => Math.max(...cells.map((row) => (row[index] ?? '').length)));
  const lines = cells.map((row) =>
    row
      .map((text, index) =>
        isNumeric(index) ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const first =
    result.firstPostedMs === null
      ? 'nothing was left to post'
      : `first Posted after ${(result.firstPostedMs / 1000).toFixed(1)} s`;
  const settled =
    result.settledMs === null ? 'not settled' : `settled after ${(result.settledMs / 1000).toFixed(1)} s`;
  const verdict = ok
    ? 'Every document is in the books once, or visible with a reason.'
    : 'Something is not as it should be: see above.';
  return [...lines, '', `${first}, ${settled}`, `books in ${booksDirectory}`, verdict].join('\n');
}

function isNumeric(column: number): boolean {
  return column >= 1 && column <= 7;
}

function cell(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'clean' : 'NOT CLEAN';
  return String(value);
}

// The demo's tenant files and settings: what an operator would write, written into the demo's own directory.

export interface DemoConfig {
  readonly settings: BridgeSettings;
  readonly env: Record<string, string>;
  /** Where the file ledgers keep their books. */
  readonly booksDirectory: string;
}

export async function writeDemoConfig(
  directory: string,
  base: BridgeSettings,
  sandbox: Sandbox,
  ledger: ErpLedger,
): Promise<DemoConfig> {
  const configDirectory = join(directory, 'config');
  const tenantsDirectory = join(configDirectory, 'tenants');
  const booksDirectory = join(directory, 'books');
  await mkdir(tenantsDirectory, { recursive: true });
  const files = (tenant: string, formats: string[]) => ({
    adapter: 'file',
    settings: { directory: join(booksDirectory, tenant), formats },
  });
  const erps: Record<string, Record<string, unknown>> = {
    fjordur: files('fjordur', ['journal', 'csv']),
    hraun: {
      adapter: 'http',
      settings: {
        baseUrl: ledger.url,
        secret: 'env:DEMO_LEDGER_SECRET',
        company: 'Hraun slf.',
        ledger: 'hraun-books',
      },
    },
    thorunn: files('thorunn', ['beancount']),
  };
  for (const { tenant, title, username } of COMPANIES) {
    const file = {
      name: tenant,
      title,
      source: {
        environment: 'development',
        baseUrl: sandbox.url,
        maintenanceCode: 'env:DEMO_MAINTENANCE_CODE',
        auth: { type: 'credentials', username, apiKey: `env:DEMO_KEY_${username.toUpperCase()}` },
      },
      cutOver: '2020-01-01',
      schedule: { cron: '*/10 * * * * *', timeZone: 'Atlantic/Reykjavik' },
      limits: { source: { requestsPerSecond: 800, concurrency: 8 }, erp: { postingsPerSecond: 200 } },
      erp: erps[tenant],
      rules: { extends: ['default'], dimensions: { whenUnmapped: 'park' } },
    };
    await writeFile(join(tenantsDirectory, `${tenant}.yaml`), stringify(file));
  }
  const env: Record<string, string> = {
    DEMO_MAINTENANCE_CODE: sandbox.maintCode,
    DEMO_LEDGER_SECRET: LEDGER_SECRET,
  };
  for (const account of sandbox.accounts) env[`DEMO_KEY_${account.username.toUpperCase()}`] = account.apiKey;
  const settings = {
    ...base,
    configDirectory,
    tenantsDirectory,
    dataDirectory: demoRecords(directory),
    // Everything shares one processor here; few at a time bring the first one home sooner.
    concurrency: Math.min(base.concurrency, 2),
  };
  return { settings, env, booksDirectory };
}

// The way into the demo's dashboard: a free port, and somebody who can sign in with a password that is new every time.

/** The port that was asked for, or 0 (any) when somebody has it already. */
export function portOrAny(host: string, port: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(port, host, () => probe.close(() => resolve(port)));
  });
}

const LOGIN = 'demo';
const SYLLABLES = [
  'fjör',
  'hraun',
  'stein',
  'vík',
  'foss',
  'lund',
  'holt',
  'nes',
  'brú',
  'dal',
  'sker',
  'tun',
];
const SYLLABLES_USED = 5;

export async function demoVisitor(database: Database): Promise<{ login: string; password: string }> {
  const users = createUserAccounts(createUserStore(database), SYSTEM_RUNTIME.clock);
  const words = Array.from({ length: SYLLABLES_USED }, () => SYLLABLES[randomInt(SYLLABLES.length)] ?? '');
  const password = `${words.join('-')}-${randomInt(100, 1_000)}`;
  const known = (await users.list()).some(({ login }) => login === LOGIN);
  if (known) await users.setPassword(LOGIN, new Secret(password), LOGIN);
  else await users.create(LOGIN, 'admin', new Secret(password), LOGIN);
  return { login: LOGIN, password };
}

// How far the work is, in a few numbers: what a progress line and a demo need.

export interface TenantProgress {
  readonly tenantName: TenantName;
  readonly states: Readonly<Record<string, number>>;
  /** ISK of what is in the books, as the journals say. */
  readonly postedIsk: string;
}

export interface Progress {
  readonly tenants: readonly TenantProgress[];
  /** Documents under way, sweeps asked for, statuses not yet acknowledged: nothing of it means that all is settled. */
  readonly underWay: number;
}

const UNDER_WAY = ['discovered', 'mapped', 'posting', 'posted', 'writing_back'];

export async function readProgress(db: Db): Promise<Progress> {
  const rows = await db.rows<{ tenant_name: string; state: string; count: number; isk: string }>`
    SELECT t.name AS tenant_name, coalesce(p.state, '') AS state, count(p.id)::int AS count,
           coalesce(sum(p.total_isk) FILTER (WHERE p.erp_reference IS NOT NULL), 0)::text AS isk
    FROM tenant t LEFT JOIN posting p ON p.tenant_name = t.name GROUP BY 1, 2 ORDER BY 1`;
  const [waiting] = await db.rows<{ count: number }>`
    SELECT ((SELECT count(*) FROM posting WHERE state = ANY(${UNDER_WAY}))
          + (SELECT count(*) FROM outbox WHERE topic IN ('sweep', 'reconcile'))
          + (SELECT count(*) FROM write_back WHERE state IN ('pending', 'sent')))::int AS count`;
  type Counted = { tenantName: TenantName; states: Record<string, number>; postedIsk: string };
  const tenants = new Map<TenantName, Counted>();
  for (const row of rows) {
    const tenant: Counted = tenants.get(row.tenant_name) ?? {
      tenantName: row.tenant_name,
      states: {},
      postedIsk: '0',
    };
    if (row.state !== '') tenant.states[row.state] = row.count;
    tenant.postedIsk = new Decimal(tenant.postedIsk).plus(row.isk).toFixed(0);
    tenants.set(row.tenant_name, tenant);
  }
  return { tenants: [...tenants.values()], underWay: waiting?.count ?? 0 };
}
