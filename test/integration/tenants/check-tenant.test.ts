// `tenant check` against the simulated service and real file books: what a person sees before the first document.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start-sandbox.js';
import { emptyDirectory, run } from '../../unit/cli/run-cli.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ environment: 'development', accounts: [{}] });
});
afterAll(() => sandbox.close());

async function check(env: Record<string, string>, surface: 'credential' | 'agent' = 'credential', more = '') {
  const cwd = await emptyDirectory();
  const account = sandbox.accounts[0]!;
  await mkdir(join(cwd, 'config/tenants'), { recursive: true });
  await writeFile(
    join(cwd, 'config/tenants/hraun.yaml'),
    `name: hraun
title: Hraun slf.
source:
  environment: development
  baseUrl: ${sandbox.url}
  maintenanceCode: env:MAINT
${more}  auth:
    type: credentials
    username: ${account.username}
    apiKey: env:KEY
    surface: ${surface}
erp:
  adapter: file
`,
  );
  return run(['tenant', 'check', 'hraun'], {
    cwd,
    env: { KEY: account.apiKey, MAINT: sandbox.maintCode, LEDGERBRIDGE_DATA: join(cwd, 'data'), ...env },
  });
}

describe('tenant check', () => {
  it.each(['credential', 'agent'] as const)(
    'signs in on the %s surface and looks at the books',
    async (surface) => {
      const account = sandbox.accounts[0]!;
      const { code, out } = await check({}, surface);
      expect(out).toContain(`✓ source: signed in to ${account.name} (${account.registrationNo})`);
      expect(out).toContain('✓ erp: the books of hraun are open');
      expect(code).toBe(0);
    },
  );

  it('says that the key is wrong, and keeps it to itself', async () => {
    const { code, out } = await check({ KEY: 'c4n4ry-wrong-key' });
    expect(code).toBe(3);
    expect(out).toMatch(/✕ source: .*\(SOURCE_CREDENTIALS_REFUSED\)\n {4}→ /);
    expect(out).not.toContain('c4n4ry');
  });

  it('points at the maintenance code when development does not let it in', async () => {
    const { code, out } = await check({ MAINT: 'c4n4ry-wrong-code' });
    expect(code).toBe(3);
    expect(out).toMatch(/✕ source: .*\n {4}→ .*maintenance code/s);
    expect(out).not.toContain('c4n4ry');
  });

  it('refuses another account than the file names', async () => {
    const { code, out } = await check({}, 'credential', "  registrationNo: '4101016789'\n");
    expect(code).toBe(3);
    expect(out).toContain('SOURCE_WRONG_ACCOUNT');
  });
});
