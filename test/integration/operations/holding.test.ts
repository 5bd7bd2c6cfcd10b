// A hold ends when the document moves on, by whatever hand: nothing is left behind that nobody can set going.
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../support/database.js';
import { ACT, type OperatorBed, operatorBed } from './operator-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

async function held(name: string): Promise<{ bed: OperatorBed; id: string }> {
  const bed = await operatorBed(database, name);
  const id = await bed.invoice('x');
  expect((await bed.operations.act('hold', [id], {}, ACT)).done).toEqual([id]);
  expect(await bed.row(id)).toMatchObject({ state: 'held', reason: 'HELD_BY_OPERATOR', dueAt: null });
  return { bed, id };
}

describe('what an operator held', () => {
  test('and then skipped goes on when it is replayed', async () => {
    const { bed, id } = await held('skipped-replayed');
    const { operations } = bed;
    expect((await operations.act('skip', [id], { writeBack: false }, ACT)).done).toEqual([id]);
    expect(await bed.row(id)).toMatchObject({ state: 'skipped' });
    const run = await operations.startReplay({ postingIds: [id] }, ACT);
    await operations.workOff({ runId: run.id });
    await bed.advance(id);
    expect(await bed.row(id)).toMatchObject({ state: 'acknowledged' });
  });

  test('and then skipped goes on when it is reopened at the source', async () => {
    const { bed, id } = await held('skipped-reopened');
    await bed.operations.act('skip', [id], {}, ACT);
    await bed.writeBack(id);
    const document = bed.service.documents.get('x')!;
    expect(document.accountingStatus).toBe('Skipped');
    document.accountingStatus = 'Created';
    await bed.sweep();
    expect(await bed.row(id)).toMatchObject({ state: 'discovered' });
    await bed.advance(id);
    expect(await bed.row(id)).toMatchObject({ state: 'acknowledged' });
  });

  test.each([
    ['deleted', { deleted: true }, 'gone'],
    ['taken back', { accountingStatus: 'New' }, 'New'],
  ])(
    'and then skipped when it was %s at the source counts as handed over no longer',
    async (what, so, status) => {
      const { bed, id } = await held(`skipped-${what.replaceAll(' ', '-')}`);
      const document = Object.assign(bed.service.documents.get('x')!, so);
      expect((await bed.operations.act('skip', [id], {}, ACT)).done).toEqual([id]);
      const stored = { tenantName: bed.tenant.name, guid: 'x' };
      expect(await bed.prisma.document.findFirst({ where: stored })).toMatchObject({ sourceStatus: status });
      Object.assign(document, { deleted: false, accountingStatus: 'Created' });
      // What was gone is not read again within the moment.
      await bed.prisma.$executeRaw`
        UPDATE posting SET discovered_at = discovered_at - interval '1 hour', state_since = state_since - interval '1 hour'
        WHERE id = ${id}::uuid`;
      await bed.sweep();
      expect(await bed.row(id), 'handed over anew').toMatchObject({ state: 'discovered' });
    },
  );

  test('and then marked as posted is held no more', async () => {
    const { bed, id } = await held('marked');
    const other = await bed.invoice('y');
    await bed.advance(other);
    const [entry] = bed.books.entries;
    bed.books.entries.push({ ...entry!, reference: { id: 'by-hand' }, key: '' });
    await bed.operations.act('mark-posted', [id], { entry: 'by-hand', acceptDifferences: true }, ACT);
    expect(await bed.row(id)).toMatchObject({ state: 'posted' });
  });

  test('is the only thing that a release is for', async () => {
    const bed = await operatorBed(database, 'free');
    const id = await bed.invoice('x');
    expect((await bed.operations.act('release', [id], {}, ACT)).refused).toMatchObject([
      { why: 'No operator holds it.' },
    ]);
  });
});
