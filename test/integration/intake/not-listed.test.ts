// What was deleted at the source while a person, or another process, has the document in hand.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIntakeStore } from '../../../src/store/intake-store.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT as at, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma } = database;
const store = createIntakeStore(database.db, 'worker');
afterAll(() => database.close());
beforeAll(async () => {
  await prisma.tenant.create({ data: { name: 'nordur', environment: 'development', createdAt: at } });
  await prisma.$executeRaw`INSERT INTO audit_entry (chain, actor, action, subject, details) VALUES ('nordur', 'test', 'began', 'nordur', '{}')`;
});

async function parked() {
  const document = storedDocument('nordur');
  await prisma.document.create({ data: document });
  const { guid, tenantName, kind } = document;
  const id = randomUUID();
  const times = { stateSince: at, discoveredAt: at };
  await prisma.posting.create({
    data: { tenantName, kind, id, documentId: guid, key: id, state: 'discovered', ...times },
  });
  await prisma.posting.update({ where: { id }, data: { state: 'parked' } });
  return { id, guid };
}

describe('a parked document that was deleted at the source', () => {
  test('is over', async () => {
    const { id, guid } = await parked();
    const begun = await store.beginSweep('nordur', 'invoice', 'full');
    expect(await store.unlisted(begun, 'nordur', 'invoice', 10)).toContain(guid);
    await store.recordReadAgain(begun, 'nordur', 'invoice', [{ guid, status: 'gone' }]);
    expect(await prisma.posting.findUnique({ where: { id } })).toMatchObject({ state: 'skipped' });
  });

  test.each([
    { what: 'is replayed', data: { state: 'discovered', fence: 1 } },
    {
      what: 'is claimed',
      data: { leaseOwner: 'a person', leaseUntil: new Date(Date.now() + 60_000), fence: 1 },
    },
  ])('and $what in the same moment is left to whoever has it, and is asked for again', async ({ data }) => {
    const { id, guid } = await parked();
    const begun = await store.beginSweep('nordur', 'invoice', 'full');
    let ended: Promise<void> = Promise.resolve();
    await prisma.$transaction(async (tx) => {
      await tx.posting.update({ where: { id }, data });
      ended = store.recordReadAgain(begun, 'nordur', 'invoice', [{ guid, status: 'gone' }]);
      await sleep(300);
    });
    await ended;
    expect(await prisma.posting.findUnique({ where: { id } })).toMatchObject({ state: 'parked', ...data });
    expect(await prisma.auditEntry.count({ where: { subject: id } })).toBe(0);
    // When it rests again, the next sweep finds that it is not listed.
    expect(await prisma.document.findUnique({ where: { id: guid } })).toMatchObject({
      sourceStatus: 'Created',
    });
  });
});
