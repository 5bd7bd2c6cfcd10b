// What operators' acts need of the records, in memory, with the semantics of store/operations: compare-and-set on (state, fence)
// that also wants the lease to be free. What no act of the simulation asks for is not here.
import type { TenantName } from '../../src/domain/ids.js';
import type { OperationRecords } from '../../src/operations/records.js';
import type { ReplayFacts } from '../../src/operations/replay-verdict.js';
import { isHeldByOperator, isUncertain } from '../../src/domain/posting.js';
import { isReversalOf } from '../../src/domain/posting-key.js';
import type { Life } from './life.js';
import { latestAttempt, type MemoryRecords, type PostingRow } from './memory-records.js';
import { membershipOf } from './memory-summary-store.js';
import { moveAll, repost } from './memory-moves.js';
import { memoryRuns, type UsedRunRecords } from './memory-runs.js';

type UsedActRecords = Pick<
  OperationRecords,
  'replayFacts' | 'reversals' | 'moveAll' | 'repost' | 'takeEntry' | 'giveEntryBack' | 'holderOf'
>;
/** Whoever claims a document asks only whose it is. */
interface UsedStory {
  story(postingId: string): Promise<{ readonly row: { readonly tenantName: TenantName } } | null>;
}
export type UsedRecords = UsedActRecords & UsedRunRecords & UsedStory;

export function memoryOperations(records: MemoryRecords, life: Life): UsedRecords {
  const { kernel } = records;
  return {
    ...memoryRuns(records, life),
    story: async (postingId) => {
      await life.step(1);
      const row = records.rows.get(postingId);
      return row ? { row: { tenantName: row.posting.tenantName } } : null;
    },
    replayFacts: async (postingIds) => {
      await life.step(kernel.between('facts take', 1, 4));
      const facts = postingIds.flatMap((id) => factsOf(records, records.rows.get(id)) ?? []);
      await life.step(1);
      return facts;
    },
    reversals: async (postingId) => {
      await life.step(1);
      if (records.flaws.hideReversals) return [];
      const attempts = records.rows.get(postingId)?.attempts ?? [];
      return attempts
        .filter(({ part }) => part === 'reversal')
        .map((attempt) => records.toAttempt(attempt))
        .reverse();
    },
    takeEntry: async (_tenant, { id }, postingId, forMs) => {
      await life.step(1);
      const held = records.entryLeases.get(id);
      if (held && held.postingId !== postingId && held.until >= kernel.nowMs) return false;
      records.entryLeases.set(id, { postingId, until: kernel.nowMs + forMs });
      return true;
    },
    giveEntryBack: async (_tenant, { id }, postingId) => {
      await life.step(1);
      if (records.entryLeases.get(id)?.postingId === postingId) records.entryLeases.delete(id);
    },
    holderOf: async (_tenant, { id }, besides) => {
      await life.step(1);
      const holder = [...records.rows.values()].find(
        ({ posting }) =>
          posting.reference?.id === id && posting.state !== 'reversed' && posting.id !== besides,
      );
      return holder?.posting.id ?? null;
    },
    moveAll: async (act, action, moves) => {
      await life.step(kernel.between('a move takes', 1, 4));
      const moved = moveAll(records, act, action, moves);
      await life.step(1);
      return moved;
    },
    repost: async (_act, postingId, key, generation) => {
      await life.step(kernel.between('a repost takes', 1, 4));
      const done = repost(records, records.rows.get(postingId), key, generation);
      await life.step(1);
      return done;
    },
  };
}

function factsOf(records: MemoryRecords, row: PostingRow | undefined): ReplayFacts | null {
  if (!row) return null;
  const now = records.kernel.nowMs;
  const { posting, dueAt, sourceStatus } = row;
  const { id: postingId, tenantName, kind, state, fence } = posting;
  const attempt = latestAttempt(row);
  const written = row.writeBacks.at(-1);
  const isOpen = (side: 'source' | 'erp') => {
    const breaker = records.breakers.get(side);
    return breaker !== undefined && breaker.state !== 'closed' && breaker.openUntil > now;
  };
  const mainPosted = posting.reference !== null;
  return {
    postingId,
    tenantName,
    kind,
    state,
    fence,
    reasonCode: posting.reason?.code ?? null,
    held: isHeldByOperator(posting),
    sourceStatus,
    leased: records.isLeased(row),
    due: dueAt !== null && dueAt <= now,
    blocked: isOpen('source') || (['discovered', 'mapped', 'posting'].includes(state) && isOpen('erp')),
    writeBackOpen: written?.state === 'pending' || written?.state === 'sent',
    lastWanted: written?.wanted ?? null,
    mainPosted,
    allPosted: mainPosted && (posting.settlement === null || posting.settlementReference !== null),
    attemptUncertain: attempt !== undefined && isUncertain(attempt),
    reversalBegun:
      !records.flaws.hideBegunReversals &&
      row.attempts.some(
        ({ part, key, outcome }) =>
          part === 'reversal' &&
          (outcome === 'posted' || isUncertain({ outcome })) &&
          isReversalOf(posting.key, key),
      ),
    inSummary: !mainPosted && membershipOf(records, row) !== undefined,
    lastSendAgeMs: attempt ? records.toAttempt(attempt).lastSendAgeMs : null,
  };
}
