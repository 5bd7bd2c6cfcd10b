// What sweeps find, in memory, with the semantics of the PostgreSQL store: insert or ignore, and a known document begins anew
// only when a person reopened it.
import type { Guid, TenantName } from '../../src/domain/ids.js';
import type { NewIncident } from '../../src/language/incidents/incident-text.js';
import type { BegunSweep, CursorRecord, IntakeStore, SweepReport } from '../../src/sync/intake-records.js';
import type { PostingRecord } from '../../src/sync/posting-records.js';
import { isHeldByOperator, isUncertain, type PostingState } from '../../src/domain/posting.js';
import type { ListedDocument } from '../../src/service/invoicing-source.js';
import type { Life } from './life.js';
import { wakeCancelled } from './memory-credit-notes.js';
import type { MemoryRecords, PostingRow } from './memory-records.js';

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
        lastFullSweepAgeMs:
          lastFullAt === null ? null : records.flaws.sweptJustNow ? 0 : kernel.nowMs - lastFullAt,
      };
    },
    beginSweep: async (_tenant, kind, mode) => {
      await life.step(1);
      const cursor = records.cursors.get(kind);
      if (cursor && mode === 'full' && !records.flaws.forgetBegunSweep)
        records.cursors.set(kind, { ...cursor, fullSweepDue: true, version: cursor.version + 1 });
      return { id: String(kernel.nowMs), cursorVersion: versionOf(records, kind) };
    },
    recordListed: async (tenantName, documents, keyOf, listingAgeMs) => {
      await life.step(kernel.between('recording takes', 1, 5));
      const recorded = documents.map((document) =>
        recordOne(records, tenantName, document, keyOf, listingAgeMs),
      );
      const isNew = (_document: ListedDocument, index: number) => recorded[index] === 'new';
      wakeCancelled(records, documents.filter(isNew));
      await life.step(1);
      const many = (what: Listed) => recorded.filter((one) => one === what).length;
      return {
        discovered: many('new'),
        reopened: many('reopened'),
        contradicted: many('contradicted'),
        incidents: 0,
      };
    },
    finishSweep: async (begun, _tenant, kind, report, next) => {
      await life.step(1);
      finishSweep(records, { begun, kind, report, next });
    },
    moment: () => Promise.resolve(String(kernel.nowMs)),
    countWaiting: (_tenant, kind, since) => counted(records, life, kind, since),
    unlisted: async (begun, _tenant, kind, limit) => {
      await life.step(1);
      return records.flaws.hideUnlisted ? [] : unseen(records, Number(begun.id), kind).slice(0, limit);
    },
    recordReadAgain: async (begun, _tenant, kind, read) => {
      await life.step(1);
      const guids = new Set(unseen(records, Number(begun.id), kind));
      for (const { guid, status } of read) {
        const row = records.byGuid.get(guid);
        if (row && guids.has(guid)) readAgain(records, row, status);
      }
    },
    openIncident: async (_tenant, incident) => {
      await life.step(1);
      records.incidents.set(incident.fingerprint, incident);
    },
  };
}

interface Finished {
  readonly begun: BegunSweep;
  readonly kind: string;
  readonly report: SweepReport;
  readonly next: Parameters<IntakeStore['finishSweep']>[4];
}

function finishSweep(
  records: MemoryRecords,
  { begun, kind, report: { mode, outcome }, next }: Finished,
): void {
  const { kernel } = records;
  if (mode === 'full' && outcome === 'complete')
    records.fullSweeps.push({ kind, begunAt: Number(begun.id), finishedAt: kernel.nowMs });
  const before = records.cursors.get(kind);
  const version = (before?.version ?? 0) + 1;
  if (next) {
    const { fromDate, full } = next;
    const lastFullAt = full ? kernel.nowMs : (before?.lastFullAt ?? null);
    const answered = full && begun.cursorVersion === versionOf(records, kind);
    const fullSweepDue = next.fullSweepDue || (before?.fullSweepDue === true && !answered);
    records.cursors.set(kind, { fromDate, fullSweepDue, lastFullAt, version });
  } else if (before) records.cursors.set(kind, { ...before, fullSweepDue: true, version });
}

type Listed = 'new' | 'known' | 'reopened' | 'contradicted';

function recordOne(
  records: MemoryRecords,
  tenantName: TenantName,
  document: ListedDocument,
  keyOf: (document: ListedDocument, generation: number) => string,
  listingAgeMs: number,
): Listed {
  const known = records.byGuid.get(document.guid);
  if (!known) {
    addRow(records, tenantName, document, keyOf(document, 0));
    return 'new';
  }
  if (lookAtKnown(records, known, listingAgeMs)) return 'reopened';
  const isOlder = known.stateSince < records.kernel.nowMs - listingAgeMs;
  return known.sourceStatus !== 'Created' && isOlder ? 'contradicted' : 'known';
}

/** With the semantics of store/intake-store.ts. */
function unseen(records: MemoryRecords, since: number, kind: string): string[] {
  return [...records.rows.values()]
    .filter(
      (row) =>
        row.posting.kind === kind &&
        row.sourceStatus === 'Created' &&
        row.lastSeenAt < since &&
        ['held', 'deferred', 'parked'].includes(row.posting.state) &&
        !records.isLeased(row),
    )
    .map(({ posting }) => posting.guid);
}

function readAgain(records: MemoryRecords, row: PostingRow, status: string): void {
  const { posting } = row;
  row.sourceStatus = status;
  row.lastSeenAt = records.kernel.nowMs;
  if (status === 'Created') return;
  if (posting.state !== 'parked') {
    if (!isHeldByOperator(posting)) row.dueAt = records.kernel.nowMs;
    return;
  }
  if (status !== 'gone') return;
  const sent = row.attempts.filter(({ part }) => part !== 'reversal');
  const wasSent = sent.some((attempt) => isUncertain(attempt) || attempt.outcome === 'posted');
  const mayBeInBooks = wasSent || records.restoredAt !== null;
  if (posting.reference !== null || mayBeInBooks) {
    const alarm = { ...postedReopened(posting.id), code: 'PARKED_AND_GONE' as const };
    records.incidents.set(`PARKED_AND_GONE:${posting.id}`, {
      ...alarm,
      fingerprint: `PARKED_AND_GONE:${posting.id}`,
    });
    return;
  }
  records.kernel.history.note('decide', { guid: posting.guid, key: '' });
  records.move(row, 'skipped', 'source-deleted SOURCE_DELETED');
  posting.fence++;
  posting.tries = 0;
  posting.reason = { code: 'SOURCE_DELETED', params: {}, subject: '' };
  row.dueAt = null;
}

/** Reading the clock was no step of its own: whatever may happen in between happens just as well before this. */
async function counted({ rows }: MemoryRecords, life: Life, kind: string, since = '0'): Promise<number> {
  await life.step(1);
  return [...rows.values()].filter(
    (row) => row.posting.kind === kind && row.sourceStatus === 'Created' && row.lastSeenAt >= Number(since),
  ).length;
}

function versionOf(records: MemoryRecords, kind: string): string | null {
  return records.cursors.get(kind)?.version.toString() ?? null;
}

type AddedDocument = Pick<PostingRecord, 'kind' | 'guid'> & {
  readonly number: string;
  readonly referGuid?: Guid;
};

export function addRow(
  records: MemoryRecords,
  tenantName: TenantName,
  document: AddedDocument,
  key: string,
): PostingRow {
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
    },
    stateSince: now,
    discoveredAt: now,
    acknowledgedAt: null,
    leaseUntil: 0,
    dueAt: now,
    referGuid: document.referGuid ?? '',
    day: '',
    sourceStatus: 'Created',
    lastSeenAt: now,
    attempts: [],
    writeBacks: [],
    keys: [key],
  };
  records.rows.set(row.posting.id, row);
  records.byGuid.set(document.guid, row);
  return row;
}

/** What we wrote at the source is not contradicted by a list; only a reopening is, and that has moved the posting. */
const KEEPS_ITS_STATUS: readonly PostingState[] = ['acknowledged', 'reversed', 'skipped', 'rejected'];

function lookAtKnown(records: MemoryRecords, row: PostingRow, listingAgeMs: number): boolean {
  const { kernel } = records;
  const before = kernel.nowMs - (records.flaws.ignoreListAge ? 0 : listingAgeMs);
  const { posting } = row;
  row.lastSeenAt = kernel.nowMs;
  const waitsForDay = posting.reason?.code === 'AWAITS_SUMMARY';
  if (posting.state === 'deferred' && row.stateSince < before && !waitsForDay) row.dueAt = kernel.nowMs;
  const settledBefore = row.writeBacks.every(
    ({ state, acknowledgedAt }) =>
      state !== 'pending' && state !== 'sent' && (acknowledgedAt === null || acknowledgedAt < before),
  );
  const closed = posting.state === 'skipped' || posting.state === 'rejected';
  const knownMs = Math.min(row.stateSince - row.discoveredAt, GONE_MS_MAX);
  const readable = row.sourceStatus !== 'gone' || row.stateSince + knownMs < kernel.nowMs;
  const reopened =
    closed && !records.isLeased(row) && row.sourceStatus !== 'Created' && readable && settledBefore;
  if (reopened) {
    records.kernel.history.note('goOn', { guid: posting.guid, key: '' });
    records.move(row, 'discovered', 'reopened');
    records.reopenings.set(posting.guid, (records.reopenings.get(posting.guid) ?? 0) + 1);
    posting.reason = null;
    posting.tries = 0;
    row.dueAt = kernel.nowMs;
  }
  if (!KEEPS_ITS_STATUS.includes(posting.state)) row.sourceStatus = 'Created';
  if (posting.state === 'acknowledged' && (row.acknowledgedAt ?? kernel.nowMs) < before - LIST_LAG_MS)
    records.incidents.set(`POSTED_REOPENED:${posting.id}`, postedReopened(posting.id));
  return reopened;
}

const GONE_MS_MAX = 3_600_000;
const LIST_LAG_MS = 15 * 60_000;

function postedReopened(postingId: string): NewIncident {
  return {
    code: 'POSTED_REOPENED',
    fingerprint: `POSTED_REOPENED:${postingId}`,
    severity: 'critical',
    params: {},
  };
}
