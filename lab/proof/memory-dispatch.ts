// The handing out of work, in memory, with the semantics of store/turn-statements.ts: a turn for every tenant that may work and has
// something due. A side that failed is left alone, then one document goes first, and the rest follow if it works.
import type { BreakerSide } from '../../src/sync/posting-records.js';
import type { Round, Stage, Turn, TurnRecords } from '../../src/sync/turns.js';
import type { Kernel } from './kernel.js';
import type { Life } from './life.js';
import type { BreakerRow, MemoryRecords, PostingRow } from './memory-records.js';

const TO_FINISH = new Set(['posted', 'writing_back', 'skipped', 'rejected']);
const BEGUN = new Set(['mapped', 'posting']);
/** The source is asked at both stages, the ERP at one. */
const SIDES: Readonly<Record<Stage, readonly BreakerSide[]>> = {
  'write-back': ['source'],
  post: ['source', 'erp'],
};

/** Of all tenants of a bridge. */
export function memoryTurns(kernel: Kernel, all: readonly MemoryRecords[], life: Life): TurnRecords {
  return {
    turnsDue: async (round) => {
      await life.step(1);
      const turns = all.flatMap((records) => turnOf(records, round) ?? []);
      return inAnyOrder(kernel, turns);
    },
    rates: () => Promise.resolve(new Map()),
  };
}

function inAnyOrder(kernel: Kernel, turns: readonly Turn[]): Turn[] {
  const order: Turn[] = [];
  for (const turn of turns)
    order.splice(order.length === 0 ? 0 : kernel.between('whose turn is first', 0, order.length), 0, turn);
  return order;
}

function turnOf(records: MemoryRecords, { stage, perTenant, probeMs }: Round): Turn | null {
  const { nowMs } = records.kernel;
  if (records.isAtRest) return null;
  const troubled = troubledFor(records, stage);
  // A probe that was given back without having asked the side that it was to try holds nobody up any longer.
  const holds = ({ probe }: BreakerRow) => !probe || records.isLeased(probe);
  if (troubled.some((breaker) => breaker.openUntil > nowMs && holds(breaker))) return null;
  const due = dueFor(records, stage).length;
  if (due === 0) return null;
  const isProbe = troubled.length > 0;
  // Until the probe has answered, or is handed out again, nobody else goes.
  for (const breaker of troubled) Object.assign(breaker, { openUntil: nowMs + probeMs, probe: null });
  const share = isProbe ? 1 : records.flaws.ignoreShare ? due : Math.min(due, perTenant);
  return { stage, tenantName: records.company.name, share, isProbe };
}

/** The next documents of a turn: what is begun goes first; but a probe is for whoever waits longest. */
export function pickDue(records: MemoryRecords, { stage, isProbe }: Turn, most: number): PostingRow[] {
  if (records.isAtRest) return [];
  const troubled = troubledFor(records, stage);
  if (troubled.length > 0 && !isProbe) return [];
  const rank = ({ posting }: PostingRow) => (isProbe || BEGUN.has(posting.state) ? 0 : 1);
  const due = dueFor(records, stage).sort((a, b) => rank(a) - rank(b) || (a.dueAt ?? 0) - (b.dueAt ?? 0));
  const picked = due.slice(0, most);
  const [probe] = picked;
  if (isProbe && probe) for (const breaker of troubled) breaker.probe = probe;
  return picked;
}

function troubledFor(records: MemoryRecords, stage: Stage): BreakerRow[] {
  if (records.flaws.ignoreBreakers) return [];
  return SIDES[stage]
    .flatMap((side) => records.breakers.get(side) ?? [])
    .filter(({ state }) => state !== 'closed');
}

export function dueFor(records: MemoryRecords, stage: Stage): PostingRow[] {
  const now = records.kernel.nowMs;
  const due: PostingRow[] = [];
  for (const row of records.rows.values())
    if (
      row.dueAt !== null &&
      row.dueAt <= now &&
      TO_FINISH.has(row.posting.state) === (stage === 'write-back') &&
      (records.flaws.ignoreFence === true || !records.isLeased(row))
    )
      due.push(row);
  return due;
}
