// Invoices that were cancelled before they were booked, and the credit notes that answer them: both are booked or neither, in whatever
// order they are found.
import { afterAll, describe, expect, test } from 'vitest';
import { sum } from '../../../src/domain/money.js';
import type { PreparedPost } from '../../../src/erp/erp-adapter.js';
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import type { TenantContext } from '../../../src/sync/tenant-context.js';
import { groupProblems, inboxRows } from '../../../src/operations/causes.js';
import { readCauses } from '../../../src/store/operations/cause-reader.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

type Rules = TenantContext['rules'];

async function scene(name: string, about: (rules: Rules) => Rules = (rules) => rules) {
  const bed = await pipelineBed(database, name);
  const post = (prepared: PreparedPost) => Promise.resolve(bed.ledger.take(prepared));
  const erp = { ...bed.tenant.erp, post };
  const company = { ...bed.tenant, erp, rules: about(bed.tenant.rules) };
  const look = (source: InvoicingSource = company.source, batch = 500) =>
    sweep({ ...bed.intake, batch }, { ...company, source }, 'invoice', CUT_OVER);
  /** Everything that is due, until nothing is. */
  const work = async () => {
    for (let round = 0; round < 20; round++) {
      const due = await prisma.posting.findMany({
        where: { tenantName: name, dueAt: { lte: new Date() }, NOT: { state: 'parked' } },
        orderBy: { discoveredAt: 'asc' },
      });
      if (due.length === 0) return;
      for (const { id } of due) await advancePosting(bed.stage, company, id, 'me');
    }
    throw new Error('it does not come to rest');
  };
  /** Hours go by: the next sweep is a full one, and whatever waits looks again. */
  const later = async () => {
    await prisma.cursor.updateMany({ where: { tenantName: name }, data: { fullSweepDue: true } });
    await look();
    await prisma.$executeRaw`UPDATE posting SET due_at = now() - interval '1 millisecond' WHERE tenant_name = ${name} AND due_at IS NOT NULL`;
    await work();
  };
  const stands = async (guid: string) => {
    const { state, reason } = await bed.row(guid);
    return reason === null ? state : `${state} ${reason}`;
  };
  const sell = (guid: string, more = {}) => bed.handOver(guid, { status: 'Cancelled', ...more });
  const credit = (guid: string, credits: string, more = {}) =>
    bed.handOver(guid, { amount: -1240, net: -1000, credits, ...more });
  const incidents = () => prisma.incident.findMany({ where: { tenantName: name } });
  return { ...bed, company, look, work, later, stands, sell, credit, incidents };
}

const skipping = (rules: Rules): Rules => ({ ...rules, invoice: { ...rules.invoice, cancelled: 'skip' } });

type Scene = Awaited<ReturnType<typeof scene>>;

/** Both are there, each once, and together they are nothing. */
async function expectPair({ stands, ledger, service }: Scene) {
  expect(await stands('sold')).toBe('acknowledged');
  expect(await stands('credited')).toBe('acknowledged');
  expect(ledger.entries).toHaveLength(2);
  const lines = ledger.entries.flatMap(({ journal }) => journal.lines);
  for (const account of new Set(lines.map((line) => line.account))) {
    const own = lines.filter((line) => line.account === account);
    expect(sum(own.map(({ debit, credit }) => debit.minus(credit))).toNumber(), account).toBe(0);
  }
  for (const guid of ['sold', 'credited'])
    expect(service.documents.get(guid)).toMatchObject({ accountingStatus: 'Posted' });
}

/** A service whose lists say less than its documents. */
function withoutReferences(source: InvoicingSource): InvoicingSource {
  return {
    ...source,
    list: async (query, page) => {
      const read = await source.list(query, page);
      const documents = read.documents.map(({ referGuid: _left, ...document }) => document);
      return { ...read, documents };
    },
  };
}

describe.each(['park', 'skip'] as const)('where the rules %s what no credit note answers', (rule) => {
  const about = rule === 'skip' ? skipping : undefined;

  test.each([
    ['the invoice first, on one page', ['sold', 'credited'], 7],
    ['the credit note first, on one page', ['credited', 'sold'], 7],
    ['the invoice first, on pages of their own', ['sold', 'credited'], 1],
    ['the credit note first, on pages of their own', ['credited', 'sold'], 1],
  ])('a cancelled invoice and its credit note are both booked, each once: %s', async (how, order, size) => {
    const bed = await scene(`${rule}-${how.replaceAll(/\W+/g, '-')}`, about);
    for (const guid of order)
      if (guid === 'sold') bed.sell('sold');
      else bed.credit('credited', 'sold');
    bed.service.pageSize = size;
    await bed.look(undefined, size);
    await bed.work();
    await bed.later();
    await expectPair(bed);
  });

  test.each([
    ['the invoice', true],
    ['the credit note', false],
  ])('and when a sweep finds %s, and a later one the other', async (first, isInvoiceFirst) => {
    const bed = await scene(`${rule}-sweeps-${first.replaceAll(' ', '-')}`, about);
    if (isInvoiceFirst) bed.sell('sold');
    else {
      bed.sell('sold', { accountingStatus: '' });
      bed.credit('credited', 'sold');
    }
    await bed.look();
    await bed.work();
    if (isInvoiceFirst) bed.credit('credited', 'sold');
    else Object.assign(bed.service.documents.get('sold') ?? {}, { accountingStatus: 'Created' });
    await bed.look();
    await bed.work();
    await bed.later();
    await expectPair(bed);
  });

  test('and where lists do not say which invoice a credit note refers to', async () => {
    const bed = await scene(`${rule}-short-lists`, about);
    bed.sell('sold');
    bed.credit('credited', 'sold');
    await bed.look(withoutReferences(bed.tenant.source));
    const { id } = await bed.row('sold');
    await advancePosting(bed.stage, bed.company, id, 'me');
    expect(await bed.stands('sold')).toBe('deferred WAIT_FOR_CREDIT_NOTE');
    await bed.work();
    await bed.later();
    await bed.later();
    await expectPair(bed);
  });

  test('a credit note that is still a draft keeps its invoice waiting', async () => {
    const bed = await scene(`${rule}-draft`, about);
    bed.sell('sold');
    const note = bed.credit('credited', 'sold', { status: 'Draft' });
    await bed.look();
    await bed.work();
    await bed.later();
    await bed.later();
    expect(await bed.stands('sold')).toBe('deferred WAIT_FOR_CREDIT_NOTE');
    note.status = 'Sent';
    await bed.later();
    await bed.later();
    await expectPair(bed);
  });

  test.each([
    ['was deleted', { deleted: true }],
    ['was cancelled as well', { status: 'Cancelled' }],
    ['was skipped by a person', { accountingStatus: 'Skipped' }],
  ])('a credit note that %s answers nothing: neither is booked', async (how, fact) => {
    const bed = await scene(`${rule}-${how.replaceAll(' ', '-')}`, about);
    bed.sell('sold');
    const note = bed.credit('credited', 'sold');
    await bed.look();
    Object.assign(note, fact);
    await bed.work();
    await bed.later();
    await bed.later();
    expect(bed.ledger.entries).toEqual([]);
    expect(await bed.stands('sold')).toBe(rule === 'skip' ? 'skipped CANCELLED' : 'held CANCELLED');
  });
});

test('a cancelled invoice that no credit note answers is held, and its amount is named; a credit note that comes later takes it along', async () => {
  const bed = await scene('lonely');
  bed.sell('sold');
  await bed.look();
  await bed.work();
  expect(await bed.stands('sold')).toBe('deferred WAIT_FOR_CREDIT_NOTE');
  await bed.later();
  const held = await bed.row('sold');
  expect(held).toMatchObject({ state: 'held', reason: 'CANCELLED' });
  expect(held.reasonParams).toContain('1240');
  expect(bed.service.documents.get('sold')).toMatchObject({ accountingStatus: 'Created' });
  bed.credit('credited', 'sold');
  await bed.look();
  await bed.work();
  await bed.work();
  await expectPair(bed);
});

test('where the rules skip it, that is decided after a complete list and everything on it was read, and told with its amount', async () => {
  const bed = await scene('skipped', skipping);
  bed.sell('sold');
  await bed.look();
  await bed.work();
  expect(await bed.stands('sold')).toBe('deferred WAIT_FOR_CREDIT_NOTE');
  // It looks again before the next full sweep: nothing is known yet.
  await prisma.$executeRaw`UPDATE posting SET due_at = now() - interval '1 millisecond' WHERE tenant_name = 'skipped'`;
  await bed.work();
  expect(await bed.stands('sold')).toBe('deferred WAIT_FOR_CREDIT_NOTE');
  expect(bed.service.writes).toEqual([]);
  await bed.later();
  expect(await bed.stands('sold')).toBe('skipped CANCELLED');
  expect(bed.service.documents.get('sold')).toMatchObject({ accountingStatus: 'Skipped' });
  const [told] = await bed.incidents();
  expect(told).toMatchObject({ code: 'CANCELLED_SKIPPED', severity: 'warning', state: 'open' });
  expect(told?.params).toContain('1240');
});

describe('what waits for another document', () => {
  const problems = async (name: string) => groupProblems(await readCauses(database.db, [name]), 'en');

  test('is among the problems after an hour, and goes on by itself', async () => {
    const bed = await scene('waiting');
    bed.sell('sold', { status: 'Sent', accountingStatus: 'Error' });
    bed.credit('credited', 'sold');
    await bed.look();
    await bed.work();
    expect(await bed.stands('credited')).toBe('deferred WAIT_FOR_ORIGINAL');
    expect(await problems('waiting')).toEqual([]);
    await prisma.$executeRaw`UPDATE posting SET state_since = now() - interval '70 minutes' WHERE tenant_name = 'waiting'`;
    expect(await problems('waiting')).toEqual([
      expect.objectContaining({
        id: 'WAIT_FOR_ORIGINAL:original sold',
        count: 1,
        states: ['deferred'],
        needsPerson: false,
        action: 'none',
      }),
    ]);
  });

  test('and a cancelled invoice that nothing answers needs a person, who is shown the rule', async () => {
    const bed = await scene('shown');
    bed.sell('sold');
    await bed.look();
    await bed.work();
    await bed.later();
    const [problem] = await problems('shown');
    expect(problem).toMatchObject({ code: 'CANCELLED', needsPerson: true });
    expect(problem?.sentence).toContain('1240 ISK');
    const [row] = inboxRows(await readCauses(database.db, ['shown']), () => null, 'en');
    expect(row?.mend.example).toContain('cancelled: skip');
  });
});

test('a credit note to an invoice from before the cut-over is booked at once, with a warning', async () => {
  const bed = await scene('before', (rules) => ({ ...rules, skip: { before: '2026-03-01' } }));
  bed.sell('sold', { status: 'Sent', issueDate: '2026-02-01' });
  bed.credit('credited', 'sold', { issueDate: '2026-03-05' });
  await bed.look();
  await bed.work();
  expect(await bed.stands('sold')).toBe('skipped BEFORE_CUT_OVER');
  expect(await bed.row('credited')).toMatchObject({
    state: 'acknowledged',
    warnings: expect.arrayContaining(['ORIGINAL_BEFORE_CUT_OVER']) as unknown,
  });
});

test('and one to an invoice from before the day on which the bridge took over, which it never saw', async () => {
  const bed = await scene('took-over');
  bed.sell('sold', { status: 'Sent', issueDate: '2025-12-31' });
  bed.credit('credited', 'sold', { issueDate: '2026-03-05' });
  await bed.look();
  await bed.work();
  expect(await bed.row('credited')).toMatchObject({ state: 'acknowledged' });
});
