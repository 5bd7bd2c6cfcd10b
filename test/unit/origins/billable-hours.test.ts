// Hours that stand at the service, gathered by customer and period, each once.
import { expect, test } from 'vitest';
import { message } from '../../../src/language/messages.js';
import {
  BillableHours,
  type BillableTask,
  type BillingSettings,
} from '../../../src/origins/billable-hours.js';

const SETTINGS: BillingSettings = {
  ...{ bill: 'draft', period: 'month', since: '2026-10-01', afterDays: 3, endTasks: true },
};

function task(
  number: string,
  logs: [string, string, string][],
  more: Partial<BillableTask> = {},
): BillableTask {
  return {
    ...{
      guid: `task-${number}`,
      number,
      name: 'Ráðgjöf',
      kennitala: '5402696029',
      customerName: 'Prufa ehf.',
    },
    ...{ description: '', unitPrice: '10000', tax: 'S', isInvoiced: false, invoicedUntil: null },
    logs: logs.map(([guid, date, hours]) => ({ guid, date, hours, writtenOn: date })),
    ...more,
  };
}

function bed(period: 'month' | 'week' = 'month') {
  let tasks: BillableTask[] = [];
  let now = Date.parse('2026-11-04T08:00:00Z');
  const ended: string[] = [];
  const source = {
    tasks: () => Promise.resolve(tasks),
    end: (guid: string) => Promise.resolve(void ended.push(guid)),
  };
  const origin = new BillableHours('billing', { ...SETTINGS, period }, source, { now: () => new Date(now) });
  return {
    ...{ origin, ended },
    show: (...shown: BillableTask[]) => void (tasks = shown),
    on: (day: string) => void (now = Date.parse(`${day}T08:00:00Z`)),
  };
}

const linesOf = (content: string) => (JSON.parse(content) as { lines: object[] }).lines;

test('one record a customer and month, a line a task; hours that are not whole are one line with their sum', async () => {
  const { origin, show } = bed();
  show(
    task('2', [
      ['a', '2026-10-05', '2'],
      ['b', '2026-10-06', '1'],
    ]),
    task('10', [['c', '2026-10-07', '1.25']]),
    task(
      '3',
      [
        ['d', '2026-10-07', '4'],
        ['e', '2026-09-30', '9'],
        ['f', '2026-11-01', '9'],
      ],
      { kennitala: '4910080160' },
    ),
  );
  const { records, problems } = await origin.changes(null);
  expect(problems).toEqual([]);
  expect(records.map(({ kind, reference }) => [kind, reference])).toEqual([
    ['draft', 'hours 2026-10 5402696029'],
    ['draft', 'hours 2026-10 4910080160'],
  ]);
  expect(linesOf(records[0]!.content)).toMatchObject([
    { qty: '3', uom: 'HUR', unit_price: '10000' },
    { qty: '1', uom: 'C62', unit_price: '12500', description: 'Ráðgjöf (1.25 × 10000)' },
  ]);
});

test('a month is billed when those who write late have had their days, and the service is not asked all the time', async () => {
  const { origin, show, on } = bed();
  show(task('1', [['a', '2026-10-31', '1']]));
  on('2026-11-03');
  const early = await origin.changes(null);
  expect(early.records).toEqual([]);
  expect(await origin.changes(early.cursor)).toMatchObject({ records: [], cursor: early.cursor });
  on('2026-11-04');
  expect((await origin.changes(early.cursor)).records).toHaveLength(1);
});

test('an hour that is moved to another period after it was gathered is not gathered again', async () => {
  const { origin, show, on } = bed();
  show(
    task('1', [
      ['a', '2026-10-05', '2'],
      ['b', '2026-10-06', '1'],
    ]),
  );
  const { cursor } = await origin.changes(null);
  show(
    task('1', [
      ['a', '2026-10-05', '2'],
      ['b', '2026-11-06', '1'],
    ]),
  );
  on('2026-12-10');
  const { records, problems } = await origin.changes(cursor);
  expect(records.map(({ reference }) => reference)).toEqual(['hours 2026-10 5402696029']);
  expect(problems).toMatchObject([
    { place: 'tasks:1', problem: expect.stringContaining('2026-10') as string },
  ]);
});

test('a bill is read as it is listed, also when hours have changed places between two periods that were billed', async () => {
  const { origin, show, on } = bed('week');
  on('2026-11-05');
  const logged = (first: string, second: string) =>
    task('1', [
      ['a', first, '5'],
      ['b', second, '1'],
    ]);
  show(logged('2026-10-26', '2026-10-19'));
  const { cursor, records } = await origin.changes(null);
  const [earlier, later] = records.map(({ reference }) => reference).sort();
  show(logged('2026-10-19', '2026-10-26'));
  on('2026-11-06');
  const after = await origin.changes(cursor);
  expect(after.records).toEqual([]);
  for (const reference of [earlier, later])
    expect(await origin.read('draft', reference!, 'tasks:1', after.cursor)).toBeNull();
  show(logged('2026-10-26', '2026-10-26'));
  on('2026-11-07');
  const last = await origin.changes(after.cursor);
  expect(last.records.map(({ content }) => linesOf(content))).toMatchObject([[{ qty: '5' }]]);
  expect(await origin.read('draft', later!, 'tasks:1', last.cursor)).toEqual(last.records[0]);
});

test('weeks begin on Monday, and hours without a customer are named', async () => {
  const { origin, show, on } = bed('week');
  on('2026-11-05');
  show(
    task('1', [
      ['a', '2026-10-25', '1'],
      ['b', '2026-10-26', '1'],
    ]),
    task('2', [['c', '2026-10-20', '1']], { kennitala: '' }),
  );
  const { records, problems } = await origin.changes(null);
  expect(records.map(({ reference }) => reference)).toEqual([
    'hours 2026-10-19 5402696029',
    'hours 2026-10-26 5402696029',
  ]);
  expect(problems).toMatchObject([{ place: 'tasks:2' }]);
});

test('tasks are ended when their hours were billed, and only these', async () => {
  const { origin, show, ended } = bed();
  show(task('1', [['a', '2026-10-05', '2']]), task('2', [['b', '2026-11-02', '2']]));
  const [record] = (await origin.changes(null)).records;
  const told = { guid: 'g', number: null, paymentLink: null, mark: 'O', why: null };
  await origin.tell({
    ...told,
    kind: 'draft',
    reference: record!.reference,
    place: record!.place,
    state: 'refused',
  });
  expect(ended).toEqual([]);
  await origin.tell({
    ...told,
    kind: 'draft',
    reference: record!.reference,
    place: record!.place,
    state: 'created',
  });
  expect(ended).toEqual(['task-1']);
});

test('of a task that people have invoiced only hours that were written down later are billed, and the others are told', async () => {
  const { origin, show } = bed();
  show(
    task('1', [['a', '2026-10-05', '2']], { isInvoiced: true }),
    task(
      '2',
      [
        ['b', '2026-10-06', '3'],
        ['c', '2026-10-20', '4'],
      ],
      { invoicedUntil: '2026-10-06' },
    ),
  );
  const { records, problems } = await origin.changes(null);
  expect(records.flatMap(({ content }) => linesOf(content))).toMatchObject([{ qty: '4' }]);
  expect(problems).toMatchObject([
    { place: 'tasks:2', said: message('HOURS_MAY_BE_BILLED', { hours: '3', date: '2026-10-06' }) },
  ]);
});
