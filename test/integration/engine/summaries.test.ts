// One journal a day, on PostgreSQL: which documents are in it is fixed before it is sent, each is told to the source by itself, and each
// is undone alone.
import { afterAll, describe, expect, it } from 'vitest';
import { runAct } from '../../../src/operations/run-act.js';
import type { ErpAdapter, PostOutcome } from '../../../src/erp/erp-adapter.js';
import { checkOutside } from '../../../src/outside/check-outside.js';
import { vatOfJournal } from '../../../src/operations/vat/vat-ledger.js';
import { bookedIn } from '../../../src/operations/booked-entries.js';
import { compareDocuments } from '../../../src/operations/closing/compare-documents.js';
import { ContentCheck, readBooks } from '../../../src/operations/closing/content-check.js';
import { compareAccounts } from '../../../src/operations/closing/tally.js';
import { explainPosting } from '../../../src/operations/explain.js';
import { vatReport } from '../../../src/operations/vat/report.js';
import { reconcile } from '../../../src/sync/reconcile.js';
import { beginSummaries } from '../../../src/sync/begin-follow-ups.js';
import type { SimulatedDocument } from '../../../lab/proof/simulated-source.js';
import { createClosingStore } from '../../../src/store/closing-store.js';
import { createReconciliationStore } from '../../../src/store/reconciliation-store.js';
import { createSummaryStore } from '../../../src/store/follow-up-store.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import { testDatabase } from '../../support/database.js';
import { bookingBed } from '../../support/booking-bed.js';

const database = await testDatabase();
const { prisma, db } = database;
afterAll(() => database.close());

const HAND = { actor: 'anna', reason: 'rangt' };
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const DAY = daysAgo(3);
const PERIOD = { from: daysAgo(30), to: daysAgo(0) };

async function summariesBed(name: string) {
  const answers: ((key: string) => PostOutcome | null)[] = [];
  const told: string[] = [];
  const bed = await bookingBed(database, name, {
    rules: (rules) => ({
      ...rules,
      invoice: { ...rules.invoice, settlement: 'all' },
      summary: { invoices: 'daily', closesAfterHours: 25 },
    }),
    answer: (key) => answers.shift()?.(key),
    tell: (event) => {
      if ('guid' in event)
        told.push(`${event.guid} ${event.event} ${event.entry ?? '-'} ${event.reason?.code ?? '-'}`);
    },
    rounds: 4,
  });
  const { ledger, tenant, work } = bed;
  const store = createSummaryStore(db, 'worker');
  return {
    ...bed,
    ...{ answers, told },
    sell: (guid: string, more: Partial<SimulatedDocument> = {}) =>
      bed.handOver(guid, { issueDate: DAY, ...more }),
    summarise: async () => {
      const begun = await beginSummaries({ store }, tenant);
      await work();
      return begun;
    },
    summaries: () =>
      prisma.posting.findMany({
        where: { tenantName: name, kind: 'summary' },
        orderBy: { document: { guid: 'asc' } },
        include: { members: { orderBy: { position: 'asc' } }, document: true },
      }),
    /** Account → what all entries come to. */
    balances: () => {
      const totals: Record<string, number> = {};
      for (const { journal, reverses } of ledger.entries)
        for (const { account, debit, credit } of journal.lines)
          totals[account] =
            (totals[account] ?? 0) + debit.minus(credit).toNumber() * (reverses === null ? 1 : -1);
      return totals;
    },
  };
}

type SummariesBed = Awaited<ReturnType<typeof summariesBed>>;

/** Three sales of a day as one journal. */
async function threeBooked(name: string): Promise<SummariesBed> {
  const bed = await summariesBed(name);
  for (const guid of ['a1', 'a2', 'a3']) bed.sell(`${name}-${guid}`, { number: guid });
  await bed.post();
  await bed.summarise();
  return bed;
}

describe('the documents of a day that is closed', () => {
  it('are one entry, and each is told to the source by itself', async () => {
    const bed = await threeBooked('three');
    const [summary] = await bed.summaries();
    expect(summary).toMatchObject({ state: 'acknowledged', documentNo: `DAG-${DAY.replaceAll('-', '')}-R1` });
    expect(summary?.members).toHaveLength(3);
    expect(bed.ledger.entries.map(({ key }) => key)).toEqual([summary?.key]);
    for (const guid of ['a1', 'a2', 'a3']) {
      const row = await bed.row(`three-${guid}`);
      expect(row).toMatchObject({ state: 'acknowledged', reason: null, erpReference: summary?.erpReference });
      expect(bed.service.documents.get(`three-${guid}`)?.accountingStatus).toBe('Posted');
    }
    expect(bed.balances()).toEqual({ '1500': 3720, '2500': -720, '3000': -3000 });
    expect(await bed.summarise()).toBe(0);
  });

  it('of each it is told once that it was taken up and that it was booked, with the entry it is in', async () => {
    const bed = await threeBooked('news');
    const [summary] = await bed.summaries();
    const entry = summary?.erpNumber ?? 'none';
    expect(bed.told.sort()).toEqual(
      ['a1', 'a2', 'a3'].flatMap((guid) => [
        `news-${guid} document.posted ${entry} -`,
        `news-${guid} document.posting - IN_SUMMARY`,
      ]),
    );
  });

  it('one that comes late is in a second one; what was sent is not changed', async () => {
    const bed = await threeBooked('late');
    bed.sell('late-b1');
    await bed.post();
    expect((await bed.row('late-b1')).state).toBe('mapped');
    expect(await bed.summarise()).toBe(1);
    const summaries = await bed.summaries();
    expect(summaries.map(({ document, members }) => [document.guid, members.length])).toEqual([
      [`invoice.${DAY}.1`, 3],
      [`invoice.${DAY}.2`, 1],
    ]);
    expect((await bed.row('late-b1')).state).toBe('acknowledged');
  });

  it('wait while the day is not closed, however often a sweep lists them, and are read once more then', async () => {
    const bed = await summariesBed('today');
    const sale = bed.sell('today-a', { issueDate: daysAgo(0) });
    await bed.post();
    await bed.post();
    const waiting = await bed.row('today-a');
    expect(waiting).toMatchObject({ state: 'deferred', reason: 'AWAITS_SUMMARY', postingDate: daysAgo(0) });
    expect(Number(waiting.dueAt)).toBeGreaterThan(Date.now());
    expect(await bed.summarise()).toBe(0);
    // It is edited, and the day passes.
    Object.assign(sale, { amount: 2480, net: 2000, version: 2, amounts: [1240, 2480], issueDate: DAY });
    await prisma.posting.update({ where: { id: waiting.id }, data: { dueAt: new Date() } });
    await bed.work();
    await bed.summarise();
    expect(bed.balances()).toMatchObject({ '1500': 2480 });
  });

  it('one in doubt is found out about as a whole, and nobody is sent by itself meanwhile', async () => {
    const bed = await summariesBed('doubt');
    bed.answers.push((key) => {
      void key;
      return { outcome: 'unknown', message: 'lost' };
    });
    bed.sell('doubt-a');
    bed.sell('doubt-b');
    await bed.post();
    await bed.summarise();
    const row = await bed.row('doubt-a');
    expect(row).toMatchObject({ state: 'posting', reason: 'IN_SUMMARY', dueAt: null });
    // Somebody hurries it.
    await prisma.posting.update({ where: { id: row.id }, data: { dueAt: new Date() } });
    await bed.work();
    expect(bed.ledger.entries).toHaveLength(0);
    const [summary] = await bed.summaries();
    await prisma.$executeRaw`UPDATE attempt SET last_sent_at = now() - interval '1 hour', started_at = now() - interval '1 hour' WHERE posting_id = ${summary?.id}::uuid`;
    await prisma.posting.update({ where: { id: summary?.id ?? '' }, data: { dueAt: new Date() } });
    await bed.work();
    expect(bed.ledger.entries).toHaveLength(1);
    expect((await bed.row('doubt-b')).state).toBe('acknowledged');
  });

  it('a document that is held between being read and being sent is left out, and nothing is sent with it', async () => {
    const bed = await summariesBed('moved');
    bed.sell('moved-a');
    bed.sell('moved-b');
    await bed.post();
    const { id } = await bed.row('moved-a');
    const { prepare } = bed.tenant.erp;
    let isHeld = false;
    const erp: ErpAdapter = {
      ...bed.tenant.erp,
      prepare: async (request) => {
        if (!isHeld) await runAct(bed.operations, 'hold', [id], {}, HAND);
        isHeld = true;
        return prepare(request);
      },
    };
    Object.assign(bed.tenant, { erp });
    await bed.summarise();
    expect(bed.ledger.entries).toHaveLength(0);
    await prisma.posting.updateMany({
      where: { tenantName: 'moved', kind: 'summary' },
      data: { dueAt: new Date() },
    });
    await bed.work();
    expect(bed.balances()).toMatchObject({ '1500': 1240 });
    expect((await bed.row('moved-a')).state).toBe('held');
    expect((await bed.row('moved-b')).state).toBe('acknowledged');
  });

  it('a refusal that names an account rests on the documents that have it; the others are booked under the same key', async () => {
    const bed = await summariesBed('refused');
    const { rules } = bed.tenant;
    const own = { ...rules.invoice, revenueByItemNumber: { ...rules.invoice.revenueByItemNumber } };
    bed.sell('refused-a');
    await bed.post();
    // The second one has another revenue account.
    Object.assign(bed.tenant, {
      rules: { ...rules, invoice: { ...own, revenueByItemNumber: { V1: '3999' } } },
    });
    bed.sell('refused-b');
    await bed.post();
    bed.answers.push(() => ({
      outcome: 'rejected',
      code: 'unknown-account',
      message: 'no 3999',
      account: '3999',
    }));
    await bed.summarise();
    await bed.summarise();
    expect(await bed.row('refused-b')).toMatchObject({ state: 'held', reason: 'ERP_CONFIGURATION' });
    expect(await bed.row('refused-a')).toMatchObject({ state: 'acknowledged' });
    const summaries = await bed.summaries();
    expect(summaries.map(({ members, state }) => [members.length, state])).toEqual([[1, 'acknowledged']]);
    expect(bed.balances()).toMatchObject({ '1500': 1240, '3000': -1000 });
    const ofTheRefused = bed.told.filter((line) => line.startsWith('refused-b'));
    expect(ofTheRefused).toContain('refused-b document.held - ERP_CONFIGURATION');
    expect(new Set(ofTheRefused).size).toBe(ofTheRefused.length);
  });

  it('one that was paid when it was booked has its settlement to itself', async () => {
    const bed = await summariesBed('paid');
    bed.sell('paid-a', { status: 'Paid' });
    bed.sell('paid-b');
    await bed.post();
    await bed.summarise();
    expect(bed.ledger.entries.map(({ key }) => key[0])).toEqual(['D', 'S']);
    expect((await bed.row('paid-a')).state).toBe('acknowledged');
    expect(bed.balances()).toMatchObject({ '1500': 1240 });
  });
});

describe('whoever looks at it', () => {
  it('sees from each document the journal of its day, and from that its documents', async () => {
    const bed = await threeBooked('seen');
    const [summary] = await bed.summaries();
    const { id } = await bed.row('seen-a2');
    const explain = (of: string) => explainPosting(bed.operations, of, { askSource: true });
    const story = await explain(id);
    expect(story).toMatchObject({
      summary: { postingId: summary?.id, number: summary?.documentNo },
      members: [],
    });
    expect(story.journal?.lines).toHaveLength(3);
    const whole = await explain(summary?.id ?? '');
    expect(whole.members.map(({ number, totalIsk }) => `${number} ${totalIsk}`)).toEqual([
      'SRa1 1240',
      'SRa2 1240',
      'SRa3 1240',
    ]);
    expect(whole).toMatchObject({ summary: null, sourceNow: null });
    expect(whole.actions).toEqual([]);
  });

  it('is told why a document waits, and that what is on its way goes with the others', async () => {
    const bed = await summariesBed('told');
    bed.sell('told-today', { issueDate: daysAgo(0) });
    bed.sell('told-a');
    bed.answers.push(() => ({ outcome: 'unknown', message: 'lost' }));
    await bed.post();
    await bed.summarise();
    const explain = async (guid: string) =>
      explainPosting(bed.operations, (await bed.row(guid)).id, { askSource: false });
    expect((await explain('told-today')).sentence).toContain('waits for the journal of its day');
    const underWay = await explain('told-a');
    expect(underWay.sentence).toContain('on its way to the ERP with the other documents');
    expect(underWay.actions).toEqual([]);
    const connections = { ...bed.operations.connections, tenant: () => bed.tenant } as never;
    const { unposted } = await vatReport({ ...bed.operations, connections }, { tenant: 'told', ...PERIOD });
    expect(unposted.items.map(({ kind, guid }) => `${kind} ${guid}`).sort()).toEqual([
      'invoice told-a',
      'invoice told-today',
    ]);
  });
});

describe('a document of it that is undone', () => {
  it('is undone alone by an entry of its own, booked anew by itself, and all readers agree', async () => {
    const bed = await threeBooked('undone');
    const { id, key } = await bed.row('undone-a2');
    const { entries } = await runAct(bed.operations, 'reverse', [id], {}, HAND);
    expect(entries).toHaveLength(1);
    expect(bed.balances()).toEqual({ '1500': 2480, '2500': -480, '3000': -2000 });
    expect((await bed.row('undone-a1')).state).toBe('acknowledged');
    await agree(bed);
    await runAct(bed.operations, 'repost', [id], {}, HAND);
    await bed.work();
    expect((await bed.row('undone-a2')).state).toBe('acknowledged');
    expect(bed.balances()).toEqual({ '1500': 3720, '2500': -720, '3000': -3000 });
    expect(bed.ledger.entries.map((entry) => entry.key[0])).toEqual(['D', 'R', 'I']);
    expect(bed.ledger.liveOf(key)).toEqual([]);
    await agree(bed);
  });

  it('the whole is neither reversed nor skipped', async () => {
    const bed = await threeBooked('whole');
    const [summary] = await bed.summaries();
    const whole = runAct(bed.operations, 'reverse', [summary?.id ?? ''], {}, HAND);
    await expect(whole).rejects.toThrow(/its documents/);
    const { refused } = await runAct(bed.operations, 'skip', [summary?.id ?? ''], {}, HAND);
    expect(refused).toHaveLength(1);
  });
});

/** Reconciliation, the certificate, the VAT of the exports and whoever looks from outside. */
async function agree(bed: SummariesBed): Promise<void> {
  const { tenant, ledger } = bed;
  const { differences } = await reconcile(createReconciliationStore(db), tenant, PERIOD, SYSTEM_RUNTIME);
  expect(differences).toEqual([]);
  const books = await readBooks(tenant, PERIOD);
  const listed = [...bed.service.documents.values()].map(
    ({ guid, kind, number, amount }) =>
      [
        guid,
        {
          guid,
          kind,
          number,
          amount: String(amount),
          currency: 'ISK',
          contentHash: '',
          accountingStatus: 'Posted',
        },
      ] as const,
  );
  const source = { documents: new Map(listed), problems: [] } as never;
  const records = createClosingStore(database);
  const compared = await compareDocuments(
    {
      ...{ records, books, onProgress: () => undefined, period: PERIOD },
      tenant: { ...tenant, originals: { keep: false } } as never,
      source,
      content: new ContentCheck({ source: tenant.source, listed: source, records, runtime: SYSTEM_RUNTIME }),
    },
    () => Promise.resolve(),
  );
  expect(compared.differences).toEqual([]);
  expect(compareAccounts(compared.accounts, books?.accounts ?? null).filter(({ agrees }) => !agrees)).toEqual(
    [],
  );
  expect(compared.entries).toBe(books?.count);
  let vat = 0;
  for await (const [, { journal }] of bookedIn(bed.operations.records, { tenant: tenant.name, ...PERIOD }))
    for (const row of journal === null ? [] : vatOfJournal(journal, tenant.rules)) vat += row.vat.toNumber();
  expect(vat).toBe(-(bed.balances()['2500'] ?? 0));
  const { findings } = checkOutside({
    ...{
      environment: 'production',
      sourceAccount: tenant.name,
      ledger: tenant.erp.ledger,
      settledBefore: null,
    },
    documents: listed.map(([guid, { kind, number, amount }]) => ({
      ...{ guid, kind, number, amount, handedOverAt: null },
      accountingStatus: bed.service.documents.get(guid)?.accountingStatus ?? '',
    })),
    entries: ledger.entries.map(({ id, key, journal }) => ({
      ...{ id, key, isReversed: false },
      amount: journal.lines.reduce((sum, { debit }) => sum + debit.toNumber(), 0).toFixed(),
      lines: journal.lines.map(({ text, debit, credit }) => ({ text, amount: debit.plus(credit).toFixed() })),
    })),
  });
  // What was undone and not booked anew is still called Posted by the source.
  const undone = (await prisma.posting.count({ where: { tenantName: tenant.name, state: 'reversed' } })) > 0;
  expect(findings.map(({ kind }) => kind)).toEqual(undone ? ['posted-without-entry'] : []);
}

describe('the database', () => {
  it('refuses to send a document of a summary by itself, and to let one go that is in the books', async () => {
    const bed = await threeBooked('guarded');
    const { id } = await bed.row('guarded-a1');
    const attempt = prisma.$executeRaw`
      INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by)
      VALUES (gen_random_uuid(), ${id}::uuid, 1, 1, 'main', 'k', '{}', now(), now())`;
    await expect(attempt).rejects.toThrow(/not sent by itself/);
    await expect(prisma.summaryMember.deleteMany({ where: { postingId: id } })).rejects.toThrow(
      /in the books/,
    );
  });
});
