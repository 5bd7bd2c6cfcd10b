// JSON lines: one object a line, with `kind` and `reference` beside the fields of the record. Numbers keep all their digits.
import { isLosslessNumber } from 'lossless-json';
import { parseLossless } from '../../domain/lossless-json.js';
import { told, type Words } from '../told.js';
import type { RawProblem, RawReading, RawRecord } from './raw-record.js';

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
