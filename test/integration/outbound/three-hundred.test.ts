// Three hundred records over each surface: all ten kinds, from a folder, HTTP, receipts and hours, into the service that was written from the
// API documents alone. Calls that make something and calls that show something go wrong in every way that the service can, the process is
// killed with SIGKILL again and again wherever it is, and PostgreSQL drops every connection. Then everything that the service has is
// read: nothing is there twice, nothing is missing but what a person is told of, and nothing is there that nobody handed over.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import type { AgentScope } from '../../../src/service/source-settings.js';
import { createGrantStore } from '../../../src/store/grant-store.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { send } from '../../support/intake.js';
import { envOfSecond, sourceAtSecond } from '../../support/killed-services.js';
import { noticedBy, refusalsOf, signIn } from '../../support/second-service-bed.js';
import { SecondService } from '../../support/second-service/index.js';
import * as wide from '../../support/three-hundred.js';

/** Everything shorter than in production, in the same proportions. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };
const OUTGOING = {
  outgoingTiming: { leaseMs: 1_500, sendByMs: 1_000, callMs: 1_000, lagMs: 0 },
  outgoingPace: { everyMs: 100, leadMs: 300, atOnce: 8 },
};
const SCOPES: readonly AgentScope[] = [
  'nav',
  'cost',
  'create_invoice',
  'manage_customers',
  'recurring',
  'task',
];
const SHOP_SECRET = 'a secret that both sides have, and nobody else';
const SURFACES = ['credential', 'agent'] as const;
const KILLS = 6;
/** Of these the service lists none: one whose reply was lost waits for a person. */
const UNLISTED = new Set(['draft', 'order', 'quote', 'subscription']);

let bed: Bed;
let erp: HttpErp;
const services = new Map<wide.WideSurface, SecondService>();
const serviceOf = (surface: wide.WideSurface) => services.get(surface)!;

beforeAll(async () => {
  erp = await httpErp();
  for (const [index, surface] of SURFACES.entries()) {
    const account = { username: surface, registrationNo: `59026971${String(10 + index)}` };
    services.set(surface, await SecondService.start({ account }));
  }
  const key = new Secret(randomBytes(32).toString('base64'));
  bed = await bridgeBed({
    accounts: [{ username: 'nobody', invoices: 0, costs: 0 }],
    tenants: [],
    env: { SHOP_SECRET, ...erp.env, ...envOfSecond(serviceOf('credential')) },
    processes: true,
    key,
  });
  const store = createGrantStore(bed.database.db);
  const { auth } = await signIn(serviceOf('agent'), SCOPES, { store, key, tenant: 'agent' });
  // The scopes of the work do not tell whose account it is.
  const { registrationNo } = serviceOf('agent').account;
  const sources = {
    credential: sourceAtSecond(serviceOf('credential')),
    agent: { ...sourceAtSecond(serviceOf('agent')), registrationNo, auth },
  };
  for (const surface of SURFACES) {
    await bed.writeTenant({
      ...{ name: surface, account: surface, erp: erp.erp() },
      more: { source: sources[surface], cutOver: '2099-01-01', outgoing: outgoingOf(surface) },
    });
    await sell(surface);
  }
}, 60_000);
afterAll(async () => {
  await bed.close();
  await Promise.all([erp.ledger.close(), ...[...services.values()].map((service) => service.close())]);
});

const folderOf = (surface: wide.WideSurface, what: 'orders' | 'receipts') =>
  join(bed.directory, surface, what);

function outgoingOf(surface: wide.WideSurface) {
  const watched = (name: 'orders' | 'receipts') => ({
    name,
    directory: folderOf(surface, name),
    stableSeconds: 1,
  });
  return {
    ...{ perDay: 10_000, costAi: false },
    origins: [
      { ...watched('orders'), type: 'folder' },
      { ...watched('receipts'), type: 'receipts' },
      { name: 'shop', type: 'http', secrets: ['env:SHOP_SECRET'], requestsPerSecond: 1_000 },
      {
        name: 'billing',
        type: 'hours',
        bill: 'invoice',
        period: 'week',
        since: wide.BILLED_SINCE,
        afterDays: 0,
      },
    ],
  };
}

async function sell(surface: wide.WideSurface): Promise<void> {
  wide.logByHand(serviceOf(surface), surface);
  wide.planFaults(serviceOf(surface), surface);
  const { folder, receipts } = wide.recordsOf(surface);
  for (const what of ['orders', 'receipts'] as const)
    await mkdir(folderOf(surface, what), { recursive: true });
  for (const [name, content] of receipts) await writeFile(join(folderOf(surface, 'receipts'), name), content);
  const path = join(folderOf(surface, 'orders'), 'a.jsonl');
  await writeFile(`${path}.part`, folder.map((record) => `${JSON.stringify(record)}\n`).join(''));
  await rename(`${path}.part`, path);
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const child = bed.child({ timing: TIMING, outgoing: OUTGOING });
  const died = once(child, 'exit').then(() => Promise.reject(new Error('the process did not start')));
  const [{ url }] = (await Promise.race([once(child, 'message'), died])) as [{ url: string }];
  died.catch(() => undefined);
  return { child, url };
}

async function handOver(url: string): Promise<void> {
  for (const surface of SURFACES)
    for (const record of wide.recordsOf(surface).overHttp) {
      const key = String(record['reference']);
      const at = `${url}/intake/v1/${surface}/shop`;
      const { status } = await send({ url: at, secret: SHOP_SECRET, key, body: JSON.stringify(record) });
      expect(status).toBe(202);
    }
}

const DONE = ['acknowledged', 'parked', 'refused'];
const rowsOf = (tenantName: string) => bed.database.prisma.submission.findMany({ where: { tenantName } });

async function openCount(): Promise<number> {
  const { submission } = bed.database.prisma;
  const done = await submission.count({ where: { state: { in: DONE } } });
  return SURFACES.length * wide.RECORDS - done;
}

async function untilDone(most: number, deadline: number): Promise<void> {
  while ((await openCount()) > most) {
    if (performance.now() > deadline) throw new Error(JSON.stringify(await unfinished()));
    await sleep(50);
  }
}

const unfinished = () =>
  bed.database.prisma.submission.findMany({
    where: { state: { notIn: DONE } },
    select: {
      tenantName: true,
      kind: true,
      reference: true,
      state: true,
      reason: true,
      tries: true,
      dueAt: true,
    },
  });

/** As a crash of PostgreSQL does it: every transaction that is open is lost. */
const dropConnections = () =>
  bed.database.prisma.$queryRaw`
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Where its origin keeps that: how often each was told. */
async function told(surface: wide.WideSurface): Promise<string> {
  const texts: string[] = [];
  for (const what of ['orders', 'receipts'] as const) {
    const results = join(folderOf(surface, what), 'results');
    for (const file of await readdir(results)) texts.push(await readFile(join(results, file), 'utf8'));
  }
  return texts.join('');
}

async function judge(surface: wide.WideSurface, url: string): Promise<void> {
  const service = serviceOf(surface);
  const rows = await rowsOf(surface);
  expect(rows).toHaveLength(wide.RECORDS);
  const { counts, nobodys } = wide.standing(service, rows);
  const notes = await told(surface);
  for (const { key, kind, reference, state, reason, origin } of rows) {
    const name = `${surface} ${kind} ${reference}`;
    const isParked = state === 'parked' && reason === 'SUBMISSION_UNKNOWN' && UNLISTED.has(kind);
    if (!isParked) expect([state, counts.get(key)], name).toEqual(['acknowledged', 1]);
    expect(counts.get(key), name).toBeLessThanOrEqual(1);
    const isNoted = origin === 'orders' || origin === 'receipts';
    if (isNoted) expect(notes.split(key).length - 1, name).toBe(isParked ? 0 : 1);
    if (origin !== 'shop') continue;
    const asked = {
      url: `${url}/intake/v1/${surface}/shop/${reference}`,
      secret: SHOP_SECRET,
      key: reference,
    };
    expect((await send({ ...asked, method: 'GET' })).answer, name).toMatchObject({ state });
  }
  expect(nobodys.sort()).toEqual([...wide.BY_HAND].sort());
  expect(service.faults.unmet().filter((one) => !/^get/i.test(one))).toEqual([]);
  expect(service.calls.filter(({ fault }) => fault !== null).length).toBeGreaterThan(45);
  expect([...refusalsOf(service), ...noticedBy(service)]).toEqual([]);
}

test('three hundred records over each surface, under faults and kills, stand there once each, or wait for a person', async () => {
  const deadline = performance.now() + 240_000;
  let { child, url } = await start();
  const by = { confirmedAt: new Date(), confirmedBy: 'test' };
  await bed.database.prisma.outgoingTenant.createMany({
    data: SURFACES.map((tenantName) => ({ tenantName, ...by })),
  });
  await handOver(url);
  const all = SURFACES.length * wide.RECORDS;
  for (let kill = 1; kill <= KILLS; kill++) {
    await untilDone(Math.round(all * (1 - kill / (KILLS + 1))), deadline);
    if (kill % 3 === 0) await dropConnections();
    child.kill('SIGKILL');
    await once(child, 'exit');
    ({ child, url } = await start());
  }
  await untilDone(0, deadline);
  for (const surface of SURFACES) await judge(surface, url);
  const kinds = await bed.database.prisma.submission.groupBy({ by: ['kind'] });
  expect(kinds).toHaveLength(10);
  child.kill('SIGTERM');
  await once(child, 'exit');
}, 300_000);
