// Receipts: every picture and PDF in a watched folder is one cost, and is known by the hash of its bytes, whatever it is called. What
// somebody knows of it may stand beside it, in a file of the same name with `.json` after it.
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { isCalendarDay } from '../domain/local-time.js';
import { parseLossless } from '../domain/canonical-json.js';
import type { Told } from '../domain/message.js';
import { saidBy, told, type Words } from './told.js';
import { contentText, readContent } from './content.js';
import { problemAt } from './origin.js';
import type { FileReading, FileToRead, FolderReader } from './folder/named-files.js';
import { FolderOrigin, placeOf } from './folder/folder-origin.js';
import type { CreateOrigin } from './origin-services.js';

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
  const problem = (words: Told): FileReading => ({ records: [], problems: [problemAt(place, words)] });
  if (companion === null && details === 'required')
    return problem(told('WAITS_FOR_FILE', { file: `${name}.json` }));
  const beside = companion === null ? { fields: {} } : fieldsOf(companion, `${name}.json`);
  if ('said' in beside) return problem(beside);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const named = { name, sha256, bytes: String(bytes.byteLength) };
  const read = readContent('cost', { ...dateIn(name), ...beside.fields, file: named, seen: changedOn });
  if (read.outcome === 'problem')
    return problem(told('AT_RECORD', { at: `${name}.json`, what: saidBy(read.words, 1_000) }));
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

function fieldsOf(companion: Uint8Array, file: string): { readonly fields: object } | Words {
  try {
    const value: unknown = parseLossless(new TextDecoder('utf-8', { fatal: true }).decode(companion));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { fields: value }
      : told('BESIDE_NO_OBJECT', { file });
  } catch (error) {
    return told('BESIDE_NO_JSON', { file, why: error instanceof Error ? error.message : String(error) });
  }
}

// A drop directory of receipts, as a tenant file names it.

export const createReceipts: CreateOrigin<'receipts'> = (settings, services) =>
  new FolderOrigin(
    settings.name,
    placeOf(settings, services),
    receiptFiles(settings.details),
    services.clock,
  );
