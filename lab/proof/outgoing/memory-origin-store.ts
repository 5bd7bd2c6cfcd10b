// What origins hand over and what people do, on submissions in memory, with the semantics of store/origin-store.ts, store/submission-store.ts
// and store/operations/outgoing-records.ts. Every call is one transaction.
import { twinKey } from '../../../src/domain/submission.js';
import { reason } from '../../../src/language/messages.js';
import { incident } from '../../../src/language/incidents/incident-text.js';
import type { OutgoingRecords, StoredSubmission } from '../../../src/operations/outgoing/records.js';
import type { OriginRecord } from '../../../src/origins/origin.js';
import { contentFacts } from '../../../src/outbound/content-facts.js';
import {
  isLeftToWork,
  isOnlyPaid,
  mayChange,
  restsOn,
  type Holder,
  judgePlace,
  judgeTwin,
  type Looked,
  mayTakePlace,
  NO_SLOT,
} from '../../../src/outbound/take-in.js';
import type { AgreedStore, OriginStore, TakenIn } from '../../../src/outbound/stage.js';
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
      const sum = { added: 0, changed: 0, late: 0, taken: 0 };
      const found = new Set<string>();
      keepGone(records, origin, taken.gone ?? []);
      for (const record of taken.records) {
        const fate = take(records, { origin, origins: taken.origins, found }, record);
        if (fate !== 'known') sum[fate]++;
      }
      settleTwins(records, { ...taken, origin, found });
      records.cursors.set(origin, taken.cursor);
      await life.step(1);
      return sum;
    },
  };
}

interface Taking {
  readonly origin: string;
  readonly origins: readonly string[] | undefined;
  readonly found: Set<string>;
}

function take(
  records: MemorySubmissions,
  { origin, origins, found }: Taking,
  record: Keyed,
): keyof TakenIn | 'known' {
  const { kind, reference, key, content, place, slot, booked = null } = record;
  const { hash } = contentFacts(kind, content);
  const row = records.rows.get(key);
  if (!row) {
    const added = records.add({ id: key, origin, kind, reference, key, content });
    Object.assign(added, { hash, booked, slot: slot ?? null });
    added.record.place = place;
    records.kernel.note(`${kind} ${reference} is taken in`);
    return 'added';
  }
  const isNamed = kind === 'customer' && row.record.origin === '';
  const isKnown = row.hash === hash && !isNamed;
  const { mayReplace, adopts } = judgePlace(holderOf(row), { kind, origin, slot, place }, origins);
  if (!isKnown && !mayReplace && !records.flaws.replacesTwins) {
    found.add(keepTwin(records, origin, row, record, hash));
    return 'taken';
  }
  row.booked = booked ?? row.booked;
  if (isKnown) {
    if (adopts) {
      Object.assign(row.record, { origin, place });
      row.slot = slot ?? null;
    }
    return 'known';
  }
  return changed(records, row, { ...record, hash, origin });
}

function changed(
  records: MemorySubmissions,
  row: SubmissionRow,
  by: Keyed & { readonly hash: string; readonly origin: string },
): 'changed' | 'late' | 'known' {
  const { kind, reference, hash } = by;
  const { kernel, flaws } = records;
  const { record } = row;
  if (!mayChange(kind, record.state) && !isOnlyPaid(kind, record.content, by.content)) {
    const about = { severity: 'warning', fingerprint: `${record.id}:${hash.slice(0, 12)}` } as const;
    const one = incident('SUBMISSION_CHANGED', { tenant: record.tenantName, kind, reference }, about);
    if (!flaws.hidesLate) records.open(one);
    kernel.note(`${kind} ${reference} has changed too late`);
    return 'late';
  }
  kernel.note(`${kind} ${reference} has changed, ${record.state}`);
  const rests = restsOn(kind, record.state, record.reason?.code ?? null);
  replaceContent(records, row, { ...by, rests, isLeft: isLeftToWork(kind, record.state) });
  return 'changed';
}

function replaceContent(
  { kernel }: MemorySubmissions,
  row: SubmissionRow,
  by: Pick<Keyed, 'content' | 'place' | 'slot'> & {
    readonly hash: string;
    readonly origin: string;
    readonly rests: boolean;
    readonly isLeft?: boolean;
  },
): void {
  const { content, place, slot = null, hash, origin, rests, isLeft = false } = by;
  const { record } = row;
  Object.assign(record, { content, place, origin, tries: 0, deaths: 0 });
  Object.assign(row, { hash, slot, changedAt: kernel.nowMs, leaseUntil: isLeft ? row.leaseUntil : 0 });
  if (!isLeft) record.fence++;
  if (record.state === 'skipped') row.dueAt = kernel.nowMs;
  if (rests) return;
  Object.assign(record, { state: 'received', reason: null });
  row.dueAt = kernel.nowMs;
}

function holderOf({ record: { origin, place }, slot }: SubmissionRow): Holder {
  return { origin, place, slot };
}

function keepTwin(
  records: MemorySubmissions,
  origin: string,
  first: SubmissionRow,
  { kind, reference, place, slot, booked, content, key: firstKey }: Keyed,
  hash: string,
): string {
  const { kernel } = records;
  const key = twinKey(firstKey, origin, slot ?? '');
  const holder = `${first.record.origin}: ${first.record.place}`;
  const why = reason('REFERENCE_TAKEN', { reference, first: holder, second: `${origin}: ${place}` });
  const before = records.rows.get(key);
  const isSame = before?.hash === hash && before.record.place === place;
  const rests = before?.record.state === 'refused' || before?.record.reason?.code === 'SUBMISSION_SKIPPED';
  if (isSame && rests) return key;
  const row = before ?? records.add({ id: key, origin, kind, reference, key, content });
  Object.assign(row.record, { content, place, state: 'refused', reason: why, tries: 0 });
  row.record.fence++;
  Object.assign(row, { hash, booked: booked ?? null, slot: slot ?? null, twinOf: firstKey });
  Object.assign(row, { leaseUntil: 0, dueAt: kernel.nowMs, changedAt: kernel.nowMs });
  kernel.note(`${kind} ${reference} is there a second time, ${before ? 'changed' : 'new'}`);
  return key;
}

function keepGone(records: MemorySubmissions, origin: string, gone: readonly string[]): void {
  for (const row of records.rows.values()) {
    const file = (row.slot ?? row.record.place.replace(/:\d+$/, '')).replace(/#\d+$/, '');
    if (row.twinOf === null && row.record.origin === origin && gone.includes(file)) row.slot = NO_SLOT;
  }
}

function settleTwins(records: MemorySubmissions, look: Looked): void {
  const replaced = new Set<string>();
  for (const twin of records.rows.values()) {
    const first = records.rows.get(twin.twinOf ?? '');
    if (!first || twin.record.state !== 'refused') continue;
    const { key, state } = first.record;
    const judged = {
      ...holderOf(twin),
      ...{ key: twin.record.key, kind: twin.record.kind, hash: twin.hash },
      first: { ...holderOf(first), key, state, hash: first.hash },
    };
    const fate = judgeTwin(judged, look);
    if (fate === 'stays' || (fate === 'takes-over' && replaced.has(key))) continue;
    if (fate === 'takes-over') {
      replaced.add(key);
      takeContent(records, first, twin);
    }
    endTwin(records, twin);
  }
}

function takeContent(records: MemorySubmissions, first: SubmissionRow, twin: SubmissionRow): void {
  const { kind, reference, content, place, origin } = twin.record;
  records.kernel.note(`${kind} ${reference} takes the place of the first`);
  const { hash, slot, booked } = twin;
  replaceContent(records, first, {
    content,
    place,
    ...(slot === null ? {} : { slot }),
    hash,
    origin,
    rests: false,
  });
  first.booked = booked;
}

function endTwin({ kernel }: MemorySubmissions, twin: SubmissionRow): void {
  const { record } = twin;
  const why = reason('SHARING_ENDED', { reference: record.reference });
  Object.assign(record, { state: 'skipped', reason: why, tries: 0, fence: record.fence + 1 });
  Object.assign(twin, { leaseUntil: 0, dueAt: kernel.nowMs, changedAt: kernel.nowMs });
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

type Used = Pick<OutgoingRecords, 'submissions' | 'move' | 'takePlace' | 'decide'>;

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
    takePlace: async (id) => {
      await life.step(1);
      const twin = byId(id);
      const first = records.rows.get(twin?.twinOf ?? '');
      if (!twin || !first || twin.record.reason?.code === 'SHARING_ENDED') return false;
      if (!mayTakePlace(first.record.kind, first.record.state)) return false;
      records.replaced.add(first.record.key);
      takeContent(records, first, twin);
      endTwin(records, twin);
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

function stored({ record, sends, conflicts, twinOf }: SubmissionRow): StoredSubmission {
  return {
    ...{ id: record.id, tenantName: record.tenantName, origin: record.origin, kind: record.kind },
    ...{ reference: record.reference, mark: record.key, twinOf, place: record.place, state: record.state },
    ...{ since: '', reason: record.reason, amount: null, currency: null, issueDate: null, counterparty: '' },
    ...{ guid: record.guid, number: record.number, paymentLink: null, sends, dueAt: null, receivedAt: '' },
    ...{ conflicts, agreedAt: null },
  };
}
