// Follows docs/adapters.md with the machine's own hands: begin an adapter in an empty directory, compile it, run the suite.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../../../scripts/bundle.mjs';
import { temporaryDirectory } from '../../support/erp/erp-services.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
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
      rootDir: join(root, 'src'),
      outDir: join(bridge, 'dist'),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [],
    files: [join(root, 'src/erp/adapter-kit.ts')],
  };
  writeFileSync(join(home, 'tsconfig.kit.json'), JSON.stringify(compiler));
  await Promise.all([
    bundleProgram(join(bridge, 'dist')),
    run(process.execPath, [tsc, '-p', join(home, 'tsconfig.kit.json')]),
  ]);
}

function cli(cwd: string, ...args: string[]) {
  const program = join(home, 'node_modules/ledgerbridge/bin/ledgerbridge.js');
  return run(process.execPath, [program, ...args], { cwd }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

describe('an adapter outside the repository', () => {
  beforeAll(async () => {
    await install();
    const begun = await cli(home, 'adapter', 'new', 'my-erp');
    expect(begun.stdout).toContain('src/adapter.ts');
    await run(process.execPath, [tsc], { cwd: adapter });
  }, 240_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('passes the suite as the skeleton was written', async () => {
    const tested = await cli(adapter, 'adapter', 'test', './dist/conformance.js');
    expect(tested.stdout).toMatch(/my-erp \(.*\): \d+ passed, 0 failed, \d+ not applicable/);
    expect(tested.code).toBe(0);
  });

  test('is told which promise it breaks', async () => {
    const path = join(adapter, 'dist/dispositions.js');
    const honest = readFileSync(path, 'utf8');
    try {
      // An author who takes every refusal for a reason to try again.
      writeFileSync(path, honest.replaceAll("outcome: 'unknown'", "outcome: 'transient'"));
      const tested = await cli(adapter, 'adapter', 'test', './dist/conformance.js');
      expect(tested.code).toBe(3);
      expect(tested.stdout).toMatch(/✕ takes no 5xx for a refusal of the document/);
    } finally {
      writeFileSync(path, honest);
    }
  });

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
