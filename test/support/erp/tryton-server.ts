// A real trytond from Debian's packages, on a copy of a template database that is made once (about half a minute) and kept
// in node_modules/.cache. Each test has a server and a database of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, existsSync, readFileSync } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setUpCompany } from './tryton-company.js';

export const TRYTON_DATABASE = 'erp';
export const TRYTON_USER = 'admin';
export const TRYTON_PASSWORD = 'lab-Admin-pw1';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/ledgerbridge-tryton/', import.meta.url));
const KEPT_OPEN = fileURLToPath(new URL('trytond-kept-open.py', import.meta.url));
const TRUSTING = fileURLToPath(new URL('trytond-admin-trusting.py', import.meta.url));
/** Debian's own interpreter, which has Tryton's modules. */
const PYTHON = '/usr/bin/python3';
const START_MS_MAX = 60_000;
const TEMPLATE_MS_MAX = 170_000;

const run = promisify(execFile);

export interface TrytonServer {
  /** Origin, without a path. */
  readonly url: string;
  /** With the database, as JSON-RPC wants it. */
  readonly rpcUrl: string;
  /** The file of its database, for what no program is allowed to do. */
  readonly databaseFile: string;
  stop(): Promise<void>;
}

/** `sale`: with orders and quotations, which not every company has. */
export type TrytonModules = 'basic' | 'sale';

export async function startTryton(port = 0, modules: TrytonModules = 'basic'): Promise<TrytonServer> {
  const template = await templateDatabase(modules);
  const { size } = await stat(template);
  const directory = await mkdtemp(join(await quickDirectory(size), 'ledgerbridge-tryton-'));
  await copyFile(template, join(directory, `${TRYTON_DATABASE}.sqlite`));
  const server = await serve(directory, port);
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** What the template comes to, more or less. */
const TEMPLATE_BYTES = 4_000_000;
/** A database is to grow to several times the template. */
const ROOM_FACTOR = 5;

/**
 * In memory where there is room: Tryton commits a session with every request, and SQLite waits for the disk each time, which makes a
 * third of what a small request takes. What a test shows is not that its books outlive a loss of power.
 */
async function quickDirectory(size: number): Promise<string> {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = await statfs(memory);
    await access(memory, constants.W_OK);
    return bavail * bsize > size * ROOM_FACTOR ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Made by whoever comes first; others wait for it. What it holds is in its name, so a new set-up makes a new one. */
async function templateDatabase(modules: TrytonModules): Promise<string> {
  const setup = ['tryton-company.ts', 'tryton-rpc.ts', 'tryton-server.ts', 'trytond-admin-trusting.py'].map(
    (name) => readFileSync(new URL(name, import.meta.url)),
  );
  const version = createHash('sha256').update(Buffer.concat(setup)).digest('hex').slice(0, 12);
  const template = join(CACHE, `template-${version}-${modules}.sqlite`);
  await mkdir(CACHE, { recursive: true });
  const deadline = Date.now() + TEMPLATE_MS_MAX;
  while (!existsSync(template)) {
    if (await claim(`${template}.making`)) {
      try {
        await (modules === 'basic' ? makeTemplate(template) : addSales(template));
      } finally {
        await rm(`${template}.making`, { recursive: true, force: true });
      }
    } else if (Date.now() > deadline)
      throw new Error(`no Tryton template after ${String(TEMPLATE_MS_MAX)} ms`);
    else await sleep(500);
  }
  return template;
}

async function claim(directory: string): Promise<boolean> {
  try {
    await mkdir(directory);
    return true;
  } catch {
    const age = await stat(directory).then(
      (facts) => Date.now() - facts.mtimeMs,
      () => 0,
    );
    if (age > TEMPLATE_MS_MAX) await rm(directory, { recursive: true, force: true });
    return false;
  }
}

async function makeTemplate(template: string): Promise<void> {
  const directory = await mkdtemp(
    join(await quickDirectory(TEMPLATE_BYTES), 'ledgerbridge-tryton-template-'),
  );
  try {
    const database = join(directory, `${TRYTON_DATABASE}.sqlite`);
    const passwordFile = join(directory, 'password');
    const configuration = await configure(directory, 0);
    await writeFile(database, '');
    await writeFile(passwordFile, `${TRYTON_PASSWORD}\n`, { mode: 0o600 });
    const modules = ['ir', 'res', 'account', 'account_invoice', 'analytic_account', 'analytic_invoice'];
    const options = [
      '-u',
      ...modules,
      '--activate-dependencies',
      '-l',
      'en',
      '--email',
      'admin@example.invalid',
    ];
    await run(PYTHON, [TRUSTING, '-c', configuration, '-d', TRYTON_DATABASE, ...options], {
      env: { ...process.env, TRYTONPASSFILE: passwordFile },
      timeout: TEMPLATE_MS_MAX,
    });
    const server = await serve(directory, 0);
    try {
      await setUpCompany(server.rpcUrl, TRYTON_PASSWORD);
    } finally {
      await server.stop();
    }
    await copyFile(database, `${template}.new`);
    await rename(`${template}.new`, template);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** To a copy of the other template. */
async function addSales(template: string): Promise<void> {
  const basic = await templateDatabase('basic');
  const directory = await mkdtemp(
    join(await quickDirectory(TEMPLATE_BYTES), 'ledgerbridge-tryton-template-'),
  );
  try {
    const database = join(directory, `${TRYTON_DATABASE}.sqlite`);
    const configuration = await configure(directory, 0);
    await copyFile(basic, database);
    const options = ['-u', 'sale', '--activate-dependencies'];
    await run(PYTHON, [TRUSTING, '-c', configuration, '-d', TRYTON_DATABASE, ...options], {
      timeout: TEMPLATE_MS_MAX,
    });
    await copyFile(database, `${template}.new`);
    await rename(`${template}.new`, template);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function serve(directory: string, wantedPort: number): Promise<TrytonServer> {
  const port = wantedPort === 0 ? await freePort() : wantedPort;
  const configuration = await configure(directory, port);
  const child = spawn(PYTHON, [KEPT_OPEN, '-c', configuration, '-d', TRYTON_DATABASE], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${String(port)}`;
  await answering(url, child);
  const databaseFile = join(directory, `${TRYTON_DATABASE}.sqlite`);
  return { url, rpcUrl: `${url}/${TRYTON_DATABASE}/`, databaseFile, stop: () => stop(child) };
}

/** Tests log in often, so the password is hashed in a moment rather than in a second. */
const QUICK_HASH = '[passlib]\nschemes = pbkdf2_sha512\npbkdf2_sha512__default_rounds = 10\n';

async function configure(directory: string, port: number): Promise<string> {
  const path = join(directory, 'trytond.conf');
  const hashing = join(directory, 'passlib.ini');
  await writeFile(hashing, QUICK_HASH);
  const sections = [
    `[database]\nuri = sqlite://\npath = ${directory}`,
    `[web]\nlisten = 127.0.0.1:${String(port)}`,
    '[session]\ntimeout = 3600',
    `[password]\npasslib = ${hashing}`,
  ];
  await writeFile(path, `${sections.join('\n')}\n`);
  return path;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const body = JSON.stringify({ id: 0, method: 'common.server.version', params: [] });
  const deadline = Date.now() + START_MS_MAX;
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  await stop(child);
  throw new Error('trytond did not start');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
