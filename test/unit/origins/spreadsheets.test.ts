// The same invoices as Excel saves them in Icelandic and English settings, and as programs write them: one amount, exact to the eyrir.
import { describe, expect, test } from 'vitest';
import { contentFacts } from '../../../src/outbound/content-facts.js';
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

describe('the same CSV saved by Excel in Icelandic and in English settings gives the same invoices, exact to the eyrir', () => {
  const HEAD = [
    ...['Tilvísun', 'Kennitala', 'Nafn', 'Útgáfudagur', 'Eindagi', 'Krafa', 'Vörunúmer', 'Lýsing', 'Magn'],
    ...['Einingaverð', 'Afsláttur', 'VSK'],
  ];
  type Cell = string | number | boolean | Date;
  const day = (text: string) => new Date(`${text}T00:00:00Z`);
  const SHEET: readonly (readonly Cell[])[] = [
    [
      'A-1',
      '540269-6029',
      'Þorn & Æðey ehf.',
      day('2026-11-16'),
      day('2026-12-05'),
      true,
      'V-1',
      'Ull; þæfð, "fín"',
      1,
      1990.5,
      0.5,
      '24%',
    ],
    ['A-1', '', '', '', '', '', 'V-2', 'Kaffi', 3, 1234567.89, '', '11%'],
    ['', '', '', '', '', '', '', '', '', '', '', ''],
    [
      'A-2',
      '540269-6029',
      'Þorn & Æðey ehf.',
      day('2026-11-05'),
      day('2026-12-05'),
      false,
      'V-3',
      'Ráðgjöf',
      2.75,
      19850,
      '',
      'S',
    ],
  ];

  interface Settings {
    readonly between: string;
    readonly locale: string;
    readonly yes: readonly [string, string];
    /** Year, month, day. */
    readonly date: (parts: readonly [string, string, string]) => string;
  }
  const ICELANDIC: Settings = {
    ...{ between: ';', locale: 'de-DE', yes: ['SATT', 'ÓSATT'] },
    date: ([year, month, of]) => `${String(Number(of))}.${String(Number(month))}.${year}`,
  };
  const AMERICAN: Settings = {
    ...{ between: ',', locale: 'en-US', yes: ['TRUE', 'FALSE'] },
    date: ([year, month, of]) => `${String(Number(month))}/${String(Number(of))}/${year}`,
  };
  const BRITISH: Settings = { ...AMERICAN, date: ([year, month, of]) => `${of}/${month}/${year}` };

  function saved({ between, locale, yes, date }: Settings): string {
    const shown = (cell: Cell): string => {
      if (typeof cell === 'number') return cell.toLocaleString(locale, { maximumFractionDigits: 2 });
      if (typeof cell === 'boolean') return yes[cell ? 0 : 1];
      if (cell instanceof Date)
        return date(cell.toISOString().slice(0, 10).split('-') as [string, string, string]);
      return cell;
    };
    const quoted = (text: string) =>
      text.includes(between) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
    return [HEAD, ...SHEET]
      .map((cells) => `${cells.map((cell) => quoted(shown(cell))).join(between)}\r\n`)
      .join('');
  }

  const expected = read(saved(ICELANDIC));

  test('as it stands in the sheet', () => {
    expect(expected.problems).toEqual([]);
    // (1,990.50 - 0.50) × 1.24 + 3 × 1,234,567.89 × 1.11; and 2.75 × 19,850 × 1.24
    expect(expected.amounts).toEqual([
      ['A-1', '4113578.67'],
      ['A-2', '67688.50'],
    ]);
    expect(expected.contents[0]).toMatchObject({
      ...{ issue_date: '2026-11-16', settlement_date: '2026-12-05', is_claim: true },
      customer: { kennitala: '5402696029', name: 'Þorn & Æðey ehf.' },
      lines: [{ description: 'Ull; þæfð, "fín"', tax: 'S' }, { tax: 'AA' }],
    });
  });

  test.each<[string, Uint8Array | string]>([
    ['Icelandic, the code page of Windows', latin1(saved(ICELANDIC))],
    ['Icelandic, CSV UTF-8', `\uFEFF${saved(ICELANDIC)}`],
    ['Icelandic, Unicode text', utf16(saved({ ...ICELANDIC, between: '\t' }))],
    ['American, the code page of Windows', latin1(saved(AMERICAN))],
    ['American, CSV UTF-8', `\uFEFF${saved(AMERICAN)}`],
    ['American, Unicode text', utf16(saved({ ...AMERICAN, between: '\t' }))],
    ['British, CSV UTF-8', `\uFEFF${saved(BRITISH)}`],
  ])('%s', (_name, bytes) => {
    expect(read(bytes)).toEqual(expected);
  });
});

describe('what can mean two things is not guessed', () => {
  test('a date of which no other of the file tells whether the day or the month is first', () => {
    const dated = (reference: string, of: string) =>
      row(reference, '100').map((cell) => (cell === '2026-11-16' ? of : cell));
    const { amounts, problems } = read(rows(';', dated('A-1', '5/6/2026'), dated('A-2', '2026-06-05')));
    expect(amounts).toEqual([['A-2', '100.00']]);
    expect(problems).toEqual([
      expect.stringContaining('a.csv:2 issue_date is "5/6/2026", which may have the day or the month first'),
    ]);
    expect(read(rows(';', dated('A-1', '5/13/2026'), dated('A-2', '13/5/2026'))).amounts).toEqual([]);
    expect(read(rows(';', dated('A-1', '5/6/2026'), dated('A-2', '13/5/2026'))).contents).toMatchObject([
      { issue_date: '2026-06-05' },
      { issue_date: '2026-05-13' },
    ]);
  });

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
