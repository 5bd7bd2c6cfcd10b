// How often the service is called for an invoice, where its month has three thousand of them: what was sent is read by its guid, and those
// who look for something read one list together.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../../support/database.js';
import { quietPeriodMs } from '../../../src/outbound/stage.js';
import { invoice, outgoingBed, testDatabase, TODAY } from '../../support/outbound-bed.js';

type Bed = Awaited<ReturnType<typeof outgoingBed>>;

let database: TestDatabase;
let bed: Bed;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

const MONTH = 3_000;
const SENT = 30;
const CALLS_MAX = 4;
/** Fewer than make a client believe that the service is away. */
const LOST = 4;
const FIRST = `${TODAY.slice(0, 7)}-01`;
/** A call takes longer where the machine does much else. */
const PATIENT = { leaseMs: 8_000, sendByMs: 3_000, callMs: 4_000, lagMs: 0 };

/** What a busy machine may take from one look to the next. */
const BUSY_MS = 5_000;

/** Each on the next day of the month so far. */
function someDay(index: number): string {
  const days = Number(TODAY.slice(8));
  return `${TODAY.slice(0, 8)}${String((index % days) + 1).padStart(2, '0')}`;
}

async function opened(surface: 'credential' | 'agent'): Promise<Bed> {
  const account = { invoices: MONTH, from: FIRST, to: TODAY };
  bed = await outgoingBed({ database, surface, account, timing: PATIENT });
  // The customer is there before anything is counted.
  await bed.put('first.jsonl', [invoice('F-1')]);
  await bed.settle();
  await bed.settle();
  bed.sandbox.control.clearJournal();
  return bed;
}

const allCalls = () => bed.sandbox.control.journal({ limit: 10_000 });

test.each(['credential', 'agent'] as const)(
  `an invoice costs at most ${String(CALLS_MAX)} calls over the %s surface where its month has ${String(MONTH)}`,
  async (surface) => {
    const { put, settle, reconnect, prisma, name } = await opened(surface);
    // A process that has just begun has read nothing.
    await reconnect();
    const records = Array.from({ length: SENT }, (_, index) =>
      invoice(`C-${String(index)}`, { issue_date: someDay(index) }),
    );
    await put('month.jsonl', records);
    await settle();
    const rows = await prisma.submission.findMany({ where: { tenantName: name, kind: 'invoice' } });
    expect(rows.map(({ state, sends }) => [state, sends])).toEqual(Array(SENT + 1).fill(['acknowledged', 1]));
    const calls = allCalls();
    expect(calls.length).toBeGreaterThanOrEqual(2 * SENT);
    expect(calls.length).toBeLessThanOrEqual(CALLS_MAX * SENT);
  },
);

test('invoices whose replies were lost are looked for in one list of their day', async () => {
  const { put, round, settle, sandbox, atService, prisma, name } = await opened('credential');
  sandbox.control.addFault({ kind: 'reset-after', endpoint: 'create-invoice', times: LOST });
  const records = Array.from({ length: SENT }, (_, index) => invoice(`L-${String(index)}`));
  await put('lost.jsonl', records);
  await round();
  const inDoubt = await prisma.submission.findMany({ where: { tenantName: name, state: 'unknown' } });
  expect(inDoubt).toHaveLength(LOST);
  // A list may serve what was sent the quiet period before it was read. Those that are due for long are all served by the first.
  await sleep(quietPeriodMs(PATIENT) + BUSY_MS);
  await settle();
  const calls = allCalls();
  expect(calls.filter(({ endpoint }) => endpoint === 'create-invoice')).toHaveLength(SENT);
  // That of the month is known; that of the day is read once.
  const lists = calls.filter(({ endpoint }) => endpoint === 'get-count-invoices').length;
  expect(lists).toBe(1);
  expect(calls.length).toBeLessThanOrEqual(CALLS_MAX * SENT);
  for (const index of [0, LOST - 1, SENT - 1]) expect(await atService(`L-${String(index)}`)).toHaveLength(1);
});
