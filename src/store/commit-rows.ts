// What a commit writes, as rows: one of the posting, and one of each thing that changes with it (commit-statement.ts reads them).
import type { ClaimedPosting, PostingChange } from '../sync/posting-records.js';
import { newId } from './ids.js';
import type { LongTexts } from './long-texts.js';
import { paramsText } from './reason-rows.js';
import { storable } from './storable.js';

/**
 * One document's move, as the statement reads it: a row of the posting, and one of each thing that changes with it. Its long texts go to
 * those of the statement.
 */
export function commitRows(
  number: number,
  actor: string,
  { posting, attempt, writeBack }: ClaimedPosting,
  said: PostingChange,
  long: LongTexts,
) {
  const change = storable(said);
  return {
    posting: postingRow(number, actor, posting, change, long),
    document: documentRow(number, change, long),
    attempt: attemptRow(number, attempt, change.attempt, long),
    writeBack: writeBackRow(number, writeBack, change.writeBack),
    audit: auditRows(number, posting.state, change),
  };
}

export type CommitRows = ReturnType<typeof commitRows>;

/** What is absent stays as it is. */
function postingRow(
  n: number,
  actor: string,
  posting: ClaimedPosting['posting'],
  change: PostingChange,
  long: LongTexts,
) {
  const { mapped, reference } = change;
  return {
    n,
    id: posting.id,
    old_state: posting.state,
    old_fence: posting.fence,
    actor,
    to_state: change.to,
    set_reason: change.reason !== undefined,
    reason: change.reason?.code,
    reason_subject: change.reason?.subject,
    reason_params: change.reason ? paramsText(change.reason.params) : undefined,
    tries: change.tries,
    set_due: change.dueInMs !== undefined,
    due_ms: change.dueInMs,
    release: change.release ?? false,
    judged_by: change.judgedBy,
    lease_ms: change.leaseMs,
    content_hash: change.document?.contentHash,
    wakes: change.wakeDependents ?? false,
    is_mapped: mapped && true,
    rules_version: mapped?.rulesVersion,
    journal: long.add(mapped?.journal),
    settlement: long.add(mapped?.settlement),
    trace: long.add(mapped?.trace),
    warnings: mapped?.warnings,
    document_no: mapped?.documentNo,
    posting_date: mapped?.postingDate,
    total_isk: mapped?.totalIsk,
    booked_ms: change.bookedMsAgo,
    part: reference?.part,
    reference: reference && JSON.stringify(reference.reference),
    erp_number:
      reference?.part === 'main' ? (reference.reference.number ?? reference.reference.id) : undefined,
  };
}

function documentRow(n: number, { document, sourceStatus }: PostingChange, long: LongTexts) {
  if (!document) return sourceStatus === undefined ? undefined : { n, status: sourceStatus };
  return {
    n,
    status: document.sourceStatus,
    snapshot: long.add(document.snapshot),
    content_hash: document.contentHash,
    number: document.number,
    amount: document.amount,
    currency: document.currency,
    issue_date: document.issueDate,
    name: document.counterpartyName,
    kennitala: document.counterpartyKennitala,
    refer_guid: document.referGuid,
  };
}

function attemptRow(
  n: number,
  attempt: ClaimedPosting['attempt'],
  change: PostingChange['attempt'],
  long: LongTexts,
) {
  switch (change?.act) {
    case undefined:
      return undefined;
    case 'begin':
      return {
        n,
        act: 'begin',
        id: newId(),
        part: change.part,
        key: change.key,
        request: long.add(change.request),
        send_by_ms: change.sendByMs,
      };
    case 'resend':
      return { n, act: 'resend', id: known(attempt).id, send_by_ms: change.sendByMs };
    case 'finish':
      return {
        n,
        act: 'finish',
        ...(change.reversal === undefined ? { id: known(attempt).id } : { key: change.reversal }),
        outcome: change.outcome,
        message: change.message,
        reference: change.reference ? JSON.stringify(change.reference) : undefined,
      };
  }
}

function writeBackRow(n: number, writeBack: ClaimedPosting['writeBack'], change: PostingChange['writeBack']) {
  if (!change) return undefined;
  if (change.act === 'decide' || change.act === 'told')
    return { n, act: change.act, id: newId(), wanted: change.wanted, message: change.message };
  const answer = 'answer' in change ? change.answer : undefined;
  return { n, act: change.act, id: known(writeBack).id, answer };
}

/** An entry for each move: a document that was booked before it was told has made two. */
function auditRows(n: number, from: string, change: PostingChange) {
  if (!isWorthAuditing(change)) return [];
  if (change.bookedMsAgo === undefined) return [auditRow(n, change, auditDetails(from, change))];
  const { to, ...facts } = auditDetails(from, change);
  return [
    auditRow(n, { action: 'posted' }, { ...facts, to: 'posted' }),
    auditRow(n, change, { from: 'posted', to }),
  ];
}

function auditRow(n: number, { action, why }: PostingChange, details: object) {
  return { n, action: `posting.${action}`, why, details: JSON.stringify(details) };
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

/** Not with spreads: on Node 20 each object would have a shape of its own. */
function auditDetails(from: string, change: PostingChange): Readonly<Record<string, unknown>> {
  const { to, reason, attempt, writeBack } = change;
  const details: Record<string, unknown> = {};
  if (to) Object.assign(details, { from, to });
  if (reason) Object.assign(details, { reason: reason.code, about: reason.subject });
  if (attempt?.act === 'finish') Object.assign(details, { outcome: attempt.outcome });
  if (writeBack && 'wanted' in writeBack) Object.assign(details, { wanted: writeBack.wanted });
  return Object.assign(details, change.details);
}
