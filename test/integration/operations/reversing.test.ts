// Reversals of documents that are two entries in the ERP, the second of which may be lost from sight.
import { afterAll, describe, expect, test } from 'vitest';
import { ENGLISH } from '../../../src/dashboard/language/en.js';
import { actForm } from '../../../src/dashboard/views/act-dialog.js';
import type { Visit } from '../../../src/dashboard/visit.js';
import { reversalKey } from '../../../src/domain/posting-key.js';
import { testDatabase } from '../../support/database.js';
import { ACT, type OperatorBed, operatorBed } from './operator-bed.js';

const english = { language: 'en', text: ENGLISH } as unknown as Visit;
const database = await testDatabase();
afterAll(() => database.close());

describe('a document whose settlement may be in the books', () => {
  /** The settlement arrived, its answer was lost, and the ERP shows it late: parked. */
  async function withSettlementUnknown(name: string): Promise<{ bed: OperatorBed; id: string }> {
    const bed = await operatorBed(database, name, { lookUp: 'posted' });
    const { books } = bed;
    const id = await bed.invoice('paid');
    await bed.mapAsPaid(id);
    books.losesAnswer = (key) => key.startsWith('S');
    await bed.advance(id);
    await bed.fifteenMinutesPass();
    books.visible = false;
    await bed.advance(id);
    expect(await bed.row(id)).toMatchObject({
      state: 'parked',
      reason: 'OUTCOME_UNKNOWN',
      erpReference: '{"id":"e1"}',
      settlementReference: null,
    });
    books.visible = true;
    books.losesAnswer = () => false;
    return { bed, id };
  }

  const replay = async ({ operations, advance }: OperatorBed, id: string) => {
    const run = await operations.startReplay({ postingIds: [id] }, ACT);
    await operations.workOff({ runId: run.id });
    await advance(id);
  };

  test.each([
    ['reversed', 'act', {}],
    ['reversed and reposted', 'act', { repost: true }],
    ['shown what a reversal would do', 'previewAct', {}],
  ] as const)('is not %s: the operator hears what to do first', async (what, how, input) => {
    const { bed, id } = await withSettlementUnknown(what.replaceAll(' ', '-'));
    await expect(bed.operations[how]('reverse', [id], input, ACT)).rejects.toMatchObject({
      code: 'ACT_NOT_POSSIBLE',
      message:
        'It is not known whether the ERP has its settlement. Replay it, then the bridge finds out; if you looked and it is surely not there, say so with --surely-absent.',
    });
    expect(bed.books.reversed).toEqual([]);
    const open = { postingId: id, code: 'OUTCOME_UNKNOWN', state: 'open' };
    expect(await bed.prisma.incident.count({ where: open })).toBe(1);
  });

  test('is found by a replay, and can then be reversed as a whole', async () => {
    const { bed, id } = await withSettlementUnknown('found');
    await replay(bed, id);
    expect(await bed.row(id)).toMatchObject({ state: 'acknowledged', settlementReference: '{"id":"e2"}' });
    await bed.operations.act('reverse', [id], {}, ACT);
    expect(await bed.row(id)).toMatchObject({ state: 'reversed' });
    expect(bed.books.reversed).toEqual(['e2', 'e1']);
  });

  test('is reversed without it once somebody looked and it is surely not there', async () => {
    const { bed, id } = await withSettlementUnknown('absent');
    bed.books.entries.splice(1, 1);
    await replay(bed, id);
    expect(await bed.row(id)).toMatchObject({ state: 'parked', reason: 'OUTCOME_UNKNOWN' });
    expect((await bed.operations.explain(id)).actions).toContain('reverse');
    await bed.operations.act('reverse', [id], { surelyAbsent: true, repost: true }, ACT);
    expect(bed.books.reversed).toEqual(['e1']);
    await bed.mapAsPaid(id);
    await bed.advance(id);
    expect(await bed.row(id)).toMatchObject({ state: 'acknowledged', generation: 1 });
    expect(bed.books.liveSettlements()).toHaveLength(1);
    const open = { postingId: id, code: 'OUTCOME_UNKNOWN', state: 'open' };
    expect(await bed.prisma.incident.count({ where: open })).toBe(0);
  });

  test('is not taken for absent on somebody’s word while the ERP shows it', async () => {
    const { bed, id } = await withSettlementUnknown('shown');
    await expect(bed.operations.act('reverse', [id], { surelyAbsent: true }, ACT)).rejects.toMatchObject({
      code: 'ACT_NOT_POSSIBLE',
      message: expect.stringContaining('The ERP shows an entry under key S') as string,
    });
    expect(bed.books.reversed).toEqual([]);
  });

  test('is not taken for absent while it may still be on its way', async () => {
    const { bed, id } = await withSettlementUnknown('on-its-way');
    bed.books.entries.splice(1, 1);
    await bed.prisma.attempt.updateMany({ where: { postingId: id }, data: { lastSentAt: new Date() } });
    await expect(bed.operations.act('reverse', [id], { surelyAbsent: true }, ACT)).rejects.toMatchObject({
      message: expect.stringContaining('within the last 15 minutes') as string,
    });
    expect(bed.books.reversed).toEqual([]);
  });

  test('gets no second one by a replay, though a reversal was tried in between', async () => {
    const { bed, id } = await withSettlementUnknown('tried');
    const { store } = bed.stage;
    const claim = (await store.claim(id, 'operator', 60_000))!;
    const key = reversalKey(claim.posting.key);
    const begun = await store.commit(claim, {
      action: 'reversal-intent',
      attempt: { act: 'begin', part: 'reversal', key, request: '{}', sendByMs: 1_000 },
    });
    await store.commit(begun, {
      action: 'reversal-rejected',
      attempt: { act: 'finish', outcome: 'rejected', message: 'The period is closed.', reversal: key },
      release: true,
    });
    await replay(bed, id);
    expect(await bed.row(id)).toMatchObject({ state: 'acknowledged' });
    expect(bed.books.liveSettlements()).toEqual(['e2']);
  });
});

test('a reversal that failed half-way reverses no part twice when it is asked for again, though the ERP cannot be searched', async () => {
  const bed = await operatorBed(database, 'half-way', { lookUp: 'none', idempotency: 'none' });
  const { books, operations } = bed;
  const id = await bed.invoice('paid');
  await bed.mapAsPaid(id);
  await bed.advance(id);
  expect(await bed.row(id)).toMatchObject({ state: 'acknowledged', settlementReference: '{"id":"e2"}' });
  books.refusal = (entry) => (entry === 'e1' ? { outcome: 'transient', message: 'busy' } : null);
  await expect(operations.act('reverse', [id], {}, ACT)).rejects.toMatchObject({ code: 'ERP_NOT_ANSWERING' });
  expect(books.reversed).toEqual(['e2']);
  books.refusal = () => null;
  const done = await operations.act('reverse', [id], {}, ACT);
  expect(done.entries).toMatchObject([
    { part: 'settlement', original: 'e2', reversal: 'r1' },
    { part: 'main', original: 'e1', reversal: 'r2' },
  ]);
  expect(books.reversed).toEqual(['e2', 'e1']);
});

test('a reversal of which nothing is known is sent again from the page too, once somebody says there that it is surely absent', async () => {
  const bed = await operatorBed(database, 'reversal-unknown', { lookUp: 'none', idempotency: 'none' });
  const { books, operations } = bed;
  const id = await bed.invoice('x');
  await bed.advance(id);
  const dialog = async () => actForm(english, await operations.explain(id), 'reverse').text;
  expect(await dialog()).not.toContain('surelyAbsent');
  books.refusal = () => ({ outcome: 'unknown', message: 'no answer' });
  await expect(operations.act('reverse', [id], {}, ACT)).rejects.toMatchObject({ code: 'REVERSAL_UNKNOWN' });
  const asked = await dialog();
  expect(asked).toContain('name="surelyAbsent"');
  expect(asked).toContain(ENGLISH.actions.reverse.fields.surelyAbsent.label);
  books.refusal = () => null;
  await bed.fifteenMinutesPass();
  await expect(operations.act('reverse', [id], {}, ACT)).rejects.toMatchObject({ code: 'REVERSAL_UNKNOWN' });
  await operations.act('reverse', [id], { surelyAbsent: true }, ACT);
  expect(await bed.row(id)).toMatchObject({ state: 'reversed' });
});

describe('a reversal of an entry in the books', () => {
  async function posted(name: string) {
    const bed = await operatorBed(database, name);
    const id = await bed.invoice('x');
    await bed.advance(id);
    const { state, key } = await bed.row(id);
    expect(state).toBe('acknowledged');
    return { bed, id, key: reversalKey(key) };
  }

  test('is not sent by a process that slept after it was put on record: another may have sent its own meanwhile', async () => {
    const { bed, id } = await posted('slept');
    const awake = bed.clock.now;
    let looks = 0;
    bed.clock.now = () => new Date(awake().getTime() + 11_000 * looks++);
    await expect(bed.operations.act('reverse', [id], {}, ACT)).rejects.toMatchObject({
      code: 'POSTING_BUSY',
    });
    expect(bed.books.reversed).toEqual([]);
    bed.clock.now = awake;
    await bed.operations.act('reverse', [id], {}, ACT);
    expect(bed.books.reversed).toEqual(['e1']);
  });

  test('is on record in the same moment as its document: a crash between them would leave it booked with nothing in the books', async () => {
    const { bed, id, key } = await posted('one-commit');
    await bed.operations.act('reverse', [id], {}, ACT);
    const together = await bed.prisma.$queryRaw`
      SELECT p.state, a.outcome, a.xmin::text = p.xmin::text AS together
      FROM posting p JOIN attempt a ON a.posting_id = p.id AND a.key = ${key} WHERE p.id = ${id}::uuid`;
    expect(together).toEqual([{ state: 'reversed', outcome: 'posted', together: true }]);
  });

  test('is not sent where the ERP shows several of it', async () => {
    const { bed, id, key } = await posted('several');
    for (const number of ['r1', 'r2'])
      bed.books.entries.push({
        reference: { id: number },
        key,
        state: 'posted',
        postingDate: '2026-11-15',
        lines: [],
      });
    await expect(bed.operations.act('reverse', [id], {}, ACT)).rejects.toMatchObject({
      code: 'ACT_NOT_POSSIBLE',
    });
    expect(bed.books.reversed).toEqual([]);
  });
});

describe('a reversal that the ERP books and does not set against what it undoes', () => {
  test('is done, and a person is told once what is to be applied', async () => {
    const bed = await operatorBed(database, 'unmatched-reversal', { lookUp: 'posted' });
    const id = await bed.invoice('undone');
    await bed.advance(id);
    bed.books.unmatched = 'the invoice is locked';
    await bed.operations.act('reverse', [id], {}, ACT);
    expect(await bed.row(id)).toMatchObject({ state: 'reversed' });
    const told = await bed.prisma.incident.findMany({ where: { postingId: id, code: 'NOT_MATCHED' } });
    expect(told.map(({ severity, state }) => [severity, state])).toEqual([['warning', 'open']]);
    expect(told[0]?.details).toContain('the invoice is locked');
  });

  test('says nothing where the ERP has set it against it', async () => {
    const bed = await operatorBed(database, 'matched-reversal', { lookUp: 'posted' });
    const id = await bed.invoice('undone');
    await bed.advance(id);
    await bed.operations.act('reverse', [id], {}, ACT);
    expect(await bed.prisma.incident.count({ where: { postingId: id, code: 'NOT_MATCHED' } })).toBe(0);
  });
});
