// Which ERP can hand over what. A tenant file that asks for more is a problem of that file.
import type { ErpHand } from './settings.js';

export type OriginErp = 'business-central' | 'odoo' | 'tryton';

const OFFERS: Readonly<Record<OriginErp, readonly ErpHand[]>> = {
  'business-central': ['customers', 'items', 'invoices', 'orders', 'quotes'],
  odoo: ['customers', 'items', 'invoices', 'orders', 'quotes'],
  tryton: ['customers', 'items', 'invoices', 'orders', 'quotes'],
};

/** What of it this ERP does not have. */
export function lacking(adapter: string, hands: readonly ErpHand[]): readonly ErpHand[] {
  const offered = (OFFERS as Readonly<Partial<Record<string, readonly ErpHand[]>>>)[adapter] ?? [];
  return hands.filter((hand) => !offered.includes(hand));
}

/** Its items name a posting group, and which VAT that is no field of its API says. */
export function needsVatGroups(adapter: string, hands: readonly ErpHand[]): boolean {
  return adapter === 'business-central' && hands.includes('items');
}
