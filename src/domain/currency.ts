// The currencies that the service documents, with the decimals each one has (ISO 4217). ISK is the currency of the books.
import { Decimal } from './decimal.js';

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
