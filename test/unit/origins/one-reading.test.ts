// What the API documents show of a value is taken from every origin alike: files of rows, JSON lines, requests over HTTP and what stands
// beside a receipt.
import { describe, expect, test } from 'vitest';
import { recordFiles } from '../../../src/origins/folder/record-files.js';
import { readDelivery } from '../../../src/origins/inbox.js';
import { receiptFiles } from '../../../src/origins/receipt-files.js';
import { contentFacts } from '../../../src/outbound/content-facts.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const CUSTOMER = {
  ...{ kennitala: '5402696029', name: 'Prufa ehf.', email: 'a@example.is', zip: '101' },
  output_select: '3',
};
const LINE = { item_number: 'V-1', description: 'Vara', qty: '2', unit_price: '1990.5', tax: 'S' };

function fromFile(name: string, text: string) {
  const { records, problems } = recordFiles('order').read({
    ...{ name, bytes: bytesOf(text), companion: null, changedOn: '2026-11-16' },
  });
  expect(problems).toEqual([]);
  return records.map(({ content }) => JSON.parse(content) as Record<string, unknown>);
}

function overHttp(record: string) {
  const read = readDelivery('k', bytesOf(record));
  return 'problem' in read ? read : (JSON.parse(read.content) as Record<string, unknown>);
}

/** The same record as a row and as JSON, in the types of the documents. */
const ALIKE: readonly (readonly [kind: string, columns: string, row: string, json: string])[] = [
  [
    'invoice',
    'reference,kennitala,customer_name,customer_email,customer_zip,customer_output_select,issue_date,item_number,description,qty,unit_price,tax,discount,discount_type,mark_paid,method_payment',
    'A-1,5402696029,Prufa ehf.,a@example.is,101,3,2026-11-16,V-1,Vara,2,1990.50,24,10,1,1,3',
    '{"kind":"invoice","reference":"A-1","issue_date":"2026-11-16","customer":{"kennitala":5402696029,"name":"Prufa ehf.","email":"a@example.is","zip":101,"output_select":3},"mark_paid":1,"method_payment":3,"lines":[{"item_number":"V-1","description":"Vara","qty":2,"unit_price":1990.50,"tax":24,"discount":10,"discount_type":1}]}',
  ],
  [
    'item',
    'item_number,description,unit_price,tax,category,active',
    'V-1,Vara,1990.50,S,2153,1',
    '{"kind":"item","reference":"V-1","description":"Vara","unit_price":1990.50,"tax":"S","category":2153,"active":1}',
  ],
  [
    'customer',
    'kennitala,name,email,zip,output_select,due_date,tax_exempt,lang',
    '540269-6029,Prufa ehf.,a@example.is,101,4,7,0,IS',
    '{"kind":"customer","kennitala":"540269-6029","name":"Prufa ehf.","email":"a@example.is","zip":101,"output_select":4,"due_date":7,"tax_exempt":0,"lang":"is"}',
  ],
];

describe('a row, a line of JSON and a request over HTTP are one record', () => {
  test.each(ALIKE)('%s', (_kind, columns, row, json) => {
    const [fromRows] = fromFile('a.csv', `${columns}\n${row}`);
    expect(fromFile('a.jsonl', json)).toEqual([fromRows]);
    expect(overHttp(json)).toEqual(fromRows);
  });

  test('days and yes and no as people write them', () => {
    const made = overHttp(
      JSON.stringify({
        ...{ kind: 'invoice', reference: 'A-1', issue_date: '1.2.2026', is_claim: 'nei' },
        ...{ customer: CUSTOMER, lines: [{ ...LINE, tax: '11%', discount_type: 'já' }] },
      }),
    );
    expect(made).toMatchObject({
      ...{ issue_date: '2026-02-01', is_claim: false },
      lines: [{ tax: 'AA', discount_type: true }],
    });
  });
});

test('what stands beside a receipt has its values as the documents show them', () => {
  const beside =
    '{"date":"2026-11-16","amount":12400,"how_paid":3,"supplier_name":"Prentsmiðjan ehf.","supplier_id":5402696029,"type":2353,"credit_note":1}';
  const { records, problems } = receiptFiles('required').read({
    ...{ name: 'a.pdf', bytes: bytesOf('%PDF'), companion: bytesOf(beside), changedOn: '2026-11-16' },
  });
  expect(problems).toEqual([]);
  expect(JSON.parse(records[0]!.content)).toMatchObject({
    ...{ type: '2353', supplier_id: '5402696029', credit_note: true, how_paid: '3' },
  });
});

describe('a part of a unit is one line with its sum, wherever it comes from', () => {
  const record = (line: object) =>
    JSON.stringify({
      ...{ kind: 'invoice', reference: 'A-1', issue_date: '2026-11-16', customer: CUSTOMER },
      lines: [{ ...LINE, ...line }],
    });
  const line = (made: unknown) => (made as { lines: Record<string, unknown>[] }).lines[0];

  test('from JSON, from rows and over HTTP, with all its digits', () => {
    const whole = {
      ...{ item_number: 'V-1', description: 'Vara (2.75 KGS × 1990.5)', qty: '1', uom: 'C62' },
      ...{ unit_price: '5473.875', tax: 'S' },
    };
    const json = record({ qty: 2.75, uom: 'KGS' });
    expect(line(overHttp(json))).toEqual(whole);
    expect(line(fromFile('a.jsonl', json)[0])).toEqual(whole);
    const rows = [
      'reference;kennitala;issue_date;item_number;description;qty;uom;unit_price;tax',
      'A-1;5402696029;2026-11-16;V-1;Vara;2,75;KGS;1990,50;S',
    ];
    expect(line(fromFile('a.csv', rows.join('\n'))[0])).toEqual(whole);
  });

  test('comes to the same with a discount, and is read again as it is', () => {
    for (const discount of [{ discount: '10', discount_type: '1' }, { discount: '12.5' }]) {
      const made = overHttp(record({ qty: '0.333', ...discount }));
      const parts = contentFacts('invoice', JSON.stringify(made)).amount;
      const net = discount.discount_type ? 0.333 * 1990.5 * 0.9 : 0.333 * 1990.5 - 12.5;
      expect(parts).toBe((net * 1.24).toFixed(2));
    }
    const once = overHttp(record({ qty: '0.3333333333', unit_price: '0.0000000001' }));
    expect(overHttp(JSON.stringify({ kind: 'invoice', reference: 'A-1', ...once }))).toEqual(once);
  });
});

describe('a message names the column, what was found and what is allowed', () => {
  const problems = (name: string, text: string) =>
    recordFiles('order')
      .read({ name, bytes: bytesOf(text), companion: null, changedOn: '2026-11-16' })
      .problems.map(({ place, problem }) => `${place} ${problem}`);

  test('by the names of the file and the row', () => {
    const rows = [
      'Tilvísun;Kennitala;Netfang;Útgáfudagur;Vörunúmer;Lýsing;Magn;Einingaverð;VSK',
      'A-1;5402696029;a@example.is;2026-11-16;V-1;Vara;1;100;S',
      'A-1;;;;V-2;Vara;tveir;100;25',
      'A-2;540269;a@example.is;16.13.2026;V-1;Vara;1;100;S',
    ].join('\n');
    expect(problems('a.csv', rows)).toEqual([
      'a.csv:2 Magn in row 3 is "tveir", not a number like 1990 or 1990.50; VSK in row 3 is "25", not one of S (24 %), AA (11 %), Z (0 %)',
      'a.csv:4 Kennitala is "540269", not a kennitala of ten digits; Útgáfudagur is "16.13.2026", not a day like 2026-01-31 or 31.1.2026',
    ]);
  });

  test('by the fields of JSON and the line', () => {
    const record = {
      ...{ kind: 'invoice', reference: 'A-1', issue_date: 20261116, customer: { ...CUSTOMER, lang: 'de' } },
      ...{ mark_paid: 2, lines: [LINE, { ...LINE, tax: ['S'], qty: undefined, pris: 1 }] },
    };
    const [said = ''] = problems('a.jsonl', JSON.stringify(record));
    expect(said.split('; ')).toEqual([
      'a.jsonl:1 customer.lang is "de", not one of is, en',
      'issue_date is "20261116", not a day like 2026-01-31 or 31.1.2026',
      'qty of line 2 is missing',
      'tax of line 2 is not one of S (24 %), AA (11 %), Z (0 %)',
      'no such field of line 2: pris',
    ]);
    expect(said).not.toMatch(/lines\.\d|Lossless|undefined|received/);
  });
});

test('a body of hundreds of thousands of fields is refused before it is read', () => {
  const fields = Array.from({ length: 400_000 }, (_, index) => `"k${String(index)}":1`).join(',');
  const startedMs = performance.now();
  const read = overHttp(`{"kind":"invoice","reference":"A-1",${fields}}`);
  expect(performance.now() - startedMs).toBeLessThan(250);
  expect(read).toMatchObject({ problem: 'has more than 50000 values' });
});
