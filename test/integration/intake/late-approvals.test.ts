// Documents that are approved long after their date, and what may hide them: deletions that make up for them in the source's
// count, and full sweeps that are killed half-way.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { sweep } from '../../../src/sync/intake.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, intakeBed } from './intake-bed.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

const OLD = '2026-01-05';

/** As if the last full sweep had been so long ago. */
const daysPass = (tenantName: string) =>
  prisma.$executeRaw`UPDATE cursor SET last_full_sweep_at = now() - interval '16 minutes' WHERE tenant_name = ${tenantName}`;

async function withParked(name: string) {
  const bed = await intakeBed(database, name);
  const parked = bed.handOver('parked');
  await bed.sweep();
  await prisma.posting.updateMany({
    where: { tenantName: name },
    data: { state: 'parked', reason: 'AMBIGUOUS_VAT', dueAt: null },
  });
  return { bed, parked };
}

describe('a late approval', () => {
  it('is found within a quarter of an hour although a parked document was deleted at the same moment', async () => {
    const { bed, parked } = await withParked('swapped');
    parked.deleted = true;
    bed.handOver('late', { issueDate: OLD });
    expect(await bed.sweep()).toMatchObject({ mode: 'fast', discovered: 0 });
    await daysPass('swapped');
    expect(await bed.sweep()).toMatchObject({ mode: 'full', discovered: 1 });
    expect(await bed.row('parked')).toMatchObject({
      state: 'skipped',
      reason: 'SOURCE_DELETED',
      document: { sourceStatus: 'gone' },
    });
  });

  it('is found at once when nothing hides it', async () => {
    const { bed } = await withParked('alone');
    bed.handOver('late', { issueDate: OLD });
    expect(await bed.sweep()).toMatchObject({ mode: 'full', discovered: 1 });
  });
});

describe('what a complete list does not show', () => {
  it('is told to a person when it was deleted and may be in the books', async () => {
    const { bed, parked } = await withParked('in-doubt');
    const { id } = await bed.row('parked');
    await prisma.attempt.create({
      data: {
        id,
        postingId: id,
        number: 1,
        fence: 1,
        part: 'main',
        key: 'k',
        request: '{}',
        startedAt: new Date(),
        sendBy: new Date(),
        outcome: 'unknown',
      },
    });
    parked.deleted = true;
    await daysPass('in-doubt');
    await bed.sweep();
    expect(await bed.row('parked')).toMatchObject({ state: 'parked', document: { sourceStatus: 'gone' } });
    expect(await prisma.incident.findFirst({ where: { postingId: id } })).toMatchObject({
      code: 'PARKED_AND_GONE',
      severity: 'critical',
    });
  });

  it('is told to a person when it was deleted, and a restored database may have forgotten that it was booked', async () => {
    const { bed, parked } = await withParked('forgotten');
    const { id } = await bed.row('parked');
    parked.deleted = true;
    await prisma.$executeRaw`UPDATE bridge SET restored_at = now(), look_up_first_until = now() + interval '1 day'`;
    await daysPass('forgotten');
    await bed.sweep();
    await prisma.$executeRaw`UPDATE bridge SET restored_at = NULL, look_up_first_until = NULL`;
    expect(await bed.row('parked')).toMatchObject({ state: 'parked', document: { sourceStatus: 'gone' } });
    expect(await prisma.incident.findMany({ where: { postingId: id } })).toMatchObject([
      { code: 'PARKED_AND_GONE', severity: 'critical', state: 'open' },
    ]);
  });

  it('stays as it is when the list was only late', async () => {
    const { bed } = await withParked('late-list');
    await daysPass('late-list');
    const page = { documents: [], problems: [], hasMore: false, fingerprint: '' };
    await bed.sweep({ list: () => Promise.resolve(page), count: () => Promise.resolve(0) });
    expect(await bed.row('parked')).toMatchObject({ state: 'parked', document: { sourceStatus: 'Created' } });
  });
});

it('a full sweep that is killed half-way is made again', async () => {
  const { bed } = await withParked('killed');
  await daysPass('killed');
  const cursor = () => prisma.cursor.findFirstOrThrow({ where: { tenantName: 'killed' } });
  await new Promise<void>((reached) => {
    const list = () => {
      reached();
      return new Promise<never>(() => undefined);
    };
    void bed.sweep({ list });
  });
  expect(await cursor()).toMatchObject({ fullSweepDue: true });
  expect(await bed.sweep()).toMatchObject({ mode: 'full', outcome: 'complete' });
  expect(await cursor()).toMatchObject({ fullSweepDue: false });
});

it('a sweep is complete although the records take their time to count what it listed', async () => {
  const bed = await intakeBed(database, 'slow-count');
  bed.handOver('one');
  const { store } = bed.intake;
  const countWaiting: typeof store.countWaiting = async (...asked) => {
    await sleep(60);
    return store.countWaiting(...asked);
  };
  const intake = { ...bed.intake, store: { ...store, countWaiting } };
  expect(await sweep(intake, bed.tenant, 'invoice', CUT_OVER)).toMatchObject({
    outcome: 'complete',
    pages: 2,
  });
});
