// A tenant file that somebody breaks while the bridge runs: the tenant works on, and whoever looks, wherever, is told the same of it.
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Overview } from '../../../src/operations/views/overview.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';
import { run } from '../../unit/cli/run-cli.js';

let bed: Bed;
let dash: DashboardBed;
let cookie: string;
const WITHIN = { timeout: 20_000, interval: 200 };
const spec = { name: 'hraun', account: 'hraun', erp: { adapter: 'file' } };
const file = () => join(bed.settings.tenantsDirectory, 'hraun.yaml');

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 2, costs: 0, seed: 'broken', difficulty: 'tidy' }],
    tenants: [spec],
    bridge: { lookMs: 300 },
  });
  await bed.bridge.tenants.requestSweep('hraun');
  await bed.settled();
  dash = servedDashboard(bed.bridge);
  await dash.addUser('anna', 'viewer');
  const answer = await dash.app.inject({
    ...{ method: 'POST', url: '/login' },
    headers: {
      ...{ origin: dash.url, host: new URL(dash.url).host },
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ login: 'anna', password: PASSWORD }).toString(),
  });
  cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
});
afterAll(() => bed.close());

const page = async (url: string, language = 'en') => {
  const headers = { cookie, 'accept-language': language };
  return (await dash.app.inject({ method: 'GET', url, headers })).body;
};
async function command(...argv: string[]) {
  const { settings, env, directory } = bed;
  const { code, out } = await run(argv, {
    cwd: directory,
    env: {
      ...env,
      LEDGERBRIDGE_CONFIG: settings.configDirectory,
      LEDGERBRIDGE_DATA: settings.dataDirectory,
      DATABASE_URL: bed.database.url.reveal(),
    },
  });
  return { code, out };
}
/** Of another process, as `status --json` has it. */
const fromOutside = async () => JSON.parse((await command('status', '--json')).out) as Overview;

test('it works on with the version that was valid, and every surface says so, with the line and when that was written', async () => {
  // Tried again, the file is broken already.
  await bed.writeTenant(spec);
  const written = new Date('2026-03-02T10:14:00.000Z');
  await utimes(file(), written, written);
  await bed.restart();
  dash = servedDashboard(bed.bridge);
  const good = await readFile(file(), 'utf8');
  await writeFile(file(), `${good}titel: a slip of the pen\n`);
  const line = good.split('\n').length;
  const sentence = `Its file is broken at hraun.yaml:${String(line)}; it runs on the version of 02.03.2026 10:14 GMT.`;
  const said = `is broken at hraun.yaml:${String(line)}; the bridge runs on the version of 02.03.2026 10:14 GMT`;

  const inside = () => bed.bridge.operations.overview();
  await vi.waitFor(async () => expect((await inside()).tenants[0]?.sentence).toBe(sentence), WITHIN);
  // A bridge that has no processor for two seconds does not count as running.
  const outside = await vi.waitFor(async () => {
    const found = await fromOutside();
    expect(found.tenants).toMatchObject([{ name: 'hraun', health: 'needs-you', sentence }]);
    return found;
  }, WITHIN);
  for (const { conditions } of [await inside(), outside]) {
    const told = conditions.map(({ code, severity, subject }) => [code, severity, subject]);
    expect(told).toEqual([['INCIDENT_OPEN', 'critical', 'TENANT_FILE_BROKEN']]);
  }
  expect(outside.conditions[0]?.details).toContain('titel');
  const status = await command('status', '--check');
  expect([status.code, status.out]).toEqual([3, expect.stringContaining(`! The file of hraun ${said}`)]);
  await vi.waitFor(async () => expect((await command('problems')).out).toContain(said), WITHIN);
  await vi.waitFor(async () => expect(await page('/')).toContain(said), WITHIN);
  expect(await page('/problems')).toContain(said);
  expect(await page('/tenants/hraun')).toContain(sentence);
  expect(await page('/', 'is')).toContain(`gölluð í hraun.yaml:${String(line)}`);

  bed.sandbox.control.issueInvoice('hraun', { unitPrice: '1000' });
  await bed.bridge.tenants.requestSweep('hraun');
  await vi.waitFor(async () => expect((await bed.states())['acknowledged']).toBe(3), WITHIN);
});

test('nobody can call it settled while it is broken, and it is over when the file is mended', async () => {
  const { operations } = bed.bridge;
  const open = async () => (await operations.incidents()).items.map(({ code }) => code);
  const [incident] = (await operations.incidents()).items;
  await operations.resolveIncident(incident!.id, { actor: 'anna', reason: 'no matter' });
  await vi.waitFor(async () => expect(await open()).toEqual(['TENANT_FILE_BROKEN']), WITHIN);
  await bed.writeTenant(spec);
  await vi.waitFor(async () => expect(await open()).toEqual([]), WITHIN);
  expect((await command('status', '--check')).code).toBe(0);
});

test('when no bridge runs, nobody is told that one works on', async () => {
  await writeFile(file(), `${await readFile(file(), 'utf8')}titel: a slip of the pen\n`);
  const health = async () => (await fromOutside()).tenants[0]?.health;
  await vi.waitFor(async () => expect(await health()).toBe('needs-you'), WITHIN);
  await bed.bridge.close();
  await vi.waitFor(async () => expect(await health()).toBe('down'), WITHIN);
  const { conditions } = await fromOutside();
  expect(conditions.map(({ code }) => code)).toEqual(['BRIDGE_NOT_RUNNING', 'TENANT_FILE_GONE']);
  expect((await command('problems')).out).toContain('no bridge is running');
});
