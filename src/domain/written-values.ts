// Values as people, spreadsheets and programs write them: one reading for files of rows, JSON, requests and ERPs. What cannot be read stays
// as it is, for the schema of the record to refuse.
import { isLosslessNumber } from 'lossless-json';
import { isCalendarDay } from './local-time.js';

/** Text or a number as it is written: a number of JSON has all its digits, and may be where the documents have text. */
export function asWritten(value: unknown): unknown {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === 'number' ? String(value) : value;
}

/** Likewise, for what is looked up by its text; anything else is empty. */
export function writtenText(value: unknown): string {
  const written = asWritten(value);
  return typeof written === 'string' ? written.trim() : '';
}

/** Yes and no of the two languages, and what a spreadsheet writes of them. */
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'já', 'satt', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'nei', 'ósatt', '0']);

/** null: neither. */
export function readYesOrNo(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const written = writtenText(value).toLowerCase();
  return YES.has(written) ? true : NO.has(written) ? false : null;
}

const TAXES: Readonly<Record<string, string>> = { '24': 'S', '11': 'AA', '0': 'Z', s: 'S', aa: 'AA', z: 'Z' };

/** Empty: none of the rates of Iceland. */
export function readTax(value: unknown): string {
  const written = writtenText(value).toLowerCase();
  const bare = written.endsWith('%') ? written.slice(0, -1).trimEnd() : written;
  const [, rate = bare] = /^(\d{1,2})[.,]0{1,10}$/.exec(bare) ?? [];
  return Object.hasOwn(TAXES, rate) ? (TAXES[rate] ?? '') : '';
}

/** `16.11.2026`, the day before the month, as well as `2026-11-16`. */
export function readDay(value: unknown): string {
  const written = writtenText(value);
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(written) ?? [];
  const read = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDay(read) ? read : written;
}
