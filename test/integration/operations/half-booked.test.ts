// A document whose entry is in the books while the ERP refuses its settlement: until that is mended, the source may change.
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { reversalKey } from '../../../src/domain/posting-key.js';
import { message } from '../../../src/language/messages.js';
import { say } from '../../../src/language/say.js';
import { testDatabase } from '../../support/database.js';
import { ACT, operatorBed } from './operator-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

async function withSettlementRefused(name: string) {
  const bed = await operatorBed(database, name);
  const id = await bed.invoice('paid');
  await bed.mapAsPaid(id);
  bed.books.declines = (key) => key.startsWith('S');
  await bed.advance(id);
  expect(await bed.row(id)).toMatchObject({
    state: 'held',
    reason: 'ERP_CONFIGURATION',
    erpReference: '{"id":"e1"}',
    settlementReference: null,
  });
  bed.books.declines = () => false;
  const document = bed.service.documents.get('paid')!;
  const replay = async () => {
    const run = await bed.operations.startReplay({ postingIds: [id] }, ACT);
    await bed.operations.workOff({ runId: run.id });
    await bed.advance(id);
  };
  return { bed, id, document, replay };
}

describe('a document of which only the entry is in the books', () => {
  test('is not Posted with another content, however often it is replayed after an edit', async () => {
    const { bed, id, document, replay } = await withSettlementRefused('edited');
    Object.assign(document, { amount: 2480, net: 2000 });
    await replay();
    expect(await bed.row(id)).toMatchObject({ state: 'parked', reason: 'CONTENT_CHANGED' });
    await replay();
    await bed.writeBack(id);
    expect(await bed.row(id)).toMatchObject({ state: 'parked', reason: 'CONTENT_CHANGED' });
    expect(document.accountingStatus).toBe('Created');
    const told = { postingId: id, code: 'CONTENT_CHANGED', state: 'open' };
    expect(await bed.prisma.incident.count({ where: told })).toBe(1);
  });

  test('is orphaned when it is deleted at the source, not skipped', async () => {
    const { bed, id, document, replay } = await withSettlementRefused('deleted');
    document.deleted = true;
    await replay();
    expect(await bed.row(id)).toMatchObject({ state: 'orphaned', reason: 'ORPHANED' });
    expect(await bed.prisma.incident.count({ where: { postingId: id, code: 'ORPHANED' } })).toBe(1);
    await bed.operations.act('reverse', [id], {}, ACT);
    expect(bed.books.reversed).toEqual(['e1']);
  });

  test('is not replayed while a reversal of its entry may be in the ERP: its settlement would stand alone', async () => {
    const { bed, id, document } = await withSettlementRefused('reversal-begun');
    Object.assign(document, { amount: 2480, net: 2000 });
    const run = await bed.operations.startReplay({ postingIds: [id] }, ACT);
    await bed.operations.workOff({ runId: run.id });
    await bed.advance(id);
    const { state, key } = await bed.row(id);
    expect(state).toBe('parked');
    const begun = {
      ...{ postingId: id, number: 90, fence: 1, part: 'reversal', key: reversalKey(key), request: '{}' },
      ...{ startedAt: new Date(), sendBy: new Date(), sends: 1, lastSentAt: new Date() },
    };
    const attempt = await bed.prisma.attempt.create({ data: { id: randomUUID(), ...begun } });
    const previewed = async () =>
      (await bed.operations.previewReplay({ postingIds: [id] }, {})).groups.map(({ eligible }) => eligible);
    expect(await previewed()).toEqual([false]);
    const again = await bed.operations.startReplay({ postingIds: [id] }, ACT);
    await bed.operations.workOff({ runId: again.id });
    expect((await bed.operations.run(again.id)).refusals).toEqual([
      { why: say('en', message('REVERSAL_BEGUN')), count: 1 },
    ]);
    expect(await bed.row(id)).toMatchObject({ state: 'parked', settlementReference: null });
    // The ERP refused it: nothing was undone, and the rest may be booked.
    await bed.prisma.attempt.update({ where: { id: attempt.id }, data: { outcome: 'rejected' } });
    expect(await previewed()).toEqual([true]);
  });

  test('is not told to the source as skipped when the rules skip it by now', async () => {
    const { bed, id, document, replay } = await withSettlementRefused('skipped-by-rules');
    Object.assign(bed.tenant, { rules: { ...bed.tenant.rules, skip: { series: ['paid'] } } });
    await replay();
    expect(await bed.row(id)).toMatchObject({ state: 'parked', reason: 'SKIPPED_SERIES' });
    await bed.writeBack(id);
    expect(document.accountingStatus).toBe('Created');
  });

  test('keeps the journal that was sent on record, whatever the rules say by now', async () => {
    const { bed, id, replay } = await withSettlementRefused('other-rules');
    const { journal } = await bed.row(id);
    const accounts = { ...bed.tenant.rules.accounts, receivable: '1599' };
    Object.assign(bed.tenant, { rules: { ...bed.tenant.rules, accounts } });
    await replay();
    expect(await bed.row(id)).toMatchObject({ state: 'acknowledged', journal });
  });

  test('is all in the books when its payment is taken back, and is not looked at for ever', async () => {
    const { bed, id, document, replay } = await withSettlementRefused('taken-back');
    await replay();
    expect(await bed.row(id)).toMatchObject({ state: 'acknowledged', settlement: null });
    await bed.writeBack(id);
    expect(await bed.row(id)).toMatchObject({ state: 'acknowledged' });
    expect(document.accountingStatus).toBe('Posted');
    expect(bed.books.entries).toHaveLength(1);
  });
});
