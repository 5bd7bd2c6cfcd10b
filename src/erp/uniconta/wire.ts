// The parts of Uniconta's entities that are read or written here.
import { z } from 'zod';
import { madeOf } from '../../domain/made-of.js';
import type { Decimal } from '../../domain/decimal.js';
import { wireAmount, wireInteger } from '../../http/wire-json.js';
import type { DimensionField } from './config.js';

export type AccountType = 'Finance' | 'Debtor' | 'Creditor';

export interface UnicontaLine extends Readonly<Partial<Record<DimensionField, string>>> {
  readonly Journal: string;
  readonly LineNumber: number;
  readonly Date: string;
  readonly AccountType: AccountType;
  readonly Account: string;
  readonly Debit: Decimal;
  readonly Credit: Decimal;
  readonly Text: string;
  readonly ReferenceNumber: string;
  readonly DueDate?: string;
}

const text = madeOf(z.string().nullish(), (value) => value ?? '');
const amount = wireAmount.nullish();
const dimensions = {
  Dimension1: text,
  Dimension2: text,
  Dimension3: text,
  Dimension4: text,
  Dimension5: text,
};

/** A line that waits in a journal. */
export const journalLine = z.object({
  LineNumber: wireInteger,
  Date: z.string(),
  AccountType: text,
  Account: text,
  Debit: amount,
  Credit: amount,
  Text: text,
  ReferenceNumber: text,
  ...dimensions,
});
export type JournalLineRead = z.infer<typeof journalLine>;

/** A posted transaction. Those of customers and suppliers stand on the control account and name the partner. */
export const transaction = z.object({
  Date: z.string(),
  Voucher: wireInteger,
  VoucherLine: wireInteger,
  Account: text,
  DCAccount: text,
  Debit: amount,
  Credit: amount,
  Text: text,
  ReferenceNumber: text,
  ...dimensions,
});
export type TransactionRead = z.infer<typeof transaction>;

export const account = z.object({
  Account: z.string(),
  Name: text,
  AccountType: text,
  Blocked: z.boolean().nullish(),
});
export type UnicontaAccount = z.infer<typeof account>;
export const company = z.object({ CompanyName: text, Id: text, CurrencyId: text });
export const financeYear = z.object({ FromDate: z.string(), ToDate: z.string(), State: text });
export const journal = z.object({ Journal: z.string() });
export const dimensionValue = z.object({ Dim: z.string() });
export const partner = z.object({ Account: z.string(), Blocked: z.boolean().nullish() });
export type UnicontaPartner = z.infer<typeof partner>;
