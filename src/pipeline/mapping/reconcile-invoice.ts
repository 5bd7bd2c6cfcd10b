// Which figures of an invoice are to be believed: the lines if they give the amount, the lines without VAT if the customer
// is exempt, the totals if a fee or discount is missing from the lines; otherwise nothing is booked.
import { message } from '../../language/messages.js';
import type { Message } from '../../domain/message.js';
import { Decimal, sum, ZERO, amountText, isWithin, roundTo } from '../../domain/money.js';
import type { SourceInvoice } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import {
  givesExactly,
  isExact,
  perTax,
  readAmounts,
  sumPerTax,
  vatOf,
  type InvoiceAmounts,
  type LineSums,
  type NetLine,
  type PerTax,
} from './invoice-gates.js';
import { doubt, stop, warning, type Stop, because, type Because } from './outcome.js';
import { type RuleBook, TAX_CODES, VAT_RATES, type TaxCode, type Treatment } from './rules.js';

export interface Reconciled {
  readonly amount: Decimal;
  readonly lines: readonly NetLine[];
  /** No VAT on anything, whatever the lines say. */
  readonly isExempt: boolean;
  readonly vats: PerTax;
  /** What the totals hold beyond the lines, per treatment; only where they differ. */
  readonly residuals: ReadonlyMap<Treatment, Decimal>;
  readonly warnings: readonly Message[];
  readonly because: Because;
}

export function reconcileInvoice(
  amounts: InvoiceAmounts,
  book: RuleBook,
  context: MappingContext,
): Reconciled | Stop {
  if (context.customer?.taxExempt === true && isTaxed([...amounts.readings()]))
    return reconcileExempt(amounts, book);
  const { amount, tolerance } = amounts;
  const tried: LineSums[] = [];
  for (const sums of amounts.readings()) {
    if (isExact(grossOf(sums), amounts)) return byLines(sums, amounts);
    tried.push(sums);
  }
  const charged = tried.find((sums) => isWithin(grossOf(sums), amount, tolerance));
  if (charged) return byLines(charged, amounts);
  const uncharged = tried.find((sums) => isWithin(sumPerTax(sums.nets), amount, tolerance));
  if (uncharged && isTaxed([uncharged])) return notExempt(uncharged, amount);
  return byTotals(amounts, tried, book) ?? mismatch(amounts, tried, book);
}

/** Whether it makes a difference if the customer is exempt: not where the lines give the amount with their VAT. */
export function mayBeExempt(invoice: SourceInvoice): boolean {
  const amounts = readAmounts(invoice);
  const tried = [...amounts.readings()];
  return isTaxed(tried) && chargedLines(tried, amounts) === undefined;
}

function isTaxed([sums]: readonly LineSums[]): boolean {
  return sums?.lines.some(({ tax }) => tax !== 'Z') ?? false;
}

/**
 * Whether an exempt customer was charged VAT after all, the figures tell, and only those that give the amount exactly: within the
 * tolerance a small VAT is there or not.
 */
function reconcileExempt(amounts: InvoiceAmounts, book: RuleBook): Reconciled | Stop {
  const { amount, totals, tolerance } = amounts;
  const tried = [...amounts.readings()];
  const charged = chargedLines(tried, amounts);
  if (charged) {
    const reconciled = byLines(charged, amounts);
    return 'stop' in reconciled ? exemptUnclear(amounts, tried) : reconciled;
  }
  const uncharged = tried.find((sums) => givesExactly(sums, amounts, 'without VAT'));
  if (uncharged) {
    const fits =
      totals.length === 0 || totals.some((stated) => isWithin(sumPerTax(stated), amount, tolerance));
    return fits ? withoutVat(uncharged, amounts, ZERO) : exemptUnclear(amounts, tried);
  }
  const isNet = totals.some((stated) => isExact(sumPerTax(stated), amounts));
  if (isNet && book.whenLinesDiffer === 'totals') return exemptByTotals(amounts, tried, book);
  const isCharged = totals.some((stated) => isExact(withVat(stated), amounts));
  const byRate = isCharged ? byTotals(amounts, tried, book) : null;
  if (byRate !== null) return byRate;
  return isNet || isCharged ? mismatch(amounts, tried, book) : exemptUnclear(amounts, tried);
}

/** Lines that give the amount exactly with VAT, and not without: else no VAT is in it. */
function chargedLines(tried: readonly LineSums[], amounts: InvoiceAmounts): LineSums | undefined {
  return tried.find(
    (sums) => givesExactly(sums, amounts, 'with VAT') && !givesExactly(sums, amounts, 'without VAT'),
  );
}

/** The totals may be kept per rate or all at 0 %; without VAT the one difference to the lines is a fee or a discount. */
function exemptByTotals(
  amounts: InvoiceAmounts,
  tried: readonly LineSums[],
  book: RuleBook,
): Reconciled | Stop {
  const beyond = ({ nets }: LineSums) => amounts.amount.minus(sumPerTax(nets));
  const lines = tried
    .filter(({ reading }) => reading === 'per-line')
    .sort((one, other) => beyond(one).abs().cmp(beyond(other).abs()))[0];
  if (!lines) return exemptUnclear(amounts, tried);
  const residual = beyond(lines);
  const isFar = residual.abs().gt(amounts.amount.times(book.residualMaxPercent).div(HUNDRED));
  return isFar ? tooFar(residual.abs(), amounts, lines, book) : withoutVat(lines, amounts, residual);
}

function exemptUnclear({ amount, totals }: InvoiceAmounts, tried: readonly LineSums[]): Stop {
  const texts = (sumOf: (sums: LineSums) => Decimal) =>
    [...new Set(tried.map((sums) => amountText(sumOf(sums), 2)))].join(' / ');
  return stop('AMBIGUOUS_VAT', {
    amount: amountText(amount, 2),
    withVat: texts(grossOf),
    withoutVat: texts(({ nets }) => sumPerTax(nets)),
    totals: perTaxText(totals[0]),
  });
}

function grossOf({ nets, vats }: Pick<LineSums, 'nets' | 'vats'>): Decimal {
  return sum([nets.S, nets.AA, nets.Z, vats.S, vats.AA]);
}

function byLines(sums: LineSums, amounts: InvoiceAmounts): Reconciled | Stop {
  const { totals, tolerance } = amounts;
  if (totals.length > 0 && !totals.some((stated) => totalsFit(sums, stated, tolerance))) {
    return stop('VAT_TOTALS_MISMATCH', {
      lines: perTaxText(sums.nets),
      totals: perTaxText(totals[0]),
    });
  }
  return {
    amount: amounts.amount,
    lines: sums.lines,
    isExempt: false,
    vats: sums.vats,
    residuals: new Map(),
    warnings: [],
    because: because(
      'figures',
      'lines',
      'specification',
      message('LINES_GIVE_AMOUNT', { perUnit: sums.reading === 'per-unit' }),
    ),
  };
}

/** The documents do not say whether the totals are nets, grosses or VAT: any one of the three may fit. */
function totalsFit({ nets, vats }: LineSums, stated: PerTax, tolerance: Decimal): boolean {
  const fits = (expected: PerTax, taxes: readonly TaxCode[]) =>
    taxes.every((tax) => isWithin(stated[tax], expected[tax], tolerance));
  const grosses = perTax((tax) => nets[tax].plus(vats[tax]));
  return fits(nets, TAX_CODES) || fits(grosses, TAX_CODES) || fits(vats, ['S', 'AA']);
}

function notExempt(sums: LineSums, amount: Decimal): Stop {
  return stop('AMBIGUOUS_VAT', {
    amount: amountText(amount, 2),
    line: sums.lines.findIndex(({ tax }) => tax !== 'Z') + 1,
  });
}

function withoutVat(sums: LineSums, { amount }: InvoiceAmounts, residual: Decimal): Reconciled {
  const differs = !residual.isZero();
  return {
    amount,
    lines: sums.lines,
    isExempt: true,
    vats: perTax(() => ZERO),
    residuals: new Map(differs ? [['EXEMPT_CUSTOMER', residual]] : []),
    warnings: [warning('TAX_EXEMPT_CUSTOMER'), ...(differs ? [warning('LINES_DIFFER_FROM_TOTALS')] : [])],
    because: because('figures', 'lines without VAT', 'specification', message('CUSTOMER_EXEMPT')),
  };
}

function byTotals(
  amounts: InvoiceAmounts,
  tried: readonly LineSums[],
  book: RuleBook,
): Reconciled | Stop | null {
  if (book.whenLinesDiffer !== 'totals') return null;
  const read = amounts.totals.map((stated) => readTotals(stated, amounts)).find((found) => found !== null);
  const lines = read && nearest(tried, read.nets);
  if (!lines) return null;
  const residuals = TAX_CODES.map((tax): [TaxCode, Decimal] => [tax, read.nets[tax].minus(lines.nets[tax])]);
  const differing = sum(residuals.map(([, difference]) => difference.abs()));
  // A sale and a return on one document leave a small amount of large figures, so their size counts too.
  const size = Decimal.max(amounts.amount, sum(TAX_CODES.map((tax) => read.nets[tax].abs())));
  if (differing.gt(size.times(book.residualMaxPercent).div(HUNDRED))) {
    return tooFar(differing, amounts, lines, book);
  }
  const why = message('TOTALS_GIVE_AMOUNT', { withVat: read.as === 'amounts with VAT' });
  return {
    amount: amounts.amount,
    lines: lines.lines,
    isExempt: false,
    vats: vatOf(read.nets),
    residuals: new Map(residuals.filter(([, difference]) => !difference.isZero())),
    warnings: [warning('LINES_DIFFER_FROM_TOTALS')],
    because: because('figures', 'totals', 'invoice.whenLinesDiffer', why),
  };
}

const HUNDRED = new Decimal(100);

/** A discount is some percent; half of the invoice is a line that was lost, or a quantity in other units. */
function tooFar(
  differing: Decimal,
  { amount, totals }: InvoiceAmounts,
  lines: LineSums,
  book: RuleBook,
): Stop {
  const largest = lines.lines.reduce((at, { net }, index) => {
    const known = lines.lines[at]?.net ?? ZERO;
    return net.abs().gt(known.abs()) ? index : at;
  }, 0);
  const item = lines.lines[largest]?.item;
  return stop('RESIDUAL_EXCEEDED', {
    totals: perTaxText(totals[0]),
    differing: amountText(differing, 2),
    percent: book.residualMaxPercent.toString(),
    amount: amountText(amount, 2),
    line: largest + 1,
    qty: amountText(item?.qty ?? ZERO),
    unitPrice: amountText(item?.unitPrice ?? ZERO),
  });
}

/**
 * The lines of a credit note were read in both signs, and their own sum does not tell which is meant: a return and a sale
 * on one document may nearly cancel out. The one that leaves less unexplained is meant; of equals the first.
 */
function nearest(tried: readonly LineSums[], nets: PerTax): LineSums | undefined {
  const unexplained = (sums: LineSums) => sum(TAX_CODES.map((tax) => nets[tax].minus(sums.nets[tax]).abs()));
  // A discount is per unit only where that reconciles, and here nothing did.
  const perLine = tried.filter(({ reading }) => reading === 'per-line');
  return perLine.sort((one, other) => unexplained(one).cmp(unexplained(other)))[0];
}

/** An exact reading goes before one that needs the tolerance. */
function readTotals(totals: PerTax, amounts: InvoiceAmounts): { nets: PerTax; as: string } | null {
  const { amount, tolerance } = amounts;
  const gross = withVat(totals);
  const asStated = sumPerTax(totals);
  const isNet =
    isExact(gross, amounts) || (isWithin(gross, amount, tolerance) && !isExact(asStated, amounts));
  if (isNet) return { nets: totals, as: 'amounts without VAT' };
  if (!isWithin(asStated, amount, tolerance)) return null;
  return {
    nets: perTax((tax) => roundTo(totals[tax].div(VAT_RATES[tax].plus(1)), 2)),
    as: 'amounts with VAT',
  };
}

function withVat(totals: PerTax): Decimal {
  return sum(TAX_CODES.map((tax) => totals[tax].times(VAT_RATES[tax].plus(1))));
}

/** The service shows no fee or discount on a whole invoice, so what the amount has beyond the lines may be one, and a person can tell. */
function mismatch({ amount, totals }: InvoiceAmounts, tried: readonly LineSums[], book: RuleBook): Stop {
  const lines = tried.map((sums) => amountText(grossOf(sums), 2)).join(' / ');
  const given = { amount: amountText(amount, 2), lines, totals: perTaxText(totals[0]) };
  const mayBeFeeOrDiscount = tried.some((sums) => {
    const gross = grossOf(sums);
    return amount.minus(gross).abs().times(2).lte(Decimal.max(amount, gross));
  });
  return mayBeFeeOrDiscount && book.whenLinesDiffer === 'totals'
    ? doubt('TOTALS_MISMATCH', given)
    : stop('TOTALS_MISMATCH', given);
}

function perTaxText(amounts: PerTax | undefined): string {
  if (!amounts) return '';
  return `24 %: ${amountText(amounts.S, 2)}, 11 %: ${amountText(amounts.AA, 2)}, 0 %: ${amountText(amounts.Z, 2)}`;
}
