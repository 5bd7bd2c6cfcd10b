// Files of records: CSV, JSON lines and UBL orders. A record that cannot be read is a problem with its line, and spoils no other.
import { extname } from 'node:path';
import type { SubmissionKind } from '../../domain/submission.js';
import { told } from '../told.js';
import { type OriginProblem, type OriginRecord, problemAt } from '../origin.js';
import type { FolderReader } from './folder-reader.js';
import { filesNamedIn, withFilesBeside } from './named-files.js';
import { asOriginRecord, type RawReading } from './raw-record.js';
import { readJsonLines } from './read-json-lines.js';
import { readRows } from './read-rows.js';
import { readUblOrder } from './read-ubl-order.js';

const READERS = new Set(['.csv', '.jsonl', '.ndjson', '.xml']);

/** `orders`: what a UBL order becomes; `kinds`: those that are taken, all unless given. */
export function recordFiles(
  orders: 'order' | 'draft' | 'invoice',
  kinds?: readonly SubmissionKind[],
): FolderReader {
  return {
    takes: (file) => READERS.has(extname(file).toLowerCase()),
    names: ({ name, bytes }) =>
      parse(name, bytes, orders).records.flatMap(({ value }) => filesNamedIn(value)),
    read: ({ name, bytes, beside = new Map() }) => {
      const reading = parse(name, bytes, orders);
      const problems: OriginProblem[] = reading.problems.map(({ line, words }) =>
        problemAt(`${name}:${String(line)}`, words),
      );
      const records: OriginRecord[] = [];
      for (const raw of reading.records) {
        const attached = withFilesBeside(raw.value, beside);
        const read =
          'said' in attached
            ? problemAt(`${name}:${String(raw.line)}`, attached)
            : asOriginRecord(name, { ...raw, ...attached }, kinds);
        if ('problem' in read) problems.push(read);
        else records.push(read);
      }
      return { records, problems };
    },
  };
}

function parse(file: string, bytes: Uint8Array, orders: 'order' | 'draft' | 'invoice'): RawReading {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { records: [], problems: [{ line: 1, words: told('FILE_NOT_UTF8') }] };
  }
  switch (extname(file).toLowerCase()) {
    case '.csv':
      return readRows(text);
    case '.xml':
      return readUblOrder(text, orders);
    default:
      return readJsonLines(text);
  }
}
