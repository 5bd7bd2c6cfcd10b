// Whether a cost agrees with itself and with the e-invoice behind it. Where both state figures, and other ones, it is refused; where
// one of the two is silent, or only might be wrong (an e-invoice that states a total of VAT and no rates), it waits for a person.
import { BOOK_CURRENCY } from '../../domain/currency.js';
import { Decimal, sum } from '../../domain/decimal.js';
import { readKennitala } from '../../domain/kennitala.js';
import { amountText, isBelowZero, isWithin } from '../../domain/money.js';
import type { SourceCost } from '../../domain/source-document.js';
import { doubt, stop, type Stop } from './outcome.js';
import { type PerTaxed, vatOfCost } from './cost-money.js';
import type { CostAssignment } from './cost-assignment.js';
import type { AdmittedCost } from './cost-gates.js';
import type { CostCodeRule } from './rules.js';
import type { UblDocument } from './ubl/read-ubl.js';
import { TAXED_CODES, type TaxedCode } from './vat-rates.js';

const VAT_FIELDS: { readonly S: 'vat_S'; readonly AA: 'vat_AA' } = { S: 'vat_S', AA: 'vat_AA' };
const BOOK_COUNTRY = 'IS';
const ISK_TOLERANCE = new Decimal(1);
const CURRENCY_TOLERANCE = new Decimal('0.01');

/** VAT of what was taken back within a purchase is negative, and then the e-invoice says so. */
export function checkSigns(cost: SourceCost, ubl: UblDocument | null): Stop | null {
  const vats = vatOfCost(cost);
  const isStated = (tax: TaxedCode) => {
    const stated = ubl?.byRate[tax];
    return stated !== undefined && isBelowZero(stated.tax) && isBelowZero(stated.taxable);
  };
  const negative = TAXED_CODES.find((tax) => isBelowZero(vats[tax]) && !isStated(tax));
  if (negative === undefined) return null;
  return doubt('VAT_IMPLAUSIBLE', { field: VAT_FIELDS[negative], vat: amountText(vats[negative]) });
}

export function checkVatAllowed(cost: SourceCost, code: string, rule: CostCodeRule): Stop | null {
  if (rule.vat !== 'none') return null;
  const vats = vatOfCost(cost);
  const charged = TAXED_CODES.find((tax) => !vats[tax].isZero());
  if (charged === undefined) return null;
  const vat = amountText(vats[charged]);
  return stop('VAT_NOT_ALLOWED', { costCode: code, field: VAT_FIELDS[charged], vat });
}

/** Else the debt would be on the kennitala of one company and under the name of another. */
export function checkSupplier({ supplierId }: SourceCost, ubl: UblDocument): Stop | null {
  const ours = readKennitala(supplierId);
  const theirs = readKennitala(ubl.supplierKennitala);
  if (!ours.format || !theirs.format || ours.digits === theirs.digits) return null;
  return stop('SUPPLIER_MISMATCH', { ours: ours.digits, theirs: theirs.digits, name: ubl.supplierName });
}

export function crossCheck(cost: SourceCost, ubl: UblDocument, isImport: boolean): Stop | null {
  if (ubl.currency !== cost.currency) return differ('currency', cost.currency, ubl.currency);
  const isIsk = cost.currency === BOOK_CURRENCY;
  const tolerance = isIsk ? ISK_TOLERANCE : CURRENCY_TOLERANCE;
  // Where something was prepaid, the cost may be about the whole or about what is left to pay.
  const isSame = [ubl.total, ubl.payable].some((stated) => isWithin(stated.abs(), cost.amount, tolerance));
  if (!isSame) return differ('amount', amountText(cost.amount), amountText(ubl.total));
  if (cost.isCreditNote && !ubl.isCreditNote) return unclear('credit_note', '1', '0');
  return isIsk ? crossCheckVat(cost, ubl, isImport) : null;
}

function crossCheckVat(cost: SourceCost, ubl: UblDocument, isImport: boolean): Stop | null {
  const { byRate, hasRates, taxTotal } = ubl;
  const vats = vatOfCost(cost);
  // VAT of imported goods is none of the supplier's, whose e-invoice may show it or not.
  if (isImport && TAXED_CODES.every((tax) => byRate[tax].tax.lte(vats[tax].plus(ISK_TOLERANCE)))) return null;
  if (!hasRates) return taxTotal === null ? null : crossCheckTotal(vats, taxTotal);
  const first = TAXED_CODES.find((tax) => !isWithin(byRate[tax].tax, vats[tax], ISK_TOLERANCE));
  if (first === undefined) return null;
  const given = [VAT_FIELDS[first], amountText(vats[first]), amountText(byRate[first].tax)] as const;
  return isUncertain(vats, ubl) ? unclear(...given) : differ(...given);
}

/** Both state VAT, and not the same: one is wrong. But one may be silent, or about what is left to pay, and the service may not hold what is taken back in a purchase. */
function isUncertain(vats: PerTaxed, { byRate, payable, total }: UblDocument): boolean {
  const isSilent = (vatOf: (tax: TaxedCode) => Decimal) => TAXED_CODES.every((tax) => vatOf(tax).isZero());
  return (
    isSilent((tax) => vats[tax]) ||
    isSilent((tax) => byRate[tax].tax) ||
    !payable.eq(total) ||
    TAXED_CODES.some((tax) => isBelowZero(byRate[tax].tax))
  );
}

/**
 * Where none of it comes back, people book such a cost without its VAT (hospitality): it is part of the expense, as the e-invoice
 * states it. VAT of another country is none here.
 */
export function withStatedVat(cost: SourceCost, { ubl, rule, assigned }: AdmittedCost): SourceCost {
  const isMeant =
    assigned.percent === 0 &&
    rule.vat !== 'none' &&
    cost.currency === BOOK_CURRENCY &&
    cost.vatS.isZero() &&
    cost.vatAA.isZero();
  if (!isMeant || !ubl?.hasRates || !['', BOOK_COUNTRY].includes(ubl.supplierCountry)) return cost;
  const [vatS, vatAA] = [ubl.byRate.S.tax, ubl.byRate.AA.tax];
  return vatS.isZero() && vatAA.isZero() ? cost : { ...cost, vatS, vatAA };
}

/** A line of the e-invoice may be booked by another rule than the cost, and then its VAT would be deducted, which the cost does not say. */
export function checkNotDeducted(
  cost: SourceCost,
  ours: SourceCost,
  shares: readonly { readonly assigned: CostAssignment }[],
): Stop | null {
  if (ours === cost || shares.every(({ assigned }) => assigned.percent === 0)) return null;
  return unclear('vat_S + vat_AA', '0', amountText(ours.vatS.plus(ours.vatAA)));
}

/** Without rates only the totals can be compared, and what they say is no proof against either side. */
function crossCheckTotal(vats: PerTaxed, theirs: Decimal): Stop | null {
  const charged = TAXED_CODES.filter((tax) => !vats[tax].isZero());
  const ours = sum(charged.map((tax) => vats[tax]));
  if (isWithin(ours, theirs, ISK_TOLERANCE.times(Math.max(charged.length, 1)))) return null;
  return unclear('vat_S + vat_AA', amountText(ours), amountText(theirs));
}

function unclear(field: string, ours: string, theirs: string): Stop {
  return doubt('XML_MISMATCH', { field, ours, theirs });
}

function differ(field: 'currency' | 'amount' | 'vat_S' | 'vat_AA', ours: string, theirs: string): Stop {
  return stop('XML_MISMATCH', { field, ours, theirs });
}
