// Which ERP can hand over what. A tenant file that asks for more is a problem of that file.
import type { ErpHand } from './settings.js';

const OFFERS: Readonly<Record<string, readonly ErpHand[]>> = {
  odoo: ['customers', 'invoices'],
  tryton: ['customers', 'invoices'],
};

/** What of it this ERP does not have. */
export function lacking(adapter: string, hands: readonly ErpHand[]): readonly ErpHand[] {
  const offered = OFFERS[adapter] ?? [];
  return hands.filter((hand) => !offered.includes(hand));
}
