// Money is decimal everywhere. One configured constructor, so that rounding is half-up (away from zero on a tie,
// hence symmetric for negatives) and no amount is ever written in exponent form.
import { Decimal as DecimalBase } from 'decimal.js';

export const Decimal = DecimalBase.clone({
  precision: 40,
  rounding: DecimalBase.ROUND_HALF_UP,
  toExpNeg: -40,
  toExpPos: 40,
});
export type Decimal = DecimalBase;

export const ZERO: Decimal = new Decimal(0);

export function sum(amounts: Iterable<Decimal>): Decimal {
  let total = ZERO;
  // Adding zero to a decimal costs as much as adding a million, and half the sides of all lines are zero.
  for (const amount of amounts) {
    if (total.isZero()) total = amount;
    else if (!amount.isZero()) total = total.plus(amount);
  }
  return total;
}
