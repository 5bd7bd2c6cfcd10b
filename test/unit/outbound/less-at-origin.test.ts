// A bill of hours of which its origin has less by now than it listed: it waits for the list with a reason, and in the end for a person.
import { expect, test } from 'vitest';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { advanceSubmission } from '../../../src/outbound/advance-submission.js';
import { contentText, readContent } from '../../../src/origins/content.js';
import { RecordedChance } from '../../../lab/proof/chance.js';
import { Kernel } from '../../../lab/proof/kernel.js';
import { outgoingSide, outgoingTenant } from '../../../lab/proof/outgoing/outgoing-side.js';
import { SimulatedService } from '../../../lab/proof/simulated-source.js';

const LIFE = { step: () => Promise.resolve() };
const nobody = () => Promise.resolve();
const DAY_MS = 24 * 60 * 60 * 1_000;

function invoiceOf(hours: string): string {
  const line = {
    item_number: 'T1-2026-02-09',
    description: 'Ráðgjöf',
    uom: 'HUR',
    unit_price: '1000',
    tax: 'S',
  };
  const invoice = {
    ...{ issue_date: '2026-03-01', ref_invoice_guid: 'made-1', lines: [{ ...line, qty: hours }] },
  };
  const read = readContent('invoice', invoice);
  if (read.outcome === 'problem') throw new Error(read.words.message);
  return contentText(read.content);
}

function newBench() {
  const kernel = new Kernel(new RecordedChance({}));
  const service = new SimulatedService(kernel, {});
  service.faulty = false;
  const side = outgoingSide(kernel, service, {});
  const row = side.records.add({
    ...{ id: 'B-1', origin: 'billing', kind: 'invoice', reference: 'B-1', key: 'OABCDEFGHIJKLMNOPQR2' },
    content: invoiceOf('5'),
  });
  side.records.cursors.set('billing', 'as it was listed last');
  const atOrigin = { hours: '2', isSilent: false, cursors: new Set<string | null | undefined>() };
  const clock = { now: () => new Date(kernel.nowMs) };
  const stage = {
    runtime: { clock, timers: { sleep: nobody }, random: { next: () => 0.5, uuid: () => 'u' } },
    store: side.records.store(LIFE),
    breakers: { succeeded: nobody, failed: nobody, refused: nobody },
    ...{ failPoints: NO_FAIL_POINTS, timing: side.timing },
  };
  const origin = {
    ...({ name: 'billing', takesBack: 'lines', tell: nobody, close: nobody } as const),
    changes: () => Promise.reject(new Error('nobody looks')),
    read: (kind: 'invoice', reference: string, place: string, cursor?: string | null) => {
      atOrigin.cursors.add(cursor);
      return atOrigin.isSilent
        ? Promise.reject(new Error('silent'))
        : Promise.resolve({ kind, reference, place, content: invoiceOf(atOrigin.hours) });
    },
  };
  /** Whenever it is due, until nothing but a person or an event sets it going. */
  const advance = async (untilMs: number) => {
    while (row.dueAt !== null && row.dueAt <= untilMs) {
      await kernel.runUntil(Math.max(row.dueAt, kernel.nowMs), 1_000);
      const claimed = side.records.claim(row, side.timing.leaseMs);
      if (!claimed) throw new Error('it is claimed');
      const tenant = outgoingTenant(side, LIFE, clock, claimed.key);
      const origins = new Map([['billing', origin as never]]);
      const work = advanceSubmission(stage, { ...tenant, origins }, claimed, kernel.nowMs);
      await kernel.runUntil(kernel.nowMs + 5_000, 1_000);
      await work;
    }
  };
  const state = () => [row.record.state, row.record.reason?.code ?? null];
  return { kernel, row, advance, state, atOrigin };
}

test('it says for what it waits while the list is behind, and goes when its origin has all of it again', async () => {
  const { kernel, advance, state, atOrigin } = newBench();
  await advance(kernel.nowMs);
  expect(state()).toEqual(['held', 'LESS_AT_ORIGIN']);
  expect([...atOrigin.cursors]).toEqual(['as it was listed last']);
  atOrigin.hours = '5';
  await advance(kernel.nowMs + 30 * 60_000);
  expect(state()).toEqual(['acknowledged', null]);
});

test('it is parked within a day when no list ever says so', async () => {
  const { kernel, row, advance, state } = newBench();
  await advance(kernel.nowMs + DAY_MS);
  expect(state()).toEqual(['parked', 'LESS_AT_ORIGIN']);
  expect(row.sends).toBe(0);
});

test('it says that its origin does not answer, uses up no tries, and goes when that answers', async () => {
  const { kernel, advance, state, atOrigin } = newBench();
  Object.assign(atOrigin, { isSilent: true, hours: '5' });
  await advance(kernel.nowMs + DAY_MS);
  expect(state()).toEqual(['held', 'ORIGIN_SILENT']);
  atOrigin.isSilent = false;
  await advance(kernel.nowMs + 30 * 60_000);
  expect(state()).toEqual(['acknowledged', null]);
});
