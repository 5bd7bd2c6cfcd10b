// The records in memory, with the semantics of the PostgreSQL store: compare-and-set on (state, fence), legal moves only,
// insert-or-ignore, one transaction per call. Every call takes a little virtual time, and may be the last of its process.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { isLegalMove, type PostingState } from '../../../src/domain/posting.js';
import type { ListedDocument } from '../../../src/invoicing/invoicing-source.js';
import type {
  AttemptChange,
  AttemptRecord,
  BreakerStore,
  ClaimedPosting,
  CursorRecord,
  IntakeStore,
  NewIncident,
  PostingChange,
  PostingRecord,
  PostingStore,
  WriteBackChange,
  WriteBackRecord,
} from '../../../src/pipeline/records.js';
import type { Kernel } from './kernel.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface PostingRow {
  posting: Mutable<PostingRecord>;
  stateSince: number;
  discoveredAt: number;
  leaseUntil: number;
  dueAt: number | null;
  referGuid: string;
  sourceStatus: string;
  attempts: (Mutable<AttemptRecord> & { startedAt: number; lastSentAt: number })[];
  writeBacks: (Mutable<WriteBackRecord> & { acknowledgedAt: number | null })[];
}

/** Guards that the mutation check takes away, one at a time. */
export interface StoreFlaws {
  readonly ignoreFence?: boolean;
  readonly forgetIntent?: boolean;
}

export class MemoryRecords {
  readonly rows = new Map<string, PostingRow>();
  readonly byKey = new Map<string, PostingRow>();
  readonly incidents = new Map<string, NewIncident>();
  readonly cursors = new Map<
    string,
    { fromDate: string; fullSweepDue: boolean; lastFullAt: number | null; version: number }
  >();
  readonly kernel: Kernel;
  readonly flaws: StoreFlaws;
  readonly violations: string[] = [];

  constructor(kernel: Kernel, flaws: StoreFlaws) {
    this.kernel = kernel;
    this.flaws = flaws;
  }

  due(): PostingRow[] {
    const now = this.kernel.nowMs;
    return [...this.rows.values()].filter(
      (row) => row.dueAt !== null && row.dueAt <= now && (row.leaseUntil < now || this.flaws.ignoreFence),
    );
  }

  toClaim(row: PostingRow): ClaimedPosting {
    const now = this.kernel.nowMs;
    const attempt = latestAttempt(row);
    const writeBack = row.writeBacks.at(-1);
    return {
      posting: { ...row.posting, stateAgeMs: now - row.stateSince, discoveredAgeMs: now - row.discoveredAt },
      attempt: attempt
        ? { ...attempt, ageMs: now - attempt.startedAt, lastSendAgeMs: now - attempt.lastSentAt }
        : null,
      writeBack: writeBack ? { ...writeBack } : null,
      lookUpFirst: false,
    };
  }
}

/** What lets one simulated process die: after it, its promises never resolve. */
export interface Life {
  step(ms: number): Promise<void>;
}

export function memoryPostingStore(records: MemoryRecords, life: Life): PostingStore {
  const { kernel } = records;
  const take = async (postingId: string, leaseMs: number, may: (row: PostingRow) => boolean) => {
    await life.step(kernel.between(1, 4));
    const row = records.rows.get(postingId);
    if (!row || !may(row) || (row.leaseUntil >= kernel.nowMs && !records.flaws.ignoreFence)) return null;
    row.posting.fence++;
    if (row.leaseUntil > 0) row.posting.tries++;
    row.leaseUntil = kernel.nowMs + leaseMs;
    const claim = records.toClaim(row);
    await life.step(1);
    return claim;
  };
  return {
    claim: (postingId, _owner, leaseMs) => take(postingId, leaseMs, () => true),
    claimDue: (postingId, _owner, leaseMs) =>
      take(postingId, leaseMs, ({ dueAt }) => dueAt !== null && dueAt <= kernel.nowMs),
    commit: async (claim, change) => {
      await life.step(kernel.between(1, 6));
      const row = records.rows.get(claim.posting.id);
      if (!row) throw new Error('no such posting');
      apply(records, row, claim, change);
      const next = records.toClaim(row);
      await life.step(1);
      return next;
    },
    creditNotesOf: async (_tenant, guid) => {
      await life.step(1);
      return [...records.rows.values()]
        .filter((row) => row.referGuid === guid)
        .map((row) => row.posting.guid);
    },
  };
}

function apply(records: MemoryRecords, row: PostingRow, claim: ClaimedPosting, change: PostingChange): void {
  const { kernel } = records;
  const { posting } = row;
  const lost =
    posting.fence !== claim.posting.fence ||
    posting.state !== claim.posting.state ||
    row.leaseUntil < kernel.nowMs;
  if (lost && !records.flaws.ignoreFence)
    throw new CodedError('LEASE_LOST', `lease on ${posting.id} lost before ${change.action}`);
  if (change.to && change.to !== posting.state) {
    if (!isLegalMove(posting.state, change.to) && !records.flaws.ignoreFence) {
      records.violations.push(`illegal move ${posting.state} → ${change.to} (${change.action})`);
      throw new Error('illegal move');
    }
    kernel.note(`${posting.key} ${posting.state} → ${change.to} (${change.action})`);
    posting.state = change.to;
    posting.held = false;
    row.stateSince = kernel.nowMs;
  }
  if (change.reason !== undefined) posting.reason = change.reason;
  if (change.tries !== undefined) posting.tries = change.tries;
  if (change.dueInMs !== undefined)
    row.dueAt = change.dueInMs === null ? null : kernel.nowMs + change.dueInMs;
  if (change.document) {
    posting.contentHash = change.document.contentHash;
    posting.documentNumber = change.document.number;
    row.sourceStatus = change.document.sourceStatus;
    row.referGuid = change.document.referGuid;
  }
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
  for (const incident of change.incidents ?? []) records.incidents.set(incident.fingerprint, incident);
  if (change.wakeDependents) {
    for (const other of records.rows.values()) {
      if (other.referGuid === posting.guid && other.posting.state === 'deferred') other.dueAt = kernel.nowMs;
    }
  }
  if (change.release) row.leaseUntil = 0;
  else if (change.leaseMs !== undefined) row.leaseUntil = kernel.nowMs + change.leaseMs;
}

function latestAttempt(row: PostingRow): PostingRow['attempts'][number] | undefined {
  return row.attempts.findLast(({ part }) => part !== 'reversal');
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
  if (change.act === 'decide') {
    const id = `${row.posting.id}-w${row.writeBacks.length + 1}`;
    row.writeBacks.push({
      id,
      wanted: change.wanted,
      message: change.message,
      state: 'pending',
      sends: 0,
      acknowledgedAt: null,
    });
  } else if (latest && change.act === 'sent') {
    latest.state = 'sent';
    latest.sends++;
  } else if (latest && change.act === 'acknowledged') {
    latest.state = 'acknowledged';
    latest.acknowledgedAt = records.kernel.nowMs;
  } else if (latest && change.act === 'abandoned') latest.state = 'abandoned';
}

export function memoryIntakeStore(records: MemoryRecords, life: Life): IntakeStore {
  const { kernel } = records;
  return {
    cursor: async (_tenant, kind): Promise<CursorRecord | null> => {
      await life.step(1);
      const cursor = records.cursors.get(kind);
      if (!cursor) return null;
      const { fromDate, fullSweepDue, lastFullAt } = cursor;
      return {
        fromDate,
        fullSweepDue,
        lastFullSweepAgeMs: lastFullAt === null ? null : kernel.nowMs - lastFullAt,
      };
    },
    beginSweep: async (_tenant, kind) => {
      await life.step(1);
      return { id: 'sweep', cursorVersion: versionOf(records, kind) };
    },
    recordListed: async (tenantName, documents, keyOf, listingAgeMs) => {
      await life.step(kernel.between(1, 5));
      let discovered = 0;
      let reopened = 0;
      for (const document of documents) {
        const key = keyOf(document, 0);
        const known = records.byKey.get(key);
        if (!known) {
          addRow(records, tenantName, document, key);
          discovered++;
        } else if (lookAtKnown(records, known, listingAgeMs)) reopened++;
      }
      await life.step(1);
      return { discovered, reopened, incidents: 0 };
    },
    finishSweep: async (begun, _tenant, kind, _report, next) => {
      await life.step(1);
      const before = records.cursors.get(kind);
      const version = (before?.version ?? 0) + 1;
      if (next) {
        const { fromDate, full } = next;
        const lastFullAt = full ? kernel.nowMs : (before?.lastFullAt ?? null);
        const answered = full && begun.cursorVersion === versionOf(records, kind);
        const fullSweepDue = next.fullSweepDue || (before?.fullSweepDue === true && !answered);
        records.cursors.set(kind, { fromDate, fullSweepDue, lastFullAt, version });
      } else if (before) records.cursors.set(kind, { ...before, fullSweepDue: true, version });
    },
    countWaiting: async (_tenant, kind) => {
      await life.step(1);
      return [...records.rows.values()].filter(
        (row) => row.posting.kind === kind && row.sourceStatus === 'Created',
      ).length;
    },
    openIncident: async (_tenant, incident) => {
      await life.step(1);
      records.incidents.set(incident.fingerprint, incident);
    },
  };
}

function versionOf(records: MemoryRecords, kind: string): string | null {
  return records.cursors.get(kind)?.version.toString() ?? null;
}

function addRow(records: MemoryRecords, tenantName: string, document: ListedDocument, key: string): void {
  const now = records.kernel.nowMs;
  const row: PostingRow = {
    posting: {
      id: `p${records.rows.size + 1}`,
      tenantName,
      kind: document.kind,
      guid: document.guid,
      documentNumber: document.number,
      key,
      generation: 0,
      state: 'discovered',
      reason: null,
      stateAgeMs: 0,
      discoveredAgeMs: 0,
      fence: 0,
      tries: 0,
      contentHash: null,
      rulesVersion: null,
      journal: null,
      settlement: null,
      reference: null,
      settlementReference: null,
      held: false,
    },
    stateSince: now,
    discoveredAt: now,
    leaseUntil: 0,
    dueAt: now,
    referGuid: '',
    sourceStatus: 'Created',
    attempts: [],
    writeBacks: [],
  };
  records.rows.set(row.posting.id, row);
  records.byKey.set(key, row);
}

/** What we wrote at the source is not contradicted by a list; only a reopening is, and that has moved the posting. */
const KEEPS_ITS_STATUS: readonly PostingState[] = ['acknowledged', 'reversed', 'skipped', 'rejected'];

function lookAtKnown(records: MemoryRecords, row: PostingRow, listingAgeMs: number): boolean {
  const { kernel } = records;
  const before = kernel.nowMs - listingAgeMs;
  const { posting } = row;
  if (posting.state === 'deferred' && row.stateSince < before) row.dueAt = kernel.nowMs;
  const decided = row.writeBacks.at(-1);
  const settledBefore =
    !decided ||
    decided.state === 'abandoned' ||
    (decided.acknowledgedAt !== null && decided.acknowledgedAt < before);
  const closed = posting.state === 'skipped' || posting.state === 'rejected';
  const reopened = closed && row.leaseUntil < kernel.nowMs && row.sourceStatus !== 'Created' && settledBefore;
  if (reopened) {
    kernel.note(`${posting.key} ${posting.state} → discovered (reopened)`);
    posting.state = 'discovered';
    posting.held = false;
    posting.reason = null;
    posting.tries = 0;
    row.stateSince = kernel.nowMs;
    row.dueAt = kernel.nowMs;
  }
  if (!KEEPS_ITS_STATUS.includes(posting.state)) row.sourceStatus = 'Created';
  return reopened;
}

/** The simulation has no breaker: it wants every fault to reach the protocol. */
export const NO_BREAKERS: BreakerStore = {
  succeeded: () => Promise.resolve(),
  failed: () => Promise.resolve(),
  refused: () => Promise.resolve(),
};
