// Commits of the pipeline as one statement, however many documents they are of. The compare-and-set on (id, state, fence) comes
// first; everything that belongs to it hangs on the row that this returned. So whoever lost the lease changes nothing, and one
// round trip is the whole transaction. Its shape is always the same: it is planned once.
import { say } from '../language/say.js';
import type { ClaimedPosting, PostingChange } from '../pipeline/records.js';
import { newId } from './ids.js';
import { RESOLVED_BY, STAYS_OPEN } from './incidents.js';
import { paramsText } from './reason-rows.js';
import type { Statement } from './statements.js';
import { storable } from './storable.js';

/** One document's move, as the statement reads it. What is absent stays as it is. */
export function commitRow(
  number: number,
  actor: string,
  { posting, attempt, writeBack }: ClaimedPosting,
  said: PostingChange,
) {
  const change = storable(said);
  const { document, mapped, reference } = change;
  return {
    n: number,
    id: posting.id,
    old_state: posting.state,
    old_fence: posting.fence,
    to_state: change.to,
    set_reason: change.reason !== undefined,
    reason: change.reason?.code,
    reason_subject: change.reason?.subject,
    reason_params: change.reason ? paramsText(change.reason.params) : undefined,
    tries: change.tries,
    set_due: change.dueInMs !== undefined,
    due_ms: change.dueInMs,
    release: change.release ?? false,
    lease_ms: change.leaseMs,
    ...(mapped
      ? {
          is_mapped: true,
          rules_version: mapped.rulesVersion,
          journal: mapped.journal,
          settlement: mapped.settlement,
          trace: mapped.trace,
          warnings: mapped.warnings,
          document_no: mapped.documentNo,
          posting_date: mapped.postingDate,
          total_isk: mapped.totalIsk,
        }
      : {}),
    ...(reference ? { part: reference.part, reference: JSON.stringify(reference.reference) } : {}),
    ...(reference?.part === 'main'
      ? { erp_number: reference.reference.number ?? reference.reference.id }
      : {}),
    source_status: document?.sourceStatus ?? change.sourceStatus,
    ...(document
      ? {
          snapshot: document.snapshot,
          content_hash: document.contentHash,
          d_number: document.number,
          amount: document.amount,
          currency: document.currency,
          issue_date: document.issueDate,
          name: document.counterpartyName,
          kennitala: document.counterpartyKennitala,
          refer_guid: document.referGuid,
        }
      : {}),
    ...attemptFields(attempt, change.attempt),
    ...writeBackFields(writeBack, change.writeBack),
    wakes: change.wakeDependents ?? false,
    actor,
    ...(isWorthAuditing(change)
      ? {
          action: `posting.${change.action}`,
          why: change.why,
          details: JSON.stringify(auditDetails(posting.state, change)),
        }
      : {}),
  };
}

export type CommitRow = ReturnType<typeof commitRow>;

function attemptFields(attempt: ClaimedPosting['attempt'], change: PostingChange['attempt']) {
  switch (change?.act) {
    case undefined:
      return {};
    case 'begin':
      return {
        a_act: 'begin',
        a_id: newId(),
        a_part: change.part,
        a_key: change.key,
        a_request: change.request,
        a_send_by_ms: change.sendByMs,
      };
    case 'resend':
      return { a_act: 'resend', a_id: known(attempt).id, a_send_by_ms: change.sendByMs };
    case 'finish':
      return {
        a_act: 'finish',
        ...(change.reversal === undefined ? { a_id: known(attempt).id } : { a_key: change.reversal }),
        a_outcome: change.outcome,
        a_message: change.message,
        a_reference: change.reference ? JSON.stringify(change.reference) : undefined,
      };
  }
}

function writeBackFields(writeBack: ClaimedPosting['writeBack'], change: PostingChange['writeBack']) {
  if (!change) return {};
  if (change.act === 'decide')
    return { w_act: 'decide', w_id: newId(), w_wanted: change.wanted, w_message: change.message };
  return {
    w_act: change.act,
    w_id: known(writeBack).id,
    w_answer: 'answer' in change ? change.answer : undefined,
  };
}

/** A change of what is not there would silently change nothing. */
function known<T>(row: T | null): T {
  if (row === null) throw new Error('There is no attempt or write-back on record that this could change.');
  return row;
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

function auditDetails(from: string, change: PostingChange) {
  return {
    ...(change.to ? { from, to: change.to } : {}),
    ...(change.reason ? { reason: change.reason.code, about: change.reason.subject } : {}),
    ...(change.attempt?.act === 'finish' ? { outcome: change.attempt.outcome } : {}),
    ...(change.writeBack?.act === 'decide' ? { wanted: change.writeBack.wanted } : {}),
    ...change.details,
  };
}

/** What it returned for each row that moved; a row that is missing had lost its lease. */
export interface Committed {
  readonly n: number;
  /** Of the attempt that was begun. */
  readonly attempt_number: number | null;
}

const MS = "interval '1 millisecond'";
const quoted = (texts: readonly string[]) =>
  texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ');

/** What resolves an incident about a document that has arrived, for each state that it may arrive in. */
const resolvedBy = (told: (reason: (typeof RESOLVED_BY)[keyof typeof RESOLVED_BY]) => string) =>
  Object.entries(RESOLVED_BY)
    .map(([state, reason]) => `WHEN ${quoted([state])} THEN ${quoted([told(reason)])}`)
    .join(' ');

// All parts see the rows as they were before. A posting that is moved here is never woken here as well: a statement changes a row
// once.
export const COMMIT: Statement = {
  name: 'commit-1',
  text: `
WITH input AS (
  SELECT * FROM json_to_recordset($1::json) AS x(
    n int, id uuid, old_state text, old_fence int, to_state text, set_reason bool, reason text, reason_subject text,
    reason_params text, tries int, set_due bool, due_ms float8, release bool, lease_ms float8, is_mapped bool,
    rules_version text, journal text, settlement text, trace text, warnings text[], document_no text, posting_date text,
    total_isk numeric, part text, reference text, erp_number text, source_status text, snapshot text, content_hash text,
    d_number text, amount numeric, currency text, issue_date text, name text, kennitala text, refer_guid text, a_act text,
    a_id uuid, a_part text, a_key text, a_request text, a_send_by_ms float8, a_outcome text, a_message text, a_reference text,
    w_act text, w_id uuid, w_wanted text, w_message text, w_answer text, wakes bool, actor text, action text, why text,
    details text)
),
moved AS (
  UPDATE posting p SET
    state = coalesce(i.to_state, p.state),
    state_since = CASE WHEN i.to_state IS NULL THEN p.state_since ELSE now() END,
    posted_at = CASE WHEN i.to_state = 'posted' THEN now() ELSE p.posted_at END,
    acknowledged_at = CASE WHEN i.to_state = 'acknowledged' THEN now() ELSE p.acknowledged_at END,
    reason = CASE WHEN i.set_reason THEN i.reason ELSE p.reason END,
    reason_subject = CASE WHEN i.set_reason THEN i.reason_subject ELSE p.reason_subject END,
    reason_params = CASE WHEN i.set_reason THEN i.reason_params ELSE p.reason_params END,
    -- Of a reason from before reasons were values.
    reason_sentence = CASE WHEN i.set_reason THEN NULL ELSE p.reason_sentence END,
    tries = coalesce(i.tries, p.tries),
    due_at = CASE WHEN i.set_due THEN now() + i.due_ms * ${MS} ELSE p.due_at END,
    lease_owner = CASE WHEN i.release THEN NULL ELSE p.lease_owner END,
    lease_until = CASE WHEN i.release THEN NULL WHEN i.lease_ms IS NULL THEN p.lease_until ELSE now() + i.lease_ms * ${MS} END,
    content_hash = coalesce(i.content_hash, p.content_hash),
    rules_version = CASE WHEN i.is_mapped THEN i.rules_version ELSE p.rules_version END,
    journal = CASE WHEN i.is_mapped THEN i.journal ELSE p.journal END,
    settlement = CASE WHEN i.is_mapped THEN i.settlement ELSE p.settlement END,
    trace = CASE WHEN i.is_mapped THEN i.trace ELSE p.trace END,
    warnings = CASE WHEN i.is_mapped THEN i.warnings ELSE p.warnings END,
    document_no = CASE WHEN i.is_mapped THEN i.document_no ELSE p.document_no END,
    posting_date = CASE WHEN i.is_mapped THEN i.posting_date ELSE p.posting_date END,
    total_isk = CASE WHEN i.is_mapped THEN i.total_isk ELSE p.total_isk END,
    erp_reference = CASE WHEN i.part = 'main' THEN i.reference ELSE p.erp_reference END,
    erp_number = coalesce(i.erp_number, p.erp_number),
    settlement_reference = CASE WHEN i.part = 'settlement' THEN i.reference ELSE p.settlement_reference END
  FROM input i
  WHERE p.id = i.id AND p.state = i.old_state AND p.fence = i.old_fence AND p.lease_until > now()
  RETURNING i.n, p.id, p.document_id, p.tenant_name, p.fence
),
seen AS (
  UPDATE document d SET
    source_status = i.source_status,
    snapshot = coalesce(i.snapshot, d.snapshot),
    content_hash = coalesce(i.content_hash, d.content_hash),
    snapshot_at = CASE WHEN i.snapshot IS NULL THEN d.snapshot_at ELSE now() END,
    number = coalesce(i.d_number, d.number),
    amount = coalesce(i.amount, d.amount),
    currency = coalesce(i.currency, d.currency),
    issue_date = coalesce(i.issue_date, d.issue_date),
    counterparty_name = CASE WHEN coalesce(i.name, '') = '' THEN d.counterparty_name ELSE i.name END,
    counterparty_kennitala = coalesce(i.kennitala, d.counterparty_kennitala),
    refer_guid = coalesce(i.refer_guid, d.refer_guid)
  FROM moved m JOIN input i ON i.n = m.n
  WHERE d.id = m.document_id AND i.source_status IS NOT NULL
),
begun AS (
  INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by, sends, last_sent_at)
  SELECT i.a_id, m.id, coalesce((SELECT max(a.number) FROM attempt a WHERE a.posting_id = m.id), 0) + 1, m.fence, i.a_part, i.a_key,
         i.a_request, now(), now() + i.a_send_by_ms * ${MS}, 1, now()
  FROM moved m JOIN input i ON i.n = m.n WHERE i.a_act = 'begin'
  RETURNING posting_id, number
),
attempted AS (
  UPDATE attempt a SET
    sends = a.sends + (i.a_act = 'resend')::int,
    last_sent_at = CASE WHEN i.a_act = 'resend' THEN now() ELSE a.last_sent_at END,
    fence = CASE WHEN i.a_act = 'resend' THEN m.fence ELSE a.fence END,
    send_by = CASE WHEN i.a_act = 'resend' THEN now() + i.a_send_by_ms * ${MS} ELSE a.send_by END,
    outcome = i.a_outcome,
    message = CASE WHEN i.a_act = 'finish' THEN i.a_message ELSE a.message END,
    finished_at = CASE WHEN i.a_act = 'finish' THEN now() ELSE a.finished_at END,
    erp_reference = coalesce(i.a_reference, a.erp_reference)
  FROM moved m JOIN input i ON i.n = m.n
  WHERE i.a_act IN ('resend', 'finish')
    AND a.id = coalesce(i.a_id, (SELECT r.id FROM attempt r WHERE r.posting_id = m.id AND r.key = i.a_key ORDER BY r.number DESC LIMIT 1))
),
decided AS (
  INSERT INTO write_back (id, posting_id, number, wanted, message, state, decided_at)
  SELECT i.w_id, m.id, coalesce((SELECT max(w.number) FROM write_back w WHERE w.posting_id = m.id), 0) + 1, i.w_wanted,
         i.w_message, 'pending', now()
  FROM moved m JOIN input i ON i.n = m.n WHERE i.w_act = 'decide'
),
written AS (
  UPDATE write_back w SET
    state = CASE WHEN i.w_act = 'answered' THEN 'sent' ELSE i.w_act END,
    sends = CASE WHEN i.w_act IN ('sent', 'answered') THEN w.sends + 1 WHEN i.w_act = 'acknowledged' THEN greatest(w.sends, 1) ELSE w.sends END,
    sent_at = CASE WHEN i.w_act = 'abandoned' THEN w.sent_at WHEN i.w_act = 'acknowledged' THEN coalesce(w.sent_at, now()) ELSE now() END,
    acknowledged_at = CASE WHEN i.w_act = 'acknowledged' THEN now() ELSE w.acknowledged_at END,
    answer = coalesce(i.w_answer, w.answer)
  FROM moved m JOIN input i ON i.n = m.n
  WHERE w.id = i.w_id AND i.w_act <> 'decide'
),
woken AS (
  UPDATE posting p SET due_at = now()
  FROM moved m JOIN input i ON i.n = m.n JOIN document o ON o.id = m.document_id
    JOIN document d ON d.tenant_name = o.tenant_name AND d.refer_guid = o.guid
  WHERE i.wakes AND p.document_id = d.id AND p.state = 'deferred' AND NOT EXISTS (SELECT 1 FROM input x WHERE x.id = p.id)
),
settled AS (
  UPDATE incident c SET state = 'resolved', resolved_at = now(), resolved_by = i.actor,
    resolution = CASE i.to_state ${resolvedBy((reason) => JSON.stringify(reason))} END
  FROM moved m JOIN input i ON i.n = m.n
  WHERE i.to_state IN (${quoted(Object.keys(RESOLVED_BY))}) AND c.posting_id = m.id AND c.state <> 'resolved'
    AND c.code NOT IN (${quoted(STAYS_OPEN)})
  RETURNING c.id, c.code, i.to_state, i.actor, m.id AS posting_id, m.tenant_name
),
audited AS (
  INSERT INTO audit_entry (chain, actor, action, subject, reason, details)
  SELECT m.tenant_name, i.actor, i.action, m.id::text, i.why, i.details
  FROM moved m JOIN input i ON i.n = m.n WHERE i.action IS NOT NULL
  UNION ALL
  SELECT tenant_name, actor, 'incident.resolved', id::text, CASE to_state ${resolvedBy((reason) => say('en', reason))} END,
         json_build_object('code', code, 'posting', posting_id)::text
  FROM settled
)
SELECT m.n, b.number AS attempt_number FROM moved m LEFT JOIN begun b ON b.posting_id = m.id`,
};
