// The package as it is shipped: small, without scripts, and complete with what it says it needs and nothing else.
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../../../scripts/bundle.mjs';
import { testDatabase } from '../../support/database.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'packed-'));
const place = join(home, 'package');
const MEGABYTES_MAX = 200;

interface Manifest {
  readonly scripts?: unknown;
  readonly devDependencies?: unknown;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
const manifestOf = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;

const database = await testDatabase();
beforeAll(async () => {
  await bundleProgram(join(root, 'dist'));
  const { stdout } = await run(process.execPath, ['scripts/pack.mjs', home], { cwd: root });
  await run('tar', ['xzf', stdout.trim(), '-C', home]);
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

test(`is less than ${MEGABYTES_MAX} MB with everything that is installed with it`, () => {
  const real = [...closure(root)].length;
  const needed = closure(place);
  expect(needed.size).toBeLessThan(real);
  const bytes = [...needed].reduce((sum, directory) => sum + bytesOf(directory), bytesOf(place));
  expect(Math.round(bytes / 1024 / 1024)).toBeLessThan(MEGABYTES_MAX);
});

test('serves the dashboard on its database with these packages alone', async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [join(place, 'bin/ledgerbridge.js'), 'serve'], {
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
