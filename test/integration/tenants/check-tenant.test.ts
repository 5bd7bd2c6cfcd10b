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

async function check(
  env: Record<string, string>,
  surface: 'credential' | 'agent' = 'credential',
  more = '',
  auth?: string,
) {
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
    ${auth ?? `type: credentials\n    username: ${account.username}\n    apiKey: env:KEY\n    surface: ${surface}\n`}erp:
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

  it('asks for the key of the grants, then for consent, when the tenant signs in by OAuth', async () => {
    const oauth = `type: oauth\n    clientId: abc\n    redirectUri: https://bridge.example/back\n`;
    const withoutKey = await check({}, 'agent', '', oauth);
    expect(withoutKey.out).toContain('LEDGERBRIDGE_KEY is not set');
    const key = Buffer.alloc(32, 7).toString('base64');
    const withoutGrant = await check({ LEDGERBRIDGE_KEY: key }, 'agent', '', oauth);
    expect(withoutGrant.out).toContain('(SOURCE_NEEDS_CONSENT)');
    expect([withoutKey.code, withoutGrant.code]).toEqual([3, 3]);
    expect(withoutGrant.out).not.toContain(key);
  });

  it('refuses another account than the file names', async () => {
    const { code, out } = await check({}, 'credential', "  registrationNo: '4101016789'\n");
    expect(code).toBe(3);
    expect(out).toContain('SOURCE_WRONG_ACCOUNT');
  });
});
