// Sales of Tryton's module `sale` as records: one model, in which a quotation becomes the order when it is confirmed. Pure.
import type { SubmissionKind } from '../../../domain/submission.js';
import type { ErpRecord } from '../as-reading.js';
import { given } from '../given.js';
import { orderReference, type Stage } from '../order-stage.js';
import { amountUnless } from '../rounded-total.js';
import { itemOf, soldIn, totalOf } from './sales.js';
import type { WireOrder } from './wire.js';

/** Of a sale, whichever stage it is handed over at. A draft is still being written. */
export const STAGES = {
  order: ['confirmed', 'processing', 'done'],
  quote: ['quotation'],
} as const satisfies Readonly<Record<Stage, readonly string[]>>;

/** Whom the invoice would be for. */
export function buyerOf({ party, invoice_party: payer }: WireOrder): number {
  return payer ?? party;
}

/** Nothing is sold by one that has none. */
export function orderLines(order: WireOrder): WireOrder['lines.'] {
  return soldIn(order).filter(({ quantity }) => quantity !== null && !quantity.isZero());
}

/** A quotation without a date is of the day that it was made; times are in UTC, which is the time of Iceland. */
export function orderOf(
  { stage, kind }: { readonly stage: Stage; readonly kind: SubmissionKind },
  order: WireOrder,
  kennitala: string,
): ErpRecord {
  const { number, description, sale_date: ordered, create_date: made } = order;
  const lines = orderLines(order);
  const value = {
    customer: { kennitala },
    ...given({ currency: order['currency.'].code, issue_date: ordered ?? made.slice(0, 10) }),
    ...given({ delivery_date: order.shipping_date, booking: order.reference }),
    ...given({ description: [number, description].filter(Boolean).join(' ') }),
    ...amountUnless(totalOf(lines), order.total_amount),
    lines: lines.map((line) =>
      itemOf(line, line.product === null ? null : `product ${String(line.product)}`),
    ),
  };
  return { kind, reference: orderReference(stage, order.id), value };
}
