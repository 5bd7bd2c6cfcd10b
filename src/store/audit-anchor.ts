// Heads of the audit as they were, kept where nobody who can change the database reaches: whoever rewrites a chain to its end cannot rewrite what was
// written down of it.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import * as z from 'zod';
import { anchorLine, type AuditHead } from '../domain/audit-head.js';
import { PRIVATE_FILE } from '../domain/private-files.js';
import { appendAudit } from './audit.js';
import type { Db, Tx } from './db.js';

type Reader = Pick<Tx, 'rows'>;

export async function readAuditHeads(reader: Reader, now: Date): Promise<AuditHead[]> {
  const at = now.toISOString();
  const rows = await reader.rows<Omit<AuditHead, 'at'>>`
    SELECT name AS chain, length::text AS number, head AS hash FROM audit_chain WHERE length > 0 ORDER BY name`;
  return rows.map((row) => ({ at, ...row }));
}

const ANCHORED = 'audit.anchored';

/** null: never there. */
export async function lastAnchored(reader: Reader, path: string): Promise<Date | null> {
  const [row] = await reader.rows<{ at: Date | null }>`
    SELECT max(at) AS at FROM audit_entry WHERE subject = ${path} AND action = ${ANCHORED}`;
  return row?.at ?? null;
}

export async function sayAnchored(
  db: Db,
  path: string,
  { heads, now: at }: { readonly heads: number; readonly now: Date },
): Promise<void> {
  const entry = { actor: 'watchman', action: ANCHORED, subject: path, details: { heads }, at };
  await appendAudit(db, entry);
}

/** No link, pipe or device; and no wait for somebody at its other end. */
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEWLINE = 0x0a;

/** Only the first time the file is made: later, one that is gone is a loss that a person has to know of. */
export async function appendAnchors(
  path: string,
  heads: readonly AuditHead[],
  { isFirst }: { readonly isFirst: boolean },
): Promise<void> {
  const file = await open(path, isFirst ? APPENDING | constants.O_CREAT : APPENDING, PRIVATE_FILE);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new Error('it is no ordinary file');
    const lines = heads.map((head) => `${anchorLine(head)}\n`).join('');
    // What a full disk cut off stays a line of its own.
    await file.appendFile((await endsInLine(file, facts.size)) ? lines : `\n${lines}`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function endsInLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}

const LINE = z.object({
  at: z.iso.datetime(),
  chain: z.string().min(1),
  number: z.string().regex(/^[1-9]\d{0,17}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

/** A file of ours, or a mail or the body of a webhook that somebody saved: what is no head is left out. */
export function readAnchors(text: string): AuditHead[] {
  return text.split('\n').flatMap((line) => headsIn(line.trim()));
}

function headsIn(line: string): AuditHead[] {
  if (!line.startsWith('{')) return [];
  try {
    const value = JSON.parse(line) as { readonly data?: { readonly heads?: unknown } };
    const found = Array.isArray(value.data?.heads) ? (value.data.heads as unknown[]) : [value];
    return found.flatMap((one) => {
      const head = LINE.safeParse(one);
      return head.success ? [head.data] : [];
    });
  } catch {
    return [];
  }
}

export interface AnchorBreak {
  readonly chain: string;
  /** The first anchored link that is another now, and when it was anchored. */
  readonly number: bigint;
  readonly at: string;
  readonly what: 'changed' | 'missing';
  /** The last anchored link before it that is as it was; 0: none. What was changed comes after it. */
  readonly sameUpTo: bigint;
  /** The first entry after that one: nothing before it was changed. */
  readonly firstEntry: bigint | null;
}

export interface AnchorCheck {
  readonly heads: number;
  /** Of parts that were moved out into files, which are checked by themselves. */
  readonly movedOut: number;
  /** The first of each chain. */
  readonly breaks: readonly AnchorBreak[];
}

/** Whether each chain still goes through every head that was anchored of it. */
export async function verifyAnchors(reader: Reader, heads: readonly AuditHead[]): Promise<AnchorCheck> {
  const breaks: AnchorBreak[] = [];
  let movedOut = 0;
  for (const chain of [...new Set(heads.map((head) => head.chain))].sort()) {
    const found = await verifyChain(
      reader,
      chain,
      heads.filter((head) => head.chain === chain),
    );
    movedOut += found.movedOut;
    if (found.broken !== null) breaks.push(found.broken);
  }
  return { heads: heads.length, movedOut, breaks };
}

async function verifyChain(reader: Reader, chain: string, heads: readonly AuditHead[]) {
  const [checkpoint] = await reader.rows<{ number: bigint; hash: string }>`
    SELECT number, hash FROM audit_checkpoint WHERE chain = ${chain}`;
  const cut = checkpoint?.number ?? 0n;
  const now = await readHashes(reader, chain, heads);
  if (checkpoint) now.set(String(checkpoint.number), checkpoint.hash);
  let sameUpTo = 0n;
  let movedOut = 0;
  for (const { number, hash, at } of heads.toSorted((a, b) => Number(BigInt(a.number) - BigInt(b.number)))) {
    if (BigInt(number) < cut) movedOut++;
    else if (now.get(number) === hash) sameUpTo = BigInt(number);
    else {
      const what = now.has(number) ? ('changed' as const) : ('missing' as const);
      const firstEntry = await readFirstEntry(reader, chain, sameUpTo);
      return { movedOut, broken: { chain, number: BigInt(number), at, what, sameUpTo, firstEntry } };
    }
  }
  return { movedOut, broken: null };
}

const PAGE = 1_000;

async function readHashes(
  reader: Reader,
  chain: string,
  heads: readonly AuditHead[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const numbers = [...new Set(heads.map(({ number }) => number))];
  for (let from = 0; from < numbers.length; from += PAGE) {
    const rows = await reader.rows<{ number: string; hash: string }>`
      SELECT number::text AS number, hash FROM audit_link
      WHERE chain = ${chain} AND number = ANY(${numbers.slice(from, from + PAGE)}::bigint[])`;
    for (const { number, hash } of rows) found.set(number, hash);
  }
  return found;
}

async function readFirstEntry(reader: Reader, chain: string, after: bigint): Promise<bigint | null> {
  const [row] = await reader.rows<{ id: bigint }>`
    SELECT coalesce(entry_id, entries[1]) AS id FROM audit_link
    WHERE chain = ${chain} AND number > ${after} ORDER BY number LIMIT 1`;
  return row?.id ?? null;
}
