// The last line: what the database refuses by itself, whatever code is wrong above it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLegalMove, POSTING_STATES, type PostingState } from '../../../src/domain/posting.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT as at, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

beforeAll(async () => {
  await prisma.tenant.create({ data: { name: 'nordur', environment: 'development', createdAt: at } });
});

async function document(): Promise<string> {
  const { id } = await prisma.document.create({ data: storedDocument('nordur') });
  return id;
}

function discovered(documentId: string, generation = 0) {
  const id = randomUUID();
  const row = { id, documentId, tenantName: 'nordur', kind: 'invoice', key: id, generation, fence: 5 };
  return { ...row, state: 'discovered', stateSince: at, discoveredAt: at };
}

async function posting(state: PostingState = 'discovered'): Promise<string> {
  const { id } = await prisma.posting.create({ data: discovered(await document()) });
  if (state !== 'discovered') await force(id, state);
  return id;
}

/** Puts a posting where a test needs it, past the guards. */
async function force(id: string, state: PostingState): Promise<void> {
  await prisma.$transaction([
    prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
    prisma.posting.update({ where: { id }, data: { state } }),
  ]);
}

describe('the database', () => {
  it.each(POSTING_STATES)(
    'lets a posting that is %s go where the domain lets it, and nowhere else',
    async (from) => {
      const id = await posting(from);
      for (const to of POSTING_STATES.filter((state) => state !== from)) {
        const move = prisma.posting.update({ where: { id }, data: { state: to } });
        if (isLegalMove(from, to)) {
          await move;
          await force(id, from);
        } else {
          await expect(move, `${from} → ${to}`).rejects.toThrow(`may not move from ${from} to ${to}`);
        }
      }
    },
  );

  it('lets a posting begin only as discovered', async () => {
    const born = prisma.posting.create({ data: { ...discovered(await document()), state: 'posted' } });
    await expect(born).rejects.toThrow('a posting begins as discovered, not as posted');
  });

  it('lets a second generation begin only after the first was reversed', async () => {
    const documentId = await document();
    const { id } = await prisma.posting.create({ data: discovered(documentId) });
    const second = () => prisma.posting.create({ data: discovered(documentId, 1) });
    await expect(second()).rejects.toThrow('needs the one before it to be reversed');
    await force(id, 'reversed');
    await second();
  });

  it('lets a generation rise by one, and only after the entry was reversed', async () => {
    const id = await posting('acknowledged');
    const rise = (generation: number) =>
      prisma.posting.update({ where: { id }, data: { generation, key: `${id}/${String(generation)}` } });
    await expect(rise(1)).rejects.toThrow('only after it was reversed');
    await force(id, 'reversed');
    await expect(rise(2)).rejects.toThrow('rises by one');
    await rise(1);
  });

  it('lets no fence fall', async () => {
    const id = await posting();
    await expect(prisma.posting.update({ where: { id }, data: { fence: 4 } })).rejects.toThrow(
      'would fall from 5 to 4',
    );
    await prisma.posting.update({ where: { id }, data: { fence: 6 } });
  });

  it('keeps the key of a posting within a generation', async () => {
    const id = await posting();
    await expect(prisma.posting.update({ where: { id }, data: { key: 'another' } })).rejects.toThrow(
      'keeps its key',
    );
  });

  it('holds one posting per key', async () => {
    const key = await posting();
    const twin = prisma.posting.create({ data: { ...discovered(await document()), key } });
    await expect(twin).rejects.toThrow(/unique constraint/i);
  });

  it('never lets a posting go', async () => {
    const id = await posting();
    await expect(prisma.posting.delete({ where: { id } })).rejects.toThrow('a posting is never deleted');
    await expect(prisma.$executeRaw`TRUNCATE posting CASCADE`).rejects.toThrow('are never removed');
    expect(await prisma.posting.count({ where: { id } })).toBe(1);
  });

  const attempt = (postingId: string, part = 'main') => ({
    id: randomUUID(),
    postingId,
    number: 1,
    fence: 5,
    part,
    key: 'K',
    request: '{"amount":"1240"}',
    startedAt: at,
    sendBy: at,
  });

  it('keeps the request of an attempt as it was when it was sent', async () => {
    const sent = attempt(await posting());
    await prisma.attempt.create({ data: sent });
    const rewrite = prisma.attempt.update({ where: { id: sent.id }, data: { request: '{"amount":"1"}' } });
    await expect(rewrite).rejects.toThrow('is on record and is not rewritten');
    await expect(prisma.attempt.delete({ where: { id: sent.id } })).rejects.toThrow('are never removed');
    await prisma.attempt.update({ where: { id: sent.id }, data: { outcome: 'created', finishedAt: at } });
  });

  it('sends no document of a summary by itself, whoever else is in the statement', async () => {
    const [member, summary, another] = [await posting(), await posting(), await posting()];
    const taken = {
      postingId: member,
      generation: 0,
      summaryId: summary,
      summaryKey: 'S',
      position: 1,
      takenAt: at,
    };
    await prisma.summaryMember.create({ data: taken });
    const both = prisma.attempt.createMany({ data: [attempt(another), attempt(member)] });
    await expect(both).rejects.toThrow(`posting ${member} is in a summary`);
    expect(await prisma.attempt.count({ where: { postingId: { in: [another, member] } } })).toBe(0);
    await prisma.attempt.createMany({
      data: [attempt(another), attempt(summary), attempt(member, 'reversal')],
    });
  });
});
