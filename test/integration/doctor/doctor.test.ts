import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { DoctorFinding } from '../../../src/cli/doctor/finding.js';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { Secret } from '../../../src/domain/secret.js';
import { createUserAccounts } from '../../../src/operations/users/user-accounts.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import { createTenantStore } from '../../../src/store/tenant-store.js';
import { readRestored } from '../../../src/store/witness.js';
import { tenantFile } from '../../support/bridge-bed.js';
import { testDatabase } from '../../support/database.js';
import { freePort, startRedis } from '../../support/redis.js';
import { emptyDirectory, run } from '../../unit/cli/run-cli.js';

const database = await testDatabase();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ accounts: [{ username: 'holt', invoices: 3, costs: 2, seed: 'doctor' }] });
});
afterAll(async () => {
  await sandbox.close();
  await database.close();
});

interface Report {
  readonly healthy: boolean;
  readonly errors: number;
  readonly findings: readonly DoctorFinding[];
}

async function doctor(cwd: string, env: Record<string, string>, ...more: string[]) {
  const said = await run(['doctor', '--json', ...more], { cwd, env });
  return { code: said.code, ...(JSON.parse(said.out) as Report) };
}

async function workplace(more: Record<string, unknown> = {}): Promise<string> {
  const cwd = await emptyDirectory();
  await mkdir(join(cwd, 'config', 'tenants'), { recursive: true });
  const file = tenantFile(sandbox, { name: 'holt', account: 'holt', erp: { adapter: 'file' }, more });
  await writeFile(join(cwd, 'config', 'tenants', 'holt.yaml'), stringify(file));
  return cwd;
}

function secrets(): Record<string, string> {
  return {
    DATABASE_URL: database.url.reveal(),
    SANDBOX_CODE: sandbox.maintCode,
    KEY_holt: sandbox.accounts[0]!.apiKey,
  };
}

const errorsOf = (findings: readonly DoctorFinding[]) =>
  findings.filter(({ severity }) => severity === 'error').map(({ area, message }) => `${area}: ${message}`);

describe('ledgerbridge doctor', () => {
  it('changes nothing where no bridge has run: it makes no database', async () => {
    const cwd = await workplace();
    const { DATABASE_URL: _, ...env } = secrets();
    const { findings } = await doctor(cwd, env, '--offline');
    expect(findings).toContainEqual(
      expect.objectContaining({
        area: 'database',
        message: expect.stringContaining('no bridge has run here yet') as unknown,
      }),
    );
    expect(await readdir(cwd)).toEqual(['config']);
  });

  it('finds a good installation good, clock and credentials and books included', async () => {
    const { code, healthy, findings } = await doctor(await workplace(), secrets());
    expect(errorsOf(findings)).toEqual([]);
    expect({ code, healthy }).toEqual({ code: 0, healthy: true });
    const messages = findings.map(({ area, message }) => `${area}: ${message}`).join('\n');
    expect(messages).toContain('database: the schema is up to date');
    expect(messages).toContain('redis: not used');
    expect(messages).toContain('tenant holt: source: signed in to');
    expect(messages).toContain('tenant holt: source: the clocks agree');
    expect(messages).toMatch(/tenant holt: erp: the books of .* are open/);
    expect(JSON.stringify(findings)).not.toContain(sandbox.accounts[0]!.apiKey);
  });

  it('shows every fault of a broken set-up at once, each with its fix', async () => {
    const cwd = await workplace();
    await writeFile(join(cwd, 'config', 'tenants', 'torn.yaml'), 'name: [\n');
    const env = {
      ...secrets(),
      DATABASE_URL: `postgresql://u:p@127.0.0.1:${await freePort()}/x`,
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      KEY_holt: 'not the key',
    };
    const { code, findings } = await doctor(cwd, env);
    expect(code).toBe(3);
    const areas = new Set(findings.filter(({ severity }) => severity === 'error').map(({ area }) => area));
    expect(areas).toEqual(new Set(['database', 'redis', 'tenants', 'tenant holt']));
    for (const finding of findings)
      if (finding.severity !== 'ok') expect(finding.remedy, finding.message).toMatch(/\w/);
    expect(JSON.stringify(findings)).not.toContain('not the key');
  });

  it('names a secret that is missing, and what stands in the way when settings cannot be read', async () => {
    const { KEY_holt: _key, ...env } = secrets();
    const { findings, code } = await doctor(await workplace(), env);
    expect(code).toBe(3);
    expect(errorsOf(findings).join()).toContain('env:KEY_holt');
    const broken = await doctor(await workplace(), { LEDGERBRIDGE_PORT: 'x' });
    expect(broken.code).toBe(3);
    expect(errorsOf(broken.findings).join()).toContain('LEDGERBRIDGE_PORT');
  });

  it('warns of a Redis that would drop jobs or forget them', async () => {
    const redis = await startRedis();
    try {
      await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      const env = { ...secrets(), REDIS_URL: redis.url };
      const warnings = async () =>
        (await doctor(await workplace(), env, '--offline')).findings
          .filter(({ area, severity }) => area === 'redis' && severity === 'warning')
          .map(({ message }) => message);
      expect(await warnings()).toEqual([
        expect.stringContaining('allkeys-lru'),
        expect.stringContaining('append-only'),
      ]);
      await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
      await redis.client.config('SET', 'appendonly', 'yes');
      expect(await warnings()).toEqual([]);
    } finally {
      await redis.close();
    }
  });

  it('warns of a role that may do everything in every database', async () => {
    const { findings } = await doctor(await workplace(), secrets());
    const about = findings.filter(({ area }) => area === 'database').map(({ message }) => message);
    expect(about).toContainEqual(expect.stringContaining('The role in DATABASE_URL is a superuser'));
  });

  it('warns of admins whose password alone lets them in, until a second factor is needed', async () => {
    const accounts = createUserAccounts(createUserStore(database), { now: () => new Date() });
    const login = `bara-${randomBytes(4).toString('hex')}`;
    await accounts.create(login, 'admin', new Secret('hross kind naut geit'), 'test');
    const about = async (env: Record<string, string>) => {
      const { findings } = await doctor(await workplace(), { ...secrets(), ...env }, '--offline');
      return findings.filter(({ area }) => area === 'people');
    };
    expect(await about({})).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining(login),
        remedy: expect.stringContaining('=admin'),
      },
    ]);
    const key = randomBytes(32).toString('base64');
    expect(await about({ LEDGERBRIDGE_SECOND_FACTOR: 'admin', LEDGERBRIDGE_KEY: key })).toMatchObject([
      { severity: 'ok' },
    ]);
  });

  it('asks nobody with --offline, and says what to do where there is nothing yet', async () => {
    const { findings, code } = await doctor(
      await emptyDirectory(),
      { DATABASE_URL: database.url.reveal() },
      '--offline',
    );
    expect(findings.some(({ area }) => area.startsWith('tenant '))).toBe(false);
    expect(findings.at(-1)?.area).toBe('tenants');
    expect(JSON.stringify(findings)).toMatch(/tenant init|LEDGERBRIDGE_CONFIG/);
    expect(code).toBe(3);
  });
});

describe('ledgerbridge db restored', () => {
  it('makes every post look first, every sweep a full one, and says so in the audit', async () => {
    const { prisma, db } = database;
    await createTenantStore(db, 'test').register({
      name: 'aftur',
      environment: 'development',
      ledger: 'l',
      rulesVersion: 'v',
      weight: 1,
      postingsPerSecond: 5,
    });
    await prisma.cursor.create({
      data: { tenantName: 'aftur', kind: 'cost', fromDate: '2026-01-01', fullSweepDue: false },
    });
    const before = await readRestored(db);
    const env = { DATABASE_URL: database.url.reveal(), USER: 'anna' };
    const cwd = await emptyDirectory();
    expect((await run(['db', 'restored'], { cwd, env })).code).toBe(2);
    expect((await run(['db', 'restored', '--reason', 'x', '--days', 'y'], { cwd, env })).code).toBe(2);
    const act = ['db', 'restored', '--reason', 'the disk died'];
    const unasked = await run(act, { cwd, env });
    expect(unasked).toMatchObject({ code: 5, out: '' });
    expect(unasked.err).toContain('every post looks into the ERP first');
    expect((await run(act, { cwd, env, typed: 'n\n' })).code).toBe(5);
    expect((await readRestored(db)).epoch).toBe(before.epoch);
    const said = await run([...act, '--yes'], { cwd, env });
    expect(said.code).toBe(0);
    expect(said.out).toContain(`Epoch ${before.epoch + 1}`);
    const { epoch, lookUpFirstUntil, now } = await readRestored(db);
    expect(epoch).toBe(before.epoch + 1);
    expect((lookUpFirstUntil!.getTime() - now.getTime()) / 86_400_000).toBeCloseTo(90, 1);
    expect((await prisma.cursor.findFirst())?.fullSweepDue).toBe(true);
    const audit = await prisma.auditEntry.findFirst({ where: { action: 'bridge.restored' } });
    expect(audit).toMatchObject({ actor: 'anna', reason: 'the disk died', chain: '(bridge)' });
    expect((await run(['doctor', '--offline'], { cwd, env })).out).toContain('was restored from a backup');
  });
});
