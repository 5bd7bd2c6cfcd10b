// The pipeline's records on PostgreSQL. Every commit is a compare-and-set on (id, state, fence) with the rows that belong to it and
// the audit entry, in one transaction; commits of many documents go together (gatherer.ts), and whoever lost the lease changes
// nothing and is told so, that document alone.
import type { TenantName } from '../domain/ids.js';
import { type DocumentEvent, TELL_NOBODY, type TellEvent } from '../domain/bridge-event.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { applyChange } from '../sync/posting-records.js';
import type { ClaimedPosting, PostingChange, PostingStore } from '../sync/posting-records.js';
import { appendAudit } from './audit.js';
import { commitRows, type CommitRows } from './commit-rows.js';
import { commitStatement, type Committed, isNew } from './commit-statement.js';
import type { Database } from './database.js';
import { Gatherer } from './gatherer.js';
import { LongTexts } from './long-texts.js';
import { openIncident, type Transaction } from './incidents.js';
import { bookedInvoices } from './payment-store.js';
import { bookedDocument } from './release-store.js';
import { CLAIM_ONE, type ClaimRow, toClaim } from './posting-rows.js';
import { isUndone, type Statements } from './statements.js';
import { changeMembers } from './summary-members.js';
import { readyDocuments, summaryMembers } from './summary-store.js';
import { sqlTransaction } from './light-client.js';

/** Commits of one statement at most. */
const BATCH_MAX = 128;
/** A fifth of what the calls of a document take on one machine, and nothing beside what they take over a network. */
const APART_MS = 16;

interface Commit {
  readonly claimed: ClaimedPosting;
  readonly change: PostingChange;
}

export function createPostingStore(
  database: Pick<Database, 'prisma' | 'statements'>,
  actor: string,
  tell: TellEvent = TELL_NOBODY,
): PostingStore {
  const { prisma, statements } = database;
  const gatherer = new Gatherer<Commit, ClaimedPosting | null>({
    run: (commits) => commitAll(statements, actor, commits),
    isUndone,
    batchMax: BATCH_MAX,
    apartMs: APART_MS,
  });
  const claim = async (postingId: string, owner: string, leaseMs: number, dueOnly: boolean) => {
    const [row] = await statements.run<ClaimRow>(CLAIM_ONE, [owner, leaseMs, postingId, dueOnly]);
    return row ? toClaim(row) : null;
  };
  return {
    claim: (postingId, owner, leaseMs) => claim(postingId, owner, leaseMs, false),
    claimDue: (postingId, owner, leaseMs) => claim(postingId, owner, leaseMs, true),
    commit: async (claimed, change) => {
      const isPlain = (change.incidents ?? []).length === 0 && change.members === undefined;
      const saved = isPlain
        ? await gatherer.add({ claimed, change })
        : await commitWithMore(prisma, actor, { claimed, change }, tell);
      if (saved) return saved;
      const message = `The lease on posting ${claimed.posting.id} was lost before "${change.action}".`;
      throw new CodedError('LEASE_LOST', message);
    },
    creditNotesOf: async (tenantName, guid, limit) => {
      const rows = await prisma.$queryRaw<{ guid: string }[]>`
        SELECT guid FROM document
        WHERE tenant_name = ${tenantName} AND kind = 'invoice' AND refer_guid = ${guid} AND refer_guid <> ''
          AND source_status <> 'gone'
        ORDER BY first_seen_at DESC LIMIT ${limit}`;
      return rows.map((row) => row.guid);
    },
    hasSeenAllInvoices: async (postingId) => {
      const rows = await prisma.$queryRaw<unknown[]>`
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
    readyDocuments: (tenantName, kind, day, limit) => readyDocuments(prisma, tenantName, kind, day, limit),
    summaryMembers: (summaryId) => summaryMembers(prisma, summaryId),
    bookedDocument: (tenantName, kind, guid) => bookedDocument(prisma, tenantName, kind, guid),
    hasToldError: async (postingId) => {
      const rows = await prisma.$queryRaw<unknown[]>`
        SELECT 1 FROM write_back
        WHERE posting_id = ${postingId}::uuid AND wanted = 'Error' AND state IN ('sent', 'acknowledged') LIMIT 1`;
      return rows.length > 0;
    },
    bookedInvoice: async (tenantName, guid) => (await bookedInvoices(prisma, tenantName, [guid]))[0] ?? null,
  };
}

/** In the order of the commits; null for whoever had lost the lease. */
async function commitAll(
  statements: Statements,
  actor: string,
  commits: readonly Commit[],
): Promise<(ClaimedPosting | null)[]> {
  const long = new LongTexts();
  const rows = commits.map(({ claimed, change }, index) => commitRows(index, actor, claimed, change, long));
  const statement = commitStatement(rows, long);
  const moved = await statements.run<Committed>(statement, statement.values);
  const byNumber = new Map(moved.map((row) => [row.n, row]));
  return commits.map((commit, index) => committed(commit, rows[index], byNumber.get(index)));
}

/**
 * Something a person should know, or what becomes of the documents of a summary, goes into the same transaction, on a path of its
 * own: it is rare.
 */
async function commitWithMore(
  prisma: Database['prisma'],
  actor: string,
  commit: Commit,
  tell: TellEvent,
): Promise<ClaimedPosting | null> {
  const { claimed, change } = commit;
  const { id: postingId, tenantName } = claimed.posting;
  let members: readonly DocumentEvent[] = [];
  const saved = await sqlTransaction(prisma, async (tx) => {
    const long = new LongTexts();
    const row = commitRows(0, actor, claimed, change, long);
    const { text, values } = commitStatement([row], long);
    const [moved] = await tx.$queryRawUnsafe<Committed[]>(text, ...values);
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

async function stopTenant(
  tx: Transaction,
  actor: string,
  tenantName: TenantName,
  why: string,
): Promise<void> {
  const stopped = await tx.$executeRaw`
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
  const writeBack = row.writeBack && isNew(row.writeBack.act) ? { writeBackId: row.writeBack.id } : {};
  return applyChange(claimed, change, { ...attempt, ...writeBack });
}
