// The program as it is shipped, in one bundle: what a library hands over there is not always what it hands over in a test.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../../../scripts/bundle.mjs';
import { bridgeBed } from '../../support/bridge-bed.js';

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

test('the bundled bridge posts with traces switched on, and sends them', async () => {
  const paths: (string | undefined)[] = [];
  const receiver = createServer((request, response) => {
    paths.push(request.url);
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 2, costs: 0, seed: 'bundled' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    processes: true,
  });
  const child = spawn(process.execPath, [join(bridge, 'bin/ledgerbridge.js'), 'serve'], {
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
}, 90_000);
