// The other direction in processes of its own, from a folder and from each ERP, killed with SIGKILL at every step of the protocol, and once
// while the service still works on what it was sent. Whatever the next one finds, nothing is at the service twice, nothing is lost, every
// ERP is told once, and what nobody can know is parked. A process dies when an invoice of each origin is at that step, so that one death is
// one of each; and beside them a customer is on its way, wherever it is by then.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { connectTarget } from '../../../src/invoicing/connect-source.js';
import { SUBMISSION_FAIL_POINTS } from '../../../src/pipeline/fail-points.js';
import type { KilledTogether } from '../../support/bridge-child.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type ErpPlace, erpPlaces } from '../../support/erp-origin-places.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { testServices } from '../../support/invoicing/connections.js';
import { invoice, KENNITALA, TODAY } from '../../support/outgoing-bed.js';

/** Everything shorter than in production, in the same proportions. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };
const OUTGOING = {
  outgoingTiming: { leaseMs: 1_500, sendByMs: 500, callMs: 1_000, lagMs: 0 },
  outgoingPace: { everyMs: 100, leadMs: 300 },
};
const LATE = 'late';
const STEPS = [...SUBMISSION_FAIL_POINTS, LATE];
/** The invoices of its folder have a file each, uploaded before they are sent. */
const WITH_FILES = 'after-file-uploaded';
/** Known to the service before anybody is killed; and of the ERPs, one that is made meanwhile. */
const CUSTOMERS = [KENNITALA, '6503760649'] as const;
const INVOICES = ['SO-1', 'SO-2'];
const DONE = ['acknowledged', 'parked'];

interface Company {
  readonly name: string;
  readonly step: string;
  /** null: a folder. */
  readonly place: ErpPlace | null;
  /** What it has at the end. */
  readonly records: number;
}

let bed: Bed;
let erp: HttpErp;
let places: ErpPlace[];
let companies: Company[];
beforeAll(async () => {
  [erp, places] = await Promise.all([httpErp(), erpPlaces()]);
  companies = STEPS.flatMap((step) => [
    { name: step, step, place: null, records: step === LATE ? 2 : 4 },
    ...places
      .filter(() => step !== WITH_FILES)
      .map((place) => ({ name: `${step}-${place.name}`, step, place, records: step === LATE ? 3 : 4 })),
  ]);
  bed = await bridgeBed({
    accounts: companies.map(({ name: username }) => ({ username, invoices: 0, costs: 0 })),
    tenants: companies.map((company) => {
      const { name, place } = company;
      const more = { outgoing: { origins: [originOf(company)] } };
      return { name, account: name, erp: place?.erp ?? erp.erp(), more };
    }),
    env: Object.assign({}, erp.env, ...places.map(({ env }) => env)) as Record<string, string>,
    processes: true,
  });
  for (const place of places) await place.addCustomer(CUSTOMERS[0]);
  const known = { kind: 'customer', kennitala: KENNITALA, name: 'Prufa ehf.', email: 'prufa@example.is' };
  await putInFolders('customers.jsonl', () => [known]);
}, 240_000);
afterAll(async () => {
  await bed.close();
  await Promise.all([erp.ledger.close(), ...places.map((place) => place.stop())]);
});

/** What nobody can look for at the service comes from an ERP as well: its orders, as drafts. */
function originOf({ name, step, place }: Company): Record<string, unknown> {
  if (place === null) return { name: 'orders', type: 'folder', directory: `../../${name}`, stableSeconds: 1 };
  const hands = ['customers', step === LATE ? 'orders' : 'invoices'];
  return { name: 'erp', type: 'erp', hands, orders: 'draft', since: TODAY, everySeconds: 2 };
}

async function putInFolders(file: string, linesOf: (step: string) => object[]): Promise<void> {
  for (const { name, step } of companies.filter(({ place }) => place === null)) {
    const path = join(bed.directory, name, file);
    await mkdir(join(bed.directory, name), { recursive: true });
    const lines = linesOf(step).map((record) => `${JSON.stringify(record)}\n`);
    await writeFile(`${path}.part`, lines.join(''));
    await rename(`${path}.part`, path);
  }
}

async function sellEverywhere(): Promise<void> {
  for (const place of places) {
    await place.addCustomer(CUSTOMERS[1]);
    for (let each = 0; each < INVOICES.length; each++) await place.addInvoice(TODAY);
    await place.addOrder(TODAY);
  }
  await writeFile(join(bed.directory, WITH_FILES, 'skilmalar.pdf'), '%PDF-1.4\nskilmálar');
  await putInFolders('a.jsonl', (step) => {
    // As many as are carried at once, with those of the ERPs.
    if (step === LATE) return [invoice('SO-1')];
    const files = step === WITH_FILES ? { files: ['skilmalar.pdf'] } : {};
    return [...INVOICES.map((reference) => invoice(reference, files)), invoice('D-1', { kind: 'draft' })];
  });
}

const recordsOf = (step: string) =>
  companies.reduce((sum, one) => sum + (one.step === step ? one.records : 0), 0);
const namesAt = (step: string) => companies.filter((one) => one.step === step).map(({ name }) => name);

/** With the companies of one step, or with all. */
async function start(step?: string): Promise<ChildProcess> {
  const tenants = step === undefined ? {} : { tenants: namesAt(step) };
  const child = bed.child({ timing: TIMING, outgoing: OUTGOING, ...tenants });
  await once(child, 'message');
  return child;
}

/** Each step has companies of its own, which go on when its turn comes. */
async function killedAt(point: string, child: ChildProcess, begin: () => Promise<unknown>): Promise<void> {
  const exit = once(child, 'exit').then(() => true);
  const together: KilledTogether = { point, tenants: namesAt(point), kind: 'invoice' };
  const heard = once(child, 'message');
  child.send(together);
  await heard;
  await begin();
  expect(await Promise.race([exit, sleep(40_000, false)]), point).toBe(true);
  expect(child.signalCode, point).toBe('SIGKILL');
}

async function killedWhileTheServiceWorks(): Promise<void> {
  const { control } = bed.sandbox;
  const late = { kind: 'latency', delayMs: 1_500, times: 1 } as const;
  for (const account of namesAt(LATE)) {
    const endpoint = account === LATE ? 'create-invoice' : 'create-draft-invoice';
    control.addFault({ ...late, endpoint, account });
  }
  const child = await start(LATE);
  const exit = once(child, 'exit');
  await goOn(LATE);
  await until(() => Promise.resolve(control.faults().every(({ hits }) => hits > 0)));
  child.kill('SIGKILL');
  await exit;
  const { submissionAttempt } = bed.database.prisma;
  const unanswered = { outcome: null, submission: { tenantName: { in: namesAt(LATE) } } };
  expect(await submissionAttempt.count({ where: unanswered })).toBeGreaterThan(0);
}

/** Not before all that they have is on record: they are to be at the same step. */
async function goOn(step: string): Promise<void> {
  const { outgoingTenant, submission } = bed.database.prisma;
  const theirs = { tenantName: { in: namesAt(step) } };
  await until(async () => (await submission.count({ where: theirs })) === recordsOf(step));
  await outgoingTenant.updateMany({ where: theirs, data: { pausedAt: null } });
}

async function until(what: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('it never came about');
    await sleep(50);
  }
}

async function areDone(count: number): Promise<boolean> {
  const { submission } = bed.database.prisma;
  const open = await submission.count({ where: { state: { notIn: DONE } } });
  return open === 0 && (await submission.count()) === count;
}

const rowsOf = (tenantName: string) => bed.database.prisma.submission.findMany({ where: { tenantName } });

/** The tenant's invoices and customers at the service, each with how many there are of it. */
async function madeAt(name: string): Promise<Map<string, number>> {
  const apiKey = new Secret(bed.sandbox.accounts.find(({ username }) => username === name)?.apiKey ?? '');
  const maintenance = { maintenanceCode: new Secret(bed.sandbox.maintCode) };
  const auth = { type: 'credentials', username: name, apiKey, surface: 'credential' } as const;
  const target = connectTarget(
    { environment: 'development', baseUrl: bed.sandbox.url, auth, ...maintenance },
    testServices({ lines: [] }),
  );
  const made = new Map<string, number>();
  for (const { kind, key, reference } of await rowsOf(name)) {
    if (kind === 'draft') continue;
    const found =
      kind === 'invoice'
        ? await target.findInvoices(key, 'booking', TODAY)
        : await target.findCustomers(reference);
    if (found.outcome === 'incomplete') throw new Error(found.message);
    if (found.found.length > 0) made.set(reference, found.found.length);
  }
  await target.close();
  return made;
}

/** The reasons of what is parked there. */
async function judge({ name, step, place }: Company, notes: readonly string[]): Promise<string[]> {
  const { control } = bed.sandbox;
  const rows = await rowsOf(name);
  const wanted = rows.filter(({ kind }) => kind !== 'draft').map(({ reference }) => [reference, 1] as const);
  expect(await madeAt(name), name).toEqual(new Map(wanted));
  expect(control.journal({ endpoint: 'create-draft-invoice', account: name }).length, name).toBeLessThan(2);
  const files = step === WITH_FILES ? 1 : 0;
  for (const { guid } of rows.filter(({ kind }) => kind === 'invoice'))
    expect(control.invoice(name, guid ?? '').files, name).toHaveLength(files);
  for (const { reference, state, guid, key } of rows) {
    const told = notes.filter((note) => note.includes(key));
    const isDone = state === 'acknowledged';
    expect(guid !== null, `${name} ${reference}`).toBe(isDone);
    if (place !== null) expect(told, `${name} ${reference}`).toHaveLength(isDone ? 1 : 0);
  }
  return rows
    .filter(({ state }) => state === 'parked')
    .map(({ kind, reason }) => `${kind}: ${String(reason)}`);
}

test('a process killed at every step, and while the service works on, leaves each once or parked with its reason', async () => {
  const { prisma } = bed.database;
  const child = await start();
  const by = { confirmedAt: new Date(), confirmedBy: 'test' };
  await prisma.outgoingTenant.createMany({
    data: companies.map(({ name }) => ({ tenantName: name, ...by })),
  });
  await until(() => areDone(companies.length));
  await prisma.outgoingTenant.updateMany({ data: { pausedAt: new Date() } });
  const [first, ...others] = SUBMISSION_FAIL_POINTS;
  await killedAt(first, child, sellEverywhere);
  for (const point of others) await killedAt(point, await start(point), () => goOn(point));
  await killedWhileTheServiceWorks();
  const last = await start();
  await goOn(first);
  const all = companies.reduce((sum, { records }) => sum + records, 0);
  await until(() => areDone(all));
  last.kill('SIGTERM');
  await once(last, 'exit');

  const parked: string[] = [];
  for (const place of [null, ...places]) {
    const notes = (await place?.notes()) ?? [];
    for (const company of companies.filter((one) => one.place === place))
      parked.push(...(await judge(company, notes)));
  }
  // Nothing can be searched for a draft: one that may have been sent is never sent again.
  expect(new Set(parked)).toEqual(new Set(['draft: SUBMISSION_UNKNOWN']));
  const attempts = await prisma.submissionAttempt.groupBy({ by: ['outcome'], _count: true });
  expect(attempts.find(({ outcome }) => outcome === null)?._count ?? 0).toBeGreaterThan(0);
}, 300_000);
