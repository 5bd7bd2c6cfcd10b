// Measured in processor time of this process. Other tests run beside it and slow every core down, so the batch is measured
// in quarters and the quickest of them, times four, is what counts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costCase, invoiceCase } from '../../property/mapping/arbitrary-documents.js';
import { runMap, writeWork } from './run-map.js';

const DOCUMENTS = 20_000;
const QUARTER = DOCUMENTS / 4;
const SECONDS_MAX = 10;
const GROWTH_BYTES_MAX = 60 * 1024 * 1024;

describe('map --batch', () => {
  test('maps 20,000 documents in under ten seconds of one core, with flat memory', async () => {
    const invoices = fc
      .sample(invoiceCase, { numRuns: 500, seed: 1 })
      .map((made) => ({ kind: 'invoice', ...made }));
    const costs = fc
      .sample(costCase, { numRuns: 500, seed: 2 })
      .map((document) => ({ kind: 'cost', document }));
    const some = [...invoices, ...costs]
      .map((record) => `${JSON.stringify({ id: record.document['guid'], ...record })}\n`)
      .join('');
    const file = writeWork('many.ndjson', some.repeat(DOCUMENTS / 1000));
    const marks: { at: number; heap: number }[] = [{ at: process.cpuUsage().user, heap: Infinity }];
    let written = 0;
    await runMap(['--batch', file], '', (text) => {
      written += text.split('\n').length - 1;
      if (written < marks.length * QUARTER) return;
      marks.push({ at: process.cpuUsage().user, heap: process.memoryUsage().heapUsed });
    });
    const quarters = marks.slice(1).map(({ at }, index) => (at - (marks[index]?.at ?? 0)) / 1e6);
    expect(written).toBe(DOCUMENTS);
    expect(quarters).toHaveLength(4);
    expect(Math.min(...quarters) * 4).toBeLessThan(SECONDS_MAX);
    expect((marks[4]?.heap ?? Infinity) - (marks[1]?.heap ?? 0)).toBeLessThan(GROWTH_BYTES_MAX);
  });
});
