// The parts of Xero's accounting API that are read or written here: journals, invoices, credit notes, contacts and payments.
import * as z from 'zod';
import { madeOf } from '../../domain/made-of.js';
import type { Decimal } from '../../domain/money.js';
import { wireAmount } from '../../http/wire-json.js';

export interface XeroJournalLine {
  /** Debit is positive. */
  readonly LineAmount: Decimal;
  readonly AccountCode: string;
  readonly Description: string;
  readonly TaxType?: string;
  readonly Tracking?: readonly { readonly Name: string; readonly Option: string }[];
}

export interface XeroJournal {
  readonly Narration: string;
  readonly Date: string;
  readonly Status: 'POSTED';
  readonly LineAmountTypes: 'NoTax' | 'Inclusive';
  readonly JournalLines: readonly XeroJournalLine[];
}

export const xeroText = madeOf(z.string().nullish(), (value) => value ?? '');

/** `/Date(1546214400000+0000)/`: milliseconds since 1970, as a day. */
export const xeroDay = madeOf(z.string().regex(/^\/Date\(-?\d+([+-]\d{4})?\)\/$/), (value) =>
  new Date(Number(/-?\d+/.exec(value)?.[0])).toISOString().slice(0, 10),
);

export const tracking = z.array(z.object({ Name: z.string(), Option: z.string() })).nullish();

const journalLine = z.object({
  LineAmount: wireAmount,
  TaxAmount: wireAmount.nullish(),
  AccountCode: xeroText,
  Description: xeroText,
  Tracking: tracking,
});

export const xeroJournal = z.object({
  ManualJournalID: z.string(),
  Narration: xeroText,
  Date: xeroDay,
  Status: z.string(),
  LineAmountTypes: xeroText,
  JournalLines: z.array(journalLine).optional(),
});
export type XeroJournalRead = z.infer<typeof xeroJournal>;

export const xeroJournals = z.object({ ManualJournals: z.array(xeroJournal) });

const account = z.object({
  Code: xeroText,
  Name: xeroText,
  Type: xeroText,
  Status: xeroText,
  SystemAccount: xeroText,
  EnablePaymentsToAccount: z.boolean().default(false),
});
export type XeroAccount = z.infer<typeof account>;
export const xeroAccounts = z.object({ Accounts: z.array(account) });

const organisation = z.object({
  Name: z.string(),
  BaseCurrency: z.string(),
  RegistrationNumber: xeroText,
  TaxNumber: xeroText,
  PeriodLockDate: xeroDay.optional(),
  EndOfYearLockDate: xeroDay.optional(),
});
export type XeroOrganisation = z.infer<typeof organisation>;
export const xeroOrganisations = z.object({ Organisations: z.array(organisation).min(1) });

export const xeroTracking = z.object({
  TrackingCategories: z.array(
    z.object({ Name: z.string(), Options: z.array(z.object({ Name: z.string(), Status: xeroText })) }),
  ),
});

export const xeroTaxRates = z.object({
  TaxRates: z.array(z.object({ TaxType: xeroText, Status: xeroText })),
});

const attachment = z.object({ FileName: z.string(), ContentLength: z.coerce.number().optional() });
export const xeroAttachments = z.object({ Attachments: z.array(attachment).default([]) });

export const anything = z.unknown();

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
