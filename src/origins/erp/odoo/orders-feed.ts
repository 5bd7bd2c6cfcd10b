// Confirmed orders, or quotations that customers have, each behind its customer. What is cancelled is none of ours any more, and so is a
// quotation that was confirmed: it is the order now.
import type { IsoDate } from '../../../domain/ids.js';
import type { SubmissionKind } from '../../../domain/submission.js';
import { told } from '../../../erp/told.js';
import { asReading, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { orderIdIn, type Stage } from '../order-stage.js';
import { sold, type Twins } from '../twins.js';
import { type Buyers, customerOf, type PartnersFeed } from './customers.js';
import { orderOf, STAGES } from './orders.js';
import type { OdooReader } from './reader.js';
import { LINES_MAX, readParts } from './sale-parts.js';
import type { SaleParts } from './sales.js';
import * as wire from './wire.js';

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
