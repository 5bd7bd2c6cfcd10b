// Counted by hand, because the library works out its labels at every call; written as the library writes it.
import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { CallTimes } from '../../../src/telemetry/metrics/counters.js';

const CALLS = [
  { side: 'source', system: 'credential', call: 'get', outcome: 'found', seconds: 0.004 },
  { side: 'source', system: 'credential', call: 'get', outcome: 'found', seconds: 0.005 },
  { side: 'source', system: 'credential', call: 'get', outcome: 'threw', seconds: 31 },
  { side: 'erp', system: 'http', call: 'post', outcome: 'posted', seconds: 0.3 },
] as const;

test('times of calls are written as the library would write them', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const times = new CallTimes(ours);
  const histogram = new Histogram({
    name: 'ledgerbridge_call_seconds',
    help: 'Time of calls to the invoicing service and to ERPs, by what they answered.',
    labelNames: ['side', 'system', 'call', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [theirs],
  });
  for (const { seconds, ...labels } of CALLS) {
    times.called({ ...labels, seconds });
    histogram.observe(labels, seconds);
  }
  const written = await ours.metrics();
  expect(written).toContain('outcome="threw"} 31');
  expect(written).toBe(await theirs.metrics());
});
