// The program as it is shipped, in one bundle: what a library hands over there is not always what it hands over in a test.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../../../scripts/bundle.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'bundled-'));
const bridge = join(home, 'ledgerbridge');
const place = join(home, 'place');

beforeAll(async () => {
  mkdirSync(bridge);
  mkdirSync(place);
  for (const name of ['package.json', 'bin', 'config', 'prisma'])
    cpSync(join(root, name), join(bridge, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(bridge, 'node_modules'));
  await bundleProgram(join(bridge, 'dist'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function cli(...args: string[]): Promise<string> {
  const program = join(bridge, 'bin/ledgerbridge.js');
  return (await promisify(execFile)(process.execPath, [program, ...args], { cwd: place })).stdout;
}

test('the bundled program shows a tenant as YAML, and its rules', async () => {
  const facts = ['--registration-no', '5402696029', '--base-url', 'https://invoicing.example'];
  await cli('tenant', 'init', 'hraun', '--title', 'Hraun slf.', ...facts);
  expect(await cli('tenant', 'show', 'hraun')).toMatch(/^name: hraun\ntitle: Hraun slf\.\n/);
  expect(await cli('tenant', 'show', 'hraun', '--rules')).toContain('effective:');
});
