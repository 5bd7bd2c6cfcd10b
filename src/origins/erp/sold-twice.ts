// An ERP makes invoices of its own orders, and orders of its own quotes: whoever hands over two stages of one sale sends it twice. A quote
// that stays a quote binds nobody, so it may go beside either.
import type { OriginSettings } from '../origin-settings.js';
import type { ErpHand } from './settings.js';

export interface SoldTwice {
  /** Of the origin that says it too. */
  readonly index: number;
  readonly twice: readonly ErpHand[];
}

/** All origins of type `erp` are the one ERP of the tenant. */
export function soldTwice(origins: readonly OriginSettings[]): readonly SoldTwice[] {
  const handed = new Set<ErpHand>();
  return origins.flatMap((origin, index) => {
    if (origin.type !== 'erp') return [];
    const sales = origin.hands.filter((hand) => isSale(hand, origin.quotes));
    for (const hand of sales) handed.add(hand);
    return sales.length > 0 && handed.size > 1 ? [{ index, twice: [...handed] }] : [];
  });
}

function isSale(hand: ErpHand, quotes: 'quote' | 'order' | 'draft'): boolean {
  return hand === 'invoices' || hand === 'orders' || (hand === 'quotes' && quotes !== 'quote');
}
