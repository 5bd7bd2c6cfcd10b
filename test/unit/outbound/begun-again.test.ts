// What was in doubt, deleted or changed a moment ago and is set going again: nothing is made twice, and nothing old is taken for new.
import { beforeEach, describe, expect, test } from 'vitest';
import type { SendOutcome } from '../../../src/service/invoicing-target.js';
import { type SubmissionKind, submissionKey } from '../../../src/domain/submission.js';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { advanceSubmission } from '../../../src/outbound/advance-submission.js';
import { contentFacts } from '../../../src/outbound/content-facts.js';
import { mayChange, restsOn } from '../../../src/outbound/take-in.js';
import type { OutboundTenant } from '../../../src/outbound/stage.js';
import { TRIES_MAX } from '../../../src/sync/back-off.js';
import { RecordedChance } from '../../../lab/proof/chance.js';
import { Kernel } from '../../../lab/proof/kernel.js';
import { PRUFA } from '../../../lab/proof/memory-records.js';
import type { SubmissionRow } from '../../../lab/proof/memory-submissions.js';
import { outgoingSide, outgoingTenant } from '../../../lab/proof/outgoing/outgoing-side.js';
import { SimulatedService } from '../../../lab/proof/simulated-source.js';

const KENNITALA = '5402696029';
const CUSTOMER = { kennitala: KENNITALA, name: 'Prufa ehf.' };
const DRAFT = {
  customer: CUSTOMER,
  ...{ issue_date: '2026-03-01', currency: 'ISK' },
  lines: [{ item_number: '1', description: 'Vara', qty: '1', uom: 'C62', unit_price: '1000', tax: 'S' }],
};
const IDENTITY = { environment: 'production', sourceAccount: PRUFA.account, series: '' } as const;
const LIFE = { step: () => Promise.resolve() };
const LONG_MS = 3_600_000;
const nobody = () => Promise.resolve();

/** One process on records in memory, and a service at which nothing goes wrong. */
function newBench() {
  const kernel = new Kernel(new RecordedChance({}));
  const service = new SimulatedService(kernel, {});
  service.faulty = false;
  const side = outgoingSide(kernel, service, {});
  const runtime = {
    clock: { now: () => new Date(kernel.nowMs) },
    timers: { sleep: nobody },
    random: { next: () => 0.5, uuid: () => 'u' },
  };
  const breakers = { succeeded: nobody, failed: nobody, refused: nobody };
  const stage = {
    ...{ runtime, store: side.records.store(LIFE), breakers, failPoints: NO_FAIL_POINTS },
    timing: side.timing,
  };
  const reading: { amount?: string | null } = {};
  return {
    ...{ kernel, side },
    /** What every cost is shown with from now on. */
    reads: (amount: string | null) => {
      reading.amount = amount;
    },
    add: (kind: SubmissionKind, reference: string, content: object): SubmissionRow =>
      side.records.add({
        ...{ id: reference, origin: 'shop', kind, reference, key: 'OABCDEFGHIJKLMNOPQR2' },
        content: JSON.stringify(content),
      }),
    /** `meanwhile`: after the claim. */
    advance: async (
      row: SubmissionRow,
      answer?: SendOutcome,
      meanwhile: () => void | Promise<void> = () => undefined,
    ): Promise<void> => {
      row.dueAt = kernel.nowMs;
      const askedAtMs = kernel.nowMs;
      const claimed = side.records.claim(row, side.timing.leaseMs);
      if (!claimed) throw new Error('it is claimed');
      await meanwhile();
      const tenant = outgoingTenant(side, LIFE, runtime.clock, claimed.key);
      if (answer) Object.assign(tenant.target, { send: () => Promise.resolve(answer) });
      readAs(tenant.target, reading);
      const work = advanceSubmission(stage, tenant, claimed, askedAtMs);
      await kernel.runUntil(kernel.nowMs + 5_000, 1_000);
      await work;
    },
  };
}

function readAs(target: OutboundTenant['target'], reading: { readonly amount?: string | null }): void {
  const { readCost } = target;
  Object.assign(target, {
    readCost: async (guid: string) => {
      const shown = await readCost(guid);
      return shown && { ...shown, ...reading };
    },
  });
}

let bench: ReturnType<typeof newBench>;
beforeEach(() => {
  bench = newBench();
});

const outcomeOf = ({ record }: SubmissionRow) => [record.state, record.reason?.code];

describe('what nobody can search for', () => {
  const inDoubt = (row: SubmissionRow) => {
    const request = { act: 'create', kind: row.record.kind, body: {} } as const;
    Object.assign(row.record, { request, outcome: 'unknown' });
    row.sentAt = bench.kernel.nowMs - LONG_MS;
  };
  test('is not sent again because somebody skipped it in doubt and set it going', async () => {
    const row = bench.add('cost', 'R-1', { date: '2026-03-01' });
    Object.assign(bench.side.wish, { costAi: true });
    inDoubt(row);
    await bench.advance(row);
    expect(outcomeOf(row)).toEqual(['parked', 'SUBMISSION_UNKNOWN']);
    expect(bench.side.books.standing).toEqual([]);
    row.record.state = 'received';
    row.record.surelyAbsent = true;
    await bench.advance(row);
    expect(bench.side.books.live('cost')).toHaveLength(1);
  });

  test('a deletion whose answer was lost is not taken for refused when the next one is', async () => {
    const row = bench.add('draft', 'DR-1', DRAFT);
    Object.assign(row.record, { state: 'withdrawing', guid: 'gone', outcome: 'unknown' });
    row.record.request = { act: 'delete', kind: 'draft', guid: 'gone', body: {} };
    await bench.advance(row);
    expect(outcomeOf(row)).toEqual(['parked', 'SUBMISSION_UNKNOWN']);
  });
});

test('what waits long for something is not given up because processes died now and then meanwhile', async () => {
  const row = bench.add('hours', 'H-1', { task: 'T-1', date: '2026-03-01', from: '08:00', to: '09:00' });
  row.record.tries = 3;
  await bench.advance(row);
  expect([row.record.state, row.record.tries]).toEqual(['held', 0]);
});

describe('a receipt that nobody has read yet', () => {
  const receipt = async (amount: string | null) => {
    const row = bench.add('cost', 'R-1', { date: '2026-03-01' });
    bench.reads(amount);
    await bench.advance(row);
    await bench.advance(row);
    expect(row.record.state).toBe('acknowledged');
    return row;
  };

  test.each([null, '0.00'])('(%s) shows no amount, and the one that is read later', async (amount) => {
    const row = await receipt(amount);
    expect(row.record.amount).toBeNull();
    await bench.advance(row);
    expect([row.record.state, row.record.tries]).toEqual(['acknowledged', 1]);
    bench.reads('4990.00');
    await bench.advance(row);
    expect([row.record.amount, row.record.tries, row.dueAt]).toEqual(['4990.00', 0, null]);
  });

  test('is done and asked for no more where its amount is known at once', async () => {
    expect(await receipt('1240.00')).toMatchObject({ dueAt: null, record: { amount: '1240.00' } });
  });

  test('is looked at less and less often, and calls nobody however long that takes', async () => {
    const row = await receipt(null);
    const waits: number[] = [];
    for (let looks = 0; looks < 100 && row.dueAt !== null; looks++) {
      await bench.advance(row);
      if (row.dueAt !== null) waits.push(row.dueAt - bench.kernel.nowMs);
    }
    expect([row.record.state, row.dueAt, row.sends]).toEqual(['acknowledged', null, 1]);
    expect(waits.at(-1)).toBeGreaterThan(8 * LONG_MS);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(30 * 24 * LONG_MS);
  });
});

describe('two lines of one invoice with the same item number', () => {
  const REFUSED = { outcome: 'rejected', message: 'item_number V-1 is not unique' } as const;
  const lineOf = (item_number: string, unit_price: string) => ({
    ...{ item_number, description: `Vara á ${unit_price}`, qty: '2', uom: 'C62', unit_price, tax: 'S' },
  });
  const repeated = (first = 'V-1') =>
    bench.add('invoice', 'SO-1', {
      ...{ issue_date: '2026-03-01', currency: 'ISK', ref_invoice_guid: 'made-1' },
      lines: [lineOf(first, '1000'), lineOf('V-1-2', '300'), lineOf('V-1', '900'), lineOf('V-1', '800')],
    });
  type Sent = Readonly<Record<'item_number' | 'description' | 'unit_price', string>>;
  const sent = ({ record }: SubmissionRow) => record.request?.body['items'] as readonly Sent[];
  const numbers = (row: SubmissionRow) => sent(row).map(({ item_number }) => item_number);

  test('goes out as its origin has it', async () => {
    const row = repeated();
    await bench.advance(row);
    expect(row.record.state).toBe('created');
    expect(numbers(row)).toEqual(['V-1', 'V-1-2', 'V-1', 'V-1']);
  });

  test('goes out with numbers apart after a refusal, and a second refusal is one', async () => {
    const row = repeated();
    await bench.advance(row, REFUSED);
    expect(row.record.state).toBe('received');
    const first = row.record.request?.body;
    await bench.advance(row, REFUSED);
    expect(outcomeOf(row)).toEqual(['refused', 'SUBMISSION_REFUSED']);
    expect(numbers(row)).toEqual(['V-1', 'V-1-2', 'V-1-3', 'V-1-4']);
    const told = sent(row).map(({ description, unit_price }) => [description, unit_price]);
    expect(told).toEqual(['1000', '300', '900', '800'].map((price) => [`Vara á ${price}`, price]));
    expect(row.record.request?.body['amount']).toBe(first?.['amount']);
  });

  test('is refused at once where no number stands twice', async () => {
    const row = bench.add('invoice', 'SO-2', {
      ...{ issue_date: '2026-03-01', currency: 'ISK', ref_invoice_guid: 'made-1' },
      lines: [lineOf('V-1', '1000'), lineOf('V-2', '900')],
    });
    await bench.advance(row, REFUSED);
    expect(outcomeOf(row)).toEqual(['refused', 'SUBMISSION_REFUSED']);
  });

  test('in doubt is searched for before it goes out with other numbers', async () => {
    const row = repeated();
    await bench.advance(row, { outcome: 'unknown', message: 'lost' });
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    await bench.advance(row, REFUSED);
    // What was sent first may only be on its way, and be why the second is refused.
    expect([row.record.state, ...numbers(row)]).toEqual(['unknown', 'V-1', 'V-1-2', 'V-1', 'V-1']);
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    await bench.advance(row);
    expect([row.record.state, ...numbers(row)]).toEqual(['created', 'V-1', 'V-1-2', 'V-1-3', 'V-1-4']);
    expect(bench.side.books.live('invoice')).toHaveLength(1);
  });
});

/** It waits for no customer. */
const known = () =>
  bench.add('invoice', 'SO-1', {
    ...{ issue_date: '2026-03-01', currency: 'ISK', ref_invoice_guid: 'made-1' },
    lines: DRAFT.lines,
  });

describe('how often it was sent', () => {
  const TOO_LATE = { outcome: 'not-sent', why: 'too-late', message: 'it is too late to leave' } as const;

  test('leaves out what never left, before the first and in doubt', async () => {
    const row = known();
    for (let time = 0; time < 3; time++) await bench.advance(row, TOO_LATE);
    await bench.advance(row, { ...TOO_LATE, why: 'away' });
    expect([row.record.state, row.sends]).toEqual(['received', 0]);
    await bench.advance(row, { outcome: 'unknown', message: 'lost' });
    expect([row.record.state, row.sends]).toEqual(['unknown', 1]);
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    await bench.advance(row, TOO_LATE);
    expect([row.record.state, row.sends]).toEqual(['unknown', 1]);
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    await bench.advance(row);
    expect([row.record.state, row.sends]).toEqual(['created', 2]);
  });

  test('has what was turned away in it, and what a process died over', async () => {
    const row = known();
    await bench.advance(row, { ...TOO_LATE, why: 'refused-credentials' });
    expect(row.sends).toBe(1);
    Object.assign(row.record, { state: 'sending', outcome: null });
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    await bench.advance(row);
    expect([row.record.state, row.sends]).toEqual(['unknown', 2]);
  });
});

describe('processes that died over it', () => {
  test('are counted apart from what was tried in vain', async () => {
    const row = known();
    Object.assign(row.record, { tries: TRIES_MAX, deaths: TRIES_MAX });
    await bench.advance(row, { outcome: 'not-sent', why: 'away', message: 'it cannot be reached' });
    expect([row.record.state, row.record.tries, row.record.deaths]).toEqual(['received', TRIES_MAX, 0]);
  });

  test('count while a turn does not end, and a person is shown it at last', async () => {
    const row = known();
    for (let time = 0; time <= TRIES_MAX + 1; time++) {
      bench.side.records.claim(row, bench.side.timing.leaseMs);
      await bench.kernel.runUntil(bench.kernel.nowMs + LONG_MS, 1_000);
    }
    expect([row.record.tries, row.record.deaths]).toEqual([0, TRIES_MAX + 1]);
    await bench.advance(row);
    expect(outcomeOf(row)).toEqual(['parked', 'TRIES_EXHAUSTED']);
  });

  test('over a request are as much in doubt as answers that never came', async () => {
    const row = known();
    await bench.advance(row, { outcome: 'unknown', message: 'lost' });
    row.record.tries = 0;
    for (let time = 1; time <= TRIES_MAX + 1; time++) {
      Object.assign(row.record, { state: 'sending', outcome: null });
      row.sentAt = bench.kernel.nowMs - LONG_MS;
      await bench.advance(row);
      expect([row.record.state, row.record.tries, row.record.deaths]).toEqual(['unknown', time, 0]);
    }
    await bench.advance(row);
    expect(outcomeOf(row)).toEqual(['parked', 'SUBMISSION_UNKNOWN']);
  });

  test('while it was searched for leave it to a person', async () => {
    const row = known();
    Object.assign(row.record, { state: 'unknown', outcome: 'unknown', deaths: TRIES_MAX + 1 });
    await bench.advance(row);
    expect(outcomeOf(row)).toEqual(['parked', 'SUBMISSION_UNKNOWN']);
    expect(bench.side.books.standing).toEqual([]);
  });
});

describe('what is held and looked at again', () => {
  const moves = () => bench.kernel.trace.filter((line) => line.includes('hours H-1'));
  const heldHours = async () => {
    const row = bench.add('hours', 'H-1', hoursFrom('08:00', '09:00'));
    await bench.advance(row);
    expect(outcomeOf(row)).toEqual(['held', 'TASK_AWAITED']);
    return row;
  };

  test('has not moved where it waits on for the same', async () => {
    const row = await heldHours();
    // What it waits for may have come while it was put down.
    expect((row.dueAt ?? 0) - bench.kernel.nowMs).toBeLessThanOrEqual(60_000);
    const before = moves().length;
    expect(before).toBeGreaterThan(0);
    for (let look = 0; look < 3; look++) await bench.advance(row);
    expect(outcomeOf(row)).toEqual(['held', 'TASK_AWAITED']);
    expect(moves()).toHaveLength(before);
    expect((row.dueAt ?? 0) - bench.kernel.nowMs).toBeGreaterThan(LONG_MS / 2);
  });

  test('moves where it waits for something else', async () => {
    const row = await heldHours();
    const before = moves().length;
    row.record.content = JSON.stringify({ ...hoursFrom('08:00', '09:00'), task: 'T-2' });
    await bench.advance(row);
    expect(row.record.reason?.params).toMatchObject({ reference: 'T-2' });
    expect(moves()).toHaveLength(before + 2);
  });

  const makeTask = () => {
    const key = submissionKey({ ...IDENTITY, kind: 'task', reference: 'T-1' });
    const task = bench.side.records.add({
      ...{ id: 't', origin: 'shop', kind: 'task', reference: 'T-1', key, content: '{}' },
    });
    const { guid } = bench.side.books.make('task', { name: 'T-1', registration_no: KENNITALA }, 'us');
    Object.assign(task.record, { state: 'acknowledged', guid });
  };

  test('goes on in the same turn, as whatever is received does', async () => {
    const row = await heldHours();
    makeTask();
    await bench.advance(row);
    expect(row.record.state).toBe('created');
    expect(bench.side.records.violations).toEqual([]);
  });

  test('begins anew, however many processes died while it waited', async () => {
    const row = await heldHours();
    makeTask();
    row.record.deaths = TRIES_MAX;
    const counted: number[] = [];
    bench.side.records.onIntent = ({ deaths }) => counted.push(deaths);
    await bench.advance(row);
    expect([row.record.state, row.record.deaths]).toEqual(['created', 0]);
    expect(counted).toEqual([0]);
  });

  test('is shown to a person where every look at it ends the process', async () => {
    const row = await heldHours();
    row.record.deaths = TRIES_MAX + 1;
    await bench.advance(row);
    expect(outcomeOf(row)).toEqual(['parked', 'TRIES_EXHAUSTED']);
  });

  test('is not written by whoever was too late', async () => {
    const row = await heldHours();
    await bench.advance(row, undefined, () => {
      row.record.fence++;
    });
    expect([row.record.state, row.leaseUntil > 0]).toEqual(['held', true]);
  });
});

const hoursFrom = (from: string, to: string) => ({ task: 'T-1', date: '2026-03-01', from, to });

/** Hours of a task that stands at the service, and so do they. */
async function madeHours(): Promise<SubmissionRow> {
  const key = submissionKey({ ...IDENTITY, kind: 'task', reference: 'T-1' });
  const task = bench.side.records.add({
    ...{ id: 't', origin: 'shop', kind: 'task', reference: 'T-1', key, content: '{}' },
  });
  const { guid } = bench.side.books.make('task', { name: 'T-1', registration_no: KENNITALA }, 'us');
  Object.assign(task.record, { state: 'acknowledged', guid });
  const row = bench.add('hours', 'H-1', hoursFrom('08:00', '09:00'));
  await bench.advance(row);
  expect(row.record.state).toBe('created');
  return row;
}

describe('hours that their origin has deleted', () => {
  const REFUSED = { outcome: 'rejected', message: 'the service says no' } as const;
  const change = (row: SubmissionRow, more: object) =>
    Object.assign(row.record, { content: JSON.stringify({ ...hoursFrom('08:00', '09:00'), ...more }) });
  async function deletedHours(): Promise<SubmissionRow> {
    const row = await madeHours();
    change(row, { deleted: true });
    row.record.state = 'withdrawing';
    return row;
  }

  test('do not stay for one refusal, however many answers were lost before it', async () => {
    const row = await deletedHours();
    for (const message of ['1', '2', '3', '4', '5'])
      await bench.advance(row, { outcome: 'unknown', message });
    await bench.advance(row, REFUSED);
    expect(row.record.state).toBe('withdrawing');
    await bench.advance(row);
    expect(row.record.state).toBe('withdrawn');
    expect(bench.side.books.live('hours')).toEqual([]);
  });

  test('are asked for again without end while the service is away', async () => {
    const row = await deletedHours();
    for (let time = 0; time < 20; time++)
      await bench.advance(row, { outcome: 'not-sent', why: 'away', message: 'it cannot be reached' });
    expect([row.record.state, row.record.tries]).toEqual(['withdrawing', 0]);
  });

  test('stay where the service says no again and again, and a person hears of it', async () => {
    const row = await deletedHours();
    for (let time = 0; time < 5; time++) await bench.advance(row, REFUSED);
    expect(outcomeOf(row)).toEqual(['acknowledged', 'WITHDRAWAL_REFUSED']);
    const { hash } = contentFacts('hours', row.record.content);
    expect([...bench.side.records.incidents]).toContain(`SUBMISSION_CHANGED:H-1:${hash.slice(0, 12)}`);
  });

  test('and has again before they are gone are corrected where they stand', async () => {
    const row = await deletedHours();
    await bench.advance(row, REFUSED);
    change(row, { to: '10:00' });
    await bench.advance(row);
    expect(row.record.state).toBe('received');
    await bench.advance(row);
    expect(row.record.state).toBe('received');
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    await bench.advance(row);
    expect(bench.side.books.live('hours').map(({ body }) => body['p'])).toEqual(['10:00']);
  });
});

test('hours that are found are corrected where nobody knows from when to when they were sent', async () => {
  const row = await madeHours();
  // As long as before, an hour later, and what was sent is not on record.
  Object.assign(row.record, {
    state: 'received',
    request: null,
    outcome: null,
    content: JSON.stringify(hoursFrom('09:00', '10:00')),
  });
  await bench.advance(row);
  const [log] = bench.side.books.live('hours');
  expect([row.record.state, log?.body]).toMatchObject(['created', { h: '09:00', p: '10:00' }]);
});

describe('what is to be deleted', () => {
  const REQUEST = { act: 'delete', kind: 'draft', guid: 'made-1', body: {} } as const;
  test.each(['rejected', 'unknown', 'not-sent', null] as const)(
    'and perhaps was not (%s) is not made a second time, where nothing can be searched for',
    async (outcome) => {
      bench.side.books.make('customer', { registration_no: KENNITALA, name: 'Prufa ehf.' }, 'us');
      const key = submissionKey({ ...IDENTITY, kind: 'customer', reference: KENNITALA });
      const customer = bench.side.records.add({
        ...{ id: 'c', origin: '', kind: 'customer', reference: KENNITALA, key, content: '{}' },
      });
      Object.assign(customer.record, { state: 'acknowledged', guid: 'made-9001' });
      const row = bench.add('draft', 'DR-1', DRAFT);
      Object.assign(row.record, { request: REQUEST, outcome });
      row.sentAt = bench.kernel.nowMs - LONG_MS;
      await bench.advance(row);
      expect(outcomeOf(row)).toEqual(['parked', 'SUBMISSION_UNKNOWN']);
      expect(bench.side.books.live('draft')).toEqual([]);
      // A deletion that the service confirmed has deleted it.
      Object.assign(row.record, { state: 'received', outcome: 'accepted' });
      await bench.advance(row);
      expect(bench.side.books.live('draft')).toHaveLength(1);
    },
  );

  test('and was made a moment ago is not taken for deleted because nothing shows it yet', async () => {
    const row = bench.add('cost', 'R-1', { date: '2026-03-01', amount: '124' });
    const request = { act: 'create', kind: 'cost', body: {} } as const;
    Object.assign(row.record, { state: 'withdrawing', guid: 'made-1', outcome: 'accepted', request });
    row.sentAt = bench.kernel.nowMs - 1_000;
    await bench.advance(row);
    expect(row.record.state).toBe('withdrawing');
    expect((row.dueAt ?? 0) - bench.kernel.nowMs).toBeGreaterThan(60_000);
    row.sentAt -= LONG_MS;
    await bench.advance(row);
    expect(row.record.state).toBe('withdrawn');
  });
});

test('what was deleted a moment ago is not looked for before lists have forgotten it', async () => {
  const row = bench.add('cost', 'R-1', { date: '2026-03-01', amount: '124' });
  row.record.request = { act: 'delete', kind: 'cost', guid: 'gone', body: {} };
  row.sentAt = bench.kernel.nowMs - 1_000;
  await bench.advance(row);
  expect(row.record.state).toBe('received');
  expect((row.dueAt ?? 0) - bench.kernel.nowMs).toBeGreaterThan(60_000);
  row.sentAt -= LONG_MS;
  await bench.advance(row);
  expect(row.record.state).toBe('created');
});

test('a service that still shows what it had before our change is not taken for somebody who changed it', async () => {
  const body = { registration_no: KENNITALA, name: 'Prufa ehf.', city: 'Akureyri' };
  const known = bench.side.books.make('customer', body, 'us');
  const row = bench.add('customer', KENNITALA, { ...CUSTOMER, city: 'Höfn' });
  Object.assign(row.record, { guid: known.guid, outcome: 'accepted' });
  row.record.agreed = { city: { origin: 'Selfoss', service: 'Selfoss' } };
  row.record.request = { act: 'update', kind: 'customer', guid: known.guid, body: { city: 'Selfoss' } };
  row.sentAt = bench.kernel.nowMs - 1_000;
  await bench.advance(row);
  expect([row.record.state, row.conflicts, row.sends]).toEqual(['received', [], 0]);
  Object.assign(known.body, { city: 'Selfoss' });
  row.sentAt = bench.kernel.nowMs - LONG_MS;
  await bench.advance(row);
  expect([row.record.state, row.conflicts, known.body['city']]).toEqual(['created', [], 'Höfn']);
});

describe('a customer in doubt', () => {
  test('is made as its origin has it by now', async () => {
    const row = bench.add('customer', KENNITALA, { ...CUSTOMER, city: 'Selfoss' });
    Object.assign(row.record, { state: 'unknown', outcome: 'unknown' });
    row.record.request = { act: 'create', kind: 'customer', body: { name: 'Prufa ehf.' } };
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    await bench.advance(row);
    expect(bench.side.books.profiles(KENNITALA).map(({ body }) => body['city'])).toEqual(['Selfoss']);
  });

  /** Our change from Reykjavík to Akureyri has arrived, unheard, and its origin says Selfoss by now. */
  const unheard = () => {
    const body = { registration_no: KENNITALA, name: 'Prufa ehf.', city: 'Akureyri' };
    const known = bench.side.books.make('customer', body, 'us');
    const row = bench.add('customer', KENNITALA, { ...CUSTOMER, city: 'Selfoss' });
    Object.assign(row.record, { state: 'unknown', outcome: 'unknown', guid: known.guid });
    row.record.agreed = { city: { origin: 'Reykjavík', service: 'Reykjavík' } };
    row.record.request = { act: 'update', kind: 'customer', guid: known.guid, body: { city: 'Akureyri' } };
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    return { known, row };
  };

  test('has no conflict with what we wrote ourselves before the last time', async () => {
    const { known, row } = unheard();
    // Akureyri has arrived, and Selfoss does not.
    await bench.advance(row, { outcome: 'unknown', message: 'lost' });
    expect([row.record.state, known.body['city']]).toEqual(['unknown', 'Akureyri']);
    row.sentAt = bench.kernel.nowMs - LONG_MS;
    await bench.advance(row);
    expect([row.conflicts, known.body['city']]).toEqual([[], 'Selfoss']);
  });

  test('has no conflict with what we wrote ourselves', async () => {
    const { known, row } = unheard();
    await bench.advance(row);
    expect(row.conflicts).toEqual([]);
    expect(known.body['city']).toBe('Selfoss');
  });
});

test('a change takes back no decision of a person, and what its origin decided it may decide anew', () => {
  expect(mayChange('invoice', 'skipped')).toBe(true);
  expect(mayChange('invoice', 'acknowledged')).toBe(false);
  expect(restsOn('invoice', 'skipped', 'SUBMISSION_SKIPPED')).toBe(true);
  expect(restsOn('cost', 'withdrawn', null)).toBe(true);
  expect(restsOn('customer', 'parked', 'CUSTOMER_AMBIGUOUS')).toBe(true);
  expect(restsOn('hours', 'skipped', 'DELETED_AT_ORIGIN')).toBe(false);
  expect(restsOn('hours', 'withdrawn', null)).toBe(false);
  expect(restsOn('invoice', 'refused', 'SUBMISSION_BREACH')).toBe(false);
});

describe('what was decided', () => {
  const skipped = () => {
    const row = bench.add('invoice', 'SO-1', { issue_date: '2026-03-01' });
    row.record.state = 'skipped';
    return row;
  };
  const told = ({ record }: SubmissionRow) =>
    bench.side.shelves.flatMap((shelf) => shelf.told.get(record.key) ?? []).map(({ state }) => state);

  test('is told to its origin', async () => {
    const row = skipped();
    await bench.advance(row);
    expect(told(row)).toEqual(['skipped']);
  });

  test('is not told by a process that slept between its claim and the work: another may have told something else', async () => {
    const row = skipped();
    await bench.advance(row, undefined, async () => {
      await bench.kernel.runUntil(bench.kernel.nowMs + bench.side.timing.leaseMs, 1_000);
    });
    expect(told(row)).toEqual([]);
    expect(row.dueAt, 'whoever has it next tells it').not.toBeNull();
  });
});
