// What documents leave behind that is large and that nobody asks for once they are long done: the record as the source had it,
// the request as the ERP got it, the reason of every line. The rows stay, with their states, numbers, amounts and journals.
import type { Guid, TenantName } from '../../domain/ids.js';
import { newId } from '../ids.js';
import { appendAudit } from '../audit.js';
import type { ArchiveWish, Moved } from './archive-audit.js';
import { ARCHIVE_FORMAT, writeArchiveFile } from './archive-file.js';
import type { Records } from '../database.js';
import type { Db } from '../db.js';
import { modelTx } from '../prisma.js';

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
