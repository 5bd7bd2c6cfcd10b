// Text of rows and cells, as spreadsheets save it: one sign between the cells of a file, decided by its header; UTF-8, UTF-16 with its mark
// ("Unicode text"), or the code page of Western Windows.
import { CsvError, parse } from 'csv-parse/sync';
import { told, type Words } from '../told.js';
import type { Delimiter } from './cell-values.js';
import { countKnown } from './columns.js';
import type { RawProblem } from './raw-record.js';

export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface TextTable {
  readonly header: TableRow;
  readonly rows: readonly TableRow[];
  readonly delimiter: Delimiter;
  /** Rows that cannot be read. */
  readonly unfit: readonly UnfitRow[];
}

export interface UnfitRow extends RawProblem {
  /** null: nobody knows where it begins and ends. */
  readonly cells: readonly string[] | null;
}

/** null: it is no text that a spreadsheet saves. */
export function tableText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be');
  return decoded(bytes, 'utf-8') ?? westernText(bytes);
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Letters of Western Europe and no signs of another meaning: anything else is another encoding, or no text. */
function westernText(bytes: Uint8Array): string | null {
  const text = new TextDecoder('windows-1252').decode(bytes);
  const isLetters =
    /^[\t\r\n\x20-\x7e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u2013\u2014\u2018-\u201e\u2026\u20ac]*$/;
  return isLetters.test(text) ? text : null;
}

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

/** Words: the file cannot be read at all. */
export function readTable(text: string): TextTable | Words {
  const whole = text.replace(/^\uFEFF/, '');
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(whole) ?? [];
  const rest = whole.slice(separatorLine.length);
  const delimiter = DELIMITERS.find((one) => one === named) ?? delimiterOf(rest);
  const unfit: UnfitRow[] = [];
  try {
    const rows = split(rest, delimiter, separatorLine === '' ? 0 : 1, unfit);
    const [header, ...others] = rows;
    if (!header) return told('TABLE_EMPTY');
    return judged(header, others, delimiter, unfit);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return unreadable(error);
  }
}

/** The one by which the header has most names that are known. */
function delimiterOf(text: string): Delimiter {
  const header = text.split(/\r\n|\r|\n/, 100).find((line) => line.trim() !== '') ?? '';
  const scores = DELIMITERS.map((delimiter) => {
    const cells = header.split(delimiter).map((cell) => cell.replace(/^\s*"(.*)"\s*$/, '$1'));
    return { delimiter, known: countKnown(cells), cells: cells.length };
  });
  const [best] = scores.toSorted((a, b) => b.known - a.known || b.cells - a.cells);
  return best?.delimiter ?? ',';
}

function split(text: string, delimiter: Delimiter, linesBefore: number, unfit: UnfitRow[]): TableRow[] {
  const parsed = parse(text, {
    ...{ delimiter, info: true, trim: true, relax_column_count: true },
    skip_records_with_error: true,
    on_skip: (error) => {
      const line = Number(error?.['lines'] ?? 1) + linesBefore;
      if (error) unfit.push({ line, words: unreadable(error), cells: null });
      return undefined;
    },
  }) as unknown as { info: { lines: number }; record: string[] }[];
  return parsed
    .filter(({ record }) => record.some((cell) => cell !== ''))
    .map(({ info, record }) => ({ line: info.lines + linesBefore, cells: record }));
}

/**
 * A row with other cells than the header has columns is not read: its values may stand under other names. Empty cells at the end count for
 * nothing, but where commas stand between cells a decimal comma moves an empty cell there: then they are as many as in the header.
 */
function judged(
  header: TableRow,
  rows: readonly TableRow[],
  delimiter: Delimiter,
  unreadRows: readonly UnfitRow[],
): TextTable {
  const columns = header.cells.findLastIndex((cell) => cell !== '') + 1;
  const unfit = [...unreadRows];
  const fit: TableRow[] = [];
  for (const { line, cells } of rows) {
    const isTailEmpty = cells.slice(columns).every((cell) => cell === '');
    const isWhole = delimiter === ',' ? cells.length === header.cells.length : cells.length >= columns;
    if (cells.length === columns || (isWhole && isTailEmpty))
      fit.push({ line, cells: cells.slice(0, columns) });
    else {
      const isComma = delimiter === ',' && cells.length > columns;
      unfit.push({ line, cells, words: told('ROW_CELLS', { cells: cells.length, columns, isComma }) });
    }
  }
  const { line, cells } = header;
  return { header: { line, cells: cells.slice(0, columns) }, rows: fit, delimiter, unfit };
}

function unreadable(error: CsvError): Words {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return told('ROW_QUOTES');
    default:
      return told('FILE_NO_CSV', { why: error.message });
  }
}
