// A tenant's bookkeeping rules: every account, code, table and policy that the mapper may choose from.
// Promises: strict (an unknown key is an error, never ignored); no transforms, so that a file, its merged form and its JSON
// schema are the same shape; a policy's older spelling (`error`) stays accepted beside the one that says what happens.
import { VAT_MODES } from '../../domain/vat-mode.js';
import * as z from 'zod';
import { isCalendarDay } from '../../domain/calendar-day.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { schemaText } from '../../language/schema-texts.js';
import { costRules } from './rule-costs.js';
import { refuseWithoutAccounts, spreadOfInvoices, waitingAccounts } from './rule-spread.js';
import { refuseSplitVat, summaryRules } from './rule-summary.js';
import { invoiceCase } from './rule-cases.js';
import { dimensions } from './rule-dimensions.js';
import { account, accountTable, comment, percent, vatCode } from './rule-values.js';

export type { CostCodeRule } from './rule-costs.js';
export { COST_DIMENSION_FIELDS, INVOICE_DIMENSION_FIELDS } from './rule-dimensions.js';

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: schemaText('DAY_UNFIT'), abort: true })
  .refine(isCalendarDay, schemaText('DAY_NOT_THERE'));
const DECIMAL_TEXT = /^\d{1,12}(\.\d{1,12})?$/;
const positiveNumber = z
  .union([z.number().positive(), z.string().regex(DECIMAL_TEXT, schemaText('NUMBER_NOT_POSITIVE'))])
  .refine((value) => Number(value) > 0, schemaText('NUMBER_NOT_POSITIVE'));
const count = z.number().int().min(0);

const taxed = { S: account, AA: account };
const rounding = z.strictObject({
  ...comment,
  iskDecimals: z.number().int().min(0).max(2),
  maxIsk: z.union([z.number().min(0), z.string().regex(DECIMAL_TEXT, schemaText('NUMBER_NEGATIVE'))]),
  maxMinorUnits: count.max(1000),
});

const period = z.strictObject({
  ...comment,
  lockedUntil: day.nullish(),
  whenLocked: z.enum(['park', 'error', 'firstOpenDay']),
});

const numbering = z.strictObject({
  ...comment,
  invoice: z.string(),
  credit: z.string(),
  cost: z.string(),
  lengthMax: count
    .min(4)
    .max(250)
    .optional()
    .describe('Longer document numbers are cut to this length: prefix and end stay, with a warning.'),
});

const accounts = z.strictObject({
  ...comment,
  receivable: account,
  cash: account.optional(),
  bank: account,
  paidClearing: account,
  byPaymentMethod: accountTable,
  withheldCapitalTax: account,
  interestIncome: account,
  collectionIncome: account,
  exchangeGain: account
    .optional()
    .describe(
      'With exchangeLoss: a foreign payment is booked at the rate of its day, and the difference here.',
    ),
  exchangeLoss: account.optional(),
  ...waitingAccounts,
  supplierPrepayments: account
    .optional()
    .describe(
      'On which money stands that suppliers got beforehand; a bill of what is left to pay takes it from there.',
    ),
  rounding: account,
  vatOut: z.strictObject({ ...comment, ...taxed }),
  vatIn: z.strictObject({ ...comment, ...taxed }),
  reverseChargeIn: account,
  reverseChargeOut: account,
  receivableByCurrency: accountTable.optional(),
  payableByCurrency: accountTable.optional(),
});

const vat = z.strictObject({
  ...comment,
  mode: z
    .enum(VAT_MODES)
    .optional()
    .describe(
      'explicit-lines: VAT has lines of its own. erp-splits: gross lines, the ERP takes VAT out by code.',
    ),
  out: z.strictObject({ ...comment, S: vatCode, AA: vatCode, Z: vatCode, EXEMPT_CUSTOMER: vatCode }),
  in: z.strictObject({ ...comment, S: vatCode, AA: vatCode, Z: vatCode }),
  inNonDeductible: z.strictObject({ ...comment, S: vatCode, AA: vatCode, Z: vatCode.optional() }),
  inPartial: z.strictObject({ ...comment, S: vatCode, AA: vatCode, Z: vatCode.optional() }),
  reverseCharge: vatCode,
  outsideReturn: z
    .array(vatCode)
    .optional()
    .describe(
      'Codes whose turnover is not reported at all (exempt by article 2); the others without VAT go into box C.',
    ),
  reverseChargeAA: vatCode.optional().describe('For costs whose code says reverseChargeRate: AA.'),
});

const invoice = z.strictObject({
  ...comment,
  revenueByTreatment: z.strictObject({
    ...comment,
    S: account,
    AA: account,
    Z: account,
    EXEMPT_CUSTOMER: account,
  }),
  revenueByCategory: accountTable,
  revenueByItemNumber: accountTable,
  cases: z.array(invoiceCase).max(1000).optional().describe('The first that fits a line decides on it.'),
  residualPositive: account,
  residualNegative: account,
  whenLinesDiffer: z.enum(['totals', 'reject', 'error']),
  residualMaxPercent: percent
    .optional()
    .describe(
      'What the totals may hold beyond the lines, in percent of the amount (25); more parks the invoice.',
    ),
  priorPeriodCredit: z
    .strictObject({
      ...comment,
      account,
      period: z
        .enum(['month', 'year', 'locked'])
        .optional()
        .describe('What counts as prior: another month, another year (the default), or a locked period.'),
    })
    .optional()
    .describe('Where the revenue of credit notes goes whose invoice was issued in a prior period.'),
  spread: spreadOfInvoices,
  cancelled: z
    .enum(['park', 'skip'])
    .optional()
    .describe(
      'What becomes of a cancelled invoice that no credit note refers to: park, it waits for a person (the default), or skip.',
    ),
  settlement: z.enum(['none', 'claim', 'all']),
  followUpDays: count
    .max(1000)
    .optional()
    .describe(
      'How long after its issue a posted invoice is looked at daily for payments (120); 0: never. Only with settlement: claim or all.',
    ),
});

const fx = z.strictObject({
  ...comment,
  source: z
    .enum(['table', 'file', 'sedlabanki'])
    .optional()
    .describe(
      'Where rates come from that the table lacks: sedlabanki, the daily rates of the Central Bank of Iceland, or a file. Default: table, nowhere.',
    ),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('For source: file. Lines like 2026-03-24,EUR,149.8. Relative to the tenant file.'),
  url: z
    .url()
    .optional()
    .describe('For source: sedlabanki. Where a mirror of its XML is, if not at the bank.'),
  maxAgeDays: count.max(366),
  bandFactor: positiveNumber,
  rateSlackPercent: percent
    .optional()
    .describe('By how much the rate of a foreign cost may differ from its supplier’s, in percent (1).'),
  table: z.record(z.string(), z.record(day, positiveNumber)),
  reference: z.record(z.string(), positiveNumber),
});

export const TEMPLATE_FIELDS = ['documentNo', 'number', 'party', 'kennitala', 'description', 'date'] as const;
const template = z
  .string()
  .max(500)
  .refine(
    (written) =>
      [...written.matchAll(/\{([^{}]*)\}/g)].every((match) =>
        (TEMPLATE_FIELDS as readonly string[]).includes(match[1] ?? ''),
      ),
    schemaText('TEMPLATE_FIELD_UNKNOWN'),
  );
const descriptions = z.strictObject({
  ...comment,
  invoice: template.optional(),
  credit: template.optional(),
  cost: template.optional(),
  settlement: template.optional(),
  lengthMax: count.min(10).max(1000).optional(),
  lineLengthMax: count.min(10).max(1000).optional(),
});

const skip = z.strictObject({
  ...comment,
  customers: z
    .array(z.string())
    .optional()
    .describe('Kennitala or guid of customers whose invoices are not booked.'),
  suppliers: z.array(z.string()).optional().describe('Kennitala of suppliers whose costs are not booked.'),
  series: z
    .array(z.string().min(1))
    .optional()
    .describe('Beginnings of invoice numbers that are not booked.'),
  costCodes: z.array(z.string()).optional(),
  before: day.nullish().describe('Cut-over: documents issued before this day are already in the books.'),
});

export const tenantRules = z
  .strictObject({
    ...comment,
    rounding,
    period,
    numbering,
    accounts,
    vat,
    invoice,
    cost: costRules,
    dimensions,
    fx,
    descriptions: descriptions.optional(),
    skip: skip.optional(),
    summary: summaryRules,
  })
  .superRefine(refuseWithoutAccounts)
  .superRefine(refuseSplitVat);
export type TenantRules = z.infer<typeof tenantRules>;

const PROBLEMS_SHOWN_MAX = 10;

/** `origin` names the file or line in the message. */
export function parseRules(value: unknown, origin: string): TenantRules {
  const parsed = tenantRules.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map((issue) => `  ${issue.path.map(String).join('.') || '(top)'}: ${issue.message}`);
  throw new CodedError(
    'MAPPING_RULES_INVALID',
    `${origin} does not hold valid rules:\n${problems.join('\n')}`,
    { details: { origin, problems } },
  );
}
