// One line of the JSON Lines record: the books' truth, from which every other file can be written anew. Each line ends with
// a checksum of itself, so that a torn write is seen for what it is.
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { Decimal } from '../../domain/money.js';
import { type JournalJson, journalJsonSchema } from '../../domain/journal-json.js';
import { PRIVATE_FILE } from '../../domain/private-files.js';
import { CodedError } from '../../domain/errors/coded-error.js';

const recordSchema = z.object({
  key: z.string(),
  kind: z.enum(['entry', 'reversal']),
  /** Key of the entry that this one reverses. */
  reverses: z.string().optional(),
  /** Month and position in it: what a bookkeeper sees. */
  number: z.string(),
  recordedAt: z.string(),
  journal: journalJsonSchema,
});

export type LedgerRecord = z.infer<typeof recordSchema>;
export type { JournalJson };

/** A long invoice has a few hundred lines; this is some twenty thousand. */
export const RECORD_BYTES_MAX = 4 * 1024 * 1024;

const SUM = /,"sum":"([0-9a-f]{16})"\}$/;

export function encodeRecord(record: LedgerRecord): string {
  const body = JSON.stringify(record);
  return `${body.slice(0, -1)},"sum":"${checksum(body)}"}\n`;
}

/** Null when the line is not what was once written. */
export function decodeRecord(line: string): LedgerRecord | null {
  const match = SUM.exec(line);
  if (!match) return null;
  const body = `${line.slice(0, match.index)}}`;
  if (checksum(body) !== match[1]) return null;
  const parsed = recordSchema.safeParse(JSON.parse(body));
  return parsed.success ? parsed.data : null;
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16);
}

export interface SignedAmounts {
  readonly isk: string;
  readonly foreign?: { readonly amount: string; readonly currency: string };
}

const SUBLEDGER_ROLES: ReadonlySet<string> = new Set(['receivable', 'payable']);

/**
 * Plus is debit. Only what a customer owes or a supplier is owed carries a currency: everything else is a matter of ISK once
 * it is booked, and books whose every amount is in ISK add up without being told at what cost.
 */
export function signedAmounts(line: JournalJson['lines'][number]): SignedAmounts {
  const isk = new Decimal(line.debit).minus(line.credit).toFixed();
  const { currency, currencyAmount, role } = line;
  if (currency === undefined || currency === 'ISK' || currencyAmount === undefined) return { isk };
  return SUBLEDGER_ROLES.has(role) && !new Decimal(currencyAmount).isZero()
    ? { isk, foreign: { amount: currencyAmount, currency } }
    : { isk };
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

// The append-only file of one month's records. Reading stops before a torn end and says so; damage anywhere else is an
// error, since skipping a line would make an entry vanish. Writing ends with an fsync, or leaves the file as it was.
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

// Whole files replaced in one step: written beside, fsynced, renamed, and the directory fsynced so that the name survives
// a power cut too. A reader sees the old text or the new one, never half of either.
export async function replaceFile(
  path: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  const handle = await open(beside, 'wx', PRIVATE_FILE);
  try {
    for await (const piece of pieces) await handle.appendFile(piece);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(beside, { force: true });
    throw error;
  }
  await handle.close();
  await rename(beside, path);
  await syncDirectory(dirname(path));
}

export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// Where each key's record stands, in some 30 bytes a key and no objects: a million entries fit in 32 MB. It is only a hint;
// the reader opens the record and compares the key, so two keys with one hash cost a read and never a wrong answer.

const SLOTS_FIRST = 1 << 12;
const KEYS_MAX = 4_000_000;
const OFFSET_LIMIT = 2 ** 36;

interface Place {
  readonly month: string;
  readonly offset: number;
}

export class KeyIndex {
  #hashes = new BigUint64Array(SLOTS_FIRST);
  /** Month number × 2^36 + offset, plus one: zero is an empty slot. Exact below 2^53. */
  #places = new Float64Array(SLOTS_FIRST);
  #size = 0;
  readonly #months: string[] = [];

  get size(): number {
    return this.#size;
  }

  add(key: string, place: Place): void {
    if (this.#size >= KEYS_MAX)
      throw new CodedError(
        'ERP_FILE_FULL',
        `These books hold ${String(KEYS_MAX)} entries, the most that one directory may have.`,
      );
    if (this.#size * 2 >= this.#hashes.length) this.#grow();
    this.#put(hashOf(key), this.#monthNumber(place.month) * OFFSET_LIMIT + place.offset + 1);
    this.#size++;
  }

  /** Every place where that key may stand, oldest first. */
  places(key: string): Place[] {
    const hash = hashOf(key);
    const mask = this.#hashes.length - 1;
    const found: Place[] = [];
    for (let slot = Number(hash & BigInt(mask)); this.#places[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#hashes[slot] === hash) found.push(this.#placeAt(slot));
    }
    return found;
  }

  clear(): void {
    this.#hashes = new BigUint64Array(SLOTS_FIRST);
    this.#places = new Float64Array(SLOTS_FIRST);
    this.#size = 0;
  }

  #placeAt(slot: number): Place {
    const packed = (this.#places[slot] ?? 0) - 1;
    return {
      month: this.#months[Math.floor(packed / OFFSET_LIMIT)] ?? '',
      offset: packed % OFFSET_LIMIT,
    };
  }

  #put(hash: bigint, packed: number): void {
    const mask = this.#hashes.length - 1;
    let slot = Number(hash & BigInt(mask));
    while (this.#places[slot] !== 0) slot = (slot + 1) & mask;
    this.#hashes[slot] = hash;
    this.#places[slot] = packed;
  }

  #grow(): void {
    const hashes = this.#hashes;
    const places = this.#places;
    this.#hashes = new BigUint64Array(hashes.length * 2);
    this.#places = new Float64Array(places.length * 2);
    for (let slot = 0; slot < places.length; slot++) {
      const packed = places[slot] ?? 0;
      if (packed !== 0) this.#put(hashes[slot] ?? 0n, packed);
    }
  }

  #monthNumber(month: string): number {
    const known = this.#months.indexOf(month);
    return known === -1 ? this.#months.push(month) - 1 : known;
  }
}

function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64BE(0);
}
