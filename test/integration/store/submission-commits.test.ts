// One reducer for submissions: for every legal move, and for every part that a commit may have, the row that PostgreSQL has afterwards equals
// what `changedSubmission` and `changedSubmissionTimes` return, and what the simulation's store has.
import { afterAll, describe, expect, it } from 'vitest';
import { SUBMISSION_MOVES, SUBMISSION_STATES, type SubmissionState } from '../../../src/domain/submission.js';
import type { SubmissionChange, SubmissionRecord } from '../../../src/outbound/stage.js';
import {
  changedSubmission,
  changedSubmissionTimes,
  type StoredSubmission,
  type SubmissionTimes,
} from '../../../src/outbound/submission-commit.js';
import { createOriginStore } from '../../../src/store/origin-store.js';
import { createSubmissionStore } from '../../../src/store/submission-store.js';
import { RecordedChance } from '../../../lab/proof/chance.js';
import { Kernel } from '../../../lab/proof/kernel.js';
import { MemorySubmissions } from '../../../lab/proof/memory-submissions.js';
import { testDatabase } from '../../support/database.js';

const database = await testDatabase();
const { prisma } = database;
const store = createSubmissionStore(database.db);
const origins = createOriginStore(database.db);
const LEASE_MS = 3_600_000;
/** Longer than a commit takes, and shorter than any wait of these tests. */
const SOON_MS = 15_000;
afterAll(() => database.close());
const CONTENT = JSON.stringify({
  customer: { kennitala: '5402696029', name: 'Prufa ehf.' },
  issue_date: '2026-03-01',
  lines: [{ item_number: '1', description: 'Vara', qty: '1', unit_price: '1000', tax: 'S' }],
});

interface Bed {
  readonly claimed: SubmissionRecord;
  readonly simulated: SubmissionRecord;
  readonly memory: MemorySubmissions;
}

let beds = 0;

async function submission(): Promise<Bed> {
  const key = `key-${String(++beds)}`;
  // A tenant each: a record that is created wakes those of its tenant that are held.
  const tenant = `prufa-${key}`;
  const at = new Date();
  await prisma.tenant.create({ data: { name: tenant, environment: 'production', createdAt: at } });
  await prisma.outgoingTenant.create({ data: { tenantName: tenant, confirmedAt: at, confirmedBy: 'test' } });
  const record = { kind: 'invoice', reference: key, place: 'orders.csv:2', content: CONTENT, key } as const;
  await origins.takeIn(tenant, 'orders', { records: [record], problems: [], looked: [], cursor: '{}' });
  const [claimed] = await store.claim([{ tenant, atOnce: 1, perDay: 10_000 }], 'me', LEASE_MS);
  const memory = new MemorySubmissions(new Kernel(new RecordedChance({})), {});
  const row = memory.add({ ...record, id: claimed?.id ?? '', origin: 'orders' });
  const simulated = memory.claim(row, LEASE_MS);
  if (claimed) Object.assign(row.record, (await onRecord(claimed.id)).record);
  if (claimed?.key !== key || !simulated) throw new Error('it cannot be claimed');
  return { claimed, simulated, memory };
}

type Columns = SubmissionTimes & {
  readonly [Name in keyof StoredSubmission]: Name extends 'request' | 'agreed' | 'decided' | 'uploads'
    ? string | null
    : StoredSubmission[Name];
} & { readonly reason_subject: string; readonly reason_params: string };

async function onRecord(id: string): Promise<{ record: StoredSubmission; times: SubmissionTimes }> {
  const [row] = await prisma.$queryRaw<(Omit<Columns, 'reason'> & { reason: string | null })[]>`
    SELECT id, tenant_name AS "tenantName", origin, kind, reference, key, place, state, fence, tries, deaths, content, guid, number, outcome,
           payment_link AS "paymentLink", trim_scale(amount)::text AS amount, surely_absent AS "surelyAbsent", request, agreed, decided, uploads,
           reason, reason_subject, reason_params, sends,
           extract(epoch FROM last_sent_at)::float8 * 1000 AS "sentAt", extract(epoch FROM due_at)::float8 * 1000 AS "dueAt",
           coalesce(extract(epoch FROM lease_until)::float8 * 1000, 0) AS "leaseUntil"
    FROM submission WHERE id = ${id}::uuid`;
  if (!row) throw new Error(`there is no submission ${id}`);
  const {
    sentAt,
    dueAt,
    leaseUntil,
    sends,
    reason,
    reason_subject: subject,
    reason_params: params,
    ...record
  } = row;
  const value = <Name extends 'request' | 'agreed' | 'decided' | 'uploads'>(name: Name) =>
    (record[name] === null ? null : JSON.parse(record[name])) as StoredSubmission[Name];
  return {
    times: { sentAt, dueAt, leaseUntil, sends },
    record: {
      ...record,
      reason:
        reason === null
          ? null
          : { code: reason, subject, params: JSON.parse(params) as Record<string, string> },
      request: value('request'),
      agreed: value('agreed'),
      decided: value('decided'),
      uploads: value('uploads'),
    },
  };
}

async function commitEverywhere(bed: Bed, change: SubmissionChange): Promise<void> {
  const before = await onRecord(bed.claimed.id);
  const { state } = before.record;
  expect(await store.commit({ ...bed.claimed, state }, change)).toBe(true);
  const life = { step: () => Promise.resolve() };
  expect(await bed.memory.store(life).commit({ ...bed.simulated, state }, change)).toBe(true);
  const after = await onRecord(bed.claimed.id);
  const what = JSON.stringify(change);
  const expected = changedSubmission(before.record, change);
  expect(after.record, what).toEqual(expected);
  const inMemory = bed.memory.rows.get(bed.claimed.key);
  expect({ ...inMemory?.record, place: expected.place }, what).toEqual(expected);
  const times = changedSubmissionTimes(before.record, before.times, change, Date.now());
  for (const [name, ms] of Object.entries(times) as [keyof SubmissionTimes, number | null][]) {
    const now = after.times[name];
    if (name === 'sends' || ms === null || ms === 0) expect(now, `${name} after ${what}`).toBe(ms);
    else expect(Math.abs((now ?? 0) - ms), `${name} after ${what}`).toBeLessThan(SOON_MS);
  }
  expect(inMemory?.sends, what).toBe(times.sends);
  expect(inMemory?.dueAt === null, what).toBe(times.dueAt === null);
  expect(inMemory?.leaseUntil === 0, what).toBe(times.leaseUntil === 0);
}

const why = { code: 'TARGET_REFUSED', subject: '', params: { message: 'No such item.' } };
const REQUEST = { act: 'create', kind: 'invoice', body: {} } as const;
const created = { guid: 'g-1', number: '1001', paymentLink: null };
const agreed = { due_date: { origin: '2026-04-01', service: '2026-04-01' } };

/** In an order in which each finds what it changes. */
const PARTS: readonly Partial<SubmissionChange>[] = [
  { to: 'held', reason: why, dueInMs: null },
  { to: 'received', reason: null, keep: true },
  { to: 'sending', begin: REQUEST, keep: true },
  { to: 'received', finish: { outcome: 'not-sent', message: 'later' }, isUnsent: true },
  { to: 'sending', begin: REQUEST, tries: 2 },
  { to: 'unknown', finish: { outcome: 'unknown', message: 'reset' } },
  { uploads: { ids: { file: 'id' }, areRenewed: false } },
  { uploads: null },
  { found: agreed },
  { to: 'created', created, shown: { amount: '1240', currency: 'ISK', counterparty: 'Prufa ehf.' } },
  { created: { guid: null, number: null, paymentLink: 'https://example.com/pay' } },
  { shown: { amount: null, currency: null, counterparty: '' }, tries: 0 },
  { fields: { agreed, conflicts: [] } },
  {
    to: 'withdrawing',
    begin: { act: 'delete', kind: 'invoice', guid: 'g-1' } as unknown as NonNullable<
      SubmissionChange['begin']
    >,
  },
  { to: 'withdrawn', finish: { outcome: 'accepted', message: '' }, dueInMs: null },
];

/** Moves from received, the fewest. */
function wayTo(state: SubmissionState): readonly SubmissionState[] {
  const ways = new Map<SubmissionState, readonly SubmissionState[]>([['received', []]]);
  for (const [from, way] of ways)
    for (const to of SUBMISSION_MOVES[from]) if (!ways.has(to)) ways.set(to, [...way, to]);
  return ways.get(state) ?? [];
}

const moveTo = (to: SubmissionState): SubmissionChange => ({
  action: `to-${to}`,
  to,
  dueInMs: 60_000,
  keep: true,
  ...(['sending', 'unknown', 'withdrawing'].includes(to) ? { begin: REQUEST } : {}),
  ...(to === 'created' || to === 'withdrawing' ? { created } : {}),
});

describe('what a commit makes of a submission is one function', () => {
  it.each(SUBMISSION_STATES)('for every move of one that is %s', async (from) => {
    for (const to of SUBMISSION_MOVES[from]) {
      const bed = await submission();
      for (const state of wayTo(from)) await commitEverywhere(bed, moveTo(state));
      await commitEverywhere(bed, moveTo(to));
      await commitEverywhere(bed, { action: 'given-back', dueInMs: null });
    }
  });

  it('for everything that a commit may have', async () => {
    const bed = await submission();
    for (const part of PARTS) {
      await prisma.$executeRaw`UPDATE submission SET deaths = 3, surely_absent = true WHERE id = ${bed.claimed.id}::uuid`;
      const row = bed.memory.rows.get(bed.claimed.key);
      if (row) Object.assign(row.record, { deaths: 3, surelyAbsent: true });
      await commitEverywhere(bed, { action: 'changed', dueInMs: 60_000, ...part });
    }
  });
});
