// One reducer: for every legal move, and for every part that a commit may have, the rows that PostgreSQL has afterwards equal what
// `applyChange` and `changedTimes` return, and what the simulation's store has.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSTING_MOVES, POSTING_STATES, type PostingState } from '../../../src/domain/posting.js';
import type { ListedDocument } from '../../../src/service/invoicing-source.js';
import { type ClaimRow, claimsOf, toClaim } from '../../../src/store/posting-rows.js';
import { createPostingStore } from '../../../src/store/posting-store.js';
import {
  applyChange,
  type AttemptChange,
  changedTimes,
  type ClaimedPosting,
  type PostingChange,
  type PostingTimes,
  type WriteBackChange,
} from '../../../src/sync/posting-records.js';
import { RecordedChance } from '../../../lab/proof/chance.js';
import { Kernel } from '../../../lab/proof/kernel.js';
import { memoryIntakeStore } from '../../../lab/proof/memory-intake-store.js';
import { memoryPostingStore } from '../../../lab/proof/memory-posting-store.js';
import { MemoryRecords } from '../../../lab/proof/memory-records.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT as at, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma } = database;
const store = createPostingStore(database, 'worker');
afterAll(() => database.close());

const LEASE_MS = 3_600_000;
const RULES = 'v2';

beforeAll(async () => {
  await prisma.tenant.create({
    data: { name: 'nordur', environment: 'development', createdAt: at, rulesVersion: RULES },
  });
});

// ---- One posting, on record three times ----

interface Bed {
  readonly id: string;
  readonly memory: ReturnType<typeof inMemory>;
  claim: ClaimedPosting;
  simulated: ClaimedPosting;
}

function inMemory() {
  const records = new MemoryRecords(new Kernel(new RecordedChance({})), {});
  const life = { step: () => Promise.resolve() };
  return { records, intake: memoryIntakeStore(records, life), store: memoryPostingStore(records, life) };
}

async function posting(): Promise<Bed> {
  const document = storedDocument('nordur');
  await prisma.document.create({ data: document });
  const id = randomUUID();
  const { guid, tenantName, kind } = document;
  const moments = { stateSince: at, discoveredAt: at, dueAt: at };
  await prisma.posting.create({
    data: { tenantName, kind, id, documentId: guid, key: id, state: 'discovered', ...moments },
  });
  const memory = inMemory();
  const listed: ListedDocument = {
    guid,
    kind: 'invoice',
    number: '1',
    amount: '1240',
    currency: 'ISK',
    issueDate: '2026-01-15',
    accountingStatus: 'Created',
    counterpartyName: '',
    counterpartyKennitala: '',
    updatedTimestamp: '',
  };
  await memory.intake.recordListed('nordur', [listed], () => id, 0);
  const [[simulatedId = '', row] = []] = memory.records.rows;
  if (row) row.stateSince -= LEASE_MS;
  const claim = await store.claim(id, 'me', LEASE_MS);
  const simulated = await memory.store.claim(simulatedId, 'me', LEASE_MS);
  if (!claim || !simulated) throw new Error('it cannot be claimed');
  return { id, memory, claim, simulated };
}

/** Without the ids, which each store chooses, and with ages as young or old. */
function comparable({ posting, attempt, writeBack }: ClaimedPosting) {
  const { id: _id, tenantName: _tenant, discoveredAgeMs: _age, stateAgeMs, ...record } = posting;
  const { number, part, key, request, sends, lastSendAgeMs, outcome, reference } = attempt ?? {};
  const { wanted, message, state, sends: statusSends } = writeBack ?? {};
  return {
    posting: { ...record, isFresh: stateAgeMs < SOON_MS },
    attempt: attempt && {
      number,
      part,
      key,
      request,
      sends,
      outcome,
      reference,
      isFresh: (lastSendAgeMs ?? 0) < SOON_MS,
    },
    writeBack: writeBack && { wanted, message, state, sends: statusSends },
  };
}

/** Longer than a commit takes, and shorter than any wait of these tests. */
const SOON_MS = 30_000;

async function onRecord(id: string) {
  const [row] = await prisma.$queryRawUnsafe<ClaimRow[]>(`${claimsOf('posting')} WHERE p.id = $1::uuid`, id);
  if (!row) throw new Error(`there is no posting ${id}`);
  const [times] = await prisma.$queryRaw<PostingTimes[]>`
    SELECT extract(epoch FROM state_since)::float8 * 1000 AS "stateSince", extract(epoch FROM due_at)::float8 * 1000 AS "dueAt",
           coalesce(extract(epoch FROM lease_until)::float8 * 1000, 0) AS "leaseUntil",
           extract(epoch FROM acknowledged_at)::float8 * 1000 AS "acknowledgedAt"
    FROM posting WHERE id = ${id}::uuid`;
  if (!times) throw new Error(`there is no posting ${id}`);
  return { claim: toClaim(row), times };
}

async function commitEverywhere(bed: Bed, change: PostingChange): Promise<void> {
  const before = await onRecord(bed.id);
  const expected = applyChange(before.claim, change, {
    attempt: { id: '', number: (await attemptsOf(bed)) + 1 },
  });
  const nowMs = Date.now();
  const times = changedTimes(before.claim.posting, before.times, change, { nowMs, rulesVersion: RULES });
  bed.claim = await store.commit(bed.claim, change);
  bed.simulated = await bed.memory.store.commit(bed.simulated, change);
  const { records } = bed.memory;
  const after = await onRecord(bed.id);
  const said = JSON.stringify(change);
  expect(comparable(after.claim), said).toEqual(comparable(expected));
  expect(comparable(bed.claim), said).toEqual(comparable(expected));
  expect(comparable({ ...bed.simulated, posting: { ...bed.simulated.posting, key: bed.id } }), said).toEqual(
    comparable(expected),
  );
  for (const [name, ms] of Object.entries(times) as [keyof PostingTimes, number | null][]) {
    const now = after.times[name];
    if (ms === null || ms === 0) expect(now, `${name} after ${said}`).toBe(ms);
    else expect(Math.abs((now ?? 0) - ms), `${name} after ${said}`).toBeLessThan(SOON_MS / 2);
  }
  const [row] = records.rows.values();
  const inRecords = [row?.dueAt === null, row?.leaseUntil === 0, row?.acknowledgedAt === null];
  // Rules are not replaced in memory.
  if (change.judgedBy === undefined)
    expect(inRecords, said).toEqual([
      times.dueAt === null,
      times.leaseUntil === 0,
      times.acknowledgedAt === null,
    ]);
}

const attemptsOf = ({ id }: Bed) => prisma.attempt.count({ where: { postingId: id } });

// ---- What a commit may have ----

const why = { code: 'JOURNAL_REFUSED', subject: '1200', params: { problem: 'No such account.' } };
const MINUTE_MS = 60_000;

/** The least that each kind of commit has. */
const KINDS: Readonly<Record<PostingState | 'stays', PostingChange>> = {
  stays: { action: 'stays' },
  discovered: { action: 'discovered', to: 'discovered', dueInMs: 0 },
  mapped: { action: 'mapped', to: 'mapped', reason: null },
  posting: { action: 'intent', to: 'posting' },
  posted: { action: 'posted', to: 'posted', reason: null, tries: 0, dueInMs: 5 * MINUTE_MS },
  writing_back: { action: 'write-back-intent', to: 'writing_back' },
  acknowledged: { action: 'acknowledged', to: 'acknowledged', reason: null, dueInMs: null },
  deferred: { action: 'deferred', to: 'deferred', reason: why, dueInMs: 60 * MINUTE_MS },
  held: { action: 'held', to: 'held', reason: why, dueInMs: null },
  parked: { action: 'parked', to: 'parked', reason: why, dueInMs: null },
  skipped: { action: 'skipped', to: 'skipped', reason: why, dueInMs: -60 * MINUTE_MS },
  rejected: { action: 'rejected', to: 'rejected', reason: why, dueInMs: null },
  orphaned: { action: 'orphaned', to: 'orphaned', reason: why, dueInMs: null },
  reversed: { action: 'reversed', to: 'reversed', reason: null, dueInMs: null },
};

const reference = { id: 'E1', number: 'JE-1' };
const begin = (part: 'main' | 'settlement' | 'reversal', key: string, request = key): AttemptChange => ({
  act: 'begin',
  part,
  key,
  request,
  sendByMs: 1_000,
});
const decide: WriteBackChange = { act: 'decide', wanted: 'Posted', message: 'Posted as JE-1.' };
type Parts = Omit<PostingChange, 'action' | 'to' | 'reason' | 'dueInMs'>;

/** In an order in which each finds what it changes. */
const PARTS: readonly Parts[] = [
  {
    document: {
      number: '1001',
      amount: '1240',
      currency: 'ISK',
      issueDate: '2026-01-16',
      referGuid: '',
      counterpartyName: '',
      counterpartyKennitala: '',
      sourceStatus: 'Created',
      snapshot: '{}',
      contentHash: 'hash',
    },
    mapped: {
      rulesVersion: 'v1',
      journal: '{}',
      settlement: null,
      trace: '[]',
      warnings: ['ROUNDED'],
      documentNo: 'K-16',
      postingDate: '2026-01-16',
      totalIsk: '1240.00',
    },
  },
  { attempt: begin('main', 'K', 'R1'), leaseMs: 20 * MINUTE_MS },
  { attempt: { act: 'finish', outcome: 'unknown', message: 'reset' }, tries: 3 },
  { attempt: { act: 'resend', sendByMs: 1_000 } },
  { attempt: begin('reversal', 'X') },
  { attempt: { act: 'finish', outcome: 'rejected', message: 'no', reversal: 'X' } },
  { attempt: { act: 'finish', outcome: 'posted', message: '', reference } },
  { reference: { part: 'main', reference } },
  { attempt: begin('settlement', 'S') },
  { attempt: { act: 'finish', outcome: 'draft', message: '', reference: { id: 'E2' } } },
  { attempt: { act: 'finish', outcome: 'posted', message: '' } },
  { reference: { part: 'settlement', reference: { id: 'E2' } } },
  { writeBack: decide, sourceStatus: 'Created' },
  { writeBack: { act: 'sent' } },
  { writeBack: { act: 'answered', answer: 'OK' } },
  { writeBack: { act: 'acknowledged' } },
  { writeBack: { act: 'abandoned', answer: 'lost' } },
  { writeBack: { ...decide, message: 'again' } },
  { writeBack: { act: 'acknowledged' } },
  { writeBack: { act: 'told', wanted: 'Error', message: 'no' } },
  { judgedBy: RULES },
  { judgedBy: 'v1' },
  { bookedMsAgo: 5_000, details: { note: 'x' }, why: 'because' },
  { wakeDependents: true, incidents: [] },
  { leaseMs: 40 * MINUTE_MS, tries: 0 },
];

/** Moves from discovered, the fewest. */
function wayTo(state: PostingState): readonly PostingState[] {
  const ways = new Map<PostingState, readonly PostingState[]>([['discovered', []]]);
  for (const [from, way] of ways)
    for (const to of POSTING_MOVES[from]) if (!ways.has(to)) ways.set(to, [...way, to]);
  return ways.get(state) ?? [];
}

describe('what a commit makes of a posting is one function', () => {
  it.each(POSTING_STATES)('for every kind of commit of one that is %s', async (from) => {
    for (const to of [...POSTING_MOVES[from], 'stays'] as const) {
      const bed = await posting();
      for (const state of wayTo(from)) await commitEverywhere(bed, KINDS[state]);
      await commitEverywhere(bed, KINDS[to]);
      await commitEverywhere(bed, { action: 'given-back', release: true });
    }
  });

  it('for everything that a commit may have, with a move or without', async () => {
    const plain = await posting();
    const moving = await posting();
    for (const [index, parts] of PARTS.entries()) {
      await commitEverywhere(plain, { ...KINDS.stays, ...parts });
      await commitEverywhere(moving, { ...KINDS[index % 2 === 0 ? 'held' : 'discovered'], ...parts });
    }
    await commitEverywhere(moving, { ...KINDS.held, judgedBy: 'v1', release: true });
  });

  it('and what is not on record is refused by all three', async () => {
    const refused: readonly Parts[] = [
      { attempt: { act: 'resend', sendByMs: 1_000 } },
      { attempt: { act: 'finish', outcome: 'unknown', message: '' } },
      ...(['sent', 'acknowledged'] as const).map((act) => ({ writeBack: { act } })),
      ...(['answered', 'abandoned'] as const).map((act) => ({ writeBack: { act, answer: '' } })),
    ];
    const bed = await posting();
    const before = await onRecord(bed.id);
    for (const parts of refused) {
      const change: PostingChange = { action: 'changes what is not there', tries: 5, ...parts };
      expect(() => applyChange(bed.claim, change)).toThrow(/no attempt or write-back on record/);
      await expect(store.commit(bed.claim, change)).rejects.toThrow(/no attempt or write-back on record/);
      await expect(bed.memory.store.commit(bed.simulated, change)).rejects.toThrow(/on record/);
    }
    expect((await onRecord(bed.id)).times).toEqual(before.times);
    expect((await onRecord(bed.id)).claim.posting.tries).toBe(0);
  });
});
