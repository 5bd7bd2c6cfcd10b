// The rules for what belongs to other months than its document: where it waits, and what asks for it.
import * as z from 'zod';
import { schemaText } from '../../language/schema-texts.js';

const account = z
  .string({ error: schemaText('ACCOUNT_UNQUOTED') })
  .min(1)
  .optional();

export const waitingAccounts = {
  deferredRevenue: account.describe(
    'On which income waits for the months that it belongs to; needed by invoice.spread and spreadMonths.',
  ),
  prepaidExpense: account.describe(
    'On which cost waits for the months that it belongs to; needed by cost.spread and spreadMonths.',
  ),
  accruedRevenue: account.describe(
    'For income of earlier months that is billed now, where it is kept apart from deferredRevenue.',
  ),
  accruedExpense: account.describe(
    'For cost of earlier months that is billed now, where it is kept apart from prepaidExpense.',
  ),
};

const spread = z.enum(['none', 'delivery']).optional();
export const spreadOfInvoices = spread.describe(
  'delivery: income belongs to the month of delivery_date. Default: none, to the month of the invoice.',
);
export const spreadOfCosts = spread.describe(
  'delivery: cost belongs to the months of the e-invoice’s period, or to that of its delivery. Default: none.',
);

export const MONTHS_MAX = 120;
export const spreadMonths = z
  .number()
  .int()
  .min(2)
  .max(MONTHS_MAX)
  .optional()
  .describe('Spread evenly over so many months, from the month of delivery on.');

interface Spreading {
  readonly spread?: string | undefined;
  readonly cases?: readonly { readonly spreadMonths?: number | undefined }[] | undefined;
}

interface Rules {
  readonly accounts: {
    readonly deferredRevenue?: string | undefined;
    readonly prepaidExpense?: string | undefined;
  };
  readonly invoice: Spreading;
  readonly cost: Spreading;
}

export function refuseWithoutAccounts(rules: Rules, context: z.RefinementCtx): void {
  const needs = ({ spread: by, cases = [] }: Spreading) =>
    by === 'delivery' || cases.some(({ spreadMonths: months }) => months !== undefined);
  const missing = (name: keyof Rules['accounts']) => {
    const message = schemaText('SPREAD_NEEDS_ACCOUNT');
    context.addIssue({ code: 'custom', path: ['accounts', name], message });
  };
  const { deferredRevenue, prepaidExpense } = rules.accounts;
  if (needs(rules.invoice) && deferredRevenue === undefined) missing('deferredRevenue');
  if (needs(rules.cost) && prepaidExpense === undefined) missing('prepaidExpense');
}
