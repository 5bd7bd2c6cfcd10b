// What the doctor says about whom the bridge trusts.
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkTrust } from '../../../src/cli/doctor/check-trust.js';
import { readBridgeSettings } from '../../../src/tenants/bridge-settings.js';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-trust-'));
  await mkdir(join(directory, 'tenants'), { mode: 0o755 });
  await writeFile(join(directory, 'tenants/hraun.yaml'), '', { mode: 0o644 });
});
afterAll(() => rm(directory, { recursive: true }));

const warnings = async (env: Record<string, string> = {}) => {
  const settings = readBridgeSettings({ LEDGERBRIDGE_CONFIG: directory, ...env }, '/');
  const found = await checkTrust(settings);
  return found.filter(({ severity }) => severity !== 'ok').map(({ message }) => message);
};

it('warns of tenant files and directories that other users of the machine can write', async () => {
  expect(await warnings()).toEqual([]);
  await chmod(join(directory, 'tenants/hraun.yaml'), 0o664);
  await chmod(join(directory, 'tenants'), 0o777);
  expect(await warnings()).toEqual([
    `Other users of this machine can write ${directory}/tenants, ${directory}/tenants/hraun.yaml.`,
  ]);
  await chmod(join(directory, 'tenants/hraun.yaml'), 0o600);
  await chmod(join(directory, 'tenants'), 0o755);
});

it('warns of a dashboard that listens to the network without https', async () => {
  const open = { LEDGERBRIDGE_HOST: '0.0.0.0' };
  expect(await warnings(open)).toEqual([expect.stringContaining('in the clear')]);
  expect(await warnings({ ...open, LEDGERBRIDGE_PUBLIC_URL: 'http://bridge.example' })).toHaveLength(1);
  expect(await warnings({ ...open, LEDGERBRIDGE_PUBLIC_URL: 'https://bridge.example' })).toEqual([]);
});
