// What an ERP wishes by Retry-After holds for its whole connection: whoever else would send there, from another process too, waits.
import { strict as assert } from 'node:assert';
import {
  assertInBooksOnce,
  type CaseWorld,
  type ConformanceCase,
  final,
  prepared,
} from '../conformance-case.js';
import { freshKey, sale } from '../journals.js';
import { blind } from './once-cases.js';

export const PAUSE_CASES: readonly ConformanceCase[] = [
  {
    id: 'rate-limit-shared',
    title: 'is quiet in every process while the ERP wishes it, and goes on afterwards',
    run: proveEveryoneIsQuiet,
  },
];

const PAUSE_SECONDS = 30;

/** What the database is for real processes. */
function sharedGate() {
  let heldMs = 0;
  return {
    heldMs: () => Promise.resolve(heldMs),
    hold: (ms: number) => Promise.resolve(void (heldMs = Math.max(heldMs, ms))),
    open: () => void (heldMs = 0),
  };
}

/** One process is told to wait; another, which asked nothing, must not knock either. */
async function proveEveryoneIsQuiet(world: CaseWorld): Promise<void> {
  const { bed } = world;
  if (!bed.heard) {
    world.notShown('whether anything is sent meanwhile: the bed has no heard()');
    return;
  }
  const gate = sharedGate();
  const [one, other] = [await world.another('normal', { gate }), await world.another('normal', { gate })];
  const [first, key] = [freshKey(), freshKey()];
  const told = await prepared(one, first, sale(world.chart));
  const request = await prepared(other, key, sale(world.chart));
  await bed.provoke({ kind: 'rate-limit', retryAfterSeconds: PAUSE_SECONDS, on: 'final-step' });
  const limited = await one.post(told);
  assert.ok(limited.outcome === 'transient' || limited.outcome === 'unknown', JSON.stringify(limited));
  await bed.heal();
  const heard = bed.heard();
  const waits = await other.post(request);
  assert.equal(waits.outcome, 'transient', JSON.stringify(waits));
  assert.ok((waits.retryAfterMs ?? 0) > 0, 'it does not say how long');
  if (blind(other.capabilities) === null)
    assert.equal((await other.findByKey(key)).outcome, 'transient', 'it looks all the same');
  assert.equal(bed.heard() - heard, 0, 'requests came although the ERP had asked for silence');
  gate.open();
  final(other, await other.post(request));
  await assertInBooksOnce(world, key);
}
