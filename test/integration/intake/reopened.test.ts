// A document that was settled without a booking, and that a person hands over again.
import { afterAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../support/database.js';
import { intakeBed, type IntakeBed } from './intake-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

/** An invoice of nothing: skipped, and Skipped is to be written at the source. */
async function skipped(name: string) {
  const bed = await intakeBed(database, name);
  const document = bed.handOver('x', { amount: 0, net: 0, amounts: [0] });
  await bed.sweep();
  await bed.post('x');
  return {
    bed,
    document,
    mendAndHandOver: () =>
      Object.assign(document, { accountingStatus: 'Created', amount: 1240, net: 1000, amounts: [1240] }),
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
  const pass = (id: string, hours: number) => database.prisma.$executeRaw`
    UPDATE posting SET discovered_at = discovered_at - ${hours} * interval '1 hour',
      state_since = state_since - ${hours} * interval '1 hour' WHERE id = ${id}::uuid`;

  it('begins anew when a list shows it after all', async () => {
    const bed = await intakeBed(database, 'not-gone');
    bed.handOver('x');
    await bed.sweep();
    await bed.post('x', gone);
    const { id, ...left } = await bed.row('x');
    expect(left).toMatchObject({ state: 'skipped', reason: 'SOURCE_DELETED' });
    await pass(id, 0.1);
    expect(await stateAfterSweep(bed)).toBe('discovered');
    expect((await bed.row('x')).dueAt).not.toBeNull();
  });

  it('is read less and less often while it is only listed, and after a day somebody is told', async () => {
    const bed = await intakeBed(database, 'only-listed');
    bed.handOver('x');
    await bed.sweep();
    const { id } = await bed.row('x');
    const alarms = () =>
      database.prisma.incident.count({ where: { postingId: id, code: 'LISTED_BUT_GONE' } });
    await pass(id, 0.4);
    await bed.post('x', gone);
    await pass(id, 0.3);
    expect(await stateAfterSweep(bed), 'gone for less than it was known').toBe('skipped');
    await pass(id, 0.2);
    expect(await stateAfterSweep(bed), 'gone for as long').toBe('discovered');
    await pass(id, 23);
    await bed.post('x', gone);
    await pass(id, 0.9);
    expect(await stateAfterSweep(bed), 'gone for less than an hour').toBe('skipped');
    expect(await alarms()).toBe(0);
    await pass(id, 0.2);
    expect(await stateAfterSweep(bed), 'gone for an hour').toBe('discovered');
    expect(await alarms()).toBe(1);
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

describe('a document that is Posted, and that a list shows as Created', () => {
  async function acknowledged(name: string) {
    const bed = await intakeBed(database, name);
    bed.handOver('x');
    await bed.sweep();
    const { store } = bed.stage;
    const { id } = await bed.row('x');
    let claim = (await store.claim(id, 'worker', 60_000))!;
    const moves = [
      { to: 'mapped' },
      { to: 'posting' },
      { to: 'posted', reference: { part: 'main', reference: { id: 'e1' } } },
      { to: 'writing_back', writeBack: { act: 'decide', wanted: 'Posted', message: '' } },
      { to: 'acknowledged', reason: null, writeBack: { act: 'acknowledged' }, release: true, dueInMs: null },
    ] as const;
    for (const move of moves) claim = await store.commit(claim, { action: 'moved', ...move });
    return { bed, id };
  }
  const alarms = (id: string) =>
    database.prisma.incident.count({
      where: { postingId: id, code: 'POSTED_REOPENED', severity: 'critical' },
    });

  it('is no alarm while the list may only be behind, and one afterwards; it is not booked again', async () => {
    const { bed, id } = await acknowledged('posted-again');
    expect(await stateAfterSweep(bed)).toBe('acknowledged');
    expect(await alarms(id)).toBe(0);
    await database.prisma
      .$executeRaw`UPDATE posting SET acknowledged_at = now() - interval '16 minutes' WHERE id = ${id}::uuid`;
    expect(await stateAfterSweep(bed)).toBe('acknowledged');
    expect(await alarms(id)).toBe(1);
  });
});
