// The handing out of work, in memory, with the semantics of store/turn-claims.ts: a turn for every tenant that may work and has
// something due. A side that failed is left alone, then one document goes first, and the rest follow if it works.
import type { BreakerSide, BreakerStore } from '../../src/sync/posting-records.js';
import type { Round, Stage, Turn, TurnRecords, TurnQueues, WakeUp } from '../../src/sync/turns.js';
import type { Kernel } from './kernel.js';
import type { Life, Mortal } from './life.js';
import { type BreakerRow, type MemoryRecords, type PostingRow, latestAttempt } from './memory-records.js';
import { isHeldByOperator, isLegalMove, isUncertain, type PostingState } from '../../src/domain/posting.js';
import type { Act, Move } from '../../src/operations/records.js';

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

// The queues of a simulated bridge: turns wait in line, whoever is free takes the next. They forget everything when their process is
// lost, bring some wake-ups twice, and nobody may mind.
interface Idle {
  readonly process: Mortal;
  readonly give: (wakeUp: WakeUp) => void;
}

export class MemoryQueues implements TurnQueues {
  readonly #kernel: Kernel;
  readonly #isFaulty: () => boolean;
  readonly #waiting: Record<Stage, WakeUp[]> = { post: [], 'write-back': [] };
  readonly #idle: Record<Stage, Idle[]> = { post: [], 'write-back': [] };
  /** Who hands out, and until when. */
  readonly #lead = { owner: '', until: 0 };

  constructor(kernel: Kernel, isFaulty: () => boolean) {
    this.#kernel = kernel;
    this.#isFaulty = isFaulty;
  }

  lead(owner: string, forMs: number): boolean {
    const { nowMs } = this.#kernel;
    if (this.#lead.owner !== owner && this.#lead.until >= nowMs) return false;
    Object.assign(this.#lead, { owner, until: nowMs + forMs });
    return true;
  }

  depth(stage: Stage): Promise<number> {
    return Promise.resolve(this.#waiting[stage].length);
  }

  add(stage: Stage, wakeUps: readonly WakeUp[]): Promise<void> {
    for (const wakeUp of wakeUps)
      for (let times = this.#times(); times > 0; times--) this.#waiting[stage].push(wakeUp);
    this.#serve(stage);
    return Promise.resolve();
  }

  /** The next one, for a process that lives to get it. */
  take(stage: Stage, process: Mortal): Promise<WakeUp> {
    return new Promise((give) => {
      this.#idle[stage].push({ process, give });
      this.#serve(stage);
    });
  }

  /** One loses a wake-up now and then, and brings others twice. */
  #times(): number {
    const isAstray = this.#isFaulty() && this.#kernel.chance('a wake-up goes astray', 0.05);
    return isAstray ? this.#kernel.pick('lost or twice', [0, 2]) : 1;
  }

  #serve(stage: Stage): void {
    const waiting = this.#waiting[stage];
    for (let idle = this.#idle[stage].shift(); idle; idle = this.#idle[stage].shift()) {
      if (idle.process.isDead()) continue;
      const wakeUp = waiting.shift();
      if (!wakeUp) {
        this.#idle[stage].unshift(idle);
        return;
      }
      idle.give(wakeUp);
    }
  }
}

// Breakers in memory, with the semantics of store/breaker-store.ts: a side that fails is left alone for a while.
const FAILURES_MAX = 5;
const OPEN_MS = 15_000;
const OPEN_MS_MAX = 600_000;
const REFUSED_PROBE_MS = 300_000;
const QUIET_MS = 2_000;

export function memoryBreakers(records: MemoryRecords, life: Life): BreakerStore {
  const { kernel, breakers } = records;
  const quietUntil = new Map<BreakerSide, number>();
  return {
    succeeded: async (_tenant, side) => {
      if ((quietUntil.get(side) ?? 0) > kernel.nowMs) return;
      await life.step(1);
      breakers.delete(side);
      quietUntil.set(side, kernel.nowMs + QUIET_MS);
    },
    failed: async (_tenant, side, _reason, retryAfterMs) => {
      await life.step(1);
      quietUntil.delete(side);
      breakers.set(side, afterFailure(breakers.get(side), kernel.nowMs, retryAfterMs ?? null));
    },
    refused: async (_tenant, side) => {
      await life.step(1);
      quietUntil.delete(side);
      const failures = (breakers.get(side)?.failures ?? 0) + 1;
      breakers.set(side, {
        state: 'refused',
        failures,
        openUntil: kernel.nowMs + REFUSED_PROBE_MS,
        probe: null,
      });
    },
  };
}

function afterFailure(before: BreakerRow | undefined, now: number, retryAfterMs: number | null): BreakerRow {
  const failures = (before?.failures ?? 0) + 1;
  const tooMany = failures >= FAILURES_MAX;
  const doubled = tooMany ? Math.min(OPEN_MS * 2 ** Math.min(failures - FAILURES_MAX, 10), OPEN_MS_MAX) : 0;
  const wait = Math.max(retryAfterMs ?? 0, doubled);
  const opens = tooMany || retryAfterMs !== null;
  const openUntil = opens ? Math.max(now + wait, before?.openUntil ?? 0) : (before?.openUntil ?? 0);
  const state = before?.state === 'refused' ? 'refused' : opens ? 'open' : (before?.state ?? 'closed');
  return { state, failures, openUntil, probe: null };
}

/** Refused credentials are not sent again by every tick. */
export function maySweep({ breakers, kernel }: MemoryRecords): boolean {
  const source = breakers.get('source');
  return source?.state !== 'refused' || source.openUntil <= kernel.nowMs;
}

// Acts of people on postings, in memory, with the semantics of store/operations/posting-moves.ts: a worker who has claimed a posting
// keeps it, and one that had it finds a newer fence.

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
