// Whose books an invoice is in, where its record does not say: the tenant file does, and the store hears of it when the invoice is made.
import { expect, test } from 'vitest';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import type { SubmissionChange } from '../../../src/outbound/stage.js';
import { created } from '../../../src/outbound/submission-work.js';
import { RecordedChance } from '../../../lab/proof/chance.js';
import { Kernel } from '../../../lab/proof/kernel.js';
import { outgoingSide, outgoingTenant } from '../../../lab/proof/outgoing/outgoing-side.js';
import { SimulatedService } from '../../../lab/proof/simulated-source.js';

const LIFE = { step: () => Promise.resolve() };
const nobody = () => Promise.resolve();

test.each([
  ['origin', true],
  ['bridge', undefined],
] as const)('booked: %s of the tenant file goes with what was made', async (booked, isInOriginsBooks) => {
  const kernel = new Kernel(new RecordedChance({}));
  const side = outgoingSide(kernel, new SimulatedService(kernel, {}), {});
  const clock = { now: () => new Date(kernel.nowMs) };
  const row = side.records.add({
    ...{ id: 'SO-1', origin: 'shop', kind: 'invoice', reference: 'SO-1', key: 'OABCDEFGHIJKLMNOPQR2' },
    content: '{}',
  });
  const claimed = side.records.claim(row, side.timing.leaseMs)!;
  const commits: SubmissionChange[] = [];
  const commit = (_claimed: unknown, change: SubmissionChange) => {
    commits.push(change);
    return Promise.resolve(true);
  };
  const stage = {
    runtime: { clock, timers: { sleep: nobody }, random: { next: () => 0.5, uuid: () => 'u' } },
    store: { ...side.records.store(LIFE), commit },
    breakers: { succeeded: nobody, failed: nobody, refused: nobody },
    ...{ failPoints: NO_FAIL_POINTS, timing: side.timing },
  };
  const tenant = outgoingTenant(side, LIFE, clock);
  await created(
    { stage, tenant: { ...tenant, wish: { ...tenant.wish, booked } }, claimed },
    { guid: 'made-1' },
  );
  expect(commits.map((change) => change.isInOriginsBooks)).toEqual([isInOriginsBooks]);
});
