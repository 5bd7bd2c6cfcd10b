// `ledgerbridge api` and `ledgerbridge auth` against the sandbox, as functions with a world of their own, the grants in a
// real PostgreSQL. Canaries are planted in every secret and searched for in everything that was said.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { openTokens } from '../../../src/service/oauth/sealed-tokens.js';
import { TokenKeyring } from '../../../src/service/oauth/token-keyring.js';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { createGrantStore } from '../../../src/store/grant-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { consentAsAPerson } from '../../support/invoicing/consent.js';
import { everyRow } from '../../support/invoicing/everything-stored.js';
import { tokenKey } from '../../support/invoicing/oauth-tenant.js';
import { fakeIo, run as runCli, type Said, type World } from '../../unit/cli/run-cli.js';

const API_KEY = 'canary-api-key-5d1c';
const MAINT_CODE = 'canary-maint-code-77';
const PASSWORD = 'canary-password-31';
const FIRST_KEY = tokenKey().reveal();
const SECOND_KEY = tokenKey().reveal();
const REDIRECT = 'https://bridge.example.is/callback';

let sandbox: Sandbox;
let database: TestDatabase;
let cwd: string;
const everythingSaid: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({
    environment: 'development',
    maintCode: MAINT_CODE,
    accounts: [{ username: 'hraun', apiKey: API_KEY, password: PASSWORD, invoices: 8, costs: 8 }],
    choices: { maintenanceOnConsent: true },
  });
  database = await testDatabase();
  cwd = await mkdtemp(join(tmpdir(), 'invoicing-cli-'));
  await mkdir(join(cwd, 'config/tenants'), { recursive: true });
  await writeTenant('hraun', '    type: credentials\n    username: hraun\n    apiKey: env:HRAUN_KEY');
});

afterAll(async () => {
  await database.close();
  await sandbox.close();
  await rm(cwd, { recursive: true, force: true });
});

async function writeTenant(name: string, auth: string): Promise<void> {
  const lines = [
    `name: ${name}`,
    `title: ${name} ehf.`,
    'source:',
    '  environment: development',
    `  baseUrl: ${sandbox.url}`,
    '  maintenanceCode: env:MAINT',
    '  auth:',
    auth,
    'erp:',
    '  adapter: file',
    '  settings: {}',
  ];
  await writeFile(join(cwd, `config/tenants/${name}.yaml`), `${lines.join('\n')}\n`);
}

function world(more: World = {}): World {
  const env = {
    HRAUN_KEY: API_KEY,
    MAINT: MAINT_CODE,
    DATABASE_URL: database.url.reveal(),
    LEDGERBRIDGE_KEY: FIRST_KEY,
    LEDGERBRIDGE_LOG_LEVEL: 'debug',
  };
  return { cwd, ...more, env: { ...env, ...more.env } };
}

async function run(argv: readonly string[], more: World = {}): Promise<Said> {
  const said = await runCli(argv, world(more));
  everythingSaid.push(said.out, said.err);
  return said;
}

describe('ledgerbridge auth status without a key', () => {
  const bare = (...argv: string[]) =>
    runCli(argv, {
      cwd,
      env: { HRAUN_KEY: API_KEY, MAINT: MAINT_CODE, LEDGERBRIDGE_DATA: join(cwd, 'none') },
    });

  it('says plainly that nobody uses OAuth, and needs neither key nor database for that', async () => {
    expect(await bare('auth', 'status')).toEqual({
      code: 0,
      out: 'No tenant signs in with OAuth, so there are no grants to look after.\n',
      err: '',
    });
    expect(JSON.parse((await bare('auth', 'status', '--json')).out)).toEqual([]);
    const one = await bare('auth', 'status', 'hraun');
    expect(one).toMatchObject({ code: 0, err: '' });
    expect(one.out).toContain('hraun signs in with a user name and API key');
    expect((await bare('auth', 'status', 'hruan')).code).toBe(4);
  });
});

describe('ledgerbridge export of what the service knows besides', () => {
  const lines = (text: string) => text.trimEnd().split('\r\n');

  it('writes sales and the attendees of all events, with a head even when there are none', async () => {
    const sales = await run(['export', 'sales', 'hraun']);
    expect(sales.code).toBe(0);
    expect(lines(sales.out)).toHaveLength(5);
    expect(lines(sales.out)[0]).toBe('guid,name,type,status,is_open,amount,in_stock,url,description');
    const attendees = await run(['export', 'attendees', 'hraun', '-f', 'json']);
    const rows = attendees.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(rows.length).toBeGreaterThan(0);
    const [first] = rows;
    expect(new Set(rows.map(({ sale }) => sale)).size).toBe(1);
    const one = await run(['export', 'attendees', 'hraun', '--sale', first?.['sale'] ?? '']);
    expect(lines(one.out)).toHaveLength(rows.length + 1);
  });

  it('adds up to what the service says of a period, each currency by itself', async () => {
    const { code, out } = await run([
      ...['export', 'summary', 'hraun', '-f', 'json'],
      ...['--from', '2020-01-01', '--to', '2030-12-31'],
    ]);
    expect(code).toBe(0);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(rows[0]).toMatchObject({ status: 'total', from: '2020-01-01', to: '2030-12-31' });
    const counted = await run(['api', 'hraun', 'get-count-invoices', '--json']);
    expect((JSON.parse(counted.out) as { result: number }).result).toBe(Number(rows[0]?.['count']));
  });

  it('says what is missing or wrong, and asks nothing then', async () => {
    expect((await run(['export', 'summary', 'hraun'])).err).toContain('--from');
    expect((await run(['export', 'sales', 'hraun', '-f', 'hledger'])).err).toContain(
      'sales goes as csv or json',
    );
    const wrong = await run(['export', 'attendees', 'hraun', '--sale', 'nobody']);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.err).toContain('lists no sale nobody');
    const noEvent = lines((await run(['export', 'sales', 'hraun'])).out).find((line) =>
      line.includes('Gjafabréf'),
    );
    expect(
      (await run(['export', 'attendees', 'hraun', '--sale', noEvent?.split(',')[0] ?? ''])).err,
    ).toContain('"Gjafabréf" is no event');
    expect((await run(['export', 'everything', 'hraun'])).err).toContain('attendees');
  });
});

describe('ledgerbridge api', () => {
  it('asks without asking, as lines, as a table and as JSON', async () => {
    const hello = await run(['api', 'hraun', 'hello']);
    expect(hello).toMatchObject({ code: 0 });
    expect(hello.out).toContain(sandbox.accounts[0]!.registrationNo);
    const listed = await run(['api', 'hraun', 'get-invoices', '-p', 'limit=3']);
    expect(listed.out).toMatch(/^guid +number +amount/m);
    expect(listed.out).toContain('3 shown');
    const json = await run(['api', 'hraun', 'get-count-costs', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ status: true });
  });

  it('lists every endpoint with its parameters', async () => {
    const { out } = await run(['api', 'hraun', '--list']);
    expect(out).toMatch(/^get-customer +asks +guid +customer/m);
    expect(out).toMatch(/^create-invoice +changes +data +guid/m);
  });

  it('asks before it changes anything, and takes no answer for a no', async () => {
    const before = sandbox.control.requestCount();
    const data = '{"description":"Vara","unit_price":100.50}';
    const nobody = await run(['api', 'hraun', 'create-item', '-p', `data=${data}`]);
    expect(nobody).toMatchObject({ code: 5 });
    expect(nobody.err).toContain('create-item changes data');
    expect(nobody.err).toContain('"unit_price": 100.50');
    const no = await run(['api', 'hraun', 'create-item', '-p', `data=${data}`], { typed: 'n\n' });
    expect(no.code).toBe(5);
    expect(sandbox.control.requestCount()).toBe(before);
    const yes = await run(['api', 'hraun', 'create-item', '-p', `data=${data}`], { typed: 'y\n' });
    expect(yes.code).toBe(0);
  });

  it('checks before it asks, and shows what it will send without any secret', async () => {
    const wrong = ['api', 'hraun', 'create-item', '-p', 'data={"unit_price":"mikið"}'];
    const refused = await run(wrong, { typed: 'y\n' });
    expect(refused.err).toContain('SOURCE_PARAMETERS_INVALID');
    expect(refused.err).not.toContain('Send it?');
    await writeFile(join(cwd, 'mynd.pdf'), '%PDF-1.4 mynd');
    const file = await run(['api', 'hraun', 'upload-file', '-p', 'file=@mynd.pdf'], { typed: 'n\n' });
    expect(file.err).toContain('mynd.pdf (13 bytes)');
    const leaky = `data={"description":"key ${API_KEY} of ours"}`;
    const masked = await run(['api', 'hraun', 'create-item', '-p', leaky], { typed: 'n\n' });
    expect(masked.err).toContain('key *** of ours');
  });

  it('will not make a second customer of the same kennitala unless told so', async () => {
    const data = '{"name":"A ehf.","email":"a@example.is","registration_no":"4504013150"}';
    expect((await run(['api', 'hraun', 'create-customer', '-y', '-p', `data=${data}`])).code).toBe(0);
    const second = await run(['api', 'hraun', 'create-customer', '-y', '-p', `data=${data}`]);
    expect(second.code).not.toBe(0);
    expect(second.err).toContain('Write rule 7');
    const forced = await run([
      'api',
      'hraun',
      'create-customer',
      '-y',
      '--allow-duplicate',
      '-p',
      `data=${data}`,
    ]);
    expect(forced.code).toBe(0);
  });

  it('sends a file, and reads data from one', async () => {
    await writeFile(join(cwd, 'kvittun.pdf'), '%PDF-1.4 kvittun');
    await writeFile(join(cwd, 'item.json'), '{"description":"Úr skrá"}');
    expect((await run(['api', 'hraun', 'upload-file', '-y', '-p', 'file=@kvittun.pdf'])).code).toBe(0);
    expect((await run(['api', 'hraun', 'create-item', '-y', '-p', 'data=@item.json'])).code).toBe(0);
  });

  it.each([
    [['get-invoces'], 'Did you mean "get-invoices"?'],
    [['get-invoice'], 'guid'],
    [['get-invoices', '-p', 'limit'], 'name=value'],
    [['get-invoices', '-p', 'limt=3'], 'limt'],
    [['create-item', '-y', '-p', 'data={'], 'must be JSON'],
    [['create-cost', '-y', '-p', 'file=@missing.pdf'], 'cannot be read'],
    [
      [
        'create-invoice',
        '-y',
        '-p',
        'data={"amount":1,"currency":"ISK","type":"invoice","items":[{"guid":"a","qty":1}],"customer":{"guid":"b"}}',
      ],
      'Write rule 3',
    ],
  ])('says what is wrong with %j', async (args, said) => {
    const { code, err } = await run(['api', 'hraun', ...args]);
    expect(code).not.toBe(0);
    expect(err).toContain(said);
  });
});

describe('ledgerbridge auth', () => {
  it('registers, and keeps the secret when it registers again', async () => {
    const first = await run(['auth', 'register', 'hraun', '--redirect-uri', REDIRECT, '--json']);
    const { clientId } = JSON.parse(first.out) as { clientId: string };
    expect(JSON.parse(first.out)).toMatchObject({ existing: false, hasSecret: true });
    const again = await run(['auth', 'register', 'hraun', '--redirect-uri', REDIRECT, '--json']);
    expect(JSON.parse(again.out)).toEqual({ clientId, existing: true, rotated: false, hasSecret: true });
    await writeTenant(
      'hraun',
      `    type: oauth\n    clientId: ${clientId}\n    redirectUri: ${REDIRECT}\n    scopes: [nav, cost, dashboard_data]`,
    );
  });

  it('signs in through its own page, which alone knows the maintenance code', async () => {
    const { io, said } = fakeIo(world());
    const { runCommand } = await import('../../../src/cli/main.js');
    const running = runCommand(['auth', 'login', 'hraun'], io);
    await expect.poll(() => said().err, { timeout: 10_000 }).toContain('/start');
    const origin = /Open (http:\/\/127\.0\.0\.1:\d+)\/start/.exec(said().err)![1]!;
    const start = await fetch(`${origin}/start`, { redirect: 'manual' });
    const authorize = new URL(start.headers.get('location')!);
    expect(authorize.searchParams.get('en4_maint_code')).toBe(MAINT_CODE);
    const callback = new URL(await consentAsAPerson(authorize, sandbox.accounts[0]!));
    await fetch(`${origin}/callback${callback.search}`);
    await running;
    everythingSaid.push(said().out, said().err);
    expect(said()).toMatchObject({ code: 0, out: 'Signed in. Granted: nav, cost, dashboard_data.\n' });
  });

  it('signs in with a pasted address, and refuses one of another sign-in', async () => {
    const { Readable } = await import('node:stream');
    const { runCommand } = await import('../../../src/cli/main.js');
    const typed = new Readable({ read: () => undefined });
    const { io, said } = fakeIo(world());
    const running = runCommand(['auth', 'login', 'hraun', '--manual'], { ...io, stdin: typed });
    await expect.poll(() => said().err, { timeout: 10_000 }).toContain('Paste');
    const authorize = new URL(/(http:\/\/\S+authorize\S+)/.exec(said().err)![1]!);
    expect(authorize.searchParams.has('en4_maint_code')).toBe(false);
    authorize.searchParams.set('en4_maint_code', MAINT_CODE);
    const callback = await consentAsAPerson(authorize, sandbox.accounts[0]!);
    typed.push(`${callback}\n`);
    await running;
    everythingSaid.push(said().out, said().err);
    expect(said().code).toBe(0);
    const stale = await run(['auth', 'login', 'hraun', '--manual'], { typed: `${callback}\n` });
    expect(stale.code).not.toBe(0);
    expect(stale.err).toContain('state does not belong to this sign-in');
  });

  it('uses the grant: the same question over the other surface', async () => {
    const { code, out } = await run(['api', 'hraun', 'status']);
    expect(code).toBe(0);
    expect(out).toContain(sandbox.accounts[0]!.registrationNo);
    expect((await run(['api', 'hraun', 'list-customers'])).err).toContain('manage_customers');
    expect((await run(['api', 'hraun', 'refresh-token', '-y'])).err).toContain('ledgerbridge auth');
  });

  it('shows grants without their tokens', async () => {
    const { code, out } = await run(['auth', 'status', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([{ tenant: 'hraun', state: 'active', key: 'current' }]);
  });

  it('takes the key from a file as well', async () => {
    await writeFile(join(cwd, 'token.key'), `${FIRST_KEY}\n`);
    const fromFile = { env: { LEDGERBRIDGE_KEY: `file:${join(cwd, 'token.key')}` } };
    expect((await run(['api', 'hraun', 'status'], fromFile)).code).toBe(0);
    const missing = { env: { LEDGERBRIDGE_KEY: 'file:/nowhere/token.key' } };
    expect((await run(['api', 'hraun', 'status'], missing)).err).toContain(
      'LEDGERBRIDGE_KEY: must be 32 bytes',
    );
  });

  it('moves everything at rest to a new key', async () => {
    const rotated = { env: { LEDGERBRIDGE_KEY: SECOND_KEY, LEDGERBRIDGE_KEY_PREVIOUS: FIRST_KEY } };
    expect((await run(['auth', 'rotate-key', '--json'], rotated)).out).toContain('"resealed": 2');
    expect((await run(['auth', 'rotate-key', '--json'], rotated)).out).toContain('"resealed": 0');
    const newKeyOnly = { env: { LEDGERBRIDGE_KEY: SECOND_KEY } };
    expect((await run(['api', 'hraun', 'status'], newKeyOnly)).code).toBe(0);
    const oldKeyOnly = await run(['api', 'hraun', 'status']);
    expect(oldKeyOnly.err).toContain('SOURCE_GRANT_UNREADABLE');
  });

  it('revokes at the service and here, after asking', async () => {
    const owner = ['--username', 'hraun', '--api-key', 'env:HRAUN_KEY'];
    const env = { LEDGERBRIDGE_KEY: SECOND_KEY };
    expect((await run(['auth', 'revoke', 'hraun', ...owner], { env })).code).toBe(5);
    expect((await run(['auth', 'revoke', 'hraun', '-y', ...owner], { env })).code).toBe(0);
    expect((await run(['auth', 'status'], { env })).code).toBe(3);
    expect((await run(['api', 'hraun', 'status'], { env })).err).toContain('SOURCE_NEEDS_CONSENT');
  });
});

/** What was planted, and what the service gave us, opened. */
async function canaries(): Promise<string[]> {
  const keyring = new TokenKeyring(new Secret(SECOND_KEY));
  const store = createGrantStore(database.db);
  const { accessToken, refreshToken } = openTokens(keyring, (await store.read('hraun'))!);
  const { sealedSecret } = (await store.readClient('hraun'))!;
  const given = [accessToken, refreshToken, keyring.open('hraun', 'client-secret', sealedSecret!)];
  const basic = Buffer.from(`hraun:${API_KEY}`).toString('base64');
  const planted = [API_KEY, MAINT_CODE, PASSWORD, FIRST_KEY, SECOND_KEY, basic];
  return [...planted, ...given.map((secret) => secret.reveal())];
}

describe('canaries', () => {
  it('are in nothing that was said, with every detail of the log turned on', async () => {
    const said = everythingSaid.join('\n');
    expect(said.length).toBeGreaterThan(5_000);
    for (const canary of await canaries()) expect(said).not.toContain(canary);
    expect(said).not.toMatch(/"(access_token|refresh_token|client_secret)": ?"(?!\*\*\*)/);
  });

  it('are in no column of the database', async () => {
    const rows = await everyRow(database.url.reveal());
    expect(rows).toContain('public.oauth_client');
    for (const canary of await canaries()) expect(rows).not.toContain(canary);
    const row = await createGrantStore(database.db).read('hraun');
    expect(row?.sealedAccess).toMatch(/^v1\.[0-9a-f]{12}\./);
  });
});
