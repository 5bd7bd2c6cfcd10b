// A document that was settled without a booking, and that a person hands over again.
import { afterAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../support/database.js';
import { intakeBed, type IntakeBed } from './intake-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

/** Cancelled at the source: skipped, and Skipped is to be written there. */
async function skipped(name: string) {
  const bed = await intakeBed(database, name);
  const document = bed.handOver('x', { status: 'Cancelled' });
  await bed.sweep();
  await bed.post('x');
  return {
    bed,
    document,
    mendAndHandOver: () => Object.assign(document, { accountingStatus: 'Created', status: 'Sent' }),
  };
}

async function stateAfterSweep(bed: IntakeBed): Promise<string> {
  await bed.sweep();
  return (await bed.row('x')).state;
}

describe('a document that was skipped and is handed over again', () => {
  it('begins anew', async () => {
    const { bed, mendAndHandOver } = await skipped('anew');
    await bed.writeBack('x');
    expect(await bed.row('x')).toMatchObject({ state: 'skipped', document: { sourceStatus: 'Skipped' } });
    mendAndHandOver();
    expect(await stateAfterSweep(bed)).toBe('discovered');
  });

  it('begins anew though a list from before our Skipped was recorded after it', async () => {
    const { bed, document, mendAndHandOver } = await skipped('old-list');
    let acknowledged: Promise<void> | null = null;
    await bed.sweep({
      list: async (query, page) => {
        const read = await bed.tenant.source.list(query, page);
        await (acknowledged ??= bed.writeBack('x'));
        return read;
      },
    });
    expect(document.accountingStatus).toBe('Skipped');
    expect(await bed.row('x')).toMatchObject({ state: 'skipped', document: { sourceStatus: 'Skipped' } });
    mendAndHandOver();
    expect(await stateAfterSweep(bed)).toBe('discovered');
  });

  it('begins anew though somebody died over it, once that lease has run out', async () => {
    const { bed, mendAndHandOver } = await skipped('dead-desk');
    await bed.writeBack('x');
    const { id } = await bed.row('x');
    const LEASE_MS = 60_000;
    await bed.stage.store.claim(id, 'operator', LEASE_MS);
    mendAndHandOver();
    expect(await stateAfterSweep(bed), 'while somebody has it').toBe('skipped');
    await database.prisma
      .$executeRaw`UPDATE posting SET lease_until = now() - interval '1 second' WHERE id = ${id}::uuid`;
    expect(await stateAfterSweep(bed), 'when nobody has it any more').toBe('discovered');
  });
});

describe('a document that was skipped, and that a list still shows as Created', () => {
  it('is skipped again when it is read, and begins anew when it is handed over after all', async () => {
    const { bed, document, mendAndHandOver } = await skipped('list-behind');
    await bed.writeBack('x');
    const asBefore = { ...document, accountingStatus: 'Created' };
    const listed = {
      ...asBefore,
      amount: '1240',
      currency: 'ISK',
      counterpartyName: '',
      updatedTimestamp: '',
    };
    const page = { problems: [], hasMore: false, fingerprint: 'x' };
    await bed.sweep({
      count: () => Promise.resolve(1),
      list: () => Promise.resolve({ ...page, documents: [{ ...listed, counterpartyKennitala: '' }] }),
    });
    expect(await bed.row('x'), 'the list is believed').toMatchObject({ state: 'discovered' });
    await bed.post('x');
    expect(await bed.row('x')).toMatchObject({
      state: 'skipped',
      reason: 'NOT_CREATED',
      dueAt: null,
      document: { sourceStatus: 'Skipped' },
    });
    mendAndHandOver();
    expect(await stateAfterSweep(bed)).toBe('discovered');
  });
});

describe('a document that the source said is gone', () => {
  const gone = { get: () => Promise.resolve({ outcome: 'gone' } as const) };

  it('begins anew when a list shows it after all', async () => {
    const bed = await intakeBed(database, 'not-gone');
    bed.handOver('x');
    await bed.sweep();
    await bed.post('x', gone);
    expect(await bed.row('x')).toMatchObject({ state: 'skipped', reason: 'SOURCE_DELETED' });
    expect(await stateAfterSweep(bed)).toBe('discovered');
    expect((await bed.row('x')).dueAt).not.toBeNull();
  });

  it('counts as waiting no longer, so that one approved long after its date is noticed', async () => {
    const bed = await intakeBed(database, 'late-approval');
    const deleted = bed.handOver('deleted');
    await bed.sweep();
    deleted.deleted = true;
    await bed.post('deleted');
    bed.handOver('late', { issueDate: '2026-02-01' });
    expect(await bed.sweep()).toMatchObject({ mode: 'full', discovered: 1 });
  });
});
