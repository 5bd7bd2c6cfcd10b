// Cells as people and spreadsheets write them, in Icelandic and English settings. A number or day is read only where it can mean one thing: `1.990`
// is 1990 in a file with decimal commas and 1.99 in one with decimal points, and the other numbers of its file say which it is.
import { readDay, readTax, readYesOrNo } from '../../domain/written-values.js';
import type { CellKind } from './columns.js';

export type Delimiter = ',' | ';' | '\t';

/** `?`: the file has both, or nothing tells. */
export type DecimalSign = ',' | '.' | '?';

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
export type DayOrder = 'day-first' | 'month-first' | '?';

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
