// Who gets the next turn: what is under way goes before what is not begun, however long that has waited.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PostingState } from '../../../src/domain/posting.js';
import { createDispatchStore, type Stage } from '../../../src/store/dispatch-store.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT as at, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma } = database;
const store = createDispatchStore(prisma);
afterAll(() => database.close());

beforeAll(async () => {
  for (const name of ['nordur', 'sudur'])
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

async function take(
  stage: Stage,
  tenants: readonly string[],
  room: number,
  perTenant = 8,
): Promise<Set<string>> {
  const due = await store.takeDue({ stage, tenants, perTenant, room, againAfterMs: 30_000, allowances: {} });
  return new Set(due.map(({ id }) => id));
}

describe('the next turn', () => {
  it('is for what is begun, then for what has waited longest', async () => {
    const waiting: string[] = [];
    for (let number = 0; number < 20; number++)
      waiting.push(await posting('nordur', 'discovered', 1_000 - number));
    const begun = [await posting('nordur', 'posting', 2), await posting('nordur', 'mapped', 1)];
    const later = await posting('nordur', 'posting', -60);
    expect(await take('post', ['nordur'], 64, 5)).toEqual(new Set([...begun, ...waiting.slice(0, 3)]));
    expect(await take('post', ['nordur'], 64, 5)).toEqual(new Set(waiting.slice(3, 8)));
    expect(await take('post', ['nordur'], 64, 64)).toEqual(new Set(waiting.slice(8)));
    expect(await take('post', ['nordur'], 64, 64), 'what is due later waits').not.toContain(later);
  });

  it('is given out tenant by tenant, so that nobody waits behind all of another', async () => {
    const many: string[] = [];
    for (let number = 0; number < 6; number++) many.push(await posting('nordur', 'posting', 1_000));
    const few = [await posting('sudur', 'discovered', 1), await posting('sudur', 'discovered', 0.5)];
    const taken = await take('post', ['nordur', 'sudur'], 4);
    expect(few.every((id) => taken.has(id))).toBe(true);
    expect(many.filter((id) => taken.has(id))).toHaveLength(2);
  });

  it('at writing back is for what is posted, skipped or rejected, and for nothing else', async () => {
    const finished: string[] = [];
    for (const state of ['posted', 'writing_back', 'skipped', 'rejected'] as const)
      finished.push(await posting('sudur', state, 1));
    for (const state of ['discovered', 'mapped', 'posting'] as const) await posting('sudur', state, 10);
    expect(await take('write-back', ['sudur'], 64)).toEqual(new Set(finished));
  });
});
