// The parts of a commit, in SQL: the moves of the postings, and what hangs on each. All parts see the rows as they were before. A
// posting that is moved here is never woken here as well: a statement changes a row once. Each part reads a list of its own, so that
// nothing carries the columns of the others along. Long texts are in none of them (long-texts.ts); a row says which are its own.
import { say } from '../language/say.js';
import { RESOLVED_BY, STAYS_OPEN } from './incidents.js';

const MS = "interval '1 millisecond'";
const quoted = (texts: readonly string[]) =>
  texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ');

/** What resolves an incident about a document that has arrived, for each state that it may arrive in. */
const resolvedBy = (told: (reason: (typeof RESOLVED_BY)[keyof typeof RESOLVED_BY]) => string) =>
  Object.entries(RESOLVED_BY)
    .map(([state, reason]) => `WHEN ${quoted([state])} THEN ${quoted([told(reason)])}`)
    .join(' ');

/** Which text a row has: its number in hand, the text itself from those of the statement. */
export type TextOf = (number: string) => string;

/** Longer than a process takes to read a file that changed. */
const STALE_MS = 10_000;
const JUDGED_BY_REPLACED = `coalesce(i.to_state, p.state) IN ('held', 'deferred') AND i.judged_by <>
      (SELECT t.rules_version FROM tenant t WHERE t.name = p.tenant_name)`;

/** $1: the postings. The compare-and-set on (id, state, fence) comes first. */
export const moved = (text: TextOf) => `
input AS (
  SELECT * FROM json_to_recordset($1::json) AS x(
    n int, id uuid, old_state text, old_fence int, actor text, to_state text, set_reason bool, reason text, reason_subject text,
    reason_params text, tries int, set_due bool, due_ms float8, release bool, judged_by text, lease_ms float8, content_hash text, wakes bool,
    is_mapped bool, rules_version text, journal int, settlement int, trace int, warnings text[], document_no text,
    posting_date text, total_isk numeric, booked_ms float8, part text, reference text, erp_number text)
  -- Always so. The planner expects one row of this, not a hundred, and looks for each posting instead of reading all of them.
  WHERE n = n + 0
),
moved AS (
  UPDATE posting p SET
    state = coalesce(i.to_state, p.state),
    state_since = CASE WHEN i.to_state IS NULL THEN p.state_since ELSE now() END,
    posted_at = CASE WHEN i.to_state = 'posted' THEN now() WHEN i.booked_ms IS NULL THEN p.posted_at ELSE now() - i.booked_ms * ${MS} END,
    acknowledged_at = CASE WHEN i.to_state = 'acknowledged' THEN now() ELSE p.acknowledged_at END,
    reason = CASE WHEN i.set_reason THEN i.reason ELSE p.reason END,
    reason_subject = CASE WHEN i.set_reason THEN i.reason_subject ELSE p.reason_subject END,
    reason_params = CASE WHEN i.set_reason THEN i.reason_params ELSE p.reason_params END,
    -- Of a reason from before reasons were values.
    reason_sentence = CASE WHEN i.set_reason THEN NULL ELSE p.reason_sentence END,
    tries = coalesce(i.tries, p.tries),
    -- A process keeps to rules that were replaced for as long as it takes to read the file; nobody else would wake what it held by them.
    due_at = CASE WHEN ${JUDGED_BY_REPLACED} THEN now() + ${STALE_MS} * ${MS}
      WHEN i.set_due THEN now() + i.due_ms * ${MS} ELSE p.due_at END,
    lease_owner = CASE WHEN i.release THEN NULL ELSE p.lease_owner END,
    lease_until = CASE WHEN i.release THEN NULL WHEN i.lease_ms IS NULL THEN p.lease_until ELSE now() + i.lease_ms * ${MS} END,
    content_hash = coalesce(i.content_hash, p.content_hash),
    rules_version = CASE WHEN i.is_mapped THEN i.rules_version ELSE p.rules_version END,
    journal = CASE WHEN i.is_mapped THEN ${text('i.journal')} ELSE p.journal END,
    settlement = CASE WHEN i.is_mapped THEN ${text('i.settlement')} ELSE p.settlement END,
    trace = CASE WHEN i.is_mapped THEN ${text('i.trace')} ELSE p.trace END,
    warnings = CASE WHEN i.is_mapped THEN i.warnings ELSE p.warnings END,
    document_no = CASE WHEN i.is_mapped THEN i.document_no ELSE p.document_no END,
    posting_date = CASE WHEN i.is_mapped THEN i.posting_date ELSE p.posting_date END,
    total_isk = CASE WHEN i.is_mapped THEN i.total_isk ELSE p.total_isk END,
    erp_reference = CASE WHEN i.part = 'main' THEN i.reference ELSE p.erp_reference END,
    erp_number = coalesce(i.erp_number, p.erp_number),
    settlement_reference = CASE WHEN i.part = 'settlement' THEN i.reference ELSE p.settlement_reference END
  FROM input i
  WHERE p.id = i.id AND p.state = i.old_state AND p.fence = i.old_fence AND p.lease_until > now()
  RETURNING i.n, p.id, p.document_id, p.tenant_name, p.fence, i.actor, i.to_state, i.wakes
)`;

/** What a document is seen to be, from `list`. */
export const seen = (list: string, text: TextOf) => `
seen AS (
  UPDATE document d SET
    source_status = i.status,
    snapshot = coalesce(${text('i.snapshot')}, d.snapshot),
    content_hash = coalesce(i.content_hash, d.content_hash),
    snapshot_at = CASE WHEN i.snapshot IS NULL THEN d.snapshot_at ELSE now() END,
    number = coalesce(i.number, d.number),
    -- The same amount as it stands: 100.00 for 100 would be written into every index.
    amount = CASE WHEN i.amount = d.amount THEN d.amount ELSE coalesce(i.amount, d.amount) END,
    currency = coalesce(i.currency, d.currency),
    issue_date = coalesce(i.issue_date, d.issue_date),
    counterparty_name = CASE WHEN coalesce(i.name, '') = '' THEN d.counterparty_name ELSE i.name END,
    counterparty_kennitala = coalesce(i.kennitala, d.counterparty_kennitala),
    refer_guid = coalesce(i.refer_guid, d.refer_guid)
  -- In the order in which a list locks what it shows (listed-again.ts): else each may wait for the other.
  FROM (
    SELECT m.document_id, i.*
    FROM json_to_recordset(${list}::json) AS i(
        n int, status text, snapshot int, content_hash text, number text, amount numeric, currency text, issue_date text, name text,
        kennitala text, refer_guid text)
      JOIN moved m ON m.n = i.n
    ORDER BY m.document_id
  ) i
  WHERE d.id = i.document_id
)`;

export const tried = (list: string) => `
tried AS (
  SELECT m.id AS posting_id, m.fence, i.*
  FROM json_to_recordset(${list}::json) AS i(
      n int, act text, id uuid, part text, key text, request int, send_by_ms float8, outcome text, message text, reference text)
    JOIN moved m ON m.n = i.n
)`;

export const begun = (text: TextOf) => `
begun AS (
  INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by, sends, last_sent_at)
  SELECT i.id, i.posting_id, coalesce((SELECT max(a.number) FROM attempt a WHERE a.posting_id = i.posting_id), 0) + 1, i.fence, i.part,
         i.key, ${text('i.request')}, now(), now() + i.send_by_ms * ${MS}, 1, now()
  FROM tried i WHERE i.act = 'begin'
  RETURNING posting_id, number
)`;

export const ATTEMPTED = `
attempted AS (
  UPDATE attempt a SET
    sends = a.sends + (i.act = 'resend')::int,
    last_sent_at = CASE WHEN i.act = 'resend' THEN now() ELSE a.last_sent_at END,
    fence = CASE WHEN i.act = 'resend' THEN i.fence ELSE a.fence END,
    send_by = CASE WHEN i.act = 'resend' THEN now() + i.send_by_ms * ${MS} ELSE a.send_by END,
    outcome = i.outcome,
    message = CASE WHEN i.act = 'finish' THEN i.message ELSE a.message END,
    finished_at = CASE WHEN i.act = 'finish' THEN now() ELSE a.finished_at END,
    erp_reference = coalesce(i.reference, a.erp_reference)
  FROM tried i
  WHERE i.act IN ('resend', 'finish')
    AND a.id = coalesce(i.id, (SELECT r.id FROM attempt r WHERE r.posting_id = i.posting_id AND r.key = i.key ORDER BY r.number DESC LIMIT 1))
)`;

export const told = (list: string) => `
told AS (
  SELECT m.id AS posting_id, i.*
  FROM json_to_recordset(${list}::json) AS i(n int, act text, id uuid, wanted text, message text, answer text)
    JOIN moved m ON m.n = i.n
)`;

export const DECIDED = `
decided AS (
  INSERT INTO write_back (id, posting_id, number, wanted, message, decided_at, state, sends, sent_at, acknowledged_at)
  SELECT i.id, i.posting_id, coalesce((SELECT max(w.number) FROM write_back w WHERE w.posting_id = i.posting_id), 0) + 1, i.wanted,
         i.message, now(), CASE WHEN i.act = 'told' THEN 'acknowledged' ELSE 'pending' END, (i.act = 'told')::int,
         CASE WHEN i.act = 'told' THEN now() END, CASE WHEN i.act = 'told' THEN now() END
  FROM told i WHERE i.act IN ('decide', 'told')
)`;

export const WRITTEN = `
written AS (
  UPDATE write_back w SET
    state = CASE WHEN i.act = 'answered' THEN 'sent' ELSE i.act END,
    sends = CASE WHEN i.act IN ('sent', 'answered') THEN w.sends + 1 WHEN i.act = 'acknowledged' THEN greatest(w.sends, 1) ELSE w.sends END,
    sent_at = CASE WHEN i.act = 'abandoned' THEN w.sent_at WHEN i.act = 'acknowledged' THEN coalesce(w.sent_at, now()) ELSE now() END,
    acknowledged_at = CASE WHEN i.act = 'acknowledged' THEN now() ELSE w.acknowledged_at END,
    answer = coalesce(i.answer, w.answer)
  FROM told i
  WHERE w.id = i.id AND i.act NOT IN ('decide', 'told')
)`;

export const WOKEN = `
woken AS (
  UPDATE posting p SET due_at = now()
  FROM moved m JOIN document o ON o.id = m.document_id
    CROSS JOIN LATERAL (
      SELECT d.id FROM document d WHERE d.tenant_name = o.tenant_name AND d.refer_guid = o.guid AND d.refer_guid <> '' OFFSET 0) d
    CROSS JOIN LATERAL (SELECT w.id FROM posting w WHERE w.document_id = d.id OFFSET 0) w
  -- From what moved to what waits for it, whatever the planner knows of states: the other way each commit reads all that is deferred.
  WHERE m.wakes AND p.id = w.id AND (p.state = 'deferred') IS TRUE AND NOT EXISTS (SELECT 1 FROM input x WHERE x.id = p.id)
)`;

/** Incidents about what has arrived. */
export const SETTLED = `
settled AS (
  UPDATE incident c SET state = 'resolved', resolved_at = now(), resolved_by = m.actor,
    resolution = CASE m.to_state ${resolvedBy((reason) => JSON.stringify(reason))} END
  FROM moved m
  WHERE m.to_state IN (${quoted(Object.keys(RESOLVED_BY))}) AND c.posting_id = m.id AND c.state <> 'resolved'
    AND c.code NOT IN (${quoted(STAYS_OPEN)})
  RETURNING c.id, c.code, m.to_state, m.actor, m.id AS posting_id, m.tenant_name
)`;

const OF_SETTLED = `
  UNION ALL
  SELECT tenant_name, actor, 'incident.resolved', id::text, CASE to_state ${resolvedBy((reason) => say('en', reason))} END,
         json_build_object('code', code, 'posting', posting_id)::text
  FROM settled`;

export const audited = (list: string, withSettled: boolean) => `
audited AS (
  INSERT INTO audit_entry (chain, actor, action, subject, reason, details)
  SELECT m.tenant_name, m.actor, i.action, m.id::text, i.why, i.details
  FROM json_to_recordset(${list}::json) AS i(n int, action text, why text, details text) JOIN moved m ON m.n = i.n${withSettled ? OF_SETTLED : ''}
)`;
