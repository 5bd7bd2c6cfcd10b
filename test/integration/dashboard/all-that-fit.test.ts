// What is done with all documents that the filters of the list find, however many they are: none is left out in silence, and none is added.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillRecords } from '../../../src/store/bench-filling.js';
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
  expect(new Set(lines.slice(1)).size).toBe(FILLED);

  const kept = await look('/documents/csv?amountMin=800000');
  const rows = await bed.database.prisma.document.count({ where: { amount: { gte: 800_000 } } });
  expect(kept.body.trim().split('\r\n').slice(1)).toHaveLength(rows);

  const tooMany = await look('/documents/csv?text=Hraun');
  expect(tooMany.headers['content-type']).toContain('text/html');
  expect(tooMany.body).toContain('Too many documents fit this text');
});
