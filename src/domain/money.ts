// Rounding and comparing amounts. Half-up and symmetric: -0.5 rounds to -1 as 0.5 rounds to 1.
import { Decimal, ZERO } from './decimal.js';

export function roundTo(amount: Decimal, decimals: number): Decimal {
  if (amount.decimalPlaces() <= decimals) return amount;
  return amount.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP);
}

/** As `gt(0)` and `lt(0)`, without making a decimal of the zero: these are asked of every line of every journal. */
export function isAboveZero(amount: Decimal): boolean {
  return amount.isPositive() && !amount.isZero();
}

export function isBelowZero(amount: Decimal): boolean {
  return amount.isNegative() && !amount.isZero();
}

export function isWithin(one: Decimal, other: Decimal, tolerance: Decimal): boolean {
  return one.eq(other) || one.minus(other).abs().lte(tolerance);
}

/** Plain digits, never an exponent, never "-0"; at least `decimals` places. */
export function amountText(amount: Decimal, decimals = 0): string {
  if (!amount.isFinite()) return amount.toString();
  if (decimals > amount.decimalPlaces())
    return amount.isZero() ? ZERO.toFixed(decimals) : amount.toFixed(decimals);
  return amount.isZero() ? '0' : amount.toFixed();
}
