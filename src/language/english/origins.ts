// Why a record of an origin cannot be read. An origin of somebody else's says it in its own words, which are quoted.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

/** What a field should have been; empty: only the schema can say. */
export type Unfit =
  | 'number'
  | 'day'
  | 'time'
  | 'kennitala'
  | 'after-from'
  | 'line'
  | 'missing'
  | 'unknown-field'
  | 'one-of'
  | 'yes-or-no'
  | 'tax'
  | 'no-text'
  | 'too-long'
  | '';

const UNFIT: Readonly<
  Record<Exclude<Unfit, 'missing' | 'unknown-field' | 'line' | ''>, (names: string) => string>
> = {
  number: () => 'not a number like 1990 or 1990.50',
  day: () => 'not a day like 2026-01-31 or 31.1.2026',
  time: () => 'not a time like 08:30',
  kennitala: () => 'not a kennitala of ten digits',
  'after-from': () => 'not after `from`',
  'one-of': (names) => `not one of ${names}`,
  'yes-or-no': () => 'not one of 1, 0, true, false, yes, no, já, nei',
  tax: () => 'not one of S (24 %), AA (11 %), Z (0 %)',
  'no-text': () => 'not a text',
  'too-long': (most) => `longer than ${most} characters`,
};

/** `row`: of a file of rows; `line`: of the record itself. `names`: the fields or values that it is about. */
export interface UnfitField {
  field: string;
  row?: number;
  line?: number;
  found?: string;
  problem: string;
  unfit: Unfit;
  names: string;
}

export const ORIGINS = {
  FIELDS_UNFIT: ({ fields }: { fields: readonly Message[] }, say: Say) =>
    fields.map((field) => say(field)).join('; '),
  FIELD_UNFIT: ({ field, row = 0, line = 0, found = '', problem, unfit, names }: UnfitField) => {
    const place = row > 0 ? ` in row ${String(row)}` : line > 0 ? ` of line ${String(line)}` : '';
    switch (unfit) {
      case 'missing':
        return `${field}${place} is missing`;
      case 'unknown-field':
        return `no such field${place}: ${names}`;
      case 'line':
        return `${field} needs at least one line`;
      case '':
        return `${field}${place}: ${problem}`;
      default:
        return `${field}${place} is ${found === '' ? '' : `"${found}", `}${UNFIT[unfit](names)}`;
    }
  },
  AT_RECORD: ({ at, what }: { at: string; what: Message }, say: Say) => `${at}: ${say(what)}`,
  FILE_GOES_ONCE: ({ twin }: { twin: string }) => `is the same file as ${twin}, which goes once`,
  FILE_READ_TO: ({ bytes, most }: { bytes: number; most: number }) =>
    `the file has ${String(bytes)} bytes; at most ${String(most)} are read`,
  FILE_IS_NONE: () =>
    'it is a link, a pipe or a device, and no file: put the file itself there; links are never followed',
  FILE_NOT_READABLE: ({ code }: { code: string }) =>
    `the bridge may not read it (${code}): give the user that it runs as the right to read it`,
  NOT_FILES: ({ count, names }: { count: number; names: string }) =>
    `${String(count)} of the names in the folder are links, pipes or devices and are not read: ${names}. Put the files themselves there`,
  RESULT_NOT_WRITTEN: ({ file }: { file: string }) =>
    `${file} cannot be written: it, or its folder, is a link, a pipe or a device, or the file has another name elsewhere. Move it away; it is then made anew`,
  FOLDER_LARGE: ({ files }: { files: number }) =>
    `the folder has ${String(files)} files, which makes each look at it slow: move those that are done to another folder`,
  FOLDER_FULL: ({ most }: { most: number }) =>
    `the folder has more than ${String(most)} files, and new ones beyond that are not read: move those that are done to another folder`,
  FILE_IS_SPREADSHEET: () =>
    'the own files of spreadsheets are not read: save it as CSV (in Excel: Save As, CSV UTF-8) and put that file here',
  FILE_NOT_UTF8: () => 'the file is not written in UTF-8',
  KIND_UNKNOWN: ({ kind, kinds }: { kind: string; kinds: string }) => `kind "${kind}" is not one of ${kinds}`,
  KIND_NOT_TAKEN: ({ kind, kinds }: { kind: string; kinds: string }) =>
    `kind "${kind}" is not taken here, only ${kinds}; the tenant file says which (\`kinds\`)`,
  REFERENCE_UNFIT: ({ reference }: { reference: string }) =>
    `reference "${reference}" is missing, too long, or has signs that it may not have`,
  REFERENCE_MISSING: () => 'reference is missing',
  NO_SUCH_COLUMN: ({ columns, allowed }: { columns: string; allowed?: string }) =>
    allowed === undefined
      ? `no such column: ${columns}`
      : `no such column: ${columns}. A file with the other columns of this one may have ${allowed}, or their Icelandic names`,
  ROW_DIFFERS: ({ names, reference }: { names: string; reference: string }) =>
    `${names} differs from the first row of ${reference}: repeat what is there, or leave it empty`,
  ROW_CELLS: ({ cells, columns, isComma }: { cells: number; columns: number; isComma?: boolean }) =>
    `the row has ${String(cells)} cells and the file ${String(columns)} columns${isComma === true ? ': a decimal comma? Put the number in quotation marks, or save the file with semicolons between cells' : ''}`,
  RECORD_LACKS_ROW: ({ reference, line }: { reference: string; line: number }) =>
    `nothing of ${reference} is taken, because line ${String(line)} of the file cannot be read and may belong to it`,
  NUMBER_UNCLEAR: ({ column, found }: { column: string; found: string }) =>
    `${column} is "${found}", which may be thousands or have three decimals, and the other numbers of the file do not tell: write it without a sign for thousands, or with two decimals`,
  DAY_UNCLEAR: ({ column, found }: { column: string; found: string }) =>
    `${column} is "${found}", which may have the day or the month first, and the other days of the file do not tell: write it like 2026-01-31 or 31.1.2026`,
  COLUMN_TWICE: ({ columns }: { columns: string }) => `a column is there twice: ${columns}`,
  TABLE_EMPTY: () =>
    'the file is empty: a row with the names of the columns and at least one row below it are expected',
  ROW_QUOTES: () => 'quotation marks in it are not closed, or stand where none may',
  FILE_NO_CSV: ({ why }: { why: string }) => `the file is not CSV: ${why}`,
  FILE_NO_XML: ({ why }: { why: string }) => `the file is not XML: ${why}`,
  LINE_NO_OBJECT: () => 'is not an object in braces',
  LINE_TOO_MANY_VALUES: ({ most }: { most: number }) => `has more than ${String(most)} values`,
  LINE_NO_JSON: ({ why }: { why: string }) => `is not JSON: ${why}`,
  NO_UBL_ORDER: () => 'it is not a UBL 2.1 Order',
  WAITS_FOR_FILE: ({ file }: { file: string }) => `it waits for ${file}`,
  FILE_NAME_UNFIT: ({ name }: { name: string }) =>
    `files: "${name}" is no name of a file: a name alone, without a folder, that does not begin with a dot`,
  FILE_NO_BASE64: ({ file }: { file: string }) => `files: the content of ${file} is not base64`,
  FILE_IS_LINK: ({ file }: { file: string }) =>
    `${file} is a link beside it, and no file that could go with it; \`files\` of the origin says which go`,
  FILE_ELSEWHERE: ({ file }: { file: string }) =>
    `${file} is named by an address, and nothing is fetched from there; \`embedded\` of the origin says which files go`,
  BESIDE_NO_OBJECT: ({ file }: { file: string }) => `${file} is not an object in braces`,
  BESIDE_NO_JSON: ({ file, why }: { file: string; why: string }) => `${file} is not JSON: ${why}`,
  HOURS_WITHOUT_CUSTOMER: () => 'it has hours to be billed and no customer with a kennitala',
  HOURS_MAY_BE_BILLED: ({ hours, date }: { hours: string; date: string }) =>
    `${hours} hours of ${date} may be on an invoice that the task has at the service, and are not billed by the bridge: bill them there, or log them anew`,
  HOURS_BILLED_BEFORE: ({ hours, date, period }: { hours: string; date: string; period: string }) =>
    `${hours} hours of ${date} were billed with ${period} already, and are not billed again`,
  KENNITALA_SHARED: ({ kennitala, customers }: { kennitala: string; customers: string }) =>
    `several customers have the kennitala ${kennitala}, and none of them is handed over: ${customers}`,
  ITEM_NUMBER_SHARED: ({ number, items }: { number: string; items: string }) =>
    `several products have the code ${number}, and none of them is handed over: ${items}`,
  ITEM_GROUP_UNKNOWN: ({ number, group }: { number: string; group: string }) =>
    group === ''
      ? `the item ${number} has no VAT product posting group`
      : `the item ${number} has the VAT product posting group ${group}, and \`vatGroups\` of the origin does not say which VAT that is`,
  PARTY_WITHOUT_KENNITALA: ({ party }: { party: string }) => `its customer ${party} has no kennitala`,
  CREDITS_NOT_ONE: () => 'it credits something, and not lines of exactly one invoice',
  ERP_NO_ORIGIN: ({ adapter, lacks }: { adapter: string; lacks: string }) =>
    `The ERP "${adapter}" cannot hand over ${lacks}.`,
  TAKE_OUT_OF_HANDS: () => 'Take it out of `hands`, or use another origin for it.',
} satisfies TextTable;
