// Which credit notes are on record, and whether there may be others, with the semantics of the PostgreSQL store.
import type { ListedDocument } from '../../src/service/invoicing-source.js';
import type { PostingStore } from '../../src/sync/posting-records.js';
import type { Life } from './life.js';
import type { MemoryRecords } from './memory-records.js';

export function memoryCreditNotes(
  records: MemoryRecords,
  life: Life,
): Pick<PostingStore, 'creditNotesOf' | 'hasSeenAllInvoices'> {
  return {
    creditNotesOf: async (_tenant, guid, limit) => {
      await life.step(1);
      return [...records.rows.values()]
        .filter(
          (row) => row.posting.kind === 'invoice' && row.referGuid === guid && row.sourceStatus !== 'gone',
        )
        .map((row) => row.posting.guid)
        .slice(-limit);
    },
    hasSeenAllInvoices: async (postingId) => {
      await life.step(1);
      const since = records.rows.get(postingId)?.stateSince ?? Infinity;
      return hasSeenAllInvoices(records, since);
    },
  };
}

function hasSeenAllInvoices({ rows, fullSweeps, flaws }: MemoryRecords, since: number): boolean {
  if (flaws.assumesAllSeen) return true;
  return fullSweeps.some(
    ({ kind, begunAt, finishedAt }) =>
      kind === 'invoice' &&
      begunAt >= since &&
      ![...rows.values()].some(
        ({ posting, discoveredAt }) =>
          posting.kind === 'invoice' &&
          posting.state === 'discovered' &&
          posting.contentHash === null &&
          discoveredAt <= finishedAt,
      ),
  );
}

/** With the semantics of store/intake-store.ts. */
export function wakeCancelled({ byGuid, kernel }: MemoryRecords, found: readonly ListedDocument[]): void {
  for (const { referGuid = '' } of found) {
    const original = byGuid.get(referGuid);
    const { state, reason } = original?.posting ?? {};
    if (!original || (state !== 'deferred' && state !== 'held')) continue;
    if (reason?.code === 'WAIT_FOR_CREDIT_NOTE' || reason?.code === 'CANCELLED')
      original.dueAt = kernel.nowMs;
  }
}
