// The other direction in processes of its own, each killed with SIGKILL at a step of the protocol, and once while the service still works
// on what it was sent. Whatever the next one finds, nothing is at the service twice, nothing is lost, and what nobody can know is parked.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { connectTarget } from '../../../src/invoicing/connect-source.js';
import { SUBMISSION_FAIL_POINTS } from '../../../src/pipeline/fail-points.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
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
const TENANTS = [...SUBMISSION_FAIL_POINTS, LATE];
/** Its invoices have a file each, uploaded before they are sent. */
const WITH_FILES = 'after-file-uploaded';
const INVOICES = ['SO-1', 'SO-2'];
const DONE = ['acknowledged', 'parked'];

let bed: Bed;
let erp: HttpErp;
beforeAll(async () => {
  erp = await httpErp();
  const more = (name: string) => ({
    outgoing: { origins: [{ name: 'orders', type: 'folder', directory: `../../${name}`, stableSeconds: 1 }] },
  });
  bed = await bridgeBed({
    accounts: TENANTS.map((username) => ({ username, invoices: 0, costs: 0 })),
    tenants: TENANTS.map((name) => ({ name, account: name, erp: erp.erp(), more: more(name) })),
    env: erp.env,
    processes: true,
  });
  for (const name of TENANTS) {
    await mkdir(join(bed.directory, name), { recursive: true });
    const files = name === WITH_FILES ? { files: ['skilmalar.pdf'] } : {};
    await writeFile(join(bed.directory, name, 'skilmalar.pdf'), '%PDF-1.4\nskilmálar');
    const records = [
      ...INVOICES.map((reference) => invoice(reference, files)),
      invoice('D-1', { kind: 'draft' }),
    ];
    await writeFile(
      join(bed.directory, name, 'a.jsonl'),
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
  }
});
afterAll(async () => {
  await bed.close();
  await erp.ledger.close();
});

/** Each step has a tenant of its own, which starts when its turn comes. */
async function killedAt(point: (typeof SUBMISSION_FAIL_POINTS)[number]): Promise<void> {
  const child = bed.child({ failAt: `${point}:2:SIGKILL`, timing: TIMING, outgoing: OUTGOING });
  const exit = once(child, 'exit').then(() => true);
  await Promise.race([once(child, 'message'), exit]);
  await confirm(point);
  expect(await Promise.race([exit, sleep(20_000, false)]), point).toBe(true);
}

async function killedWhileTheServiceWorks(): Promise<void> {
  const { control } = bed.sandbox;
  for (const endpoint of ['create-invoice', 'create-draft-invoice'])
    control.addFault({ kind: 'latency', delayMs: 1_500, endpoint, account: LATE, times: INVOICES.length });
  const child = bed.child({ timing: TIMING, outgoing: OUTGOING });
  const exit = once(child, 'exit');
  await once(child, 'message');
  await confirm(LATE);
  await until(() => Promise.resolve(control.faults().every(({ hits }) => hits > 0)));
  child.kill('SIGKILL');
  await exit;
  expect((await madeAt(LATE)).size).toBeLessThan(INVOICES.length + 1);
}

async function confirm(tenantName: string): Promise<void> {
  const data = { tenantName, confirmedAt: new Date(), confirmedBy: 'test' };
  await bed.database.prisma.outgoingTenant.create({ data });
}

async function until(what: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('it never came about');
    await sleep(50);
  }
}

const rowsOf = (tenantName: string) => bed.database.prisma.submission.findMany({ where: { tenantName } });

/** The marks of the tenant's invoices at the service, each with how many carry it; and its customers. */
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
    const found =
      kind === 'invoice'
        ? await target.findInvoices(key, 'booking', TODAY)
        : await target.findCustomers(KENNITALA);
    if (found.outcome === 'incomplete') throw new Error(found.message);
    if (kind !== 'draft' && found.found.length > 0) made.set(reference, found.found.length);
  }
  await target.close();
  return made;
}

test('a process killed at every step, and while the service works on, leaves each once or parked with its reason', async () => {
  for (const point of SUBMISSION_FAIL_POINTS) await killedAt(point);
  await killedWhileTheServiceWorks();
  const last = bed.child({ timing: TIMING, outgoing: OUTGOING });
  await until(async () => {
    const open = await bed.database.prisma.submission.count({ where: { state: { notIn: DONE } } });
    return open === 0 && (await bed.database.prisma.submission.count()) === TENANTS.length * 4;
  });
  last.kill('SIGTERM');
  await once(last, 'exit');

  const once4all = new Map([...INVOICES, KENNITALA].map((reference) => [reference, 1]));
  const parked: string[] = [];
  for (const name of TENANTS) {
    expect(await madeAt(name), name).toEqual(once4all);
    const drafts = bed.sandbox.control.journal({ endpoint: 'create-draft-invoice', account: name });
    expect(drafts.length, name).toBeLessThanOrEqual(1);
    for (const { guid } of (await rowsOf(name)).filter(({ kind }) => kind === 'invoice'))
      expect(bed.sandbox.control.invoice(name, guid ?? '').files, name).toHaveLength(
        name === WITH_FILES ? 1 : 0,
      );
    for (const { reference, kind, state, reason, guid } of await rowsOf(name)) {
      if (state === 'parked') parked.push(`${kind}: ${String(reason)}`);
      else expect(guid, `${name} ${reference}`).not.toBeNull();
    }
  }
  // Nothing can be searched for a draft: one that may have been sent is never sent again.
  expect(new Set(parked)).toEqual(new Set(['draft: SUBMISSION_UNKNOWN']));
  const attempts = await bed.database.prisma.submissionAttempt.groupBy({ by: ['outcome'], _count: true });
  expect(attempts.find(({ outcome }) => outcome === null)?._count ?? 0).toBeGreaterThan(0);
}, 180_000);
