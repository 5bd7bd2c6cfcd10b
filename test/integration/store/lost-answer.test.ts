// A statement of several commits whose answer is lost: it may stand, so none of them is made a second time.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createPostingStore } from '../../../src/store/posting-store.js';
import { DatabaseFailure, type Db } from '../../../src/store/db.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT as at, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

async function claimedInPosting() {
  const document = storedDocument('nordur', '');
  await prisma.document.create({ data: document });
  const { guid, tenantName, kind } = document;
  const id = randomUUID();
  const times = { stateSince: at, discoveredAt: at };
  const state = 'discovered';
  await prisma.posting.create({ data: { tenantName, kind, id, documentId: guid, key: id, state, ...times } });
  await prisma.posting.update({ where: { id }, data: { state: 'posting' } });
  const claim = await createPostingStore(database, 'worker').claim(id, 'me', 60_000);
  if (!claim) throw new Error(`${id} cannot be claimed`);
  return claim;
}

test('leaves one attempt of a settlement where the statement that began several was committed and its answer lost', async () => {
  await prisma.tenant.create({ data: { name: 'nordur', environment: 'development', createdAt: at } });
  await prisma.$executeRaw`INSERT INTO audit_entry (chain, actor, action, subject, details) VALUES ('nordur', 'test', 'began', 'nordur', '{}')`;
  const claims = await Promise.all([claimedInPosting(), claimedInPosting(), claimedInPosting()]);
  let ran = 0;
  const losing: Db = {
    ...database.indexed,
    rows: async (statement, ...values) => {
      const rows = await database.indexed.rows(statement, ...values);
      if (++ran === 1) throw new DatabaseFailure(new Error('Connection terminated unexpectedly'));
      return rows as never;
    },
  };
  const store = createPostingStore({ db: database.db, indexed: losing }, 'worker');
  const begin = (key: string) =>
    ({ act: 'begin', part: 'settlement', key, request: '{}', sendByMs: 1_000 }) as const;
  const commits = await Promise.allSettled(
    claims.map((claim) =>
      store.commit(claim, { action: 'intent', attempt: begin(`${claim.posting.key}-s`) }),
    ),
  );
  expect(commits.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  const attempts = await prisma.attempt.groupBy({ by: ['postingId'], _count: true });
  expect(attempts.map(({ _count }) => _count)).toEqual([1, 1, 1]);
});
