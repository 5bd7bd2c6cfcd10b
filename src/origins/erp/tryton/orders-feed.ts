// Confirmed sales, or quotations that customers have, each behind its customer. What is cancelled is none of ours any more, and so is a
// quotation that was confirmed: it is the order now.
import { CodedError } from '../../../domain/errors/coded-error.js';
import type { IsoDate } from '../../../domain/ids.js';
import type { SubmissionKind } from '../../../domain/submission.js';
import { told } from '../../../erp/told.js';
import { date } from '../../../erp/tryton/wire.js';
import { asReading, unfit } from '../as-reading.js';
import type { ErpFeed, ErpPage, Reading } from '../erp-records.js';
import { orderIdIn, type Stage } from '../order-stage.js';
import { needsSales } from '../sales-module.js';
import type { ErpHand } from '../settings.js';
import { sold, type Twins } from '../twins.js';
import { customerOf } from './customers.js';
import { buyerOf, orderLines, orderOf, STAGES } from './orders.js';
import type { PartiesFeed } from './parties-feed.js';
import type { TrytonReader } from './reader.js';
import { ORDER_FIELDS, stamp, type WireCustomer, wireModels, type WireOrder, wireOrders } from './wire.js';

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
