// The pipeline's records on PostgreSQL. Every commit is a compare-and-set on (id, state, fence) with the rows that belong to it and
// the audit entry, in one transaction; commits of many documents go together (batcher.ts), and whoever lost the lease changes
// nothing and is told so, that document alone.
import type { TenantName } from '../domain/ids.js';
import { type DocumentEvent, TELL_NOBODY, type TellEvent } from '../domain/bridge-event.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { applyChange } from '../sync/posting-records.js';
import type { ClaimedPosting, PostingChange, PostingStore } from '../sync/posting-records.js';
import { appendAudit } from './audit.js';
import { Batcher } from './batcher.js';
import { commitRows, type CommitRows, commitStatement, type Committed, isNew, LongTexts } from './commit.js';
import type { Database } from './database.js';
import { openIncident } from './incidents.js';
import { bookedDocument, bookedInvoices, readyDocuments, summaryMembers } from './follow-up-store.js';
import { CLAIM_ONE, type ClaimRow, toClaim } from './posting-rows.js';
import { changeMembers } from './summary-members.js';
import { type Db, isUndone, type Tx } from './db.js';

/** Commits of one statement at most. */
const BATCH_MAX = 128;
/** A fifth of what the calls of a document take on one machine, and nothing beside what they take over a network. */
const APART_MS = 16;

interface Commit {
  readonly claimed: ClaimedPosting;
  readonly change: PostingChange;
}

export function createPostingStore(
  database: Pick<Database, 'db' | 'indexed'>,
  actor: string,
  tell: TellEvent = TELL_NOBODY,
): PostingStore {
  const { db, indexed } = database;
  const batcher = new Batcher<Commit, ClaimedPosting | null>({
    run: (commits) => commitAll(indexed, actor, commits),
    isUndone,
    batchMax: BATCH_MAX,
    apartMs: APART_MS,
  });
  const claim = async (postingId: string, owner: string, leaseMs: number, dueOnly: boolean) => {
    const [row] = await indexed.rows<ClaimRow>({
      ...CLAIM_ONE,
      values: [owner, leaseMs, postingId, dueOnly],
    });
    return row ? toClaim(row) : null;
  };
  return {
    claim: (postingId, owner, leaseMs) => claim(postingId, owner, leaseMs, false),
    claimDue: (postingId, owner, leaseMs) => claim(postingId, owner, leaseMs, true),
    commit: async (claimed, change) => {
      const isPlain = (change.incidents ?? []).length === 0 && change.members === undefined;
      const saved = isPlain
        ? await batcher.add({ claimed, change })
        : await commitWithMore(db, actor, { claimed, change }, tell);
      if (saved) return saved;
      const message = `The lease on posting ${claimed.posting.id} was lost before "${change.action}".`;
      throw new CodedError('LEASE_LOST', message);
    },
    creditNotesOf: async (tenantName, guid, limit) => {
      const rows = await db.rows<{ guid: string }>`
        SELECT guid FROM document
        WHERE tenant_name = ${tenantName} AND kind = 'invoice' AND refer_guid = ${guid} AND refer_guid <> ''
          AND source_status <> 'gone'
        ORDER BY first_seen_at DESC LIMIT ${limit}`;
      return rows.map((row) => row.guid);
    },
    hasSeenAllInvoices: async (postingId) => {
      const rows = await db.rows<unknown>`
        SELECT 1 FROM posting waiting JOIN sweep s ON s.tenant_name = waiting.tenant_name
        WHERE waiting.id = ${postingId}::uuid AND s.kind = 'invoice' AND s.mode = 'full' AND s.outcome = 'complete'
          AND s.started_at >= waiting.state_since
          AND NOT EXISTS (
            SELECT 1 FROM posting p JOIN document d ON d.id = p.document_id
            WHERE p.tenant_name = waiting.tenant_name AND p.state = 'discovered' AND d.kind = 'invoice'
              AND d.snapshot_at IS NULL AND d.first_seen_at <= s.finished_at)
        LIMIT 1`;
      return rows.length > 0;
    },
    readyDocuments: (tenantName, kind, day, limit) => readyDocuments(db, tenantName, kind, day, limit),
    summaryMembers: (summaryId) => summaryMembers(db, summaryId),
    bookedDocument: (tenantName, kind, guid) => bookedDocument(db, tenantName, kind, guid),
    hasToldError: async (postingId) => {
      const rows = await db.rows<unknown>`
        SELECT 1 FROM write_back
        WHERE posting_id = ${postingId}::uuid AND wanted = 'Error' AND state IN ('sent', 'acknowledged') LIMIT 1`;
      return rows.length > 0;
    },
    bookedInvoice: async (tenantName, guid) => (await bookedInvoices(db, tenantName, [guid]))[0] ?? null,
  };
}

/** In the order of the commits; null for whoever had lost the lease. */
async function commitAll(
  indexed: Db,
  actor: string,
  commits: readonly Commit[],
): Promise<(ClaimedPosting | null)[]> {
  const long = new LongTexts();
  const rows = commits.map(({ claimed, change }, index) => commitRows(index, actor, claimed, change, long));
  const moved = await indexed.rows<Committed>(commitStatement(rows, long));
  const byNumber = new Map(moved.map((row) => [row.n, row]));
  return commits.map((commit, index) => committed(commit, rows[index], byNumber.get(index)));
}

/**
 * Something a person should know, or what becomes of the documents of a summary, goes into the same transaction, on a path of its
 * own: it is rare.
 */
async function commitWithMore(
  db: Db,
  actor: string,
  commit: Commit,
  tell: TellEvent,
): Promise<ClaimedPosting | null> {
  const { claimed, change } = commit;
  const { id: postingId, tenantName } = claimed.posting;
  let members: readonly DocumentEvent[] = [];
  const saved = await db.tx(async (tx) => {
    const long = new LongTexts();
    const row = commitRows(0, actor, claimed, change, long);
    // Without its name: the plans of these connections are other ones.
    const { text, values } = commitStatement([row], long);
    const [moved] = await tx.rows<Committed>({ text, values });
    if (!moved) return null;
    if (change.members) members = await changeMembers(tx, actor, claimed.posting, change.members);
    for (const incident of change.incidents ?? [])
      await openIncident(tx, { tenantName, postingId }, incident);
    if (change.stopTenant !== undefined) await stopTenant(tx, actor, tenantName, change.stopTenant);
    return committed(commit, row, moved);
  });
  for (const event of members) tell(event);
  return saved;
}

async function stopTenant(tx: Tx, actor: string, tenantName: TenantName, why: string): Promise<void> {
  const stopped = await tx.run`
    UPDATE tenant SET paused_at = now(), paused_by = 'bridge', paused_reason = ${why}
    WHERE name = ${tenantName} AND paused_at IS NULL`;
  if (stopped > 0)
    await appendAudit(tx, { tenantName, actor, action: 'tenant.paused', subject: tenantName, reason: why });
}

function committed(
  { claimed, change }: Commit,
  row: CommitRows | undefined,
  moved: Committed | undefined,
): ClaimedPosting | null {
  if (!row || !moved) return null;
  const attempt =
    moved.attempt_number === null
      ? {}
      : { attempt: { id: row.attempt?.id ?? '', number: moved.attempt_number } };
  const writeBack = row.writeBack && isNew(row.writeBack.act) ? { writeBackId: row.writeBack.id ?? '' } : {};
  return applyChange(claimed, change, { ...attempt, ...writeBack });
}
