// Posted customer invoices and credit notes, each behind its customer. What is a draft in Odoo stays there.
import type { IsoDate } from '../../../domain/ids.js';
import { told } from '../../../erp/told.js';
import { asReading, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { sold, type Twins } from '../twins.js';
import { type Buyers, customerOf, type PartnersFeed } from './customers.js';
import type { OdooReader } from './reader.js';
import { LINES_MAX, readParts } from './sale-parts.js';
import { idIn, isBooking, saleOf, type SaleParts } from './sales.js';
import * as wire from './wire.js';

export const SALES = 'account.move';

export class SalesFeed implements ErpFeed {
  readonly name = 'invoice';
  readonly kinds = ['invoice'] as const;
  readonly isCoarse = true;
  readonly #reader: OdooReader;
  readonly #partners: PartnersFeed;
  readonly #domain: readonly unknown[];
  readonly #placeOf: (model: string, id: number) => string;

  constructor(
    reader: OdooReader,
    partners: PartnersFeed,
    since: IsoDate,
    placeOf: (model: string, id: number) => string,
  ) {
    this.#reader = reader;
    this.#partners = partners;
    this.#placeOf = placeOf;
    this.#domain = [
      ['move_type', 'in', ['out_invoice', 'out_refund']],
      ['state', '=', 'posted'],
      ['invoice_date', '>=', since],
    ];
  }

  list(since: string | null, after: string | null) {
    return this.#reader.list(SALES, this.#domain, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const domain = [...this.#domain, ['id', 'in', ids.map(Number)]];
    const all = await this.#reader.find(SALES, domain, wire.SALE_FIELDS, wire.odooSale);
    const sales = all.filter((sale) => !isBooking(sale));
    if (sales.length === 0) return [];
    const buyers = await this.#partners.buyers(sales.flatMap(({ partner_id: id }) => id ?? []));
    const parts = await this.#parts(sales.map(({ id }) => id));
    const twins = await this.#partners.twins([...buyers.values()]);
    return sales.map((sale) => this.#readingOf(sale, buyers, parts, twins));
  }

  find(reference: string): Promise<string | null> {
    return Promise.resolve(idIn(reference));
  }

  #readingOf(sale: wire.OdooSale, buyers: Buyers, parts: SaleParts, twins: Twins): Reading {
    const place = this.#placeOf(SALES, sale.id);
    const partner = sale.partner_id === null ? undefined : buyers.get(sale.partner_id);
    const customer = partner && customerOf(partner);
    if (!customer)
      return unfit(sale.id, place, told('PARTY_WITHOUT_KENNITALA', { party: partner?.name ?? '' }));
    if (sale.move_type === 'out_refund' && sale.reversed_entry_id === null)
      return unfit(sale.id, place, told('CREDITS_NOT_ONE'));
    const its = { ...customer, place: this.#placeOf('res.partner', partner.id) };
    return asReading(sale.id, place, sold(saleOf(sale, parts, customer.reference), its, twins));
  }

  async #parts(moves: readonly number[]): Promise<SaleParts> {
    const domain = [
      ['move_id', 'in', moves],
      ['display_type', '=', 'product'],
    ];
    const { SALE_LINE_FIELDS: fields, odooSaleLine: line } = wire;
    return readParts(
      this.#reader,
      await this.#reader.find('account.move.line', domain, fields, line, 'id asc', LINES_MAX),
    );
  }
}
