import { afterEach, describe, expect, it } from 'vitest';
import { reversalKey, settlementKey } from '../../../../src/domain/posting-key.js';
import type { ErpAdapter } from '../../../../src/erp/erp-adapter.js';
import { FAKE_ERPS, type FakeErp } from '../../../support/fakes/fake-erps.js';
import { collect } from '../../../support/fakes/fake-services.js';
import {
  COST_KEY,
  costJournal,
  INVOICE_KEY,
  invoiceJournal,
} from '../../../support/fakes/sample-journals.js';

let books: FakeErp | undefined;
afterEach(() => books?.close());

const MARCH = { from: '2026-03-01', to: '2026-03-31' };
const APRIL = { from: '2026-04-01', to: '2026-04-30' };
const SETTLEMENT = settlementKey(INVOICE_KEY);

async function posted(erp: ErpAdapter, key: string, journal = invoiceJournal()): Promise<void> {
  const prepared = await erp.prepare({ key, journal });
  if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
  expect(await erp.post(prepared.prepared)).toMatchObject({ outcome: 'posted' });
}

async function reversed(erp: ErpAdapter, key: string, date: string): Promise<void> {
  const found = await erp.findByKey(key);
  if (found.outcome !== 'one') throw new Error(JSON.stringify(found));
  const request = { key: reversalKey(key), original: found.entry, date, reason: 'Röng upphæð' };
  expect(await erp.reverse(request)).toMatchObject({ outcome: 'posted' });
}

async function listed(erp: ErpAdapter, period: typeof MARCH): Promise<Record<string, boolean>> {
  const entries = await collect(erp.entries(period));
  expect(new Set(entries.map((entry) => entry.key)).size).toBe(entries.length);
  return Object.fromEntries(entries.map((entry) => [entry.key, entry.reversed === true]));
}

describe.each(FAKE_ERPS)('entries of a period in $name', (erpOf) => {
  it('holds settlements and costs beside invoices, and says which have been reversed', async () => {
    books = await erpOf.open();
    const erp = books.connect();
    await posted(erp, INVOICE_KEY);
    await posted(erp, SETTLEMENT);
    await posted(erp, COST_KEY, costJournal());
    await reversed(erp, SETTLEMENT, '2026-03-31');
    expect(await listed(erp, MARCH)).toEqual({
      [INVOICE_KEY]: false,
      [COST_KEY]: false,
      [SETTLEMENT]: true,
      [reversalKey(SETTLEMENT)]: true,
    });
  });

  it('marks an entry whose reversal lies in another month, in both of them', async () => {
    books = await erpOf.open();
    const erp = books.connect();
    await posted(erp, INVOICE_KEY);
    await posted(erp, COST_KEY, costJournal());
    await reversed(erp, INVOICE_KEY, '2026-04-02');
    expect(await listed(erp, MARCH)).toEqual({ [INVOICE_KEY]: true, [COST_KEY]: false });
    expect(await listed(erp, APRIL)).toEqual({ [reversalKey(INVOICE_KEY)]: true });
  });
});
