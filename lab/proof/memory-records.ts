// The records of a simulated run, in memory: rows as PostgreSQL keeps them, and what every store on them shares.
import type { Guid } from '../../src/domain/ids.js';
import type { PostingState } from '../../src/domain/posting.js';
import type { GrantRow } from '../../src/service/grant-store.js';
import type { NewIncident } from '../../src/language/incidents/incident-text.js';
import type { OriginalRecord } from '../../src/sync/originals.js';
import type { BreakerSide } from '../../src/sync/posting-records.js';
import type {
  AttemptRecord,
  ClaimedPosting,
  PostingRecord,
  WriteBackRecord,
} from '../../src/sync/posting-records.js';
import type { ItemResult, TakenRun } from '../../src/operations/run-records.js';
import type { Kernel } from './kernel.js';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type AttemptRow = Mutable<AttemptRecord> & { startedAt: number; lastSentAt: number };

export interface PostingRow {
  posting: Mutable<PostingRecord>;
  stateSince: number;
  discoveredAt: number;
  acknowledgedAt: number | null;
  leaseUntil: number;
  dueAt: number | null;
  referGuid: Guid;
  /** Of a payment: on which it came in. */
  day: string;
  sourceStatus: string;
  lastSeenAt: number;
  attempts: AttemptRow[];
  writeBacks: (Mutable<WriteBackRecord> & { acknowledgedAt: number | null })[];
  /** Keys of all its generations, the present one last. */
  keys: string[];
  /** A person has said which entry stands for it. */
  isMarked?: boolean;
}

export type OriginalRow = Mutable<Omit<OriginalRecord, 'sentAgoMs' | 'restoredAgoMs'>> & {
  leaseUntil: number;
  dueAt: number | null;
  lastSentAt: number | null;
};

export interface BreakerRow {
  state: 'closed' | 'open' | 'refused';
  failures: number;
  openUntil: number;
  probe: PostingRow | null;
}

export interface RunRow extends Omit<TakenRun, 'ageMs'> {
  readonly createdAt: number;
  state: 'running' | 'done';
  leaseOwner: string | null;
  leaseUntil: number;
  readonly items: { readonly number: number; readonly postingId: string; outcome: string | null }[];
  readonly results: ItemResult[];
}

/** Guards that the mutation check takes away, one at a time. */
export interface StoreFlaws {
  readonly ignoreFence?: boolean;
  /** A commit is taken whatever was claimed since. */
  readonly ignoreOldFence?: boolean;
  /** A claim is given although somebody has one. */
  readonly ignoreLease?: boolean;
  readonly forgetIntent?: boolean;
  /** What an operator holds goes on all the same. */
  readonly forgetHold?: boolean;
  /** A list is believed whatever was written since it was read. */
  readonly ignoreListAge?: boolean;
  /** Whoever reverses again does not hear that it was tried before. */
  readonly hideReversals?: boolean;
  /** Whoever replays does not hear that a reversal of it was begun. */
  readonly hideBegunReversals?: boolean;
  /** An attempt to settle passes for one of the entry itself. */
  readonly confuseParts?: boolean;
  /** What was reversed is booked anew under the key that it had. */
  readonly repostUnderSameKey?: boolean;
  /** Work is handed out whatever the breakers say. */
  readonly ignoreBreakers?: boolean;
  /** A tenant that was stopped goes on. */
  readonly ignoreStop?: boolean;
  /** A tenant that was paused goes on. */
  readonly ignorePause?: boolean;
  /** Whoever has a claim tells the source, however long ago it was given. */
  readonly tellsLate?: boolean;
  /** What was on its way when the database was restored is not waited for. */
  readonly restoredLongAgo?: boolean;
  /** Whoever asks what was paid of an invoice hears of nothing. */
  readonly hidePayments?: boolean;
  /** A document is reversed as if nothing of it had been released. */
  readonly hideReleases?: boolean;
  /** One of the documents in the journal of a day does not go on record with it. */
  readonly forgetsMembers?: boolean;
  /** A document that is in the journal of its day does not know of it. */
  readonly hidesSummary?: boolean;
  /** Nobody says that the database was restored. */
  readonly hideRestore?: boolean;
  /** An original that may be on its way is not waited for. */
  readonly forgetsAttaching?: boolean;
  /** The source is told although the tenant wants its originals first. */
  readonly tellsWithoutOriginals?: boolean;
  /** A full sweep that was begun is not asked for again when its process dies. */
  readonly forgetBegunSweep?: boolean;
  /** An invoice that was cancelled is decided before all that was handed over is known. */
  readonly assumesAllSeen?: boolean;
  /** What a complete list does not show is not read. */
  readonly hideUnlisted?: boolean;
  /** Full sweeps do not come by themselves. */
  readonly sweptJustNow?: boolean;
  /** Nobody asks whose account the credentials open. */
  readonly ignoreAccount?: boolean;
  /** Everybody refreshes the tokens who finds them expired. */
  readonly ignoreGrantLease?: boolean;
  /** A turn is for all that a tenant has waiting. */
  readonly ignoreShare?: boolean;
}

/** Whose records they are: a tenant, and its account at the source. */
export interface Company {
  readonly name: string;
  readonly account: string;
}

export const PRUFA: Company = { name: 'prufa', account: '4504013150' };

export class MemoryRecords {
  rows = new Map<string, PostingRow>();
  byGuid = new Map<string, PostingRow>();
  originals = new Map<string, OriginalRow>();
  /** What becomes of originals: nobody carries them, they follow the entry, or the source is told only after them. */
  carries: 'nothing' | 'originals' | 'originals-first' = 'nothing';
  /** All that were ever opened. */
  readonly incidents = new Map<string, NewIncident>();
  readonly breakers = new Map<BreakerSide, BreakerRow>();
  runs: RunRow[] = [];
  /** Guid → how often a sweep took it for reopened. */
  reopenings = new Map<string, number>();
  cursors = new Map<
    string,
    { fromDate: string; fullSweepDue: boolean; lastFullAt: number | null; version: number }
  >();
  /** Those that were complete, the latest last. */
  fullSweeps: { readonly kind: string; readonly begunAt: number; readonly finishedAt: number }[] = [];
  /** Posting and generation → the summary that it is in. */
  members = new Map<string, { readonly summaryId: string; readonly key: string }>();
  /** Guids of documents that were ever in one. */
  readonly everMembers = new Set<string>();
  /** The documents of a day are one journal. */
  summarises = false;
  /** Income is released in the month of its delivery. */
  spreads = false;
  /** The numbers of some entries are none that it can keep. */
  refusesNumbers = false;
  /** Now and then a commit happens, and whoever made it does not hear of it. */
  losesAnswers = false;
  /** Key of a part → whether the number of its entry is refused. */
  readonly #refused = new Map<string, boolean>();
  paymentCursor: { fromDate: string | null; begunAt: number; seenUntil: string | null } | null = null;
  /** Id of an entry → the document that is being marked with it. */
  readonly entryLeases = new Map<string, { readonly postingId: string; readonly until: number }>();
  /** Of an account that signs in with tokens. */
  grant: Mutable<GrantRow> | null = null;
  /** Ids of postings whose hold somebody has ended, until it is asked about. */
  readonly released = new Set<string>();
  /** When the bridge stopped the tenant, because somebody else books its documents. */
  stoppedAt: number | null = null;
  /** When somebody paused it, and when it went on. */
  pausedAt: number | null = null;
  resumedAt: number | null = null;
  /** When it was restored from a backup. */
  restoredAt: number | null = null;
  readonly kernel: Kernel;
  readonly flaws: StoreFlaws;
  readonly violations: string[] = [];

  readonly company: Company;

  constructor(kernel: Kernel, flaws: StoreFlaws, company: Company = PRUFA) {
    this.kernel = kernel;
    this.flaws = flaws;
    this.company = company;
  }

  /** Nothing of it is taken up. */
  get isAtRest(): boolean {
    return this.stoppedAt !== null || (this.pausedAt !== null && !this.flaws.ignorePause);
  }

  isLeased({ leaseUntil }: PostingRow): boolean {
    return leaseUntil >= this.kernel.nowMs;
  }

  move(row: PostingRow, to: PostingState, action: string): void {
    this.kernel.note(`${row.posting.key} ${row.posting.state} → ${to} (${action})`);
    row.posting.state = to;
    row.stateSince = this.kernel.nowMs;
  }

  toClaim(row: PostingRow): ClaimedPosting {
    const now = this.kernel.nowMs;
    const attempt = latestAttempt(row);
    const writeBack = row.writeBacks.at(-1);
    const summary = this.flaws.hidesSummary
      ? undefined
      : this.members.get(`${row.posting.id} ${String(row.posting.generation)}`);
    return {
      posting: { ...row.posting, stateAgeMs: now - row.stateSince, discoveredAgeMs: now - row.discoveredAt },
      attempt: attempt ? { ...this.toAttempt(attempt), ...this.#confused(row, attempt) } : null,
      writeBack: writeBack ? { ...writeBack } : null,
      ...(summary ? { summary: { postingId: summary.summaryId, key: summary.key } } : {}),
      restoredAgeMs: this.#restoredAgeMs(),
    };
  }

  #restoredAgeMs(): number | null {
    if (this.restoredAt === null || this.flaws.hideRestore) return null;
    return this.kernel.nowMs - this.restoredAt + (this.flaws.restoredLongAgo ? 86_400_000 : 0);
  }

  /** As it is now, to be put back later. */
  backUp(): Backup {
    const { rows, byGuid, cursors, fullSweeps, paymentCursor, runs, reopenings, originals, members, grant } =
      this;
    this.kernel.history.mark('backup');
    return structuredClone({
      rows,
      byGuid,
      cursors,
      fullSweeps,
      paymentCursor,
      runs,
      reopenings,
      originals,
      members,
      grant,
    });
  }

  /** Nothing runs meanwhile, and somebody says so afterwards (`db restored`). */
  restore(backup: Backup): void {
    Object.assign(this, backup);
    this.breakers.clear();
    this.restoredAt = this.kernel.nowMs;
    this.kernel.history.mark('restore');
    for (const cursor of this.cursors.values()) cursor.fullSweepDue = true;
  }

  refusesNumberOf(key: string): boolean {
    if (!this.refusesNumbers) return false;
    const known = this.#refused.get(key);
    if (known !== undefined) return known;
    const isRefused = this.kernel.chance('the database refuses the number of an entry', 0.08);
    this.#refused.set(key, isRefused);
    if (isRefused) this.kernel.note(`the database refuses the number of ${key}`);
    return isRefused;
  }

  hasRefused(key: string): boolean {
    return this.#refused.get(key) === true;
  }

  toAttempt(attempt: AttemptRow): AttemptRecord {
    const now = this.kernel.nowMs;
    const ageMs = now - attempt.startedAt;
    const restoredAgeMs = this.#restoredAgeMs() ?? Infinity;
    // What was begun before a restore may have been sent again until then, by a history that is lost.
    const lostMs = ageMs >= restoredAgeMs ? restoredAgeMs : Infinity;
    return { ...attempt, ageMs, lastSendAgeMs: Math.min(now - attempt.lastSentAt, lostMs) };
  }

  #confused({ posting: { key } }: PostingRow, { part }: AttemptRow): Partial<AttemptRecord> {
    return this.flaws.confuseParts && part === 'settlement' ? { part: 'main', key } : {};
  }
}

export type Backup = Pick<
  MemoryRecords,
  | 'rows'
  | 'byGuid'
  | 'cursors'
  | 'fullSweeps'
  | 'paymentCursor'
  | 'runs'
  | 'reopenings'
  | 'originals'
  | 'members'
  | 'grant'
>;

/** Never a reversal: that would hide whether what it follows has arrived. */
export function latestAttempt(row: PostingRow): AttemptRow | undefined {
  return row.attempts.findLast(({ part }) => part !== 'reversal');
}
