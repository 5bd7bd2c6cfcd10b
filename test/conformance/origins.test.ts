// Every origin, held to what its port promises; and what is special about each.
import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FolderOrigin } from '../../src/origins/folder/folder-origin.js';
import { recordFiles } from '../../src/origins/folder/record-files.js';
import { describeOrigin, INVOICE, LINE, type OriginBed } from './origin-suite.js';

const STABLE_MS = 5_000;

async function folder() {
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-origin-'));
  let nowMs = Date.parse('2026-03-01T08:00:00Z');
  const clock = { now: () => new Date(nowMs) };
  const open = () =>
    new FolderOrigin('orders', { directory, stableMs: STABLE_MS }, recordFiles('order'), clock);
  const pass = (ms: number) => void (nowMs += ms);
  return {
    directory,
    open,
    pass,
    origin: open(),
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

async function jsonBed(): Promise<OriginBed> {
  const { directory, origin, open, pass, close } = await folder();
  return {
    ...{ origin, close, reopened: open },
    put: (reference, more = {}) =>
      writeFile(
        join(directory, `${reference}.jsonl`),
        `${JSON.stringify({ kind: 'invoice', reference, ...INVOICE, ...more })}\n`,
      ),
    putBad: () =>
      writeFile(join(directory, 'bad.jsonl'), '{"kind":"invoice","reference":"X-1","lines":[]}\n'),
    ripen: async () => {
      await origin.changes(null);
      pass(STABLE_MS);
    },
    toldOf: async (reference) =>
      (await readFile(join(directory, 'results', `${reference}.jsonl.jsonl`), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

const HEADER =
  'reference,kennitala,customer_name,customer_email,issue_date,terms,item_number,description,qty,unit_price,tax';

async function csvBed(): Promise<OriginBed> {
  const bed = await jsonBed();
  const { directory, origin, open, pass, close } = await folder();
  return {
    ...{ origin, reopened: open },
    close: async () => {
      await bed.close();
      await close();
    },
    put: (reference, more = {}) =>
      writeFile(
        join(directory, `${reference}.csv`),
        `${HEADER}\n${reference},540269-6029,Prufa ehf.,a@b.is,2026-03-01,${String(more['terms'] ?? '')},V-1,Vara,2,1000,S\n`,
      ),
    putBad: () =>
      writeFile(
        join(directory, 'bad.csv'),
        `${HEADER}\nX-1,5402696029,Prufa,a@b.is,2026-03-01,,V-1,Vara,tveir,1000,S\n`,
      ),
    ripen: async () => {
      await origin.changes(null);
      pass(STABLE_MS);
    },
    toldOf: async (reference) =>
      (await readFile(join(directory, 'results', `${reference}.csv.jsonl`), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describeOrigin('folder of JSON lines', jsonBed);
describeOrigin('folder of CSV', csvBed);

async function watched() {
  const made = await folder();
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
      'orders.csv:3': 'issue_date is not a day like 2026-01-31',
      'orders.csv:4': 'customer.kennitala is not a kennitala of ten digits',
      'orders.csv:5': 'reference is missing',
      'orders.csv:6': expect.stringMatching(/columns/i) as string,
      'orders.csv:8': 'issue_date differs from the first row of A-6',
    });
  });

  test('refuses a column that it does not know, rather than leave it out', async () => {
    const { look, write } = await watched();
    await write('orders.csv', 'reference,qty,pris\nA-1,1,1000\n');
    expect(await look()).toMatchObject({
      records: [],
      problems: [{ place: 'orders.csv:1', problem: 'no such column: pris' }],
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
    expect(problems).toMatchObject([{ place: 'hours.csv:3', problem: 'to is not after from' }]);
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
    await write('po.xml', ORDER);
    await write('other.xml', '<a/>');
    await write('latin.csv', Buffer.from([0x61, 0xe6, 0x0a]));
    const { records, problems } = await look();
    expect(records).toMatchObject([{ kind: 'order', reference: 'PO-77', place: 'po.xml:1' }]);
    expect(JSON.parse(records[0]!.content)).toEqual({
      currency: 'ISK',
      issue_date: '2026-03-01',
      customer: { kennitala: '5402696029', name: 'Prufa ehf.', email: 'a@b.is', city: 'Reykjavík' },
      lines: [
        { item_number: 'V-1', description: 'Vara', qty: '3', uom: 'C62', unit_price: '1000', tax: 'S' },
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

const ORDER = `<?xml version="1.0" encoding="UTF-8"?>
<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>PO-77</cbc:ID><cbc:IssueDate>2026-03-01</cbc:IssueDate><cbc:DocumentCurrencyCode>ISK</cbc:DocumentCurrencyCode>
  <cac:BuyerCustomerParty><cac:Party>
    <cbc:EndpointID schemeID="0196">5402696029</cbc:EndpointID>
    <cac:PartyName><cbc:Name>Prufa ehf.</cbc:Name></cac:PartyName>
    <cac:PostalAddress><cbc:CityName>Reykjavík</cbc:CityName></cac:PostalAddress>
    <cac:Contact><cbc:ElectronicMail>a@b.is</cbc:ElectronicMail></cac:Contact>
  </cac:Party></cac:BuyerCustomerParty>
  <cac:OrderLine><cac:LineItem>
    <cbc:ID>1</cbc:ID><cbc:Quantity unitCode="C62">3.0</cbc:Quantity>
    <cac:Price><cbc:PriceAmount currencyID="ISK">1000</cbc:PriceAmount></cac:Price>
    <cac:Item><cbc:Name>Vara</cbc:Name>
      <cac:SellersItemIdentification><cbc:ID>V-1</cbc:ID></cac:SellersItemIdentification>
      <cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>24</cbc:Percent></cac:ClassifiedTaxCategory>
    </cac:Item>
  </cac:LineItem></cac:OrderLine>
</Order>`;
