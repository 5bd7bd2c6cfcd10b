// A whole bridge both ways: what an origin hands over stands at the service once, and comes back as Created. It is booked, or skipped
// where the origin has booked it; a copy that somebody makes of it in the service is booked in any case.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { invoice } from '../../support/outbound-bed.js';

let bed: Bed;
let erp: HttpErp;
const outgoing = (booked: 'bridge' | 'origin') => ({
  outgoing: {
    booked,
    origins: [{ name: 'orders', type: 'folder', directory: `../../orders-${booked}`, stableSeconds: 1 }],
  },
});

beforeAll(async () => {
  erp = await httpErp();
  const account = (username: string) => ({ username, invoices: 0, costs: 0 });
  bed = await bridgeBed({
    accounts: [account('brimar'), account('heidi')],
    tenants: [
      { name: 'brimar', account: 'brimar', erp: erp.erp(), more: outgoing('bridge') },
      { name: 'heidi', account: 'heidi', erp: erp.erp(), more: outgoing('origin'), surface: 'agent' },
    ],
    env: erp.env,
  });
  for (const booked of ['bridge', 'origin']) {
    const directory = join(bed.directory, `orders-${booked}`);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'a.jsonl'), `${JSON.stringify(invoice('SO-1'))}\n`);
  }
});
afterAll(async () => {
  await bed.close();
  await erp.ledger.close();
});

async function until(what: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('it never came about');
    await sleep(100);
  }
}

test('nothing leaves before somebody has confirmed the plan', async () => {
  const { prisma } = bed.database;
  await until(async () => (await prisma.submission.count()) >= 2);
  await sleep(300);
  expect(await prisma.submission.groupBy({ by: ['state'], _count: true })).toEqual([
    { state: 'received', _count: 2 },
  ]);
});

test('what was made at the service is booked once, or skipped where its origin has booked it', async () => {
  const { prisma } = bed.database;
  for (const tenantName of ['brimar', 'heidi'])
    await prisma.outgoingTenant.create({
      data: { tenantName, confirmedAt: new Date(), confirmedBy: 'test' },
    });
  const made = (tenantName: string) =>
    prisma.submission.findFirstOrThrow({ where: { tenantName, kind: 'invoice' } });
  await until(async () => (await prisma.submission.count({ where: { state: 'acknowledged' } })) === 4);
  const { guid } = await made('heidi');
  const original = bed.sandbox.control.invoice('heidi', guid!);
  // Somebody copies it in the service, mark and all.
  bed.sandbox.control.addDocuments('heidi', {
    invoices: [{ ...original, guid: 'a0a0a0a0-0000-4000-8000-000000000001', id: 990_001, number: '990001' }],
  });
  for (const name of ['brimar', 'heidi']) await bed.bridge.tenants.requestSweep(name);
  await until(
    async () => (await prisma.posting.count({ where: { state: { in: ['acknowledged', 'skipped'] } } })) === 3,
  );
  await bed.settled();
  expect(await bed.states('brimar')).toEqual({ acknowledged: 1 });
  const heidi = await prisma.posting.findMany({
    where: { tenantName: 'heidi' },
    include: { document: true },
  });
  expect(
    Object.fromEntries(heidi.map(({ state, reason, document }) => [document.guid, [state, reason]])),
  ).toEqual({
    [guid!]: ['skipped', 'BOOKED_AT_ORIGIN'],
    'a0a0a0a0-0000-4000-8000-000000000001': ['acknowledged', null],
  });
  await until(() =>
    Promise.resolve(bed.sandbox.control.invoice('heidi', guid!).accounting_status === 'Skipped'),
  );
  expect(erp.ledger.control.entries()).toHaveLength(2);
  const results = await readFile(join(bed.directory, 'orders-origin', 'results', 'a.jsonl.jsonl'), 'utf8');
  expect(JSON.parse(results)).toMatchObject({ reference: 'SO-1', state: 'created', guid });
});
