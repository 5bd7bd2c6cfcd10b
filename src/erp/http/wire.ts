// The answers of the contract (openapi.yaml). Unknown fields are allowed everywhere: the layer may grow.
import * as z from 'zod';

const amount = z.string().regex(/^-?\d{1,18}(\.\d{1,8})?$/);

const entryLine = z.object({
  account: z.string(),
  debit: amount,
  credit: amount,
  currency: z.string().optional(),
  currencyAmount: amount.optional(),
  counterparty: z.string().optional(),
  dimensions: z.record(z.string(), z.string()).optional(),
  vatCode: z.string().optional(),
});

const state = z.enum(['posted', 'pending']);

export const wirePosted = z.object({ id: z.string().min(1), number: z.string().optional(), state });
export type WirePosted = z.infer<typeof wirePosted>;

export const wireEntry = z.object({
  id: z.string().min(1),
  number: z.string().optional(),
  key: z.string(),
  state,
  postingDate: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  reversed: z.boolean().default(false),
  lines: z.array(entryLine).min(1),
});
export type WireEntry = z.infer<typeof wireEntry>;

export const wireEntries = z.object({
  entries: z.array(wireEntry),
  hasMore: z.boolean().optional(),
});

export const wireCompany = z.object({
  company: z.string(),
  ledger: z.string(),
  registrationNo: z.string().optional(),
});
export type WireCompany = z.infer<typeof wireCompany>;

export const wireChart = z.object({
  /** false: the layer takes any name, and the lists are empty. */
  restricted: z.boolean(),
  accounts: z.array(
    z.object({ account: z.string(), name: z.string().optional(), state: z.enum(['open', 'blocked']) }),
  ),
  vatCodes: z.array(z.string()).nullable(),
  dimensions: z.record(z.string(), z.array(z.string()).nullable()).nullable(),
});
export type WireChart = z.infer<typeof wireChart>;

export const wireError = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
