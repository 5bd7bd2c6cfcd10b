// Customer invoices of Tryton as records. What is posted stands in Tryton's books; what is only validated is booked by rule.
import { Decimal, sum } from '../../../domain/money.js';
import { isPostingKey, isTrialKey } from '../../../domain/posting-key.js';
import {
  asReading,
  type ErpFeed,
  type ErpRecord,
  given,
  type ReadErpFile,
  type Reading,
  sold,
  type Twins,
  unfit,
  amountUnless,
  lineOf,
  vatCode,
  type ErpFiles,
} from '../../../origins/erp-records.js';
import {
  SALE_FIELDS,
  stamp,
  STAMPS,
  type TrytonReader,
  type WireCustomer,
  wireLineInvoices,
  type WireSale,
  wireSales,
  type WireSoldLine,
  wireStamp,
} from './read.js';
import type { IsoDate } from '../../../domain/ids.js';
import { date } from '../wire.js';
import { told } from '../../told.js';
import { customerOf, type PartiesFeed } from './records.js';
import * as z from 'zod';
import { wireInteger } from '../../../http/wire-json.js';

export function referenceOf(id: number): string {
  return `invoice ${String(id)}`;
}

export function idIn(reference: string): string | null {
  return /^invoice (\d{1,15})$/.exec(reference)?.[1] ?? null;
}

/** The bridge booked it from the service, where it stands already. */
export function isBooking({ description }: Pick<WireSale, 'description'>): boolean {
  const [first = ''] = (description ?? '').split(' ');
  return isPostingKey(first) || isTrialKey(first);
}

/** Lines of other invoices that this one credits. */
export function creditedLines(sale: WireSale): number[] {
  if (!sale.total_amount.isNegative()) return [];
  return sale['lines.'].flatMap(({ origin }) => {
    const found = /^account\.invoice\.line,(\d+)$/.exec(origin ?? '')?.[1];
    return found === undefined ? [] : [Number(found)];
  });
}

export function saleOf(
  sale: WireSale,
  kennitala: string,
  credited: number | null,
  booked: 'origin' | 'bridge',
): ErpRecord {
  const sign = sale.total_amount.isNegative() ? -1 : 1;
  // A line without a product is called by the account that it is booked on.
  const lines = soldIn(sale).map((line) => itemOf(line, line['account.']?.code, sign));
  const value = {
    customer: { kennitala },
    ...given({ currency: sale['currency.'].code, issue_date: sale.invoice_date, due_date: dueDate(sale) }),
    ...given({ description: sale.description, booking: sale.reference }),
    ...given({ credit_of: credited === null ? null : referenceOf(credited) }),
    ...amountUnless(totalOf(soldIn(sale)), sale.total_amount),
    lines,
  };
  return { kind: 'invoice', reference: referenceOf(sale.id), value, booked };
}

/** Without a payment term Tryton makes an invoice due on the day it is posted, which says nothing. */
function dueDate(sale: WireSale): string | null {
  const { payment_term: term, payment_term_date: from, invoice_date: issued } = sale;
  const due = sale['lines_to_pay.']
    .map(({ maturity_date: day }) => day ?? '')
    .sort()
    .at(-1);
  if (term === null) return from;
  return due ?? termDate(sale, from ?? issued);
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Of a term of days, weeks and months; any other Tryton counts itself when it posts. */
function termDate({ 'payment_term.': term }: WireSale, from: string | null): string | null {
  const deltas = term?.['lines.'].at(-1)?.['relativedeltas.'] ?? [];
  if (from === null || deltas.some(({ day, month, weekday }) => day ?? month ?? weekday)) return null;
  const [year = 0, month = 1, day = 1] = from.split('-').map(Number);
  const months = deltas.reduce((all, delta) => all + delta.months, 0);
  const days = deltas.reduce((all, delta) => all + delta.days + 7 * delta.weeks, 0);
  const last = new Date(Date.UTC(year, month + months, 0));
  const start = Date.UTC(year, month - 1 + months, Math.min(day, last.getUTCDate()));
  return new Date(start + days * DAY_MS).toISOString().slice(0, 10);
}

/** The others are titles, comments and sums. */
export function soldIn<Line extends WireSoldLine>({
  'lines.': lines,
}: {
  readonly 'lines.': readonly Line[];
}) {
  return lines.filter(({ type }) => type === 'line');
}

/** `otherwise`: what a line is called that has no product with a code. */
export function itemOf(line: WireSoldLine, otherwise: string | null | undefined, sign = 1) {
  const { 'product.': product, 'unit.': unit } = line;
  const zero = new Decimal(0);
  return lineOf({
    itemNumber: product?.code ?? otherwise ?? '',
    description: line.description ?? product?.name ?? '',
    quantity: (line.quantity ?? zero).times(sign),
    unit: unit?.symbol,
    unitPrice: line.unit_price ?? zero,
    amount: (line.amount ?? zero).times(sign),
    tax: taxOf(line),
  });
}

function rateOf({ 'taxes.': taxes }: WireSoldLine): Decimal {
  return sum(taxes.map(({ rate }) => (rate ?? new Decimal(0)).times(100)));
}

/** Taxes that are no plain percentage are left for the schema to complain of. */
function taxOf(line: WireSoldLine): string {
  const unfit = line['taxes.'].find(({ type }) => type !== 'percentage');
  return unfit === undefined ? vatCode(rateOf(line)) : unfit.type;
}

/** With VAT. */
export function totalOf(lines: readonly WireSoldLine[]): Decimal {
  return sum(lines.map((line) => (line.amount ?? new Decimal(0)).times(rateOf(line).plus(100).div(100))));
}

// Customer invoices, each behind its customer.

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

// Attachments of Tryton. The time of their last change tells their versions apart: writing other data stamps it.

const ATTACHMENTS = 'ir.attachment';
const FILES_MAX = 1_000;
const FILE_FIELDS = ['name', 'type', 'data_size', 'resource', ...STAMPS];

const wireFiles = z.array(
  z.object({
    ...{ id: wireInteger, name: z.string(), type: z.string(), resource: z.string() },
    ...{ data_size: wireInteger.nullable(), create_date: wireStamp, write_date: wireStamp.nullable() },
  }),
);

const wireData = z.array(
  z.object({ data: z.object({ __class__: z.literal('bytes'), base64: z.string() }).nullable() }),
);

export function trytonFiles(reader: TrytonReader, model: string): ErpFiles {
  return {
    list: async (documents) => {
      const domain = [['resource', 'in', documents.map((id) => `${model},${id}`)]];
      const found = await reader.find(ATTACHMENTS, domain, FILE_FIELDS, wireFiles, FILES_MAX);
      const files = found.map(({ id, name, type, data_size: size, resource, ...dates }) => ({
        ...{ of: resource.split(',')[1] ?? '', name, bytes: type === 'data' ? (size ?? 0) : null },
        ...{ at: String(id), version: dates.write_date ?? dates.create_date },
      }));
      return { files, isFull: found.length >= FILES_MAX };
    },
  };
}

/** One that has changed is not found, so that nothing larger than was foretold is fetched. */
export function readTrytonFile(reader: TrytonReader): ReadErpFile {
  return async ({ at, version }) => {
    const changed = stamp(version);
    const never = [
      ['write_date', '=', null],
      ['create_date', '=', changed],
    ];
    const domain = [
      ['id', '=', Number(at)],
      ['type', '=', 'data'],
      ['OR', ['write_date', '=', changed], never],
    ];
    const [found] = await reader.find(ATTACHMENTS, domain, ['data'], wireData, 1);
    return found?.data ? Buffer.from(found.data.base64, 'base64') : null;
  };
}
