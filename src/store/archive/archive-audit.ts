// The audit's oldest links move into files, a batch at a time: the file is on the disk first, then one transaction sets the
// checkpoint, removes what the file holds and says so in the very chain. Whoever dies in between leaves a file that nobody
// names and an audit that is whole; the next run writes the same file again.
import { linkHash, singleEntryHash } from '../audit-hash.js';
import { appendAudit, BRIDGE_CHAIN } from '../audit.js';
import { newId } from '../ids.js';
import { ARCHIVE_FORMAT, writeArchiveFile } from './archive-file.js';
import type { Records } from '../database.js';
import type { Db } from '../db.js';
import { type Models, modelTx } from '../prisma.js';

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
