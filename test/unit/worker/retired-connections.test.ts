import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import { createRetiredConnections, pairOf } from '../../../src/worker/connections.js';

function ends() {
  const closed: string[] = [];
  const answers: (() => void)[] = [];
  const source = {
    count: () => new Promise<number>((resolve) => answers.push(() => resolve(7))),
    close: () => Promise.reject(new Error('does not close well')),
  } as unknown as InvoicingSource;
  const erp = {
    entries: async function* () {
      yield await Promise.resolve('one');
      await new Promise<void>((resolve) => answers.push(resolve));
      yield 'two';
    },
    close: () => {
      closed.push('erp');
      return Promise.resolve();
    },
  } as unknown as ErpAdapter;
  return { pair: pairOf(source, erp), closed, answers };
}

const QUERY = { kind: 'invoice', accountingStatus: 'Created' } as const;
const SOON = { idleMs: 20, lookEveryMs: 10 };

describe('a connection that was replaced', () => {
  it('is closed when its last call has been over for a while, and not before', async () => {
    const { pair, closed, answers } = ends();
    const retired = createRetiredConnections(SOON);
    const call = pair.source.count(QUERY);
    retired.add(pair);
    await sleep(80);
    expect(closed).toEqual([]);
    answers.forEach((answer) => answer());
    expect(await call).toBe(7);
    await expect.poll(() => closed).toEqual(['erp']);
  });

  it('is not closed while somebody reads its entries', async () => {
    const { pair, closed, answers } = ends();
    const retired = createRetiredConnections(SOON);
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const entry of pair.erp.entries({ from: '2026-01-01', to: '2026-01-31' })) seen.push(entry);
    })();
    retired.add(pair);
    await sleep(80);
    expect(closed).toEqual([]);
    answers.forEach((answer) => answer());
    await reading;
    expect(seen).toEqual(['one', 'two']);
    await expect.poll(() => closed).toEqual(['erp']);
  });

  it('is closed at once when the process ends, also beside one that does not close well', async () => {
    const [one, other] = [ends(), ends()];
    const retired = createRetiredConnections();
    void one.pair.source.count(QUERY);
    retired.add(one.pair);
    retired.add(other.pair);
    await retired.close();
    expect([one.closed, other.closed]).toEqual([['erp'], ['erp']]);
  });
});
