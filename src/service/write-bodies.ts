// What we may send in `data` (Document 1, "create" shapes; Document 2, customer body). Strict: a misspelt field would be
// dropped silently by the service. The rules between fields are in write-rules/.
import * as z from 'zod';
import { ACCOUNTING_MESSAGE_MAX, WRITABLE_STATUSES } from '../domain/posting.js';
import { readKennitala } from '../domain/kennitala.js';
import { madeOf } from '../domain/made-of.js';
import { bit, bitAsNumber, isoDate, money, whole } from './wire-types.js';
import {
  COST_CODES,
  CURRENCIES,
  INVOICE_TYPES,
  LANGUAGES,
  OUTPUT_SELECTS,
  RECURRING_INTERVALS,
  UNITS,
  VAT_CODES,
} from './wire-values.js';

export const guid = z.string().regex(/^[0-9a-zA-Z-]{1,64}$/, 'must be a guid');

export const kennitala = z.string().refine((written) => readKennitala(written).digits === written, {
  message: 'must be a kennitala of ten digits without a dash',
});

export const costCode = z.string().refine((code) => Object.hasOwn(COST_CODES, code), {
  message: 'must be one of the numeric cost codes; category names are not accepted',
});

const freeText = z.string().max(4_000);
const outputSelect = madeOf(
  z.custom<string | number>((value) => (OUTPUT_SELECTS as readonly string[]).includes(String(value)), {
    message: 'must be 2 (e-invoice), 3 (e-mail) or 4 (print)',
  }),
  String,
);

const customerFields = {
  output_select: outputSelect.optional(),
  address: freeText.optional(),
  zip: freeText.optional(),
  city: freeText.optional(),
  registration_no: kennitala.optional(),
  email: freeText.optional(),
  term: freeText.optional(),
  photo: z.string().optional(),
  due_date: whole.optional(),
  settlement_date: whole.optional(),
  trading_partner_id: freeText.optional(),
  phone_number: freeText.optional(),
  vat: freeText.optional(),
  lang: z.enum(LANGUAGES).optional(),
  currency: z.enum(CURRENCIES).optional(),
  tax_exempt: bit.optional(),
  is_claim: bit.optional(),
  is_discount: bit.optional(),
};

export const customerBody = z.strictObject({ name: freeText.min(1), ...customerFields });
export const customerChanges = z.strictObject({ name: freeText.min(1).optional(), ...customerFields });

const agentCustomerFields = {
  address: freeText.optional(),
  zip: freeText.optional(),
  city: freeText.optional(),
  phone_number: freeText.optional(),
  email: freeText.optional(),
  trading_partner_id: freeText.optional(),
  vat: freeText.optional(),
  due_date: whole.optional(),
  settlement_date: whole.optional(),
  tax_exempt: bit.optional(),
};

/** Document 2 names the number `kennitala`, says which fields are required, and has `output_select` as an integer. */
const agentCustomerRequired = {
  kennitala,
  name: freeText.min(1),
  output_select: madeOf(outputSelect, Number),
  lang: z.enum(LANGUAGES),
  currency: z.enum(CURRENCIES),
};

export const agentCustomerBody = z.strictObject({ ...agentCustomerRequired, ...agentCustomerFields });
export const agentCustomerChanges = z.strictObject({
  ...z.object(agentCustomerRequired).partial().shape,
  ...agentCustomerFields,
});

const itemFields = {
  uom: z.enum(UNITS).optional(),
  tax: z.enum(VAT_CODES).optional(),
  unit_price: money.optional(),
  category: freeText.optional(),
  active: bit.optional(),
};

export const itemBody = z.strictObject({ description: freeText.min(1), ...itemFields });
export const itemChanges = z.strictObject({ description: freeText.min(1).optional(), ...itemFields });

/** Either form of a line; which fields a form needs is write rule 4. */
export const invoiceLine = z.strictObject({
  guid: guid.optional(),
  item_number: freeText.optional(),
  description: freeText.optional(),
  qty: money.refine(
    (quantity) => quantity.isInteger() && !quantity.isZero(),
    'must be a whole number other than 0',
  ),
  uom: z.enum(UNITS).optional(),
  unit_price: money.optional(),
  tax: z.enum(VAT_CODES).optional(),
  discount: money.optional(),
  discount_type: bit.optional(),
  add_new: bitAsNumber.optional(),
});

const LINES_MAX = 1_000;

const invoiceCommon = {
  amount: money,
  currency: z.enum(CURRENCIES),
  description: freeText.optional(),
  booking: freeText.optional(),
  cost_provide: freeText.optional(),
  terms: freeText.optional(),
  delivery_date: isoDate.optional(),
  is_claim: bit.optional(),
  is_discount: bit.optional(),
  discount_type: bit.optional(),
  discount_value: money.optional(),
  mark_paid: bit.optional(),
  items: z.array(invoiceLine).min(1, 'needs at least one line').max(LINES_MAX).readonly(),
};

const invoiceDated = {
  ...invoiceCommon,
  issue_date: isoDate.optional(),
  due_date: isoDate.optional(),
  settlement_date: isoDate.optional(),
  customer: z
    .strictObject({ guid: guid.optional(), name: freeText.optional(), ...customerFields })
    .optional(),
  trading_partner_id: freeText.optional(),
  payment_fee: money.optional(),
  method_payment: whole.refine((way) => way >= 1 && way <= 9, 'must be 1 to 9').optional(),
  is_payment_link: bit.optional(),
  files: freeText.optional(),
  save: bit.optional(),
};

export const invoiceBody = z.strictObject({
  ...invoiceDated,
  type: z.enum(INVOICE_TYPES),
  ref_invoice_guid: guid.optional(),
});

export const recurringBody = z.strictObject({
  ...invoiceDated,
  recurring_name: freeText.min(1),
  recurring_max_invoice: whole.optional(),
  recurring_interval: z.enum(RECURRING_INTERVALS),
  recurring_start_date: isoDate,
  recurring_link_national: bitAsNumber.optional(),
});

/** Order and draft invoices: settlement_date is a number of days here, and the customer is a kennitala. */
export const orderBody = z.strictObject({ ...invoiceCommon, settlement_date: whole, kennitala });

export const statusUpdate = z.strictObject({
  accounting_status: z.enum(WRITABLE_STATUSES),
  accounting_message: z.string().max(ACCOUNTING_MESSAGE_MAX).optional(),
});

const taskItem = z.strictObject({
  guid: z.string().optional(),
  description: freeText.optional(),
  uom: z.enum(UNITS).optional(),
  tax: z.enum(VAT_CODES).optional(),
  unit_price: money.optional(),
  category: freeText.optional(),
});

export const taskBody = z.strictObject({ customer_guid: guid, name: freeText.min(1), item: taskItem });

export type InvoiceBody = z.output<typeof invoiceBody>;
export type RecurringBody = z.output<typeof recurringBody>;
export type OrderBody = z.output<typeof orderBody>;
export type InvoiceLine = z.output<typeof invoiceLine>;
