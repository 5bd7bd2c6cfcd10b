// Entries that are gone from the ERP: a critical incident that nobody has settled is red wherever somebody looks, and nobody is told that all is well.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { problem } from '../../../src/operations/views/problem.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';
import { run } from '../../unit/cli/run-cli.js';

describe('a critical incident that is open', () => {
  let bed: Bed;
  let dash: DashboardBed;
  let cookie: string;
  const act = { actor: 'anna', reason: 'a test' };
  const PERIOD = { from: '2020-01-01', to: '2030-12-31' };

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 6, costs: 0, seed: 'tidy', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    });
    await bed.bridge.tenants.requestSweep('hraun');
    await bed.settled();
    dash = servedDashboard(bed.bridge);
    await dash.addUser('anna', 'operator');
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

  const page = async (url: string) =>
    (await dash.app.inject({ method: 'GET', url, headers: { cookie } })).body;
  const command = (...argv: string[]) => {
    const { settings, env, directory } = bed;
    const world = {
      LEDGERBRIDGE_CONFIG: settings.configDirectory,
      LEDGERBRIDGE_DATA: settings.dataDirectory,
      DATABASE_URL: bed.database.url.reveal(),
    };
    return run(argv, { cwd: directory, env: { ...env, ...world } });
  };

  test('is not there while the books agree: the first page is green and a monitor hears nothing', async () => {
    await bed.bridge.operations.reconcile('hraun', PERIOD);
    expect((await bed.bridge.operations.overview()).conditions).toEqual([]);
    expect((await command('status', '--check')).code).toBe(0);
    expect(await page('/')).toContain('Nothing needs you.');
  });

  test('is red on the first page, first among the problems, and fails a monitor, until it is resolved', async () => {
    const books = join(bed.settings.dataDirectory, 'tenants', 'hraun', 'books');
    for (const file of await readdir(books))
      if (file.endsWith('.jsonl')) await writeFile(join(books, file), '');
    await bed.bridge.operations.reconcile('hraun', PERIOD);
    const { operations } = bed.bridge;
    const [incident] = (await operations.incidents()).items;
    expect(incident).toMatchObject({ code: 'RECONCILIATION_DIFFERS', severity: 'critical' });

    // What the dashboard has at hand may be some seconds old.
    await vi.waitFor(async () => expect(await page('/')).toContain(incident!.title), { timeout: 15_000 });
    expect(await page('/')).not.toContain('Nothing needs you.');
    const [row] = await operations.problems();
    expect(problem.parse(row)).toEqual(row);
    expect(row).toMatchObject({ severity: 'critical', incidentId: incident!.id, sentence: incident!.title });
    expect(await page('/problems')).toContain(incident!.title);
    const status = await command('status', '--check');
    expect([status.code, status.out]).toEqual([3, expect.stringContaining(`! ${incident!.title}`)]);
    const problems = await command('problems');
    expect([problems.code, problems.out]).toEqual([3, expect.stringContaining('RECONCILIATION_DIFFERS')]);

    await operations.acknowledgeIncident(incident!.id, act);
    expect((await command('status', '--check', '-t', 'hraun')).code).toBe(3);
    await operations.resolveIncident(incident!.id, act);
    expect((await command('status', '--check')).code).toBe(0);
    expect(await operations.problems()).toEqual([]);
  });
});
