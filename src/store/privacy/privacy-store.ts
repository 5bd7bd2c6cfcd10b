// What is on record about people, and its removal, on PostgreSQL.
import type { DocumentsOf, FoundAt, PrivacyRecords } from '../../operations/privacy/privacy.js';
import { isOf, previewContents, removeContents, writtenPattern } from './contents-store.js';
import { countAddresses, eraseOperator, operatorFoundAt, removeAddresses } from './operators-store.js';
import { type Db, join, raw, sql } from '../db.js';

export function createPrivacyStore(db: Db): PrivacyRecords {
  return {
    previewContents: (wish) => previewContents(db, wish),
    removeContents: (wish, act, limit) => removeContents(db, wish, act, limit),
    documentsOf: (kennitala) =>
      db.rows<DocumentsOf>(sql`
        SELECT d.tenant_name AS tenant, count(*)::int AS documents, min(d.issue_date) AS first, max(d.issue_date) AS last
        FROM document d WHERE ${isOf(kennitala)} GROUP BY 1 ORDER BY 1`),
    operatorFoundAt: (login) => operatorFoundAt(db, login),
    isOperator: async (login) => {
      const [row] = await db.rows<{ disabled: boolean }>`
        SELECT disabled_at IS NOT NULL AS disabled FROM dashboard_user WHERE login = ${login}`;
      if (!row) return 'unknown';
      return row.disabled ? 'disabled' : 'enabled';
    },
    eraseOperator: (login, pseudonym, act) => eraseOperator(db, login, pseudonym, act),
    countAddresses: (before) => countAddresses(db, before),
    removeAddresses: (before, act) => removeAddresses(db, before, act),
    foundAt: (kennitala) => foundAt(db, kennitala),
  };
}

async function foundAt(db: Db, kennitala: string): Promise<readonly FoundAt[]> {
  const written = writtenPattern(kennitala);
  const places: FoundAt[] = [];
  for (const [place, columns] of Object.entries(PLACES)) {
    const named = join(
      columns.map((column) => sql`${raw(`"${column}"`)} ~ ${written}`),
      ' OR ',
    );
    const [row] = await db.rows<{ rows: number }>(
      sql`SELECT count(*)::int AS rows FROM ${raw(`"${place}"`)} WHERE ${named}`,
    );
    if (row && row.rows > 0) places.push({ place, rows: row.rows });
  }
  return places;
}

// Where people are in the database, by table and column. A test holds this against the database: a column of text that is new is named
// here, or there as one in which nobody can be.

/** Names, national ids or addresses of people in documents and records, or words that may quote them. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  document: ['counterparty_name', 'counterparty_kennitala', 'snapshot'],
  posting: ['journal', 'settlement', 'trace', 'reason_subject', 'reason_params', 'reason_sentence'],
  attempt: ['request', 'message'],
  write_back: ['message', 'answer'],
  original: ['reason_detail', 'source_name', 'erp_file_name'],
  incident: ['title', 'details', 'next_step', 'resolution', 'params', 'fingerprint'],
  notification: ['content', 'answer'],
  outbox: ['payload'],
  sweep: ['message'],
  reconciliation_run: ['report'],
  operation_run: ['selection', 'reason'],
  operation_item: ['message'],
  approval: ['asked', 'reason'],
  idempotency_key: ['response'],
  saved_view: ['name', 'query'],
  tenant: ['paused_reason'],
  outgoing_tenant: ['paused_reason'],
  certificate: ['summary', 'head'],
  submission: [
    ...[
      'reference',
      'place',
      'slot',
      'reason_subject',
      'reason_params',
      'content',
      'counterparty',
      'request',
    ],
    ...['uploads', 'agreed', 'conflicts', 'decided'],
  ],
  submission_attempt: ['request', 'message'],
  origin_inbox: ['key', 'reference', 'content'],
  origin_problem: ['place', 'problem'],
  audit_entry: ['subject', 'reason', 'details'],
  // Until the hour is over; then it is in the audit.
  act_tally: ['subject', 'details'],
};

/** Who signs in and acts: logins, users of the operating system, network addresses. */
export const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  dashboard_user: ['login', 'created_by', 'system_user', 'issuer', 'subject'],
  dashboard_session: ['browser', 'address'],
  sign_in_guess: ['name'],
  api_token: ['name', 'created_by', 'identity', 'revoked_by'],
  approval: ['identity', 'actor', 'decided_by'],
  tenant: ['plan_confirmed_by', 'paused_by'],
  outgoing_tenant: ['confirmed_by', 'paused_by'],
  incident: ['resolved_by'],
  operation_run: ['actor'],
  certificate: ['made_by'],
  audit_address: ['subject', 'address'],
  audit_entry: ['actor'],
  act_tally: ['actor'],
};
