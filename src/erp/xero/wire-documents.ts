// The parts of Xero's invoices, credit notes, contacts and payments that are read or written here.
import * as z from 'zod';
import { madeOf } from '../../domain/made-of.js';
import type { Decimal } from '../../domain/decimal.js';
import { wireAmount } from '../../http/wire-json.js';
import { tracking, xeroDay, xeroText } from './wire.js';

export const DOCUMENT_TYPES = ['ACCREC', 'ACCPAY', 'ACCRECCREDIT', 'ACCPAYCREDIT'] as const;
export type XeroDocumentType = (typeof DOCUMENT_TYPES)[number];

export interface XeroItem {
  readonly Description: string;
  readonly Quantity: 1;
  readonly UnitAmount: Decimal;
  readonly AccountCode: string;
  readonly TaxType?: string;
  readonly Tracking?: readonly { readonly Name: string; readonly Option: string }[];
}

export interface XeroDocument {
  readonly Type: XeroDocumentType;
  readonly Contact: { readonly ContactID: string };
  readonly Date: string;
  readonly DueDate?: string;
  readonly Status: 'AUTHORISED';
  readonly LineAmountTypes: 'NoTax' | 'Inclusive';
  readonly InvoiceNumber?: string;
  readonly CreditNoteNumber?: string;
  readonly Reference?: string;
  readonly CurrencyCode: string;
  readonly CurrencyRate?: Decimal;
  readonly LineItems: readonly (XeroItem | XeroWords)[];
}

/** An item without an amount. */
export type XeroWords = Pick<XeroItem, 'Description'>;

const item = z.object({
  LineAmount: wireAmount.nullish(),
  TaxAmount: wireAmount.nullish(),
  AccountCode: xeroText,
  Tracking: tracking,
});
export type XeroItemRead = z.infer<typeof item>;

const shared = {
  Type: z.enum(DOCUMENT_TYPES),
  Contact: z.object({ ContactID: z.string() }),
  Date: xeroDay,
  Status: z.string(),
  LineAmountTypes: xeroText,
  Reference: xeroText,
  CurrencyCode: xeroText,
  CurrencyRate: wireAmount.optional(),
  LineItems: z.array(item).default([]),
  Total: wireAmount,
};

const settlement = z.object({ PaymentID: z.string(), Reference: xeroText, Amount: wireAmount });

const invoice = madeOf(
  z.object({
    ...shared,
    InvoiceID: z.string(),
    InvoiceNumber: xeroText,
    AmountDue: wireAmount,
    Payments: z.array(settlement).default([]),
  }),
  ({ InvoiceID: id, InvoiceNumber: number, AmountDue: open, ...rest }) => ({
    ...{ ...rest, id, number, open },
  }),
);

const creditNote = madeOf(
  z.object({
    ...shared,
    CreditNoteID: z.string(),
    CreditNoteNumber: xeroText,
    RemainingCredit: wireAmount,
    Payments: z.array(settlement).default([]),
  }),
  ({ CreditNoteID: id, CreditNoteNumber: number, RemainingCredit: open, ...rest }) => ({
    ...{ ...rest, id, number, open },
  }),
);

/** An invoice or a credit note; `open` is what is left to be paid, or of the credit. */
export type XeroDocumentRead = z.infer<typeof invoice>;

/** What Xero calls the two in paths and bodies. */
export const DOCUMENT_LISTS = ['Invoices', 'CreditNotes'] as const;
export type XeroDocumentList = (typeof DOCUMENT_LISTS)[number];

export const xeroDocuments: Readonly<Record<XeroDocumentList, z.ZodType<XeroDocumentRead[]>>> = {
  Invoices: madeOf(z.object({ Invoices: z.array(invoice) }), ({ Invoices }) => Invoices),
  CreditNotes: madeOf(z.object({ CreditNotes: z.array(creditNote) }), ({ CreditNotes }) => CreditNotes),
};

const contact = z.object({
  ContactID: z.string(),
  Name: xeroText,
  ContactNumber: xeroText,
  TaxNumber: xeroText,
  CompanyNumber: xeroText,
});
export type XeroContact = z.infer<typeof contact>;
export const xeroContacts = z.object({ Contacts: z.array(contact) });

export const xeroCurrencies = z.object({ Currencies: z.array(z.object({ Code: z.string() })) });
