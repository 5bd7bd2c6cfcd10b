// Follows docs/how-to/add-an-erp.md: begins an adapter in an empty directory, compiles it, runs the
// suite, and takes the steps that the page names, with the examples that it gives.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { allowPlugins } from '../../../src/erp/allowed-plugins.js';
import { bridgeBed } from '../../support/bridge-bed.js';
import { SKELETON_KINDS } from '../../../lab/kit/skeleton/write-skeleton.js';
import { temporaryDirectory } from '../../support/erp/erp-services.js';
import { builtProgram } from '../../support/program.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
/** The same language, quicker. */
const quickTsc = join(root, 'node_modules/typescript-native/bin/tsc');
const home = temporaryDirectory();
const adapter = join(home, 'my-erp');

/** What `npm install` would put there: the package as it is published, and what it depends on. */
async function install(): Promise<void> {
  const modules = join(home, 'node_modules');
  const bridge = join(modules, 'ledgerbridge');
  mkdirSync(bridge, { recursive: true });
  for (const name of ['zod', 'undici', 'decimal.js', 'lossless-json', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const name of ['package.json', 'bin', 'config', 'prisma'])
    cpSync(join(root, name), join(bridge, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(bridge, 'node_modules'));
  const compiler = {
    extends: join(root, 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: root,
      outDir: join(bridge, 'dist/types'),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [],
    files: [join(root, 'lab/kit/adapter-kit.ts')],
  };
  writeFileSync(join(home, 'tsconfig.kit.json'), JSON.stringify(compiler));
  cpSync(await builtProgram(), join(bridge, 'dist'), { recursive: true });
  await run(process.execPath, [quickTsc, '-p', join(home, 'tsconfig.kit.json'), '--checkers', '1']);
}

const cli = (cwd: string, ...args: string[]) => runProgram({ cwd }, args);
const cliWith = (env: NodeJS.ProcessEnv, ...args: string[]) => runProgram({ cwd: home, env }, args);

function runProgram(
  where: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
  args: readonly string[],
) {
  const program = join(home, 'node_modules/ledgerbridge/bin/ledgerbridge.js');
  return run(process.execPath, [program, ...args], where).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

const conformance = (directory: string) => cli(directory, 'adapter', 'test', './dist/conformance.js');
/** Each by its own settings; what several have in common is read once. Several checkers would look at it once each. */
const compile = (...directories: string[]) =>
  run(process.execPath, [quickTsc, '--build', ...directories, '--checkers', '1']);

/** Each test changes an adapter of its own, and begins anew when it is tried again. */
function copyOf(directory: string): string {
  const copy = mkdtempSync(`${directory}-`);
  cpSync(directory, copy, { recursive: true });
  return copy;
}

const OFFLINE = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];

/**
 * The package as npm packs it, installed by npm into a directory of its own; that one is below the one with the bridge's package. No
 * registry is asked: what it depends on is the copy of this repository.
 */
async function packedAndInstalled(directory: string): Promise<string> {
  const place = mkdtempSync(join(home, 'bridge-'));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], {
    cwd: directory,
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  expect(packed.files.map(({ path }) => path)).not.toContain('src/adapter.ts');
  const overrides = { zod: `file:${join(root, 'node_modules/zod')}` };
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, overrides }));
  await run('npm', ['install', ...OFFLINE, `./${packed.filename}`], { cwd: place });
  return place;
}

/** Changes a line as an author would; the skeleton must still have it. */
function edit(directory: string, file: string, from: string, to: string): void {
  const path = join(directory, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(
    path,
    text.replaceAll(from, () => to),
  );
}

describe('an adapter outside the repository', () => {
  beforeAll(async () => {
    await install();
    const begun = await cli(home, 'adapter', 'new', 'my-erp');
    expect(begun.stdout).toContain('src/adapter.ts');
    expect(begun.stdout).toMatch(/npm install --save-dev <path>\/ledgerbridge-\d+\.\d+\.\d+\.tgz/);
    await run(process.execPath, [tsc], { cwd: adapter });
  }, 240_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('passes the suite as the skeleton was written, and is told what it declares', async () => {
    const tested = await conformance(adapter);
    expect(tested.stdout).toMatch(/resending is safe by +a unique reference\n/);
    expect(tested.stdout).toMatch(/foreign documents +refused\n/);
    expect(tested.stdout).toMatch(/my-erp \(.*\): \d+ passed, 0 failed, \d+ not applicable\n/);
    expect(tested.code).toBe(0);
  });

  // The one that is left is the skeleton above. Side by side: each is a process that waits more than it computes.
  test('passes the suite as it was begun with every kind, signed or not', async () => {
    const kinds = SKELETON_KINDS.flatMap((kind) => [[kind], [kind, '--signed']]).slice(1);
    const begun = await Promise.all(kinds.map((options) => begin(options)));
    await compile(...begun.map(({ directory }) => directory));
    await Promise.all(begun.map(assertPasses));
  });

  const DECLARED: Readonly<Record<string, RegExp>> = {
    'one-step': /create and post +one step\n[^]*customers and suppliers +no\n/,
    'draft-then-post': /create and post +two steps, drafts possible\n[^]*customers and suppliers +no\n/,
    partners: /create and post +one step\n[^]*customers and suppliers +yes\n/,
  };

  interface Begun {
    readonly kind: string;
    readonly name: string;
    readonly directory: string;
  }

  async function begin([kind = '', ...signed]: readonly string[]): Promise<Begun> {
    const name = `my-${kind}${signed.length > 0 ? '-signed' : ''}`;
    const options = ['--kind', kind, ...signed];
    const directory = join(home, name);
    expect(await cli(home, 'adapter', 'new', name, ...options)).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'README.md'), 'utf8')).toContain(options.join(' '));
    return { kind, name, directory };
  }

  async function assertPasses({ kind, name, directory }: Begun): Promise<void> {
    const tested = await conformance(directory);
    expect(tested.stdout.match(/ ✕ .*\n.*\n/g) ?? [], name).toEqual([]);
    expect(tested.stdout).toMatch(DECLARED[kind]!);
    expect(tested, name).toMatchObject({ code: 0, stderr: '' });
    expect(tested.stdout, name).not.toContain('not shown');
  }

  test('is told which promises it breaks', async () => {
    const broken = copyOf(adapter);
    // An author who takes every refusal for a reason to try again, one page for all, and a wish for a capability.
    edit(broken, 'dist/dispositions.js', 'return unknownYet(', 'return transient(');
    edit(broken, 'dist/adapter.js', 'PAGES_MAX = 10_000', 'PAGES_MAX = 1');
    edit(broken, 'dist/adapter.js', 'attachments: false', 'attachments: true');
    const tested = await conformance(broken);
    expect(tested.code).toBe(3);
    expect(tested.stdout).toContain('✕ takes no 5xx for a refusal of the document');
    expect(tested.stdout).toContain('✕ lists every entry of a period under its key');
    expect(tested.stdout).toContain('✕ attaches the original document to the entry');
  });

  test('goes from green to green while it becomes an adapter of its own', async () => {
    const grown = copyOf(adapter);
    // Step 2: a setting more, which the bed must give as well.
    edit(
      grown,
      'src/config.ts',
      '  deadlineMs,',
      "  journal: z.string().min(1).describe('Where entries go.'),\n  deadlineMs,",
    );
    await compile(grown);
    const unset = await conformance(grown);
    expect(unset.stderr).toMatch(/The bed of my-erp does not work: [^]*"journal"/);
    edit(grown, 'src/conformance.ts', "token: 'env:TOKEN',", "token: 'env:TOKEN',\n        journal: 'SALA',");
    // Step 3: the fake refuses what the ERP would.
    const rule = `if (wanted.lines.some((line) => line.text.length > 40))
      return { status: 422, body: { code: 'text_too_long', message: 'A text has forty characters.' } };`;
    edit(
      grown,
      'src/fake-erp.ts',
      '    const id = String(++this.#made);',
      `    ${rule}\n    const id = String(++this.#made);`,
    );
    await compile(grown);
    const strict = await conformance(grown);
    expect(strict.stdout).toContain('✕ is not led astray by what a customer writes into a text');
    expect(strict.stdout).toContain('A text has forty characters.');
    // Step 5: the translation keeps to it.
    edit(grown, 'src/translate.ts', 'TEXT_LENGTH_MAX = 200', 'TEXT_LENGTH_MAX = 40');
    await compile(grown);
    expect(await conformance(grown)).toMatchObject({ code: 0, stderr: '' });
  });

  test('is used by a tenant that names its package: one króna on trial, then documents, each once', async () => {
    const { FakeErp } = (await import(join(adapter, 'dist/fake-erp.js'))) as {
      FakeErp: new (options: object) => {
        entries: { reference: string; reverses: string | null }[];
        start(): Promise<string>;
        stop(): Promise<void>;
      };
    };
    // Whatever accounts the rules use, these books have them.
    const accounts = Array.from({ length: 9_000 }, (_, index) => String(1_000 + index));
    const company = { number: '4504013150', name: 'Fjörður ehf.' };
    const erp = new FakeErp({ token: 'a-token', company, accounts, closedUntil: '2019-12-31' });
    const baseUrl = await erp.start();
    onTestFinished(() => erp.stop());
    const parent = await packedAndInstalled(adapter);
    const name = 'ledgerbridge-adapter-my-erp';
    const settings = { baseUrl, token: 'env:ERP_TOKEN', company: company.number };
    allowPlugins(name);
    const bed = await bridgeBed({
      accounts: [{ username: 'plugged', invoices: 6, costs: 2, seed: 'plugged' }],
      tenants: [{ name: 'plugged', account: 'plugged', erp: { adapter: name, settings } }],
      env: { ERP_TOKEN: 'a-token' },
      parent,
      confirmPlans: false,
    });
    onTestFinished(() => bed.close());
    const data = join(bed.directory, 'data');
    const given = { ERP_TOKEN: 'a-token', LEDGERBRIDGE_DATA: data, LEDGERBRIDGE_PLUGINS: name };
    const env = { ...process.env, ...given };
    const directory = ['--directory', bed.settings.tenantsDirectory];
    const asked = await cliWith(env, 'adapter', 'try', 'plugged', ...directory);
    expect(asked).toMatchObject({ stderr: expect.stringContaining('Nothing was changed') as string });
    expect(erp.entries).toEqual([]);
    const tried = await cliWith(env, 'adapter', 'try', 'plugged', ...directory, '--yes');
    expect(tried.stdout).toMatch(
      /✓ post: posted as .*\n✓ find: .*\n✓ compare: as it was sent\n✓ reverse: posted as /,
    );
    expect(erp.entries.map(({ reverses }) => reverses !== null)).toEqual([false, true]);
    await bed.bridge.tenants.confirmPlan('plugged', 'test');
    await bed.settled();
    const { acknowledged } = await bed.states('plugged');
    expect(acknowledged).toBeGreaterThan(0);
    const keys = erp.entries.slice(2).map(({ reference }) => reference);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(acknowledged ?? Infinity);
  }, 120_000);

  test('is not written over what is there, and a module without a target is explained', async () => {
    const again = await cli(home, 'adapter', 'new', 'my-erp');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') as string });
    const wrong = await cli(adapter, 'adapter', 'test', './dist/config.js');
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exports no `conformance`') as string,
    });
  });
});
