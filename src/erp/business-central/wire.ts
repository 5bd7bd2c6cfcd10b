// The parts of Business Central's entities that are read or written here.
import * as z from 'zod';
import type { Decimal } from '../../domain/decimal.js';
import { wireAmount, wireInteger } from '../../http/wire-json.js';

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
