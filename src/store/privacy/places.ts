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
