// Receipts: every picture and PDF in a watched folder is one cost, and is known by the hash of its bytes, whatever it is called. What
// somebody knows of it may stand beside it, in a file of the same name with `.json` after it.
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { isCalendarDay } from '../../domain/calendar-day.js';
import { parseLossless } from '../../domain/lossless-json.js';
import { contentText, readContent } from '../../pipeline/outgoing/content.js';
import { problemAt } from '../origin.js';
import type { FileReading, FileToRead, FolderReader } from '../folder/folder-reader.js';

/** Document 1, "Limits". */
const TYPES = new Set(['.jpg', '.jpeg', '.png', '.gif', '.pdf']);
/** Of the hash; enough to be no other file's. */
const REFERENCE_DIGITS = 32;

/** `required`: a receipt waits until somebody has said what it is. */
export function receiptFiles(details: 'optional' | 'required'): FolderReader {
  return {
    takes: (file) => TYPES.has(extname(file).toLowerCase()),
    companion: (file) => `${file}.json`,
    read: (file) => readReceipt(file, details),
  };
}

function readReceipt(file: FileToRead, details: 'optional' | 'required'): FileReading {
  const { name, bytes, changedOn, companion } = file;
  const place = `${name}:1`;
  const problem = (said: string): FileReading => ({ records: [], problems: [{ place, problem: said }] });
  if (companion === null && details === 'required') return problem(`it waits for ${name}.json`);
  const known = companion === null ? {} : fieldsOf(companion);
  if (typeof known === 'string') return problem(`${name}.json ${known}`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const named = { name, sha256, bytes: String(bytes.byteLength) };
  const value = { ...dateIn(name), ...known, file: named, seen: changedOn };
  const read = readContent('cost', value, `${name}.json`);
  if (read.outcome === 'problem') return { records: [], problems: [problemAt(place, read.words)] };
  const reference = sha256.slice(0, REFERENCE_DIGITS);
  return {
    records: [{ kind: 'cost', reference, place, content: contentText(read.content) }],
    problems: [],
    identity: sha256,
  };
}

/** People name files by day: 2026-11-16 Bensín.pdf. */
function dateIn(name: string): { date?: string } {
  const day = name.slice(0, 10);
  return isCalendarDay(day) ? { date: day } : {};
}

function fieldsOf(companion: Uint8Array): object | string {
  try {
    const value: unknown = parseLossless(new TextDecoder('utf-8', { fatal: true }).decode(companion));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? value
      : 'is not an object in braces';
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
