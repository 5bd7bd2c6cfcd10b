// Files that cannot be read, as people at the folder and at the bridge see them: from a folder into a real PostgreSQL.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../support/database.js';
import { KENNITALA, outgoingBed, testDatabase } from '../../support/outbound-bed.js';

let database: TestDatabase;
let bed: Awaited<ReturnType<typeof outgoingBed>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

const HEAD = 'kennitala;name;email;address;zip;city';
const good = (name: string) => `${KENNITALA};${name};a@example.is;Laugavegur 1;101;Reykjavík`;

async function opened() {
  bed = await outgoingBed({ database });
  return bed;
}

describe('a file that cannot be read says so in its result file, with the line and why, once', () => {
  const ROW = 'A-1;5402696029;Prufa ehf.;a@example.is;2026-11-16;V-1;Vara;1;100;S';
  const COLUMNS =
    'reference;kennitala;customer_name;customer_email;issue_date;item_number;description;qty;unit_price;tax';
  /** As Excel begins such a file. */
  const ZIPPED = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0, 6, 0]);

  test.each<[string, string, string | Uint8Array, number, string]>([
    ['that is empty', 'a.csv', '', 1, 'the file is empty'],
    ['that has a header alone', 'a.csv', `${COLUMNS}\r\n;;;;;;;;;\r\n`, 1, 'the file is empty'],
    [
      'that has a column twice',
      'a.csv',
      `${COLUMNS};Magn\n${ROW};2`,
      1,
      'a column is there twice: qty, Magn',
    ],
    ['with an unknown column', 'a.csv', `${COLUMNS};pris\n${ROW};9`, 1, 'no such column: pris'],
    ['with a row that does not fit', 'a.csv', `${COLUMNS}\n${ROW}\nA-2;5402696029`, 3, 'the row has 2 cells'],
    ['that a spreadsheet keeps, xlsx', 'sala.xlsx', ZIPPED, 1, 'save it as CSV'],
    ['that a spreadsheet keeps, xls', 'sala.XLS', 'x', 1, 'save it as CSV'],
    ['that a spreadsheet keeps, ods', 'sala.ods', ZIPPED, 1, 'save it as CSV'],
  ])('%s', async (_how, file, content, line, why) => {
    const { beside, settle, results, prisma, name } = await opened();
    await beside(file, content);
    await settle();
    await settle();
    const unread = (await results(file)).filter(({ state }) => state === 'unread');
    expect(unread).toEqual([{ state: 'unread', line, why: expect.stringContaining(why) as string }]);
    const [problem] = await prisma.originProblem.findMany({ where: { tenantName: name } });
    expect(problem?.place).toBe(`${file}:${String(line)}`);
  });

  test('and what is mended is told by its reference, as ever', async () => {
    const { beside, settle, results } = await opened();
    await beside('a.csv', `${COLUMNS}\n${ROW.replace(';S', ';25')}`);
    await settle();
    await beside('a.csv', `${COLUMNS}\n${ROW}`);
    await settle();
    const lines = await results('a.csv');
    expect(lines.map(({ state }) => state)).toEqual(['unread', 'created']);
    expect(lines[0]).toMatchObject({ line: 2, why: expect.stringContaining('tax') });
  });
});

test('an incident counts down as records are mended, and ends with the last', async () => {
  const { beside, settle, name, prisma } = await opened();
  const incident = async () => {
    const row = await prisma.incident.findFirstOrThrow({
      where: { tenantName: name, code: 'ORIGIN_PROBLEMS' },
    });
    return {
      state: row.state,
      title: row.title,
      ...(JSON.parse(row.params ?? '{}') as { count: number; first: string }),
    };
  };
  await beside('a.csv', [HEAD, '1;a', '2;b', '3;c'].join('\n'));
  await beside('b.csv', [HEAD, '4;d'].join('\n'));
  await settle();
  expect(await incident()).toMatchObject({ state: 'open', count: 4 });
  await beside('a.csv', [HEAD, good('Prufa'), '2;b', '3;c'].join('\n'));
  await settle();
  expect(await incident()).toMatchObject({ state: 'open', count: 3 });
  await beside('a.csv', [HEAD, good('Prufa')].join('\n'));
  await settle();
  const left = await incident();
  expect(left).toMatchObject({ state: 'open', count: 1, first: 'b.csv:2' });
  expect(left.title).toContain('1 record');
  await beside('b.csv', [HEAD, good('Prufa')].join('\n'));
  await settle();
  expect(await incident()).toMatchObject({ state: 'resolved' });
});
