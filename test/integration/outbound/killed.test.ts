// The other direction in processes of its own, from a folder, over HTTP and from each ERP, killed with SIGKILL while an invoice and a customer
// of each wait at every step of the protocol; while nobody has heard what became of a request or an upload; and while the service still works on it.
// Whatever the next one finds, nothing is at the service twice, nothing is lost, every origin is told once, an invoice has the files that
// stand beside it when it leaves, and what nobody can know is parked; at the sandbox, and at the service that was written from the API
// documents alone.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTarget } from '../../../src/service/connect-source.js';
import { SUBMISSION_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import type { Hold } from '../../support/bridge-child.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type ErpPlace, erpPlaces } from '../../support/erp-origin-places.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { testServices } from '../../support/invoicing/connections.js';
import * as killed from '../../support/killed-companies.js';
import { atSecond, envOfSecond, inSandbox } from '../../support/killed-services.js';
import { KENNITALA, TODAY } from '../../support/outbound-bed.js';
import { noticedBy, refusalsOf } from '../../support/second-service-bed.js';
import { SecondService } from '../../support/second-service/index.js';

type Company = killed.Company;

/** Everything shorter than in production, in the same proportions. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };
/** Leases outlast every wait at a step, as in production: one that ran out would put a record at a second step, in the place of another. */
const LEASE_MS = 120_000;
const QUICK = { leaseMs: LEASE_MS, sendByMs: 1_000, callMs: 1_000, lagMs: 0 };
/** Before anything is in doubt nobody waits for it, and many come to their step at once. */
const PATIENT = { leaseMs: LEASE_MS, sendByMs: 15_000, callMs: 15_000, lagMs: 0 };
/** More than wait at once, so that the others go on. */
const PACE = { everyMs: 100, leadMs: 300, atOnce: 130 };
const DONE = ['acknowledged', 'parked'];

let bed: Bed;
let erp: HttpErp;
const seconds = new Map<string, SecondService>();
let places: ErpPlace[];
let companies: Company[];
beforeAll(async () => {
  [erp, places] = await Promise.all([httpErp(), erpPlaces()]);
  companies = killed.companiesOf(places);
  for (const [index, { name }] of companies.filter(({ at }) => at === 'second').entries()) {
    const account = { username: name, registrationNo: `59026971${String(10 + index)}` };
    seconds.set(name, await SecondService.start({ account }));
  }
  bed = await bridgeBed({
    accounts: companies
      .filter(({ at }) => at === 'sandbox')
      .map(({ name: username }) => ({ username, invoices: 0, costs: 0 })),
    tenants: companies.map((company) => killed.tenantOf(company, erp.erp(), seconds)),
    env: Object.assign(
      { SHOP_SECRET: killed.SHOP_SECRET },
      erp.env,
      ...places.map(({ env }) => env),
      ...[...seconds.values()].map(envOfSecond),
    ) as Record<string, string>,
    processes: true,
  });
  for (const place of places) await place.addCustomer(KENNITALA);
}, 240_000);
afterAll(async () => {
  await bed.close();
  const others = [...[...seconds.values()].map((one) => one.close()), ...places.map((place) => place.stop())];
  await Promise.all([erp.ledger.close(), ...others]);
});

const ofPart = (part: Company['part']) => companies.filter((company) => company.part === part);
const namesOf = (some: readonly Company[]) => some.map(({ name }) => name);
const serviceOf = ({ at, name }: Company) =>
  at === 'second' ? atSecond(seconds.get(name)!) : inSandbox(bed.sandbox, name);

async function start(some: readonly Company[], outgoingTiming: typeof QUICK = QUICK) {
  const outgoing = { outgoingTiming, outgoingPace: PACE };
  const child = bed.child({ timing: TIMING, outgoing, tenants: namesOf(some) });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { child, url };
}

/** When everything waits at its step, and the service has heard what it was to hear. */
async function killedAt(
  child: ChildProcess,
  holds: readonly Hold[],
  begin: () => Promise<unknown>,
  heard: readonly (() => boolean)[] = [],
): Promise<void> {
  const exit = once(child, 'exit');
  const asked = once(child, 'message');
  child.send({ holds });
  await asked;
  const held: unknown[] = [];
  child.on('message', (message) => held.push(message));
  await begin();
  await until(
    () => Promise.resolve(held.length === holds.length && heard.every((isHeard) => isHeard())),
    () => {
      const unheard = heard.flatMap((isHeard, n) => (isHeard() ? [] : [n]));
      return `${String(holds.length)} were to wait, and these do: ${JSON.stringify(held)}; not heard: ${JSON.stringify(unheard)}`;
    },
  );
  child.kill('SIGKILL');
  await exit;
  expect(child.signalCode).toBe('SIGKILL');
  await leasesRunOut();
}

/** What the next process would wait for. */
async function leasesRunOut(): Promise<void> {
  const leased = { leaseUntil: { gt: new Date() } };
  await bed.database.prisma.submission.updateMany({ where: leased, data: { leaseUntil: new Date() } });
}

const pause = (pausedAt: Date | null, some: readonly Company[] = companies) =>
  bed.database.prisma.outgoingTenant.updateMany({
    where: { tenantName: { in: namesOf(some) } },
    data: { pausedAt },
  });

/** Not before all that they have is on record and nobody's: they are to be at their steps together. */
async function goOn(some: readonly Company[]): Promise<void> {
  const theirs = { tenantName: { in: namesOf(some) } };
  const records = some.reduce((sum, company) => sum + company.records, 0);
  const { submission } = bed.database.prisma;
  await until(async () => {
    const leased = { ...theirs, leaseUntil: { gt: new Date() } };
    return (
      (await submission.count({ where: theirs })) === records &&
      (await submission.count({ where: leased })) === 0
    );
  });
  await pause(null, some);
}

async function until(what: () => Promise<boolean>, why = () => 'it never came about'): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error(why());
    await sleep(50);
  }
}

async function areDone(count: number): Promise<boolean> {
  const { submission } = bed.database.prisma;
  const open = await submission.count({ where: { state: { notIn: DONE } } });
  return open === 0 && (await submission.count()) === count;
}

const rowsOf = (tenantName: string) => bed.database.prisma.submission.findMany({ where: { tenantName } });

/** State → how many, of one kind. */
async function statesOf({ name }: Company, wanted: string): Promise<Record<string, number>> {
  const states = (await rowsOf(name)).filter(({ kind }) => kind === wanted).map(({ state }) => state);
  return Object.fromEntries(
    [...new Set(states)].map((one) => [one, states.filter((state) => state === one).length]),
  );
}

/** One of each waits at every step, the claim and an upload before anything is sent, before and after the answer, and on record. */
async function killedAtEachStep(): Promise<void> {
  const main = ofPart('main');
  const { child } = await start(main, PATIENT);
  await killedAt(child, killed.holdsOf(companies).first, async () => {
    await killed.changeFiles(companies);
    await goOn(main);
  });
  await pause(new Date());
  for (const company of main) {
    const waiting = { received: 1, sending: 2, created: 1 };
    expect(await statesOf(company, 'customer'), company.name).toEqual({ ...waiting, acknowledged: 1 });
    // One more of them has a file at the service, and nothing else.
    expect(await statesOf(company, 'invoice'), company.name).toEqual({ ...waiting, received: 2 });
  }
}

/** The answer to a request is lost, and that to an upload; what was told is not yet on record. */
async function killedUnheard(): Promise<void> {
  const main = ofPart('main');
  const { child } = await start(main);
  const heard = main.flatMap((company) => {
    const service = serviceOf(company);
    return [company.sends, 'create-customer', 'upload-file'].map((endpoint) => service.lose(endpoint));
  });
  await killedAt(child, killed.holdsOf(companies).next, () => goOn(main), heard);
}

/** The service has heard, and works on after the process has died. */
async function killedWhileTheServiceWorks(): Promise<void> {
  const late = ofPart('late');
  const { child } = await start(late, PATIENT);
  const heard = late.flatMap((company) => {
    const service = serviceOf(company);
    const uploads = killed.filesOf(company).length > 0 ? ['upload-file'] : [];
    return [company.sends, 'create-customer', ...uploads].map((endpoint) => service.slow(endpoint));
  });
  await killedAt(child, [], () => goOn(late), heard);
  const open = await bed.database.prisma.submissionAttempt.findMany({
    where: { outcome: null, submission: { tenantName: { in: namesOf(late) } } },
    select: { submission: { select: { tenantName: true, kind: true } } },
  });
  const unanswered = open.map(({ submission: { tenantName, kind } }) => `${tenantName} ${kind}`);
  const wanted = late.flatMap(({ name, sends }) => [
    `${name} customer`,
    `${name} ${sends === 'create-invoice' ? 'invoice' : 'draft'}`,
  ]);
  expect(unanswered).toEqual(expect.arrayContaining(wanted));
}

/** The tenant's invoices and customers at the service, each with how many there are of it. */
async function madeAt(company: Company): Promise<Map<string, number>> {
  const target = connectTarget(serviceOf(company).settings, testServices({ lines: [] }));
  const made = new Map<string, number>();
  for (const { kind, key, reference } of await rowsOf(company.name)) {
    if (kind === 'draft') continue;
    const found =
      kind === 'invoice'
        ? await target.findInvoices(key, 'booking', TODAY, { maxAgeMs: 0 })
        : await target.findCustomers(reference);
    if (found.outcome === 'incomplete') throw new Error(found.message);
    if (found.found.length > 0) made.set(reference, found.found.length);
  }
  await target.close();
  return made;
}

const asAtService = (name: string) => `${name} ${Buffer.from(killed.FILES[name] ?? []).toString('utf8')}`;

/** The reasons of what is parked there. */
async function judge(company: Company, notes: readonly string[], url: string): Promise<string[]> {
  const { name, from, at, part } = company;
  const service = serviceOf(company);
  const rows = await rowsOf(name);
  const wanted = rows.filter(({ kind }) => kind !== 'draft').map(({ reference }) => [reference, 1] as const);
  expect(await madeAt(company), name).toEqual(new Map(wanted));
  const drafts = rows.filter(({ kind }) => kind === 'draft').length;
  expect(service.draftsSent(), name).toBeLessThanOrEqual(drafts);
  const files = rows.filter(({ kind }) => kind === 'invoice').map(({ guid }) => service.filesOf(guid));
  const wantedFiles = killed.filesOf(company);
  expect(
    files.filter((each) => each.length > 0),
    name,
  ).toEqual(wantedFiles.length > 0 ? [wantedFiles.map(asAtService)] : []);
  // One whose answer nobody heard is uploaded again, and that of the first is named by nothing; one was swallowed with its process.
  const isAgain = part === 'main' || (at === 'sandbox' && wantedFiles.length > 0);
  expect(service.uploads() > wantedFiles.length, name).toBe(isAgain);
  // What the service took late was found, and not sent a second time.
  const again = rows.filter(({ kind, sends }) => part === 'late' && kind !== 'draft' && sends > 1);
  expect(again, name).toEqual([]);
  for (const { reference, state, guid, key } of rows) {
    const isDone = state === 'acknowledged';
    expect(guid !== null, `${name} ${reference}`).toBe(isDone);
    if (from === 'http') expect(await killed.askAtDoor(url, name, reference)).toMatchObject({ state, guid });
    const told = notes.filter((note) => note.includes(key));
    if (from !== 'http') expect(told, `${name} ${reference}`).toHaveLength(isDone ? 1 : 0);
  }
  return rows
    .filter(({ state }) => state === 'parked')
    .map(({ kind, reason }) => `${kind}: ${String(reason)}`);
}

test('a process killed at every step, and while the service works on, leaves each once or parked with its reason', async () => {
  const { takenIn, first, next } = killed.holdsOf(companies);
  const points = new Set([...takenIn, ...first, ...next].map(({ point }) => point));
  expect(points).toEqual(new Set(SUBMISSION_FAIL_POINTS));

  const begun = await start(companies);
  const by = { confirmedAt: new Date(), confirmedBy: 'test' };
  await bed.database.prisma.outgoingTenant.createMany({
    data: companies.map(({ name }) => ({ tenantName: name, ...by })),
  });
  await killed.makeKnown(companies, bed.directory, begun.url);
  await until(() => areDone(companies.length));
  await pause(new Date());
  await killedAt(begun.child, takenIn, () => killed.sellEverywhere(companies, bed.directory, begun.url));
  await killedAtEachStep();
  await killedUnheard();
  await killedWhileTheServiceWorks();
  const last = await start(companies);
  await until(() => areDone(companies.reduce((sum, { records }) => sum + records, 0)));

  const parked: string[] = [];
  for (const company of companies) {
    const notes = await killed.notesOf(company, bed.directory);
    parked.push(...(await judge(company, notes, last.url)));
  }
  // Nothing can be searched for a draft: one that may have been sent is never sent again.
  expect(new Set(parked)).toEqual(new Set(['draft: SUBMISSION_UNKNOWN']));
  for (const [name, service] of seconds)
    expect([...refusalsOf(service), ...noticedBy(service)], name).toEqual([]);
  last.child.kill('SIGTERM');
  await once(last.child, 'exit');
}, 600_000);
