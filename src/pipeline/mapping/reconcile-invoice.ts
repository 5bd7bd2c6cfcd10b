// Which figures of an invoice are to be believed: the lines if they give the amount, the lines without VAT if the customer
// is exempt, the totals if a fee or discount is missing from the lines; otherwise nothing is booked.
import { message } from '../../language/messages.js';
import type { Message } from '../../domain/message.js';
import { Decimal, sum, ZERO } from '../../domain/decimal.js';
import { amountText, isWithin, roundTo } from '../../domain/money.js';
import type { MappingContext } from './context.js';
import {
  perTax,
  sumPerTax,
  vatOf,
  type InvoiceAmounts,
  type LineSums,
  type NetLine,
  type PerTax,
} from './invoice-amounts.js';
import { stop, warning, type Stop } from './outcome.js';
import type { RuleBook } from './rule-book.js';
import { because, type Because } from './trace.js';
import { TAX_CODES, VAT_RATES, type TaxCode } from './vat-rates.js';

export interface Reconciled {
  readonly amount: Decimal;
  readonly lines: readonly NetLine[];
  /** No VAT on anything, whatever the lines say. */
  readonly isExempt: boolean;
  readonly vats: PerTax;
  /** What the totals hold beyond the lines, per tax code; only the codes that differ. */
  readonly residuals: ReadonlyMap<TaxCode, Decimal>;
  readonly warnings: readonly Message[];
  readonly because: Because;
}

export function reconcileInvoice(
  amounts: InvoiceAmounts,
  book: RuleBook,
  context: MappingContext,
): Reconciled | Stop {
  const { amount, tolerance } = amounts;
  const tried: LineSums[] = [];
  for (const sums of amounts.readings()) {
    if (isWithin(grossOf(sums), amount, tolerance)) return byLines(sums, amounts);
    tried.push(sums);
  }
  const uncharged = tried.find(
    (sums) => isWithin(sumPerTax(sums.nets), amount, tolerance) && sums.lines.some(({ tax }) => tax !== 'Z'),
  );
  if (uncharged) return withoutVat(uncharged, amount, context);
  return byTotals(amounts, tried, book) ?? mismatch(amounts, tried);
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

function withoutVat(sums: LineSums, amount: Decimal, context: MappingContext): Reconciled | Stop {
  if (context.customer?.taxExempt !== true)
    return stop('AMBIGUOUS_VAT', {
      amount: amountText(amount, 2),
      line: sums.lines.findIndex(({ tax }) => tax !== 'Z') + 1,
    });
  return {
    amount,
    lines: sums.lines,
    isExempt: true,
    vats: perTax(() => ZERO),
    residuals: new Map(),
    warnings: [warning('TAX_EXEMPT_CUSTOMER')],
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

function readTotals(
  totals: PerTax,
  { amount, tolerance }: InvoiceAmounts,
): { nets: PerTax; as: string } | null {
  const withVat = sum(TAX_CODES.map((tax) => totals[tax].times(VAT_RATES[tax].plus(1))));
  if (isWithin(withVat, amount, tolerance)) return { nets: totals, as: 'amounts without VAT' };
  if (!isWithin(sumPerTax(totals), amount, tolerance)) return null;
  return {
    nets: perTax((tax) => roundTo(totals[tax].div(VAT_RATES[tax].plus(1)), 2)),
    as: 'amounts with VAT',
  };
}

function mismatch({ amount, totals }: InvoiceAmounts, tried: readonly LineSums[]): Stop {
  const lines = tried.map((sums) => amountText(grossOf(sums), 2)).join(' / ');
  return stop('TOTALS_MISMATCH', { amount: amountText(amount, 2), lines, totals: perTaxText(totals[0]) });
}

function perTaxText(amounts: PerTax | undefined): string {
  if (!amounts) return '';
  return `24 %: ${amountText(amounts.S, 2)}, 11 %: ${amountText(amounts.AA, 2)}, 0 %: ${amountText(amounts.Z, 2)}`;
}
