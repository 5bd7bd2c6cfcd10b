// A draft that people at the service make an invoice of, in a whole bridge whose origin has its sales in its own books: the origin hears the
// number, the invoice is not booked a second time, and a copy that somebody makes of it is booked like any other.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { invoice } from '../../support/outbound-bed.js';

let bed: Bed;
let erp: HttpErp;
const BOOKED = ['bridge', 'origin'] as const;

beforeAll(async () => {
  erp = await httpErp();
  const outgoing = (booked: string) => ({
    booked,
    origins: [{ name: 'orders', type: 'folder', directory: `../../${booked}`, stableSeconds: 1 }],
  });
  bed = await bridgeBed({
    accounts: BOOKED.map((username) => ({ username, invoices: 0, costs: 0 })),
    tenants: BOOKED.map((name) => ({
      ...{ name, account: name, erp: erp.erp() },
      more: { outgoing: outgoing(name) },
    })),
    env: erp.env,
  });
  const by = { confirmedAt: new Date(), confirmedBy: 'test' };
  for (const tenantName of BOOKED) {
    await bed.database.prisma.outgoingTenant.create({ data: { tenantName, ...by } });
    const directory = join(bed.directory, tenantName);
    await mkdir(directory, { recursive: true });
    await writeFile(
      join(directory, 'a.jsonl'),
      `${JSON.stringify(invoice('D-1', { kind: 'draft' }))}\n${JSON.stringify(invoice('P-1', { kind: 'order' }))}\n`,
    );
  }
});
afterAll(async () => {
  await bed.close();
  await erp.ledger.close();
});

async function until(what: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error(JSON.stringify(await rows()));
    await sleep(100);
  }
}

const prepared = { kind: { in: ['draft', 'order'] } };
const rows = () => bed.database.prisma.submission.findMany({ where: prepared });
const postings = (tenantName: string) =>
  bed.database.prisma.posting.findMany({ where: { tenantName }, include: { document: true } });
const row = (tenantName: string, reference: string) =>
  bed.database.prisma.submission.findFirstOrThrow({ where: { tenantName, reference, ...prepared } });

async function results(tenantName: string, reference: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(bed.directory, tenantName, 'results', 'a.jsonl.jsonl'), 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter((line) => line['reference'] === reference);
}

test('its origin hears the number of the invoice, once, and it is in the books of one side', async () => {
  const { control } = bed.sandbox;
  await until(async () => (await rows()).filter(({ state }) => state === 'acknowledged').length === 4);
  const made = new Map<string, string>();
  for (const name of BOOKED)
    for (const reference of ['D-1', 'P-1'])
      made.set(`${name} ${reference}`, control.issuePrepared(name, (await row(name, reference)).guid!));
  for (const name of BOOKED) await bed.bridge.tenants.requestSweep(name);
  await until(async () => (await rows()).every(({ number }) => number !== null));
  for (const name of BOOKED)
    for (const reference of ['D-1', 'P-1']) {
      const { guid } = await row(name, reference);
      const { number } = control.invoice(name, made.get(`${name} ${reference}`)!);
      expect(
        (await results(name, reference)).map((line) => [line['state'], line['guid'], line['number']]),
      ).toEqual([
        ['created', guid, null],
        ['created', guid, String(number)],
      ]);
    }
  await until(async () => {
    const all = [...(await postings('bridge')), ...(await postings('origin'))];
    return all.length === 4 && all.every(({ state }) => ['acknowledged', 'skipped'].includes(state));
  });
  expect(await bed.states('bridge')).toEqual({ acknowledged: 2 });
  expect((await postings('origin')).map(({ state, reason }) => [state, reason])).toEqual(
    Array(2).fill(['skipped', 'BOOKED_AT_ORIGIN']),
  );
  expect(erp.ledger.control.entries()).toHaveLength(2);
});

test('a copy that somebody makes of it waits until the service was asked, and is booked', async () => {
  const { prisma } = bed.database;
  const [first] = await postings('origin');
  const original = bed.sandbox.control.invoice('origin', first!.document.guid);
  const guid = 'a0a0a0a0-0000-4000-8000-000000000001';
  bed.sandbox.control.addDocuments('origin', {
    invoices: [{ ...original, guid, id: 990_001, number: '990001', accounting_status: 'Created' }],
  });
  await bed.bridge.tenants.requestSweep('origin');
  const copied = () =>
    prisma.posting.findFirst({
      where: { tenantName: 'origin', document: { guid } },
      include: { document: true },
    });
  await until(async () => (await copied())?.state === 'deferred');
  expect(await copied()).toMatchObject({ reason: 'ORIGIN_IN_DOUBT' });
  // Later than lists of the service may be behind.
  const { id, documentId } = (await copied())!;
  await prisma.document.update({
    where: { id: documentId },
    data: { firstSeenAt: new Date(Date.now() - 10 * 60_000) },
  });
  const due = { dueAt: new Date() };
  await until(async () => {
    await prisma.posting.updateMany({ where: { id, state: 'deferred' }, data: due });
    return (await copied())?.state === 'acknowledged';
  });
  expect(erp.ledger.control.entries()).toHaveLength(3);
});
