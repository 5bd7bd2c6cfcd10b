// What the service shows us, one schema a resource (Document 1, "Resources and their fields"). Unknown fields pass through
// and are noticed once; a record that does not fit is a problem of that record alone.
import * as z from 'zod';
import { ACCOUNTING_STATUSES } from '../domain/posting.js';
import { madeOf } from '../domain/made-of.js';
import type { SourceDocument, SourceKind } from '../domain/source-document.js';
import { decodeDocument } from './decode-document.js';
import type { JsonObject } from './wire-json.js';
import { anything, asText, decimal, firstIssue, flag, integer, requiredText, text } from './wire-types.js';
import { CURRENCIES, INVOICE_STATUSES, INVOICE_TYPES, UNITS, VAT_CODES } from './wire-values.js';

export type RecordRead<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** A resource of the wire: how it is read, the fields the documents name, and the values they list. */
export interface WireShape<T> {
  readonly name: string;
  readonly read: (record: JsonObject) => RecordRead<T>;
  readonly fields: ReadonlySet<string>;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

type Values = Readonly<Record<string, readonly string[]>>;

function shape<S extends z.ZodRawShape>(
  name: string,
  fields: S,
  values: Values = {},
): WireShape<z.output<z.ZodObject<S>>> {
  const schema = z.object(fields);
  const read = (record: JsonObject): RecordRead<z.output<z.ZodObject<S>>> => {
    const result = schema.safeParse(record);
    return result.success
      ? { ok: true, value: result.data }
      : { ok: false, problem: firstIssue(result.error) };
  };
  return { name, read, fields: new Set(Object.keys(fields)), values };
}

export interface DocumentRecord<T> {
  readonly document: T;
  readonly raw: JsonObject;
}

/** Invoices and costs are decoded by the decoder that the pipeline uses, so that there is one reading of them. */
function documentShape<K extends SourceKind>(
  kind: K,
  fields: readonly string[],
  values: Values,
): WireShape<DocumentRecord<Extract<SourceDocument, { kind: K }>>> {
  const read = (raw: JsonObject): RecordRead<DocumentRecord<Extract<SourceDocument, { kind: K }>>> => {
    const decoded = decodeDocument(kind, raw);
    if (decoded.outcome !== 'decoded') return { ok: false, problem: decoded.problem };
    const document = decoded.document as Extract<SourceDocument, { kind: K }>;
    return { ok: true, value: { document, raw } };
  };
  return { name: kind, read, fields: new Set(fields), values };
}

export const customer = shape(
  'customer',
  {
    guid: requiredText,
    name: text,
    output_select: text,
    address: text,
    zip: text,
    city: text,
    registration_no: text,
    email: text,
    term: text,
    photo: text,
    due_date: text,
    settlement_date: text,
    trading_partner_id: text,
    phone_number: text,
    vat: text,
    lang: text,
    currency: text,
    tax_exempt: flag,
    updated_timestamp: text,
    is_claim: flag,
    is_discount: flag,
  },
  { output_select: ['2', '3', '4'], lang: ['is', 'en'], currency: CURRENCIES },
);

export const item = shape(
  'item',
  {
    guid: requiredText,
    item_number: text,
    description: text,
    uom: text,
    tax: text,
    unit_price: decimal,
    category: text,
    active: flag,
    updated_timestamp: text,
  },
  { uom: UNITS, tax: VAT_CODES },
);

export const INVOICE_FIELDS = (
  'guid number amount currency status created_date issue_date due_date settlement_date delivery_date description booking ' +
  'cost_provide terms type refer_guid accounting_status accounting_message updated_timestamp xml_status claim_id ' +
  'claim_status capital_gains_tax other_default_costs_amount default_charge_amount default_interest_amount ' +
  'bank_transaction_amount total_24vat total_11vat total_0vat exchange_rate items customer'
).split(' ');

export const COST_FIELDS = (
  'guid description supplier_id amount currency vat_AA vat_S cost_code how_paid file file_name file_extension issue_date ' +
  'created_date xml accounting_status updated_timestamp project_name'
).split(' ');

export const invoice = documentShape('invoice', INVOICE_FIELDS, {
  status: INVOICE_STATUSES,
  type: INVOICE_TYPES,
  currency: CURRENCIES,
  accounting_status: ACCOUNTING_STATUSES,
});

export const cost = documentShape('cost', COST_FIELDS, {
  currency: CURRENCIES,
  accounting_status: ACCOUNTING_STATUSES,
  how_paid: ['1', '2', '3', '4'],
});

export const invoicePdf = shape('invoice-pdf', { guid: text, file_name: text, file: requiredText });

const DASHBOARD_TEXTS = {
  invoice_creator_username: text,
  invoice_issue_date: text,
  invoice_number: text,
  invoice_status: text,
  customer_number: text,
  customer_name: text,
  customer_guid: text,
  invoice_description: text,
  document_type: text,
  invoice_booking_information: text,
  invoice_order_reference: text,
  invoice_cost_location: text,
};

const dashboardItem = z.object({
  number: text,
  name: text,
  description: text,
  qty: decimal,
  uom: text,
  vat_code: text,
  category_code: text,
  guid: text,
  product_cost: text,
  total_excluding_vat: decimal,
  total_vat: decimal,
  total_including_vat: decimal,
  total_discount: decimal,
  profit: decimal,
  margin: decimal,
});

export const dashboardInvoice = shape(
  'dashboard-invoice',
  {
    ...DASHBOARD_TEXTS,
    // Stated to be strings; they are amounts all the same.
    invoice_total_excluding_vat: decimal,
    invoice_vat_total: decimal,
    invoice_total_discount: decimal,
    invoice_total_including_vat: decimal,
    items: z.array(dashboardItem).nullish(),
  },
  { invoice_status: ['Paid', 'Not Paid'], document_type: ['Invoice', 'Credit Note'] },
);

export const task = shape(
  'task',
  {
    guid: requiredText,
    number: text,
    name: text,
    status: text,
    item: anything,
    customer: anything,
    start_time: text,
    total_time: decimal,
    invoices: anything,
    logs: anything,
    canStart: flag,
    canStop: flag,
    canDeactive: flag,
    project_name: text,
  },
  { status: ['open', 'closed', 'invoiced'] },
);

export const productSale = shape('product-sale', {
  guid: requiredText,
  status: text,
  is_open: flag,
  type: text,
  url: text,
  terms: text,
  name: text,
  description: text,
  amount: decimal,
  inventory_control: flag,
  inventory_count: text,
});

export const attendee = shape('attendee', {
  attendee: text,
  phone_number: text,
  qty: integer,
  invoice_number: text,
  kennitala: text,
  invoice_status: text,
  name: text,
  zip: text,
  city: text,
  address: text,
  message: text,
  attended: flag,
  fields: anything,
});

export const account = shape('account', {
  name: text,
  registration_no: requiredText,
  vat_no: text,
});

/** Document 2 calls the same thing company_name and adds the user name. */
export const accountStatus = shape('account-status', {
  company_name: text,
  registration_no: requiredText,
  username: text,
});

export const invoiceSummaries = shape('invoice-summaries', {
  status: flag,
  period: z.object({ from: requiredText, to: requiredText }),
  summaries: z.array(
    z.object({
      status: requiredText,
      count: integer,
      amounts: z.array(z.object({ currency: requiredText, total: decimal })),
    }),
  ),
});

export const agentClient = shape('agent-client', {
  status: flag,
  existing: flag,
  client_id: requiredText,
  // null unless the client is new or its secret was rotated; never to be stored over a secret that is known.
  client_secret: madeOf(anything, (value) => (asText(value) === '' ? null : asText(value))),
  name: text,
  redirect_uri: text,
  rotated: flag,
});

export const tokens = shape('tokens', {
  access_token: requiredText,
  token_type: text,
  expires_in: integer.refine((seconds) => seconds > 0, 'is not a lifetime'),
  refresh_token: requiredText,
  scope: text,
});

export const agentGrant = shape('agent-grant', {
  agent_id: requiredText,
  name: text,
  scopes: z.array(z.string()).nullish(),
  granted_at: text,
});

export const auditRecord = shape('audit-record', {
  agent_id: text,
  action: text,
  ip_address: text,
  timestamp: text,
});

export const revoked = shape('revoked', { message: text, agent_id: requiredText });
