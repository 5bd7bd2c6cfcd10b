// Roles as processes: what one finds, the other posts, and both go home when they are told to.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTenantStore } from '../../../src/store/tenant-store.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { SHIPPED } from '../../support/program.js';
import { LEDGER_SECRET } from '../../support/http-erp.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SHUTDOWN_SECONDS = 10;

function serve(
  bed: Bed,
  role: string,
  more: Record<string, string> = {},
): { child: ChildProcess; said: () => string } {
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: bed.database.url.reveal(),
    LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
    LEDGERBRIDGE_DATA: bed.settings.dataDirectory,
    LEDGERBRIDGE_PORT: '0',
    LEDGERBRIDGE_LOG_FORMAT: 'json',
    LEDGERBRIDGE_SHUTDOWN_SECONDS: String(SHUTDOWN_SECONDS),
    SANDBOX_CODE: bed.sandbox.maintCode,
    ...more,
  };
  for (const { username, apiKey } of bed.sandbox.accounts) env[`KEY_${username}`] = apiKey;
  const args = [SHIPPED, 'serve', '--role', ...role.split(' ')];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += data.toString()));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said: () => said };
}

async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  said: () => string,
): Promise<void> {
  for (let look = 0; look < 900; look++) {
    if (await holds()) return;
    await sleep(100);
  }
  throw new Error(`never: ${what}\n${said().slice(-3000)}`);
}

/** Says at the end how the engine keeps what strings can do; see src/cli/fast-strings.ts. */
const TELLS_OF_STRINGS = `import { writeSync } from 'node:fs';
  import { setFlagsFromString } from 'node:v8';
  setFlagsFromString('--allow-natives-syntax');
  const areFast = new Function('return %HasFastProperties(String.prototype)');
  process.on('exit', () => writeSync(2, 'strings are fast: ' + areFast()));`;

function statusesOf(address: string, paths: readonly string[]): Promise<number[]> {
  return Promise.all(paths.map(async (path) => (await fetch(`${address}${path}`)).status));
}

/** One that has ended and that no parent has asked for (a zombie) still has its number, and is not alive. */
function isAlive(pid: number): boolean {
  const status = `/proc/${String(pid)}/status`;
  try {
    process.kill(pid, 0);
    return !existsSync(status) || !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'));
  } catch {
    return false;
  }
}

/** Whoever tells it takes every thread that files are read on, with a pipe that answers nobody. */
const STUCK = (pipe: string) => `import { open } from 'node:fs/promises';
  process.on('SIGUSR2', () => { for (let n = 0; n < 8; n++) void open(${JSON.stringify(pipe)}, 'r'); });`;

it('a disk that does not answer is seen by supervisors, and SIGTERM ends the process within its limit all the same', async () => {
  const bed = await bridgeBed({
    accounts: [{ username: 'fastur', invoices: 1, costs: 0, seed: 'stuck' }],
    tenants: [{ name: 'fastur', account: 'fastur', erp: { adapter: 'file' } }],
    processes: true,
  });
  onTestFinished(() => bed.close());
  const pipe = join(bed.settings.configDirectory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const { child, said } = serve(bed, 'worker', {
    LEDGERBRIDGE_SHUTDOWN_SECONDS: '2',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(STUCK(pipe))}`,
  });
  await until('it runs', () => said().includes('"the bridge runs"'), said);
  const address = /"address":"(http:[^"]+)"/.exec(said())?.[1] ?? '';
  expect(await statusesOf(address, ['/health'])).toEqual([200]);
  child.kill('SIGUSR2');
  await until('supervisors see it', async () => (await statusesOf(address, ['/health']))[0] === 503, said);
  const gone = once(child, 'exit') as Promise<[number | null, string | null]>;
  const started = performance.now();
  child.kill('SIGTERM');
  await gone;
  expect(performance.now() - started, said().slice(-2_000)).toBeLessThan(20_000);
});

describe('roles on one database', () => {
  it('a scheduler asks for sweeps, a worker does them, and SIGTERM ends both in time with nothing in hand', async () => {
    const bed = await bridgeBed({
      accounts: [{ username: 'hlutverk', invoices: 6, costs: 3, seed: 'roles' }],
      tenants: [{ name: 'hlutverk', account: 'hlutverk', erp: { adapter: 'file' } }],
      processes: true,
    });
    onTestFinished(() => bed.close());
    const { prisma, db } = bed.database;
    const scheduler = serve(bed, 'scheduler');
    await until(
      'a sweep is asked for',
      async () => (await prisma.outbox.count({ where: { topic: 'sweep' } })) > 0,
      scheduler.said,
    );
    await sleep(500);
    expect(await prisma.document.count(), 'a scheduler does no sweeps').toBe(0);
    await createTenantStore(db, 'test').confirmPlan('hlutverk', 'test');
    const worker = serve(bed, 'worker', {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELLS_OF_STRINGS)}`,
    });
    await until('documents are found', async () => (await prisma.document.count()) > 0, worker.said);
    await bed.settled(90_000);
    expect((await bed.states())['acknowledged'] ?? 0).toBeGreaterThan(3);

    for (const { said } of [worker, scheduler]) {
      const address = /"address":"(http:[^"]+)"/.exec(said())?.[1] ?? '';
      expect(
        await statusesOf(address, ['/health', '/ready', '/metrics', '/login', '/api/v1/overview']),
      ).toEqual(
        // Supervisors are answered, strangers get no figures, and there is nothing to visit.
        [200, 200, 401, 404, 404],
      );
    }

    const started = performance.now();
    for (const { child, said } of [worker, scheduler]) {
      const gone = once(child, 'exit') as Promise<[number | null, string | null]>;
      child.kill('SIGTERM');
      expect(await gone, said().slice(-2000)).toEqual([0, null]);
      expect(said()).toContain('"stopped"');
    }
    expect(worker.said()).toContain('strings are fast: true');
    expect((performance.now() - started) / 1000).toBeLessThan(2 * SHUTDOWN_SECONDS);
    const [held] = await prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM posting WHERE lease_until > now()`;
    expect(held?.count).toBe(0);
  });

  it('one command runs three that post; one that is killed comes back, and a killed first one takes the rest along', async () => {
    const bed = await bridgeBed({
      accounts: [{ username: 'margir', invoices: 4, costs: 0, seed: 'workers' }],
      tenants: [{ name: 'margir', account: 'margir', erp: { adapter: 'file' } }],
      processes: true,
    });
    onTestFinished(() => bed.close());
    const { child, said } = serve(bed, 'all --workers 3');
    const workers = () =>
      said()
        .split('\n')
        .filter((line) => line.includes('"the bridge runs"'))
        .map((line) => JSON.parse(line) as { pid: number; role: string })
        .filter(({ role }) => role === 'worker');
    await until('two more run', () => workers().length === 2, said);
    process.kill(workers()[0]!.pid, 'SIGKILL');
    await until('it is said', () => said().includes('a worker process ended; it is started again'), said);
    await until('it is back', () => workers().length === 3, said);
    child.kill('SIGKILL');
    const [, second, third] = workers();
    await until('nobody is left', () => ![second!, third!].some(({ pid }) => isAlive(pid)), said);
  });

  it('a worker goes home in time although its ERP never answers, and what it held stays where it was', async () => {
    // It takes connections and says nothing.
    const silent = createServer(() => undefined);
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${String(port)}`;
    const settings = { baseUrl, secret: 'env:LEDGER_SECRET', company: 'Þögn ehf.', ledger: 'thogn' };
    const bed = await bridgeBed({
      accounts: [{ username: 'thogn', invoices: 2, costs: 0, seed: 'silent' }],
      tenants: [{ name: 'thogn', account: 'thogn', erp: { adapter: 'http', settings } }],
      env: { LEDGER_SECRET },
      processes: true,
    });
    onTestFinished(() => bed.close());
    const { prisma, db } = bed.database;
    const worker = serve(bed, 'all', { LEDGER_SECRET, LEDGERBRIDGE_SHUTDOWN_SECONDS: '1' });
    await until('the tenant is known', async () => (await prisma.tenant.count()) > 0, worker.said);
    await until('it serves', () => worker.said().includes('"address":"http:'), worker.said);
    const address = /"address":"(http:[^"]+)"/.exec(worker.said())?.[1] ?? '';
    // Bundled, it still finds what lies beside it.
    expect(await statusesOf(address, ['/login', '/assets/dashboard.css', '/api/v1/openapi.json'])).toEqual([
      200, 200, 200,
    ]);
    await createTenantStore(db, 'test').confirmPlan('thogn', 'test');
    const held = () => prisma.posting.count({ where: { leaseUntil: { gt: new Date() } } });
    await until('a document is under way', async () => (await held()) > 0, worker.said);
    const started = performance.now();
    const gone = once(worker.child, 'exit') as Promise<[number | null, string | null]>;
    worker.child.kill('SIGTERM');
    expect(await gone, worker.said().slice(-2000)).toEqual([0, null]);
    expect((performance.now() - started) / 1000).toBeLessThan(8);
    expect(worker.said()).toContain('stopped with work in flight');
    const { mapped = 0, posting = 0, ...others } = await bed.states();
    expect({ underWay: mapped + posting, others }).toEqual({ underWay: 2, others: {} });
  });
});
