// What is done with all documents that the filters of the list find, however many they are: none is left out in silence, and none is added.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fillRecords } from '../../../lab/bench/bench-records.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';

/** More than a page, and more than the file once had room for. */
const FILLED = 5_700;

let bed: Bed;
let dash: DashboardBed;
let cookie: string;

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 0, costs: 0, seed: 'fit' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
  });
  const { control } = bed.sandbox;
  for (const amount of ['1000', '2000', '3000', '4000']) {
    const guid = control.createCost('hraun', { amount, description: 'Unknown code' });
    control.editCost('hraun', guid, { cost_code: '9999' });
    control.approveCost('hraun', guid);
  }
  await bed.bridge.tenants.requestSweep('hraun');
  await vi.waitFor(async () => expect(await bed.states()).toEqual({ held: 4 }), { timeout: 30_000 });
  await fillRecords(bed.database.url.reveal(), ['hraun'], FILLED);
  dash = servedDashboard(bed.bridge);
  await dash.addUser('gudrun', 'operator');
  const answer = await dash.app.inject({
    ...{ method: 'POST', url: '/login' },
    headers: {
      ...{ origin: dash.url, host: new URL(dash.url).host },
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ login: 'gudrun', password: PASSWORD }).toString(),
  });
  cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
});
afterAll(() => bed.close());

const look = (url: string) => dash.app.inject({ method: 'GET', url, headers: { cookie } });

test('a file has every document that fits, and the text of the search is refused where it fits too many to name', async () => {
  const file = await look('/documents/csv');
  expect(file.headers['content-type']).toContain('text/csv');
  const lines = file.body.trim().split('\r\n');
  expect(lines[0]).toMatch(/^tenant,kind,number/);
  expect(new Set(lines.slice(1)).size).toBe(FILLED + 4);

  const kept = await look('/documents/csv?amountMin=800000');
  const rows = await bed.database.prisma.document.count({ where: { amount: { gte: 800_000 } } });
  expect(kept.body.trim().split('\r\n').slice(1)).toHaveLength(rows);

  const tooMany = await look('/documents/csv?text=Hraun');
  expect(tooMany.headers['content-type']).toContain('text/html');
  expect(tooMany.body).toContain('Too many documents fit this text');
});

test('a replay of all that fit is about the documents that the list shows, and says before and after how many of them rest again', async () => {
  const list = await look('/documents?cause=UNMAPPED_COST_CODE&amountMin=2500&tenant=hraun');
  const [, href = ''] = /href="([^"]+)"\s*>Preview replay of all that fit</.exec(list.body) ?? [];
  const preview = await look(href.replaceAll('&amp;', '&'));
  expect(preview.body).toContain('2 of 2 documents can be replayed');
  const inputs = [...preview.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const form = inputs.map(([, name = '', value = '']): [string, string] => [
    name,
    value.replaceAll('&amp;', '&'),
  ]);
  const started = await dash.app.inject({
    ...{ method: 'POST', url: '/replay/start' },
    headers: {
      ...{ cookie, origin: dash.url, host: new URL(dash.url).host },
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams([...new Map(form), ['reason', 'two of them']]).toString(),
  });
  expect(started.statusCode).toBe(303);
  expect(await bed.bridge.operations.runs()).toMatchObject([{ total: 2, reason: 'two of them' }]);
  // Nobody has mended the file: that is said before, and what became of them afterwards.
  expect(preview.body).toContain('2 of them will rest again: their cause still holds.');
  const { operations } = bed.bridge;
  await vi.waitFor(
    async () => expect(await operations.runs()).toMatchObject([{ moved: 2, arrived: 0, rested: 2 }]),
    { timeout: 30_000, interval: 200 },
  );
  const [run] = await operations.runs();
  expect(run?.rests).toEqual([{ count: 2, why: expect.stringContaining('has no rule') as string }]);
  const page = (await look(`/replay/${run?.id ?? ''}`)).body;
  expect(page).toContain('resting again');
  expect(page).toContain('has no rule');
  expect(page).not.toContain('hx-trigger="every 1s"');
  const cause = await look('/replay?cause=UNMAPPED_COST_CODE');
  expect(cause.body).toContain('of 4 documents can be replayed');
});
