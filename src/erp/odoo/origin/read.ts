// The parts of Odoo's models that an origin reads. An empty field is `false` in Odoo, whatever its type; times are to the second, in UTC.
import * as z from 'zod';
import { madeOf } from '../../../domain/made-of.js';
import { wireAmount, wireInteger } from '../../../http/wire-json.js';
import { asAnswer, type ReadAnswer } from '../../answer.js';
import type { OdooClient } from '../client.js';
import { partySpellings } from '../../partner-directory.js';
import { rejected, told } from '../../told.js';
import { type ErpPage } from '../../../origins/erp-records.js';
import { answered } from '../../answer.js';

const text = madeOf(z.union([z.string(), z.literal(false)]), (value) => (value === false ? '' : value));
const link = madeOf(
  z.union([z.tuple([wireInteger, z.unknown()]).rest(z.unknown()), wireInteger, z.literal(false)]),
  (value) => (value === false ? null : typeof value === 'number' ? value : value[0]),
);
const linkName = madeOf(
  z.union([z.tuple([wireInteger, z.string()]).rest(z.unknown()), z.literal(false)]),
  (value) => (value === false ? '' : value[1]),
);

export const odooStamped = z.object({ id: wireInteger, write_date: z.string() });

export const odooCustomer = z.object({
  id: wireInteger,
  ...{ name: text, vat: text, company_registry: text, email: text, phone: text },
  ...{ street: text, zip: text, city: text, lang: text, commercial_partner_id: link },
});
export type OdooCustomer = z.infer<typeof odooCustomer>;
export const CUSTOMER_FIELDS = Object.keys(odooCustomer.shape).filter((field) => field !== 'id');

export const odooSale = z.object({
  id: wireInteger,
  ...{ name: text, ref: text, state: z.string(), move_type: z.string(), payment_reference: text },
  ...{ invoice_date: text, invoice_date_due: text, partner_id: link, currency_id: linkName },
  ...{ reversed_entry_id: link, amount_total: wireAmount, narration: text },
});
export type OdooSale = z.infer<typeof odooSale>;
export const SALE_FIELDS = Object.keys(odooSale.shape).filter((field) => field !== 'id');

export const odooSaleLine = z.object({
  id: wireInteger,
  ...{ move_id: link, name: text, quantity: wireAmount, price_unit: wireAmount, discount: wireAmount },
  ...{ price_subtotal: wireAmount, tax_ids: z.array(wireInteger), product_id: link },
  ...{ product_uom_id: linkName, account_id: link },
});
export type OdooSaleLine = z.infer<typeof odooSaleLine>;
export const SALE_LINE_FIELDS = Object.keys(odooSaleLine.shape).filter((field) => field !== 'id');

export const odooOrder = z.object({
  id: wireInteger,
  ...{ name: text, client_order_ref: text, state: z.string(), partner_id: link, currency_id: linkName },
  ...{ date_order: text, commitment_date: text, amount_total: wireAmount },
});
export type OdooOrder = z.infer<typeof odooOrder>;
export const ORDER_FIELDS = Object.keys(odooOrder.shape).filter((field) => field !== 'id');

const taxes = z.array(wireInteger).default([]);
const orderLine = z.object({
  id: wireInteger,
  ...{
    order_id: link,
    name: text,
    product_uom_qty: wireAmount,
    price_unit: wireAmount,
    discount: wireAmount,
  },
  ...{ price_subtotal: wireAmount, product_id: link },
});
export const ORDER_LINE_FIELDS = Object.keys(orderLine.shape).filter((field) => field !== 'id');
/** Up to 18, and later: a version has one of each. */
export const RENAMED_LINE_FIELDS = ['tax_id', 'tax_ids', 'product_uom', 'product_uom_id'];

/** A line of an order, under the names that a line of an invoice has. */
export const odooOrderLine = madeOf(
  orderLine.extend({
    tax_id: taxes,
    tax_ids: taxes,
    product_uom: linkName.default(''),
    product_uom_id: linkName.default(''),
  }),
  ({ order_id: move_id, product_uom_qty: quantity, tax_id, product_uom, ...line }): OdooSaleLine => ({
    ...{ ...line, move_id, quantity, account_id: null, tax_ids: [...tax_id, ...line.tax_ids] },
    product_uom_id: line.product_uom_id === '' ? product_uom : line.product_uom_id,
  }),
);

export const odooRate = z.object({
  id: wireInteger,
  ...{ amount: wireAmount, amount_type: z.string(), price_include: z.boolean().nullish() },
});
export type OdooRate = z.infer<typeof odooRate>;
export const odooCoded = z.object({ id: wireInteger, default_code: text });
export const odooAccountCode = z.object({ id: wireInteger, code: text });
export const odooCompanyId = z.object({ id: wireInteger });
export const odooMessage = z.object({ id: wireInteger, body: text });

export const odooFile = z.object({
  id: wireInteger,
  ...{ name: text, type: z.string(), res_id: wireInteger, file_size: wireInteger, checksum: text },
});
export const FILE_FIELDS = Object.keys(odooFile.shape).filter((field) => field !== 'id');
const odooLanguage = z.object({ code: text });
export const odooFileData = z.object({ id: wireInteger, datas: text });

export const odooProduct = z.object({
  id: wireInteger,
  ...{ default_code: text, name: text, lst_price: wireAmount, active: z.boolean(), uom_id: linkName },
  taxes_id: z.array(wireInteger),
});
export type OdooProduct = z.infer<typeof odooProduct>;
export const PRODUCT_FIELDS = Object.keys(odooProduct.shape).filter((field) => field !== 'id');

// Searching Odoo for what an origin reads, in one company.

const PAGE = 1_000;

export class OdooReader {
  readonly client: OdooClient;
  readonly #kennitala: string;
  #inCompany: Promise<void> | undefined;

  constructor(client: OdooClient, kennitala: string) {
    this.client = client;
    this.#kennitala = kennitala;
  }

  /** By id, with the time of the last change. */
  async list(
    model: string,
    domain: readonly unknown[],
    since: string | null,
    after: string | null,
  ): Promise<ErpPage> {
    const changed = since === null ? [] : [['write_date', '>=', asOdoo(since)]];
    const behind = after === null ? [] : [['id', '>', Number(after)]];
    const found = await this.find(model, [...domain, ...changed, ...behind], ['write_date'], odooStamped);
    const entries = found.map(({ id, write_date: at }) => ({
      ...{ id: String(id), at: at.replace(' ', 'T'), position: String(id) },
    }));
    return { entries, isFull: entries.length >= PAGE };
  }

  async find<T>(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    schema: z.ZodType<T>,
    order = 'id asc',
    limit = PAGE,
  ): Promise<T[]> {
    await this.#useCompany();
    return answered(
      await asAnswer(() => this.client.searchRead(model, domain, fields, schema, { limit, order })),
    );
  }

  async hasIcelandic(): Promise<boolean> {
    const found = await this.find('res.lang', [['code', '=', 'is_IS']], ['code'], odooLanguage, 'id asc', 1);
    return found.length > 0;
  }

  /** Those of the fields that this version of Odoo has; asking for another one is an error. */
  async known(model: string, fields: readonly string[]): Promise<readonly string[]> {
    await this.#useCompany();
    const call = { model, method: 'fields_get', arguments: { attributes: ['type'] } };
    const known = answered(await asAnswer(() => this.client.read(call, z.record(z.string(), z.unknown()))));
    return fields.filter((field) => field in known);
  }

  /** Odoo refuses to speak of a model that it does not have: its module is not installed. Assumed: it refuses nobody else's question so. */
  async has(model: string): Promise<boolean> {
    await this.#useCompany();
    const call = { model, method: 'fields_get', arguments: { attributes: ['type'] } };
    const answer = await asAnswer(() => this.client.read(call, z.unknown()));
    if (answer.outcome === 'rejected') return false;
    answered(answer);
    return true;
  }

  /** One that could not be found is looked for again. */
  #useCompany(): Promise<void> {
    this.#inCompany ??= this.#findCompany().catch((error: unknown) => {
      this.#inCompany = undefined;
      throw error;
    });
    return this.#inCompany;
  }

  async #findCompany(): Promise<void> {
    const numbers = partySpellings(this.#kennitala);
    const taxIds = [...numbers, ...numbers.map((number) => `IS${number}`)];
    const domain = ['|', ['company_registry', 'in', numbers], ['vat', 'in', taxIds]];
    const found = answered(
      await asAnswer(() =>
        this.client.searchRead('res.company', domain, ['name'], odooCompanyId, { limit: 2 }),
      ),
    );
    const [company, another] = found;
    if (!company || another) answered(this.#notOne(company !== undefined));
    else this.client.useCompany(company.id);
  }

  #notOne(isThere: boolean): ReadAnswer<never> {
    const words = { system: 'Odoo', company: this.#kennitala };
    return rejected('wrong-company', told(isThere ? 'COMPANY_AMBIGUOUS' : 'COMPANY_NOT_SHOWN', words));
  }
}

/** Odoo compares times as it writes them: with a space, to the second. */
function asOdoo(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}
