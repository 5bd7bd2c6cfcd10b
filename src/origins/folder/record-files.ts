// Files of records: CSV, JSON lines and UBL orders; the own files of spreadsheets are told to be saved as CSV. A record that cannot be read is a problem with its line, and spoils no other.
import { extname } from 'node:path';
import type { SubmissionKind } from '../../domain/submission.js';
import { told } from '../told.js';
import { type OriginProblem, type OriginRecord, problemAt } from '../origin.js';
import { type FolderReader, filesNamedIn, withFilesBeside } from './named-files.js';
import {
  asOriginRecord,
  nameOf,
  type RawReading,
  type RawRecord,
  readJsonLines,
  tableText,
} from './read-table.js';
import { readRows } from './read-rows.js';
import { fileInOrder, readUblOrder } from './ubl-order.js';

const TABLES = new Set(['.csv', '.tsv']);
/** What spreadsheets keep: it is not read, and whoever puts it there is told how to save it. */
const SPREADSHEETS = new Set(['.xlsx', '.xlsm', '.xlsb', '.xls', '.ods', '.numbers']);
const READERS = new Set([...TABLES, ...SPREADSHEETS, '.jsonl', '.ndjson', '.xml']);

/** `orders`: what a UBL order becomes; `kinds`: those that are taken, all unless given; `embedded`: files in a UBL order that go with it. */
export function recordFiles(
  orders: UblWish['orders'],
  kinds?: readonly SubmissionKind[],
  embedded: readonly string[] = [],
): FolderReader {
  const wish = { orders, embedded };
  return {
    takes: (file) => READERS.has(kindOf(file)),
    names: ({ name, bytes }) =>
      isUbl(name) ? [] : parse(name, bytes, wish).records.flatMap(({ value }) => filesNamedIn(value)),
    embedded: ({ name, bytes }, at) => {
      const text = isUbl(name) ? textIn(bytes) : null;
      return text === null ? null : fileInOrder(text, at);
    },
    read: ({ name, bytes, beside = new Map() }) => {
      const reading = parse(name, bytes, wish);
      const problems: OriginProblem[] = reading.problems.map(({ line, words }) =>
        problemAt(`${name}:${String(line)}`, words),
      );
      const records: OriginRecord[] = [];
      const slots = slotsOf(name, reading.records);
      for (const raw of reading.records) {
        // An order has its files inside it, and is read with them.
        const attached = isUbl(name) ? { value: raw.value } : withFilesBeside(raw.value, beside);
        const read =
          'said' in attached
            ? problemAt(`${name}:${String(raw.line)}`, attached)
            : asOriginRecord(name, { ...raw, ...attached }, kinds);
        if ('problem' in read) problems.push(read);
        else records.push({ ...read, slot: slots.get(raw) ?? name });
      }
      return { records, problems };
    },
  };
}

/** The file, and `#2` after it for the second record of the same reference in it: whatever line it is on, it is another record. */
function slotsOf(file: string, records: readonly RawRecord[]): Map<RawRecord, string> {
  const counts = new Map<string, number>();
  const slots = new Map<RawRecord, string>();
  for (const raw of records) {
    const named = `${raw.kind} ${nameOf(raw)}`;
    const count = (counts.get(named) ?? 0) + 1;
    counts.set(named, count);
    slots.set(raw, count === 1 ? file : `${file}#${String(count)}`);
  }
  return slots;
}

interface UblWish {
  readonly orders: 'order' | 'draft' | 'invoice';
  readonly embedded: readonly string[];
}

function parse(file: string, bytes: Uint8Array, { orders, embedded }: UblWish): RawReading {
  if (SPREADSHEETS.has(kindOf(file)))
    return { records: [], problems: [{ line: 1, words: told('FILE_IS_SPREADSHEET') }] };
  const isTable = TABLES.has(kindOf(file));
  const text = isTable ? tableText(bytes) : textIn(bytes);
  if (text === null) return { records: [], problems: [{ line: 1, words: told('FILE_NOT_UTF8') }] };
  if (isUbl(file)) return readUblOrder(text, orders, embedded);
  return isTable ? readRows(text) : readJsonLines(text);
}

/** null: it is not UTF-8. */
function textIn(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isUbl(file: string): boolean {
  return kindOf(file) === '.xml';
}

function kindOf(file: string): string {
  return extname(file).toLowerCase();
}
