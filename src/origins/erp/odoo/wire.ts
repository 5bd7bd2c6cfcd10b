// The parts of Odoo's models that an origin reads. An empty field is `false` in Odoo, whatever its type; times are to the second, in UTC.
import * as z from 'zod';
import { wireAmount, wireInteger } from '../../../http/wire-json.js';

const text = z.union([z.string(), z.literal(false)]).transform((value) => (value === false ? '' : value));
const link = z
  .union([z.tuple([wireInteger, z.unknown()]).rest(z.unknown()), wireInteger, z.literal(false)])
  .transform((value) => (value === false ? null : typeof value === 'number' ? value : value[0]));
const linkName = z
  .union([z.tuple([wireInteger, z.string()]).rest(z.unknown()), z.literal(false)])
  .transform((value) => (value === false ? '' : value[1]));

export const odooStamped = z.object({ id: wireInteger, write_date: z.string() });

export const odooCustomer = z.object({
  id: wireInteger,
  ...{ name: text, vat: text, company_registry: text, email: text, phone: text },
  ...{ street: text, zip: text, city: text, lang: text },
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

export const odooRate = z.object({
  id: wireInteger,
  ...{ amount: wireAmount, amount_type: z.string(), price_include: z.boolean().nullish() },
});
export type OdooRate = z.infer<typeof odooRate>;
export const odooCoded = z.object({ id: wireInteger, default_code: text });
export const odooAccountCode = z.object({ id: wireInteger, code: text });
export const odooCompanyId = z.object({ id: wireInteger });
export const odooMessage = z.object({ id: wireInteger, body: text });

export const odooProduct = z.object({
  id: wireInteger,
  ...{ default_code: text, name: text, lst_price: wireAmount, active: z.boolean(), uom_id: linkName },
  taxes_id: z.array(wireInteger),
});
export type OdooProduct = z.infer<typeof odooProduct>;
export const PRODUCT_FIELDS = Object.keys(odooProduct.shape).filter((field) => field !== 'id');
