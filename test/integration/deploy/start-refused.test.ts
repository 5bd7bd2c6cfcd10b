// What keeps a bridge from working is said before it touches anything: the built program, as somebody starts it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { builtProgram } from '../../support/program.js';
import { freePort, startRedis } from '../../support/redis.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/ledgerbridge.js', import.meta.url));
const ENDS_WITHIN_MS = 60_000;
let bed: Bed;

beforeAll(async () => {
  await builtProgram();
  bed = await bridgeBed({
    accounts: [{ username: 'hurd', invoices: 3, costs: 0, seed: 'refused' }],
    tenants: [{ name: 'hurd', account: 'hurd', erp: { adapter: 'file' } }],
    processes: true,
  });
});
afterAll(() => bed.close());

function environment(more: Record<string, string>): Record<string, string> {
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: bed.directory,
    DATABASE_URL: bed.database.url.reveal(),
    LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
    LEDGERBRIDGE_DATA: bed.settings.dataDirectory,
    LEDGERBRIDGE_PORT: '0',
    LEDGERBRIDGE_LOG_FORMAT: 'json',
    SANDBOX_CODE: bed.sandbox.maintCode,
    ...Object.fromEntries(bed.sandbox.accounts.map(({ username, apiKey }) => [`KEY_${username}`, apiKey])),
    ...more,
  };
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

interface Started {
  readonly child: ChildProcess;
  readonly said: () => string;
  /** Where it serves. */
  readonly url: () => string;
}

function start(argv: readonly string[], more: Record<string, string>, cwd = bed.directory): Started {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    ...{ cwd, env: environment(more) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += data.toString()));
  return { child, said: () => said, url: () => /"address":"(http[^"]+)"/.exec(said)?.[1] ?? '' };
}

/** Until it ends by itself, or until it says that it runs. */
async function begun(child: ChildProcess, said: () => string): Promise<void> {
  const until = Date.now() + ENDS_WITHIN_MS;
  while (!said().includes('the bridge runs') && child.exitCode === null && Date.now() < until)
    await sleep(100);
  // What it said last may be on its way.
  if (child.exitCode !== null) await sleep(200);
}

async function serve(more: Record<string, string>, cwd = bed.directory) {
  const { child, said, url } = start(['serve'], more, cwd);
  await begun(child, said);
  const ready = url() === '' ? '' : await (await fetch(`${url()}/ready`)).text();
  child.kill('SIGTERM');
  return { code: child.exitCode, said: said() + ready };
}

async function command(argv: readonly string[], more: Record<string, string>) {
  const { child, said } = start(argv, more);
  await once(child, 'close');
  return { code: child.exitCode, said: said() };
}

/** Nothing was registered, swept or posted. */
async function untouched(): Promise<boolean> {
  const { prisma } = bed.database;
  const rows = await Promise.all([prisma.tenant.count(), prisma.posting.count(), prisma.breaker.count()]);
  return rows.every((count) => count === 0);
}

test('a port that is taken is said before anything is swept', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const port = String((other.address() as AddressInfo).port);
  const { code, said } = await serve({ LEDGERBRIDGE_PORT: port });
  expect(code).toBe(1);
  expect(said).toContain('HTTP_NOT_LISTENING');
  expect(said).toContain(port);
  expect(await untouched()).toBe(true);
});

test('a Redis that cannot be reached is named, and nothing runs without it', async () => {
  const { code, said } = await serve({ REDIS_URL: `redis://127.0.0.1:${String(await freePort())}` });
  expect(code).toBe(4);
  expect(said).toContain('QUEUE_UNREACHABLE');
  expect(said).toContain('Redis cannot be reached');
  expect(said).not.toContain('the bridge runs');
  expect(await untouched()).toBe(true);
});

test.each([
  ['is not there', (at: string) => Promise.resolve(join(at, 'not-there'))],
  [
    'is a file',
    async (at: string) => {
      await writeFile(join(at, 'hurd.yaml'), 'name: hurd\n');
      return join(at, 'hurd.yaml');
    },
  ],
])('a LEDGERBRIDGE_CONFIG that %s is refused as a setting', async (_name, make) => {
  const at = await place();
  const wrong = await make(at);
  const { code, said } = await serve({ LEDGERBRIDGE_CONFIG: wrong });
  expect(code).toBe(2);
  expect(said).toContain('SETTINGS_INVALID');
  expect(said).toContain(wrong);
  expect(await untouched()).toBe(true);
});

test('a data directory that cannot be written is said in a sentence, not in a stack trace', async () => {
  const readOnly = await place();
  await chmod(readOnly, 0o555);
  // For root no directory is read-only, but /proc takes none.
  const data = process.getuid?.() === 0 ? '/proc/ledgerbridge' : join(readOnly, 'data');
  for (const url of ['', bed.database.url.reveal()]) {
    const { code, said } = await serve({ LEDGERBRIDGE_DATA: data, DATABASE_URL: url });
    expect(code).toBe(4);
    expect(said).toContain(`The data directory ${data} cannot be written`);
    expect(said).toContain('LEDGERBRIDGE_DATA');
    expect(said).not.toMatch(/\n {4}at /);
  }
  expect(await untouched()).toBe(true);
});

test('everything that is wrong is said at once, with what to do', async () => {
  const { said } = await serve({
    LEDGERBRIDGE_CONFIG: join(bed.directory, 'not-there'),
    REDIS_URL: `redis://127.0.0.1:${String(await freePort())}`,
  });
  expect(said).toContain('not-there');
  expect(said).toContain('Redis cannot be reached');
  expect(said.match(/→/g)?.length).toBeGreaterThanOrEqual(2);
});

test('an installation without any tenant starts, so that somebody can add one', async () => {
  const at = await place();
  const { code, said } = await serve({ LEDGERBRIDGE_CONFIG: '' }, at);
  expect(code).toBe(null);
  expect(said).toContain('the bridge runs');
  expect(said).toContain('"status":"ready"');
  expect(existsSync(join(at, 'config'))).toBe(false);
});

test('a Redis that goes down while the bridge serves is named by status, problems and readiness, until it is back', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const env = { REDIS_URL: redis.url };
  const { child, said, url } = start(['serve'], env);
  await begun(child, said);
  expect(said()).toContain('the bridge runs');
  await redis.stop();
  const status = await command(['status', '--check'], env);
  expect(status.said).toContain('Redis cannot be reached');
  expect(status.code).toBe(3);
  const problems = await command(['problems'], env);
  expect(problems.said).toContain('QUEUES_AWAY');
  const ready = await fetch(`${url()}/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ queues: 'unreachable', queueStore: 'redis' });
  await redis.start();
  expect((await command(['problems'], env)).said).not.toContain('QUEUES_AWAY');
  child.kill('SIGTERM');
});

async function place(): Promise<string> {
  const at = await mkdtemp(join(tmpdir(), 'start-'));
  onTestFinished(async () => {
    await chmod(at, 0o755);
    await rm(at, { recursive: true, force: true });
  });
  await mkdir(at, { recursive: true });
  return at;
}
