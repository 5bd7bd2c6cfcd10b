// The records of the simulated invoicing service: plain data under the wire's own field names, so that the API documents
// are the key to this file too. What a record holds beyond its documented fields stands under "kept inside" and never
// reaches the wire. Money is an integer of 1/100 of its currency (Hundredths); what may have more decimals is text
// (DecimalText). Both become exact JSON numbers in wire/.

/** Integer of 1/100 of the currency: 124000 is 1,240.00. */
export type Hundredths = number;
/** A plain decimal number as text, at most 15 significant digits: "137.45". No exponent. */
export type DecimalText = string;
/** Y-m-d */
export type DateText = string;
/** Y-m-d H:i:s in UTC, the form in which this sandbox writes every timestamp. */
export type TimestampText = string;

export const CURRENCIES = [
  ...['ISK', 'EUR', 'USD', 'DKK', 'NOK', 'SEK', 'JPY', 'GBP', 'AUD', 'PLN', 'CAD', 'CHF', 'CNY'],
  ...['NZD', 'MXN', 'SGD', 'HKD', 'KRW', 'TRY', 'RUB', 'INR', 'VND', 'BRL', 'ZAR', 'UAH', 'CZK'],
] as const;
export const TAX_CODES = ['S', 'AA', 'Z'] as const;
export const TAX_PERCENT = { S: 24, AA: 11, Z: 0 } as const satisfies Record<TaxCode, number>;
export const UNITS_OF_MEASURE = [
  ...['C62', 'HUR', 'DAY', 'MIN', 'KGS', 'MTR', 'LTR', 'MTK', 'MTQ', 'TNE', 'KWH', 'KTM'],
] as const;
export const INVOICE_STATUSES = ['Draft', 'Sent', 'Cancelled', 'Paid', 'Collection'] as const;
export const INVOICE_ACCOUNTING_STATUSES = ['Created', 'Posted', 'Skipped', 'Error'] as const;
export const COST_ACCOUNTING_STATUSES = ['New', 'Created', 'Posted', 'Skipped', 'Error'] as const;
export const WRITABLE_ACCOUNTING_STATUSES = ['Posted', 'Skipped', 'Error'] as const;
export const COST_CODES = [
  ...['3028', '2173', '3033', '3085', '3090', '2093', '2243', '2193', '2423', '2443', '2353', '2383', '2403'],
  ...['2263', '3163', '2333', '3140', '2283', '2533', '2633', '3653', '5028', '2153', '3080', '9535'],
] as const;
export const PRODUCT_SALE_TYPES = ['STAND', 'SUB', 'DONA', 'EVENT'] as const;
export const RECURRING_INTERVALS = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;
export const SCOPES = [
  ...['dashboard_data', 'manage_customers', 'nav', 'create_invoice', 'recurring'],
  ...['cost', 'task', 'sell_product', 'bookkeeper'],
] as const;

export type TaxCode = (typeof TAX_CODES)[number];
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];
export type InvoiceAccountingStatus = (typeof INVOICE_ACCOUNTING_STATUSES)[number];
export type CostAccountingStatus = (typeof COST_ACCOUNTING_STATUSES)[number];
export type ProductSaleType = (typeof PRODUCT_SALE_TYPES)[number];
export type RecurringInterval = (typeof RECURRING_INTERVALS)[number];

export interface Customer {
  readonly guid: string;
  name: string;
  /** 2 e-invoice, 3 e-mail, 4 print only. */
  output_select: '2' | '3' | '4';
  address: string;
  zip: string;
  city: string;
  registration_no: string;
  email: string;
  term: string;
  /** base64; empty when there is none. */
  photo: string;
  /** Days from the invoice date. */
  due_date: number;
  settlement_date: number;
  trading_partner_id: string;
  phone_number: string;
  vat: string;
  lang: 'is' | 'en';
  currency: string;
  tax_exempt: boolean;
  updated_timestamp: TimestampText;
  is_claim: boolean;
  is_discount: boolean;
  // Kept inside.
  /** Deactivated profiles are still found by the agent surface's search. */
  active: boolean;
  /** "grouping value from customer profile, not unique", shown by the dashboard data only. */
  customer_number: string;
}

export interface Item {
  readonly guid: string;
  item_number: string;
  description: string;
  uom: string;
  tax: TaxCode;
  unit_price: DecimalText;
  category: string;
  active: boolean;
  updated_timestamp: TimestampText;
  // Kept inside: what one unit costs the seller, for the dashboard's profit and margin.
  product_cost: DecimalText;
}

export interface InvoiceLine {
  /** GUID of the catalogue item. */
  readonly guid: string;
  readonly item_number: string;
  readonly description: string;
  /** Positive on credit notes too; the sign on the wire is an option. */
  readonly qty: number;
  readonly uom: string;
  readonly tax: TaxCode;
  /** Excluding VAT. */
  readonly unit_price: DecimalText;
  /** A percentage, or an amount off the whole line. */
  readonly discount: DecimalText;
  /** true: percent; false: price. */
  readonly discount_type: boolean;
}

/** The customer as printed on the invoice: a snapshot, shared between invoices where it is the same. */
export interface InvoiceCustomer {
  readonly guid: string;
  readonly name: string;
  readonly address: string;
  readonly zip: string;
  readonly city: string;
  readonly registration_no: string;
  readonly email: string;
}

/** All amounts are magnitudes: positive on credit notes too, where the sign on the wire is an option. */
export interface Invoice {
  readonly guid: string;
  number: string;
  /** Including VAT. */
  amount: Hundredths;
  currency: string;
  status: InvoiceStatus;
  created_date: DateText;
  issue_date: DateText;
  due_date: DateText;
  settlement_date: DateText;
  delivery_date: DateText | null;
  description: string;
  booking: string;
  cost_provide: string;
  terms: string;
  readonly type: 'invoice' | 'credit';
  /** The original invoice; credit notes only. */
  readonly refer_guid: string | null;
  /** null: not handed to bookkeeping (a draft). */
  accounting_status: InvoiceAccountingStatus | null;
  accounting_message: string;
  updated_timestamp: TimestampText;
  xml_status: string;
  claim_id: string;
  claim_status: '' | 'sent' | 'paid' | 'cancel';
  capital_gains_tax: Hundredths;
  other_default_costs_amount: Hundredths;
  default_charge_amount: Hundredths;
  default_interest_amount: Hundredths;
  bank_transaction_amount: Hundredths;
  /** ISK for one unit of the currency; "1" for ISK. */
  exchange_rate: DecimalText;
  items: readonly InvoiceLine[];
  customer: InvoiceCustomer;
  // Kept inside.
  /** The integer the agent surface shows as invoice_id. */
  readonly id: number;
  readonly created_at: TimestampText;
  method_payment: number | null;
  /** Credit notes that refer to this invoice. */
  credited_by: readonly string[];
  payment_link: string | null;
  /** Ids of uploaded files. */
  files: readonly string[];
  origin: InvoiceOrigin | null;
}

export interface InvoiceOrigin {
  readonly kind: 'order' | 'draft' | 'recurring' | 'task';
  readonly guid: string;
}

export interface Cost {
  readonly guid: string;
  description: string;
  /** Supplier kennitala. */
  supplier_id: string;
  /** Including VAT, in `currency`; positive, credit notes included. */
  amount: Hundredths;
  currency: string;
  /** VAT at 11 % and at 24 %, always in ISK. */
  vat_AA: Hundredths;
  vat_S: Hundredths;
  cost_code: string;
  /** 1 company account, 2 debit card or bank, 3 credit card, 4 owner. */
  how_paid: 1 | 2 | 3 | 4;
  /** null when there is none. */
  attachment: Attachment | null;
  issue_date: DateText;
  created_date: DateText;
  accounting_status: CostAccountingStatus;
  updated_timestamp: TimestampText;
  project_name: string;
  // Kept inside.
  /** The integer the agent surface shows as cost_id. */
  readonly id: number;
  readonly created_at: TimestampText;
  supplier_name: string;
  /** Number on the supplier's own invoice; the UBL document's ID. */
  supplier_invoice_number: string;
  credit_note: boolean;
  /** The supplier's number of the bill that its credit note is for; empty when it names none. */
  credits: string;
  /** ISK for one unit of the currency; "1" for ISK. */
  exchange_rate: DecimalText;
  accounting_message: string;
  /** null: no XML yet. Otherwise when it was written: approval writes it anew. */
  xml_written_at: TimestampText | null;
  /** null: visible. Otherwise it stays hidden (show_api false) until the clock passes this. */
  processing_until: TimestampText | null;
}

export interface Attachment {
  readonly file_name: string;
  /** pdf, jpg, png, … */
  readonly file_extension: string;
  /** null: a receipt is drawn from the cost when somebody asks for it, so that 100,000 costs stay small. */
  readonly content: Buffer | null;
}

export interface Task {
  readonly guid: string;
  readonly number: string;
  name: string;
  status: 'open' | 'closed' | 'invoiced';
  item: TaskItem;
  /** null: the task has none. */
  customer: InvoiceCustomer | null;
  /** When the timer was started, or null when it does not run. */
  running_since: TimestampText | null;
  readonly created_at: TimestampText;
  invoices: readonly string[];
  logs: readonly TaskLog[];
  project_name: string;
}

export interface TaskItem {
  readonly guid: string;
  readonly description: string;
  readonly uom: string;
  readonly tax: TaxCode;
  readonly unit_price: DecimalText;
  readonly category: string;
}

export interface TaskLog {
  readonly guid: string;
  readonly manual: boolean;
  readonly creation_date: TimestampText;
  /** Hours in hundredths. */
  readonly quantity: Hundredths;
  readonly description: string;
  readonly advanced: boolean;
  readonly count_of_workers: number;
  readonly hours_worked_per_day: number;
  readonly from_date: DateText;
  readonly to_date: DateText;
  /** Path of an attached image; empty when there is none. */
  readonly image: string;
}

export interface ProductSale {
  readonly guid: string;
  /** 1 open, 0 closed. */
  status: 0 | 1;
  readonly type: ProductSaleType;
  url: string;
  terms: string;
  name: string;
  description: string;
  /** Including tax. */
  amount: Hundredths;
  inventory_control: boolean;
  inventory_count: number;
  /** Event sales only. */
  attendees: readonly Attendee[];
}

export interface Attendee {
  /** Name and e-mail as one string. */
  readonly attendee: string;
  readonly phone_number: string;
  readonly qty: number;
  readonly invoice_number: string;
  readonly kennitala: string;
  readonly invoice_status: string;
  readonly name: string;
  readonly zip: string;
  readonly city: string;
  readonly address: string;
  readonly message: string;
  readonly attended: 'true' | 'false';
  readonly fields: readonly { readonly label: string; readonly value: string }[];
}

/** An order invoice or a draft invoice: the same body, two lists. */
export interface PreparedInvoice {
  readonly guid: string;
  readonly kind: 'order' | 'draft';
  amount: Hundredths;
  currency: string;
  /** Days until settlement. */
  settlement_date: number;
  description: string;
  booking: string;
  cost_provide: string;
  terms: string;
  delivery_date: DateText | null;
  is_claim: boolean;
  is_discount: boolean;
  discount_type: boolean;
  discount_value: DecimalText;
  mark_paid: boolean;
  kennitala: string;
  items: readonly InvoiceLine[];
}

export interface RecurringInvoice {
  readonly guid: string;
  recurring_name: string;
  /** null: without end. */
  recurring_max_invoice: number | null;
  recurring_interval: RecurringInterval;
  recurring_start_date: DateText;
  recurring_link_national: 0 | 1;
  amount: Hundredths;
  currency: string;
  description: string;
  booking: string;
  cost_provide: string;
  terms: string;
  /** Days from the issue date, taken from the template's own dates. */
  due_days: number;
  settlement_days: number;
  items: readonly InvoiceLine[];
  customer: InvoiceCustomer;
  // Kept inside: how many invoices it has made.
  issued: number;
}

/** Who owns the account, and what its plan includes. */
export interface AccountProfile {
  readonly username: string;
  readonly api_key: string;
  /** For the sign-in form of the consent page. */
  readonly password: string;
  readonly name: string;
  readonly registration_no: string;
  readonly vat_no: string;
  readonly address: string;
  readonly zip: string;
  readonly city: string;
  readonly email: string;
  /** Only these are offered on the consent page. */
  readonly scopes: readonly string[];
  /** Subscriptions that some fields and flags need. */
  readonly claim_subscription: boolean;
  readonly discount_subscription: boolean;
  readonly payment_link_subscription: boolean;
  /** Costs uploaded as a file are read by AI first. */
  readonly cost_ai: boolean;
  /** "web-service access"; without it clients cannot be registered. */
  readonly web_service: boolean;
}

/** Everything one account holds. Arrays in any order: the service builds its own indexes. */
export interface AccountData {
  readonly profile: AccountProfile;
  readonly customers: readonly Customer[];
  readonly items: readonly Item[];
  readonly invoices: readonly Invoice[];
  readonly costs: readonly Cost[];
  readonly tasks: readonly Task[];
  readonly product_sales: readonly ProductSale[];
  readonly orders: readonly PreparedInvoice[];
  readonly recurring: readonly RecurringInvoice[];
}
