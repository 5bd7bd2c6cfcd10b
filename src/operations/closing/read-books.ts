// What the ERP has under keys of ours in a period.
import type { ErpEntry } from '../../erp/erp-adapter.js';
import type { TenantContext } from '../../sync/tenant-context.js';
import type { Period } from '../connected-tenants.js';
import { Ledger } from './tally.js';

export interface BooksSide {
  /** Live entries by key; reversed ones and their reversals cancel out and are left aside. */
  readonly entries: ReadonlyMap<string, readonly ErpEntry[]>;
  readonly accounts: Ledger;
  /** null: no entry shows a VAT code. */
  readonly vat: Ledger | null;
  readonly count: number;
}

/** null: this ERP shows nothing to programs. */
export async function readBooks({ erp }: TenantContext, period: Period): Promise<BooksSide | null> {
  if (erp.capabilities.lookUp === 'none') return null;
  const entries = new Map<string, ErpEntry[]>();
  const accounts = new Ledger();
  const vat = new Ledger();
  let count = 0;
  for await (const entry of erp.entries(period)) {
    if (entry.reversed === true || entry.state !== 'posted') continue;
    entries.set(entry.key, [...(entries.get(entry.key) ?? []), entry]);
    accounts.addEntry(entry);
    vat.addVat(entry.lines);
    count += 1;
  }
  return { entries, accounts, vat: vat.names().length === 0 ? null : vat, count };
}
