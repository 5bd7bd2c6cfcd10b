// VAT on imported goods, as customs and forwarders bill it: it is reckoned on the value of the goods, which the bill does not hold, so it may
// be nearly all of the bill.
import { BOOK_CURRENCY, isBelowZero, isWithin, roundTo } from '../../domain/money.js';
import { Decimal, sum, ZERO } from '../../domain/decimal.js';
import type { SourceCost } from '../../domain/source-document.js';
import { type CostMoney, type CostPart, type PerTaxed, vatOfCost } from './cost-money.js';
import type { UblDocument } from './ubl/read-ubl.js';
import { TAXED_CODES, VAT_RATES } from './vat-rates.js';

const TOLERANCE = new Decimal(1);
/** On a price, VAT is a fifth of the bill at the very most. */
const MOST_OF_IT = new Decimal('0.5');

/** Both papers have the same amount and the same VAT, on goods that are worth more than the bill comes to. */
export function showsImport(
  cost: SourceCost,
  { byRate, hasRates, payable, total, inclusive }: UblDocument,
): boolean {
  const vats = vatOfCost(cost);
  const vat = sum(TAXED_CODES.map((tax) => vats[tax]));
  const isSameAmount = [payable, total, inclusive ?? total].every((stated) =>
    isWithin(stated.abs(), cost.amount, TOLERANCE),
  );
  const isSameVat = TAXED_CODES.every((tax) => {
    const { tax: theirs, taxable } = byRate[tax];
    const isOfGoods = isWithin(taxable.times(VAT_RATES[tax]), theirs, TOLERANCE);
    return !isBelowZero(theirs) && isOfGoods && isWithin(theirs, vats[tax], TOLERANCE);
  });
  return (
    cost.currency === BOOK_CURRENCY &&
    hasRates &&
    isSameAmount &&
    isSameVat &&
    vat.gt(cost.amount.times(MOST_OF_IT)) &&
    vat.lte(cost.amount)
  );
}

/** The VAT is what the cost says; the rest of the bill has no VAT, unless the e-invoice states a base of its own that fits into it. */
export function splitImport(
  { ubl, gross, rate, book }: CostMoney,
  given: PerTaxed,
): readonly CostPart[] | null {
  const charged = TAXED_CODES.filter((tax) => !given[tax].isZero());
  let rest = gross.minus(sum(charged.map((tax) => roundTo(given[tax], book.iskDecimals))));
  if (isBelowZero(rest)) return null;
  const parts = charged.map((tax): CostPart => {
    const { taxable, tax: stated } = ubl?.byRate[tax] ?? { taxable: ZERO, tax: ZERO };
    const valued = roundTo(taxable.times(rate), book.iskDecimals);
    const base = isBelowZero(valued) || valued.gt(rest) ? ZERO : valued;
    rest = rest.minus(base);
    const isStated = !taxable.isZero() && isWithin(stated.times(rate), given[tax], TOLERANCE);
    const impliedBase = isStated ? valued : roundTo(given[tax].div(VAT_RATES[tax]), book.iskDecimals);
    return { tax, vat: roundTo(given[tax], book.iskDecimals), base, impliedBase };
  });
  // The ERP would reckon the VAT of the lines anew.
  const isReckoned = ({ tax, base, vat }: CostPart) => isWithin(base.times(VAT_RATES[tax]), vat, TOLERANCE);
  if (book.splitsVat && !parts.every(isReckoned)) return null;
  return rest.isZero() ? parts : [...parts, { tax: 'Z', vat: ZERO, base: rest, impliedBase: rest }];
}
