// Sums in krónur are rounded by an ERP and are not by the service.
import type { Decimal } from '../../domain/decimal.js';

const ROUNDING_MAX = 1;

/** The ERP's own total where it is another one than its lines come to, so that the write rules of the service refuse it. */
export function amountUnless(counted: Decimal, total: Decimal): { readonly amount?: string } {
  const differs = counted.abs().minus(total.abs()).abs().greaterThan(ROUNDING_MAX);
  return differs ? { amount: total.abs().toFixed() } : {};
}
