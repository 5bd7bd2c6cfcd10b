// Sales documents of Business Central as records. Pure.
import { Decimal, sum } from '../../../domain/decimal.js';
import { isPostingKey, isTrialKey } from '../../../domain/posting-key.js';
import type { SubmissionKind } from '../../../domain/submission.js';
import type { ErpRecord } from '../as-reading.js';
import { given } from '../given.js';
import { amountUnless } from '../rounded-total.js';
import { lineOf } from '../sales-line.js';
import { vatCode } from '../vat-and-units.js';
import { type BcSale, type BcSaleLine, SALE_SETS, type SaleSet } from './wire.js';

/** By number: a posted document keeps it for ever, and people know it. */
export function referenceOf(set: SaleSet, number: string): string {
  return `${SALE_SETS[set].word} ${number}`;
}

export function numberIn(set: SaleSet, reference: string): string | null {
  const start = `${SALE_SETS[set].word} `;
  const number = reference.startsWith(start) ? reference.slice(start.length) : '';
  return /^\S.{0,19}$/.test(number) ? number : null;
}

/** The bridge booked it from the service, where it stands already; its key stands behind the number that people know. */
export function isBooking({ externalDocumentNumber: number }: BcSale): boolean {
  const last = number.split(' ').at(-1) ?? '';
  return isPostingKey(last) || isTrialKey(last);
}

/** Business Central posts an empty document where a number would be missing from its series. */
export function isEmpty(sale: BcSale): boolean {
  return itemsOf(sale).length === 0 && sale.totalAmountIncludingTax.isZero();
}

export function saleOf(set: SaleSet, kind: SubmissionKind, sale: BcSale, kennitala: string): ErpRecord {
  const items = itemsOf(sale);
  const total = sum(items.map((line) => line.netAmount.times(line.taxPercent.plus(100).div(100))));
  const isPosted = set === 'salesInvoices' || set === 'salesCreditMemos';
  const { invoiceNumber: credited } = sale;
  const value = {
    customer: { kennitala },
    ...given({ currency: sale.currencyCode, issue_date: sale.date, due_date: isPosted ? sale.dueDate : '' }),
    ...given({ description: sale.number, booking: sale.externalDocumentNumber }),
    ...given({ delivery_date: isPosted ? '' : sale.requestedDeliveryDate }),
    ...(set === 'salesCreditMemos' ? given({ credit_of: referenceOf('salesInvoices', credited) }) : {}),
    ...amountUnless(total, sale.totalAmountIncludingTax),
    lines: items.map(itemOf),
  };
  const record = { kind, reference: referenceOf(set, sale.number), value };
  return isPosted ? { ...record, booked: 'origin' } : record;
}

/** Lines of text have nothing that is sold. */
function itemsOf({ lines }: BcSale): readonly BcSaleLine[] {
  return lines.filter(({ lineObjectNumber: number }) => number !== '');
}

const CENT = 0.01;

/** Where quantity and price do not come to the sum (VAT in the price, a discount on the whole document), the sum is one line. */
function itemOf(line: BcSaleLine) {
  const { quantity, unitPrice, discountPercent, netAmount: amount, unitOfMeasureCode: unit } = line;
  const plain = {
    ...{ itemNumber: line.lineObjectNumber, description: line.description, amount },
    tax: vatCode(line.taxPercent),
  };
  const counted = quantity.times(unitPrice).times(new Decimal(100).minus(discountPercent).div(100));
  if (counted.minus(amount).abs().greaterThan(CENT))
    return lineOf({ ...plain, quantity: new Decimal(1), unit: null, unitPrice: amount });
  return lineOf({ ...plain, quantity, unit, unitPrice, discountPercent });
}
