// What of a cost is VAT, at which rate, and on what base. The service gives the VAT amounts in ISK, also on a foreign cost
// (Document 1, write rule 8), unless the e-invoice shows that they are in its own currency. The base is what the e-invoice
// states for the rate, else it follows from the VAT as given; the rest of the net is the part without VAT.
import { message } from '../../language/messages.js';
import { BOOK_CURRENCY, minorUnit, amountText, isBelowZero, isWithin, roundTo } from '../../domain/money.js';
import { Decimal, sum, ZERO } from '../../domain/decimal.js';
import { type CostMoney, type CostPart, type PerTaxed, vatOfCost } from './cost-money.js';
import { splitImport } from './import-vat.js';
import { doubt, isStop, stop, type Stop, because, type Because } from './outcome.js';
import type { RuleBook } from './rules.js';
import type { UblDocument } from './ubl/read-ubl.js';
import { TAXED_CODES, VAT_RATES, type TaxedCode } from './vat-rates.js';

export interface CostSplit {
  /** They add up to the gross exactly. */
  readonly parts: readonly CostPart[];
  readonly because: readonly Because[];
}

const GROSS_SLACK = new Decimal(10);
const REST_SLACK = new Decimal(1);
/** Half a króna of VAT moves the base by 0.5 / rate, and the base is rounded too. */
const REST_SLACK_PER_RATE: Readonly<Record<TaxedCode, Decimal>> = {
  S: new Decimal('2.6'),
  AA: new Decimal('5.1'),
};
const HUNDRED = new Decimal(100);
const VAT_TOLERANCE = new Decimal(1);
const VAT_TOLERANCE_MINOR_UNITS = new Decimal('2.5');
/** A supplier who rounds VAT line by line is off by this much of the base at the very most. */
const STATED_BASE_PART = new Decimal('0.02');

/** In ISK the fields alone can contradict each other, and that is said before anything is compared with the e-invoice. */
export function checkIskVat(money: CostMoney): Stop | null {
  const { cost, gross, isImport } = money;
  if (isImport) return null;
  const vats = vatOfCost(cost);
  const needed = grossOf(
    TAXED_CODES.filter((tax) => !vats[tax].isZero()),
    vats,
  );
  if (needed.lte(gross.plus(GROSS_SLACK)) || statedBases(money, vats).size > 0) return null;
  return tooMuch(money, needed);
}

export function splitCost(money: CostMoney): CostSplit | Stop {
  const read = readVat(money);
  if (isStop(read)) return read;
  if (money.isImport) {
    const parts = splitImport(money, read.vats);
    const { S, AA } = read.vats;
    return parts
      ? { parts, because: [...read.because, IMPORTED] }
      : tooMuch(money, grossOf(TAXED_CODES, { S, AA }));
  }
  const stated = statedBases(money, read.vats);
  const parts = splitAt(money, read.vats, stated);
  const usable = isStop(parts) && stated.size > 0 ? splitAt(money, read.vats, NO_BASES) : parts;
  if (isStop(usable)) return usable;
  return {
    parts: usable,
    because: stated.size > 0 && usable === parts ? [...read.because, STATED] : read.because,
  };
}

const IMPORTED = because('vat', 'import', 'cost.codes', message('VAT_OF_IMPORT'));
const STATED = because('vatBase', 'TaxableAmount', 'specification', message('STATED_FOR_RATE'));
type Bases = ReadonlyMap<TaxedCode, Decimal>;
const NO_BASES: Bases = new Map();

interface ReadVat {
  /** ISK, as given: not rounded. */
  readonly vats: PerTaxed;
  readonly because: readonly Because[];
}

/** In ISK, unless the e-invoice has the very same figures in the document's currency. */
function readVat({ cost, ubl, rate, gross, book }: CostMoney): ReadVat | Stop {
  const vats = vatOfCost(cost);
  const charged = TAXED_CODES.filter((tax) => !vats[tax].isZero());
  if (cost.currency === BOOK_CURRENCY || charged.length === 0) return { vats, because: [] };
  const inCurrency = { S: vats.S.times(rate), AA: vats.AA.times(rate) };
  const evidence = inOwnCurrency(vats, ubl, rate, cost.currency);
  if (evidence === 'shown') {
    const why = message('SAME_VAT_IN_CURRENCY', { currency: cost.currency });
    return { vats: inCurrency, because: [because('vat', cost.currency, 'specification', why)] };
  }
  // Nobody states it, but as ISK it would be next to nothing and in the currency it is VAT on all of the amount.
  const whole = grossOf(charged, inCurrency);
  const isSuspicious =
    evidence === 'unknown' &&
    isWithin(whole, gross, foreignSlack(charged, gross, rate, cost.currency, book)) &&
    grossOf(charged, vats).times(SUSPICIOUS_PART).lt(gross);
  if (!isSuspicious) return { vats, because: [] };
  const { currency } = cost;
  return stop('VAT_CURRENCY_UNCLEAR', { currency, vatS: amountText(vats.S), vatAA: amountText(vats.AA) });
}

const SUSPICIOUS_PART = new Decimal(3);

function inOwnCurrency(
  vats: PerTaxed,
  ubl: UblDocument | null,
  rate: Decimal,
  currency: string,
): 'shown' | 'unknown' | 'no' {
  if (!ubl || ubl.taxTotal === null || ubl.taxTotal.isZero()) return 'unknown';
  const cent = minorUnit(currency);
  const total = ubl.taxTotal;
  const isSame = ubl.hasRates
    ? TAXED_CODES.every((tax) => isWithin(ubl.byRate[tax].tax, vats[tax], cent))
    : isWithin(total, vats.S.plus(vats.AA), cent);
  // At a rate of about one both readings fit, and then it makes no difference.
  const fitsAsIsk = isWithin(total.times(rate), vats.S.plus(vats.AA), tolerance(rate, currency));
  return isSame && !fitsAsIsk ? 'shown' : 'no';
}

/** The bases that the e-invoice states, in ISK and rounded; only where it states one that fits for every rate charged. */
function statedBases({ cost, ubl, rate, book }: CostMoney, vats: PerTaxed): Bases {
  if (!ubl || ubl.taxes.length === 0) return NO_BASES;
  const bases = new Map<TaxedCode, Decimal>();
  for (const tax of TAXED_CODES) {
    if (vats[tax].isZero()) continue;
    const at = ubl.byRate[tax];
    if (at.taxable.isZero()) return NO_BASES;
    const base = at.taxable.times(rate);
    const isItsOwn = isWithin(at.tax.times(rate), vats[tax], tolerance(rate, cost.currency));
    const allowed = vats[tax].abs().times(STATED_BASE_PART).plus(VAT_TOLERANCE);
    if (!isItsOwn || !isWithin(base.times(VAT_RATES[tax]), vats[tax], allowed)) return NO_BASES;
    bases.set(tax, roundTo(base, book.iskDecimals));
  }
  return bases;
}

function tolerance(rate: Decimal, currency: string): Decimal {
  if (currency === BOOK_CURRENCY) return VAT_TOLERANCE;
  return VAT_TOLERANCE_MINOR_UNITS.times(minorUnit(currency)).times(rate).plus(VAT_TOLERANCE);
}

function splitAt(money: CostMoney, given: PerTaxed, stated: Bases): readonly CostPart[] | Stop {
  const { gross, book } = money;
  const { iskDecimals } = book;
  const taxed = TAXED_CODES.flatMap((tax) => {
    const vat = roundTo(given[tax], iskDecimals);
    if (vat.isZero()) return [];
    const base = stated.get(tax);
    if (base !== undefined && isWithin(base.times(VAT_RATES[tax]), vat, VAT_TOLERANCE))
      return [{ tax, vat, base, impliedBase: base }];
    const impliedBase = roundTo(given[tax].div(VAT_RATES[tax]), iskDecimals);
    return [{ tax, vat, base: base ?? impliedBase, impliedBase }];
  });
  const rest = gross.minus(sum(taxed.flatMap(({ vat, base }) => [vat, base])));
  if (rest.isZero()) return taxed;
  const largest = taxed.toSorted((one, other) => other.base.abs().comparedTo(one.base.abs()))[0];
  const untaxed = statedUntaxed(money);
  if (largest && isRounding(money, { rest, untaxed }, taxed)) {
    return taxed.map((part) =>
      part === largest ? { ...part, base: part.base.plus(rest), joined: rest } : part,
    );
  }
  // A deposit that comes back makes the part without VAT negative, and then the e-invoice says so.
  const isReturned = isBelowZero(untaxed) && isWithin(rest, untaxed, slackOf(money, taxed));
  if (isBelowZero(rest) && !isReturned) return tooMuch(money, gross.minus(rest));
  return [...taxed, { tax: 'Z' as const, vat: ZERO, base: rest, impliedBase: rest }];
}

/** ISK: what the e-invoice states as its part without VAT. */
function statedUntaxed({ ubl, rate, book }: CostMoney): Decimal {
  return roundTo((ubl?.byRate.Z.taxable ?? ZERO).times(rate), book.iskDecimals);
}

/** A rest that the e-invoice states as its part without VAT is no rounding, however small it is. */
function isRounding(
  money: CostMoney,
  { rest, untaxed }: { readonly rest: Decimal; readonly untaxed: Decimal },
  taxed: readonly CostPart[],
): boolean {
  return rest.abs().lte(slackOf(money, taxed)) && !isWithin(rest, untaxed, rest.abs().div(2));
}

function slackOf({ gross, rate, cost, book }: CostMoney, taxed: readonly CostPart[]): Decimal {
  const rates = taxed.map(({ tax }) => tax).filter((tax) => tax !== 'Z');
  const slack = sum([REST_SLACK, ...rates.map((tax) => REST_SLACK_PER_RATE[tax])]);
  return cost.currency === BOOK_CURRENCY
    ? slack
    : slack.plus(foreignSlack(rates, gross, rate, cost.currency, book));
}

/** Dividing costs more than anything else here, and all that is asked of the result is whether it is far off. */
const GROSS_OF_VAT: Readonly<Record<TaxedCode, Decimal>> = {
  S: VAT_RATES.S.plus(1).div(VAT_RATES.S),
  AA: VAT_RATES.AA.plus(1).div(VAT_RATES.AA),
};

function grossOf(charged: readonly TaxedCode[], vats: PerTaxed): Decimal {
  return sum(charged.map((tax) => vats[tax].times(GROSS_OF_VAT[tax])));
}

/** What a cent of the amount moves the base by, and what a rate of another day, or another bank, moves the amount by. */
function foreignSlack(
  charged: readonly TaxedCode[],
  gross: Decimal,
  rate: Decimal,
  currency: string,
  book: RuleBook,
): Decimal {
  const cent = minorUnit(currency).times(rate);
  return sum([
    gross.times(book.rateSlackPercent).div(HUNDRED),
    ...charged.map((tax) => cent.div(VAT_RATES[tax])),
  ]);
}

/** A foreign cost may only have met another rate than its supplier's; in ISK it contradicts itself, unless its e-invoice says the same, or a rule may. */
function tooMuch(money: CostMoney, needed: Decimal): Stop {
  const { cost, gross, rate } = money;
  const given = {
    vatS: amountText(cost.vatS),
    vatAA: amountText(cost.vatAA),
    needed: amountText(roundTo(needed, 0)),
    gross: amountText(gross),
  };
  if (cost.currency !== BOOK_CURRENCY)
    return doubt('VAT_IMPLAUSIBLE', { ...given, currency: cost.currency, rate: amountText(rate) });
  return mayBeRight(money) ? doubt('VAT_IMPLAUSIBLE', given) : stop('VAT_IMPLAUSIBLE', given);
}

/** It may be VAT on imported goods, or both papers state it, or the e-invoice takes something back that the cost may not show. */
function mayBeRight({ cost, ubl, gross, isImport }: CostMoney): boolean {
  const vat = cost.vatS.plus(cost.vatAA);
  if (isImport || vat.lte(gross)) return true;
  if (ubl === null) return false;
  const isSame = isWithin(ubl.taxTotal ?? ZERO, vat, VAT_TOLERANCE.times(2));
  return isSame || TAXED_CODES.some((tax) => isBelowZero(ubl.byRate[tax].tax));
}
