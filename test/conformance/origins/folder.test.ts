// What is special about a watched folder.
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TELLING_TEXT } from '../../../src/origins/conformance/target.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';
import { STABLE_MS, ublOrder, watchedFolder } from './folder-beds.js';
import { INVOICE, LINE } from './records.js';

async function watched() {
  const folder = await watchedFolder(recordFiles('order'));
  const made = { ...folder, origin: folder.open() };
  onTestFinished(made.close);
  const look = async () => {
    await made.origin.changes(null);
    made.pass(STABLE_MS);
    return made.origin.changes(null);
  };
  const write = (name: string, text: string | Uint8Array) => writeFile(join(made.directory, name), text);
  return { ...made, look, write };
}

describe('a watched folder', () => {
  test('does not read what is being written: it waits until the file has stood unchanged', async () => {
    const { directory, origin, pass, write } = await watched();
    await write('orders.jsonl', JSON.stringify({ reference: 'A-1', ...INVOICE }).slice(0, 40));
    await origin.changes(null);
    pass(STABLE_MS - 1);
    expect(await origin.changes(null)).toMatchObject({ records: [], problems: [], cursor: '{}' });
    await appendFile(
      join(directory, 'orders.jsonl'),
      JSON.stringify({ reference: 'A-1', ...INVOICE }).slice(40),
    );
    pass(1);
    expect(await origin.changes(null)).toMatchObject({ records: [], problems: [] });
    pass(STABLE_MS);
    expect((await origin.changes(null)).records).toHaveLength(1);
  });

  test('does not read what is called unfinished, and reads it when it was renamed', async () => {
    const { directory, origin, look, pass, write } = await watched();
    for (const name of ['.orders.csv', 'orders.csv.part', 'orders.csv~', 'notes.txt'])
      await write(name, 'half');
    expect(await look()).toMatchObject({ records: [], problems: [] });
    await write('orders.jsonl.tmp', `${JSON.stringify({ reference: 'A-1', ...INVOICE })}\n`);
    await rename(join(directory, 'orders.jsonl.tmp'), join(directory, 'orders.jsonl'));
    await origin.changes(null);
    pass(STABLE_MS);
    expect((await origin.changes(null)).records).toHaveLength(1);
  });

  test('makes one invoice of the rows with one reference, and takes semicolons and a mark at the beginning', async () => {
    const { look, write } = await watched();
    const header =
      'Reference;kennitala;issue_date;item_number;description;qty;unit_price;tax;discount;discount_type';
    await write(
      'orders.csv',
      `\uFEFF${header}\nA-1;5402696029;2026-03-01;1;"Vara; stór";2;1000;S;10;1\nA-1;;;2;Önnur;1;500.50;AA;;\n`,
    );
    const { records, problems } = await look();
    expect(problems).toEqual([]);
    expect(records).toHaveLength(1);
    expect(JSON.parse(records[0]!.content)).toMatchObject({
      currency: 'ISK',
      customer: { kennitala: '5402696029' },
      lines: [
        { description: 'Vara; stór', qty: '2', discount: '10', discount_type: true },
        { description: 'Önnur', unit_price: '500.5', tax: 'AA' },
      ],
    });
  });

  test('says which line is bad and why, and takes every other record of the same file', async () => {
    const { look, write } = await watched();
    const header = 'reference,kennitala,issue_date,item_number,description,qty,unit_price,tax';
    const rows = [
      'A-1,5402696029,2026-03-01,1,Vara,1,1000,S',
      'A-2,5402696029,2026-02-30,1,Vara,1,1000,S',
      'A-3,12345,2026-03-01,1,Vara,1,1000,S',
      ',5402696029,2026-03-01,1,Vara,1,1000,S',
      'A-5,5402696029,2026-03-01,1,Vara,1,1000,S,of mikið',
      'A-6,5402696029,2026-03-01,1,Vara,1,1000,S',
      'A-6,5402696029,2026-03-02,2,Vara,1,1000,S',
    ];
    await write('orders.csv', [header, ...rows].join('\n'));
    const { records, problems } = await look();
    expect(records.map(({ reference }) => reference)).toEqual(['A-1']);
    expect(Object.fromEntries(problems.map(({ place, problem }) => [place, problem]))).toEqual({
      'orders.csv:3': 'issue_date is "2026-02-30", not a day like 2026-01-31 or 31.1.2026',
      'orders.csv:4': 'kennitala is "12345", not a kennitala of ten digits',
      'orders.csv:5': 'reference is missing',
      'orders.csv:6': expect.stringMatching(/columns/i) as string,
      'orders.csv:8': expect.stringMatching(/^issue_date differs from the first row of A-6: /) as string,
    });
  });

  test('refuses a column that it does not know, rather than leave it out', async () => {
    const { look, write } = await watched();
    await write('orders.csv', 'reference,qty,pris\nA-1,1,1000\n');
    expect(await look()).toMatchObject({
      records: [],
      problems: [
        {
          place: 'orders.csv:1',
          problem: expect.stringMatching(/^no such column: pris\. /) as string,
          said: { code: 'NO_SUCH_COLUMN' },
        },
      ],
    });
  });

  test('takes customers by their kennitala, however it is written', async () => {
    const { look, write } = await watched();
    await write('customers.csv', 'kennitala,name,email,city\n540269-6029,Prufa ehf.,a@b.is,Reykjavík\n');
    const { records } = await look();
    expect(records).toMatchObject([{ kind: 'customer', reference: '5402696029' }]);
  });

  test('takes tasks and hours by their columns', async () => {
    const { look, write } = await watched();
    await write(
      'tasks.csv',
      'reference,kennitala,customer_name,name,unit_price,tax\nT-1,5402696029,Prufa,Ráðgjöf,15000,S\n',
    );
    await write(
      'hours.csv',
      'reference,task,date,from,to\nH-1,T-1,2026-03-01,09:00,10:30\nH-2,T-1,2026-03-01,11:00,10:30\n',
    );
    const { records, problems } = await look();
    expect(records).toMatchObject([
      { kind: 'hours', reference: 'H-1', place: 'hours.csv:2' },
      { kind: 'task', reference: 'T-1', place: 'tasks.csv:2' },
    ]);
    expect(problems).toMatchObject([
      {
        place: 'hours.csv:3',
        problem: expect.stringMatching(/^to is "\d\d:\d\d", not after `from`$/) as string,
      },
    ]);
  });

  test('keeps every digit of a number', async () => {
    const { look, write } = await watched();
    const line = JSON.stringify({ ...LINE, unit_price: 'P' }).replace('"P"', '12345678901234.50');
    await write(
      'o.jsonl',
      `{"reference":"A-1","issue_date":"2026-03-01","customer":{"kennitala":"5402696029"},"lines":[${line}]}\n`,
    );
    expect((await look()).records[0]?.content).toContain('"12345678901234.5"');
  });

  test('reads a UBL order, and names one that is none', async () => {
    const { look, write } = await watched();
    await write('po.xml', ublOrder('PO-77', '3'));
    await write('other.xml', '<a/>');
    await write('latin.csv', Buffer.from([0x61, 0xe6, 0x0a]));
    const { records, problems } = await look();
    expect(records).toMatchObject([{ kind: 'order', reference: 'PO-77', place: 'po.xml:1' }]);
    expect(JSON.parse(records[0]!.content)).toEqual({
      currency: 'ISK',
      issue_date: '2026-03-01',
      customer: { kennitala: '5402696029', name: 'Prufa ehf.', email: 'a@b.is', city: 'Reykjavík' },
      lines: [
        { item_number: 'V-1', description: TELLING_TEXT, qty: '3', uom: 'C62', unit_price: '1000', tax: 'S' },
      ],
    });
    expect(problems.map(({ place }) => place).sort()).toEqual(['latin.csv:1', 'other.xml:1']);
  });

  test('says what a file is that is put away meanwhile', async () => {
    const { directory, origin, look, write } = await watched();
    await write('orders.jsonl', `${JSON.stringify({ reference: 'A-1', ...INVOICE })}\n`);
    const { cursor } = await look();
    await rm(join(directory, 'orders.jsonl'));
    expect(await origin.changes(cursor)).toMatchObject({ records: [], problems: [], cursor: '{}' });
  });
});
