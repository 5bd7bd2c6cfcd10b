// The same invoices as Excel saves them in Icelandic and English settings, and as programs write them: one amount, exact to the eyrir.
import { describe, expect, test } from 'vitest';
import { contentFacts } from '../../../src/pipeline/outgoing/content-facts.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';

const COLUMNS = 'reference,kennitala,issue_date,item_number,description,qty,unit_price,discount,tax'.split(
  ',',
);

function read(bytes: Uint8Array | string, name = 'a.csv') {
  const file = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  const { records, problems } = recordFiles('order').read({
    ...{ name, bytes: file, companion: null, changedOn: '2026-11-16' },
  });
  return {
    amounts: records.map(({ kind, reference, content }) => [reference, contentFacts(kind, content).amount]),
    contents: records.map(({ content }) => JSON.parse(content) as Record<string, unknown>),
    problems: problems.map(({ place, problem }) => `${place} ${problem}`),
  };
}

const rows = (delimiter: string, ...cells: readonly string[][]) =>
  [COLUMNS, ...cells].map((row) => row.join(delimiter)).join('\r\n');
const row = (reference: string, price: string, discount = '', qty = '1') => [
  ...[reference, '5402696029', '2026-11-16', 'V-1', 'Þæfð ull', qty, price, discount, 'Z'],
];

const utf16 = (text: string) => new Uint8Array([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

const EXACT = [
  ['A-1', '1990.50'],
  ['A-2', '1234567.89'],
  ['A-3', '1989.50'],
];
const icelandic = [row('A-1', '1990,50'), row('A-2', '1.234.567,89'), row('A-3', '1.990', '0,5')];
const english = [row('A-1', '1990.50'), row('A-2', '"1,234,567.89"'), row('A-3', '"1,990"', '0.5')];

describe('the same invoices have the same amounts', () => {
  test.each<[string, Uint8Array | string]>([
    ['Icelandic Excel, CSV', rows(';', ...icelandic)],
    ['Icelandic Excel, CSV UTF-8 with its mark', `\uFEFF${rows(';', ...icelandic)}\r\n`],
    ['Icelandic Excel, CSV in the code page of Windows', latin1(rows(';', ...icelandic))],
    ['Icelandic Excel, Unicode text', utf16(rows('\t', ...icelandic))],
    ['Icelandic Excel, with a line that names the sign', `sep=;\r\n${rows(';', ...icelandic)}`],
    [
      'Icelandic Excel, with empty columns and rows',
      `${rows(';', ...icelandic).replaceAll('\r\n', ';;\r\n')};;\r\n${';'.repeat(10)}\r\n`,
    ],
    ['English Excel, CSV', rows(',', ...english)],
    ['English Excel, CSV UTF-8 with its mark', `\uFEFF${rows(',', ...english)}`],
    ['English Excel, Unicode text', utf16(rows('\t', ...english))],
    ['English Excel, with empty columns', `${rows(',', ...english).replaceAll('\r\n', ',,\r\n')},,\r\n`],
    ['English Excel, with a line that names the sign', `sep=,\n${rows(',', ...english)}`],
    [
      'a program that writes quoted cells',
      rows(';', ...icelandic.map((cells) => cells.map((cell) => `"${cell}"`))),
    ],
    [
      'a program that writes commas and quotes decimal commas',
      rows(',', ...icelandic.map((cells) => cells.map((cell) => `"${cell}"`))),
    ],
    ['lines of an old Macintosh', rows(';', ...icelandic).replaceAll('\r\n', '\r')],
  ])('%s', (_name, bytes) => {
    const { amounts, problems, contents } = read(bytes);
    expect(problems).toEqual([]);
    expect(amounts).toEqual(EXACT);
    expect(contents[0]).toMatchObject({ lines: [{ description: 'Þæfð ull' }] });
  });

  test('and a program that writes points between semicolons means points', () => {
    expect(read(rows(';', row('A-1', '1990.50'), row('A-2', '1.125'))).amounts).toEqual([
      ['A-1', '1990.50'],
      ['A-2', '1.13'],
    ]);
  });
});

describe('what can mean two things is not guessed', () => {
  test('a decimal comma without quotes in a file of commas refuses its row, and names it', () => {
    const { amounts, problems } = read(rows(',', row('A-1', '1990,50'), row('A-2', '100')));
    expect(amounts).toEqual([['A-2', '100.00']]);
    expect(problems).toEqual([
      'a.csv:2 the row has 10 cells and the file 9 columns: a decimal comma? Put the number in quotation marks, or save the file with semicolons between cells',
    ]);
  });

  test('a decimal comma that moves an empty cell to the end is seen as well', () => {
    const [head, ...tail] = ['qty', 'unit_price', 'discount', 'reference', 'kennitala'];
    const text = [
      [head, ...tail, 'issue_date', 'item_number', 'description', 'tax', 'terms'].join(','),
      '1,1990,50,,A-1,5402696029,2026-11-16,V-1,Vara,Z,',
    ].join('\n');
    expect(read(text).amounts).toEqual([]);
    expect(read(text).problems).toEqual([expect.stringContaining('a decimal comma?')]);
  });

  test('a number that may be thousands, where no other number of the file tells', () => {
    const { amounts, problems } = read(rows(';', row('A-1', '1,990'), row('A-2', '100')));
    expect(amounts).toEqual([['A-2', '100.00']]);
    expect(problems).toEqual([expect.stringContaining('a.csv:2 unit_price is "1,990"')]);
    const both = read(rows('\t', row('A-1', '1,990'), row('A-2', '1.990')));
    expect(both.amounts).toEqual([]);
    expect(both.problems).toHaveLength(2);
  });

  test('an invoice of which a row cannot be read is not sent without it', () => {
    const { amounts, problems } = read(
      rows(',', row('A-1', '100'), row('A-1', '1990,50'), row('A-2', '100')),
    );
    expect(amounts).toEqual([['A-2', '100.00']]);
    expect(problems).toEqual([
      expect.stringContaining('a.csv:3 the row has 10 cells'),
      'a.csv:2 nothing of A-1 is taken, because line 3 of the file cannot be read and may belong to it',
    ]);
    const open = read(rows(',', row('A-1', '100'), row('A-1', '"200')));
    expect(open.amounts).toEqual([]);
  });
});
