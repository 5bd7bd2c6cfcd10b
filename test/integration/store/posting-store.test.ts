// The pipeline's records on PostgreSQL: a commit is all or nothing, and what it returns is what stands in the tables.
import { incident as newIncident } from '../../../src/language/incidents/incident-text.js';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClaimedPosting, PostingChange } from '../../../src/sync/posting-records.js';
import { verifyAudit } from '../../../src/store/audit.js';
import { readReplayFacts } from '../../../src/store/operations/cause-reader.js';
import { createPostingStore } from '../../../src/store/posting-store.js';
import { type ClaimRow, claimsOf, toClaim } from '../../../src/store/posting-rows.js';
import { Prisma } from '../../../src/store/generated/client.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT as at, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma, db } = database;
const store = createPostingStore(database, 'worker');
afterAll(() => database.close());

const LEASE_MS = 60_000;

beforeAll(async () => {
  await prisma.tenant.create({ data: { name: 'nordur', environment: 'development', createdAt: at } });
  await prisma.$executeRaw`INSERT INTO audit_entry (chain, actor, action, subject, details) VALUES ('nordur', 'test', 'began', 'nordur', '{}')`;
});

interface Found {
  readonly id: string;
  readonly guid: string;
}

async function discovered(referGuid = ''): Promise<Found> {
  const document = storedDocument('nordur', referGuid);
  await prisma.document.create({ data: document });
  const { guid, tenantName, kind } = document;
  const id = randomUUID();
  await prisma.posting.create({
    data: {
      tenantName,
      kind,
      id,
      documentId: guid,
      key: id,
      state: 'discovered',
      stateSince: at,
      discoveredAt: at,
    },
  });
  return { id, guid };
}

async function claimed(id: string): Promise<ClaimedPosting> {
  const claim = await store.claim(id, 'me', LEASE_MS);
  if (!claim) throw new Error(`nobody has ${id}, yet it cannot be claimed`);
  return claim;
}

/** The claim as the tables have it, ages aside: they pass. */
async function onRecord(id: string) {
  const [row] = await prisma.$queryRaw<
    ClaimRow[]
  >`${Prisma.raw(claimsOf('posting'))} WHERE p.id = ${id}::uuid`;
  if (!row) throw new Error(`there is no posting ${id}`);
  return ageless(toClaim(row));
}

function ageless(claim: ClaimedPosting) {
  return JSON.parse(
    JSON.stringify(claim, (key, value: unknown) =>
      key.endsWith('AgeMs') || key === 'ageMs' ? undefined : value,
    ),
  ) as unknown;
}

/** Everything there is, as text: whatever changes anywhere changes it. */
async function everything(): Promise<string> {
  const tables = [
    'posting',
    'document',
    'attempt',
    'write_back',
    'incident',
    'outbox',
    'audit_entry',
    'audit_link',
    'posting_tally',
  ];
  const texts = tables.map(async (table) => {
    const [row] = await prisma.$queryRaw<{ text: string | null }[]>(
      Prisma.sql`SELECT string_agg(t::text, E'\n' ORDER BY t::text) AS text FROM ${Prisma.raw(table)} t`,
    );
    return `${table}\n${row?.text ?? ''}`;
  });
  return (await Promise.all(texts)).join('\n\n');
}

const document = {
  number: '1001',
  amount: '1240',
  currency: 'ISK',
  issueDate: '2026-01-16',
  counterpartyName: '',
  counterpartyKennitala: '1203894569',
  referGuid: '',
  sourceStatus: 'Created',
  snapshot: '{"invoice_number":1001}',
  contentHash: 'hash',
};
const mapped = {
  rulesVersion: 'v1',
  journal: '{}',
  settlement: null,
  trace: '[]',
  warnings: ['ROUNDED'],
  documentNo: 'K-16',
  postingDate: '2026-01-16',
  totalIsk: '1240.00',
};
const reason = { code: 'JOURNAL_REFUSED', subject: '1200', params: { problem: 'No such account.' } };
const incident = newIncident(
  'RECORD_WITHOUT_GUID',
  { kind: 'invoice', count: 1, problems: 'none' },
  { severity: 'warning', fingerprint: '1' },
);

/** From discovered to acknowledged, with everything that a commit can carry. */
const A_LIFE: readonly PostingChange[] = [
  { action: 'deferred', to: 'deferred', reason, dueInMs: 1_000 },
  { action: 'looked-again', to: 'discovered' },
  { action: 'mapped', to: 'mapped', reason: null, document, mapped },
  {
    action: 'intent',
    to: 'posting',
    attempt: { act: 'begin', part: 'main', key: 'K', request: 'R1', sendByMs: 1_000 },
  },
  {
    action: 'unknown',
    tries: 1,
    attempt: { act: 'finish', outcome: 'unknown', message: 'reset' },
    incidents: [incident],
  },
  { action: 'resend', attempt: { act: 'resend', sendByMs: 1_000 } },
  { action: 'refused', to: 'mapped', attempt: { act: 'finish', outcome: 'unknown', message: 'reset' } },
  {
    action: 'intent',
    to: 'posting',
    attempt: { act: 'begin', part: 'main', key: 'K', request: 'R2', sendByMs: 1_000 },
  },
  {
    action: 'posted',
    to: 'posted',
    reference: { part: 'main', reference: { id: 'E1', number: 'JE-1' } },
    attempt: { act: 'finish', outcome: 'posted', message: '', reference: { id: 'E1', number: 'JE-1' } },
    wakeDependents: true,
    dueInMs: 0,
  },
  {
    action: 'decided',
    to: 'writing_back',
    sourceStatus: 'Created',
    writeBack: { act: 'decide', wanted: 'Posted', message: '' },
  },
  { action: 'sent', writeBack: { act: 'sent' } },
  { action: 'answered', writeBack: { act: 'answered', answer: 'OK' } },
  { action: 'given up', to: 'posted', writeBack: { act: 'abandoned', answer: 'lost' } },
  { action: 'decided', to: 'writing_back', writeBack: { act: 'decide', wanted: 'Posted', message: 'again' } },
  {
    action: 'acknowledged',
    to: 'acknowledged',
    reason: null,
    sourceStatus: 'Posted',
    writeBack: { act: 'acknowledged' },
    dueInMs: null,
  },
];

const begin = (part: 'main' | 'settlement' | 'reversal', key: string): PostingChange => ({
  action: 'intent',
  attempt: { act: 'begin', part, key, request: key, sendByMs: 1_000 },
});

describe('a commit', () => {
  it('returns what stands in the tables afterwards, whatever it changed', async () => {
    const { id } = await discovered();
    let claim = await claimed(id);
    for (const change of A_LIFE) {
      claim = await store.commit(claim, change);
      expect(ageless(claim), change.action).toEqual(await onRecord(id));
    }
    expect(claim.posting).toMatchObject({
      state: 'acknowledged',
      contentHash: 'hash',
      tries: 1,
      reason: null,
    });
    expect(claim.attempt).toMatchObject({ number: 2, outcome: 'posted', sends: 1, reference: { id: 'E1' } });
    expect(claim.writeBack).toMatchObject({ state: 'acknowledged', message: 'again' });
    const attempts = await prisma.attempt.findMany({ where: { postingId: id }, orderBy: { number: 'asc' } });
    expect(attempts.map(({ request, sends }) => [request, sends])).toEqual([
      ['R1', 2],
      ['R2', 1],
    ]);
  });

  it('keeps the latest attempt to post in sight through reversals, and numbers all of them in a row', async () => {
    const { id } = await discovered();
    let claim = await claimed(id);
    const finish = (outcome: 'posted' | 'rejected' | 'unknown', reversal?: string): PostingChange => ({
      action: outcome,
      attempt: { act: 'finish', outcome, message: '', ...(reversal === undefined ? {} : { reversal }) },
    });
    const life = [
      begin('main', 'K'),
      finish('unknown'),
      begin('reversal', 'R1'),
      begin('reversal', 'R2'),
      finish('posted', 'R1'),
      finish('rejected', 'R2'),
      begin('reversal', 'R2'),
      finish('posted', 'R2'),
    ];
    for (const change of life) {
      claim = await store.commit(claim, change);
      expect(ageless(claim), change.action).toEqual(await onRecord(id));
      expect(claim.attempt).toMatchObject({ number: 1, key: 'K' });
    }
    expect(claim.attempt).toMatchObject({ outcome: 'unknown' });
    claim = await store.commit(claim, begin('settlement', 'S'));
    expect(claim.attempt).toMatchObject({ number: 5, key: 'S', outcome: null });
    const attempts = await prisma.attempt.findMany({ where: { postingId: id }, orderBy: { number: 'asc' } });
    expect(attempts.map(({ number, key, outcome }) => [number, key, outcome])).toEqual([
      [1, 'K', 'unknown'],
      [2, 'R1', 'posted'],
      [3, 'R2', 'rejected'],
      [4, 'R2', 'posted'],
      [5, 'S', null],
    ]);
  });

  it('puts what it did into the audit, entry by entry, and the chain stays whole', async () => {
    const { id } = await discovered();
    let claim = await claimed(id);
    for (const change of A_LIFE) claim = await store.commit(claim, change);
    const entries = await prisma.auditEntry.findMany({ where: { subject: id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action }) => action)).toEqual(A_LIFE.map(({ action }) => `posting.${action}`));
    expect(JSON.parse(entries[2]?.details ?? '')).toEqual({ from: 'discovered', to: 'mapped' });
    expect(await verifyAudit(db)).toMatchObject({ breaks: [] });
  });

  it('settles what was open about a document that has arrived, and says so in the audit', async () => {
    const { id } = await discovered();
    let claim = await claimed(id);
    for (const change of A_LIFE)
      claim = await store.commit(claim, {
        ...change,
        ...('incidents' in change ? { incidents: [{ ...incident, fingerprint: id }] } : {}),
      });
    const [settled] = await prisma.incident.findMany({ where: { postingId: id } });
    expect(settled).toMatchObject({ state: 'resolved', resolvedBy: 'worker' });
    const [entry] = await prisma.auditEntry.findMany({ where: { subject: settled?.id ?? '' } });
    expect(entry).toMatchObject({
      chain: 'nordur',
      action: 'incident.resolved',
      // Kept as a value beside the incident, and as a sentence where people read the audit.
      reason: 'The document is in the books, and the source says Posted.',
    });
    expect(JSON.parse(entry?.details ?? '')).toEqual({ code: 'RECORD_WITHOUT_GUID', posting: id });
  });

  it('wakes the documents that wait for this one, and no other', async () => {
    const { id, guid } = await discovered();
    const waiting = [await discovered(guid), await discovered('another')];
    for (const { id: dependent } of waiting)
      await store.commit(await claimed(dependent), {
        action: 'deferred',
        to: 'deferred',
        reason,
        dueInMs: 3_600_000,
        release: true,
      });
    await store.commit(await claimed(id), {
      action: 'skipped',
      to: 'skipped',
      reason,
      dueInMs: null,
      wakeDependents: true,
    });
    const [first, second] = await Promise.all(
      waiting.map(({ id: dependent }) => prisma.posting.findUniqueOrThrow({ where: { id: dependent } })),
    );
    expect(first?.dueAt?.getTime()).toBeLessThanOrEqual(Date.now());
    expect(second?.dueAt?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it.each(A_LIFE.map((change) => [change.action, change] as const))(
    "changes nothing anywhere once the lease is somebody else's: %s",
    async (_action, change) => {
      const { id } = await discovered();
      let mine = await claimed(id);
      for (const earlier of A_LIFE.slice(0, A_LIFE.indexOf(change))) mine = await store.commit(mine, earlier);
      await prisma.$executeRaw`UPDATE posting SET lease_until = now() - interval '1 second' WHERE id = ${id}::uuid`;
      await claimed(id);
      const before = await everything();
      await expect(store.commit(mine, change)).rejects.toMatchObject({ code: 'LEASE_LOST' });
      expect(await everything()).toBe(before);
    },
  );

  it('locks documents in the order in which a list does, so that neither waits for what the other holds', async () => {
    const [low, high] = (await Promise.all([discovered(), discovered()])).sort((a, b) =>
      a.guid < b.guid ? -1 : 1,
    ) as [Found, Found];
    const claims = [await claimed(high.id), await claimed(low.id)];
    const list = new pg.Client({ connectionString: database.url.reveal() });
    await list.connect();
    const lock = (guid: string) =>
      list.query('SELECT 1 FROM document WHERE id = $1 FOR NO KEY UPDATE', [guid]);
    const isWaited = async () =>
      (
        await list.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
        )
      ).rows.length > 0;
    await list.query("BEGIN; SET LOCAL lock_timeout = '500ms'");
    await lock(low.guid);
    const committed = Promise.all(
      claims.map((claim) => store.commit(claim, { action: 'seen', sourceStatus: 'Created' })),
    );
    await expect.poll(isWaited, { timeout: 10_000 }).toBe(true);
    await lock(high.guid);
    await list.query('COMMIT');
    await list.end();
    expect(await committed).toHaveLength(2);
  });

  it('takes what was begun before a restore for sent until then, and what was begun since for sent when it was', async () => {
    const [before, since] = [await discovered(), await discovered()];
    for (const { id } of [before, since])
      await store.commit(await claimed(id), { ...begin('main', 'M'), release: true });
    await prisma.$executeRaw`
      UPDATE attempt SET started_at = now() - interval '2 hours', last_sent_at = now() - interval '1 hour'
      WHERE posting_id = ${before.id}::uuid`;
    await prisma.$executeRaw`
      UPDATE bridge SET restored_at = now() - interval '5 minutes', look_up_first_until = now() + interval '1 day'`;
    const ages = async ({ id }: Found) => {
      const [facts] = await readReplayFacts(db, [id]);
      return [(await claimed(id)).attempt?.lastSendAgeMs, facts?.lastSendAgeMs].map((ms) =>
        Math.floor((ms ?? 0) / 60_000),
      );
    };
    const restored = [await ages(before), await ages(since)];
    await prisma.$executeRaw`UPDATE bridge SET restored_at = NULL, look_up_first_until = NULL`;
    expect(restored).toEqual([
      [5, 5],
      [0, 0],
    ]);
    await prisma.$executeRaw`UPDATE posting SET lease_until = now() WHERE id = ${before.id}::uuid`;
    expect(await ages(before), 'without a restore').toEqual([60, 60]);
  });

  it('changes nothing when its incident cannot be written', async () => {
    const { id } = await discovered();
    const claim = await claimed(id);
    const before = await everything();
    const broken = { ...incident, fingerprint: null as unknown as string };
    await expect(
      store.commit(claim, { action: 'parked', to: 'parked', reason, dueInMs: null, incidents: [broken] }),
    ).rejects.toThrow();
    expect(await everything()).toBe(before);
  });
});
