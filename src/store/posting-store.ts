// The pipeline's records on PostgreSQL. Every commit is one transaction: a compare-and-set on (id, state, fence), the rows
// that belong to it, and the audit entry. Whoever lost the lease changes nothing.
import { CodedError } from '../domain/errors/coded-error.js';
import type {
  AttemptChange,
  ClaimedPosting,
  DocumentFacts,
  PostingChange,
  PostingStore,
  WriteBackChange,
} from '../pipeline/records.js';
import { appendAudit } from './audit.js';
import { Prisma, type PrismaClient } from './generated/client.js';
import { newId } from './ids.js';
import { openIncident, settleIncidents, type Transaction } from './incidents.js';
import { claimQuery, type ClaimRow, toClaim } from './posting-rows.js';

const { sql } = Prisma;

export function createPostingStore(prisma: PrismaClient, actor: string): PostingStore {
  return {
    claim: (postingId, owner, leaseMs) => claim(prisma, postingId, owner, leaseMs),
    commit: (claimed, change) => prisma.$transaction((tx) => commit(tx, actor, claimed, change)),
    creditNotesOf: async (tenantName, guid) => {
      const rows = await prisma.document.findMany({
        where: { tenantName, kind: 'invoice', referGuid: guid },
        select: { guid: true },
        take: 100,
      });
      return rows.map((row) => row.guid);
    },
  };
}

async function claim(
  prisma: PrismaClient,
  postingId: string,
  owner: string,
  leaseMs: number,
): Promise<ClaimedPosting | null> {
  const [row] = await prisma.$queryRaw<ClaimRow[]>`
    WITH claimed AS (
      UPDATE posting
      SET fence = fence + 1, lease_owner = ${owner}, lease_until = now() + ${leaseMs} * interval '1 millisecond', queued_until = NULL
      WHERE id = ${postingId}::uuid AND (lease_until IS NULL OR lease_until < now())
      RETURNING *
    ) ${claimQuery(sql`claimed`)}`;
  return row ? toClaim(row) : null;
}

async function commit(
  tx: Transaction,
  actor: string,
  claimed: ClaimedPosting,
  change: PostingChange,
): Promise<ClaimedPosting> {
  const { posting } = claimed;
  const updated = await tx.$executeRaw`
    UPDATE posting SET ${Prisma.join(assignments(change), ', ')}
    WHERE id = ${posting.id}::uuid AND state = ${posting.state} AND fence = ${posting.fence} AND lease_until > now()`;
  if (updated === 0) {
    throw new CodedError(
      'LEASE_LOST',
      `The lease on posting ${posting.id} was lost before "${change.action}".`,
    );
  }
  if (change.document) await saveDocument(tx, posting.id, change.document);
  else if (change.sourceStatus !== undefined) await saveSourceStatus(tx, posting.id, change.sourceStatus);
  if (change.attempt) await saveAttempt(tx, claimed, change.attempt);
  if (change.writeBack) await saveWriteBack(tx, claimed, change.writeBack);
  for (const incident of change.incidents ?? []) {
    await openIncident(tx, { tenantName: posting.tenantName, postingId: posting.id }, incident);
  }
  if (change.to === 'acknowledged' || change.to === 'reversed')
    await settleIncidents(tx, posting, change.to, actor);
  if (change.wakeDependents) await wakeDependents(tx, posting.tenantName, posting.guid);
  if (isWorthAuditing(change)) await audit(tx, actor, claimed, change);
  const [row] = await tx.$queryRaw<ClaimRow[]>`
    ${claimQuery(sql`posting`)} WHERE p.id = ${posting.id}::uuid`;
  if (!row) throw new CodedError('LEASE_LOST', `Posting ${posting.id} is gone.`);
  return toClaim(row);
}

function assignments(change: PostingChange): Prisma.Sql[] {
  // A list that is never empty, so that the compare-and-set happens even when only other rows change.
  const set: Prisma.Sql[] = [sql`fence = fence`];
  if (change.to) set.push(sql`state = ${change.to}, state_since = now()`);
  if (change.to === 'posted') set.push(sql`posted_at = now()`);
  if (change.to === 'acknowledged') set.push(sql`acknowledged_at = now()`);
  if (change.reason === null) set.push(sql`reason = NULL, reason_subject = NULL, reason_sentence = NULL`);
  else if (change.reason) {
    const { code, subject, sentence } = change.reason;
    set.push(
      sql`reason = ${code}, reason_subject = ${subject}, reason_sentence = ${sentence.slice(0, 1000)}`,
    );
  }
  if (change.tries !== undefined) set.push(sql`tries = ${change.tries}`);
  if (change.dueInMs === null) set.push(sql`due_at = NULL`);
  else if (change.dueInMs !== undefined)
    set.push(sql`due_at = now() + ${change.dueInMs} * interval '1 millisecond'`);
  if (change.release) set.push(sql`lease_owner = NULL, lease_until = NULL, queued_until = NULL`);
  if (change.document) set.push(sql`content_hash = ${change.document.contentHash}`);
  if (change.mapped) set.push(mappedAssignments(change.mapped));
  if (change.reference) set.push(referenceAssignments(change.reference));
  return set;
}

function mappedAssignments(mapped: NonNullable<PostingChange['mapped']>): Prisma.Sql {
  return sql`rules_version = ${mapped.rulesVersion}, journal = ${mapped.journal}, settlement = ${mapped.settlement},
    trace = ${mapped.trace}, warnings = ${[...mapped.warnings]}, posting_date = ${mapped.postingDate}, total_isk = ${mapped.totalIsk}::numeric`;
}

function referenceAssignments({ part, reference }: NonNullable<PostingChange['reference']>): Prisma.Sql {
  const text = JSON.stringify(reference);
  if (part === 'settlement') return sql`settlement_reference = ${text}`;
  return sql`erp_reference = ${text}, erp_number = ${reference.number ?? reference.id}`;
}

async function saveDocument(tx: Transaction, postingId: string, facts: DocumentFacts): Promise<void> {
  await tx.$executeRaw`
    UPDATE document d
    SET number = ${facts.number}, amount = ${facts.amount}::numeric, currency = ${facts.currency}, issue_date = ${facts.issueDate},
        counterparty_name = CASE WHEN ${facts.counterpartyName} = '' THEN d.counterparty_name ELSE ${facts.counterpartyName} END,
        counterparty_kennitala = ${facts.counterpartyKennitala},
        refer_guid = ${facts.referGuid}, source_status = ${facts.sourceStatus}, snapshot = ${facts.snapshot},
        content_hash = ${facts.contentHash}, snapshot_at = now()
    FROM posting p WHERE p.id = ${postingId}::uuid AND d.id = p.document_id`;
}

async function saveSourceStatus(tx: Transaction, postingId: string, status: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE document d SET source_status = ${status}
    FROM posting p WHERE p.id = ${postingId}::uuid AND d.id = p.document_id`;
}

async function saveAttempt(
  tx: Transaction,
  { posting, attempt }: ClaimedPosting,
  change: AttemptChange,
): Promise<void> {
  switch (change.act) {
    case 'begin':
      await tx.$executeRaw`
        INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by, sends, last_sent_at)
        VALUES (${newId()}::uuid, ${posting.id}::uuid, ${(attempt?.number ?? 0) + 1}, ${posting.fence}, ${change.part}, ${change.key},
                ${change.request}, now(), now() + ${change.sendByMs} * interval '1 millisecond', 1, now())`;
      return;
    case 'resend':
      await tx.$executeRaw`
        UPDATE attempt SET sends = sends + 1, last_sent_at = now(), outcome = NULL, fence = ${posting.fence},
          send_by = now() + ${change.sendByMs} * interval '1 millisecond'
        WHERE id = ${attempt?.id ?? null}::uuid`;
      return;
    case 'finish':
      await tx.$executeRaw`
        UPDATE attempt SET outcome = ${change.outcome}, message = ${change.message}, finished_at = now(),
          erp_reference = coalesce(${change.reference ? JSON.stringify(change.reference) : null}, erp_reference)
        WHERE id = ${attempt?.id ?? null}::uuid`;
  }
}

async function saveWriteBack(
  tx: Transaction,
  { posting, writeBack }: ClaimedPosting,
  change: WriteBackChange,
): Promise<void> {
  if (change.act === 'decide') {
    await tx.$executeRaw`
      INSERT INTO write_back (id, posting_id, number, wanted, message, state, decided_at)
      SELECT ${newId()}::uuid, ${posting.id}::uuid, coalesce(max(number), 0) + 1, ${change.wanted}, ${change.message}, 'pending', now()
      FROM write_back WHERE posting_id = ${posting.id}::uuid`;
    return;
  }
  await tx.$executeRaw`UPDATE write_back SET ${writeBackAssignments(change)} WHERE id = ${writeBack?.id ?? null}::uuid`;
}

function writeBackAssignments(change: Exclude<WriteBackChange, { act: 'decide' }>): Prisma.Sql {
  switch (change.act) {
    case 'sent':
      return sql`state = 'sent', sends = sends + 1, sent_at = now()`;
    case 'answered':
      return sql`answer = ${change.answer}`;
    case 'acknowledged':
      return sql`state = 'acknowledged', acknowledged_at = now()`;
    case 'abandoned':
      return sql`state = 'abandoned', answer = ${change.answer}`;
  }
}

async function wakeDependents(tx: Transaction, tenantName: string, guid: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE posting p SET due_at = now()
    FROM document d
    WHERE d.tenant_name = ${tenantName} AND d.refer_guid = ${guid} AND p.document_id = d.id AND p.state = 'deferred'`;
}

/** Looking and giving back unchanged is no event. */
function isWorthAuditing(change: PostingChange): boolean {
  return (
    change.to !== undefined ||
    change.attempt !== undefined ||
    change.writeBack !== undefined ||
    change.details !== undefined
  );
}

async function audit(
  tx: Transaction,
  actor: string,
  { posting }: ClaimedPosting,
  change: PostingChange,
): Promise<void> {
  await appendAudit(tx, {
    tenantName: posting.tenantName,
    actor,
    action: `posting.${change.action}`,
    subject: posting.id,
    ...(change.why === undefined ? {} : { reason: change.why }),
    details: {
      ...(change.to ? { from: posting.state, to: change.to } : {}),
      ...(change.reason ? { reason: change.reason.code, about: change.reason.subject } : {}),
      ...(change.attempt?.act === 'finish' ? { outcome: change.attempt.outcome } : {}),
      ...(change.writeBack?.act === 'decide' ? { wanted: change.writeBack.wanted } : {}),
      ...change.details,
    },
  });
}
