// A bridge with a thousand companies: what the pages that list them take on the server, and that one finds its way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';

const COMPANIES = 1_000;
const SWEEPS_EACH = 10;
const MS_MAX = 100;

let bed: Bed;
let dash: DashboardBed;
let cookie: string;

beforeAll(async () => {
  bed = await bridgeBed({ accounts: [], tenants: [] });
  const { prisma } = bed.database;
  await prisma.$executeRaw`
    INSERT INTO tenant (name, environment, plan_confirmed_at, plan_confirmed_by, created_at)
    SELECT 'felag-' || lpad(n::text, 4, '0'), 'production', now(), 'test', now() FROM generate_series(1, ${COMPANIES}) n`;
  await prisma.$executeRaw`
    INSERT INTO posting_tally (tenant_name, state, delta)
    SELECT name, state, 1 + length(name || state) FROM tenant CROSS JOIN unnest(ARRAY['acknowledged', 'deferred', 'parked']) state`;
  await prisma.$executeRaw`
    INSERT INTO sweep (id, tenant_name, kind, mode, started_at, finished_at, outcome, listed)
    SELECT gen_random_uuid(), name, kind, 'fast', now() - n * interval '5 minutes', now() - n * interval '5 minutes', 'complete', 3
    FROM tenant CROSS JOIN unnest(ARRAY['invoice', 'cost']) kind CROSS JOIN generate_series(1, ${SWEEPS_EACH}) n`;
  await prisma.$executeRaw`ANALYZE tenant, sweep, posting_tally`;
  dash = servedDashboard(bed.bridge);
  await dash.addUser('gudrun', 'admin');
  const answer = await dash.app.inject({
    method: 'POST',
    url: '/login',
    headers: {
      origin: dash.url,
      host: new URL(dash.url).host,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ login: 'gudrun', password: PASSWORD }).toString(),
  });
  cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
});

afterAll(() => bed.close());

const look = (url: string) => dash.app.inject({ method: 'GET', url, headers: { cookie } });

describe('with a thousand companies', () => {
  it.each(['/tenants', '/tenants?order=waiting', '/tenants?text=felag-07', '/', '/problems'])(
    `%s takes less than ${String(MS_MAX)} ms`,
    async (url) => {
      const times: number[] = [];
      // The machine of a test is shared: the quickest of some is what the page itself takes.
      for (let time = 0; time < 8; time++) {
        const began = performance.now();
        expect((await look(url)).statusCode).toBe(200);
        times.push(performance.now() - began);
      }
      expect(Math.min(...times)).toBeLessThan(MS_MAX);
    },
  );

  it('shows fifty at a time, finds one by its name, and sorts by any number', async () => {
    const rows = async (url: string) =>
      [...(await look(url)).body.matchAll(/<tr data-href="\/tenants\/([\w-]+)"/g)].map(([, name]) => name);
    expect(await rows('/tenants')).toHaveLength(50);
    expect(await rows('/tenants?order=name&from=950')).toHaveLength(50);
    expect(await rows('/tenants?order=name&from=1000')).toHaveLength(0);
    expect(await rows('/tenants?text=FELAG-0777')).toEqual(['felag-0777']);
    expect((await rows('/tenants?order=name'))[0]).toBe('felag-0001');
    expect((await look('/')).body).toContain('and 950 more companies');
  });
});
