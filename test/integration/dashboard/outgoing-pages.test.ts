// What people see of the other direction and of the service's reports, page by page, on a bridge with a sandbox.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';

let bed: Bed;
let dash: DashboardBed;
let cookie: string;

beforeAll(async () => {
  const origin = { name: 'orders', type: 'folder', directory: '../orders', stableSeconds: 1 };
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 5, costs: 0 }],
    tenants: [
      {
        ...{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } },
        more: { outgoing: { origins: [origin] } },
      },
    ],
  });
  const directory = join(bed.settings.tenantsDirectory, origin.directory);
  await mkdir(directory);
  await writeFile(join(directory, 'customers.csv'), 'kennitala,name,email\n5402696029,Prufa ehf.,a@b.is\n');
  dash = servedDashboard(bed.bridge);
  await dash.addUser('jon', 'viewer');
  const answer = await dash.app.inject({
    ...{ method: 'POST', url: '/login' },
    headers: {
      ...{ origin: dash.url, host: new URL(dash.url).host },
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ login: 'jon', password: PASSWORD }).toString(),
  });
  cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
});
afterAll(() => bed.close());

const look = async (url: string, language = 'en') => {
  const { statusCode, body } = await dash.app.inject({
    ...{ method: 'GET', url },
    headers: { cookie, 'accept-language': language },
  });
  return { statusCode, body };
};

test('reports are asked of the service when somebody wants them, and given as a page and as a file', async () => {
  const calls = () =>
    bed.sandbox.control.journal({}).filter(({ endpoint }) => /sale|summar/.test(endpoint)).length;
  expect((await look('/reports')).body).toContain('Choose a company and a report');
  expect(calls()).toBe(0);
  const sales = await look('/reports?tenant=hraun&report=sales');
  expect(calls()).toBeGreaterThan(0);
  expect(sales.body).toContain('Product sales');
  expect(sales.body).toMatch(/\/reports\?tenant=hraun&amp;report=attendees&amp;sale=[\w-]+/);
  const attendees = await look('/reports?tenant=hraun&report=attendees');
  expect(attendees.body).toContain('Download as CSV');
  const period = 'from=2020-01-01&to=2030-01-01';
  expect((await look(`/reports?tenant=hraun&report=summary&${period}`, 'is')).body).toContain(
    'Summur reikninga',
  );
  const { body: csv } = await look(`/reports/csv?tenant=hraun&report=summary&${period}`);
  expect(csv.split('\n')[0]?.trim()).toBe('from,to,status,count,currency,total');
  expect(csv.trim().split('\n').length).toBeGreaterThan(1);
  const nothing = await look('/reports?tenant=hraun&report=summary&from=1999-01-01&to=1999-01-02', 'is');
  expect(nothing.body).toContain('Þjónustan hefur enga reikninga á þessu tímabili.');
  const wrong = await look('/reports?tenant=hraun&report=summary&from=2026-02-01&to=2026-01-01', 'is');
  expect(wrong.body).toContain('Gefðu tímabilið upp sem tvo daga, þann fyrri fyrst.');
});

test('what a record waits for is said on its page, and to whoever asks', async () => {
  const { operations } = bed.bridge;
  const row = async () => (await operations.submissions({ tenant: 'hraun' }))[0];
  for (const since = Date.now(); !(await row()) && Date.now() - since < 30_000;)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const { id, reference } = (await row())!;
  const story = () => operations.submission(reference, 'hraun');
  expect((await story()).sentence).toContain('before its plan was looked at');
  expect((await story()).canDo).toMatchObject([{ act: 'skip' }]);
  expect((await look(`/outgoing/${id}`, 'is')).body).toContain('fyrr en áætlunin hefur verið skoðuð');
  const act = { actor: 'jon', reason: 'hands off' };
  await operations.pauseOutgoing('hraun', act);
  expect((await story()).sentence).toBe('Paused by jon: hands off');
  await operations.confirmOutgoing('hraun', act);
  await operations.resumeOutgoing('hraun', act);
  for (const since = Date.now(); (await story()).state !== 'acknowledged' && Date.now() - since < 60_000;)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await story()).toMatchObject({
    sentence: 'It stands at the service, and its origin was told.',
    lookUp: 'By its kennitala, among all customers.',
    canDo: [],
  });
  expect((await story()).history.map(({ action }) => action)).toContain('submission.created');
  expect((await look('/outgoing')).body).toContain('data-watches');
});

test('a service that is down is said on the page, which stays', async () => {
  await bed.sandbox.close();
  const { statusCode, body } = await look('/reports?tenant=hraun&report=sales', 'is');
  expect(statusCode).toBe(200);
  expect(body).toContain('note-error');
  expect(body).toContain('name="report"');
  expect(body).toContain('Spurðu aftur eftir stundarkorn.');
});
