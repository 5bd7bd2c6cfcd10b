// A tenant's first plan while its ERP cannot be asked: refused alike on the command line, over the API and in the dashboard,
// until somebody says that they begin without.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { run, type World } from '../../unit/cli/run-cli.js';

const NAMES = ['cli', 'api', 'dashboard'] as const;
const REASON = 'the ERP team knows';

describe('confirming a plan while the ERP cannot be asked', () => {
  let bed: Bed;
  let erp: HttpErp;
  let dash: DashboardBed;
  let world: World;
  let token: string;

  beforeAll(async () => {
    erp = await httpErp();
    bed = await bridgeBed({
      accounts: NAMES.map((username) => ({ username, invoices: 1, costs: 0, seed: username })),
      tenants: NAMES.map((name) => ({ name, account: name, erp: erp.erp() })),
      env: erp.env,
      confirmPlans: false,
    });
    await erp.ledger.close();
    dash = servedDashboard(bed.bridge);
    await dash.addUser('gudrun', 'admin');
    const act = { actor: 'test', reason: 'a token for the test' };
    token = (await bed.bridge.operations.createToken({ name: 'of the test', role: 'admin' }, act)).value;
    world = {
      cwd: bed.directory,
      env: {
        ...erp.env,
        USER: 'sigga',
        LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
        LEDGERBRIDGE_DATA: bed.settings.dataDirectory,
        DATABASE_URL: bed.database.url.reveal(),
        SANDBOX_CODE: bed.sandbox.maintCode,
        ...Object.fromEntries(
          bed.sandbox.accounts.map(({ username, apiKey }) => [`KEY_${username}`, apiKey]),
        ),
      },
    };
  });
  afterAll(() => bed.close());

  const isConfirmed = async (name: string) =>
    (await bed.database.prisma.tenant.findUniqueOrThrow({ where: { name } })).planConfirmedAt !== null;
  const audited = async (name: string) =>
    JSON.parse(
      (
        await bed.database.prisma.auditEntry.findFirst({
          where: { chain: name, action: 'tenant.plan-confirmed' },
        })
      )?.details ?? 'null',
    ) as unknown;

  test('with a reason that is too short is refused before the plan is made', async () => {
    const refused = await run(['plan', 'cli', '--confirm', '-r', 'x', '--unchecked', '--yes'], world);
    expect(refused.err).toContain('ACT_WITHOUT_REASON');
    expect(refused.out).toBe('');
    expect(await isConfirmed('cli')).toBe(false);
  });

  test('is refused on the command line, before anybody is asked, and done with --unchecked', async () => {
    const command = ['plan', 'cli', '--confirm', '-r', REASON];
    const refused = await run(command, { ...world, typed: 'y\n' });
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('PLAN_UNCHECKED');
    expect(refused.err).toContain('--unchecked');
    expect(refused.err).not.toContain('Begin?');
    expect(await isConfirmed('cli')).toBe(false);
    const done = await run([...command, '--unchecked', '--yes'], world);
    expect(done.out).toContain('cli is confirmed.');
    expect(await isConfirmed('cli')).toBe(true);
    expect(await audited('cli')).toEqual({ unchecked: true });
  });

  test('is refused over the API with the same code, and done with `unchecked`', async () => {
    const confirm = async (body: object) => {
      const answer = await fetch(`${bed.bridge.http!.url}/api/v1/tenants/api/plan/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ reason: REASON, ...body }),
      });
      return { status: answer.status, body: (await answer.json()) as unknown };
    };
    for (const body of [{}, { unchecked: false }]) {
      const refused = await confirm(body);
      expect(refused).toMatchObject({ status: 409, body: { code: 'PLAN_UNCHECKED' } });
      expect((refused.body as { remedy: string }).remedy).toContain('`unchecked` in the API');
    }
    expect(await isConfirmed('api')).toBe(false);
    expect(await confirm({ unchecked: true })).toEqual({ status: 200, body: { changed: true } });
    expect(await isConfirmed('api')).toBe(true);
    // It posts already: asking again changes nothing, whatever the ERP does.
    expect(await confirm({})).toEqual({ status: 200, body: { changed: false } });
  });

  test('is refused in the dashboard, whose dialog has a box for it in this case only', async () => {
    const cookie = await signIn();
    const read = async (path: string) =>
      (
        await fetch(dash.url + path, { headers: { cookie, accept: 'text/html', 'hx-request': 'true' } })
      ).text();
    const planned = await read('/plan/made?tenant=dashboard');
    const [, link = ''] = /href="(\/plan\/confirm[^"]*)"/.exec(planned) ?? [];
    const dialog = await read(link.replaceAll('&amp;', '&'));
    expect(dialog).toContain('name="unchecked"');
    expect(dialog).not.toContain('name="despiteErrors"');
    const csrf = /name="_csrf" value="([^"]+)"/.exec(dialog)?.[1] ?? '';
    const confirm = (fields: Record<string, string>) =>
      fetch(`${dash.url}/plan/confirm?tenant=dashboard`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, origin: dash.url, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ _csrf: csrf, reason: REASON, ...fields }).toString(),
      });
    const refused = await confirm({});
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('PLAN_UNCHECKED');
    expect(await isConfirmed('dashboard')).toBe(false);
    expect((await confirm({ unchecked: 'yes' })).status).toBe(303);
    expect(await isConfirmed('dashboard')).toBe(true);
  });

  async function signIn(): Promise<string> {
    const answer = await fetch(`${dash.url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: dash.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ login: 'gudrun', password: PASSWORD }).toString(),
    });
    return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  }
});
