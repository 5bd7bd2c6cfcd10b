// The lines of a certificate as bytes, not characters: what was hashed is bytes. Only one piece of the file is in memory.
import { createReadStream } from 'node:fs';

const LINE_BYTES_MAX = 64 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const HASH_CHARACTERS = 64;

/** A path, or the bytes themselves. */
export type CertificateBytes = string | Buffer;

export async function forEachLine(
  from: CertificateBytes,
  take: (line: Buffer) => void,
  onProgress?: (bytes: number) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  const pieces = typeof from === 'string' ? createReadStream(from, { highWaterMark: PIECE_BYTES }) : [from];
  for await (const piece of pieces) {
    const chunk = piece as Buffer;
    read += chunk.length;
    onProgress?.(read);
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end !== -1; end = data.indexOf(NEWLINE, start)) {
      take(data.subarray(start, end));
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > LINE_BYTES_MAX) break;
  }
  if (rest.length > 0) take(rest);
}

export type LineKind = 'record' | 'index' | 'seal';

export function kindOf(line: Buffer): LineKind {
  if (begins(line, 'seal ')) return 'seal';
  return begins(line, 'index ') ? 'index' : 'record';
}

function begins(line: Buffer, word: string): boolean {
  return line.length >= word.length && line.toString('latin1', 0, word.length) === word;
}

/** What a line of a record says of itself: the hash before the space, and the bytes after it. */
export function recordOf(line: Buffer): { readonly written: string; readonly record: Buffer } {
  const isNamed = line[HASH_CHARACTERS] === 0x20;
  return {
    written: isNamed ? line.toString('latin1', 0, HASH_CHARACTERS) : '',
    record: line.subarray(HASH_CHARACTERS + 1),
  };
}

/** What a person would call it: kind, number and guid of the document; the key of an entry that belongs to none. */
export function nameOf(record: Buffer): string {
  const value = parsed(record.toString('utf8')) as Readonly<Record<string, unknown>> | null;
  const document = (value?.['document'] ?? value) as Readonly<Record<string, unknown>> | null;
  const parts = [document?.['kind'], document?.['number'], document?.['guid'], value?.['key']];
  const named = parts.filter((part): part is string => typeof part === 'string' && part !== '').join(' ');
  return named === '' ? record.toString('utf8', 0, 80) : named;
}

export function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
