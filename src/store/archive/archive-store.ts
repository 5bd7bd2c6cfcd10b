// Moving out and reading again: batch after batch until nothing is old enough, and every file held against what the records say
// of it. Works beside a running bridge: a batch is one short transaction on rows that nobody works on any more.
import type { TenantName } from '../../domain/ids.js';
import {
  archiveAuditBatch,
  type ArchivedEntry,
  type ArchivedLink,
  type ArchiveWish,
  auditChains,
  isWhole,
  type Moved,
  oldAuditEntries,
} from './archive-audit.js';
import { archiveContentsBatch, countOldContents } from './archive-contents.js';
import { readArchiveFile } from './archive-file.js';
import type { Records } from '../database.js';
import type { Db } from '../db.js';
import type { Models } from '../prisma.js';

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
