// The table of acts against the acts themselves, for every state and every act: what the table refuses the act refuses, in the
// same words, and whatever the table allows gets past it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { POSTING_STATES, type PostingState } from '../../../src/domain/posting.js';
import { REFUSALS } from '../../../src/language/english/posting-reasons.js';
import { say } from '../../../src/language/say.js';
import { type Action, ACTIONS } from '../../../src/operations/acts.js';
import { refusalNow } from '../../../src/operations/replay-verdict.js';
import { createOperationRecords } from '../../../src/store/operations/act-records.js';
import { testDatabase } from '../../support/database.js';
import { ACT, type OperatorBed, operatorBed } from './operator-bed.js';

const SITUATIONS = ['an invoice', 'a cost', 'a booked one', 'an uncertain one', 'a held one'] as const;
type Situation = (typeof SITUATIONS)[number];

const database = await testDatabase();
const records = createOperationRecords(database);
let bed: OperatorBed;
let id: string;
beforeAll(async () => {
  bed = await operatorBed(database, 'act-table');
  id = await bed.invoice('x');
  // Here it is put into every state, whichever way leads there.
  await database.prisma.$executeRaw`ALTER TABLE posting DISABLE TRIGGER USER`;
  await database.prisma.$executeRaw`ALTER TABLE attempt DISABLE TRIGGER USER`;
  await database.prisma.$executeRaw`ALTER TABLE write_back DISABLE TRIGGER USER`;
});
afterAll(() => database.close());

async function put(state: PostingState, situation: Situation): Promise<void> {
  const { prisma } = database;
  await prisma.attempt.deleteMany({ where: { postingId: id } });
  await prisma.writeBack.deleteMany({ where: { postingId: id } });
  await prisma.posting.update({
    where: { id },
    data: {
      state,
      kind: situation === 'a cost' ? 'cost' : 'invoice',
      reason: situation === 'a held one' ? 'HELD_BY_OPERATOR' : null,
      reasonParams: situation === 'a held one' ? '{}' : null,
      erpReference: situation === 'a booked one' ? '{"id":"nowhere"}' : null,
      dueAt: null,
      leaseUntil: null,
    },
  });
  if (situation === 'an uncertain one')
    await prisma.$executeRaw`
      INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by, outcome)
      VALUES (gen_random_uuid(), ${id}::uuid, 1, 0, 'main', 'K', '{}', now(), now(), 'unknown')`;
}

/** What it was refused with; null: it was done, or failed for something else than where the document stands. */
async function refusedBy(action: Action): Promise<string | null> {
  const { operations } = bed;
  if (action === 'replay') {
    const { id: runId } = await operations.startReplay({ postingIds: [id] }, ACT);
    await operations.workOff({ runId });
    return (await operations.run(runId)).refusals[0]?.why ?? null;
  }
  return refusalIn(() => operations.act(action, [id], inputOf(action), ACT));
}

const inputOf = (action: Action) => (action === 'mark-posted' ? { entry: 'nowhere' } : {});

async function refusalIn(act: () => Promise<unknown>): Promise<string | null> {
  const asked = act();
  const thrown = await thrownBy(asked);
  if (thrown !== null) return thrown;
  const result = (await asked.catch(() => ({}))) as { refused?: readonly { why: string }[] };
  return result.refused?.[0]?.why ?? null;
}

async function thrownBy(act: Promise<unknown>): Promise<string | null> {
  try {
    await act;
    return null;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const isOfTheTable = error.code === 'ACT_NOT_POSSIBLE' && (error.said?.code ?? '') in REFUSALS;
    return isOfTheTable && error.said?.code !== 'ENTRY_NOT_KNOWN' ? error.message : null;
  }
}

describe.each(SITUATIONS)('the table of acts is kept by the acts themselves: %s', (situation) => {
  test.each(ACTIONS)('%s, from every state', async (action) => {
    const table: Record<string, string | null> = {};
    const acts: Record<string, string | null> = {};
    const previews: Record<string, string | null> = {};
    for (const state of situation === 'a held one' ? (['held'] as const) : POSTING_STATES) {
      await put(state, situation);
      const [facts] = await records.replayFacts([id]);
      const refusal = refusalNow(action, facts!, { surelyAbsent: false });
      table[state] = refusal && say('en', refusal.why);
      previews[state] = await refusalIn(() => bed.operations.previewAct(action, [id], inputOf(action), ACT));
      acts[state] = await refusedBy(action);
    }
    expect(acts).toEqual(table);
    expect(previews).toEqual(table);
  });
});
