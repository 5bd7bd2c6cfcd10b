// How costs are booked: a rule per cost code, ways of paying, reverse charge, cases.
import * as z from 'zod';
import { costCase, importVat } from './rule-cases.js';
import { spreadOfCosts } from './rule-spread.js';
import { account, accountTable, comment, percent } from './rule-values.js';

const costCode = z.strictObject({
  ...comment,
  account,
  vat: z.enum(['full', 'none']).optional(),
  vatDeductiblePercent: percent.optional(),
  mode: z.enum(['post', 'park', 'error']).optional(),
  creditAccount: accountTable.optional(),
  reverseChargeRate: z
    .enum(['S', 'AA'])
    .optional()
    .describe('The VAT that the buyer owes on such a cost from abroad: S, 24 % (the default), or AA, 11 %.'),
  importVat,
  watch: z.boolean().optional().describe('Post, and warn: this code is known to hide food and hospitality.'),
});

export const costRules = z.strictObject({
  ...comment,
  whenXmlMissing: z.enum(['defer', 'reject', 'error', 'assumeInvoice']),
  codeAliases: z.record(z.string(), z.string()),
  howPaid: accountTable,
  employees: accountTable
    .optional()
    .describe('Of what an employee paid (how_paid 4): name, as it stands in the texts → account.'),
  spread: spreadOfCosts,
  reverseCharge: z
    .enum(['none', 'both', 'notDeductible'])
    .describe(
      'VAT on services from abroad: both, owed and deducted; notDeductible, owed as far as it is not deductible; none.',
    ),
  reverseChargeCodes: z.array(z.string()),
  codes: z.record(z.string(), costCode),
  cases: z.array(costCase).max(1000).optional().describe('The first that fits a cost decides on it.'),
});
export type CostCodeRule = z.infer<typeof costCode>;
