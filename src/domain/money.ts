// Rounding and comparing amounts. Half-up and symmetric: -0.5 rounds to -1 as 0.5 rounds to 1.
import { Decimal as DecimalBase } from 'decimal.js';

// Money is decimal everywhere. One configured constructor, so that rounding is half-up (away from zero on a tie,
// hence symmetric for negatives) and no amount is ever written in exponent form.

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

// The currencies that the service documents, with the decimals each one has (ISO 4217). ISK is the currency of the books.
export const BOOK_CURRENCY = 'ISK';

const TWO_DECIMALS = [
  'EUR',
  'USD',
  'DKK',
  'NOK',
  'SEK',
  'GBP',
  'AUD',
  'PLN',
  'CAD',
  'CHF',
  'CNY',
  'NZD',
  'MXN',
  'SGD',
  'HKD',
  'TRY',
  'RUB',
  'INR',
  'BRL',
  'ZAR',
  'UAH',
  'CZK',
] as const;
const NO_DECIMALS = ['ISK', 'JPY', 'KRW', 'VND'] as const;

const MINOR_UNITS: ReadonlyMap<string, number> = new Map([
  ...TWO_DECIMALS.map((code): [string, number] => [code, 2]),
  ...NO_DECIMALS.map((code): [string, number] => [code, 0]),
]);

export const CURRENCY_CODES: readonly string[] = [...MINOR_UNITS.keys()];

export function isDocumentedCurrency(code: string): boolean {
  return MINOR_UNITS.has(code);
}

const WHOLE = new Decimal(1);
const CENT = new Decimal('0.01');

/** The smallest amount of a currency: 1 or 0.01. */
export function minorUnit(code: string): Decimal {
  return currencyDecimals(code) === 0 ? WHOLE : CENT;
}

/** Decimals of a documented currency; two for any other, as most have. */
export function currencyDecimals(code: string): number {
  return MINOR_UNITS.get(code) ?? 2;
}
