// Orders and quotations of Odoo as records: one model, in which a quotation becomes the order when it is confirmed. Pure.
import type { SubmissionKind } from '../../../domain/submission.js';
import type { ErpRecord } from '../as-reading.js';
import { given } from '../given.js';
import { orderReference, type Stage } from '../order-stage.js';
import { linesOf, type SaleParts } from './sales.js';
import type { OdooOrder } from './wire.js';

/** Of an order, whichever stage it is handed over at. */
export const STAGES = {
  // Locked orders had a state of their own up to 16.
  order: ['sale', 'done'],
  // What is not sent yet is still being written, and the service would send it to the customer.
  quote: ['sent'],
} as const satisfies Readonly<Record<Stage, readonly string[]>>;
/** Times are in UTC, which is the time of Iceland. */
export function orderOf(
  { stage, kind }: { readonly stage: Stage; readonly kind: SubmissionKind },
  order: OdooOrder,
  parts: SaleParts,
  kennitala: string,
): ErpRecord {
  const { currency_id: currency, date_order: ordered, commitment_date: promised } = order;
  const value = {
    customer: { kennitala },
    ...given({ currency, issue_date: ordered.slice(0, 10), delivery_date: promised.slice(0, 10) }),
    ...given({ description: order.name, booking: order.client_order_ref }),
    ...linesOf(order, parts),
  };
  return { kind, reference: orderReference(stage, order.id), value };
}
