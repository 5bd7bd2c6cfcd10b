// Sales of Tryton's module `sale` as records: one model, in which a quotation becomes the order when it is confirmed. Pure.
import type { SubmissionKind } from '../../../domain/submission.js';
import {
  asReading,
  type ErpFeed,
  type ErpPage,
  type ErpRecord,
  given,
  type Reading,
  sold,
  type Twins,
  unfit,
  amountUnless,
  needsSales,
  orderIdIn,
  orderReference,
  type Stage,
} from '../../../origins/erp-records.js';
import { itemOf, soldIn, totalOf } from './sales.js';
import {
  ORDER_FIELDS,
  stamp,
  type TrytonReader,
  type WireCustomer,
  wireModels,
  type WireOrder,
  wireOrders,
} from './read.js';
import { CodedError } from '../../../domain/errors/coded-error.js';
import type { IsoDate } from '../../../domain/ids.js';
import { told } from '../../told.js';
import { date } from '../wire.js';
import type { ErpHand } from '../../../origins/origin-settings.js';
import { customerOf, type PartiesFeed } from './records.js';

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

// Confirmed sales, or quotations that customers have, each behind its customer. What is cancelled is none of ours any more, and so is a
// quotation that was confirmed: it is the order now.

export const ORDERS = 'sale.sale';

/** Whether the company has the module that sales are in. */
export async function hasSales(reader: TrytonReader): Promise<boolean> {
  const found = await reader.find('ir.model', [['model', '=', ORDERS]], ['id'], wireModels, 1);
  return found.length > 0;
}

export interface OrdersFeedParts {
  readonly reader: TrytonReader;
  readonly parties: PartiesFeed;
  readonly stage: Stage;
  /** What it becomes at the service. */
  readonly kind: SubmissionKind;
  readonly hands: readonly ErpHand[];
  readonly since: IsoDate;
  readonly placeOf: (model: string, id: number) => string;
}

export class OrdersFeed implements ErpFeed {
  readonly name: Stage;
  readonly kinds: readonly SubmissionKind[];
  readonly #parts: OrdersFeedParts;
  #hasSales = false;

  constructor(parts: OrdersFeedParts) {
    this.#parts = parts;
    this.name = parts.stage;
    this.kinds = [parts.kind];
  }

  async list(since: string | null, after: string | null): Promise<ErpPage> {
    await this.#needSales();
    return this.#parts.reader.list(ORDERS, await this.#domain(), [], since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const { reader, parties } = this.#parts;
    const domain = [...(await this.#domain()), ['id', 'in', ids.map(Number)]];
    const all = await reader.find(ORDERS, domain, ORDER_FIELDS, wireOrders);
    const orders = all.filter((order) => orderLines(order).length > 0);
    if (orders.length === 0) return [];
    const buyers = await parties.parties([...new Set(orders.map(buyerOf))]);
    const twins = await parties.twins(buyers);
    return orders.map((order) => this.#readingOf(order, buyers, twins));
  }

  find(reference: string): Promise<string | null> {
    return Promise.resolve(orderIdIn(this.name, reference));
  }

  async #domain(): Promise<readonly unknown[]> {
    const { reader, stage, since } = this.#parts;
    const undated = [
      ['sale_date', '=', null],
      ['create_date', '>=', stamp(`${since}T00:00:00`)],
    ];
    return [
      ['company', '=', (await reader.company()).id],
      ['state', 'in', STAGES[stage]],
      ['OR', ['sale_date', '>=', date(since)], undated],
    ];
  }

  #readingOf(order: WireOrder, buyers: readonly WireCustomer[], twins: Twins): Reading {
    const { placeOf } = this.#parts;
    const place = placeOf(ORDERS, order.id);
    const party = buyers.find(({ id }) => id === buyerOf(order));
    const customer = party && customerOf(party);
    if (!customer)
      return unfit(order.id, place, told('PARTY_WITHOUT_KENNITALA', { party: party?.name ?? '' }));
    const its = { ...customer, place: placeOf('party.party', party.id) };
    return asReading(order.id, place, sold(orderOf(this.#parts, order, customer.reference), its, twins));
  }

  /** Asked for a model that it does not have, Tryton says nothing that people could read. */
  async #needSales(): Promise<void> {
    this.#hasSales ||= await hasSales(this.#parts.reader);
    const needed = this.#hasSales ? null : needsSales('Tryton', this.#parts.hands);
    if (needed !== null) throw new CodedError('ERP_ORIGIN_FAILED', needed.message, { said: needed.said });
  }
}
