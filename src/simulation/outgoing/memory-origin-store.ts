// What origins hand over and what people do, on submissions in memory, with the semantics of store/origin-store.ts, store/agreed-store.ts
// and store/operations/outgoing-records.ts. Every call is one transaction.
import { incident } from '../../language/incidents/incident-text.js';
import type { OutgoingRecords, StoredSubmission } from '../../operations/outgoing/records.js';
import type { OriginRecord } from '../../origins/origin.js';
import { contentFacts } from '../../pipeline/outgoing/content-facts.js';
import { mayChange, restsOn } from '../../pipeline/outgoing/late-change.js';
import type { AgreedStore, OriginStore, TakenIn } from '../../pipeline/outgoing/records.js';
import type { Life } from '../life.js';
import type { MemorySubmissions, SubmissionRow } from '../memory-submissions.js';

type Keyed = OriginRecord & { readonly key: string };

export function memoryOriginStore(records: MemorySubmissions, life: Life): OriginStore {
  return {
    cursor: async (_tenant, origin) => {
      await life.step(1);
      return records.cursors.get(origin) ?? null;
    },
    takeIn: async (_tenant, origin, taken) => {
      await life.step(1);
      const sum = { added: 0, changed: 0, late: 0 };
      for (const record of taken.records) {
        const fate = take(records, origin, record);
        if (fate !== 'known') sum[fate]++;
      }
      records.cursors.set(origin, taken.cursor);
      await life.step(1);
      return sum;
    },
  };
}

function take(records: MemorySubmissions, origin: string, record: Keyed): keyof TakenIn | 'known' {
  const { kind, reference, key, content, place, booked = null } = record;
  const { hash } = contentFacts(kind, content);
  const row = records.rows.get(key);
  if (!row) {
    const added = records.add({ id: key, origin, kind, reference, key, content });
    Object.assign(added, { hash, booked });
    added.record.place = place;
    records.kernel.note(`${kind} ${reference} is taken in`);
    return 'added';
  }
  row.booked = booked ?? row.booked;
  const isNamed = kind === 'customer' && row.record.origin === '';
  if (row.hash === hash && !isNamed) return 'known';
  return changed(records, row, { ...record, hash, origin });
}

function changed(
  records: MemorySubmissions,
  row: SubmissionRow,
  {
    kind,
    reference,
    content,
    place,
    hash,
    origin,
  }: Keyed & { readonly hash: string; readonly origin: string },
): 'changed' | 'late' | 'known' {
  const { kernel, flaws } = records;
  const { record } = row;
  if (!mayChange(kind, record.state)) {
    const about = { severity: 'warning', fingerprint: `${record.id}:${hash.slice(0, 12)}` } as const;
    const one = incident('SUBMISSION_CHANGED', { tenant: record.tenantName, kind, reference }, about);
    if (!flaws.hidesLate) records.open(one);
    kernel.note(`${kind} ${reference} has changed too late`);
    return 'late';
  }
  Object.assign(record, { content, place, origin, tries: 0, deaths: 0 });
  Object.assign(row, { hash, changedAt: kernel.nowMs });
  record.fence++;
  row.leaseUntil = 0;
  kernel.note(`${kind} ${reference} has changed, ${record.state}`);
  if (record.state === 'skipped') row.dueAt = kernel.nowMs;
  if (restsOn(kind, record.state, record.reason?.code ?? null)) return 'changed';
  Object.assign(record, { state: 'received', reason: null });
  row.dueAt = kernel.nowMs;
  return 'changed';
}

export function memoryAgreed(records: MemorySubmissions, life: Life): AgreedStore {
  const { kernel } = records;
  return {
    agreed: async (_tenant, kind, quietMs, most) => {
      await life.step(1);
      return [...records.rows.values()]
        .filter(({ record, sentAt }) => {
          const isQuiet = sentAt === null || sentAt < kernel.nowMs - quietMs;
          return record.kind === kind && record.state === 'acknowledged' && isQuiet;
        })
        .flatMap(({ record: { id, guid, agreed }, conflicts }) =>
          guid && agreed ? [{ id, guid, agreed, conflicts }] : [],
        )
        .slice(0, most);
    },
    reopen: async (_tenant, ids) => {
      await life.step(1);
      const rows = [...records.rows.values()].filter(
        ({ record }) => ids.includes(record.id) && record.state === 'acknowledged',
      );
      for (const row of rows) begunAnew(records, row, 'received', 'changed at the service');
      return rows.length;
    },
  };
}

/** With a new fence: whoever is at work on it cannot put anything on record any more. */
function begunAnew(
  { kernel }: MemorySubmissions,
  row: SubmissionRow,
  to: SubmissionRow['record']['state'],
  why: string,
): void {
  const { record } = row;
  kernel.note(`${record.kind} ${record.reference} ${record.state} → ${to} (${why})`);
  Object.assign(record, { state: to, fence: record.fence + 1, tries: 0, deaths: 0 });
  Object.assign(row, { leaseUntil: 0, dueAt: kernel.nowMs, changedAt: kernel.nowMs });
}

type Used = Pick<OutgoingRecords, 'submissions' | 'move' | 'decide'>;

export function memoryOutgoingRecords(records: MemorySubmissions, life: Life): Used {
  const byId = (id: string) => [...records.rows.values()].find(({ record }) => record.id === id);
  return {
    submissions: async ({ text }) => {
      await life.step(1);
      const row = byId(text ?? '');
      return row ? [stored(row)] : [];
    },
    move: async (id, _act, { action, from, to, reason = null, guid, surelyAbsent, sends }) => {
      await life.step(1);
      const row = byId(id);
      if (!row || !from.includes(row.record.state) || (sends ?? row.sends) !== row.sends) return false;
      begunAnew(records, row, to, action);
      const { record } = row;
      Object.assign(record, { reason, guid: guid ?? record.guid });
      record.surelyAbsent ||= surelyAbsent === true;
      return true;
    },
    decide: async (id, _act, decisions) => {
      await life.step(1);
      const row = byId(id);
      const states = ['created', 'acknowledged', 'received'];
      if (!row || row.conflicts.length === 0 || !states.includes(row.record.state)) return false;
      const isAbout = Object.entries(decisions).every(([field, { origin, service }]) =>
        row.conflicts.some((one) => one.field === field && one.origin === origin && one.service === service),
      );
      if (!isAbout) return false;
      row.record.decided = { ...row.record.decided, ...decisions };
      begunAnew(records, row, 'received', 'fields decided');
      return true;
    },
  };
}

function stored({ record, sends, conflicts }: SubmissionRow): StoredSubmission {
  return {
    ...{ id: record.id, tenantName: record.tenantName, origin: record.origin, kind: record.kind },
    ...{ reference: record.reference, mark: record.key, place: record.place, state: record.state },
    ...{ since: '', reason: record.reason, amount: null, currency: null, issueDate: null, counterparty: '' },
    ...{ guid: record.guid, number: record.number, paymentLink: null, sends, dueAt: null, receivedAt: '' },
    ...{ conflicts, agreedAt: null },
  };
}
