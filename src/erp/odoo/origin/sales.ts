// Customer invoices and credit notes that are posted in Odoo, as records. Pure.
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
  FILE_FIELDS,
  odooAccountCode,
  odooCoded,
  odooFile,
  odooFileData,
  odooRate,
  type OdooRate,
  type OdooReader,
  type OdooSale,
  type OdooSaleLine,
} from './read.js';
import type { IsoDate } from '../../../domain/ids.js';
import { told } from '../../told.js';
import { type Buyers, customerOf, type PartnersFeed } from './records.js';
import * as wire from './read.js';
import { createHash } from 'node:crypto';

/** What lines point at. */
export interface SaleParts {
  readonly lines: readonly OdooSaleLine[];
  readonly taxes: ReadonlyMap<number, OdooRate>;
  /** Of products. */
  readonly codes: ReadonlyMap<number, string>;
  /** Of accounts. */
  readonly accounts: ReadonlyMap<number, string>;
}

export function referenceOf(id: number): string {
  return `invoice ${String(id)}`;
}

export function idIn(reference: string): string | null {
  return /^invoice (\d{1,15})$/.exec(reference)?.[1] ?? null;
}

/** The bridge booked it from the service, where it stands already. */
export function isBooking({ ref }: Pick<OdooSale, 'ref'>): boolean {
  const [first = ''] = ref.split(' ');
  return isPostingKey(first) || isTrialKey(first);
}

export function saleOf(sale: OdooSale, parts: SaleParts, kennitala: string): ErpRecord {
  const credited = sale.move_type === 'out_refund' ? sale.reversed_entry_id : null;
  const value = {
    customer: { kennitala },
    ...given({ currency: sale.currency_id, issue_date: sale.invoice_date, due_date: sale.invoice_date_due }),
    ...given({ description: sale.name, booking: sale.ref }),
    ...given({ credit_of: credited === null ? null : referenceOf(credited) }),
    ...linesOf(sale, parts),
  };
  return { kind: 'invoice', reference: referenceOf(sale.id), value, booked: 'origin' };
}

/** Of an invoice or order, and its total where that is another one. */
export function linesOf({ id, amount_total: all }: Pick<OdooSale, 'id' | 'amount_total'>, parts: SaleParts) {
  const lines = parts.lines.filter(({ move_id: owner }) => owner === id);
  const total = sum(
    lines.map((line) => line.price_subtotal.times(rateOf(line, parts.taxes).plus(100).div(100))),
  );
  return { ...amountUnless(total, all), lines: lines.map((line) => itemOf(line, parts)) };
}

function itemOf(line: OdooSaleLine, { taxes, codes, accounts }: SaleParts) {
  const { product_id: product, account_id: account, quantity, price_subtotal: amount, discount } = line;
  const code = product === null ? '' : (codes.get(product) ?? '');
  // A line without a product's code is called by the account that it is booked on, which one of an order does not have yet.
  const booked = (account === null ? '' : accounts.get(account)) ?? '';
  const unnamed = booked === '' && product !== null ? `product ${String(product)}` : booked;
  const isIncluded = line.tax_ids.some((id) => taxes.get(id)?.price_include === true);
  const plain = {
    itemNumber: code === '' ? unnamed : code,
    ...{ description: line.name, unit: line.product_uom_id, amount, tax: taxOf(line, taxes) },
  };
  // A price with VAT in it is taken back to the sum without.
  if (isIncluded) return lineOf({ ...plain, quantity: new Decimal(1), unit: null, unitPrice: amount });
  return lineOf({ ...plain, quantity, unitPrice: line.price_unit, discountPercent: discount });
}

function rateOf({ tax_ids: ids }: OdooSaleLine, taxes: SaleParts['taxes']): Decimal {
  return sum(ids.map((id) => taxes.get(id)?.amount ?? new Decimal(0)));
}

/** Taxes that are no plain percentage are left for the schema to complain of. */
function taxOf(line: OdooSaleLine, taxes: SaleParts['taxes']): string {
  const unfit = line.tax_ids
    .map((id) => taxes.get(id)?.amount_type ?? 'unknown')
    .find((type) => type !== 'percent');
  return unfit ?? vatCode(rateOf(line, taxes));
}

// Posted customer invoices and credit notes, each behind its customer. What is a draft in Odoo stays there.

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

// Attachments of Odoo. Their checksum (SHA-1, which Odoo counts itself) tells their versions apart. What Odoo keeps as a file for a field of
// a document, such as the PDF that it has printed, is none that people have put there.

const ATTACHMENTS = 'ir.attachment';
const FILES_MAX = 1_000;

export function odooFiles(reader: OdooReader, model: string): ErpFiles {
  return {
    list: async (documents) => {
      const domain = [
        ['res_model', '=', model],
        ['res_id', 'in', documents.map(Number)],
        ['res_field', '=', false],
      ];
      const found = await reader.find(ATTACHMENTS, domain, FILE_FIELDS, odooFile, 'id asc', FILES_MAX);
      const files = found.map(({ id, name, type, file_size: size, checksum: version, res_id: of }) => ({
        ...{ of: String(of), name, bytes: type === 'binary' ? size : null, at: String(id), version },
      }));
      return { files, isFull: found.length >= FILES_MAX };
    },
  };
}

/** One that has changed is not found, so that nothing larger than was foretold is fetched. */
export function readOdooFile(reader: OdooReader): ReadErpFile {
  return async ({ at, version }) => {
    const domain = [
      ['id', '=', Number(at)],
      ['checksum', '=', version],
    ];
    const [found] = await reader.find(ATTACHMENTS, domain, ['datas'], odooFileData, 'id asc', 1);
    if (found === undefined || found.datas === '') return null;
    const content = Buffer.from(found.datas, 'base64');
    return createHash('sha1').update(content).digest('hex') === version ? content : null;
  };
}

// What lines of invoices and orders point at: taxes, products, accounts.

export const LINES_MAX = 10_000;

export async function readParts(reader: OdooReader, lines: readonly OdooSaleLine[]): Promise<SaleParts> {
  const among = (ids: readonly number[]) => [['id', 'in', [...new Set(ids)]]];
  const taxes = among(lines.flatMap(({ tax_ids: ids }) => ids));
  const products = among(lines.flatMap(({ product_id: id }) => id ?? []));
  const accounts = among(lines.flatMap(({ account_id: id }) => id ?? []));
  const rates = await reader.find('account.tax', taxes, ['amount', 'amount_type', 'price_include'], odooRate);
  const codes = await reader.find('product.product', products, ['default_code'], odooCoded);
  const named = await reader.find('account.account', accounts, ['code'], odooAccountCode);
  return {
    lines,
    taxes: new Map(rates.map((rate) => [rate.id, rate])),
    codes: new Map(codes.map(({ id, default_code: code }) => [id, code])),
    accounts: new Map(named.map(({ id, code }) => [id, code])),
  };
}
