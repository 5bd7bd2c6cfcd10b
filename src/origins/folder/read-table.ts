// Text of rows and cells, as spreadsheets save it: one sign between the cells of a file, decided by its header; UTF-8, UTF-16 with its mark
// ("Unicode text"), or the code page of Western Windows.
import { lstat } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { isLosslessNumber } from 'lossless-json';
import { told, type Words } from '../told.js';
import { countKnown, type CellKind } from './columns.js';
import { readDay, readTax, readYesOrNo, writtenText } from '../../domain/written-values.js';
import { parseLossless } from '../../domain/canonical-json.js';
import { type BoundedBytes, NoPlainFile, readPlainFile } from '../../files/plain-file.js';
import type { Told } from '../../domain/message.js';
import { readKennitala } from '../../domain/kennitala.js';
import { SUBMISSION_KINDS, type SubmissionKind } from '../../domain/submission.js';
import { contentText, readContent, type PlaceOfField } from '../content.js';
import { type OriginProblem, type OriginRecord, problemAt } from '../origin.js';

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

// Cells as people and spreadsheets write them, in Icelandic and English settings. A number or day is read only where it can mean one thing: `1.990`
// is 1990 in a file with decimal commas and 1.99 in one with decimal points, and the other numbers of its file say which it is.
export type Delimiter = ',' | ';' | '\t';

/** `?`: the file has both, or nothing tells. */
type DecimalSign = ',' | '.' | '?';

const SIGNED = /^([+-]?)(.+)$/;
/** Between groups of three digits, as some write it. */
const SPACES = /(?<=\d)[\s\u00a0\u202f](?=\d{3}(?!\d))/g;
/** One sign with three digits after it: thousands, or a decimal sign. */
const UNCLEAR = /^[1-9]\d{0,2}([.,])\d{3}$/;

/** By all cells of numbers of a file; those that are unclear say nothing unless there is nothing else. */
export function decimalSign(cells: readonly string[], delimiter: Delimiter): DecimalSign {
  const signs = new Set<DecimalSign>();
  const unclear = new Set<string>();
  for (const cell of cells) {
    const digits = digitsOf(cell);
    const [, sign] = UNCLEAR.exec(digits) ?? [];
    if (sign !== undefined) unclear.add(sign);
    else if (/^\d+,\d+$|^[1-9]\d{0,2}(\.\d{3})+,\d+$|^[1-9]\d{0,2}(\.\d{3}){2,}$/.test(digits))
      signs.add(',');
    else if (/^\d+\.\d+$|^[1-9]\d{0,2}(,\d{3})+\.\d+$|^[1-9]\d{0,2}(,\d{3}){2,}$/.test(digits))
      signs.add('.');
  }
  const [only, other] = signs;
  if (only !== undefined) return other === undefined ? only : '?';
  // A program that writes commas between cells writes points in numbers.
  if (delimiter === ',') return '.';
  if (unclear.size !== 1) return '?';
  // Nobody writes three decimals and nothing else: it is thousands.
  return unclear.has('.') ? ',' : delimiter === '\t' ? '.' : '?';
}

export type CellReading = { readonly value: string } | 'unclear';

/** What cannot be read stays as it is, for the schema of the record to refuse. `isSure`: other numbers of the file have a decimal sign. */
export function readNumber(cell: string, decimal: DecimalSign): CellReading {
  const [, sign = '', rest = ''] = SIGNED.exec(cell.trim().replaceAll(SPACES, '')) ?? [];
  const minus = sign === '-' ? '-' : '';
  const [, between] = UNCLEAR.exec(rest) ?? [];
  if (between !== undefined) {
    if (decimal === '?') return 'unclear';
    return { value: minus + (between === decimal ? rest.replace(',', '.') : rest.replace(between, '')) };
  }
  if (/^[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/.test(rest))
    return { value: minus + rest.replaceAll('.', '').replace(',', '.') };
  if (/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(rest)) return { value: minus + rest.replaceAll(',', '') };
  if (/^\d+,\d+$/.test(rest)) return { value: minus + rest.replace(',', '.') };
  return { value: /^\d+(\.\d+)?$/.test(rest) ? minus + rest : cell };
}

function digitsOf(cell: string): string {
  return (SIGNED.exec(cell.trim().replaceAll(SPACES, '')) ?? [])[2] ?? '';
}

/** Which part of `5/6/2026` is the day; `?`: the days of the file do not tell, or do not agree. */
type DayOrder = 'day-first' | 'month-first' | '?';

const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const MONTHS = 12;

/** By all days of a file: no month has a number above twelve. */
export function dayOrder(cells: readonly string[]): DayOrder {
  const orders = new Set<DayOrder>();
  for (const cell of cells) {
    const [, first = '', second = ''] = SLASHED.exec(cell.trim()) ?? [];
    if (Number(first) > MONTHS) orders.add('day-first');
    if (Number(second) > MONTHS) orders.add('month-first');
  }
  const [only = '?', other] = orders;
  return other === undefined ? only : '?';
}

export function readDayCell(cell: string, order: DayOrder): CellReading {
  const [, first, second, year] = SLASHED.exec(cell.trim()) ?? [];
  if (first === undefined || second === undefined || year === undefined) return { value: readDay(cell) };
  if (order === '?' && first !== second) return 'unclear';
  const read = readDay(order === 'month-first' ? `${second}.${first}.${year}` : `${first}.${second}.${year}`);
  return { value: read.includes('.') ? cell : read };
}

export function readCell(kind: Exclude<CellKind, 'number' | 'day'>, cell: string): string {
  switch (kind) {
    case 'yes-or-no': {
      const read = readYesOrNo(cell);
      return read === null ? cell : read ? '1' : '0';
    }
    case 'tax':
      return readTax(cell) || cell;
    case 'text':
      return cell;
  }
}

// JSON lines: one object a line, with `kind` and `reference` beside the fields of the record. Numbers keep all their digits.
export function readJsonLines(text: string): RawReading {
  const records: RawRecord[] = [];
  const problems: RawProblem[] = [];
  for (const [index, row] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    if (row.trim() === '') continue;
    const read = readJsonRecord(row);
    if ('said' in read) problems.push({ line, words: read });
    else records.push({ ...read, line });
  }
  return { records, problems };
}

/** Twice what an invoice with as many lines as the service takes has; reading time grows with it. */
const VALUES_MAX = 50_000;

/** One record, or why it is none. */
export function readJsonRecord(row: string): Omit<RawRecord, 'line'> | Words {
  if (hasMoreValuesThan(VALUES_MAX, row)) return told('LINE_TOO_MANY_VALUES', { most: VALUES_MAX });
  let value: unknown;
  try {
    value = parseLossless(row);
  } catch (error) {
    return told('LINE_NO_JSON', { why: error instanceof Error ? error.message : String(error) });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return told('LINE_NO_OBJECT');
  const { kind = 'invoice', reference = '', ...fields } = value as Readonly<Record<string, unknown>>;
  return { kind: written(kind), reference: written(reference), value: fields };
}

/** What is neither text nor a number names nothing. */
function written(value: unknown): string {
  if (typeof value === 'string') return value;
  return isLosslessNumber(value) ? value.value : '';
}

/** Each value but the first of a list or an object has a comma before it, and each named one a colon. */
function hasMoreValuesThan(most: number, row: string): boolean {
  let signs = 0;
  for (let at = 0; at < row.length && signs <= most; at++) if (row[at] === ',' || row[at] === ':') signs++;
  return signs > most;
}

// The bytes of a file of a watched folder, or why they cannot be read.
const BYTES_MAX = 20 * 1024 * 1024;

type BytesRead = Pick<BoundedBytes, 'bytes' | 'changedAt'>;

/** Words: it is no file, too large, or nobody may read it. */
export async function readBytes(path: string): Promise<BytesRead | Words> {
  try {
    const read = await readPlainFile(path, BYTES_MAX);
    return read.isWhole ? read : told('FILE_READ_TO', { bytes: read.size, most: BYTES_MAX });
  } catch (error) {
    if (error instanceof NoPlainFile) return told('FILE_IS_NONE');
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return told('FILE_NOT_READABLE', { code });
    throw error;
  }
}

/** A link to nowhere is there as well. */
export async function bytesIfThere(path: string): Promise<BytesRead | Words | null> {
  return (await isThere(path)) ? readBytes(path) : null;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

// A record as a file has it, before anybody knows whether it can be used.

export interface RawRecord {
  /** As written: it may be none of ours. */
  readonly kind: string;
  readonly reference: string;
  /** Where it begins in its file, from 1. */
  readonly line: number;
  readonly value: unknown;
  /** Where people find a field of it, where its name alone does not say. */
  readonly placeOf?: PlaceOfField;
}

export interface RawReading {
  readonly records: readonly RawRecord[];
  readonly problems: readonly RawProblem[];
}

export interface RawProblem {
  readonly line: number;
  readonly words: Told;
}

const REFERENCE = /^[\p{L}\p{N}][\p{L}\p{N} ./_#:-]{0,99}$/u;

export function asOriginRecord(
  file: string,
  raw: RawRecord,
  kinds: readonly SubmissionKind[] = SUBMISSION_KINDS,
): OriginRecord | OriginProblem {
  const { kind, reference, line, value, placeOf } = raw;
  const place = `${file}:${String(line)}`;
  const known = SUBMISSION_KINDS.find((one) => one === kind);
  if (known === undefined)
    return problemAt(place, told('KIND_UNKNOWN', { kind, kinds: SUBMISSION_KINDS.join(', ') }));
  if (!kinds.includes(known))
    return problemAt(place, told('KIND_NOT_TAKEN', { kind, kinds: kinds.join(', ') }));
  if (kind !== 'customer' && !REFERENCE.test(reference))
    return problemAt(place, told('REFERENCE_UNFIT', { reference: reference.slice(0, 40) }));
  const read = readContent(known, value, undefined, placeOf);
  if (read.outcome === 'problem') return problemAt(place, read.words);
  const name = 'kennitala' in read.content ? read.content.kennitala : reference;
  return { kind: known, reference: name, place, content: contentText(read.content) };
}

/** A customer is named by its kennitala, however it is written. */
export function nameOf({ kind, reference, value }: Pick<RawRecord, 'kind' | 'reference' | 'value'>): string {
  if (kind !== 'customer') return reference;
  const { kennitala } = (value ?? {}) as { readonly kennitala?: unknown };
  const written = writtenText(kennitala);
  return readKennitala(written).digits ?? written;
}
