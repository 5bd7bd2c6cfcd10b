// The parts of Business Central's entities that are read or written here.
import * as z from 'zod';
import type { Decimal } from '../../domain/money.js';
import { wireAmount, wireInteger } from '../../http/wire-json.js';
import { madeOf } from '../../domain/made-of.js';
import type { PartnerKind } from '../partner-directory.js';
import { plainName } from './settings.js';

export interface BcJournalLine {
  readonly lineNumber: number;
  readonly accountType?: 'Customer' | 'Vendor';
  readonly accountNumber: string;
  readonly postingDate: string;
  readonly documentNumber: string;
  readonly externalDocumentNumber: string;
  readonly amount: Decimal;
  readonly description: string;
  readonly taxCode?: string;
}

/** Header and lines in one request: a deep insert. */
export interface BcJournal {
  readonly code: string;
  readonly displayName: string;
  readonly journalLines: readonly BcJournalLine[];
}

export interface BcLineDimension {
  readonly lineNumber: number;
  readonly code: string;
  readonly valueCode: string;
}

export const list = <T>(item: z.ZodType<T>) => z.object({ value: z.array(item) });

const dimensionSetLine = z.object({ code: z.string(), valueCode: z.string() });
export const bcLineDimensions = z.array(dimensionSetLine);

export const bcEntry = z.object({
  id: z.string(),
  entryNumber: wireInteger,
  postingDate: z.string(),
  documentNumber: z.string(),
  documentType: z.string().optional(),
  accountNumber: z.string(),
  description: z.string(),
  debitAmount: wireAmount,
  creditAmount: wireAmount,
  dimensionSetLines: bcLineDimensions.optional(),
});
export type BcEntry = z.infer<typeof bcEntry>;

export const bcJournal = z.object({ id: z.string(), code: z.string(), displayName: z.string() });
export type BcJournalHeader = z.infer<typeof bcJournal>;

export const bcLine = z.object({
  id: z.string(),
  lineNumber: wireInteger,
  accountType: z.string(),
  accountNumber: z.string(),
  postingDate: z.string(),
  documentNumber: z.string(),
  amount: wireAmount,
  description: z.string(),
  taxCode: z.string().optional(),
  dimensionSetLines: bcLineDimensions.optional(),
});
export type BcLine = z.infer<typeof bcLine>;

export const bcAccount = z.object({
  number: z.string(),
  blocked: z.boolean(),
  accountType: z.string(),
  directPosting: z.boolean(),
  displayName: z.string().optional(),
});
export type BcAccount = z.infer<typeof bcAccount>;

export const bcCompany = z.object({ id: z.string(), name: z.string(), displayName: z.string().optional() });

/** In Iceland the kennitala is what people write as the registration number; where it is the VAT number, it is not compared. */
export const bcCompanyInformation = z.object({ taxRegistrationNumber: z.string().nullish() });

export const bcLedgerSetup = z.object({
  allowPostingFrom: z.string(),
  allowPostingTo: z.string(),
  localCurrencyCode: z.string(),
});
export type BcLedgerSetup = z.infer<typeof bcLedgerSetup>;

/** VAT product posting groups, where the company has VAT and no sales tax. */
export const bcTaxGroup = z.object({ code: z.string() });

export const bcDimension = z.object({
  code: z.string(),
  dimensionValues: z.array(z.object({ code: z.string() })),
});

export const bcPartner = z.object({
  number: z.string(),
  taxRegistrationNumber: z.string().optional(),
  currencyCode: z.string().optional(),
  blocked: z.string().optional(),
});
export type BcPartner = z.infer<typeof bcPartner>;

export const bcAttachment = z.object({
  id: z.string(),
  fileName: z.string(),
  byteSize: wireInteger.default(0),
});

export const bcBatchReply = z.object({
  responses: z.array(z.object({ status: wireInteger, body: z.unknown().optional() })),
});

export const anyBody = z.unknown();

// Sales and purchase documents of the API v2.0: four entity sets of the same build, whose fields have different names. Drafts and posted
// ones stand in the same set, and posting keeps the id.

export const DOCUMENT_SETS = [
  'salesInvoices',
  'salesCreditMemos',
  'purchaseInvoices',
  'purchaseCreditMemos',
] as const;
export type BcDocumentSet = (typeof DOCUMENT_SETS)[number];

export interface DocumentSetFacts {
  readonly lines: string;
  readonly partner: PartnerKind;
  readonly partnerNumber: 'customerNumber' | 'vendorNumber';
  readonly date: 'invoiceDate' | 'creditMemoDate';
  /** Where our key stands, behind the number that people know. */
  readonly mark: 'externalDocumentNumber' | 'vendorInvoiceNumber' | 'vendorCreditMemoNumber';
  readonly price: 'unitPrice' | 'unitCost';
  readonly isCredit: boolean;
  /** Of the ledger entries that posting makes. */
  readonly documentType: 'Invoice' | 'Credit Memo';
  /** Recalled, not tried: the list of posted ones for people, and the table behind it. They only make a link. */
  readonly page: number;
  readonly table: string;
}

const SALES = { partner: 'customer', partnerNumber: 'customerNumber', price: 'unitPrice' } as const;
const PURCHASES = { partner: 'supplier', partnerNumber: 'vendorNumber', price: 'unitCost' } as const;
const INVOICE = { date: 'invoiceDate', documentType: 'Invoice', isCredit: false } as const;
const CREDIT = { date: 'creditMemoDate', documentType: 'Credit Memo', isCredit: true } as const;

export const SET_FACTS: Readonly<Record<BcDocumentSet, DocumentSetFacts>> = {
  salesInvoices: {
    ...SALES,
    ...INVOICE,
    ...{ lines: 'salesInvoiceLines', mark: 'externalDocumentNumber' },
    ...{ page: 143, table: 'Sales Invoice Header' },
  },
  salesCreditMemos: {
    ...SALES,
    ...CREDIT,
    ...{ lines: 'salesCreditMemoLines', mark: 'externalDocumentNumber' },
    ...{ page: 144, table: 'Sales Cr.Memo Header' },
  },
  purchaseInvoices: {
    ...PURCHASES,
    ...INVOICE,
    ...{ lines: 'purchaseInvoiceLines', mark: 'vendorInvoiceNumber' },
    ...{ page: 146, table: 'Purch. Inv. Header' },
  },
  purchaseCreditMemos: {
    ...PURCHASES,
    ...CREDIT,
    ...{ lines: 'purchaseCreditMemoLines', mark: 'vendorCreditMemoNumber' },
    ...{ page: 147, table: 'Purch. Cr. Memo Hdr.' },
  },
};

/** What is stored before anything is sent. Which price a line goes with is known when Business Central has made the header. */
export const bcDocumentSent = z.object({
  set: z.enum(DOCUMENT_SETS),
  header: z.record(z.string(), z.union([z.string(), z.boolean()])),
  lines: z.array(
    z.object({
      sequence: wireInteger,
      lineType: z.enum(['Account', 'Comment']),
      lineObjectNumber: z.string().exactOptional(),
      description: z.string(),
      quantity: wireInteger.exactOptional(),
      withVat: wireAmount.exactOptional(),
      withoutVat: wireAmount.exactOptional(),
      taxCode: z.string().exactOptional(),
    }),
  ),
  dimensions: z.array(z.object({ lineNumber: wireInteger, code: z.string(), valueCode: z.string() })),
});
export type BcDocumentSent = z.infer<typeof bcDocumentSent>;
export type BcSentLine = BcDocumentSent['lines'][number];

export const bcDocumentLine = z.object({
  id: z.string(),
  sequence: wireInteger,
  lineType: z.string(),
  lineObjectNumber: z.string().default(''),
  description: z.string().default(''),
  taxCode: z.string().default(''),
  netAmount: wireAmount,
  netAmountIncludingTax: wireAmount,
  dimensionSetLines: bcLineDimensions.optional(),
});
export type BcDocumentLine = z.infer<typeof bcDocumentLine>;

export interface BcDocumentRead {
  readonly set: BcDocumentSet;
  readonly id: string;
  readonly number: string;
  readonly mark: string;
  readonly partnerNumber: string;
  readonly postingDate: string;
  readonly currencyCode: string;
  readonly pricesIncludeTax: boolean;
  readonly status: string;
  readonly total: Decimal;
  /** What is open of a sales invoice; the other sets do not show it. */
  readonly remaining: Decimal | undefined;
  /** Of a credit memo: the invoice that it is applied to. */
  readonly invoiceId: string | undefined;
  readonly lines: readonly BcDocumentLine[];
}

const readDocument = z.object({
  id: z.string(),
  number: z.string(),
  postingDate: z.string(),
  currencyCode: z.string().default(''),
  pricesIncludeTax: z.boolean().default(false),
  status: madeOf(z.string(), plainName),
  totalAmountIncludingTax: wireAmount,
  remainingAmount: wireAmount.optional(),
  invoiceId: z.string().optional(),
  mark: z.string().default(''),
  partnerNumber: z.string(),
  lines: z.array(bcDocumentLine).default([]),
});

/** A document of this set, its fields under the names that all sets have here. */
export function bcDocument(set: BcDocumentSet): z.ZodType<BcDocumentRead> {
  const { lines, mark, partnerNumber } = SET_FACTS[set];
  const named = (read: unknown) => {
    if (typeof read !== 'object' || read === null) return read;
    const fields = new Map<string, unknown>(Object.entries(read));
    const own = {
      mark: fields.get(mark),
      partnerNumber: fields.get(partnerNumber),
      lines: fields.get(lines),
    };
    return { ...read, ...own };
  };
  const asWritten = madeOf(z.unknown(), named).pipe(readDocument);
  return madeOf(
    asWritten,
    ({ totalAmountIncludingTax: total, remainingAmount: remaining, invoiceId, ...read }) => ({
      ...{ ...read, set, total, remaining, invoiceId },
    }),
  );
}

export const bcExchangeRate = z.object({
  currencyCode: z.string(),
  startingDate: z.string(),
  exchangeRateAmount: wireAmount,
  relationalExchangeRateAmount: wireAmount,
});
