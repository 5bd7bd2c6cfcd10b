// Exact sums for Document 1's rule "amount equals Σ(line items) + VAT, rounded to 2 decimals": everything is counted in
// integers of a millionth of a hundredth, and rounded once, half away from zero.
import { TAX_CODES, TAX_PERCENT, type DecimalText, type Hundredths, type TaxCode } from './model.js';

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,12}))?$/;
/** Decimals kept while summing: 6 of a unit price times 2 of a percentage times 2 of a VAT rate. */
const SCALE_DIGITS = 12;
const HUNDREDTH = 10n ** BigInt(SCALE_DIGITS - 2);

export interface PricedLine {
  readonly qty: number;
  readonly unit_price: DecimalText;
  readonly tax: TaxCode;
  readonly discount: DecimalText;
  readonly discount_type: boolean;
}

export interface TaxTotals {
  readonly net: Record<TaxCode, Hundredths>;
  readonly vat: Record<TaxCode, Hundredths>;
  /** Σ(lines) + VAT, rounded once. */
  readonly amount: Hundredths;
}

export function totalsOf(lines: readonly PricedLine[], taxExempt = false): TaxTotals {
  const nets: Record<TaxCode, bigint> = { S: 0n, AA: 0n, Z: 0n };
  for (const line of lines) nets[taxExempt ? 'Z' : line.tax] += netOf(line);
  const net: Record<TaxCode, Hundredths> = { S: 0, AA: 0, Z: 0 };
  const vat: Record<TaxCode, Hundredths> = { S: 0, AA: 0, Z: 0 };
  let amount = 0n;
  for (const tax of TAX_CODES) {
    const vatScaled = (nets[tax] * BigInt(TAX_PERCENT[tax])) / 100n;
    net[tax] = toHundredths(nets[tax]);
    vat[tax] = toHundredths(vatScaled);
    amount += nets[tax] + vatScaled;
  }
  return { net, vat, amount: toHundredths(amount) };
}

/** Of one line, excluding VAT. */
export function lineNet(line: PricedLine): Hundredths {
  return toHundredths(netOf(line));
}

function netOf(line: PricedLine): bigint {
  const gross = BigInt(line.qty) * scaled(line.unit_price);
  if (line.discount === '0' || line.discount === '') return gross;
  if (!line.discount_type) return gross - scaled(line.discount);
  return gross - (gross * scaled(line.discount)) / (100n * 10n ** BigInt(SCALE_DIGITS));
}

function scaled(text: DecimalText): bigint {
  const parts = DECIMAL.exec(text);
  if (parts === null) throw new RangeError(`Not a plain decimal number: ${text}`);
  const [, sign, whole = '0', fraction = ''] = parts;
  const magnitude = BigInt(whole + fraction.padEnd(SCALE_DIGITS, '0'));
  return sign === '-' ? -magnitude : magnitude;
}

function toHundredths(value: bigint): Hundredths {
  const half = HUNDREDTH / 2n;
  const rounded = value < 0n ? -((-value + half) / HUNDREDTH) : (value + half) / HUNDREDTH;
  return Number(rounded);
}

export function parseHundredths(text: DecimalText): Hundredths {
  return toHundredths(scaled(text));
}

export function isDecimalText(text: string): boolean {
  return DECIMAL.test(text) && text.replace(/^-?0*\.?0*|\./g, '').length <= 15;
}

/** True when the text has at most two decimals that count. */
export function hasTwoDecimals(text: DecimalText): boolean {
  return scaled(text) % HUNDREDTH === 0n;
}

/** The nearest double of a number with two decimals prints as exactly that number, below 2^53 hundredths. */
export function wireMoney(amount: Hundredths): number {
  return amount / 100;
}

export function wireDecimal(text: DecimalText): number {
  return Number(text);
}
