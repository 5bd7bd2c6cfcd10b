// Originals of a simulated run, in memory, with the semantics of store/originals-store.ts: entries that want theirs are found by
// looking through the books, and a commit is a compare-and-set on the fence.
import { isLegalOriginalMove, isSettled } from '../../src/domain/original.js';
import { isSourceKind } from '../../src/domain/source-document.js';
import type { OriginalChange, OriginalRecord, OriginalRecords } from '../../src/sync/originals.js';
import type { AwaitedOriginals } from '../../src/sync/tenant-context.js';
import type { Life } from './life.js';
import type { MemoryRecords, OriginalRow, PostingRow } from './memory-records.js';

export const IN_BOOKS: ReadonlySet<string> = new Set(['posted', 'writing_back', 'acknowledged', 'orphaned']);

export function wantOriginals(records: MemoryRecords): void {
  for (const { posting } of records.rows.values()) {
    const { id, generation, reference, kind } = posting;
    if (!isSourceKind(kind) || !IN_BOOKS.has(posting.state) || reference === null) continue;
    if (originalsOf(records, id, generation).length > 0) continue;
    const role = kind === 'invoice' ? 'pdf' : 'file';
    add(records, posting, { role, reference });
  }
}

function add(
  records: MemoryRecords,
  posting: PostingRow['posting'],
  more: Pick<OriginalRow, 'role' | 'reference'> & Partial<OriginalRow>,
): void {
  const { id: postingId, generation, guid, documentNumber } = posting;
  const { kind } = posting;
  if (!isSourceKind(kind)) return;
  const id = `${postingId}-${String(generation)}-${more.role}`;
  if (records.originals.has(id)) return;
  records.originals.set(id, {
    ...{
      id,
      tenantName: records.company.name,
      postingId,
      generation,
      kind,
      guid,
      documentNo: documentNumber,
    },
    ...{ state: 'wanted', fence: 0, tries: 0, sha256: null, contentType: null, size: null },
    ...{ leaseUntil: 0, dueAt: records.kernel.nowMs, lastSentAt: null },
    ...more,
  });
}

export function originalsOf(records: MemoryRecords, postingId: string, generation: number): OriginalRow[] {
  return [...records.originals.values()].filter(
    (row) => row.postingId === postingId && row.generation === generation,
  );
}

export function areOpen(records: MemoryRecords, postingId: string, generation: number): boolean {
  const rows = originalsOf(records, postingId, generation);
  return rows.length === 0 || rows.some(({ state }) => !isSettled(state) || state === 'parked');
}

export function memoryAwaited(records: MemoryRecords, life: Life): AwaitedOriginals {
  return {
    areOpen: async (postingId, generation) => {
      await life.step(1);
      return !records.flaws.tellsWithoutOriginals && areOpen(records, postingId, generation);
    },
  };
}

export function claimOriginal(records: MemoryRecords, leaseMs: number): OriginalRecord | null {
  const { nowMs } = records.kernel;
  const due = [...records.originals.values()].find(
    (row) => row.dueAt !== null && row.dueAt <= nowMs && row.leaseUntil < nowMs,
  );
  if (!due) return null;
  due.fence++;
  due.leaseUntil = nowMs + leaseMs;
  const { leaseUntil: _lease, dueAt: _due, lastSentAt, ...record } = due;
  const sentAgoMs = lastSentAt === null ? null : nowMs - lastSentAt;
  return {
    ...record,
    // Longer ago than anything is on its way.
    sentAgoMs: records.flaws.forgetsAttaching && sentAgoMs !== null ? Number.MAX_SAFE_INTEGER : sentAgoMs,
    restoredAgoMs: records.restoredAt === null ? null : nowMs - records.restoredAt,
  };
}

export function memoryOriginals(records: MemoryRecords, life: Life): OriginalRecords {
  return {
    commit: async (claimed, change) => {
      await life.step(records.kernel.between('an original takes', 1, 6));
      const row = records.originals.get(claimed.id);
      if (row?.fence !== claimed.fence) return false;
      apply(records, row, change);
      await life.step(1);
      return true;
    },
  };
}

function apply(records: MemoryRecords, row: OriginalRow, change: OriginalChange): void {
  const { kernel } = records;
  const to = change.to ?? row.state;
  if (!isLegalOriginalMove(row.state, to))
    records.violations.push(`illegal move of an original: ${row.state} → ${to}`);
  if (to !== row.state) kernel.note(`original ${row.id} ${row.state} → ${to} (${change.reason?.code ?? ''})`);
  row.state = to;
  row.tries = change.tries ?? row.tries;
  const hurries = records.flaws.forgetsAttaching === true && to === 'unknown';
  row.dueAt = change.dueInMs === null ? null : kernel.nowMs + (hurries ? 0 : change.dueInMs);
  if (change.file) Object.assign(row, { sha256: change.file.sha256, contentType: change.file.contentType });
  if (change.sending) row.lastSentAt = kernel.nowMs;
  if (change.keep !== true) row.leaseUntil = 0;
  const posting = records.rows.get(row.postingId);
  if (posting && change.beside) addBeside(records, posting, row, change.beside);
  if (posting?.posting.reason?.code === 'ORIGINALS_AWAITED' && isSettled(to)) posting.dueAt = kernel.nowMs;
}

function addBeside(
  records: MemoryRecords,
  { posting }: PostingRow,
  { reference, generation }: OriginalRow,
  { role, file }: NonNullable<OriginalChange['beside']>,
): void {
  const dueAt = file ? records.kernel.nowMs : null;
  const state = file ? ('fetched' as const) : ('absent' as const);
  const about = { sha256: file?.sha256 ?? null, contentType: file?.contentType ?? null };
  add(records, { ...posting, generation }, { role, reference, state, dueAt, ...about });
}
