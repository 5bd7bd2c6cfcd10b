// What an entry comes to in the ERP and here. The store and both sides are those of one document.
import { describe, expect, test } from 'vitest';
import { Decimal, ZERO } from '../../../src/domain/money.js';
import type { ErpCapabilities, ErpEntry, ErpEntryLine } from '../../../src/erp/erp-adapter.js';
import { type LocalPosting, reconcile, type ReconciliationStore } from '../../../src/sync/reconcile.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import type { TenantContext } from '../../../src/sync/tenant-context.js';

const KEY = 'CABCDEFGHIJKLMNOPQR3';
const PERIOD = { from: '2026-03-01', to: '2026-03-31' };

function line(account: string, debit: string, more: Partial<ErpEntryLine> = {}): ErpEntryLine {
  const amount = new Decimal(debit);
  const [left, right] = amount.isNegative() ? [ZERO, amount.negated()] : [amount, ZERO];
  return { account, debit: left, credit: right, ...more };
}

async function differencesOf(
  lines: readonly ErpEntryLine[],
  totalIsk: string,
  capabilities: Partial<ErpCapabilities>,
): Promise<readonly string[]> {
  const reference = { id: '1' };
  const entry: ErpEntry = { reference, key: KEY, state: 'posted', postingDate: '2026-03-15', lines };
  const local: LocalPosting = {
    ...{ id: '1', key: KEY, isMember: false, settlementKey: null, guid: 'g' },
    ...{ number: 'K-1', state: 'acknowledged', totalIsk, reference: '1' },
    ...{ kind: 'cost', issueDate: '2026-03-15', isBooked: true },
  };
  const store: ReconciliationStore = {
    postedIn: (_tenant, _from, _to, after) => Promise.resolve(after === '' ? [local] : []),
    byKeys: () => Promise.resolve(new Map([[KEY, local]])),
    countsByStatus: () => Promise.resolve(new Map()),
    creditedInvoices: () => Promise.resolve(new Set()),
    openIncident: () => Promise.resolve(),
  };
  const erp = {
    capabilities: { lookUp: 'posted', vatMode: 'explicit-lines', ...capabilities },
    async *entries() {
      yield await Promise.resolve(entry);
    },
  };
  const posted = { guid: 'g', kind: 'cost', accountingStatus: 'Posted' };
  const source = {
    count: () => Promise.resolve(0),
    list: ({ kind }: { kind: string }) =>
      Promise.resolve({
        documents: kind === 'cost' ? [posted] : [],
        problems: [],
        hasMore: false,
        fingerprint: kind,
      }),
  };
  const tenant = { name: 'hraun', erp, source };
  const report = await reconcile(store, tenant as unknown as TenantContext, PERIOD, SYSTEM_RUNTIME);
  return report.differences.map(({ code }) => code);
}

describe('reconciling totals', () => {
  const bill = [line('6400', '15000'), line('2410', '-15000')];
  const charged = (vat: string) => [...bill, line('1603', vat), line('2502', `-${vat}`)];
  const splits = { vatMode: 'erp-splits' } as const;

  test('a króna more or less is seen where VAT has lines of its own', async () => {
    expect(await differencesOf(bill, '15000.00', {})).toEqual([]);
    expect(await differencesOf(bill, '15001.00', {})).toEqual(['ENTRY_TOTAL_DIFFERS']);
  });

  test('a total that is too high, or too low, is seen where the ERP splits VAT', async () => {
    expect(await differencesOf(charged('3600'), '18600.00', splits)).toEqual([]);
    expect(await differencesOf(charged('3600.4'), '18600.00', splits)).toEqual([]);
    expect(await differencesOf(charged('36000'), '18600.00', splits)).toEqual(['ENTRY_TOTAL_DIFFERS']);
    expect(await differencesOf(charged('3600'), '15000.00', splits)).toEqual(['ENTRY_TOTAL_DIFFERS']);
    expect(await differencesOf(bill, '18600.00', splits)).toEqual(['ENTRY_TOTAL_DIFFERS']);
  });

  test("krónur by the ERP's own rate may differ by the part that it declares, and no more", async () => {
    const inEuro = (isk: string) => [
      line('1500', isk, { currency: 'EUR', currencyAmount: new Decimal(1000) }),
      line('3000', `-${isk}`, { currency: 'EUR', currencyAmount: new Decimal(-1000) }),
    ];
    const own = { foreignCurrency: 'documents-in-currency', foreignIskTolerance: 0.0001 } as const;
    expect(await differencesOf(inEuro('145510'), '145500.00', own)).toEqual([]);
    expect(await differencesOf(inEuro('145600'), '145500.00', own)).toEqual(['ENTRY_TOTAL_DIFFERS']);
    expect(await differencesOf(inEuro('145510'), '145500.00', {})).toEqual(['ENTRY_TOTAL_DIFFERS']);
  });
});
