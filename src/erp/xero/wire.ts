// The parts of Xero's accounting API that are read or written here.
import * as z from 'zod';
import { madeOf } from '../../domain/made-of.js';
import type { Decimal } from '../../domain/decimal.js';
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
