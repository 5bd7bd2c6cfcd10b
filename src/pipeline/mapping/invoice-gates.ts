// Whether an invoice can be booked at all. The order of the questions is the specification's.
import type { IsoDate } from '../../domain/ids.js';
import {
  isDocumentedCurrency,
  amountText,
  currencyDecimals,
  roundTo,
  Decimal,
  sum,
  ZERO,
} from '../../domain/money.js';
import { plainKennitala } from '../../domain/kennitala.js';
import type { SourceInvoice, InvoiceItem } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import { doubt, stop, type Stop } from './outcome.js';
import { type RuleBook, isTaxCode, TAX_CODES, VAT_RATES, type TaxCode, type TaxedCode } from './rules.js';

const STATUSES = new Set(['Draft', 'Sent', 'Cancelled', 'Paid', 'Collection']);

export function gateInvoice(invoice: SourceInvoice, book: RuleBook, context: MappingContext): Stop | null {
  return (
    gateStatus(invoice) ??
    gateSkipRules(invoice, book) ??
    gateCancelled(invoice, book, context) ??
    gateNumber(invoice) ??
    gateEnumerations(invoice) ??
    gateLines(invoice) ??
    (invoice.type === 'credit' ? gateCreditNote(invoice, book, context) : gateAmount(invoice))
  );
}

function gateStatus(invoice: SourceInvoice): Stop | null {
  if (invoice.accountingStatus !== 'Created') {
    return stop('NOT_CREATED', { status: invoice.accountingStatus });
  }
  if (!STATUSES.has(invoice.status)) {
    return stop('UNKNOWN_STATUS', { status: invoice.status });
  }
  return invoice.status === 'Draft' ? stop('DRAFT') : null;
}

function gateCancelled(
  { status, amount, currency }: SourceInvoice,
  { whenCancelled }: RuleBook,
  { creditNotes = [], creditNoteMayCome }: MappingContext,
): Stop | null {
  // With a credit note it is booked as usual: the credit note alone would leave negative revenue.
  if (status !== 'Cancelled' || creditNotes.length > 0) return null;
  if (creditNoteMayCome) return stop('WAIT_FOR_CREDIT_NOTE');
  const about = { amount: amountText(amount), currency };
  return whenCancelled === 'skip' || amount.isZero() ? stop('CANCELLED', about) : doubt('CANCELLED', about);
}

function gateNumber({ number }: SourceInvoice): Stop | null {
  return number.trim() === '' ? stop('NO_NUMBER') : null;
}

/** By the rules, nobody books it here. */
export function gateSkipRules(invoice: SourceInvoice, book: RuleBook): Stop | null {
  const { skip } = book.rules;
  if (!skip) return null;
  const { guid, registrationNo } = invoice.customer;
  const isListed = (skip.customers ?? []).some(
    (listed) => listed === guid || plainKennitala(listed) === plainKennitala(registrationNo),
  );
  if (isListed) return stop('SKIPPED_CUSTOMER', { customer: registrationNo || guid });
  const series = (skip.series ?? []).find((beginning) => invoice.number.startsWith(beginning));
  if (series !== undefined) return stop('SKIPPED_SERIES', { series });
  return gateCutOver(invoice.issueDate, book);
}

export function gateCutOver(issueDate: IsoDate, book: RuleBook): Stop | null {
  const before = book.rules.skip?.before ?? null;
  if (before === null || issueDate === '' || issueDate >= before) return null;
  return stop('BEFORE_CUT_OVER', { date: issueDate, before });
}

function gateEnumerations(invoice: SourceInvoice): Stop | null {
  if (!isDocumentedCurrency(invoice.currency)) return unknownCurrency(invoice.currency);
  if (invoice.type !== 'invoice' && invoice.type !== 'credit') {
    return stop('UNKNOWN_TYPE', { type: invoice.type });
  }
  const at = invoice.items.findIndex((item) => !isTaxCode(item.tax));
  const odd = invoice.items[at];
  if (!odd) return null;
  return stop('UNKNOWN_VAT_CODE', { vatCode: odd.tax, line: at + 1 });
}

/** Without its lines nothing tells what was sold: the totals alone would put everything on the account for fees. */
function gateLines({ items, amount }: SourceInvoice): Stop | null {
  if (items.length === 0 && !amount.isZero()) {
    return stop('MALFORMED_DOCUMENT', { problem: `items is empty, amount is ${amountText(amount)}` });
  }
  const at = items.findIndex(({ unstated }) => unstated !== undefined);
  const fields = items[at]?.unstated ?? [];
  if (fields.length === 0) return null;
  return stop('MALFORMED_DOCUMENT', {
    problem: `items, line ${String(at + 1)}: ${fields.join(' and ')} missing`,
  });
}

export function unknownCurrency(currency: string): Stop {
  return stop('UNKNOWN_CURRENCY', { currency });
}

function gateAmount(invoice: SourceInvoice): Stop | null {
  if (!invoice.amount.lt(0)) return null;
  return stop('NEGATIVE_INVOICE', { amount: amountText(invoice.amount), type: invoice.type });
}

function gateCreditNote(invoice: SourceInvoice, book: RuleBook, { original }: MappingContext): Stop | null {
  if (invoice.referGuid.trim() === '') return stop('CREDIT_WITHOUT_REFERENCE');
  if (!original || original.accountingStatus === 'Posted' || isBeforeCutOver(original, book)) return null;
  if (original.accountingStatus === 'Skipped')
    return stop('ORIGINAL_NOT_POSTED', { original: invoice.referGuid });
  return stop('WAIT_FOR_ORIGINAL', { status: original.accountingStatus, original: invoice.referGuid });
}

/** Such an invoice is in the books by hand, whatever the service says of it: nobody books it here. */
export function isBeforeCutOver(
  { issueDate = '', isBeforeCutOver: isKnown }: NonNullable<MappingContext['original']>,
  book: RuleBook,
): boolean {
  return isKnown === true || gateCutOver(issueDate, book) !== null;
}

// The figures of an invoice, made positive and read in both ways that a price discount can be meant. The sign of a credit
// note is its type, never its amount: it may arrive with positive or negative figures and gives the same either way.

const DISCOUNT_READINGS = ['per-line', 'per-unit'] as const;
type DiscountReading = (typeof DISCOUNT_READINGS)[number];

export interface NetLine {
  readonly item: InvoiceItem;
  readonly tax: TaxCode;
  readonly net: Decimal;
}

export type PerTax = Readonly<Record<TaxCode, Decimal>>;

/** One reading of the lines. */
export interface LineSums {
  readonly reading: DiscountReading;
  readonly lines: readonly NetLine[];
  readonly nets: PerTax;
  readonly vats: PerTax;
}

export interface InvoiceAmounts {
  readonly amount: Decimal;
  readonly tolerance: Decimal;
  /** Of the currency. */
  readonly decimals: number;
  /** As stated: nets, grosses or VAT, which reconciling finds out. In the signs in which they are tried; empty: all zero. */
  readonly totals: readonly PerTax[];
  /** In the order in which they are tried: per line, then per unit where a price discount makes a difference. */
  readings(): Iterable<LineSums>;
}

const LINE_DECIMALS = 2;
const CENT = new Decimal('0.01');
const HALF = new Decimal('0.5');
const HUNDRED = new Decimal(100);

export function readAmounts(invoice: SourceInvoice): InvoiceAmounts {
  const { items, amount } = invoice;
  const signs = signsOf(invoice);
  const stated = { S: invoice.total24Vat, AA: invoice.total11Vat, Z: invoice.total0Vat };
  const hasTotals = TAX_CODES.some((tax) => !stated[tax].isZero());
  const distinctTaxes = new Set(items.map((item) => item.tax)).size;
  const decimals = currencyDecimals(invoice.currency);
  return {
    amount: invoice.type === 'credit' ? amount.abs() : amount,
    tolerance: CENT.times(items.length + distinctTaxes).plus(decimals === 0 ? HALF : ZERO),
    decimals,
    totals: hasTotals ? signs.map((sign) => (sign === 1 ? stated : perTax((tax) => stated[tax].neg()))) : [],
    readings: () => readingsOf(items, signs),
  };
}

/** The figures of a credit note have the sign of its amount; if that does not reconcile, perhaps they have the other. */
function signsOf({ type, amount }: SourceInvoice): readonly (1 | -1)[] {
  if (type !== 'credit') return [1];
  return amount.lt(0) ? [-1, 1] : [1, -1];
}

/** One at a time: nearly always the first one fits. */
function* readingsOf(items: readonly InvoiceItem[], signs: readonly (1 | -1)[]): Generator<LineSums> {
  const hasPriceDiscount = items.some((item) => !item.discountIsPercent && !item.discount.isZero());
  const readings: readonly DiscountReading[] = hasPriceDiscount ? DISCOUNT_READINGS : ['per-line'];
  for (const sign of signs) {
    const turned = sign === 1 ? items : items.map(inverted);
    for (const reading of readings) yield readLines(turned, reading);
  }
}

function readLines(items: readonly InvoiceItem[], reading: DiscountReading): LineSums {
  const lines = items.flatMap((item) =>
    isTaxCode(item.tax) ? [{ item, tax: item.tax, net: netOf(item, reading) }] : [],
  );
  const nets = { S: ZERO, AA: ZERO, Z: ZERO };
  for (const { tax, net } of lines) nets[tax] = nets[tax].isZero() ? net : nets[tax].plus(net);
  return { reading, lines, nets, vats: vatOf(nets) };
}

function netOf(item: InvoiceItem, reading: DiscountReading): Decimal {
  return roundTo(unroundedNet(item, reading), LINE_DECIMALS);
}

/** unit_price excludes VAT, because amount = Σ lines + VAT (Document 1, write rule 2). */
function unroundedNet(
  { qty, unitPrice, discount, discountIsPercent }: InvoiceItem,
  reading: DiscountReading,
): Decimal {
  const full = qty.times(unitPrice);
  if (discount.isZero()) return full;
  if (discountIsPercent) return full.times(HUNDRED.minus(discount)).times(CENT);
  return full.minus(reading === 'per-line' ? discount : qty.times(discount));
}

/** Exact means to the cent, or to the whole unit where the currency has no decimals and the amount is whole. */
export function isExact(reckoned: Decimal, { amount, decimals }: InvoiceAmounts): boolean {
  const stated = roundTo(amount, LINE_DECIMALS);
  if (stated.eq(roundTo(reckoned, LINE_DECIMALS))) return true;
  return stated.decimalPlaces() <= decimals && stated.eq(roundTo(reckoned, decimals));
}

/** Whether the lines give the amount exactly, each rounded or only their sum: the documents do not say which it is. */
export function givesExactly(
  { lines, nets, vats, reading }: LineSums,
  amounts: InvoiceAmounts,
  vat: 'with VAT' | 'without VAT',
): boolean {
  const rounded = vat === 'with VAT' ? [...parts(nets), ...parts(vats)] : parts(nets);
  if (isExact(sum(rounded), amounts)) return true;
  const unrounded = lines.map(({ item, tax }) => {
    const net = unroundedNet(item, reading);
    return vat === 'with VAT' ? net.times(VAT_RATES[tax].plus(1)) : net;
  });
  return isExact(sum(unrounded), amounts);
}

function parts({ S, AA, Z }: PerTax): readonly Decimal[] {
  return [S, AA, Z];
}

function inverted(item: InvoiceItem): InvoiceItem {
  return {
    ...item,
    qty: item.qty.neg(),
    discount: item.discountIsPercent ? item.discount : item.discount.neg(),
  };
}

/** On the document's sum per rate, not line by line. */
export function vatOf(nets: PerTax): PerTax {
  const vat = (tax: TaxedCode) =>
    nets[tax].isZero() ? ZERO : roundTo(nets[tax].times(VAT_RATES[tax]), LINE_DECIMALS);
  return { S: vat('S'), AA: vat('AA'), Z: ZERO };
}

export function perTax(amount: (tax: TaxCode) => Decimal): PerTax {
  return { S: amount('S'), AA: amount('AA'), Z: amount('Z') };
}

export function sumPerTax(amounts: PerTax): Decimal {
  return sum(parts(amounts));
}
