// The append-only file of one month's records. Reading stops before a torn end and says so; damage anywhere else is an
// error, since skipping a line would make an entry vanish. Writing ends with an fsync, or leaves the file as it was.
import { type FileHandle, open } from 'node:fs/promises';
import { PRIVATE_FILE } from '../../domain/private-files.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { decodeRecord, type LedgerRecord, RECORD_BYTES_MAX } from './ledger-record.js';

const CHUNK_BYTES = 256 * 1024;
/** Most records are a kilobyte or two. */
const ONE_RECORD_BYTES = 8 * 1024;
const NEWLINE = 0x0a;

export interface PlacedRecord {
  readonly record: LedgerRecord;
  readonly offset: number;
  /** Where the next record starts. */
  readonly end: number;
}

/** Every whole record from an offset on. The caller compares the last `end` with the file's size to see a torn write. */
export async function* readRecords(
  path: string,
  from = 0,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<PlacedRecord> {
  const handle = await open(path, 'r');
  try {
    let pending: Buffer = Buffer.alloc(0);
    let offset = from;
    for (let position = from; ;) {
      const chunk = await readAt(handle, position, chunkBytes);
      if (chunk.length === 0) return;
      position += chunk.length;
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (let newline = pending.indexOf(NEWLINE); newline !== -1; newline = pending.indexOf(NEWLINE)) {
        const end = offset + newline + 1;
        const record = decodeRecord(pending.toString('utf8', 0, newline));
        if (record === null) {
          if (await isLastLine(handle, end)) return;
          throw damaged(path, offset);
        }
        yield { record, offset, end };
        pending = pending.subarray(newline + 1);
        offset = end;
      }
      if (pending.length > RECORD_BYTES_MAX) throw damaged(path, offset);
    }
  } finally {
    await handle.close();
  }
}

export async function readRecordAt(path: string, offset: number): Promise<LedgerRecord | null> {
  for await (const { record } of readRecords(path, offset, ONE_RECORD_BYTES)) return record;
  return null;
}

/** Thrown when bytes may or may not be on the disk; what the caller reports as `unknown`. */
export class UncertainWrite extends Error {
  override readonly name = 'UncertainWrite';
}

/** Appends and fsyncs. On failure the file is cut back to `size`; if even that fails, the outcome is uncertain. */
export async function appendDurably(path: string, size: number, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'a', PRIVATE_FILE);
  try {
    await handle.appendFile(bytes);
    await handle.datasync();
  } catch (error) {
    await cutBack(handle, size, error);
    throw error;
  } finally {
    await handle.close();
  }
}

async function cutBack(handle: FileHandle, size: number, cause: unknown): Promise<void> {
  try {
    await handle.truncate(size);
    await handle.datasync();
  } catch {
    throw new UncertainWrite('A write to the books failed and could not be undone.', { cause });
  }
}

export async function truncateDurably(path: string, size: number): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.truncate(size);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, bytesMax: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(bytesMax), 0, bytesMax, position);
  return buffer.subarray(0, bytesRead);
}

async function isLastLine(handle: FileHandle, end: number): Promise<boolean> {
  return (await readAt(handle, end, 1)).length === 0;
}

function damaged(path: string, offset: number): CodedError {
  return new CodedError(
    'ERP_FILE_DAMAGED',
    `${path} is damaged at byte ${String(offset)}: a record there is not what was written.`,
    { details: { path, offset } },
  );
}
