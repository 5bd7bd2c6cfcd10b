// A commit of the pipeline as one statement. The compare-and-set on (id, state, fence) comes first; everything that belongs
// to it hangs on the row that this returned. So whoever lost the lease changes nothing, and one round trip is the whole
// transaction. All parts see the rows as they were before, hence the claim is read from what the parts return.
import { say } from '../language/say.js';
import type {
  AttemptChange,
  ClaimedPosting,
  DocumentFacts,
  PostingChange,
  WriteBackChange,
} from '../pipeline/records.js';
import { Prisma } from './generated/client.js';
import { newId } from './ids.js';
import { SETTLED_BY, STAYS_OPEN } from './incidents.js';
import { claimQuery, TABLES } from './posting-rows.js';
import { paramsText } from './reason-rows.js';
import { storable } from './storable.js';

const { sql } = Prisma;

/** No row: the lease was lost. */
export function commitStatement(actor: string, claimed: ClaimedPosting, said: PostingChange): Prisma.Sql {
  const { posting } = claimed;
  const change = storable(said);
  const parts: Prisma.Sql[] = [
    sql`moved AS (
      UPDATE posting SET ${Prisma.join(assignments(change), ', ')}
      WHERE id = ${posting.id}::uuid AND state = ${posting.state} AND fence = ${posting.fence} AND lease_until > now()
      RETURNING *)`,
  ];
  const from = { ...TABLES, posting: sql`moved` };
  const documentSet = documentAssignments(change);
  if (documentSet) {
    parts.push(
      sql`seen AS (UPDATE document d SET ${documentSet} FROM moved WHERE d.id = moved.document_id RETURNING d.*)`,
    );
    from.document = sql`seen`;
  }
  if (change.attempt) {
    parts.push(sql`attempted AS (${attemptPart(claimed, change.attempt)})`);
    if (!isReversal(change.attempt)) from.attempt = sql`attempted`;
  }
  if (change.writeBack) {
    parts.push(sql`written AS (${writeBackPart(claimed, change.writeBack)})`);
    from.writeBack = sql`written`;
  }
  if (change.wakeDependents) parts.push(sql`woken AS (${wakeDependents(claimed)})`);
  if (change.to === 'acknowledged' || change.to === 'reversed') parts.push(...settleParts(actor, change.to));
  if (isWorthAuditing(change)) parts.push(sql`audited AS (${auditPart(actor, claimed, change)})`);
  return sql`WITH ${Prisma.join(parts, ', ')} ${claimQuery(from)}`;
}

function assignments(change: PostingChange): Prisma.Sql[] {
  // A list that is never empty, so that the compare-and-set happens even when only other rows change.
  const set: Prisma.Sql[] = [sql`fence = fence`];
  if (change.to) set.push(sql`state = ${change.to}, state_since = now()`);
  if (change.to === 'posted') set.push(sql`posted_at = now()`);
  if (change.to === 'acknowledged') set.push(sql`acknowledged_at = now()`);
  if (change.reason === null)
    set.push(sql`reason = NULL, reason_subject = NULL, reason_params = NULL, reason_sentence = NULL`);
  else if (change.reason) {
    const { code, subject, params } = change.reason;
    set.push(
      sql`reason = ${code}, reason_subject = ${subject}, reason_params = ${paramsText(params)}, reason_sentence = NULL`,
    );
  }
  if (change.tries !== undefined) set.push(sql`tries = ${change.tries}`);
  if (change.dueInMs === null) set.push(sql`due_at = NULL`);
  else if (change.dueInMs !== undefined)
    set.push(sql`due_at = now() + ${change.dueInMs} * interval '1 millisecond'`);
  if (change.release) set.push(sql`lease_owner = NULL, lease_until = NULL, queued_until = NULL`);
  else if (change.leaseMs !== undefined)
    set.push(sql`lease_until = now() + ${change.leaseMs} * interval '1 millisecond'`);
  if (change.document) set.push(sql`content_hash = ${change.document.contentHash}`);
  if (change.mapped) set.push(mappedAssignments(change.mapped));
  if (change.reference) set.push(referenceAssignments(change.reference));
  return set;
}

function mappedAssignments(mapped: NonNullable<PostingChange['mapped']>): Prisma.Sql {
  return sql`rules_version = ${mapped.rulesVersion}, journal = ${mapped.journal}, settlement = ${mapped.settlement},
    trace = ${mapped.trace}, warnings = ${[...mapped.warnings]}, document_no = ${mapped.documentNo},
    posting_date = ${mapped.postingDate}, total_isk = ${mapped.totalIsk}::numeric`;
}

function referenceAssignments({ part, reference }: NonNullable<PostingChange['reference']>): Prisma.Sql {
  const text = JSON.stringify(reference);
  if (part === 'settlement') return sql`settlement_reference = ${text}`;
  return sql`erp_reference = ${text}, erp_number = ${reference.number ?? reference.id}`;
}

function documentAssignments({ document, sourceStatus }: PostingChange): Prisma.Sql | null {
  if (document) return factAssignments(document);
  return sourceStatus === undefined ? null : sql`source_status = ${sourceStatus}`;
}

function factAssignments(facts: DocumentFacts): Prisma.Sql {
  return sql`number = ${facts.number}, amount = ${facts.amount}::numeric, currency = ${facts.currency}, issue_date = ${facts.issueDate},
    counterparty_name = CASE WHEN ${facts.counterpartyName} = '' THEN d.counterparty_name ELSE ${facts.counterpartyName} END,
    counterparty_kennitala = ${facts.counterpartyKennitala},
    refer_guid = ${facts.referGuid}, source_status = ${facts.sourceStatus}, snapshot = ${facts.snapshot},
    content_hash = ${facts.contentHash}, snapshot_at = now()`;
}

function isReversal(change: AttemptChange): boolean {
  return change.act === 'begin'
    ? change.part === 'reversal'
    : change.act === 'finish' && change.reversal !== undefined;
}

function attemptPart({ attempt }: ClaimedPosting, change: AttemptChange): Prisma.Sql {
  const id = attempt?.id ?? null;
  switch (change.act) {
    case 'begin':
      return sql`
        INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by, sends, last_sent_at)
        SELECT ${newId()}::uuid, moved.id, coalesce((SELECT max(number) FROM attempt a WHERE a.posting_id = moved.id), 0) + 1,
               moved.fence, ${change.part}, ${change.key}, ${change.request}, now(), now() + ${change.sendByMs} * interval '1 millisecond', 1, now()
        FROM moved RETURNING *`;
    case 'resend':
      return sql`
        UPDATE attempt a SET sends = a.sends + 1, last_sent_at = now(), outcome = NULL, fence = moved.fence,
          send_by = now() + ${change.sendByMs} * interval '1 millisecond'
        FROM moved WHERE a.id = ${id}::uuid RETURNING a.*`;
    case 'finish':
      return sql`
        UPDATE attempt a SET outcome = ${change.outcome}, message = ${change.message}, finished_at = now(),
          erp_reference = coalesce(${change.reference ? JSON.stringify(change.reference) : null}, a.erp_reference)
        FROM moved WHERE a.id = ${change.reversal === undefined ? sql`${id}::uuid` : latestUnder(change.reversal)} RETURNING a.*`;
  }
}

function latestUnder(key: string): Prisma.Sql {
  return sql`(SELECT id FROM attempt WHERE posting_id = moved.id AND key = ${key} ORDER BY number DESC LIMIT 1)`;
}

function writeBackPart({ writeBack }: ClaimedPosting, change: WriteBackChange): Prisma.Sql {
  if (change.act === 'decide') {
    return sql`
      INSERT INTO write_back (id, posting_id, number, wanted, message, state, decided_at)
      SELECT ${newId()}::uuid, moved.id, coalesce((SELECT max(number) FROM write_back w WHERE w.posting_id = moved.id), 0) + 1,
             ${change.wanted}, ${change.message}, 'pending', now()
      FROM moved RETURNING *`;
  }
  return sql`
    UPDATE write_back w SET ${writeBackAssignments(change)} FROM moved WHERE w.id = ${writeBack?.id ?? null}::uuid RETURNING w.*`;
}

function writeBackAssignments(change: Exclude<WriteBackChange, { act: 'decide' }>): Prisma.Sql {
  switch (change.act) {
    case 'sent':
      return sql`state = 'sent', sends = w.sends + 1, sent_at = now()`;
    case 'answered':
      return sql`answer = ${change.answer}`;
    case 'acknowledged':
      return sql`state = 'acknowledged', acknowledged_at = now()`;
    case 'abandoned':
      return sql`state = 'abandoned', answer = ${change.answer}`;
  }
}

/** Never the posting itself: a statement changes a row once. */
function wakeDependents({ posting }: ClaimedPosting): Prisma.Sql {
  return sql`
    UPDATE posting p SET due_at = now()
    FROM document d, moved
    WHERE d.tenant_name = ${posting.tenantName} AND d.refer_guid = ${posting.guid} AND p.document_id = d.id
      AND p.state = 'deferred' AND p.id <> moved.id`;
}

/** What was open about a document that has arrived is settled, each with its own entry in the audit. */
function settleParts(actor: string, arrived: keyof typeof SETTLED_BY): Prisma.Sql[] {
  const reason = SETTLED_BY[arrived];
  return [
    sql`settled AS (
      UPDATE incident i SET state = 'resolved', resolved_at = now(), resolved_by = ${actor}, resolution = ${JSON.stringify(reason)}
      FROM moved WHERE i.posting_id = moved.id AND i.state <> 'resolved' AND i.code <> ALL(${[...STAYS_OPEN]})
      RETURNING i.id, i.code, moved.id AS posting_id, moved.tenant_name)`,
    sql`settlement_audited AS (
      INSERT INTO audit_entry (chain, actor, action, subject, reason, details)
      SELECT tenant_name, ${actor}, 'incident.resolved', id::text, ${say('en', reason)},
             json_build_object('code', code, 'posting', posting_id)::text
      FROM settled)`,
  ];
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

function auditPart(actor: string, { posting }: ClaimedPosting, change: PostingChange): Prisma.Sql {
  const details = {
    ...(change.to ? { from: posting.state, to: change.to } : {}),
    ...(change.reason ? { reason: change.reason.code, about: change.reason.subject } : {}),
    ...(change.attempt?.act === 'finish' ? { outcome: change.attempt.outcome } : {}),
    ...(change.writeBack?.act === 'decide' ? { wanted: change.writeBack.wanted } : {}),
    ...change.details,
  };
  return sql`
    INSERT INTO audit_entry (chain, actor, action, subject, reason, details)
    SELECT moved.tenant_name, ${actor}, ${`posting.${change.action}`}, moved.id::text, ${change.why ?? null}, ${JSON.stringify(details)}
    FROM moved`;
}
