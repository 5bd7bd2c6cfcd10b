// What an ERP wishes by Retry-After holds for its whole connection: whatever else would be sent there, from this process or another, waits.
import { expect, onTestFinished, test } from 'vitest';
import { prepared } from '../../../../src/erp/conformance/conformance-case.js';
import { freshKey, sale } from '../../../../src/erp/conformance/journals.js';
import type { RequestGate } from '../../../../src/http/request-gate.js';
import { FAKE_CHART } from '../../../support/fakes/fake-chart.js';
import { FAKE_ERPS, UNICONTA } from '../../../support/fakes/fake-erps.js';

/** What the database is for real processes. */
function sharedGate(): RequestGate {
  let until = 0;
  return {
    heldMs: () => Promise.resolve(Math.max(0, until - Date.now())),
    hold: (ms) => {
      until = Math.max(until, Date.now() + ms);
      return Promise.resolve();
    },
  };
}

test.each([...FAKE_ERPS, UNICONTA])('$name hears nothing from anybody until then', async ({ open }) => {
  const erp = await open();
  onTestFinished(() => erp.close());
  const gate = sharedGate();
  const [one, other] = [erp.connect({ gate }), erp.connect({ gate })];
  const [first, second] = [freshKey(), freshKey()];
  const requests = [
    await prepared(one, first, sale(FAKE_CHART)),
    await prepared(other, second, sale(FAKE_CHART)),
  ] as const;
  await erp.server.provoke({ kind: 'rate-limit', retryAfterSeconds: 30, on: 'final-step' });
  const told = await one.post(requests[0]);
  expect(['transient', 'unknown']).toContain(told.outcome);
  expect(told).toHaveProperty('retryAfterMs', 30_000);
  await erp.server.heal();
  const heard = erp.server.seen.length;
  const waits = await other.post(requests[1]);
  expect(waits).toMatchObject({ outcome: 'transient' });
  expect((waits as { retryAfterMs?: number }).retryAfterMs).toBeGreaterThan(20_000);
  expect(await one.findByKey(second)).toMatchObject({ outcome: 'transient' });
  expect(erp.server.seen.length).toBe(heard);
});
