// Receipts from a drop directory into the cost register, each file once by its hash: while replies are lost, AI takes its time and
// processes are killed at every step; and taken back only where the service allows that.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { message } from '../../../src/language/messages.js';
import type { TestDatabase } from '../../support/database.js';
import { outgoingBed, type OutgoingBedOptions, testDatabase } from '../../support/outbound-bed.js';

type Bed = Awaited<ReturnType<typeof outgoingBed>>;

let database: TestDatabase;
let bed: Bed;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

async function opened(options: Omit<OutgoingBedOptions, 'database'> = {}): Promise<Bed> {
  bed = await outgoingBed({ ...options, database });
  return bed;
}

const pdf = (text: string) => `%PDF-1.4\n${text}`;
const KNOWN = {
  ...{ date: '2026-11-02', amount: 12400, how_paid: 3, vat_24: 2400, description: 'Prentun' },
  ...{ supplier_name: 'Prentsmiðjan ehf.', supplier_id: '5402696029', type: '2353' },
};

/** The costs at the service, whatever they are. */
function costs() {
  const { sandbox } = bed;
  return sandbox.control.documents('hraun', { kind: 'cost' });
}

const rows = () => bed.prisma.submission.findMany({ where: { tenantName: bed.name } });

describe.each(['credential', 'agent'] as const)('over the %s surface', (surface) => {
  test('each file is one cost, whatever it is called, and the folder hears of its guid', async () => {
    const { drop, settle, results, prisma, name } = await opened({ surface, wish: { costAi: false } });
    await drop('2026-11-01 Bensín.pdf', pdf('a'));
    await drop('afrit.pdf', pdf('a'));
    await drop('prentun.pdf', pdf('b'));
    await drop('prentun.pdf.json', JSON.stringify(KNOWN));
    await settle();
    expect(Object.fromEntries(costs().map(({ issueDate, amount }) => [issueDate, amount]))).toEqual({
      '2026-11-01': 0,
      '2026-11-02': 12_400,
    });
    expect(await results('prentun.pdf', 'receipts')).toMatchObject([
      { kind: 'cost', state: 'created', guid: (await rows()).find(({ amount }) => amount?.eq(12400))!.guid },
    ]);
    expect(await prisma.originProblem.findMany({ where: { tenantName: name } })).toMatchObject([
      {
        place: 'afrit.pdf:1',
        problem: JSON.stringify(message('FILE_GOES_ONCE', { twin: '2026-11-01 Bensín.pdf' })),
      },
    ]);
    expect(bed.sandbox.control.brokenRules()).toEqual([]);
  });

  test('one whose reply was lost is found by its mark, or sent again where nothing reads it first', async () => {
    const { drop, settle, sandbox, reconnect, round } = await opened({ surface, wish: { costAi: false } });
    const endpoint = surface === 'agent' ? 'POST /costs' : 'create-cost';
    for (const [skip, kind] of (['lost-reply', 'reset-after', 'reset-before', 'html'] as const).entries())
      sandbox.control.addFault({ kind, endpoint, times: 1, skip });
    for (const name of ['a', 'b', 'c', 'd']) await drop(`${name}.pdf`, pdf(name));
    for (let life = 0; life < 20 && sandbox.control.faults().some(({ hits }) => hits === 0); life++) {
      await round();
      await reconnect();
    }
    await settle();
    expect(costs()).toHaveLength(4);
    expect((await rows()).map(({ state }) => state)).toEqual(Array(4).fill('acknowledged'));
  });

  test('one whose reply was lost is not made a second time, however the lists of its day lie', async () => {
    const choices = { pageSizeMax: 5 };
    const { drop, settle, sandbox } = await opened({ surface, choices, wish: { costAi: false } });
    for (let count = 0; count < 12; count++)
      sandbox.control.createCost('hraun', { date: KNOWN.date, amount: 100 + count });
    const isAgent = surface === 'agent';
    const [list, create] = isAgent
      ? ['GET /costs', 'POST /costs/advanced']
      : (['get-costs', 'create-cost-adv'] as const);
    sandbox.control.addFault({ kind: 'early-end', endpoint: list });
    sandbox.control.addFault({ kind: 'short-page', endpoint: list, times: 1, skip: isAgent ? 10 : 5 });
    sandbox.control.addFault({ kind: 'reset-after', endpoint: create, times: 1 });
    await drop('prentun.pdf', pdf('b'));
    await drop('prentun.pdf.json', JSON.stringify(KNOWN));
    await settle();
    expect(costs().filter(({ amount }) => amount === KNOWN.amount)).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: 'acknowledged', sends: 1 }]);
    expect(sandbox.control.faults().map(({ hits }) => hits > 0)).toEqual([true, true, true]);
  });
});

test('one that AI reads first is waited for, and its values are read when they are there', async () => {
  const { drop, settle, sandbox } = await opened({ aiSeconds: 1 });
  await drop('a.jpg', Buffer.from('ffd8ffe000', 'hex'));
  await settle();
  const [row] = await rows();
  const [cost] = costs();
  expect(row).toMatchObject({ state: 'acknowledged', sends: 1, guid: cost!.guid });
  expect(row?.amount?.toNumber()).toBe(cost!.amount);
  expect(sandbox.control.journal({ endpoint: 'create-cost' })).toHaveLength(1);
});

test('one whose amount nobody has read is looked at when there is nothing else to do', async () => {
  const { drop, settle, round, store, prisma, name } = await opened({ wish: { costAi: false } });
  const pause = (pausedAt: Date | null) =>
    prisma.outgoingTenant.update({ where: { tenantName: name }, data: { pausedAt } });
  await drop('a.pdf', pdf('a'));
  await settle();
  const [unread] = await rows();
  expect(unread).toMatchObject({ state: 'acknowledged', amount: null, dueAt: expect.any(Date) as Date });
  await prisma.submission.update({ where: { id: unread!.id }, data: { dueAt: new Date(0) } });
  await pause(new Date());
  await drop('b.pdf', pdf('b'));
  await round();
  await pause(null);
  const claim = () => store.claim([{ tenant: name, atOnce: 1, perDay: 10 }], 'test', 60_000);
  expect([...(await claim()), ...(await claim())].map(({ state }) => state)).toEqual([
    'received',
    'acknowledged',
  ]);
});

test('one that AI may be reading, and whose reply was lost, waits for a person and is not sent again', async () => {
  const { drop, settle, sandbox } = await opened({ aiSeconds: 600 });
  sandbox.control.addFault({ kind: 'reset-after', endpoint: 'create-cost', times: 1 });
  await drop('a.pdf', pdf('a'));
  await settle();
  expect(await rows()).toMatchObject([{ state: 'parked', reason: 'SUBMISSION_UNKNOWN', sends: 1 }]);
  expect(sandbox.control.journal({ endpoint: 'create-cost' })).toHaveLength(1);
});

test('what is no picture, too large or not what it is called is not sent, and says so', async () => {
  const { drop, settle, results, sandbox } = await opened();
  await drop('stor.pdf', Buffer.concat([Buffer.from(pdf('')), Buffer.alloc(5 * 1024 * 1024)]));
  await drop('mynd.png', pdf('no picture'));
  await drop('brot.pdf', pdf('half known'));
  await drop('brot.pdf.json', JSON.stringify({ amount: 100 }));
  await drop('bref.txt', 'not ours');
  await settle();
  expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual(
    Array(3).fill(['refused', 'SUBMISSION_BREACH']),
  );
  expect(await results('stor.pdf', 'receipts')).toMatchObject([{ state: 'refused' }]);
  expect(sandbox.control.journal({ endpoint: 'create-cost*' })).toEqual([]);
});

test('a file that is gone before it was sent waits for a person, and goes when it is back', async () => {
  const { drop, settle, round, directory, prisma, name } = await opened();
  await prisma.outgoingTenant.update({ where: { tenantName: name }, data: { pausedAt: new Date() } });
  await drop('a.pdf', pdf('a'));
  await round();
  await rm(join(directory, 'receipts', 'a.pdf'));
  await prisma.outgoingTenant.update({ where: { tenantName: name }, data: { pausedAt: null } });
  await settle();
  expect(await rows()).toMatchObject([{ state: 'parked', reason: 'FILE_GONE', sends: 0 }]);
  await writeFile(join(directory, 'receipts', 'a.pdf'), pdf('a'));
  await prisma.submission.updateMany({
    where: { tenantName: name },
    data: { state: 'received', dueAt: new Date() },
  });
  await settle();
  expect(costs()).toHaveLength(1);
});

/** What is before and after them is the same for every kind (carried.test.ts). */
const POINTS = ['after-submission-intent', 'after-submission-sent'] as const;

test.each(POINTS)('a process that is killed %s leaves each file there once', async (point) => {
  const { drop, round, settle } = await opened({ wish: { costAi: false } });
  for (const name of ['a', 'b']) await drop(`${name}.pdf`, pdf(name));
  let died = 0;
  for (let life = 0; life < 3; life++) if (!(await round(point))) died++;
  expect(died).toBeGreaterThan(0);
  await settle();
  expect(costs()).toHaveLength(2);
  expect((await rows()).map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged']);
});

describe('taken back', () => {
  const withdrawing = () =>
    bed.prisma.submission.updateMany({
      where: { tenantName: bed.name },
      data: { state: 'withdrawing', dueAt: new Date() },
    });

  test('it is deleted there once, also when the reply was lost, and the folder hears of it', async () => {
    const { drop, settle, results, sandbox } = await opened();
    await drop('a.pdf', pdf('a'));
    await settle();
    sandbox.control.addFault({ kind: 'reset-after', endpoint: 'delete-cost', times: 1 });
    await withdrawing();
    await settle(20_000);
    expect(costs()).toEqual([]);
    expect(await rows()).toMatchObject([{ state: 'withdrawn' }]);
    expect((await results('a.pdf', 'receipts')).map(({ state }) => state)).toEqual(['created', 'withdrawn']);
  });

  test('a cost that was posted meanwhile stays, and says why', async () => {
    const { drop, settle, sandbox } = await opened();
    await drop('a.pdf', pdf('a'));
    await settle();
    sandbox.control.editCost('hraun', costs()[0]!.guid, { accounting_status: 'Posted' });
    await withdrawing();
    await settle();
    expect(costs()).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: 'acknowledged', reason: 'WITHDRAWAL_REFUSED' }]);
  });
});
