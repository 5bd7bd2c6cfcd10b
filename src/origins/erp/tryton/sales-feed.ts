// Customer invoices, each behind its customer.
import type { IsoDate } from '../../../domain/ids.js';
import { date } from '../../../erp/tryton/wire.js';
import { told } from '../../../erp/told.js';
import { asReading, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { sold, type Twins } from '../twins.js';
import { customerOf } from './customers.js';
import type { PartiesFeed } from './parties-feed.js';
import type { TrytonReader } from './reader.js';
import { creditedLines, idIn, isBooking, saleOf } from './sales.js';
import { SALE_FIELDS, type WireCustomer, wireLineInvoices, type WireSale, wireSales } from './wire.js';

export const SALES = 'account.invoice';

export interface SalesWish {
  readonly since: IsoDate;
  readonly quoted: 'leave' | 'bridge' | 'origin';
}

export class SalesFeed implements ErpFeed {
  readonly name = 'invoice';
  readonly kinds = ['invoice'] as const;
  readonly #reader: TrytonReader;
  readonly #parties: PartiesFeed;
  readonly #wish: SalesWish;
  readonly #placeOf: (model: string, id: number) => string;

  constructor(
    reader: TrytonReader,
    parties: PartiesFeed,
    wish: SalesWish,
    placeOf: (model: string, id: number) => string,
  ) {
    this.#reader = reader;
    this.#parties = parties;
    this.#wish = wish;
    this.#placeOf = placeOf;
  }

  async list(since: string | null, after: string | null) {
    return this.#reader.list(SALES, await this.#domain(), [], since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const domain = [...(await this.#domain()), ['id', 'in', ids.map(Number)]];
    const all = await this.#reader.find(SALES, domain, SALE_FIELDS, wireSales);
    const sales = all.filter((sale) => !isBooking(sale));
    if (sales.length === 0) return [];
    const parties = await this.#parties.parties([...new Set(sales.map(({ party }) => party))]);
    const credited = await this.#credited(sales);
    const twins = await this.#parties.twins(parties);
    return sales.map((sale) => this.#readingOf(sale, { parties, twins }, credited));
  }

  find(reference: string): Promise<string | null> {
    return Promise.resolve(idIn(reference));
  }

  /** A validated invoice may have no date yet: that is told, not left out. */
  async #domain(): Promise<readonly unknown[]> {
    const { since, quoted } = this.#wish;
    const { id: company } = await this.#reader.company();
    const states = ['posted', 'paid', ...(quoted === 'leave' ? [] : ['validated'])];
    return [
      ['company', '=', company],
      ['type', '=', 'out'],
      ['state', 'in', states],
      ['OR', ['invoice_date', '>=', date(since)], ['invoice_date', '=', null]],
    ];
  }

  #readingOf(
    sale: WireSale,
    { parties, twins }: { readonly parties: readonly WireCustomer[]; readonly twins: Twins },
    credited: ReadonlyMap<number, number>,
  ): Reading {
    const place = this.#placeOf(SALES, sale.id);
    const party = parties.find(({ id }) => id === sale.party);
    const customer = party && customerOf(party);
    if (!customer)
      return unfit(sale.id, place, told('PARTY_WITHOUT_KENNITALA', { party: party?.name ?? '' }));
    const invoices = new Set(creditedLines(sale).flatMap((line) => credited.get(line) ?? []));
    const [invoice] = invoices;
    if (sale.total_amount.isNegative() && invoices.size !== 1)
      return unfit(sale.id, place, told('CREDITS_NOT_ONE'));
    const { quoted } = this.#wish;
    const booked = sale.state === 'validated' && quoted === 'bridge' ? 'bridge' : 'origin';
    const its = { ...customer, place: this.#placeOf('party.party', sale.party) };
    const record = saleOf(sale, customer.reference, invoice ?? null, booked);
    return asReading(sale.id, place, sold(record, its, twins));
  }

  /** Line → the invoice that it is on, of all lines that are credited. */
  async #credited(sales: readonly WireSale[]): Promise<ReadonlyMap<number, number>> {
    const lines = sales.flatMap(creditedLines);
    if (lines.length === 0) return new Map();
    const domain = [['id', 'in', lines]];
    const found = await this.#reader.find(
      'account.invoice.line',
      domain,
      ['invoice'],
      wireLineInvoices,
      lines.length,
    );
    return new Map(found.flatMap(({ id, invoice }) => (invoice === null ? [] : [[id, invoice] as const])));
  }
}
