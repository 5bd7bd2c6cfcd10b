// The parts of Business Central's entities that an origin reads. What is empty is an empty text, and a blank date the first day of year one.
import * as z from 'zod';
import { BLANK_DATE } from '../../../erp/business-central/assumptions.js';
import { wireAmount, wireInteger } from '../../../http/wire-json.js';

const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? '');
const date = text.transform((value) => (value === BLANK_DATE ? '' : value));

/** Times are in UTC, with as many decimals as they need; here all have three, so that text sorts as time. */
const stamp = z.iso.datetime().transform((written) => new Date(written).toISOString().slice(0, -1));

export const bcStamped = z.object({ number: z.string(), lastModifiedDateTime: stamp });

export const bcFound = z.object({ id: z.string(), number: z.string() });

export const bcCustomer = z.object({
  ...{ number: z.string(), displayName: text, taxRegistrationNumber: text, email: text, phoneNumber: text },
  ...{ addressLine1: text, postalCode: text, city: text },
});
export type BcCustomer = z.infer<typeof bcCustomer>;

export const bcItem = z.object({
  ...{ number: z.string(), displayName: text, unitPrice: wireAmount, taxGroupCode: text },
  ...{ priceIncludesTax: z.boolean(), blocked: z.boolean(), baseUnitOfMeasureCode: text },
});
export type BcItem = z.infer<typeof bcItem>;

const saleLine = z.object({
  ...{ lineObjectNumber: text, description: text, unitOfMeasureCode: text, quantity: wireAmount },
  ...{ unitPrice: wireAmount, discountPercent: wireAmount, taxPercent: wireAmount, netAmount: wireAmount },
});
export type BcSaleLine = z.infer<typeof saleLine>;

const sale = z.object({
  ...{ number: z.string(), date, dueDate: date, requestedDeliveryDate: date, customerNumber: z.string() },
  ...{ currencyCode: text, externalDocumentNumber: text, invoiceNumber: text },
  ...{ totalAmountIncludingTax: wireAmount, lines: z.array(saleLine) },
});
export type BcSale = z.infer<typeof sale>;

export const bcNote = z.object({ id: z.string(), fileName: text });

/** Where no time is told, the size alone tells versions apart. */
export const bcFile = z
  .object({ id: z.string(), fileName: text, byteSize: wireInteger, lastModifiedDateTime: text })
  .transform(({ lastModifiedDateTime: at, ...file }) => ({
    ...file,
    version: `${at} ${String(file.byteSize)}`.trim(),
  }));

export interface SaleSetFacts {
  readonly lines: string;
  readonly date: string;
  /** Those that are handed over: of invoices and credit memos the posted ones, of orders the released, of quotes those that a customer has. */
  readonly statuses: readonly string[];
  /** What a reference begins with. */
  readonly word: string;
  /** Recalled, not tried: the list for people, and the table behind it. They only make a link. */
  readonly page: number;
  readonly table: string;
}

const POSTED = ['Open', 'Paid', 'Canceled', 'Corrective'];

export const SALE_SETS = {
  salesInvoices: {
    ...{ lines: 'salesInvoiceLines', date: 'invoiceDate', statuses: POSTED, word: 'invoice' },
    ...{ page: 143, table: 'Sales Invoice Header' },
  },
  salesCreditMemos: {
    ...{ lines: 'salesCreditMemoLines', date: 'creditMemoDate', statuses: POSTED, word: 'credit memo' },
    ...{ page: 144, table: 'Sales Cr.Memo Header' },
  },
  salesOrders: {
    ...{ lines: 'salesOrderLines', date: 'orderDate', statuses: ['Open'], word: 'order' },
    ...{ page: 9305, table: 'Sales Header' },
  },
  salesQuotes: {
    ...{ lines: 'salesQuoteLines', date: 'documentDate', statuses: ['Sent', 'Accepted'], word: 'quote' },
    ...{ page: 9300, table: 'Sales Header' },
  },
} as const satisfies Readonly<Record<string, SaleSetFacts>>;
export type SaleSet = keyof typeof SALE_SETS;

/** A document of this set, its fields under the names that all sets have here. */
export function bcSale(set: SaleSet): z.ZodType<BcSale> {
  const { lines, date: dated } = SALE_SETS[set];
  const named = (read: unknown) => {
    if (typeof read !== 'object' || read === null) return read;
    const fields = new Map<string, unknown>(Object.entries(read));
    return { ...read, date: fields.get(dated), lines: fields.get(lines) };
  };
  return z.preprocess(named, sale);
}
