// What confirming a plan sets going is said before, in figures, and one rule decides on every surface whether it is confirmed.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { run, type World } from '../../unit/cli/run-cli.js';

const NAMES = ['wrong', 'eyes', 'short', 'mixed'] as const;
const ACT = { actor: 'sigga', reason: 'the first plan' };
const by = (login: string) => ({
  actor: login,
  identity: `login:${login}` as const,
  reason: `because of ${login}`,
});
const chart = (accounts: readonly string[]) => ({ adapter: 'file', settings: { accounts } });
let bed: Bed;
let others: HttpErp;
let dash: DashboardBed;
let token: string;
let world: World;

beforeAll(async () => {
  others = await httpErp({ registrationNo: '650101-2030' });
  bed = await bridgeBed({
    accounts: NAMES.map((username) =>
      username === 'mixed'
        ? { username, invoices: 60, costs: 60, seed: username, difficulty: 'troubled' as const }
        : { username, invoices: 8, costs: 0, seed: username },
    ),
    tenants: [
      { name: 'wrong', account: 'wrong', erp: others.erp() },
      { name: 'eyes', account: 'eyes', erp: others.erp(), more: { fourEyes: ['plan'] } },
      { name: 'short', account: 'short', erp: chart(['0000']) },
      { name: 'mixed', account: 'mixed', erp: { adapter: 'file' } },
    ],
    env: others.env,
    confirmPlans: false,
  });
  const { operations } = bed.bridge;
  for (const name of NAMES) await bed.bridge.tenants.requestSweep(name);
  for (const name of NAMES)
    await vi.waitUntil(async () => (await operations.plan(name)).examined > (name === 'mixed' ? 75 : 7), {
      timeout: 60_000,
      interval: 250,
    });
  dash = servedDashboard(bed.bridge);
  await dash.addUser('gudrun', 'admin');
  token = (await operations.createToken({ name: 'of the test', role: 'admin' }, ACT)).value;
  const keys = bed.sandbox.accounts.map(({ username, apiKey }) => [`KEY_${username}`, apiKey]);
  world = {
    cwd: bed.directory,
    env: {
      ...{ ...others.env, USER: 'sigga', LEDGERBRIDGE_CONFIG: bed.settings.configDirectory },
      ...{ LEDGERBRIDGE_DATA: bed.settings.dataDirectory, DATABASE_URL: bed.database.url.reveal() },
      ...{ SANDBOX_CODE: bed.sandbox.maintCode, ...Object.fromEntries(keys) },
    },
  };
});
afterAll(async () => {
  await bed.close();
  await others.ledger.close();
});

const isConfirmed = async (name: string) =>
  (await bed.database.prisma.tenant.findUniqueOrThrow({ where: { name } })).planConfirmedAt !== null;

async function confirmOverApi(name: string, body: object) {
  const answer = await fetch(`${bed.bridge.http!.url}/api/v1/tenants/${name}/plan/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: ACT.reason, ...body }),
  });
  return { status: answer.status, body: (await answer.json()) as { code?: string; changed?: boolean } };
}

test('`unchecked` is for an ERP that does not answer: one that keeps the books of another company refuses all the same', async () => {
  const { operations } = bed.bridge;
  await expect(operations.confirmPlan('wrong', ACT, { unchecked: true })).rejects.toMatchObject({
    code: 'PLAN_OTHER_COMPANY',
  });
  expect(await confirmOverApi('wrong', { unchecked: true })).toMatchObject({
    status: 409,
    body: { code: 'PLAN_OTHER_COMPANY' },
  });
  expect(await isConfirmed('wrong')).toBe(false);
});

test('of two people who confirm books of another company, the second agrees to exactly that', async () => {
  const { operations } = bed.bridge;
  const asks = { code: 'SECOND_PERSON_NEEDED' };
  const meant = { otherCompany: true, despiteErrors: true };
  await expect(operations.confirmPlan('eyes', by('gudrun'), meant)).rejects.toMatchObject(asks);
  await expect(operations.confirmPlan('eyes', by('sigga'))).rejects.toMatchObject({
    code: 'PLAN_OTHER_COMPANY',
  });
  const [waiting] = await operations.approvals('eyes');
  await operations.agree(waiting!.id, by('sigga'));
  expect(await isConfirmed('eyes')).toBe(true);
  const confirmed = await bed.database.prisma.auditEntry.findFirst({
    where: { chain: 'eyes', action: 'tenant.plan-confirmed' },
  });
  expect(JSON.parse(confirmed!.details!)).toMatchObject({ otherCompany: true });
});

test('a plan with errors is refused over the API, in the dashboard and on the command line by one rule', async () => {
  expect(await confirmOverApi('short', {})).toMatchObject({ status: 409, body: { code: 'PLAN_HAS_ERRORS' } });
  const inDashboard = await confirmInDashboard('short', {});
  expect(inDashboard.status).toBe(409);
  expect(await inDashboard.text()).toContain('PLAN_HAS_ERRORS');
  const typed = await run(['plan', 'short', '--confirm', '-r', ACT.reason, '--yes'], world);
  expect(typed).toMatchObject({ code: 3 });
  expect(typed.err).toContain('PLAN_HAS_ERRORS');
  expect(await isConfirmed('short')).toBe(false);
  expect(await dialogOf('short')).toContain('name="despiteErrors"');
  expect((await confirmInDashboard('short', { despiteErrors: 'yes' })).status).toBe(303);
  expect(await isConfirmed('short')).toBe(true);
});

test('what is said to be another company forgives that, and no single error of another kind', async () => {
  const missing = (await bed.bridge.operations.plan('short')).findings.flatMap(({ message }) =>
    [...message.matchAll(/Account (\d+) is not/g)].map(([, account = '']) => account),
  );
  const [lacking, ...known] = [...new Set(missing)];
  await bed.writeTenant({ name: 'mixed', account: 'mixed', erp: chart(known) });
  const errors = async () =>
    (await bed.bridge.operations.plan('mixed')).findings.filter(({ severity }) => severity === 'error');
  await vi.waitUntil(async () => (await errors()).length === 1, { timeout: 60_000, interval: 250 });
  expect((await errors())[0]!.message).toContain(lacking);
  const command = ['plan', 'mixed', '--confirm', '-r', ACT.reason, '--other-company', '--yes'];
  const refused = await run(command, world);
  expect(refused.err).toContain('PLAN_HAS_ERRORS');
  expect(await isConfirmed('mixed')).toBe(false);
});

test('a plan says what is posted, what is set to Error and Skipped at the service and what waits, and again where it is confirmed', async () => {
  const plan = await bed.bridge.operations.plan('mixed');
  const { post, reject, skip } = plan.outcomes;
  expect(Math.min(post, reject)).toBeGreaterThan(0);
  const skipped = (how: string) => (skip > 0 ? `${skip} ${how} Skipped, ` : '');
  const wait = plan.examined - post - reject - skip;
  expect(plan.sentence).toMatch(
    new RegExp(
      `^${post} posted \\([\\d.,]+ kr\\.\\), ${reject} set to Error, ${skipped('set to')}${wait} waits?\\.`,
    ),
  );
  const { sentence } = await bed.bridge.spoken.is.plan('mixed');
  expect(sentence).toMatch(
    new RegExp(`^${post} bókuð \\([\\d.,]+ kr\\.\\), ${reject} merkt Error, ${skipped('merkt')}${wait} bíð`),
  );
  expect(await dialogOf('mixed')).toContain(plan.sentence);
  const typed = await run(['plan', 'mixed', '--confirm', '-r', ACT.reason, '--despite-errors'], {
    ...world,
    typed: 'n\n',
  });
  expect(typed.out).toContain(plan.sentence);
  expect(typed.err).toContain(`set to Error`);
  expect(await isConfirmed('mixed')).toBe(false);
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

async function pageOf(path: string, cookie: string): Promise<string> {
  return (
    await fetch(dash.url + path, { headers: { cookie, accept: 'text/html', 'hx-request': 'true' } })
  ).text();
}

async function dialogOf(name: string): Promise<string> {
  return pageOf(`/plan/confirm?tenant=${name}`, await signIn());
}

async function confirmInDashboard(name: string, fields: Record<string, string>): Promise<Response> {
  const cookie = await signIn();
  const csrf = /name="_csrf" value="([^"]+)"/.exec(await pageOf(`/plan/confirm?tenant=${name}`, cookie))?.[1];
  return fetch(`${dash.url}/plan/confirm?tenant=${name}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: dash.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ _csrf: csrf ?? '', reason: ACT.reason, ...fields }).toString(),
  });
}
