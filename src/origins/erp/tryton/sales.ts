// Customer invoices of Tryton as records. What is posted stands in Tryton's books; what is only validated is booked by rule.
import { Decimal, sum } from '../../../domain/decimal.js';
import { isPostingKey, isTrialKey } from '../../../domain/posting-key.js';
import type { ErpRecord } from '../as-reading.js';
import { given } from '../given.js';
import { amountUnless } from '../rounded-total.js';
import { lineOf } from '../sales-line.js';
import { vatCode } from '../vat-and-units.js';
import type { WireSale, WireSoldLine } from './wire.js';

export function referenceOf(id: number): string {
  return `invoice ${String(id)}`;
}

export function idIn(reference: string): string | null {
  return /^invoice (\d{1,15})$/.exec(reference)?.[1] ?? null;
}

/** The bridge booked it from the service, where it stands already. */
export function isBooking({ description }: Pick<WireSale, 'description'>): boolean {
  const [first = ''] = (description ?? '').split(' ');
  return isPostingKey(first) || isTrialKey(first);
}

/** Lines of other invoices that this one credits. */
export function creditedLines(sale: WireSale): number[] {
  if (!sale.total_amount.isNegative()) return [];
  return sale['lines.'].flatMap(({ origin }) => {
    const found = /^account\.invoice\.line,(\d+)$/.exec(origin ?? '')?.[1];
    return found === undefined ? [] : [Number(found)];
  });
}

export function saleOf(
  sale: WireSale,
  kennitala: string,
  credited: number | null,
  booked: 'origin' | 'bridge',
): ErpRecord {
  const sign = sale.total_amount.isNegative() ? -1 : 1;
  // A line without a product is called by the account that it is booked on.
  const lines = soldIn(sale).map((line) => itemOf(line, line['account.']?.code, sign));
  const value = {
    customer: { kennitala },
    ...given({ currency: sale['currency.'].code, issue_date: sale.invoice_date, due_date: dueDate(sale) }),
    ...given({ description: sale.description, booking: sale.reference }),
    ...given({ credit_of: credited === null ? null : referenceOf(credited) }),
    ...amountUnless(totalOf(soldIn(sale)), sale.total_amount),
    lines,
  };
  return { kind: 'invoice', reference: referenceOf(sale.id), value, booked };
}

/** Without a payment term Tryton makes an invoice due on the day it is posted, which says nothing. */
function dueDate(sale: WireSale): string | null {
  const { payment_term: term, payment_term_date: from, invoice_date: issued } = sale;
  const due = sale['lines_to_pay.']
    .map(({ maturity_date: day }) => day ?? '')
    .sort()
    .at(-1);
  if (term === null) return from;
  return due ?? termDate(sale, from ?? issued);
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Of a term of days, weeks and months; any other Tryton counts itself when it posts. */
function termDate({ 'payment_term.': term }: WireSale, from: string | null): string | null {
  const deltas = term?.['lines.'].at(-1)?.['relativedeltas.'] ?? [];
  if (from === null || deltas.some(({ day, month, weekday }) => day ?? month ?? weekday)) return null;
  const [year = 0, month = 1, day = 1] = from.split('-').map(Number);
  const months = deltas.reduce((all, delta) => all + delta.months, 0);
  const days = deltas.reduce((all, delta) => all + delta.days + 7 * delta.weeks, 0);
  const last = new Date(Date.UTC(year, month + months, 0));
  const start = Date.UTC(year, month - 1 + months, Math.min(day, last.getUTCDate()));
  return new Date(start + days * DAY_MS).toISOString().slice(0, 10);
}

/** The others are titles, comments and sums. */
export function soldIn<Line extends WireSoldLine>({
  'lines.': lines,
}: {
  readonly 'lines.': readonly Line[];
}) {
  return lines.filter(({ type }) => type === 'line');
}

/** `otherwise`: what a line is called that has no product with a code. */
export function itemOf(line: WireSoldLine, otherwise: string | null | undefined, sign = 1) {
  const { 'product.': product, 'unit.': unit } = line;
  const zero = new Decimal(0);
  return lineOf({
    itemNumber: product?.code ?? otherwise ?? '',
    description: line.description ?? product?.name ?? '',
    quantity: (line.quantity ?? zero).times(sign),
    unit: unit?.symbol,
    unitPrice: line.unit_price ?? zero,
    amount: (line.amount ?? zero).times(sign),
    tax: taxOf(line),
  });
}

function rateOf({ 'taxes.': taxes }: WireSoldLine): Decimal {
  return sum(taxes.map(({ rate }) => (rate ?? new Decimal(0)).times(100)));
}

/** Taxes that are no plain percentage are left for the schema to complain of. */
function taxOf(line: WireSoldLine): string {
  const unfit = line['taxes.'].find(({ type }) => type !== 'percentage');
  return unfit === undefined ? vatCode(rateOf(line)) : unfit.type;
}

/** With VAT. */
export function totalOf(lines: readonly WireSoldLine[]): Decimal {
  return sum(lines.map((line) => (line.amount ?? new Decimal(0)).times(rateOf(line).plus(100).div(100))));
}
