/** What the service keeps. Every resource has a guid; some are also known by a whole number (agent answers). */
export interface Kept {
  readonly guid: string;
  readonly id: number;
  updated: Date;
}

export interface Customer extends Kept {
  name: string;
  registrationNo: string;
  outputSelect: number;
  address: string | null;
  zip: string | null;
  city: string | null;
  email: string | null;
  term: string | null;
  phone: string | null;
  vat: string | null;
  tradingPartner: string | null;
  language: string;
  currency: string;
  dueDays: number;
  settlementDays: number;
  taxExempt: boolean;
  active: boolean;
}

export interface Item extends Kept {
  readonly number: string;
  description: string;
  uom: string;
  tax: string;
  unitPrice: number;
  category: string | null;
  active: boolean;
}

export interface Line {
  readonly guid: string;
  readonly itemNumber: string;
  readonly description: string;
  readonly qty: number;
  readonly uom: string;
  readonly tax: string;
  readonly unitPrice: number;
  readonly discount: number | null;
  readonly percent: boolean;
}

export interface Terms {
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly booking: string | null;
  readonly costProvide: string | null;
  readonly terms: string | null;
  readonly deliveryDate: string | null;
  readonly lines: readonly Line[];
}

export interface InvoiceBody extends Terms {
  readonly issueDate: string;
  readonly dueDate: string;
  readonly settlementDate: string;
  readonly customer: Customer;
  readonly type: 'invoice' | 'credit';
  readonly refers: string | null;
  readonly paid: boolean;
  readonly claim: boolean;
  readonly paymentLink: string | null;
  readonly files: readonly string[];
}

export interface Invoice extends Kept, InvoiceBody {
  readonly number: string;
  readonly created: Date;
  status: 'Draft' | 'Sent' | 'Cancelled' | 'Paid' | 'Collection';
  credited: boolean;
  accountingStatus: string;
  accountingMessage: string | null;
  readonly fromOrder: string | null;
  readonly fromTemplate: string | null;
}

export interface Quote extends Kept, InvoiceBody {}

export interface Template extends Kept, InvoiceBody {
  readonly name: string;
  readonly interval: string;
  readonly start: string;
  readonly most: number | null;
}

/** An order invoice or a draft invoice; they have one body. */
export interface Order extends Kept {
  body: Terms & { readonly kennitala: string; readonly settlementDays: number | null };
}

export interface StoredFile extends Kept {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Cost extends Kept {
  description: string | null;
  supplierId: string | null;
  amount: number | null;
  currency: string;
  vat11: number | null;
  vat24: number | null;
  code: string | null;
  howPaid: number | null;
  credit: boolean;
  file: { readonly name: string; readonly extension: string; readonly bytes: Buffer } | null;
  issueDate: string | null;
  readonly created: Date;
  /** Until then it is being processed: never deletable, and not shown at all when it is queued for extraction. */
  readonly processedAt: number;
  readonly queued: boolean;
  xml: string | null;
  accountingStatus: string;
  accountingMessage: string | null;
}

export interface TaskLog extends Kept {
  readonly manual: boolean;
  readonly created: Date;
  quantity: number;
  description: string | null;
  advanced: boolean;
  from: string;
  to: string;
}

export interface Task extends Kept {
  readonly number: string;
  readonly name: string;
  readonly item: Item;
  readonly customer: Customer;
  readonly begun: Date;
  status: 'open' | 'closed' | 'invoiced';
  running: Date | null;
  readonly logs: TaskLog[];
}
