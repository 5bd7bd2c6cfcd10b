// What a reconciliation finds where the counts agree: entries that no record claims, and booked documents that the service no longer
// stands by.
import { afterAll, describe, expect, test } from 'vitest';
import type { PreparedPost } from '../../../src/erp/erp-adapter.js';
import { reconcile } from '../../../src/sync/reconcile.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { createReconciliationStore } from '../../../src/store/reconciliation-store.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

const GUIDS = ['first', 'second', 'third'];

/** Three invoices in the books. */
async function scene(name: string) {
  const bed = await pipelineBed(database, name);
  const post = (prepared: PreparedPost) => Promise.resolve(bed.ledger.take(prepared));
  const tenant = { ...bed.tenant, erp: { ...bed.tenant.erp, post } };
  const work = async () => {
    await sweep({ ...bed.intake, batch: 500 }, tenant, 'invoice', CUT_OVER);
    for (let round = 0; round < 20; round++) {
      const due = await prisma.posting.findMany({
        where: { tenantName: name, dueAt: { lte: new Date() }, NOT: { state: 'parked' } },
      });
      if (due.length === 0) return;
      for (const { id } of due) await advancePosting(bed.stage, tenant, id, 'me');
    }
    throw new Error('it does not come to rest');
  };
  for (const guid of GUIDS) bed.handOver(guid);
  await work();
  for (const guid of GUIDS) expect((await bed.row(guid)).state).toBe('acknowledged');
  const store = createReconciliationStore(database.db);
  const look = () => reconcile(store, tenant, { from: CUT_OVER, to: '2099-12-31' }, SYSTEM_RUNTIME);
  const found = async () => (await look()).differences.map(({ code, params }) => [code, params?.['number']]);
  const shown = (guid: string) => bed.service.documents.get(guid)!;
  return { ...bed, tenant, work, look, found, shown };
}

describe('a reconciliation', () => {
  test('is clean when every entry is claimed and every booked document is Posted', async () => {
    const { look } = await scene('agreed');
    expect(await look()).toMatchObject({ clean: true, entries: { erp: 3, local: 3 } });
  });

  test('names the entry of a document that is on record as not booked', async () => {
    const { row, look, found } = await scene('unclaimed');
    const { id } = await row('second');
    // A request that arrived after somebody had said that it never would.
    await prisma.$transaction([
      prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
      prisma.posting.update({
        where: { id },
        data: { state: 'parked', erpReference: null, erpNumber: null, postingDate: null },
      }),
    ]);
    const { clean, entries } = await look();
    expect([clean, entries]).toEqual([false, { erp: 3, local: 2 }]);
    expect(await found()).toEqual([['ENTRY_NOT_CLAIMED', 'second']]);
  });

  test('names a booked document that was deleted at the service, though both sides count the same', async () => {
    const { shown, row, stage, tenant, found, look } = await scene('deleted');
    shown('second').deleted = true;
    const { id } = await row('second');
    await prisma.document.updateMany({
      where: { tenantName: 'deleted', guid: 'second' },
      data: { sourceStatus: 'gone' },
    });
    await advancePosting(stage, tenant, id, 'me');
    const { counts } = await look();
    expect(counts.find(({ kind, status }) => kind === 'invoice' && status === 'Posted')).toMatchObject({
      source: 2,
      local: 2,
    });
    expect(await found()).toEqual([['BOOKED_NOT_POSTED', 'second']]);
  });

  test('names a booked document that was set back while the count is made up by another', async () => {
    const { shown, handOver, found } = await scene('exchanged');
    shown('second').accountingStatus = 'Skipped';
    handOver('by-hand', { accountingStatus: 'Posted' });
    expect(await found()).toEqual([['BOOKED_NOT_POSTED', 'second']]);
  });

  test('asks for the document before it says that the service no longer calls it Posted', async () => {
    const { service, found, kernel } = await scene('late-list');
    service.listsLate.set('second', kernel.nowMs + 60_000);
    // The count is late as well.
    expect((await found()).map(([code]) => code)).toEqual(['COUNT_DIFFERS']);
  });

  test('names an invoice that was cancelled after it was booked, until a credit note answers it', async () => {
    const { shown, handOver, work, found, row } = await scene('cancelled');
    shown('second').status = 'Cancelled';
    expect(await found()).toEqual([['CANCELLED_IN_BOOKS', 'second']]);
    handOver('credited', { amount: -1240, net: -1000, credits: 'second' });
    await work();
    expect((await row('credited')).state).toBe('acknowledged');
    expect(await found()).toEqual([]);
  });
});
