// The VAT that a UBL document states, by rate. Positive as a whole; what is taken back within it is negative.
import { Decimal, sum, ZERO } from '../../../domain/decimal.js';
import { CAC, CBC, money } from './amounts.js';
import { all, at } from './elements.js';
import type { XmlElement } from './read-xml.js';

export interface UblTax {
  /** null: the file does not say, and the amounts do not tell. */
  readonly percent: Decimal | null;
  /** Zero where the file does not say. */
  readonly taxable: Decimal;
  readonly tax: Decimal;
}

export interface UblTaxes {
  /** In the document's currency, as is the total; empty where the file has the total alone. */
  readonly taxes: readonly UblTax[];
  /** null: the file states no VAT in the document's currency, not even zero. Its sign is that of `byRate`. */
  readonly taxTotal: Decimal | null;
  /** Only where a foreign document states its VAT in ISK too. */
  readonly taxTotalIsk: Decimal | null;
  /** Positive as a whole, also on a credit note: what is negative here is taken back within the document (a deposit, a return). */
  readonly byRate: Readonly<Record<'S' | 'AA' | 'Z', { readonly tax: Decimal; readonly taxable: Decimal }>>;
  /** Every subtotal has a percent, and there is one at least. */
  readonly hasRates: boolean;
}

/** A foreign document may state its VAT twice: in its own currency, and in ISK for the tax authorities. */
export function readTaxes(root: XmlElement, currency: string, isCreditNote: boolean): UblTaxes {
  const totals = all(root, CAC, 'TaxTotal');
  const inIsk = currency === 'ISK' ? [] : totals.filter((total) => currencyOf(total) === 'ISK');
  const own = totals.filter((total) => !inIsk.includes(total));
  const taxes = own.flatMap((total) => all(total, CAC, 'TaxSubtotal')).map(readTax);
  const taxTotal = taxes.length > 0 ? sum(taxes.map(({ tax }) => tax)) : taxAmount(own);
  const isTurned = isNegative(taxes, taxTotal, isCreditNote);
  return {
    taxes,
    byRate: perRate(taxes, isTurned),
    hasRates: taxes.length > 0 && taxes.every(({ percent }) => percent !== null),
    taxTotal: taxTotal !== null && isTurned ? taxTotal.neg() : taxTotal,
    taxTotalIsk: taxAmount(inIsk),
  };
}

/** Credit notes come in either sign. Where no bases are stated, VAT below zero says so of a credit note alone. */
function isNegative(taxes: readonly UblTax[], taxTotal: Decimal | null, isCreditNote: boolean): boolean {
  const bases = sum(taxes.map(({ taxable }) => taxable));
  if (taxes.some(({ taxable }) => !taxable.isZero())) return bases.plus(taxTotal ?? ZERO).lt(0);
  return isCreditNote && (taxTotal?.lt(0) ?? false);
}

type ByRate = UblTaxes['byRate'];
const NOTHING = { tax: ZERO, taxable: ZERO };

/** Key on the percent: 11 % arrives as category S with Percent 11; AA is no Peppol category. */
function perRate(taxes: readonly UblTax[], isTurned: boolean): ByRate {
  const rates = { S: NOTHING, AA: NOTHING, Z: NOTHING };
  for (const { percent, tax, taxable } of taxes) {
    const rate = percent === null ? undefined : RATE_NAMES.get(percent.toNumber());
    if (rate === undefined) continue;
    const known = rates[rate];
    rates[rate] = { tax: sum([known.tax, tax]), taxable: sum([known.taxable, taxable]) };
  }
  const turned = ({ tax, taxable }: typeof NOTHING) => ({ tax: tax.neg(), taxable: taxable.neg() });
  return isTurned ? { S: turned(rates.S), AA: turned(rates.AA), Z: turned(rates.Z) } : rates;
}

const RATE_NAMES: ReadonlyMap<number, keyof ByRate> = new Map([
  [24, 'S'],
  [11, 'AA'],
  [0, 'Z'],
]);

function currencyOf(total: XmlElement): string {
  return at(total, [CBC, 'TaxAmount'])?.attributes.get('currencyID') ?? '';
}

function taxAmount(totals: readonly XmlElement[]): Decimal | null {
  const amounts = totals
    .map((total) => money(at(total, [CBC, 'TaxAmount']), 'TaxAmount'))
    .filter((amount) => amount !== null);
  return amounts.length === 0 ? null : sum(amounts);
}

function readTax(subtotal: XmlElement): UblTax {
  const percent = money(at(subtotal, [CAC, 'TaxCategory'], [CBC, 'Percent']), 'Percent');
  const taxable = money(at(subtotal, [CBC, 'TaxableAmount']), 'TaxableAmount') ?? ZERO;
  const tax = money(at(subtotal, [CBC, 'TaxAmount']), 'TaxAmount') ?? ZERO;
  return { percent: percent ?? percentOf(tax, taxable), taxable, tax };
}

const HUNDRED = new Decimal(100);
const KNOWN_PERCENTS = [new Decimal(24), new Decimal(11)];

/** Where the file names no percent, the amounts may: VAT that is one of the rates to the last króna. */
function percentOf(tax: Decimal, taxable: Decimal): Decimal | null {
  if (tax.isZero()) return ZERO;
  const fits = (percent: Decimal) => taxable.times(percent).div(HUNDRED).minus(tax).abs().lt(1);
  const fitting = KNOWN_PERCENTS.filter(fits);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}
