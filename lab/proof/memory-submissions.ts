// Submissions in memory, with the semantics of store/submission-store.ts: compare-and-set on (state, fence), legal moves only, one
// transaction per call. Every call is a step of its process, and may be its last.
import { isLegalSubmissionMove } from '../../src/domain/submission.js';
import type { TargetRequest } from '../../src/service/invoicing-target.js';
import type { NewIncident } from '../../src/language/incidents/incident-text.js';
import type { FieldConflict } from '../../src/outbound/agree-fields.js';
import {
  changedSubmission,
  changedSubmissionTimes,
  wakesHeld,
} from '../../src/outbound/submission-commit.js';
import type {
  SubmissionChange,
  SubmissionRecord,
  SubmissionStore,
  Uploads,
} from '../../src/outbound/stage.js';
import type { Kernel } from './kernel.js';
import type { Life } from './life.js';

export interface SubmissionFlaws {
  /** Anybody may take what another has claimed, and write what an older claim decided. */
  readonly ignoreFence?: boolean;
  /** A commit is not held against the fence of a later claim. */
  readonly ignoreOldFence?: boolean;
  /** The intent is not on record before the request leaves. */
  readonly forgetIntent?: boolean;
  /** A restore is not on record. */
  readonly hideRestore?: boolean;
  /** It counts as long ago. */
  readonly restoredLongAgo?: boolean;
  /** What the two sides agreed upon is forgotten. */
  readonly forgetsAgreed?: boolean;
  /** Which files were uploaded is forgotten. */
  readonly forgetsUploads?: boolean;
  /** A record replaces the one whose reference it has, wherever it comes from. */
  readonly replacesTwins?: boolean;
  /** Nobody is told that a record has changed after it was sent. */
  readonly hidesLate?: boolean;
}

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

export interface SubmissionRow {
  record: Mutable<Omit<SubmissionRecord, 'sentAgoMs' | 'restoredAgoMs'>>;
  sentAt: number | null;
  dueAt: number | null;
  leaseUntil: number;
  /** Requests that may have left. */
  sends: number;
  /** Fields that both sides have changed. */
  conflicts: readonly FieldConflict[];
  /** Of the content, as a change is seen by. */
  hash: string;
  booked: 'origin' | 'bridge' | null;
  /** When it was last changed by anybody. */
  changedAt: number;
  /** As the store has them: which place of its origin it came from, and the key of the record that its reference belongs to. */
  slot: string | null;
  twinOf: string | null;
  /** Ids of files that were put on record, by hash and name. */
  uploaded: Readonly<Record<string, string>>;
}

export class MemorySubmissions {
  readonly kernel: Kernel;
  readonly flaws: SubmissionFlaws;
  rows = new Map<string, SubmissionRow>();
  /** How far each origin was looked at. */
  cursors = new Map<string, string>();
  /** Fingerprints of all that were ever opened. */
  readonly incidents = new Set<string>();
  readonly violations: string[] = [];
  /** Keys of records that a person let another one go in place of. */
  readonly replaced = new Set<string>();
  restoredAt: number | null = null;
  /** Somebody who wants to hear of every request that is made. */
  onIntent: ((record: SubmissionRow['record'], request: TargetRequest, life: Life) => void) | null = null;

  constructor(kernel: Kernel, flaws: SubmissionFlaws) {
    this.kernel = kernel;
    this.flaws = flaws;
  }

  /** As it is now, to be put back later. */
  backUp(): Pick<MemorySubmissions, 'rows' | 'cursors'> {
    const { rows, cursors } = this;
    return structuredClone({ rows, cursors });
  }

  restore(backup: Pick<MemorySubmissions, 'rows' | 'cursors'>): void {
    Object.assign(this, backup);
    this.restoredAt = this.kernel.nowMs;
    // What a person said was said of another history.
    for (const { record } of this.rows.values()) record.surelyAbsent = false;
  }

  add(
    record: Pick<SubmissionRecord, 'id' | 'origin' | 'kind' | 'reference' | 'key' | 'content'>,
  ): SubmissionRow {
    const row: SubmissionRow = {
      record: {
        ...record,
        ...{
          tenantName: 'prufa',
          place: 'orders.csv:2',
          state: 'received',
          reason: null,
          fence: 0,
          tries: 0,
          deaths: 0,
        },
        ...{ request: null, outcome: null, guid: null, number: null, paymentLink: null, surelyAbsent: false },
        ...{ agreed: null, decided: null, uploads: null, amount: null },
      },
      ...{ sentAt: null, dueAt: this.kernel.nowMs, leaseUntil: 0 },
      ...{ sends: 0, conflicts: [], hash: '', booked: null, changedAt: this.kernel.nowMs, uploaded: {} },
      ...{ slot: null, twinOf: null },
    };
    this.rows.set(record.key, row);
    return row;
  }

  isLeased(row: SubmissionRow): boolean {
    return row.leaseUntil >= this.kernel.nowMs && this.flaws.ignoreFence !== true;
  }

  #keepUploads(row: SubmissionRow, uploads: Uploads | null, before: Uploads | null): void {
    const { ids = {} } = uploads ?? {};
    for (const [file, id] of Object.entries(ids))
      if ((row.uploaded[file] ?? id) !== id)
        this.violations.push(`29: ${file} of ${row.record.reference} was uploaded again, and was on record`);
    row.uploaded = ids;
    if (this.flaws.forgetsUploads) row.record.uploads = before;
  }

  /** Whatever is sent must be on record as being sent. */
  isIntended(key: string): boolean {
    const record = this.rows.get(key)?.record;
    return record !== undefined && record.request !== null && record.state !== 'received';
  }

  claim(row: SubmissionRow, leaseMs: number): SubmissionRecord | null {
    const { nowMs } = this.kernel;
    if (this.isLeased(row) || row.dueAt === null || row.dueAt > nowMs) return null;
    row.record.fence++;
    if (row.leaseUntil > 0) {
      row.record.deaths++;
      this.kernel.note(`${row.record.kind} ${row.record.reference} was left claimed`);
    }
    row.leaseUntil = nowMs + leaseMs;
    return this.#shown(row);
  }

  #shown({ record, sentAt }: SubmissionRow): SubmissionRecord {
    const { nowMs } = this.kernel;
    const restoredAgoMs = this.restoredAt === null || this.flaws.hideRestore ? null : nowMs - this.restoredAt;
    return {
      ...record,
      agreed: this.flaws.forgetsAgreed ? null : record.agreed,
      sentAgoMs: sentAt === null ? null : nowMs - sentAt,
      restoredAgoMs:
        restoredAgoMs !== null && this.flaws.restoredLongAgo ? Number.MAX_SAFE_INTEGER : restoredAgoMs,
    };
  }

  store(life: Life): SubmissionStore {
    return {
      commit: async (claimed, change) => {
        await life.step(1);
        const row = this.rows.get(claimed.key);
        if (!row || !this.#may(row, claimed)) return false;
        this.#apply(row, change);
        if (change.begin) this.onIntent?.(row.record, change.begin, life);
        await life.step(1);
        return true;
      },
      cursor: async (_tenant, origin) => {
        await life.step(1);
        return this.cursors.get(origin) ?? null;
      },
      createdGuid: async (_tenant, key) => {
        await life.step(1);
        const record = this.rows.get(key)?.record;
        return record?.state === 'created' || record?.state === 'acknowledged' ? record.guid : null;
      },
      standing: async (_tenant, key) => {
        await life.step(1);
        const record = this.rows.get(key)?.record;
        return record ? { state: record.state, reason: record.reason, content: record.content } : null;
      },
      createdNumbers: async (_tenant, keys) => {
        await life.step(1);
        const numbered = keys.map((key) => [key, this.rows.get(key)?.record.number ?? ''] as const);
        return new Map(numbered.filter(([, number]) => number !== ''));
      },
    };
  }

  #may({ record }: SubmissionRow, claimed: SubmissionRecord): boolean {
    if (this.flaws.ignoreFence || this.flaws.ignoreOldFence || this.flaws.forgetIntent) return true;
    return record.fence === claimed.fence && record.state === claimed.state;
  }

  #apply(row: SubmissionRow, change: SubmissionChange): void {
    const { kernel, flaws } = this;
    const { record } = row;
    if (change.begin !== undefined && flaws.forgetIntent) return;
    const to = change.to ?? record.state;
    const isFlawed = flaws.ignoreFence ?? flaws.ignoreOldFence ?? flaws.forgetIntent ?? false;
    if (!isLegalSubmissionMove(record.state, to) && !isFlawed)
      this.violations.push(`illegal move of a submission: ${record.state} → ${to}`);
    if (to !== record.state)
      kernel.note(
        `${record.kind} ${record.reference} ${record.state} → ${to} (${change.reason?.code ?? change.action})`,
      );
    const uploadsBefore = record.uploads;
    Object.assign(row, changedSubmissionTimes(record, row, change, kernel.nowMs));
    Object.assign(record, changedSubmission(record, change));
    row.changedAt = kernel.nowMs;
    if (change.uploads !== undefined) this.#keepUploads(row, change.uploads, uploadsBefore);
    if (change.content !== undefined)
      kernel.note(`${record.kind} ${record.reference} is taken with its files as they are`);
    if (wakesHeld(record, change.to)) this.#wake();
    this.#keepBeside(row, change);
  }

  #keepBeside(row: SubmissionRow, { fields, awaits, incidents = [] }: SubmissionChange): void {
    if (fields) row.conflicts = fields.conflicts;
    if (awaits && !this.rows.has(awaits.key)) this.add({ ...awaits, id: awaits.key, origin: '' });
    for (const one of incidents) this.open(one);
  }

  open({ fingerprint }: NewIncident): void {
    this.incidents.add(fingerprint);
  }

  /** What waits for something is looked at when something was created. */
  #wake(): void {
    for (const row of this.rows.values()) if (row.record.state === 'held') row.dueAt = this.kernel.nowMs;
  }
}
