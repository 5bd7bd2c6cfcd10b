// Moving out and reading again: batch after batch until nothing is old enough, and every file held against what the records say
// of it. Works beside a running bridge: a batch is one short transaction on rows that nobody works on any more.
import type { Guid, TenantName } from '../../domain/ids.js';
import type { Records } from '../database.js';
import type { Db } from '../db.js';
import { type Models, modelTx } from '../prisma.js';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { CodedError } from '../../domain/errors/coded-error.js';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../domain/private-files.js';
import { appendAudit, BRIDGE_CHAIN, linkHash, singleEntryHash } from '../audit.js';
import { newId } from '../ids.js';

export interface ArchivePreview {
  readonly audit: readonly { readonly chain: string; readonly entries: number }[];
  readonly contents: readonly { readonly tenant: TenantName; readonly documents: number }[];
  /** Tenants with entries of these days in no certificate; somebody may still ask for them. */
  readonly uncertified: readonly {
    readonly tenant: TenantName;
    readonly from: string;
    readonly to: string;
  }[];
}

export interface ArchiveCheck {
  readonly files: number;
  readonly entries: number;
  readonly troubles: readonly string[];
}

export interface ArchiveStore {
  preview(before: Date): Promise<ArchivePreview>;
  /** Says each batch as it is done. */
  run(wish: ArchiveWish, told: (moved: Moved) => void): Promise<void>;
  /** What the files hold about this: an id, a guid, a number. */
  find(directory: string, text: string): AsyncIterable<Record<string, unknown>>;
  /** Whether every file is there, unchanged, and continues the one before up to the checkpoint. */
  verify(directory: string): Promise<ArchiveCheck>;
}

/** In one run; the next goes on. */
const BATCHES_MAX = 100_000;

export function createArchiveStore(records: Records): ArchiveStore {
  const { db, models } = records;
  return {
    preview: async (before) => {
      const [audit, contents, uncertified] = await Promise.all([
        oldAuditEntries(db, before),
        countOldContents(db, before),
        uncertifiedBefore(db, before),
      ]);
      return { audit, contents, uncertified };
    },
    run: async (wish, told) => {
      const prisma = await models();
      const tenants = await prisma.tenant.findMany({ select: { name: true }, orderBy: { name: 'asc' } });
      for (const { name: tenant } of tenants)
        await repeat(() => archiveContentsBatch(records, tenant, wish), told);
      for (const chain of await auditChains(models))
        await repeat(() => archiveAuditBatch(records, chain, wish), told);
    },
    find: (directory, text) => find(models, directory, text),
    verify: (directory) => verify(models, directory),
  };
}

async function repeat(batch: () => Promise<Moved | null>, told: (moved: Moved) => void): Promise<void> {
  for (let done = 0; done < BATCHES_MAX; done++) {
    const moved = await batch();
    if (moved === null) return;
    told(moved);
  }
}

function uncertifiedBefore(db: Db, before: Date) {
  const day = before.toISOString().slice(0, 10);
  return db.rows<{ tenant: TenantName; from: string; to: string }>`
    SELECT p.tenant_name AS tenant, min(p.posting_date) AS "from", max(p.posting_date) AS "to" FROM posting p
    WHERE p.posting_date < ${day} AND p.posted_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM certificate c
      WHERE c.tenant_name = p.tenant_name AND p.posting_date BETWEEN c.from_date AND c.to_date)
    GROUP BY 1 ORDER BY 1`;
}

async function* find(
  models: Models,
  directory: string,
  text: string,
): AsyncIterable<Record<string, unknown>> {
  const prisma = await models();
  const files = await prisma.archiveFile.findMany({ orderBy: [{ firstAt: 'asc' }, { name: 'asc' }] });
  for (const file of files) {
    for await (const line of readArchiveFile(directory, file)) {
      if ('format' in line) continue;
      if (file.kind === 'audit') {
        const { entries } = line as unknown as ArchivedLink;
        for (const entry of entries) if (isAbout(entry, text)) yield { chain: file.tenantName, ...entry };
      } else if ([line['posting_id'], line['document_id'], line['guid'], line['number']].includes(text))
        yield line;
    }
  }
}

function isAbout({ subject, actor }: ArchivedEntry, text: string): boolean {
  return subject === text || actor === text;
}

async function verify(models: Models, directory: string): Promise<ArchiveCheck> {
  const prisma = await models();
  const files = await prisma.archiveFile.findMany({ orderBy: [{ tenantName: 'asc' }, { name: 'asc' }] });
  const ends = new Map<string, string>();
  const troubles: string[] = [];
  let entries = 0;
  for (const file of files) {
    const trouble = await troubleWith(directory, file, ends).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (trouble !== null) troubles.push(trouble);
    if (file.kind === 'audit') entries += file.records;
  }
  for (const { chain, hash } of await (await models()).auditCheckpoint.findMany())
    if (troubles.length === 0 && ends.get(chain) !== hash)
      troubles.push(`The files of ${chain} end before its checkpoint.`);
  return { files: files.length, entries, troubles };
}

/** `ends` has the last hash of each chain so far; a file that follows from it moves it on. */
async function troubleWith(
  directory: string,
  file: { name: string; sha256: string; kind: string; tenantName: TenantName },
  ends: Map<string, string>,
): Promise<string | null> {
  const links: ArchivedLink[] = [];
  for await (const line of readArchiveFile(directory, file))
    if (file.kind === 'audit' && !('format' in line)) links.push(line as unknown as ArchivedLink);
  if (file.kind !== 'audit') return null;
  const chain = file.tenantName;
  if (!isWhole(chain, ends.get(chain) ?? '', links))
    return `${file.name} does not continue the audit of ${chain}.`;
  ends.set(chain, links.at(-1)?.hash ?? '');
  return null;
}

// Files of what was moved out: lines of JSON, packed with gzip, so that any tool reads them in twenty years too. The first line
// says what it is. Written beside, synced and renamed before anything is removed from the database; named by what it holds.

export const ARCHIVE_FORMAT = 'ledgerbridge/archive/1';

export interface WrittenFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** `lines` are bounded by the caller: a batch, held in memory. */
export async function writeArchiveFile(
  directory: string,
  name: string,
  lines: readonly unknown[],
): Promise<WrittenFile> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const packed = await promisify(gzip)(text);
  const path = join(directory, name);
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
  const handle = await open(`${path}.tmp`, 'w', PRIVATE_FILE);
  try {
    await handle.writeFile(packed);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.tmp`, path);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return { name, sha256: createHash('sha256').update(packed).digest('hex'), bytes: packed.length };
}

/** Line by line. Throws ARCHIVE_UNREADABLE where the file is not there, or not the one that was written. */
export async function* readArchiveFile(
  directory: string,
  { name, sha256 }: Pick<WrittenFile, 'name' | 'sha256'>,
): AsyncIterable<Record<string, unknown>> {
  const path = join(directory, name);
  try {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
    if (hash.digest('hex') !== sha256) throw unreadable(name, 'it was changed since it was written');
    const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) });
    for await (const line of lines) yield JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw unreadable(name, error instanceof Error ? error.message : String(error));
  }
}

function unreadable(name: string, why: string): CodedError {
  return new CodedError('ARCHIVE_UNREADABLE', `${name} cannot be read: ${why}.`);
}

// The audit's oldest links move into files, a batch at a time: the file is on the disk first, then one transaction sets the
// checkpoint, removes what the file holds and says so in the very chain. Whoever dies in between leaves a file that nobody
// names and an audit that is whole; the next run writes the same file again.

export interface ArchiveWish {
  readonly directory: string;
  /** What is older goes. */
  readonly before: Date;
  readonly by: string;
  readonly reason: string;
  readonly now: Date;
}

export interface ArchivedLink {
  readonly number: string;
  readonly hash: string;
  /** Of the kind that covers one entry. */
  readonly single: boolean;
  readonly entries: readonly ArchivedEntry[];
}

export interface ArchivedEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly details: string;
}

export interface Moved {
  readonly chain: string;
  readonly file: string;
  readonly records: number;
}

const LINKS_MAX = 2_000;

export async function auditChains(models: Models): Promise<string[]> {
  return (await (await models()).auditChain.findMany({ orderBy: { name: 'asc' } })).map(({ name }) => name);
}

/** One batch of a chain; null: nothing (more) is old enough. */
export async function archiveAuditBatch(
  { db, models }: Records,
  chain: string,
  wish: ArchiveWish,
): Promise<Moved | null> {
  const start = await readStart(models, chain);
  const links = await oldLinks(db, chain, start.number, wish.before);
  const [first, last] = [links[0], links.at(-1)];
  if (!first || !last) return null;
  refuseBroken(chain, start.hash, links);
  const name = `audit/${folderOf(chain)}/${first.number.padStart(12, '0')}-${last.number.padStart(12, '0')}.jsonl.gz`;
  const header = {
    ...{ format: ARCHIVE_FORMAT, kind: 'audit', chain, from: first.number, to: last.number },
    ...{ previous: start.hash, hash: last.hash },
  };
  const file = await writeArchiveFile(wish.directory, name, [header, ...links]);
  const entries = links.flatMap((link) => link.entries);
  await modelTx(models, async (tx) => {
    const checkpoint = { number: BigInt(last.number), hash: last.hash, at: wish.now };
    await tx.model.auditCheckpoint.upsert({
      where: { chain },
      create: { chain, ...checkpoint, entries: entries.length },
      update: { ...checkpoint, entries: { increment: entries.length } },
    });
    const ids = entries.map(({ id }) => BigInt(id));
    await tx.run`DELETE FROM audit_entry WHERE id = ANY(${ids}) AND chain = ${chain}`;
    await tx.run`DELETE FROM audit_link WHERE chain = ${chain} AND number <= ${BigInt(last.number)}`;
    const times = entries.map(({ at }) => at).sort();
    await tx.model.archiveFile.create({
      data: {
        ...{ id: newId(), kind: 'audit', tenantName: chain, createdAt: wish.now, records: entries.length },
        ...{ ...file, firstAt: new Date(times[0] ?? wish.now), lastAt: new Date(times.at(-1) ?? wish.now) },
      },
    });
    const { directory: _directory, before, by: actor, reason } = wish;
    const details = { file: name, sha256: file.sha256, from: first.number, to: last.number, before };
    const tenant = chain === BRIDGE_CHAIN ? {} : { tenantName: chain };
    await appendAudit(tx, { ...tenant, actor, action: 'audit.archived', subject: chain, reason, details });
  });
  return { chain, file: name, records: entries.length };
}

/** How many entries a run would move out of each chain; nothing is written. */
export async function oldAuditEntries(db: Db, before: Date): Promise<{ chain: string; entries: number }[]> {
  return db.rows<{ chain: string; entries: number }>`
    SELECT chain, count(*)::int AS entries FROM audit_entry WHERE at < ${before}::timestamptz GROUP BY chain ORDER BY chain`;
}

async function readStart(models: Models, chain: string): Promise<{ number: bigint; hash: string }> {
  const found = await (await models()).auditCheckpoint.findUnique({ where: { chain } });
  return { number: found?.number ?? 0n, hash: found?.hash ?? '' };
}

/** The links after the checkpoint, as far as everything in them is old. */
async function oldLinks(db: Db, chain: string, after: bigint, before: Date): Promise<ArchivedLink[]> {
  const rows = await db.rows<{ number: bigint; hash: string; single: boolean; entries: bigint[] }>`
    SELECT number, hash, entry_id IS NOT NULL AS single, coalesce(entries, ARRAY[entry_id]) AS entries
    FROM audit_link WHERE chain = ${chain} AND number > ${after} ORDER BY number LIMIT ${LINKS_MAX}`;
  const ids = rows.flatMap((row) => row.entries);
  const entries = await db.rows<Omit<ArchivedEntry, 'id'> & { id: bigint }>`
    SELECT id, actor, action, subject, reason, details,
           to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM audit_entry WHERE id = ANY(${ids})`;
  const byId = new Map(entries.map((entry) => [entry.id, { ...entry, id: String(entry.id) }]));
  const limit = before.toISOString();
  const old: ArchivedLink[] = [];
  for (const { number, hash, single, entries: covered } of rows) {
    const found = covered.flatMap((id) => byId.get(id) ?? []);
    if (found.length < covered.length || found.some(({ at }) => at >= limit)) break;
    old.push({ number: String(number), hash, single, entries: found });
  }
  return old;
}

/** What is not whole stays where it is, for somebody to look at. */
function refuseBroken(chain: string, start: string, links: readonly ArchivedLink[]): void {
  if (!isWhole(chain, start, links))
    throw new Error(
      `The audit of ${chain} is broken: nothing of it is moved out. See ledgerbridge db verify.`,
    );
}

/** Whether each link follows from the one before; the first from `previous`. */
export function isWhole(chain: string, previous: string, links: readonly ArchivedLink[]): boolean {
  let last = previous;
  return links.every((link) => {
    const hashed = { chain, number: BigInt(link.number), previous: last, entries: link.entries };
    last = link.hash;
    return (link.single ? singleEntryHash(hashed) : linkHash(hashed)) === link.hash;
  });
}

/** No tenant is called like the bridge's own chain, and no folder should be. */
export function folderOf(chain: string): string {
  return chain === BRIDGE_CHAIN ? '_bridge' : chain;
}

// What documents leave behind that is large and that nobody asks for once they are long done: the record as the source had it,
// the request as the ERP got it, the reason of every line. The rows stay, with their states, numbers, amounts and journals.

const DOCUMENTS_MAX = 500;

interface OldDocument {
  readonly posting_id: string;
  readonly document_id: string;
  readonly guid: Guid;
  readonly number: string;
  readonly state_since: Date;
  readonly snapshot: string | null;
  readonly trace: string | null;
  readonly attempts: readonly { readonly id: string; readonly request: string }[];
}

/** One batch of a tenant; null: nothing (more) is old enough. */
export async function archiveContentsBatch(
  { db, models }: Records,
  tenant: TenantName,
  wish: ArchiveWish,
): Promise<Moved | null> {
  const old = await oldDocuments(db, tenant, wish.before);
  const [first, last] = [old[0], old.at(-1)];
  if (!first || !last) return null;
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const name = `contents/${tenant}/${day(first.state_since)}-${day(last.state_since)}-${last.posting_id}.jsonl.gz`;
  const header = { format: ARCHIVE_FORMAT, kind: 'contents', tenant };
  const file = await writeArchiveFile(wish.directory, name, [header, ...old]);
  await modelTx(models, async (tx) => {
    const attempts = old.flatMap((one) => one.attempts.map(({ id }) => id));
    const postings = old.map((one) => one.posting_id);
    await tx.run`UPDATE attempt SET request = '' WHERE id = ANY(${attempts}::uuid[])`;
    await tx.run`UPDATE posting SET trace = NULL WHERE id = ANY(${postings}::uuid[]) AND trace IS NOT NULL`;
    await tx.run`
      UPDATE document SET snapshot = NULL WHERE id = ANY(${old.map((one) => one.document_id)}::uuid[]) AND snapshot IS NOT NULL`;
    await tx.model.archiveFile.create({
      data: {
        ...{ id: newId(), kind: 'contents', tenantName: tenant, createdAt: wish.now, records: old.length },
        ...{ ...file, firstAt: first.state_since, lastAt: last.state_since },
      },
    });
    const details = { file: name, sha256: file.sha256, documents: old.length, before: wish.before };
    await appendAudit(tx, {
      ...{ tenantName: tenant, actor: wish.by, action: 'contents.archived', subject: tenant },
      ...{ reason: wish.reason, details },
    });
  });
  return { chain: tenant, file: name, records: old.length };
}

export async function countOldContents(
  db: Db,
  before: Date,
): Promise<{ tenant: TenantName; documents: number }[]> {
  return db.rows<{ tenant: TenantName; documents: number }>`
    SELECT p.tenant_name AS tenant, count(*)::int AS documents FROM posting p JOIN document d ON d.id = p.document_id
    WHERE p.state IN ('acknowledged', 'skipped', 'reversed') AND p.state_since < ${before}::timestamptz
      AND (d.snapshot IS NOT NULL OR p.trace IS NOT NULL
           OR EXISTS (SELECT 1 FROM attempt a WHERE a.posting_id = p.id AND a.request <> '' AND a.outcome IS NOT NULL AND a.part <> 'reversal'))
    GROUP BY 1 ORDER BY 1`;
}

/** Done for good, all generations of the document: what may still move keeps everything. */
function oldDocuments(db: Db, tenant: TenantName, before: Date): Promise<OldDocument[]> {
  return db.rows<OldDocument>`
    SELECT p.id::text AS posting_id, d.id::text AS document_id, d.guid, d.number, p.state_since, d.snapshot, p.trace,
           coalesce((SELECT json_agg(json_build_object('id', a.id, 'number', a.number, 'part', a.part, 'key', a.key,
                       'startedAt', a.started_at, 'request', a.request) ORDER BY a.number)
                     FROM attempt a WHERE a.posting_id = p.id AND a.request <> '' AND a.outcome IS NOT NULL AND a.part <> 'reversal'), '[]') AS attempts
    FROM posting p JOIN document d ON d.id = p.document_id
    WHERE p.tenant_name = ${tenant} AND p.state IN ('acknowledged', 'skipped', 'reversed')
      AND p.state_since < ${before}::timestamptz
      AND NOT EXISTS (SELECT 1 FROM posting o WHERE o.document_id = d.id AND
                        (o.state_since >= ${before}::timestamptz OR o.state NOT IN ('acknowledged', 'skipped', 'reversed')))
      AND (d.snapshot IS NOT NULL OR p.trace IS NOT NULL
           OR EXISTS (SELECT 1 FROM attempt a WHERE a.posting_id = p.id AND a.request <> '' AND a.outcome IS NOT NULL AND a.part <> 'reversal'))
    ORDER BY p.state_since, p.id LIMIT ${DOCUMENTS_MAX}`;
}
