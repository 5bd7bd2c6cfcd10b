// The pipeline's records in memory, with the semantics of the PostgreSQL store: compare-and-set on (state, fence), legal moves
// only, one transaction per call. Every call takes a little virtual time, and may be the last of its process.
import type { Guid } from '../../src/domain/ids.js';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import { isHeldByOperator, isLegalMove } from '../../src/domain/posting.js';
import type {
  AttemptChange,
  ClaimedPosting,
  PostingChange,
  PostingStore,
  WriteBackChange,
} from '../../src/pipeline/records.js';
import type { Life } from './life.js';
import { memoryCreditNotes } from './memory-credit-notes.js';
import { bookedInvoice } from './memory-payment-store.js';
import { bookedDocument } from './memory-release-store.js';
import { changeMembers, readyDocuments, refuseMoved, summaryMembers } from './memory-summary-store.js';
import { latestAttempt, type MemoryRecords, type PostingRow } from './memory-records.js';

export function memoryPostingStore(records: MemoryRecords, life: Life): PostingStore {
  const { kernel } = records;
  const take = async (postingId: string, leaseMs: number, may: (row: PostingRow) => boolean) => {
    await life.step(kernel.between('a claim takes', 1, 4));
    const row = records.rows.get(postingId);
    const isTaken =
      row !== undefined &&
      row.leaseUntil >= kernel.nowMs &&
      !records.flaws.ignoreFence &&
      !records.flaws.ignoreLease;
    if (!row || !may(row) || isTaken) return null;
    takeUp(records, row, leaseMs, life.worker);
    const claim = records.toClaim(row);
    await life.step(1);
    return claim;
  };
  return {
    claim: (postingId, _owner, leaseMs) => take(postingId, leaseMs, () => true),
    claimDue: (postingId, _owner, leaseMs) =>
      take(postingId, leaseMs, ({ dueAt }) => !records.isAtRest && dueAt !== null && dueAt <= kernel.nowMs),
    commit: async (claim, change) => {
      await life.step(kernel.between('a commit takes', 1, 6));
      const row = records.rows.get(claim.posting.id);
      if (!row) throw new Error('no such posting');
      apply(records, row, claim, change, life.worker ?? '');
      const next = records.toClaim(row);
      if (isUnheard(records, life)) {
        kernel.note(`the answer of a commit of ${row.posting.key} is lost`);
        throw new Error('the connection was lost before the answer');
      }
      await life.step(1);
      return next;
    },
    ...memoryCreditNotes(records, life),
    readyDocuments: async (_tenant, kind, day, limit) => {
      await life.step(1);
      return readyDocuments(records, kind, day, limit);
    },
    summaryMembers: async (summaryId) => {
      await life.step(1);
      return summaryMembers(records, summaryId);
    },
    bookedDocument: async (_tenant, kind, guid) => {
      await life.step(1);
      return bookedDocument(records, kind, guid);
    },
    hasToldError: async (postingId) => {
      await life.step(1);
      const writeBacks = records.rows.get(postingId)?.writeBacks ?? [];
      return writeBacks.some(
        ({ wanted, state }) => wanted === 'Error' && (state === 'sent' || state === 'acknowledged'),
      );
    },
    bookedInvoice: async (_tenant, guid) => {
      await life.step(1);
      return bookedInvoice(records, guid);
    },
  };
}

/** An act of a person ends with the error then, and they look. */
function isUnheard({ losesAnswers, kernel }: MemoryRecords, { isOperator }: Life): boolean {
  return losesAnswers && isOperator !== true && kernel.chance('the answer of a commit is lost', 0.01);
}

/** Claimed; what an earlier claim left unfinished uses up a try. */
export function takeUp({ kernel }: MemoryRecords, row: PostingRow, leaseMs: number, worker?: string): void {
  row.posting.fence++;
  if (row.leaseUntil > 0) {
    row.posting.tries++;
    kernel.note(`${row.posting.key} was left claimed`);
  }
  row.leaseUntil = kernel.nowMs + leaseMs;
  kernel.history.note('claim', row.posting, worker);
}

function apply(
  records: MemoryRecords,
  row: PostingRow,
  claim: ClaimedPosting,
  change: PostingChange,
  worker: string,
): void {
  const { kernel } = records;
  const { posting } = row;
  const lost =
    posting.fence !== claim.posting.fence ||
    posting.state !== claim.posting.state ||
    row.leaseUntil < kernel.nowMs;
  if (lost && !records.flaws.ignoreFence && !records.flaws.ignoreOldFence)
    throw new CodedError('LEASE_LOST', `lease on ${posting.id} lost before ${change.action}`);
  if (!records.flaws.forgetIntent && !records.flaws.ignoreFence) mustBeOnRecord(claim, change);
  refuseMoved(records, change.members);
  // What a person types in is a number that they see.
  const { reference: entry, action } = change;
  if (entry && !action.startsWith('marked-posted') && records.refusesNumberOf(`${posting.key} ${entry.part}`))
    throw new Error('the database refuses the number of the entry');
  const { attempt, ...unsent } = change;
  const isForgotten = records.flaws.forgetIntent === true && attempt?.act === 'begin';
  const sent = latestAttempt(row)?.key ?? null;
  kernel.history.noteCommit(posting, worker, isForgotten ? unsent : change, sent);
  // Whoever had it held may hear of that after this.
  if (change.to && change.to !== 'held' && isHeldByOperator(posting)) records.released.add(posting.id);
  if (change.to && change.to !== posting.state) {
    if (
      !isLegalMove(posting.state, change.to) &&
      !records.flaws.ignoreFence &&
      !records.flaws.ignoreOldFence
    ) {
      records.violations.push(`illegal move ${posting.state} → ${change.to} (${change.action})`);
      throw new Error('illegal move');
    }
    const { code = '', params } = change.reason ?? {};
    const status = code === 'WRITE_BACK_REFUSED' ? params?.['status'] : '';
    const why = [change.action, code, typeof status === 'string' ? status : ''];
    records.move(row, change.to, why.join(' ').trim());
    if (change.to === 'acknowledged') row.acknowledgedAt = kernel.nowMs;
  }
  if (change.action.startsWith('marked-posted')) row.isMarked = true;
  if (change.reason !== undefined) posting.reason = change.reason;
  if (change.tries !== undefined) posting.tries = change.tries;
  if (change.dueInMs !== undefined)
    row.dueAt = change.dueInMs === null ? null : kernel.nowMs + change.dueInMs;
  if (change.document) applyDocument(row, change.document);
  if (change.sourceStatus !== undefined) row.sourceStatus = change.sourceStatus;
  if (change.mapped) {
    posting.rulesVersion = change.mapped.rulesVersion;
    posting.journal = change.mapped.journal;
    posting.settlement = change.mapped.settlement;
  }
  if (change.reference?.part === 'main') posting.reference = change.reference.reference;
  if (change.reference?.part === 'settlement') posting.settlementReference = change.reference.reference;
  if (change.attempt) applyAttempt(records, row, change.attempt);
  if (change.writeBack) applyWriteBack(records, row, change.writeBack);
  if (change.members) changeMembers(records, row, change.members);
  for (const incident of change.incidents ?? []) records.incidents.set(incident.fingerprint, incident);
  if (change.stopTenant !== undefined && !records.flaws.ignoreStop) {
    records.stoppedAt ??= kernel.nowMs;
    kernel.note(`the tenant is stopped: ${change.stopTenant}`);
  }
  if (change.wakeDependents) wakeDependents(records, posting.guid);
  if (change.release) row.leaseUntil = 0;
  else if (change.leaseMs !== undefined) row.leaseUntil = kernel.nowMs + change.leaseMs;
}

/** As commit-rows.ts refuses it: only a reversal is found by its key alone. */
function mustBeOnRecord(claim: ClaimedPosting, { attempt, writeBack }: PostingChange): void {
  const ofAttempt =
    attempt?.act === 'resend' || (attempt?.act === 'finish' && attempt.reversal === undefined);
  const ofWriteBack = writeBack !== undefined && writeBack.act !== 'decide' && writeBack.act !== 'told';
  if ((ofAttempt && claim.attempt === null) || (ofWriteBack && claim.writeBack === null))
    throw new Error('There is no attempt or write-back on record that this could change.');
}

function applyDocument(row: PostingRow, document: NonNullable<PostingChange['document']>): void {
  row.posting.contentHash = document.contentHash;
  row.posting.documentNumber = document.number;
  row.sourceStatus = document.sourceStatus;
  row.day = document.issueDate;
  row.referGuid = document.referGuid;
}

function wakeDependents({ rows, kernel }: MemoryRecords, guid: Guid): void {
  for (const other of rows.values())
    if (other.referGuid === guid && other.posting.state === 'deferred') other.dueAt = kernel.nowMs;
}

function applyAttempt(records: MemoryRecords, row: PostingRow, change: AttemptChange): void {
  const now = records.kernel.nowMs;
  const reversal = change.act === 'finish' ? change.reversal : undefined;
  const latest =
    reversal === undefined ? latestAttempt(row) : row.attempts.findLast(({ key }) => key === reversal);
  if (change.act === 'begin') {
    if (records.flaws.forgetIntent) return;
    row.attempts.push({
      id: `${row.posting.id}-${row.attempts.length + 1}`,
      number: row.attempts.length + 1,
      part: change.part,
      key: change.key,
      request: change.request,
      sends: 1,
      ageMs: 0,
      lastSendAgeMs: 0,
      outcome: null,
      reference: null,
      startedAt: now,
      lastSentAt: now,
    });
  } else if (latest && change.act === 'resend') {
    latest.sends++;
    latest.lastSentAt = now;
    latest.outcome = null;
  } else if (latest && change.act === 'finish') {
    latest.outcome = change.outcome;
    if (change.reference) latest.reference = change.reference;
  }
}

function applyWriteBack(records: MemoryRecords, row: PostingRow, change: WriteBackChange): void {
  const latest = row.writeBacks.at(-1);
  if (change.act === 'decide' || change.act === 'told') {
    const isTold = change.act === 'told';
    const id = `${row.posting.id}-w${row.writeBacks.length + 1}`;
    row.writeBacks.push({
      id,
      wanted: change.wanted,
      message: change.message,
      state: isTold ? 'acknowledged' : 'pending',
      sends: isTold ? 1 : 0,
      acknowledgedAt: isTold ? records.kernel.nowMs : null,
    });
  } else if (latest && (change.act === 'sent' || change.act === 'answered')) {
    latest.state = 'sent';
    latest.sends++;
  } else if (latest && change.act === 'acknowledged') {
    latest.state = 'acknowledged';
    latest.acknowledgedAt = records.kernel.nowMs;
  } else if (latest && change.act === 'abandoned') latest.state = 'abandoned';
}
