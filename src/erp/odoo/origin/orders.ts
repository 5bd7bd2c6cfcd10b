// Orders and quotations of Odoo as records: one model, in which a quotation becomes the order when it is confirmed. Pure.
import type { SubmissionKind } from '../../../domain/submission.js';
import {
  asReading,
  type ErpFeed,
  type ErpRecord,
  given,
  type Reading,
  sold,
  type Twins,
  unfit,
  orderIdIn,
  orderReference,
  type Stage,
} from '../../../origins/erp-records.js';
import { LINES_MAX, readParts, linesOf, type SaleParts } from './sales.js';
import type { OdooOrder, OdooReader } from './read.js';
import type { IsoDate } from '../../../domain/ids.js';
import { told } from '../../told.js';
import { type Buyers, customerOf, type PartnersFeed } from './records.js';
import * as wire from './read.js';

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

// Confirmed orders, or quotations that customers have, each behind its customer. What is cancelled is none of ours any more, and so is a
// quotation that was confirmed: it is the order now.

export const ORDERS = 'sale.order';
const LINE_MODEL = 'sale.order.line';

export interface OrdersFeedParts {
  readonly reader: OdooReader;
  readonly partners: PartnersFeed;
  readonly stage: Stage;
  /** What it becomes at the service. */
  readonly kind: SubmissionKind;
  readonly since: IsoDate;
  readonly placeOf: (model: string, id: number) => string;
}

export class OrdersFeed implements ErpFeed {
  readonly name: Stage;
  readonly kinds: readonly SubmissionKind[];
  readonly isCoarse = true;
  readonly #parts: OrdersFeedParts;
  readonly #domain: readonly unknown[];
  #lineFields: readonly string[] | undefined;

  constructor(parts: OrdersFeedParts) {
    this.#parts = parts;
    this.name = parts.stage;
    this.kinds = [parts.kind];
    this.#domain = [
      ['state', 'in', STAGES[parts.stage]],
      ['date_order', '>=', `${parts.since} 00:00:00`],
    ];
  }

  list(since: string | null, after: string | null) {
    return this.#parts.reader.list(ORDERS, this.#domain, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const { reader, partners } = this.#parts;
    const domain = [...this.#domain, ['id', 'in', ids.map(Number)]];
    const all = await reader.find(ORDERS, domain, wire.ORDER_FIELDS, wire.odooOrder);
    if (all.length === 0) return [];
    const parts = await readParts(reader, await this.#lines(all.map(({ id }) => id)));
    // Nothing is sold by one that has no lines.
    const orders = all.filter(({ id }) => parts.lines.some(({ move_id: order }) => order === id));
    const buyers = await partners.buyers(orders.flatMap(({ partner_id: id }) => id ?? []));
    const twins = await partners.twins([...buyers.values()]);
    return orders.map((order) => this.#readingOf(order, buyers, parts, twins));
  }

  find(reference: string): Promise<string | null> {
    return Promise.resolve(orderIdIn(this.name, reference));
  }

  #readingOf(order: wire.OdooOrder, buyers: Buyers, parts: SaleParts, twins: Twins): Reading {
    const place = this.#parts.placeOf(ORDERS, order.id);
    const partner = order.partner_id === null ? undefined : buyers.get(order.partner_id);
    const customer = partner && customerOf(partner);
    if (!customer)
      return unfit(order.id, place, told('PARTY_WITHOUT_KENNITALA', { party: partner?.name ?? '' }));
    const its = { ...customer, place: this.#parts.placeOf('res.partner', partner.id) };
    return asReading(
      order.id,
      place,
      sold(orderOf(this.#parts, order, parts, customer.reference), its, twins),
    );
  }

  /** What is sold: sections, notes and down payments have no quantity. */
  async #lines(orders: readonly number[]): Promise<wire.OdooSaleLine[]> {
    const { reader } = this.#parts;
    this.#lineFields ??= await reader.known(LINE_MODEL, wire.RENAMED_LINE_FIELDS);
    const fields = [...wire.ORDER_LINE_FIELDS, ...this.#lineFields];
    const domain = [['order_id', 'in', orders]];
    const order = 'order_id asc, sequence asc, id asc';
    const lines = await reader.find(LINE_MODEL, domain, fields, wire.odooOrderLine, order, LINES_MAX);
    return lines.filter(({ quantity }) => !quantity.isZero());
  }
}
