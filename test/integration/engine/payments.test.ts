// Invoices that are paid after they were posted, on PostgreSQL: found once a day, booked once each, taken back once each.
import { afterAll, describe, expect, it } from 'vitest';
import { runAct } from '../../../src/operations/run-act.js';
import { journalFromJson } from '../../../src/domain/journal-json.js';
import { settlementKey } from '../../../src/domain/posting-key.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { followPayments } from '../../../src/sync/begin-follow-ups.js';
import { sweep } from '../../../src/sync/intake.js';
import { createPaymentStore } from '../../../src/store/follow-up-store.js';
import { markRestored } from '../../../src/store/witness.js';
import { testDatabase } from '../../support/database.js';
import { bookingBed } from '../../support/booking-bed.js';
import { CUT_OVER } from '../../support/pipeline-bed.js';

const database = await testDatabase();
const { prisma, db } = database;
afterAll(() => database.close());

async function paymentsBed(name: string, capabilities: Partial<ErpAdapter['capabilities']> = {}) {
  const bed = await bookingBed(database, name, {
    capabilities,
    rules: (rules) => ({ ...rules, invoice: { ...rules.invoice, settlement: 'all' } }),
  });
  const { tenant, work } = bed;
  const follow = { ...bed.intake, store: createPaymentStore(db) };
  return {
    ...bed,
    /** As on the next day. */
    follow: async () => {
      const begun = await followPayments(follow, tenant, 0);
      await work();
      return begun;
    },
    followToday: () => followPayments(follow, tenant),
    payments: () =>
      prisma.posting.findMany({
        where: { tenantName: name, kind: 'payment' },
        orderBy: { discoveredAt: 'asc' },
        include: { document: true },
      }),
  };
}

const linesOf = (journal: string | null) =>
  journalFromJson(journal ?? '').lines.map(
    ({ account, debit, credit }) => `${account} ${debit.minus(credit).toFixed()}`,
  );

describe('an invoice that is paid a week after it was posted', () => {
  it('is settled once, under a key of its own, and the source is told nothing', async () => {
    const bed = await paymentsBed('later');
    const invoice = bed.handOver('one');
    await bed.post();
    expect(await bed.follow()).toBe(0);
    invoice.status = 'Paid';
    const writes = bed.service.writes.length;
    expect(await bed.follow()).toBe(1);
    expect(await bed.follow()).toBe(0);
    const [payment, ...more] = await bed.payments();
    expect(more).toEqual([]);
    expect(payment).toMatchObject({ state: 'acknowledged', document: { referGuid: 'one', number: 'one' } });
    expect(payment?.key).toMatch(/^S/);
    expect(linesOf(payment?.journal ?? null)).toEqual(['1940 1240', '1500 -1240']);
    expect(payment?.postingDate).toBe(new Date().toISOString().slice(0, 10));
    expect(bed.ledger.entries.map(({ key }) => key)).toHaveLength(2);
    expect(bed.service.writes).toHaveLength(writes);
  });

  it('in two parts, of which the second is taken back', async () => {
    const bed = await paymentsBed('parts');
    const invoice = bed.handOver('one');
    await bed.post();
    invoice.isHalfPaid = true;
    await bed.follow();
    invoice.status = 'Paid';
    await bed.follow();
    invoice.status = 'Sent';
    await bed.follow();
    const payments = await bed.payments();
    expect(payments.map(({ journal }) => linesOf(journal))).toEqual([
      ['1910 620', '1500 -620'],
      ['1940 620', '1500 -620'],
      // The half that came by the claim is still there.
      ['1940 -620', '1500 620'],
    ]);
    expect(new Set(payments.map(({ key }) => key)).size).toBe(3);
  });

  it('is not looked at twice a day, and never where the tenant settles nothing', async () => {
    const bed = await paymentsBed('seldom');
    bed.handOver('one');
    await bed.post();
    expect(await bed.followToday()).toBe(0);
    expect(await bed.followToday()).toBeNull();
    const { intake, ...settles } = { intake: bed.intake, ...bed.tenant.rules };
    const tenant = {
      ...bed.tenant,
      rules: { ...settles, invoice: { ...settles.invoice, settlement: 'none' as const } },
    };
    expect(await followPayments({ ...intake, store: createPaymentStore(db) }, tenant, 0)).toBeNull();
  });

  it('is not booked when the payment was taken back before the bridge came to it', async () => {
    const bed = await paymentsBed('moot');
    const invoice = bed.handOver('one');
    await bed.post();
    invoice.status = 'Paid';
    await followPayments({ ...bed.intake, store: createPaymentStore(db) }, bed.tenant, 0);
    invoice.status = 'Sent';
    await bed.work();
    expect((await bed.payments())[0]).toMatchObject({ state: 'skipped', reason: 'NOTHING_TO_SETTLE' });
    invoice.status = 'Paid';
    await bed.follow();
    expect((await bed.payments())[1]).toMatchObject({ state: 'acknowledged', document: { guid: 'one.2' } });
  });

  it('a follow-up that was killed goes on where it was', async () => {
    const bed = await paymentsBed('killed');
    const invoice = bed.handOver('one');
    await bed.post();
    await bed.followToday();
    invoice.status = 'Paid';
    await prisma.paymentCursor.update({
      where: { tenantName: 'killed' },
      data: { fromDate: invoice.issueDate },
    });
    expect(await bed.followToday()).toBe(1);
    expect(await prisma.paymentCursor.findUnique({ where: { tenantName: 'killed' } })).toMatchObject({
      fromDate: null,
      seenUntil: invoice.issueDate,
    });
  });
});

describe('what people do to a paid invoice', () => {
  const act = { actor: 'anna', reason: 'wrong customer' };

  it('its entry is reversed only after its payment', async () => {
    const bed = await paymentsBed('reversed');
    const invoice = bed.handOver('one');
    await bed.post();
    invoice.status = 'Paid';
    await bed.follow();
    const { id } = await bed.row('one');
    await expect(runAct(bed.operations, 'reverse', [id], {}, act)).rejects.toThrow(
      'Its payment was booked after it',
    );
    const [payment] = await bed.payments();
    await runAct(bed.operations, 'reverse', [payment?.id ?? ''], {}, act);
    // What a person has undone is theirs: it is not booked again by itself.
    expect(await bed.follow()).toBe(0);
    await runAct(bed.operations, 'reverse', [id], {}, act);
    expect(await bed.row('one')).toMatchObject({ state: 'reversed' });
  });
});

// Last, since it is the database of all of them that goes back.
describe('a restored database that has forgotten that the invoice was settled when it was booked', () => {
  it('does not book the same payment once more: a person compares', async () => {
    const bed = await paymentsBed('forgot');
    bed.handOver('one', { status: 'Paid' });
    await bed.post();
    expect(bed.ledger.entries).toHaveLength(2);
    await prisma.$executeRaw`
      UPDATE posting SET settlement = NULL, settlement_reference = NULL WHERE tenant_name = 'forgot'`;
    await markRestored(db, { by: 'anna', reason: 'disk failure' });
    await prisma.$executeRaw`UPDATE bridge SET restored_at = now() - interval '1 hour'`;
    expect(await bed.follow()).toBe(1);
    const [payment] = await bed.payments();
    expect(payment).toMatchObject({
      state: 'parked',
      reason: 'ERP_COLLISION',
      reasonParams: expect.stringContaining('SETTLED_BEFORE_RESTORE') as string,
    });
    expect(bed.ledger.entries).toHaveLength(2);
  });

  it('waits for a settlement that may still be on its way, also where the ERP refuses a second entry', async () => {
    const bed = await paymentsBed('on-its-way', { idempotency: 'unique-reference' });
    const invoice = bed.handOver('one');
    await bed.post();
    invoice.status = 'Paid';
    await prisma.$executeRaw`UPDATE bridge SET restored_at = now()`;
    expect(await bed.follow()).toBe(1);
    // Nothing was sent: under another key the ERP would have taken it beside the settlement.
    expect(bed.ledger.entries).toHaveLength(1);
    expect((await bed.payments())[0]).toMatchObject({ erpReference: null });
  });

  it.each(['paid then', 'never paid'])(
    'finds the entry of an invoice that is unpaid now and was %s: a payment in the books is shown to a person',
    async (how) => {
      const bed = await paymentsBed(how.replace(' ', '-'));
      await prisma.$executeRaw`UPDATE bridge SET restored_at = now() - interval '1 hour'`;
      bed.handOver('like', { status: 'Paid' });
      await bed.post();
      const [main, settlement] = (
        await prisma.attempt.findMany({
          where: { posting: { tenantName: how.replace(' ', '-') } },
          orderBy: { number: 'asc' },
        })
      ).map(({ request }) => request);
      bed.handOver('one');
      await sweep(bed.intake, bed.tenant, 'invoice', CUT_OVER);
      const { id, key } = await bed.row('one');
      bed.ledger.take({ key, request: main ?? '' });
      if (how === 'paid then') bed.ledger.take({ key: settlementKey(key), request: settlement ?? '' });
      await advancePosting(bed.stage, bed.tenant, id, 'me');
      const { state, reasonParams } = await bed.row('one');
      expect(reasonParams?.includes('PAID_BEFORE_RESTORE') ?? false).toBe(how === 'paid then');
      if (how === 'paid then') expect(state).toBe('parked');
      expect(bed.ledger.entries).toHaveLength(how === 'paid then' ? 4 : 3);
    },
  );
});
