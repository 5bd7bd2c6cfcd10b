// Who gets the next turn: what is under way goes before what is not begun, however long that has waited.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PostingState } from '../../../src/domain/posting.js';
import type { Stage } from '../../../src/sync/turns.js';
import { createDispatchStore } from '../../../src/store/dispatch-store.js';
import type { BoundStatement, Db } from '../../../src/store/db.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT as at, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma } = database;
const store = createDispatchStore(database);
afterAll(() => database.close());

beforeAll(async () => {
  for (const name of ['nordur', 'sudur', 'austur', 'vestur'])
    await prisma.tenant.create({
      data: { name, environment: 'development', createdAt: at, planConfirmedAt: at, planConfirmedBy: 'test' },
    });
});

/** Due so many seconds ago. */
async function posting(tenantName: string, state: PostingState, dueAgo: number): Promise<string> {
  const document = storedDocument(tenantName);
  await prisma.document.create({ data: document });
  const { id, kind } = document;
  const dueAt = new Date(Date.now() - dueAgo * 1_000);
  await prisma.posting.create({
    data: {
      id,
      tenantName,
      kind,
      documentId: id,
      key: id,
      state: 'discovered',
      stateSince: at,
      discoveredAt: at,
      dueAt,
    },
  });
  await prisma.$transaction([
    prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
    prisma.posting.update({ where: { id }, data: { state } }),
  ]);
  return id;
}

const claim = async (stage: Stage, tenantName: string, most: number, from = store, leaseMs = 30_000) => {
  const turn = { stage, tenantName, share: most, isProbe: false };
  const claims = await from.claim(turn, most, 'me', leaseMs);
  return new Set(claims.map(({ posting: { id } }) => id));
};

const turns = async (stage: Stage, perTenant: number) => {
  const due = await store.turnsDue({ stage, tenants: ['nordur', 'sudur'], perTenant, probeMs: 30_000 });
  return Object.fromEntries(due.map(({ tenantName, share }) => [tenantName, share]));
};

describe('the next turn', () => {
  it('takes what is begun, then what has waited longest, and nothing twice', async () => {
    const waiting: string[] = [];
    for (let number = 0; number < 20; number++)
      waiting.push(await posting('nordur', 'discovered', 1_000 - number));
    const begun = [await posting('nordur', 'posting', 2), await posting('nordur', 'mapped', 1)];
    const later = await posting('nordur', 'posting', -60);
    expect(await claim('post', 'nordur', 5)).toEqual(new Set([...begun, ...waiting.slice(0, 3)]));
    expect(await claim('post', 'nordur', 5)).toEqual(new Set(waiting.slice(3, 8)));
    expect(await claim('post', 'nordur', 64)).toEqual(new Set(waiting.slice(8)));
    expect(await claim('post', 'nordur', 64), 'what is due later waits').not.toContain(later);
  });

  it('takes each document once, however many take at the same moment, in one process or in two', async () => {
    const another = createDispatchStore(database);
    for (let number = 0; number < 30; number++) await posting('sudur', 'discovered', 1);
    const taken = await Promise.all(
      Array.from({ length: 8 }, (_, number) => claim('post', 'sudur', 6, number % 2 === 0 ? store : another)),
    );
    expect(Math.max(...taken.map((ids) => ids.size)), 'a turn takes no more than it may').toBe(6);
    const all = taken.flatMap((ids) => [...ids]);
    expect(all).toHaveLength(30);
    expect(new Set(all).size).toBe(30);
  });

  it('of several tenants is one statement, and each has its own documents, as many as it may and for as long as it may', async () => {
    const asked: unknown[] = [];
    const rows: Db['rows'] = (statement) => {
      asked.push((statement as BoundStatement).values[1]);
      return database.indexed.rows(statement);
    };
    const counted = createDispatchStore({ ...database, indexed: { ...database.indexed, rows } });
    const ids = { austur: new Set<string>(), vestur: new Set<string>() };
    for (let number = 0; number < 5; number++)
      for (const name of ['austur', 'vestur'] as const) ids[name].add(await posting(name, 'discovered', 1));
    const [austur, vestur, more] = await Promise.all([
      claim('post', 'austur', 2, counted, 60_000),
      claim('post', 'vestur', 3, counted, 600_000),
      claim('post', 'austur', 1, counted, 60_000),
    ]);
    expect(asked, 'each tenant once').toEqual([['austur', 'vestur']]);
    expect([austur.size, vestur.size, more.size]).toEqual([2, 3, 1]);
    expect([...ids.austur]).toEqual(expect.arrayContaining([...austur, ...more]));
    expect([...ids.vestur]).toEqual(expect.arrayContaining([...vestur]));
    expect(new Set([...austur, ...more]).size).toBe(3);
    const leases = await prisma.posting.findMany({ where: { id: { in: [...austur, ...vestur, ...more] } } });
    for (const { tenantName, leaseUntil } of leases) {
      const minutes = ((leaseUntil?.getTime() ?? 0) - Date.now()) / 60_000;
      expect(Math.ceil(minutes)).toBe(tenantName === 'austur' ? 1 : 10);
    }
  });

  it('is given to every tenant that has work, and is no larger than it may be', async () => {
    for (let number = 0; number < 6; number++) await posting('nordur', 'posting', 1_000);
    await posting('sudur', 'discovered', 1);
    await posting('sudur', 'discovered', 0.5);
    expect(await turns('post', 4)).toEqual({ nordur: 4, sudur: 2 });
  });

  it('at writing back is for what is posted, skipped or rejected, and for nothing else', async () => {
    const finished: string[] = [];
    for (const state of ['posted', 'writing_back', 'skipped', 'rejected'] as const)
      finished.push(await posting('sudur', state, 1));
    for (const state of ['discovered', 'mapped', 'posting'] as const) await posting('sudur', state, 10);
    expect(await turns('write-back', 64)).toEqual({ sudur: 4 });
    expect(await claim('write-back', 'sudur', 64)).toEqual(new Set(finished));
  });

  it('takes nothing of a tenant that is paused or whose side is down, unless it is to try it', async () => {
    await posting('nordur', 'discovered', 1);
    await prisma.tenant.update({ where: { name: 'nordur' }, data: { pausedAt: at } });
    expect(await claim('post', 'nordur', 8)).toEqual(new Set());
    await prisma.tenant.update({ where: { name: 'nordur' }, data: { pausedAt: null } });
    await prisma.breaker.create({ data: { tenantName: 'nordur', side: 'erp', state: 'open', since: at } });
    expect(await claim('post', 'nordur', 8)).toEqual(new Set());
    const probe = { stage: 'post', tenantName: 'nordur', share: 1, isProbe: true } as const;
    const [tried] = await store.claim(probe, 1, 'me', 30_000);
    expect(await prisma.breaker.findFirst()).toMatchObject({ probeId: tried?.posting.id });
  });
});
