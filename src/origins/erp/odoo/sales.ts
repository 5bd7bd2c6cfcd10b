// Customer invoices and credit notes that are posted in Odoo, as records. Pure.
import { Decimal, sum } from '../../../domain/decimal.js';
import { isPostingKey, isTrialKey } from '../../../domain/posting-key.js';
import type { ErpRecord } from '../as-reading.js';
import { given } from '../given.js';
import { amountUnless } from '../rounded-total.js';
import { lineOf } from '../sales-line.js';
import { vatCode } from '../vat-and-units.js';
import type { OdooRate, OdooSale, OdooSaleLine } from './wire.js';

/** What lines point at. */
export interface SaleParts {
  readonly lines: readonly OdooSaleLine[];
  readonly taxes: ReadonlyMap<number, OdooRate>;
  /** Of products. */
  readonly codes: ReadonlyMap<number, string>;
  /** Of accounts. */
  readonly accounts: ReadonlyMap<number, string>;
}

export function referenceOf(id: number): string {
  return `invoice ${String(id)}`;
}

export function idIn(reference: string): string | null {
  return /^invoice (\d{1,15})$/.exec(reference)?.[1] ?? null;
}

/** The bridge booked it from the service, where it stands already. */
export function isBooking({ ref }: Pick<OdooSale, 'ref'>): boolean {
  const [first = ''] = ref.split(' ');
  return isPostingKey(first) || isTrialKey(first);
}

export function saleOf(sale: OdooSale, parts: SaleParts, kennitala: string): ErpRecord {
  const credited = sale.move_type === 'out_refund' ? sale.reversed_entry_id : null;
  const value = {
    customer: { kennitala },
    ...given({ currency: sale.currency_id, issue_date: sale.invoice_date, due_date: sale.invoice_date_due }),
    ...given({ description: sale.name, booking: sale.ref }),
    ...given({ credit_of: credited === null ? null : referenceOf(credited) }),
    ...linesOf(sale, parts),
  };
  return { kind: 'invoice', reference: referenceOf(sale.id), value, booked: 'origin' };
}

/** Of an invoice or order, and its total where that is another one. */
export function linesOf({ id, amount_total: all }: Pick<OdooSale, 'id' | 'amount_total'>, parts: SaleParts) {
  const lines = parts.lines.filter(({ move_id: owner }) => owner === id);
  const total = sum(
    lines.map((line) => line.price_subtotal.times(rateOf(line, parts.taxes).plus(100).div(100))),
  );
  return { ...amountUnless(total, all), lines: lines.map((line) => itemOf(line, parts)) };
}

function itemOf(line: OdooSaleLine, { taxes, codes, accounts }: SaleParts) {
  const { product_id: product, account_id: account, quantity, price_subtotal: amount, discount } = line;
  const code = product === null ? '' : (codes.get(product) ?? '');
  // A line without a product's code is called by the account that it is booked on, which one of an order does not have yet.
  const booked = (account === null ? '' : accounts.get(account)) ?? '';
  const unnamed = booked === '' && product !== null ? `product ${String(product)}` : booked;
  const isIncluded = line.tax_ids.some((id) => taxes.get(id)?.price_include === true);
  const plain = {
    itemNumber: code === '' ? unnamed : code,
    ...{ description: line.name, unit: line.product_uom_id, amount, tax: taxOf(line, taxes) },
  };
  // A price with VAT in it is taken back to the sum without.
  if (isIncluded) return lineOf({ ...plain, quantity: new Decimal(1), unit: null, unitPrice: amount });
  return lineOf({ ...plain, quantity, unitPrice: line.price_unit, discountPercent: discount });
}

function rateOf({ tax_ids: ids }: OdooSaleLine, taxes: SaleParts['taxes']): Decimal {
  return sum(ids.map((id) => taxes.get(id)?.amount ?? new Decimal(0)));
}

/** Taxes that are no plain percentage are left for the schema to complain of. */
function taxOf(line: OdooSaleLine, taxes: SaleParts['taxes']): string {
  const unfit = line.tax_ids
    .map((id) => taxes.get(id)?.amount_type ?? 'unknown')
    .find((type) => type !== 'percent');
  return unfit ?? vatCode(rateOf(line, taxes));
}
