// The parts of dkPlus's models that are read or written here, by their names in the swagger document.
import * as z from 'zod';
import { madeOf } from '../../domain/made-of.js';
import type { Decimal } from '../../domain/decimal.js';
import { wireAmount, wireInteger } from '../../http/wire-json.js';

export type DkDimensionField = 'Dim1' | 'Dim2' | 'Dim3';
export type DkLineType = 'GeneralLedger' | 'Customer' | 'Vendor';

export interface DkJournalLine {
  readonly Type: DkLineType;
  readonly Account: string;
  /** Debit is positive; in the line's currency. */
  readonly Amount: Decimal;
  readonly Currency: string;
  readonly Date: string;
  readonly DueDate?: string;
  readonly Dim1?: string;
  readonly Dim2?: string;
  readonly Dim3?: string;
  readonly Reference: string;
  readonly Text: string;
  readonly Voucher?: string;
}

export interface DkJournal {
  readonly Code: string;
  readonly Description: string;
  readonly Option: DkPosting;
  readonly Options: DkPosting;
  readonly Lines: readonly DkJournalLine[];
}

interface DkPosting {
  readonly Post: true;
  readonly GenerateVoucher: boolean;
}

const text = madeOf(z.string().nullish(), (value) => value ?? '');

export const dkTransaction = z.object({
  ID: wireInteger,
  Account: z.string(),
  Amount: wireAmount,
  JournalDate: z.string(),
  Reference: text,
  Text: text,
  Voucher: text,
  SubAccount: text,
  Dim1: text,
  Dim2: text,
  Dim3: text,
  Currency: text,
  Exchange: wireAmount.nullish(),
  /** As it was entered: in the currency of the line, and before VAT was taken out. */
  InputAmount: wireAmount.nullish(),
});
export type DkTransaction = z.infer<typeof dkTransaction>;

export const dkAccount = z.object({
  Number: z.string(),
  Name: text,
  TaxCode: text,
  Closed: z.boolean().nullish(),
});
export type DkAccount = z.infer<typeof dkAccount>;

export const dkCurrency = z.object({ Number: z.string(), Rate: wireAmount });

/** A supplier invoice, waiting or booked: the swagger document has one model for both. */
export const dkInvoice = z.object({
  ID: wireInteger,
  Vendor: text,
  InvoiceNumber: text,
  InvoiceDate: z.string(),
  Reference: text,
  Amount: wireAmount,
  CurrencyCode: text,
  Exchange: wireAmount.nullish(),
  Lines: madeOf(
    z.array(z.object({ Account: text, Amount: wireAmount, Dim1: text, Dim2: text, Dim3: text })).nullish(),
    (lines) => lines ?? [],
  ),
});
export type DkInvoice = z.infer<typeof dkInvoice>;

export const dkVendorTransaction = z.object({ Reference: text, Voucher: text });

export const dkDimension = z.object({ Number: z.string(), Closed: z.boolean().nullish() });

export const dkPartner = z.object({ Number: z.string(), Blocked: z.boolean().nullish() });
export type DkPartner = z.infer<typeof dkPartner>;

export const dkCompany = z.object({
  Information: z.object({ Company: z.object({ Name: text, SSNumber: text }) }),
});
