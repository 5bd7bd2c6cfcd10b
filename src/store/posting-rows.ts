// A posting with its document, latest attempt to post and latest write-back, in one query; ages by the database's clock.
import type { Guid } from '../domain/ids.js';
import type { AttemptOutcome, PostingState } from '../domain/posting.js';
import type { BookedKind } from '../domain/source-document.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import type {
  AttemptedPart,
  AttemptRecord,
  ClaimedPosting,
  WriteBackRecord,
} from '../sync/posting-records.js';
import type { Statement } from './db.js';
import { isFreeText, takeLeaseText, wasAbandonedText } from './lease.js';
import { type ReasonColumns, toReason } from './storable.js';

export interface AttemptRow {
  a_id: string;
  a_number: number;
  a_part: AttemptedPart;
  a_key: string;
  a_request: string;
  a_sends: number;
  a_age_ms: number;
  a_last_send_age_ms: number;
  a_outcome: AttemptOutcome | null;
  a_reference: string | null;
}

export interface ClaimRow extends Omit<AttemptRow, 'a_id'>, ReasonColumns {
  id: string;
  tenant_name: string;
  kind: BookedKind;
  guid: Guid;
  number: string;
  key: string;
  generation: number;
  state: PostingState;
  state_age_ms: number;
  discovered_age_ms: number;
  fence: number;
  tries: number;
  content_hash: string | null;
  rules_version: string | null;
  journal: string | null;
  settlement: string | null;
  erp_reference: string | null;
  settlement_reference: string | null;
  restored_age_ms: number | null;
  a_id: string | null;
  w_id: string | null;
  w_wanted: WriteBackRecord['wanted'];
  w_message: string;
  w_state: WriteBackRecord['state'];
  w_sends: number;
  s_id: string | null;
  s_key: string | null;
}

const ageMs = (column: string) => `(extract(epoch FROM clock_timestamp() - ${column}) * 1000)::float8`;

/** What was begun before a restore may have been sent again until then, by a history that is lost. Of the attempt `a` and the bridge `b`. */
export const LAST_SENT_AT = `greatest(coalesce(a.last_sent_at, a.started_at),
  CASE WHEN b.look_up_first_until > now() AND a.started_at <= b.restored_at THEN b.restored_at END)`;

/** Of the attempt `a` and the bridge `b`. */
export const ATTEMPT_COLUMNS = `
  a.id AS a_id, a.number AS a_number, a.part AS a_part, a.key AS a_key, a.request AS a_request, a.sends AS a_sends,
  ${ageMs('a.started_at')} AS a_age_ms, ${ageMs(LAST_SENT_AT)} AS a_last_send_age_ms,
  a.outcome AS a_outcome, a.erp_reference AS a_reference`;

/** Claims of the postings in `from`, which is the table or what a statement has just changed. */
export const claimsOf = (from: string) => `
  SELECT p.id, p.tenant_name, p.kind, d.guid, d.number, p.key, p.generation, p.state, p.reason, p.reason_subject,
         p.reason_params, p.reason_sentence, ${ageMs('p.state_since')} AS state_age_ms, ${ageMs('p.discovered_at')} AS discovered_age_ms,
         p.fence, p.tries, p.content_hash, p.rules_version, p.journal, p.settlement, p.erp_reference,
         p.settlement_reference,
         CASE WHEN b.look_up_first_until > now() THEN ${ageMs('b.restored_at')} END AS restored_age_ms,
         ${ATTEMPT_COLUMNS},
         w.id AS w_id, w.wanted AS w_wanted, w.message AS w_message, w.state AS w_state, w.sends AS w_sends,
         s.summary_id AS s_id, s.summary_key AS s_key
  FROM ${from} p
  JOIN document d ON d.id = p.document_id
  CROSS JOIN bridge b
  LEFT JOIN LATERAL (
    SELECT * FROM attempt WHERE posting_id = p.id AND part <> 'reversal' ORDER BY number DESC LIMIT 1) a ON true
  LEFT JOIN LATERAL (SELECT * FROM write_back WHERE posting_id = p.id ORDER BY number DESC LIMIT 1) w ON true
  LEFT JOIN summary_member s ON s.posting_id = p.id AND s.generation = p.generation`;

/** The lease goes to $1. A claim of a posting whose last lease was abandoned counts as a try. */
const leasedFor = (ms: string) =>
  `${takeLeaseText('posting', '$1', ms)}, tries = posting.tries + ${wasAbandonedText('posting')}`;

/** One posting ($3), if it is free, for $2 ms; with $4 only if it is due. */
export const CLAIM_ONE: Statement = {
  name: 'claim-one-2',
  text: `
    WITH claimed AS (
      UPDATE posting SET ${leasedFor('$2::float8')}
      WHERE id = $3::uuid AND ${isFreeText()}
        -- What was handed out before the tenant was stopped is not begun after it.
        AND (NOT $4::bool OR due_at <= now() AND NOT EXISTS (
          SELECT 1 FROM tenant t WHERE t.name = posting.tenant_name AND t.paused_at IS NOT NULL))
      RETURNING *
    ) ${claimsOf('claimed')}`,
};

/** Those that the query `picked` names (`id`, and for how long: `lease_ms`), and whatever else is to happen with them. */
export const claimPicked = (picked: string, besides: string) => `
    WITH picked AS MATERIALIZED (${picked}),
    ${besides},
    claimed AS (
      UPDATE posting SET ${leasedFor('picked.lease_ms')} FROM picked WHERE posting.id = picked.id RETURNING posting.*)
    ${claimsOf('claimed')}`;

export function toClaim(row: ClaimRow): ClaimedPosting {
  return {
    posting: {
      id: row.id,
      tenantName: row.tenant_name,
      kind: row.kind,
      guid: row.guid,
      documentNumber: row.number,
      key: row.key,
      generation: row.generation,
      state: row.state,
      reason: toReason(row),
      stateAgeMs: row.state_age_ms,
      discoveredAgeMs: row.discovered_age_ms,
      fence: row.fence,
      tries: row.tries,
      contentHash: row.content_hash,
      rulesVersion: row.rules_version,
      journal: row.journal,
      settlement: row.settlement,
      reference: toReference(row.erp_reference),
      settlementReference: toReference(row.settlement_reference),
    },
    attempt: row.a_id === null ? null : toAttempt({ ...row, a_id: row.a_id }),
    writeBack: toWriteBack(row),
    restoredAgeMs: row.restored_age_ms,
    ...(row.s_id === null || row.s_key === null ? {} : { summary: { postingId: row.s_id, key: row.s_key } }),
  };
}

export function toAttempt(row: AttemptRow): AttemptRecord {
  return {
    id: row.a_id,
    number: row.a_number,
    part: row.a_part,
    key: row.a_key,
    request: row.a_request,
    sends: row.a_sends,
    ageMs: row.a_age_ms,
    lastSendAgeMs: row.a_last_send_age_ms,
    outcome: row.a_outcome,
    reference: toReference(row.a_reference),
  };
}

function toWriteBack(row: ClaimRow): WriteBackRecord | null {
  if (row.w_id === null) return null;
  return {
    id: row.w_id,
    wanted: row.w_wanted,
    message: row.w_message,
    state: row.w_state,
    sends: row.w_sends,
  };
}

/** Kept as JSON text: `{"id","number"?}`. */
export function toReference(text: string | null): ErpReference | null {
  return text === null ? null : (JSON.parse(text) as ErpReference);
}
