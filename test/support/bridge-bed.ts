// A whole bridge for a test: a sandbox, a database of its own, tenant files in a temporary directory, and the real thing
// started on them. `settled` waits until nothing is on its way any more.
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { Secret } from '../../src/domain/secret.js';
import { type Bridge, type BridgeOptions, startBridge } from '../../src/bridge/start-bridge.js';
import type { PostTiming } from '../../src/sync/work.js';
import type { AccountOptions, SandboxOptions } from '../../lab/sandbox/options.js';
import { type Sandbox, startSandbox } from '../../lab/sandbox/start-sandbox.js';
import { createLog } from '../../src/telemetry/log.js';
import type { BridgeSettings } from '../../src/tenants/bridge-settings.js';
import { loadTenants } from '../../src/tenants/load-tenants.js';
import { childProgram } from './children.js';
import { type TestDatabase, testDatabase } from './database.js';
import type { TwoRoles } from './two-roles.js';

export interface TenantSpec {
  readonly name: string;
  /** Username at the sandbox. */
  readonly account: string;
  readonly erp: Record<string, unknown>;
  readonly surface?: 'credential' | 'agent';
  readonly more?: Record<string, unknown>;
}

export interface BedOptions {
  readonly accounts: readonly AccountOptions[];
  readonly sandbox?: Omit<SandboxOptions, 'accounts'>;
  readonly tenants: readonly TenantSpec[];
  readonly redisUrl?: string;
  readonly env?: Record<string, string>;
  readonly bridge?: Partial<Pick<BridgeOptions, 'failPoints' | 'timing' | 'log' | 'lookMs'>>;
  readonly confirmPlans?: boolean;
  /** Start no bridge here: the test runs children. */
  readonly processes?: boolean;
  readonly concurrency?: number;
  /** Where the bed's directory is made: packages that are installed there are found from its tenant files. */
  readonly parent?: string;
  readonly traces?: BridgeSettings['traces'];
  readonly tenantFiles?: 'read-only' | 'editable';
  readonly auditReads?: 'on' | 'off';
  /** Originals in a bucket instead of a directory. */
  readonly originalsS3?: BridgeSettings['originalsS3'];
  /** An empty database that its owner has yet to migrate. */
  readonly roles?: TwoRoles;
  /** Of the bridge, as LEDGERBRIDGE_KEY. */
  readonly key?: Secret;
}

export interface Bed {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  readonly directory: string;
  readonly settings: BridgeSettings;
  /** What the tenant files name by `env:`. */
  readonly env: Readonly<Record<string, string>>;
  bridge: Bridge;
  writeTenant(spec: TenantSpec): Promise<void>;
  /** Another bridge on the same records, in a process of its own. */
  child(options: ChildOptions): ChildProcess;
  /** Stops the bridge and starts another on the same records. */
  restart(): Promise<void>;
  settled(timeoutMs?: number): Promise<void>;
  /** State → number of postings. */
  states(tenant?: string): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** Where an account's key is in the environment. */
const keyName = (username: string) => `KEY_${username.replaceAll('-', '_')}`;

const CUT_OVER = '2020-01-01';

export async function bridgeBed(options: BedOptions): Promise<Bed> {
  const database = options.roles?.database ?? (await testDatabase({ poolSize: 5 }));
  const sandbox = await startSandbox({ ...options.sandbox, accounts: options.accounts });
  const directory = await mkdtemp(join(options.parent ?? tmpdir(), 'ledgerbridge-bed-'));
  await mkdir(join(directory, 'config', 'tenants'), { recursive: true });
  const env: Record<string, string> = { SANDBOX_CODE: sandbox.maintCode, ...options.env };
  for (const account of sandbox.accounts) env[keyName(account.username)] = account.apiKey;
  const settings = settingsOf(directory, database, options);
  const writeTenant = (spec: TenantSpec) =>
    writeFile(join(settings.tenantsDirectory, `${spec.name}.yaml`), stringify(tenantFile(sandbox, spec)));
  for (const tenant of options.tenants) await writeTenant(tenant);
  const { problems } = await loadTenants(settings.tenantsDirectory, env);
  if (problems.length > 0) throw new Error(`the test's tenant files are broken: ${JSON.stringify(problems)}`);
  const log = createLog({
    level: (process.env['BED_LOG'] as 'debug' | undefined) ?? 'fatal',
    format: 'json',
    isTty: false,
  });
  const start = () => startBridge({ settings, env, role: 'all', version: 'test', log, ...options.bridge });
  const confirm = async (bridge: Bridge) => {
    if (options.confirmPlans === false) return;
    for (const name of bridge.connections.names()) await bridge.tenants.confirmPlan(name, 'test');
  };
  const children: ChildProcess[] = [];
  const bed: Bed = {
    sandbox,
    database,
    directory,
    settings,
    env,
    bridge: options.processes ? NO_BRIDGE : await start(),
    child: (childOptions) => {
      const redisUrl = options.redisUrl ?? null;
      const child = spawnChild({ settings, env, redisUrl, database }, childOptions);
      children.push(child);
      return child;
    },
    writeTenant,
    restart: async () => {
      await bed.bridge.close();
      bed.bridge = await start();
      await confirm(bed.bridge);
    },
    settled: (timeoutMs = 60_000) => waitUntilSettled(database, timeoutMs),
    states: (tenant) => statesOf(database, tenant),
    close: async () => {
      for (const child of children) child.kill('SIGKILL');
      await bed.bridge.close();
      await sandbox.close();
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  await confirm(bed.bridge);
  return bed;
}

/** Closing what was never started is nothing. */
const NO_BRIDGE = { close: () => Promise.resolve(), connections: { names: () => [] } } as unknown as Bridge;

interface ChildOptions {
  readonly timing: PostTiming;
  readonly failAt?: string;
  /** Its JavaScript heap; with more than that alive it dies. */
  readonly heapMb?: number;
  readonly outgoing?: Pick<BridgeOptions, 'outgoingTiming' | 'outgoingPace'>;
  /** It knows only these tenants: their files are copied to a directory of its own. */
  readonly tenants?: readonly string[];
}

interface ChildPlace {
  readonly settings: BridgeSettings;
  readonly env: Record<string, string>;
  readonly redisUrl: string | null;
  readonly database: TestDatabase;
}

/** Prisma's compiler of queries is WebAssembly: optimising it takes longer than all that a short life asks of it. */
const QUICK_START = ['--liftoff-only'];

function spawnChild(
  { settings, env, redisUrl, database }: ChildPlace,
  { failAt, timing, heapMb, outgoing = {}, tenants }: ChildOptions,
): ChildProcess {
  const tenantsDirectory = tenants === undefined ? settings.tenantsDirectory : copyTenants(settings, tenants);
  const flags = [...QUICK_START, ...(heapMb === undefined ? [] : [`--max-old-space-size=${String(heapMb)}`])];
  const bed = JSON.stringify({
    ...{ settings: { ...settings, tenantsDirectory }, databaseUrl: database.runtimeUrl.reveal(), redisUrl },
    key: settings.key?.reveal() ?? null,
    ...{ timing, outgoing },
  });
  return spawn(process.execPath, [...flags, childProgram('bridge-child')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env, BED: bed, ...(failAt === undefined ? {} : { FAIL_AT: failAt }) },
  });
}

/** As deep as the others, so that what they name beside them is found. */
function copyTenants(
  { configDirectory, tenantsDirectory }: BridgeSettings,
  names: readonly string[],
): string {
  const directory = mkdtempSync(join(configDirectory, 'tenants-'));
  for (const name of names)
    copyFileSync(join(tenantsDirectory, `${name}.yaml`), join(directory, `${name}.yaml`));
  return directory;
}

function settingsOf(directory: string, database: TestDatabase, options: BedOptions): BridgeSettings {
  return {
    configDirectory: join(directory, 'config'),
    tenantsDirectory: join(directory, 'config', 'tenants'),
    dataDirectory: join(directory, 'data'),
    originalsDirectory: join(directory, 'data', 'originals'),
    originalsS3: options.originalsS3 ?? null,
    databaseUrl: options.roles?.url ?? database.runtimeUrl,
    databaseOwnerUrl: options.roles?.ownerUrl ?? null,
    redisUrl: options.redisUrl ? new Secret(options.redisUrl) : null,
    key: options.key ?? null,
    previousKey: null,
    signingKey: null,
    auditAnchor: null,
    addressDays: null,
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    trustedProxies: [],
    tenantFiles: options.tenantFiles ?? 'read-only',
    privateAddresses: 'allow',
    metrics: 'token',
    secondFactor: 'none',
    auditReads: options.auditReads ?? 'off',
    logLevel: 'fatal',
    logFormat: 'json',
    concurrency: options.concurrency ?? 6,
    shutdownMs: 5_000,
    timeZone: 'Atlantic/Reykjavik',
    traces: options.traces ?? null,
  };
}

export function tenantFile(
  sandbox: Pick<Sandbox, 'url' | 'environment'>,
  spec: TenantSpec,
): Record<string, unknown> {
  return {
    name: spec.name,
    title: `Fyrirtækið ${spec.name}`,
    source: {
      environment: sandbox.environment,
      baseUrl: sandbox.url,
      ...(sandbox.environment === 'development' ? { maintenanceCode: 'env:SANDBOX_CODE' } : {}),
      auth: {
        type: 'credentials',
        username: spec.account,
        apiKey: `env:${keyName(spec.account)}`,
        ...(spec.surface ? { surface: spec.surface } : {}),
      },
    },
    cutOver: CUT_OVER,
    schedule: { cron: '*/5 * * * *', timeZone: 'Atlantic/Reykjavik' },
    erp: spec.erp,
    // Whoever tests them says so: the other tests are about postings.
    originals: { keep: false },
    ...spec.more,
    limits: { source: { requestsPerSecond: 1_000, concurrency: 8 }, ...(spec.more?.['limits'] ?? {}) },
  };
}

const ON_ITS_WAY = ['discovered', 'mapped', 'posting', 'posted', 'writing_back'];

async function waitUntilSettled(database: TestDatabase, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const [row] = await database.prisma.$queryRaw<{ open: number; sweeps: number; writing: number }[]>`
      SELECT (SELECT count(*) FROM posting WHERE state = ANY(${ON_ITS_WAY})
                OR due_at < now() + interval '1 second')::int AS open,
             (SELECT count(*) FROM outbox WHERE topic = 'sweep')::int AS sweeps,
             (SELECT count(*) FROM write_back WHERE state IN ('pending', 'sent'))::int AS writing`;
    if (row?.open === 0 && row.sweeps === 0 && row.writing === 0) return;
    if (Date.now() > deadline) {
      const states = JSON.stringify(await statesOf(database));
      throw new Error(`not settled after ${timeoutMs} ms: ${JSON.stringify(row)} ${states}`);
    }
    await sleep(100);
  }
}

async function statesOf(database: TestDatabase, tenant?: string): Promise<Record<string, number>> {
  const rows = await database.prisma.posting.groupBy({
    by: ['state'],
    _count: true,
    ...(tenant === undefined ? {} : { where: { tenantName: tenant } }),
  });
  return Object.fromEntries(rows.map((row) => [row.state, row._count]));
}
