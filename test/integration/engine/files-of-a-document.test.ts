// How much of the program one must know to follow a document: the files whose functions run from the sweep to Posted, and do not run in a
// bridge that has nothing to do.
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

/** About 90 are reached. */
const FILES_MAX = 100;
const IDLE_MS = 3_000;

let bed: Bed;
beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'fjordur', invoices: 2, costs: 0, seed: 'way' }],
    tenants: [{ name: 'fjordur', account: 'fjordur', erp: { adapter: 'file' } }],
  });
});
afterAll(() => bed.close());

test(`a document runs functions of at most ${String(FILES_MAX)} files on its way from the sweep to Posted`, async () => {
  await bed.settled();
  const idle = new Set(await filesThatRun(() => sleep(IDLE_MS)));
  // Of two documents: what a bridge does now and then by itself seldom meets both.
  const first = await filesThatRun(carryOne);
  const second = new Set(await filesThatRun(carryOne));
  const way = first.filter((file) => second.has(file) && !idle.has(file));
  expect(way).toEqual(expect.arrayContaining(['src/sync/advance', 'src/sync/send', 'src/store/commit']));
  expect(way.length, way.join('\n')).toBeLessThanOrEqual(FILES_MAX);
});

async function carryOne(): Promise<void> {
  const { acknowledged = 0 } = await bed.states();
  bed.sandbox.control.issueInvoice('fjordur', { unitPrice: '4400' });
  await bed.bridge.tenants.requestSweep('fjordur');
  await expect
    .poll(() => bed.states(), { timeout: 60_000 })
    .toMatchObject({ acknowledged: acknowledged + 1 });
}

async function filesThatRun(what: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await what();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  // The function without a name is the module itself.
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  );
  return ran.flatMap(({ url }) => /\/(src\/[^?]+)\.[jt]s/.exec(url)?.[1] ?? []);
}
