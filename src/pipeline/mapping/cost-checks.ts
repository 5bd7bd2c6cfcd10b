// Whether a cost agrees with itself and with the e-invoice behind it. What contradicts itself in its own fields is refused;
// what only might be wrong (an e-invoice that states a total of VAT and no rates) waits for a person.
import { BOOK_CURRENCY } from '../../domain/currency.js';
import { Decimal, sum } from '../../domain/decimal.js';
import { readKennitala } from '../../domain/kennitala.js';
import { amountText, isBelowZero, isWithin } from '../../domain/money.js';
import type { SourceCost } from '../../domain/source-document.js';
import { doubt, stop, type Stop } from './outcome.js';
import type { CostCodeRule } from './rules.js';
import type { UblDocument } from './ubl/read-ubl.js';
import { TAXED_CODES, type TaxedCode } from './vat-rates.js';

const VAT_FIELDS: { readonly S: 'vat_S'; readonly AA: 'vat_AA' } = { S: 'vat_S', AA: 'vat_AA' };
const ISK_TOLERANCE = new Decimal(1);
const CURRENCY_TOLERANCE = new Decimal('0.01');

export type PerTaxed = Readonly<Record<TaxedCode, Decimal>>;

export function vatOfCost(cost: SourceCost): PerTaxed {
  return { S: cost.vatS, AA: cost.vatAA };
}

export function checkSigns(cost: SourceCost): Stop | null {
  const vats = vatOfCost(cost);
  const negative = TAXED_CODES.find((tax) => isBelowZero(vats[tax]));
  if (negative === undefined) return null;
  return stop('VAT_IMPLAUSIBLE', { field: VAT_FIELDS[negative], vat: amountText(vats[negative]) });
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

export function crossCheck(cost: SourceCost, ubl: UblDocument): Stop | null {
  if (ubl.currency !== cost.currency) return differ('currency', cost.currency, ubl.currency);
  const isIsk = cost.currency === BOOK_CURRENCY;
  const tolerance = isIsk ? ISK_TOLERANCE : CURRENCY_TOLERANCE;
  // Where something was prepaid, the cost may be about the whole or about what is left to pay.
  const isSame = [ubl.total, ubl.payable].some((stated) => isWithin(stated.abs(), cost.amount, tolerance));
  if (!isSame) return differ('amount', amountText(cost.amount), amountText(ubl.total));
  if (cost.isCreditNote && !ubl.isCreditNote)
    return doubt('XML_MISMATCH', { field: 'credit_note', ours: '1', theirs: '0' });
  return isIsk ? crossCheckVat(cost, ubl) : null;
}

function crossCheckVat(cost: SourceCost, { byRate, hasRates, taxTotal }: UblDocument): Stop | null {
  const vats = vatOfCost(cost);
  if (!hasRates) return taxTotal === null ? null : crossCheckTotal(vats, taxTotal.abs());
  for (const tax of TAXED_CODES) {
    const theirs = byRate[tax].tax;
    if (!isWithin(theirs, vats[tax], ISK_TOLERANCE)) {
      return differ(VAT_FIELDS[tax], amountText(vats[tax]), amountText(theirs));
    }
  }
  return null;
}

/** Without rates only the totals can be compared, and what they say is no proof against either side. */
function crossCheckTotal(vats: PerTaxed, theirs: Decimal): Stop | null {
  const charged = TAXED_CODES.filter((tax) => !vats[tax].isZero());
  const ours = sum(charged.map((tax) => vats[tax]));
  if (isWithin(ours, theirs, ISK_TOLERANCE.times(Math.max(charged.length, 1)))) return null;
  return doubt('XML_MISMATCH', {
    field: 'vat_S + vat_AA',
    ours: amountText(ours),
    theirs: amountText(theirs),
  });
}

function differ(field: 'currency' | 'amount' | 'vat_S' | 'vat_AA', ours: string, theirs: string): Stop {
  return stop('XML_MISMATCH', { field, ours, theirs });
}
