// Whether a cost can be booked at all, and by which rule. The order of the questions is the specification's.
import { message } from '../../language/messages.js';
import {
  isDocumentedCurrency,
  BOOK_CURRENCY,
  amountText,
  isBelowZero,
  isWithin,
  roundTo,
  Decimal,
  sum,
  ZERO,
} from '../../domain/money.js';
import { plainKennitala, readKennitala } from '../../domain/kennitala.js';
import type { SourceCost } from '../../domain/source-document.js';
import { assignCost, caseOf, type CostAssignment } from './cost-assignment.js';
import { gateCutOver, unknownCurrency } from './invoice-gates.js';
import { doubt, stop, type Stop, because, type Because } from './outcome.js';
import {
  entryOf,
  type RuleBook,
  type CostCodeRule,
  TAXED_CODES,
  type TaxedCode,
  type TaxCode,
  VAT_RATES,
} from './rules.js';
import { type CostCase, type FoundCase, textOf } from './rule-schemas.js';
import { ublOf, type UblDocument } from './ubl/read-ubl.js';

export interface AdmittedCost {
  readonly code: string;
  readonly rule: CostCodeRule;
  readonly isAlias: boolean;
  readonly howPaid: string;
  readonly credit: Because;
  /** null: there is none, and the tenant accepts that. */
  readonly ubl: UblDocument | null;
  readonly assigned: CostAssignment;
  readonly isImport: boolean;
}

export function admitCost(cost: SourceCost, book: RuleBook): AdmittedCost | Stop {
  const early = gateStatus(cost, book);
  if (early) return early;
  const code = findCode(cost, book);
  if (isStopped(code)) return code;
  const howPaid = wholeNumberText(cost.howPaid);
  const credit = creditAccount(howPaid, code.code, code.rule, book);
  if (isStopped(credit)) return credit;
  if (cost.amount.lt(0)) return negativeCost(cost);
  if (cost.amount.isZero() && cost.vatS.isZero() && cost.vatAA.isZero()) return stop('ZERO_AMOUNT');
  const ubl = readXmlOf(cost, book);
  if (isStopped(ubl)) return ubl;
  const tooOld = cost.issueDate === '' ? gateCutOver(ubl?.issueDate ?? '', book) : null;
  if (tooOld) return tooOld;
  const found = caseOf({ cost, code: code.code, howPaid, ubl }, book);
  const why = message('CODE_IS', {
    costCode: code.code,
    ...(code.isAlias ? { written: cost.costCode } : {}),
  });
  return {
    code: code.code,
    rule: code.rule,
    isAlias: code.isAlias,
    howPaid,
    credit: creditOf(found) ?? employeeOf(cost, howPaid, ubl, book) ?? credit,
    ubl,
    assigned: assignCost(code.code, code.rule, why, found),
    isImport:
      (found?.case.importVat ?? code.rule.importVat) === true || (ubl !== null && showsImport(cost, ubl)),
  };
}

/** The service keeps amounts positive. Where the e-invoice comes to the same, either sign may be meant. */
function negativeCost(cost: SourceCost): Stop {
  const given = { amount: amountText(cost.amount) };
  const read = ublOf(cost);
  const isStated =
    read?.outcome === 'read' &&
    [read.ubl.total, read.ubl.payable].some((stated) => stated.abs().eq(cost.amount.abs()));
  return isStated ? doubt('NEGATIVE_COST', given) : stop('NEGATIVE_COST', given);
}

/** Who paid for the company gets it back on an account of their own. */
function creditOf(found: FoundCase<CostCase> | null): Because | null {
  const account = found?.case.creditAccount;
  if (!found || account === undefined) return null;
  return because('account', account, `${found.path}.creditAccount`, message('CASE_OF_COST'));
}

const PAID_BY_EMPLOYEE = '4';

/** The service does not say who paid; the texts of the cost do, where people write it there. */
function employeeOf(
  { description, projectName, fileName }: SourceCost,
  howPaid: string,
  ubl: UblDocument | null,
  { rules }: RuleBook,
): Because | null {
  const { employees } = rules.cost;
  if (howPaid !== PAID_BY_EMPLOYEE || employees === undefined) return null;
  const text = textOf(description, projectName, fileName, ubl?.buyerReference ?? '');
  const found = Object.entries(employees).find(([name]) => text.includes(name.toLowerCase()));
  if (found === undefined) return null;
  const [name, account] = found;
  return because('account', account, `cost.employees.${name}`, message('EMPLOYEE_PAID', { name }));
}

function isStopped(result: object | null): result is Stop {
  return result !== null && 'stop' in result;
}

function gateStatus(cost: SourceCost, book: RuleBook): Stop | null {
  if (cost.accountingStatus !== 'Created') {
    return stop('NOT_CREATED', { status: cost.accountingStatus });
  }
  const { skip } = book.rules;
  const supplier = plainKennitala(cost.supplierId);
  if ((skip?.suppliers ?? []).some((listed) => plainKennitala(listed) === supplier)) {
    return stop('SKIPPED_SUPPLIER', { supplier });
  }
  if ((skip?.costCodes ?? []).includes(cost.costCode)) {
    return stop('SKIPPED_COST_CODE', { costCode: cost.costCode });
  }
  return (
    gateCutOver(cost.issueDate, book) ??
    (isDocumentedCurrency(cost.currency) ? null : unknownCurrency(cost.currency))
  );
}

function findCode(cost: SourceCost, book: RuleBook): Pick<AdmittedCost, 'code' | 'rule' | 'isAlias'> | Stop {
  const written = cost.costCode.trim();
  const alias = entryOf(book.rules.cost.codeAliases, written);
  const code = alias ?? written;
  const rule = entryOf(book.rules.cost.codes, code);
  if (!rule) return stop('UNMAPPED_COST_CODE', { costCode: code, written });
  const needsReview = rule.mode === 'error' || rule.mode === 'park';
  if (needsReview) return stop('COST_CODE_NEEDS_REVIEW', { costCode: code });
  return { code, rule, isAlias: alias !== undefined };
}

/** The code's own account for this way of paying, else the tenant's. */
function creditAccount(howPaid: string, code: string, rule: CostCodeRule, book: RuleBook): Because | Stop {
  const own = entryOf(rule.creditAccount, howPaid);
  if (own !== undefined) {
    const path = `cost.codes.${code}.creditAccount.${howPaid}`;
    return because('account', own, path, message('CODE_HAS_ACCOUNT', { costCode: code }));
  }
  const account = entryOf(book.rules.cost.howPaid, howPaid);
  if (account !== undefined) {
    return because('account', account, `cost.howPaid.${howPaid}`, message('HOW_PAID', { howPaid }));
  }
  return stop('UNMAPPED_HOW_PAID', { howPaid });
}

function readXmlOf(cost: SourceCost, book: RuleBook): UblDocument | null | Stop {
  const read = ublOf(cost);
  if (read === null) {
    if (book.whenXmlMissing === 'assumeInvoice') return null;
    return stop(book.whenXmlMissing === 'defer' ? 'XML_PENDING' : 'XML_MISSING');
  }
  return read.outcome === 'read' ? read.ubl : stop('XML_UNREADABLE', { problem: read.problem });
}

/** The service says an integer; "1", 1 and 1.0 are the same way of paying. */
function wholeNumberText(written: string): string {
  return written.trim().replace(/^0*([1-9]\d*|0)(?:\.0+)?$/, '$1');
}

// Whether a cost agrees with itself and with the e-invoice behind it. Where both state figures, and other ones, it is refused; where
// one of the two is silent, or only might be wrong (an e-invoice that states a total of VAT and no rates), it waits for a person.
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

// A cost, its e-invoice and its rate, and the parts that its amount is split into.

export type PerTaxed = Readonly<Record<TaxedCode, Decimal>>;

export function vatOfCost(cost: SourceCost): PerTaxed {
  return { S: cost.vatS, AA: cost.vatAA };
}

export interface CostPart {
  readonly tax: TaxCode;
  /** ISK. */
  readonly base: Decimal;
  readonly vat: Decimal;
  /** The base that the VAT amount alone implies, before a rest of rounding joined it. */
  readonly impliedBase: Decimal;
  /** The rest of rounding that joined the base. */
  readonly joined?: Decimal;
}

/** A cost whose rate is known: `gross` in ISK and rounded, `rate` ISK per one unit. */
export interface CostMoney {
  readonly cost: SourceCost;
  readonly ubl: UblDocument | null;
  readonly gross: Decimal;
  readonly rate: Decimal;
  readonly book: RuleBook;
  /** Its VAT is that of imported goods. */
  readonly isImport: boolean;
}

// What of VAT comes back, in whole units of the books.
export function deductible({ percent }: CostAssignment, amount: Decimal, book: RuleBook): Decimal {
  if (percent === 100 || amount.isZero()) return amount;
  return percent === 0 ? ZERO : roundTo(amount.times(percent).div(100), book.iskDecimals);
}

// VAT on imported goods, as customs and forwarders bill it: it is reckoned on the value of the goods, which the bill does not hold, so it may
// be nearly all of the bill.

const TOLERANCE = new Decimal(1);
/** On a price, VAT is a fifth of the bill at the very most. */
const MOST_OF_IT = new Decimal('0.5');

/** Both papers have the same amount and the same VAT, on goods that are worth more than the bill comes to. */
function showsImport(
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
