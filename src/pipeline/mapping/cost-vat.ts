// What of a cost is VAT, at which rate, and on what base. The service gives the VAT amounts in ISK, also on a foreign cost
// (Document 1, write rule 8), unless the e-invoice shows that they are in its own currency. The base is what the e-invoice
// states for the rate, else it follows from the VAT as given; the rest of the net is the part without VAT.
import { message } from '../../language/messages.js';
import {
  BOOK_CURRENCY,
  minorUnit,
  amountText,
  isBelowZero,
  isWithin,
  roundTo,
  Decimal,
  sum,
  ZERO,
} from '../../domain/money.js';
import {
  type CostMoney,
  type CostPart,
  type PerTaxed,
  vatOfCost,
  splitImport,
  type AdmittedCost,
  deductible,
} from './cost-gates.js';
import { doubt, isStop, stop, type Stop, because, type Because } from './outcome.js';
import { type RuleBook, TAXED_CODES, VAT_RATES, type TaxedCode } from './rules.js';
import type { UblDocument } from './ubl/read-ubl.js';
import type { Message } from '../../domain/message.js';
import type { LineRole } from '../../domain/journal.js';
import type { SourceCost } from '../../domain/source-document.js';
import type { CostAssignment } from './cost-assignment.js';
import type { CostShare } from './cost-shares.js';
import type { PricedLine } from './make-journal.js';

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

// Services bought abroad without Icelandic VAT: the buyer owes it, and deducts what of it is deductible. In ISK only, as no
// foreign money moves. VAT of another country is no part of the price that it is owed on.

interface ReverseCharged {
  readonly cost: SourceCost;
  readonly admitted: AdmittedCost;
  readonly assigned: CostAssignment;
  readonly book: RuleBook;
  readonly gross: Decimal;
  /** ISK: what the supplier charged of another country's VAT. */
  readonly foreignVat: Decimal;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly text: string;
}

export function isReverseCharge({ cost, admitted, assigned, book }: ReverseCharged): boolean {
  const { reverseCharge, reverseChargeCodes } = book.rules.cost;
  const isOwed =
    reverseCharge === 'both' || (reverseCharge === 'notDeductible' && assigned.percent < ALL_OF_IT);
  const country = admitted.ubl?.supplierCountry ?? '';
  const hasVat = !cost.vatS.isZero() || !cost.vatAA.isZero();
  return (
    isOwed &&
    !hasVat &&
    admitted.rule.vat !== 'none' &&
    reverseChargeCodes.includes(admitted.code) &&
    !['', 'IS'].includes(country)
  );
}

const ALL_OF_IT = 100;

/** What an e-invoice from abroad shows of VAT beside a cost without any is the VAT of its own country. */
export function foreignVatOf({ cost, ubl, gross, rate, book }: CostMoney): Decimal | Stop {
  const isFromAbroad = !['', 'IS'].includes(ubl?.supplierCountry ?? '');
  const charged = ubl?.taxTotal?.abs() ?? ZERO;
  const isAsked = isFromAbroad && book.rules.cost.reverseCharge !== 'none';
  if (!isAsked || charged.isZero() || !cost.vatS.isZero() || !cost.vatAA.isZero()) return ZERO;
  const vat = roundTo(charged.times(rate), book.iskDecimals);
  if (vat.lt(gross)) return vat;
  return doubt('XML_MISMATCH', {
    field: 'vat_S + vat_AA',
    ours: '0',
    theirs: `${amountText(charged)} ${cost.currency}`,
  });
}

/** Each share in two: what VAT is owed on, and its part of the VAT of another country. */
export function withForeignVatApart(
  draft: ReverseCharged & { readonly parts: readonly CostShare[] },
): readonly (CostShare & { readonly isForeignVat?: true })[] {
  const { parts, foreignVat, gross, book } = draft;
  if (foreignVat.isZero() || !isReverseCharge(draft)) return parts;
  let left = foreignVat;
  return parts.flatMap((part, index) => {
    const isLast = index === parts.length - 1;
    const own = isLast ? left : roundTo(foreignVat.times(part.base).div(gross), book.iskDecimals);
    left = left.minus(own);
    return [
      { ...part, base: part.base.minus(own) },
      { ...part, base: own, isForeignVat: true as const },
    ];
  });
}

function reverseChargeTax({ admitted }: ReverseCharged): TaxedCode {
  return admitted.rule.reverseChargeRate ?? 'S';
}

export function reverseChargeCode(draft: ReverseCharged): Because {
  const { reverseCharge, reverseChargeAA } = draft.book.rules.vat;
  const why = message('SUPPLIER_ABROAD');
  if (reverseChargeTax(draft) === 'AA' && reverseChargeAA !== undefined) {
    return because('vatCode', reverseChargeAA, 'vat.reverseChargeAA', why);
  }
  return because('vatCode', reverseCharge, 'vat.reverseCharge', why);
}

/** Where the ERP reckons VAT, what it is to owe and deduct for such a line. */
export function reverseVatOf(draft: ReverseCharged, expense: Decimal): Decimal | null {
  if (!draft.book.splitsVat || !isReverseCharge(draft)) return null;
  return roundTo(expense.times(VAT_RATES[reverseChargeTax(draft)]), draft.book.iskDecimals);
}

/** The buyer owes the VAT and deducts it, or owes only what is not deductible. */
export function reverseChargeLines(draft: ReverseCharged): PricedLine[] {
  const { book, assigned, dimensions, text } = draft;
  if (book.splitsVat || !isReverseCharge(draft)) return [];
  const price = draft.gross.minus(draft.foreignVat);
  const vat = roundTo(price.times(VAT_RATES[reverseChargeTax(draft)]), book.iskDecimals);
  const vatCode = reverseChargeCode(draft);
  const line = (
    role: LineRole,
    name: string,
    account: string,
    isk: Decimal,
    why: Message,
    base?: Decimal,
  ): PricedLine => ({
    draft: {
      account,
      role,
      amount: ZERO,
      vatCode: vatCode.value,
      ...(role === 'expense' ? { dimensions } : {}),
      text,
      because: [because('account', account, name, why), vatCode],
    },
    isk,
    ...(base === undefined ? {} : { vatBase: base }),
  });
  const { reverseChargeIn, reverseChargeOut } = book.rules.accounts;
  const back = deductible(assigned, vat, book);
  const baseBack = deductible(assigned, price, book);
  const owesAll = book.rules.cost.reverseCharge === 'both';
  return [
    line(
      'reverse-charge-in',
      'accounts.reverseChargeIn',
      reverseChargeIn,
      owesAll ? back : ZERO,
      message('VAT_OWED_AND_DEDUCTED'),
      baseBack,
    ),
    line(
      'expense',
      assigned.account.rule,
      assigned.account.value,
      vat.minus(back),
      message('VAT_OWED_NOT_DEDUCTIBLE'),
    ),
    line(
      'reverse-charge-out',
      'accounts.reverseChargeOut',
      reverseChargeOut,
      owesAll ? vat.neg() : back.minus(vat),
      message('VAT_OWED_BY_BUYER'),
      owesAll ? price : price.minus(baseBack),
    ),
  ];
}
