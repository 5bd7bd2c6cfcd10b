// `tenant check` against the simulated service and real file books: what a person sees before the first document.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { createGrantStore } from '../../../src/store/grant-store.js';
import type { AgentScope } from '../../../src/service/source-settings.js';
import { tenantFile } from '../../support/bridge-bed.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';
import { signInAtSandbox, tokenKey } from '../../support/invoicing/oauth-tenant.js';
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
  flags: readonly string[] = [],
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
  return run(['tenant', 'check', 'hraun', ...flags], {
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
      expect(out).toMatch(/✓ source: the clocks agree: the service’s clock is \d s (ahead of|behind) ours/);
      expect(out).toMatch(/✓ source: invoices can be listed; \d+ wait to be booked/);
      expect(out).toMatch(/✓ source: costs can be listed; \d+ wait to be booked/);
      expect(out).toContain('✓ erp: the books of hraun are open');
      expect(code).toBe(0);
    },
  );

  it('tells machines the same: account, clock, lists', async () => {
    const { name, registrationNo, username } = sandbox.accounts[0]!;
    const { out } = await check({}, 'credential', '', undefined, ['--json']);
    const waiting = (kind: 'invoice' | 'cost') =>
      sandbox.control.documents(username, { kind, accountingStatus: 'Created', limit: 10_000 }).length;
    const { source } = JSON.parse(out) as { source: { account: { clockSkewMs: number } } };
    expect(source).toMatchObject({
      environment: 'development',
      surface: 'credential',
      account: { name, registrationNo },
      scopes: null,
      lists: [
        { kind: 'invoice', waiting: waiting('invoice') },
        { kind: 'cost', waiting: waiting('cost') },
      ],
    });
    expect(Math.abs(source.account.clockSkewMs)).toBeLessThan(5_000);
  });

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

describe('tenant check of an ERP that hands over', () => {
  async function checkOdoo(hasSales: boolean, hands: readonly string[]) {
    const fake = odooBooks();
    if (!hasSales) fake.records.forget('sale.order');
    const server = await new FakeServer(fake).start();
    onTestFinished(() => server.stop());
    const cwd = await emptyDirectory();
    await mkdir(join(cwd, 'config/tenants'), { recursive: true });
    const [account] = sandbox.accounts;
    const tenant = tenantFile(sandbox, {
      ...{ name: 'hraun', account: account!.username },
      erp: { adapter: 'odoo', settings: odooSettings(server.origin) },
      more: { outgoing: { origins: [{ name: 'odoo', type: 'erp', hands, since: '2026-11-01' }] } },
    });
    await writeFile(join(cwd, 'config/tenants/hraun.yaml'), stringify(tenant));
    const env = { [`KEY_${account!.username}`]: account!.apiKey, SANDBOX_CODE: sandbox.maintCode, ODOO_KEY };
    return run(['tenant', 'check', 'hraun'], { cwd, env: { ...env, LEDGERBRIDGE_DATA: join(cwd, 'data') } });
  }

  it('names the module that orders and quotes are in, where the ERP does not have it', async () => {
    const { code, out } = await checkOdoo(false, ['orders', 'quotes']);
    expect(out).toContain('✕ erp: Odoo has no module sale, which `hands: [orders, quotes]` needs.');
    expect(code).toBe(3);
    expect((await checkOdoo(true, ['orders', 'quotes'])).out).not.toContain('has no module');
    expect((await checkOdoo(false, ['customers', 'invoices'])).out).not.toContain('has no module');
  });
});

describe('tenant check of a tenant that signed in by OAuth', () => {
  const key = tokenKey();
  let service: Sandbox;
  let database: TestDatabase;
  beforeAll(async () => {
    service = await startSandbox({ accounts: [{ invoices: 3, costs: 3 }] });
    database = await testDatabase();
  });
  afterAll(async () => {
    await service.close();
    await database.close();
  });

  async function checkGranted(scopes: readonly AgentScope[], more: readonly string[] = []) {
    const { auth } = await signInAtSandbox(service, createGrantStore(database.db), { scopes, key });
    const cwd = await emptyDirectory();
    await mkdir(join(cwd, 'config/tenants'), { recursive: true });
    const lines = [
      'name: acme',
      'title: Acme ehf.',
      'source:',
      '  environment: production',
      `  baseUrl: ${service.url}`,
      `  registrationNo: '${service.accounts[0]!.registrationNo}'`,
      '  auth:',
      '    type: oauth',
      `    clientId: ${auth.clientId}`,
      `    redirectUri: ${auth.redirectUri}`,
      `    scopes: [${scopes.join(', ')}]`,
      'erp:',
      '  adapter: file',
      ...more,
    ];
    await writeFile(join(cwd, 'config/tenants/acme.yaml'), `${lines.join('\n')}\n`);
    const env = { LEDGERBRIDGE_KEY: key.reveal(), DATABASE_URL: database.url.reveal() };
    const checked = (...flags: string[]) => run(['tenant', 'check', 'acme', ...flags], { cwd, env });
    return { checked, ...(await checked()) };
  }

  it('names the account, the scopes, the clock and the lists', async () => {
    const { checked, code, out } = await checkGranted(['nav', 'cost', 'dashboard_data']);
    const { name, registrationNo } = service.accounts[0]!;
    expect(out).toContain('✓ source: the grant allows nav, cost, dashboard_data');
    expect(out).toContain(`✓ source: signed in to ${name} (${registrationNo})`);
    expect(out).toContain('✓ source: the clocks agree');
    expect(out).toMatch(/✓ source: invoices can be listed.*✓ source: costs can be listed/s);
    expect(out).not.toMatch(/[▲✕]/);
    expect(code).toBe(0);
    const { source } = JSON.parse((await checked('--json')).out) as { source: unknown };
    expect(source).toMatchObject({ surface: 'agent', scopes: ['nav', 'cost', 'dashboard_data'] });
  });

  it('wants more scopes of a tenant who sends invoices too, and takes them for needless with others', async () => {
    const outgoing = [
      'outgoing:',
      '  origins:',
      '    - name: orders',
      '      type: folder',
      '      directory: ../orders',
    ];
    const lacking = await checkGranted(['nav', 'cost'], outgoing);
    expect(lacking.out).toContain(
      '✕ source: the grant allows nav, cost, and lacks create_invoice, manage_customers',
    );
    const granted: AgentScope[] = ['nav', 'cost', 'create_invoice', 'manage_customers'];
    expect((await checkGranted(granted, outgoing)).out).not.toContain('allows more than');
    expect((await checkGranted(granted)).out).toContain('allows more than the bridge uses: create_invoice');
  });

  it('wants the scopes of exactly the kinds that a tenant sends', async () => {
    const outgoing = [
      'outgoing:',
      '  origins:',
      '    - { name: plans, type: folder, directory: ../plans, kinds: [subscription] }',
      '    - { name: receipts, type: receipts, directory: ../receipts }',
    ];
    const lacking = await checkGranted(['nav', 'cost', 'create_invoice', 'task'], outgoing);
    expect(lacking.out).toContain('and lacks recurring, manage_customers');
    expect(lacking.out).toContain('allows more than the bridge uses: create_invoice, task');
    const granted = await checkGranted(['nav', 'cost', 'recurring', 'manage_customers'], outgoing);
    expect(granted.out).not.toMatch(/lacks|allows more than/);
  });

  it('says which scope is missing and which list does not work for it', async () => {
    const { code, out } = await checkGranted(['nav', 'task']);
    expect(out).toContain('✕ source: the grant allows nav, task, and lacks cost');
    expect(out).toContain('▲ source: the grant allows more than the bridge uses: task');
    expect(out).toContain('✓ source: invoices can be listed');
    expect(out).not.toContain('costs can be listed');
    expect(out).toMatch(/✕ source: count-costs .*\(SOURCE_FORBIDDEN\)/);
    expect(code).toBe(3);
  });
});
