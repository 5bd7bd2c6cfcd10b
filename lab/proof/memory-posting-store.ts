// The pipeline's records in memory, with the semantics of the PostgreSQL store: compare-and-set on (state, fence), legal moves
// only, one transaction per call. What a commit makes of a row is what the pure functions of sync/posting-records.ts return.
// Every call takes a little virtual time, and may be the last of its process.
import type { Guid } from '../../src/domain/ids.js';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import { isHeldByOperator, isLegalMove } from '../../src/domain/posting.js';
import {
  applyChange,
  type AttemptChange,
  changedAttempt,
  changedPosting,
  changedTimes,
  changedWriteBack,
  type ClaimedPosting,
  type PostingChange,
  type PostingStore,
  type WriteBackChange,
} from '../../src/sync/posting-records.js';
import type { Life } from './life.js';
import { memoryCreditNotes } from './memory-credit-notes.js';
import { bookedInvoice, bookedDocument } from './memory-release-store.js';
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
  // Refuses what is not on record, before anything changes.
  if (!records.flaws.forgetIntent && !records.flaws.ignoreFence) applyChange(claim, change);
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
  }
  if (change.action.startsWith('marked-posted')) row.isMarked = true;
  Object.assign(row, changedTimes(posting, row, change, { nowMs: kernel.nowMs, rulesVersion: null }));
  Object.assign(posting, changedPosting(posting, change));
  if (change.document) {
    row.sourceStatus = change.document.sourceStatus;
    row.day = change.document.issueDate;
    row.referGuid = change.document.referGuid;
  }
  if (change.sourceStatus !== undefined) row.sourceStatus = change.sourceStatus;
  if (change.attempt && !isForgotten) changeAttempts(records, row, change.attempt);
  if (change.writeBack) changeWriteBacks(records, row, change.writeBack);
  if (change.members) changeMembers(records, row, change.members);
  for (const incident of change.incidents ?? []) records.incidents.set(incident.fingerprint, incident);
  if (change.stopTenant !== undefined && !records.flaws.ignoreStop) {
    records.stoppedAt ??= kernel.nowMs;
    kernel.note(`the tenant is stopped: ${change.stopTenant}`);
  }
  if (change.wakeDependents) wakeDependents(records, posting.guid);
}

function wakeDependents({ rows, kernel }: MemoryRecords, guid: Guid): void {
  for (const other of rows.values())
    if (other.referGuid === guid && other.posting.state === 'deferred') other.dueAt = kernel.nowMs;
}

/** A commit changes the latest attempt to post, or the reversal that it names. */
function changeAttempts({ kernel }: MemoryRecords, row: PostingRow, change: AttemptChange): void {
  const { attempts, posting } = row;
  const { nowMs } = kernel;
  if (change.act === 'begin') {
    const number = attempts.length + 1;
    const attempt = changedAttempt(null, change, { attempt: { id: `${posting.id}-${number}`, number } });
    if (attempt) attempts.push({ ...attempt, startedAt: nowMs, lastSentAt: nowMs });
    return;
  }
  const reversal = change.act === 'finish' ? change.reversal : undefined;
  const named =
    reversal === undefined ? latestAttempt(row) : attempts.findLast(({ key }) => key === reversal);
  if (!named) return;
  Object.assign(named, changedAttempt(named, change));
  if (change.act === 'resend') named.lastSentAt = nowMs;
}

function changeWriteBacks({ kernel }: MemoryRecords, row: PostingRow, change: WriteBackChange): void {
  const { writeBacks, posting } = row;
  const latest = writeBacks.at(-1);
  const isNew = change.act === 'decide' || change.act === 'told';
  if (!isNew && !latest) return;
  const writeBackId = `${posting.id}-w${writeBacks.length + 1}`;
  const writeBack = changedWriteBack(latest ?? null, change, { writeBackId });
  if (!writeBack) return;
  const isDone = change.act === 'told' || change.act === 'acknowledged';
  const at = isDone ? kernel.nowMs : null;
  if (isNew) writeBacks.push({ ...writeBack, acknowledgedAt: at });
  else if (latest) Object.assign(latest, writeBack, isDone ? { acknowledgedAt: at } : {});
}
