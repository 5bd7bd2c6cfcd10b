// What the audit says of those who took documents out: on the pages, over the API and on the command line.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastify } from 'fastify';
import { addExports } from '../../../src/dashboard/dashboard.js';
import { ROUTES } from '../../../src/api/routes.js';
import { closeTallies } from '../../../src/store/act-tally.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';

let bed: Bed;
let dash: DashboardBed;
let total = 0;

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 6, costs: 4, seed: 'exports', difficulty: 'tidy' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    auditReads: 'on',
  });
  dash = servedDashboard(bed.bridge);
  await bed.settled();
  total = (await bed.bridge.operations.documents({ limit: 50 })).items.length;
  expect(total).toBeGreaterThan(4);
});
afterAll(() => bed.close());

async function viewer() {
  const login = `skodar-${randomUUID().slice(0, 8)}`;
  await dash.addUser(login, 'viewer');
  const headers = { origin: dash.url, host: new URL(dash.url).host };
  const answer = await dash.app.inject({
    ...{ method: 'POST', url: '/login', headers, payload: { login, password: PASSWORD } },
    remoteAddress: `10.3.${String(Math.floor(Math.random() * 250))}.1`,
  });
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  return { login, look: (url: string) => dash.app.inject({ url, headers: { ...headers, cookie } }) };
}

async function taken(actor: string) {
  const { items } = await bed.bridge.operations.audit({ actor, limit: 200 });
  return items
    .filter(({ action }) => action.endsWith('.exported'))
    .map(({ chain, action, subject, details }) => ({ chain, action, subject, details }));
}

describe('the audit', () => {
  it('tells who took a list as a file, by which filter, and how many rows', async () => {
    const { login, look } = await viewer();
    const file = await look('/documents/csv?tenant=hraun&kind=cost&after=');
    const rows = file.body.trim().split('\r\n').length - 1;
    expect(rows).toBeGreaterThan(0);
    expect(await taken(login)).toEqual([
      {
        ...{ chain: 'hraun', action: 'documents.exported', subject: 'hraun' },
        details: { by: 'dashboard', kind: 'cost', rows },
      },
    ]);
    await look('/documents/csv');
    const [all] = await taken(login);
    expect(all).toMatchObject({ chain: '(bridge)', subject: '(all)', details: { rows: total } });
    // A page is no export, and a question that is refused hands nothing out.
    await look('/documents');
    expect((await look('/documents/csv?tenant=nobody')).statusCode).toBe(404);
    expect(await taken(login)).toHaveLength(2);
  });

  it('tells of papers: the VAT return and certificates', async () => {
    const { login, look } = await viewer();
    const act = { actor: 'test', reason: 'for the test' };
    const period = { from: '2026-01-01', to: '2026-12-31' };
    const { id } = await bed.bridge.operations.closePeriod('hraun', period, act);
    for (const url of [
      ...['/vat/csv?tenant=hraun&period=2026', '/vat/pdf?tenant=hraun&period=2026'],
      ...[`/certificates/${id}/pdf?lang=en`, `/certificates/${id}/json`],
    ])
      expect((await look(url)).statusCode, url).toBe(200);
    const told = await taken(login);
    expect(told.map(({ action, subject }) => [action, subject])).toEqual([
      ['certificate.exported', id],
      ['vat.exported', 'hraun'],
    ]);
    await closeTallies(bed.database.db, new Date(Date.now() + 2 * 3_600_000));
    const counts = (await taken(login)).map(({ details }) => details['count']);
    expect(counts.slice(0, 2)).toEqual([2, 2]);
  });

  it('tells of what an API token reads in bulk: once an hour and question, with all its pages', async () => {
    const { operations, http } = bed.bridge;
    const name = `lesari-${randomUUID().slice(0, 8)}`;
    const { token, value } = await operations.createToken(
      { name, role: 'viewer' },
      { actor: 'test', reason: 'to read' },
    );
    const get = (path: string) =>
      fetch(`${http!.url}/api/v1${path}`, { headers: { authorization: `Bearer ${value}` } });
    let after = '';
    let pages = 0;
    do {
      const answer = await get(`/documents?tenant=hraun&limit=3${after}`);
      const { next } = (await answer.json()) as { next: string | null };
      after = next === null ? '' : `&after=${encodeURIComponent(next)}`;
      pages += 1;
    } while (after !== '');
    expect(pages).toBeGreaterThan(1);
    const by = { by: 'api', token: token.id };
    expect(await taken(name)).toEqual([
      { chain: 'hraun', action: 'documents.exported', subject: 'hraun', details: { ...by, rows: 3 } },
    ]);
    await closeTallies(bed.database.db, new Date(Date.now() + 2 * 3_600_000));
    expect((await taken(name))[0]?.details).toMatchObject({ ...by, count: pages, rows: total });
    const file = await (
      await get('/tenants/hraun/export?from=2020-01-01&to=2030-01-01&what=postings')
    ).text();
    const rows = file.trim().split('\r\n').length - 1;
    expect((await taken(name))[0]).toMatchObject({
      action: 'journals.exported',
      details: { ...by, from: '2020-01-01', to: '2030-01-01', what: 'postings', rows },
    });
  });

  it('tells who looked at which document, once an hour, where that is wanted', async () => {
    const { operations, http } = bed.bridge;
    const { items } = await operations.documents({ limit: 2 });
    const [one = '', other = ''] = items.map(({ postingId }) => postingId);
    const { login, look } = await viewer();
    const pages = [one, one, other].map((id) => look(`/documents/${id}`));
    for (const page of await Promise.all(pages)) expect(page.statusCode).toBe(200);
    await look(`/documents/${one}`);
    await look('/documents');
    const name = `forrit-${randomUUID().slice(0, 8)}`;
    const act = { actor: 'test', reason: 'to read' };
    const { token, value } = await operations.createToken({ name, role: 'viewer' }, act);
    const headers = { authorization: `Bearer ${value}` };
    expect((await fetch(`${http!.url}/api/v1/documents/${one}`, { headers })).status).toBe(200);
    await closeTallies(bed.database.db, new Date(Date.now() + 2 * 3_600_000));
    const read = async (actor: string) =>
      (await operations.audit({ actor })).items
        .filter(({ action }) => action === 'document.read')
        .map(({ chain, subject, details }) => ({ chain, subject, details }));
    const seen = (subject: string, details: object) => ({ chain: 'hraun', subject, details });
    expect(await read(name)).toEqual([seen(one, { by: 'api', token: token.id })]);
    const told = await read(login);
    expect(told).toHaveLength(2);
    for (const id of [one, other]) expect(told).toContainEqual(seen(id, { by: 'dashboard' }));
  });

  it('tells of a long export that never ended that it was begun', async () => {
    const { exports } = bed.bridge.operations;
    const actor = `slitinn-${randomUUID().slice(0, 8)}`;
    const given = { what: 'journals', actor, by: { by: 'api' }, tenant: 'hraun', subject: null, filter: {} };
    const lines = exports.lines(
      given,
      'text/csv',
      (async function* () {
        yield 'head\r\n';
        await new Promise(() => undefined);
      })(),
    );
    await lines.next();
    void lines.next();
    expect(await taken(actor)).toEqual([]);
    await closeTallies(bed.database.db, new Date(Date.now() + 2 * 3_600_000));
    expect((await taken(actor))[0]?.details).toMatchObject({ by: 'api', unfinished: true });
  });

  it('hands out no file of a page that does not say what it exports, and knows every file of the API', async () => {
    const files = ROUTES.filter(({ textTypes }) => textTypes.length > 0);
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter(({ exports }) => exports === null)).toEqual([]);
    const app = fastify();
    addExports(app, bed.bridge.operations.exports);
    app.get('/forgotten', (_request, reply) =>
      reply.header('content-disposition', 'attachment; filename="all.csv"').send('everything'),
    );
    const answer = await app.inject('/forgotten');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('everything');
    await app.close();
  });
});
