// A posting with its document, latest attempt to post and latest write-back, in one query; ages by the database's clock.
import type { AttemptOutcome, PostingState } from '../domain/posting.js';
import type { SourceKind } from '../domain/source-document.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import type { AttemptedPart, AttemptRecord, ClaimedPosting, WriteBackRecord } from '../pipeline/records.js';
import { Prisma } from './generated/client.js';
import { type ReasonColumns, toReason } from './reason-rows.js';

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
  kind: SourceKind;
  guid: string;
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
}

const ageMs = (column: string) =>
  Prisma.raw(`(extract(epoch FROM clock_timestamp() - ${column}) * 1000)::float8`);

/** Of the attempt `a`. */
export const ATTEMPT_COLUMNS = Prisma.sql`
  a.id AS a_id, a.number AS a_number, a.part AS a_part, a.key AS a_key, a.request AS a_request, a.sends AS a_sends,
  ${ageMs('a.started_at')} AS a_age_ms, ${ageMs('coalesce(a.last_sent_at, a.started_at)')} AS a_last_send_age_ms,
  a.outcome AS a_outcome, a.erp_reference AS a_reference`;

/** Where each part of a claim is read: its table, or what a statement returned that has just changed it. */
export interface ClaimSources {
  readonly posting: Prisma.Sql;
  readonly document: Prisma.Sql;
  readonly attempt: Prisma.Sql;
  readonly writeBack: Prisma.Sql;
}

export const TABLES: ClaimSources = {
  posting: Prisma.sql`posting`,
  document: Prisma.sql`document`,
  attempt: Prisma.sql`attempt`,
  writeBack: Prisma.sql`write_back`,
};

export function claimQuery(from: ClaimSources): Prisma.Sql {
  return Prisma.sql`
    SELECT p.id, p.tenant_name, p.kind, d.guid, d.number, p.key, p.generation, p.state, p.reason, p.reason_subject,
           p.reason_params, p.reason_sentence, ${ageMs('p.state_since')} AS state_age_ms, ${ageMs('p.discovered_at')} AS discovered_age_ms,
           p.fence, p.tries, p.content_hash, p.rules_version, p.journal, p.settlement, p.erp_reference,
           p.settlement_reference,
           CASE WHEN b.look_up_first_until > now() THEN ${ageMs('b.restored_at')} END AS restored_age_ms,
           ${ATTEMPT_COLUMNS},
           w.id AS w_id, w.wanted AS w_wanted, w.message AS w_message, w.state AS w_state, w.sends AS w_sends
    FROM ${from.posting} p
    JOIN ${from.document} d ON d.id = p.document_id
    CROSS JOIN bridge b
    LEFT JOIN LATERAL (
      SELECT * FROM ${from.attempt} WHERE posting_id = p.id AND part <> 'reversal' ORDER BY number DESC LIMIT 1) a ON true
    LEFT JOIN LATERAL (SELECT * FROM ${from.writeBack} WHERE posting_id = p.id ORDER BY number DESC LIMIT 1) w ON true`;
}

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
