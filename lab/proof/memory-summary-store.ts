// Summaries and the documents in them, in memory, with the semantics of store/follow-up-store.ts and store/summary-members.ts.
import { CodedError } from '../../src/domain/errors/coded-error.js';
import type { Reason } from '../../src/domain/message.js';
import type { PostingState } from '../../src/domain/posting.js';
import type { SourceKind } from '../../src/domain/source-document.js';
import { readSummaryGuid, summaryGuid, type SummaryName } from '../../src/pipeline/mapping/make-journal.js';
import { FINISH_FIRST_MS } from '../../src/sync/back-off.js';
import { postingDate } from '../../src/sync/work.js';
import type {
  MembersChange,
  ReadyDocument,
  SummaryMember,
  SummaryStore,
} from '../../src/sync/follow-up-records.js';
import { isReadyForSummary } from '../../src/sync/examine.js';
import type { Life } from './life.js';
import { addRow } from './memory-intake-store.js';
import type { MemoryRecords, PostingRow } from './memory-records.js';

const GATHERING_MS = 30 * 60_000;

export function memorySummaryStore(records: MemoryRecords, life: Life): SummaryStore {
  const { kernel } = records;
  return {
    ready: async (_tenant, limit) => {
      await life.step(1);
      return readyDays(records).slice(0, limit);
    },
    begin: async (tenantName, summaries) => {
      await life.step(kernel.between('summaries take', 1, 5));
      for (const summary of summaries) {
        const guid = summaryGuid(summary);
        const known = records.byGuid.get(guid);
        if (!known) {
          const { key, number, day } = summary;
          Object.assign(addRow(records, tenantName, { kind: 'summary', guid, number }, key), {
            day,
            sourceStatus: '',
          });
          kernel.note(`summary ${guid} is begun`);
        } else if (known.posting.state === 'skipped' && !records.isLeased(known)) reopen(records, known);
      }
      await life.step(1);
      return summaries.length;
    },
  };
}

function reopen(records: MemoryRecords, row: PostingRow): void {
  records.kernel.history.note('goOn', { guid: row.posting.guid, key: '' });
  records.move(row, 'discovered', 'begun again');
  Object.assign(row.posting, { fence: row.posting.fence + 1, tries: 0, reason: null });
  row.dueAt = records.kernel.nowMs;
}

function readyDays(records: MemoryRecords): SummaryName[] {
  const rows = [...records.rows.values()];
  const days = new Map<string, { kind: SourceKind; day: string; since: number }>();
  for (const { posting, stateSince } of rows) {
    const { kind } = posting;
    if (!isReadyForSummary(posting) || (kind !== 'invoice' && kind !== 'cost')) continue;
    const day = postingDate(posting);
    const known = days.get(`${kind}.${day}`);
    days.set(`${kind}.${day}`, { kind, day, since: Math.min(known?.since ?? Infinity, stateSince) });
  }
  return [...days.values()].flatMap(({ kind, day, since }) => {
    const isAboutToBeRead = rows.some(
      ({ posting, dueAt }) =>
        posting.kind === kind &&
        posting.state === 'deferred' &&
        posting.reason?.code === 'AWAITS_SUMMARY' &&
        postingDate(posting) === day &&
        (dueAt ?? Infinity) < records.kernel.nowMs + 60_000,
    );
    if (isAboutToBeRead && since > records.kernel.nowMs - GATHERING_MS) return [];
    const last = summariesOf(rows, kind, day).at(-1);
    const serial = last ? readSummaryGuid(last.posting.guid).serial : 0;
    const isOver = ['acknowledged', 'skipped', ...(records.restoredAt === null ? ['parked'] : [])];
    if (last && !isOver.includes(last.posting.state)) return [];
    return [{ kind, day, serial: last?.posting.state === 'skipped' ? serial : serial + 1 }];
  });
}

export function summariesOf(rows: readonly PostingRow[], kind: SourceKind, day: string): PostingRow[] {
  const serial = ({ posting }: PostingRow) => readSummaryGuid(posting.guid).serial;
  return rows
    .filter(({ posting }) => posting.kind === 'summary' && posting.guid.startsWith(`${kind}.${day}.`))
    .sort((one, other) => serial(one) - serial(other));
}

export function readyDocuments(
  records: MemoryRecords,
  kind: SourceKind,
  day: string,
  limit: number,
): ReadyDocument[] {
  return [...records.rows.values()]
    .filter(
      (row) =>
        row.posting.kind === kind &&
        isReadyForSummary(row.posting) &&
        postingDate(row.posting) === day &&
        !records.isLeased(row),
    )
    .map((row) => ({ ...memberOf(row), fence: row.posting.fence }))
    .slice(0, limit);
}

function memberOf({ posting }: PostingRow): SummaryMember {
  const { id: postingId, kind, guid, documentNumber: number, key, journal } = posting;
  return { postingId, kind: kind === 'cost' ? 'cost' : 'invoice', guid, number, key, journal: journal ?? '' };
}

/** Of its present generation. */
export function membershipOf(records: MemoryRecords, { posting }: PostingRow) {
  return records.members.get(`${posting.id} ${String(posting.generation)}`);
}

export function membersOf(records: MemoryRecords, summaryId: string): PostingRow[] {
  return [...records.rows.values()].filter((row) => membershipOf(records, row)?.summaryId === summaryId);
}

export function summaryMembers(records: MemoryRecords, summaryId: string): SummaryMember[] {
  return membersOf(records, summaryId).map(memberOf);
}

/** Before anything else of the commit: nothing of it is done where one of them was moved. */
export function refuseMoved(records: MemoryRecords, change: MembersChange | undefined): void {
  if (change?.act !== 'take') return;
  for (const { postingId, fence } of change.documents) {
    const row = records.rows.get(postingId);
    const isThere =
      row && isReadyForSummary(row.posting) && row.posting.fence === fence && !records.isLeased(row);
    if (!isThere) throw new CodedError('SUMMARY_CHANGED', `${postingId} was moved`);
  }
}

export function changeMembers(records: MemoryRecords, summary: PostingRow, change: MembersChange): void {
  const taken = membersOf(records, summary.posting.id).filter(isUnderWay);
  switch (change.act) {
    case 'take':
      for (const { postingId } of takenOf(records, change.documents))
        take(records, summary, postingId, change.reason);
      return;
    case 'posted':
      for (const row of taken) post(records, row, change);
      return;
    case 'tell':
      for (const { posting } of taken) posting.reason = change.reason;
      return;
    case 'release':
      for (const { postingId, to, reason, dueInMs } of change.documents) {
        const row = records.rows.get(postingId);
        if (!row || !(taken.includes(row) || (isReadyForSummary(row.posting) && !records.isLeased(row))))
          continue;
        moveMember(records, row, to, 'released-from-summary', dueInMs);
        row.posting.reason = reason;
      }
      for (const [name, member] of records.members)
        if (member.summaryId === summary.posting.id) records.members.delete(name);
  }
}

/** All of them. */
function takenOf({ flaws }: MemoryRecords, documents: readonly ReadyDocument[]): readonly ReadyDocument[] {
  return flaws.forgetsMembers && documents.length > 1 ? documents.slice(1) : documents;
}

function isUnderWay({ posting }: PostingRow): boolean {
  return posting.state === 'posting' && posting.reference === null;
}

function take(records: MemoryRecords, summary: PostingRow, postingId: string, reason: Reason): void {
  const row = records.rows.get(postingId);
  if (!row) return;
  const { id: summaryId, key } = summary.posting;
  moveMember(records, row, 'posting', 'taken-into-summary', null);
  row.posting.reason = reason;
  records.everMembers.add(row.posting.guid);
  records.members.set(`${row.posting.id} ${String(row.posting.generation)}`, { summaryId, key });
}

function post(
  records: MemoryRecords,
  row: PostingRow,
  { reference, message }: Extract<MembersChange, { act: 'posted' }>,
): void {
  const isPaid = row.posting.settlement !== null;
  moveMember(records, row, isPaid ? 'posting' : 'posted', 'posted', isPaid ? 0 : FINISH_FIRST_MS);
  Object.assign(row.posting, { reference, reason: null });
  if (isPaid) return;
  const id = `${row.posting.id}-w${row.writeBacks.length + 1}`;
  const decided = {
    id,
    wanted: 'Posted',
    message,
    state: 'pending',
    sends: 0,
    acknowledgedAt: null,
  } as const;
  row.writeBacks.push({ ...decided });
}

function moveMember(
  records: MemoryRecords,
  row: PostingRow,
  to: PostingState,
  action: string,
  dueInMs: number | null,
): void {
  if (row.posting.state !== to) records.move(row, to, action);
  row.posting.fence++;
  row.posting.tries = 0;
  row.leaseUntil = 0;
  row.dueAt = dueInMs === null ? null : records.kernel.nowMs + dueInMs;
}
