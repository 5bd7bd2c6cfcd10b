// A whole bridge between a service and an ERP that repeat every secret in their error messages. What it leaves behind is
// searched for the secrets themselves: every table, every key of the queues, every line of the log, whatever commands say.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { type Bridge, startBridge } from '../../../src/bridge/start-bridge.js';
import { createLog } from '../../../src/telemetry/log.js';
import { type Bed, bridgeBed, tenantFile } from '../../support/bridge-bed.js';
import { httpErp, type HttpErp } from '../../support/http-erp.js';
import { consentAsAPerson } from '../../support/invoicing/consent.js';
import { everyRow, everyRedisValue } from '../../support/invoicing/everything-stored.js';
import { GOSSIP, startTalkativeProxy, type TalkativeProxy } from '../../support/invoicing/talkative-proxy.js';
import { startRedis, type TestRedis } from '../../support/redis.js';
import { has } from '../../support/services.js';
import { fakeIo, run as runCli } from '../../unit/cli/run-cli.js';

const API_KEY = 'canary/api+key=5d1c';
const MAINT_CODE = 'canary-maint-code-77';
const ERP_SECRET = 'canary-erp-secret-that-is-long-enough';
const TOKEN_KEY = Buffer.alloc(32, 'canary-key').toString('base64');
const BASIC = Buffer.from(`hraun:${API_KEY}`).toString('base64');
const PLANTED = [API_KEY, MAINT_CODE, ERP_SECRET, TOKEN_KEY, BASIC];
const REDIRECT = 'https://bridge.example.is/callback';

let bed: Bed;
let bridge: Bridge | null = null;
let erp: HttpErp;
let redis: TestRedis | null = null;
let service: TalkativeProxy;
let books: TalkativeProxy;
let env: Record<string, string>;
const logged: string[] = [];
const said: string[] = [];
let refusedUpdates = 0;

async function run(...argv: string[]): Promise<string> {
  const { out, err } = await runCli(argv, { cwd: bed.directory, env });
  said.push(out, err);
  return out;
}

async function writeTenant(name: string, auth: object, ledger: object): Promise<void> {
  const source = { environment: 'development', baseUrl: service.url, maintenanceCode: 'env:MAINT', auth };
  const file = tenantFile(bed.sandbox, { name, account: 'hraun', erp: { ...ledger }, more: { source } });
  await writeFile(join(bed.directory, 'config/tenants', `${name}.yaml`), stringify(file));
}

async function signIn(): Promise<void> {
  const { io, said: heard } = fakeIo({ cwd: bed.directory, env });
  const { runCommand } = await import('../../../src/cli/main.js');
  const running = runCommand(['auth', 'login', 'leyfi'], io);
  await vi.waitFor(() => expect(heard().err).toContain('/start'), 10_000);
  const origin = /Open (http:\/\/127\.0\.0\.1:\d+)\/start/.exec(heard().err)![1]!;
  const start = await fetch(`${origin}/start`, { redirect: 'manual' });
  const authorize = new URL(start.headers.get('location')!);
  const callback = new URL(await consentAsAPerson(authorize, bed.sandbox.accounts[0]!));
  await fetch(`${origin}/callback${callback.search}`);
  await running;
  said.push(heard().out, heard().err);
}

beforeAll(async () => {
  redis = has('redis-server') ? await startRedis() : null;
  erp = await httpErp({ secret: ERP_SECRET });
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', apiKey: API_KEY, invoices: 4, costs: 4, seed: 'canaries' }],
    sandbox: { environment: 'development', maintCode: MAINT_CODE, choices: { maintenanceOnConsent: true } },
    tenants: [],
    processes: true,
    ...(redis && { redisUrl: redis.url }),
  });
  service = await startTalkativeProxy(bed.sandbox.url, PLANTED);
  books = await startTalkativeProxy(erp.ledger.url, PLANTED);
  env = {
    HRAUN_KEY: API_KEY,
    MAINT: MAINT_CODE,
    LEDGER_SECRET: ERP_SECRET,
    LEDGERBRIDGE_KEY: TOKEN_KEY,
    LEDGERBRIDGE_LOG_LEVEL: 'debug',
    DATABASE_URL: bed.database.url.reveal(),
  };
  await writeTenants();
  await signIn();
  misbehave();
  const log = createLog({
    level: 'trace',
    format: 'json',
    isTty: false,
    destination: { write: (line) => void logged.push(line) },
  });
  const settings = { ...bed.settings, key: new Secret(TOKEN_KEY) };
  bridge = await startBridge({ settings, env, role: 'all', version: 'test', log });
  for (const name of bridge.connections.names()) await bridge.tenants.confirmPlan(name, 'test');
});

async function writeTenants(): Promise<void> {
  const key = { type: 'credentials', username: 'hraun', apiKey: 'env:HRAUN_KEY' };
  await writeTenant('lykill', key, erp.erp({ baseUrl: books.url }));
  await writeTenant('lokad', { ...key, surface: 'agent' }, { adapter: 'file' });
  await writeTenant('leyfi', key, { adapter: 'file' });
  const registered = await run('auth', 'register', 'leyfi', '--redirect-uri', REDIRECT, '--json');
  const { clientId } = JSON.parse(registered) as { clientId: string };
  const oauth = { type: 'oauth', clientId, redirectUri: REDIRECT, scopes: ['nav', 'cost', 'dashboard_data'] };
  await writeTenant('leyfi', oauth, { adapter: 'file' });
}

/** The ERP refuses every entry; the service refuses one tenant, calls a token expired once, and takes no status back. */
function misbehave(): void {
  let expired = false;
  service.interrupt = ({ path, method, headers }, message) => {
    const isBearer = headers.authorization?.startsWith('Bearer') === true;
    if (isBearer && !expired) {
      expired = true;
      return { status: 401, body: { error: 'token_expired', message } };
    }
    const isAgent = path.startsWith('/api/v1/agent/');
    if (isAgent && !isBearer) return { status: 403, body: { error: true, message, code: 403 } };
    if (method === 'PUT') refusedUpdates += 1;
    if (method === 'PUT') return { status: 400, body: { status: false, message, error_code: message } };
    if (path.endsWith('/get-items')) {
      const next_url = `${service.url}${path}?username=hraun&api_key=${encodeURIComponent(API_KEY)}&page=2`;
      return { status: 200, body: { status: true, message, result: [], next_url } };
    }
    return null;
  };
  books.interrupt = ({ method }, message) =>
    method === 'POST' ? { status: 422, body: { error: { code: 'invalid', message } } } : null;
}

afterAll(async () => {
  await bridge?.close();
  await bed.close();
  await service.close();
  await books.close();
  await erp.ledger.close();
  await redis?.close();
});

/** The secrets, in every form in which they were sent. */
function canaries(): string[] {
  const values = [...PLANTED, ...service.overheard];
  return [...new Set(values.flatMap((value) => [value, encodeURIComponent(value)]))];
}

function found(text: string): string[] {
  const hex = (canary: string) => Buffer.from(canary).toString('hex');
  return canaries().filter((canary) => text.includes(canary) || text.includes(hex(canary)));
}

describe('a bridge between parties that repeat every secret they hear', () => {
  it('has met them: what they said is on record for each tenant', async () => {
    const { prisma } = bed.database;
    const told = { contains: GOSSIP };
    const soon = { timeout: 30_000 };
    const refusedEntries = () => prisma.attempt.count({ where: { message: told } });
    await expect.poll(refusedEntries, soon).toBeGreaterThan(0);
    const refusedTenants = () => prisma.breaker.count({ where: { tenantName: 'lokad', reason: told } });
    await expect.poll(refusedTenants, soon).toBe(1);
    // A client secret, and two pairs of tokens: of the sign-in, and of the refresh.
    await expect.poll(() => service.overheard.size, soon).toBe(5);
    await expect.poll(() => refusedUpdates, soon).toBeGreaterThan(0);
  });

  it('has none of them in any column of any table', async () => {
    const rows = await everyRow(bed.database.url.reveal());
    expect(rows).toContain('v1.');
    expect(found(rows)).toEqual([]);
  });

  it.runIf(has('redis-server'))('has none of them in the queues', async () => {
    const values = await everyRedisValue(redis!.client);
    expect(values).toMatch(new RegExp(`"failedReason":"[^"]*${GOSSIP}`));
    expect(found(values)).toEqual([]);
  });

  it('has none of them in its log, however much it logs', () => {
    const lines = logged.join('\n');
    expect(lines).toContain('tokens refreshed');
    expect(lines).toContain('called the invoicing service');
    expect(found(lines)).toEqual([]);
  });

  it('has commands that say none of them', async () => {
    const { prisma } = bed.database;
    const { document } = await prisma.posting.findFirstOrThrow({
      where: { tenantName: 'lykill', attempts: { some: {} } },
      include: { document: true },
    });
    expect(await run('explain', document.guid, '-t', 'lykill', '--json')).toContain(GOSSIP);
    expect(await run('api', 'lykill', 'get-items', '--json')).toContain('next_url');
    expect(await run('tenant', 'check', 'lokad')).toContain(GOSSIP);
    await run('tenant', 'check', 'leyfi', '--json');
    await run('problems');
    await run('status');
    await run('auth', 'status', '--json');
    expect(found(said.join('\n'))).toEqual([]);
  });
});
