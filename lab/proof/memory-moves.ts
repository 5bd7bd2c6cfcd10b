// Acts of people on postings, in memory, with the semantics of store/operations/posting-moves.ts: a worker who has claimed a posting
// keeps it, and one that had it finds a newer fence.
import { isHeldByOperator, isLegalMove, isUncertain, type PostingState } from '../../src/domain/posting.js';
import type { Act, Move } from '../../src/operations/records.js';
import { latestAttempt, type MemoryRecords, type PostingRow } from './memory-records.js';

export function moveAll(
  records: MemoryRecords,
  { actor }: Act,
  action: string,
  moves: readonly Move[],
): ReadonlySet<string> {
  const moved = moves.filter((move) => {
    const row = records.rows.get(move.postingId);
    if (!row || row.posting.state !== move.from || row.posting.fence !== move.fence) return false;
    if (records.isLeased(row)) return false;
    moveOne(records, row, move, `${action} by ${actor}`);
    return true;
  });
  return new Set(moved.map(({ postingId }) => postingId));
}

function moveOne(records: MemoryRecords, row: PostingRow, move: Move, action: string): void {
  const { posting } = row;
  const wasHeld = isHeldByOperator(posting);
  const holds = move.why?.code === 'HELD_BY_OPERATOR';
  const forgotten = holds && records.flaws.forgetHold === true;
  if (move.to !== null) {
    if (move.to !== posting.state && !isLegalMove(posting.state, move.to))
      records.violations.push(`illegal move ${posting.state} → ${move.to} (${action})`);
    noteMove(records, row, move.to);
    records.move(row, move.to, action);
    posting.reason = forgotten ? null : move.why;
  }
  if (holds) records.released.delete(posting.id);
  else if (wasHeld) records.released.add(posting.id);
  posting.fence++;
  posting.tries = 0;
  const dueInMs = forgotten ? 0 : move.dueInMs;
  row.dueAt = dueInMs === null ? null : records.kernel.nowMs + dueInMs;
}

/** What a person decides, as the specification has it: whoever replays what may have been sent says that it is surely absent. */
function noteMove({ kernel: { history } }: MemoryRecords, row: PostingRow, to: PostingState): void {
  const { guid, state } = row.posting;
  const attempt = latestAttempt(row);
  if (to === 'skipped') history.note('decide', { guid, key: '' });
  if (state === 'parked' && to === 'discovered' && attempt && isUncertain(attempt))
    history.note('sayAbsent', { guid, key: attempt.key });
  if (state === 'parked' && to === 'posting' && attempt && isUncertain(attempt))
    history.note('doubt', { guid, key: attempt.key });
  if (['parked', 'skipped', 'rejected'].includes(state) && !['skipped', 'parked'].includes(to))
    history.note('goOn', { guid, key: '' });
}

export function repost(
  records: MemoryRecords,
  row: PostingRow | undefined,
  key: string,
  generation: number,
): boolean {
  if (!row || records.isLeased(row) || row.posting.generation !== generation - 1) return false;
  if (row.posting.state !== 'reversed') return false;
  const { posting } = row;
  records.move(row, 'discovered', 'reposted');
  Object.assign(posting, {
    key: records.flaws.repostUnderSameKey ? posting.key : key,
    generation,
    fence: posting.fence + 1,
    tries: 0,
    reason: null,
    journal: null,
    settlement: null,
    reference: null,
    settlementReference: null,
  });
  row.keys.push(posting.key);
  row.acknowledgedAt = null;
  row.dueAt = records.kernel.nowMs;
  return true;
}
