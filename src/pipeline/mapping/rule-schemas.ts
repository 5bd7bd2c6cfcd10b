// The schemas of a tenant's rules, one part after the other. rules.ts puts them together.
import * as z from 'zod';
import { plainKennitala } from '../../domain/kennitala.js';
import { schemaText } from '../../language/schema-texts.js';

// What many rules are made of.

export const comment = { _comment: z.string().optional() };

export const account = z
  .string({ error: schemaText('ACCOUNT_UNQUOTED') })
  .min(1, schemaText('ACCOUNT_EMPTY'));
export const vatCode = z.string({ error: schemaText('VAT_CODE_UNQUOTED') }).min(1);
export const accountTable = z.record(z.string(), account);
export const percent = z.number().min(0).max(100);

// Rules of dimensions: which text becomes which, and what is said of a customer, a supplier or an item.

export const INVOICE_DIMENSION_FIELDS = ['cost_provide', 'booking', 'terms', 'description'] as const;
export const COST_DIMENSION_FIELDS = [
  'project_name',
  'description',
  'cost_code',
  'ubl_accounting_cost',
  'ubl_project',
  'ubl_buyer_reference',
  'ubl_order',
] as const;
const dimensionName = z.string().min(1);
const partyDimensions = z.record(dimensionName, z.record(z.string(), z.string())).optional();
export const dimensions = z.strictObject({
  _comment: z.string().optional(),
  invoice: z.partialRecord(z.enum(INVOICE_DIMENSION_FIELDS), dimensionName),
  cost: z.partialRecord(z.enum(COST_DIMENSION_FIELDS), dimensionName),
  values: z.record(z.string(), z.record(z.string(), z.string())),
  byCustomer: partyDimensions.describe('Dimension → kennitala or guid of the customer → value.'),
  byItem: partyDimensions.describe('Dimension → item number → value, on the lines of that item.'),
  bySupplier: partyDimensions.describe('Dimension → kennitala of the supplier → value.'),
  whenUnmapped: z
    .string()
    .min(1)
    .describe('park (or error): a text that a value table lacks parks the document. omit: it is left out.'),
});

// The rules for what belongs to other months than its document: where it waits, and what asks for it.

const waitingAccount = z
  .string({ error: schemaText('ACCOUNT_UNQUOTED') })
  .min(1)
  .optional();

export const waitingAccounts = {
  deferredRevenue: waitingAccount.describe(
    'On which income waits for the months that it belongs to; needed by invoice.spread and spreadMonths.',
  ),
  prepaidExpense: waitingAccount.describe(
    'On which cost waits for the months that it belongs to; needed by cost.spread and spreadMonths.',
  ),
  accruedRevenue: waitingAccount.describe(
    'For income of earlier months that is billed now, where it is kept apart from deferredRevenue.',
  ),
  accruedExpense: waitingAccount.describe(
    'For cost of earlier months that is billed now, where it is kept apart from prepaidExpense.',
  ),
};

const spread = z.enum(['none', 'delivery']).optional();
export const spreadOfInvoices = spread.describe(
  'delivery: income belongs to the month of delivery_date. Default: none, to the month of the invoice.',
);
const spreadOfCosts = spread.describe(
  'delivery: cost belongs to the months of the e-invoice’s period, or to that of its delivery. Default: none.',
);

export const MONTHS_MAX = 120;
const spreadMonths = z
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

const words = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .describe('One, or a list of which one has to fit.');
const assigned = z.string({ error: schemaText('ACCOUNT_UNQUOTED') }).min(1);

// Rules for one customer, supplier, item, country or text: a list, of which the first that fits decides. What it leaves out
// is decided as always.

const caseDimensions = z.record(z.string().min(1), z.string()).describe('Dimension → value, on the line.');

const fits = (when: object) => Object.keys(when).some((name) => name !== '_comment');
const says = schemaText('CASE_FITS_ALL');

export const invoiceCase = z.strictObject({
  ...comment,
  when: z
    .strictObject({
      customer: words.optional().describe('Kennitala or guid.'),
      item: words.optional().describe('Item number.'),
      category: words.optional().describe('Category of the item.'),
      currency: words.optional(),
      tax: words.optional().describe('S, AA or Z.'),
      country: words
        .optional()
        .describe(
          'IS or abroad: the service shows no country, so a customer with a kennitala is in Iceland.',
        ),
      text: words.optional().describe('Stands in the text of the line or of the invoice, in any case.'),
    })
    .refine(fits, says),
  account: assigned.optional().describe('Revenue account of the line.'),
  vatCode: assigned
    .optional()
    .describe('For lines without VAT: tells export from exempt. Taxed lines keep the code of their rate.'),
  dimensions: caseDimensions.optional(),
  spreadMonths,
});
export type InvoiceCase = z.infer<typeof invoiceCase>;

const importVat = z
  .boolean()
  .optional()
  .describe('VAT on such a bill is VAT on imported goods, whose price the bill does not hold (customs).');

const costCase = z.strictObject({
  ...comment,
  when: z
    .strictObject({
      supplier: words.optional().describe('Kennitala.'),
      code: words.optional().describe('Cost code.'),
      country: words.optional().describe('Of the supplier, as the e-invoice says: IE.'),
      currency: words.optional(),
      howPaid: words.optional().describe('1 on account, 2 bank, 3 credit card, 4 owner or employee.'),
      text: words
        .optional()
        .describe('Stands in the description, the project or the supplier’s name, in any case.'),
      line: words
        .optional()
        .describe('Stands in the text of a line of the e-invoice: that line is booked by this case.'),
    })
    .refine(fits, says),
  account: assigned.optional(),
  vatDeductiblePercent: z.number().min(0).max(100).optional(),
  creditAccount: assigned.optional().describe('What is credited: an employee, a card.'),
  vatCode: assigned.optional().describe('For the part without VAT.'),
  importVat,
  dimensions: caseDimensions.optional(),
  spreadMonths,
});
export type CostCase = z.infer<typeof costCase>;

type Words = string | readonly string[] | undefined;

/** What is compared: whole words for numbers and codes, a piece of the text for texts. */
export interface CaseFacts {
  readonly exact: Readonly<Record<string, readonly string[]>>;
  readonly texts: Readonly<Record<string, string>>;
}

export interface FoundCase<Case> {
  readonly case: Case;
  /** Path in the rules: cost.cases.2 */
  readonly path: string;
}

export function firstCase<Case extends { readonly when: Readonly<Record<string, Words>> }>(
  cases: readonly Case[],
  facts: CaseFacts,
  section: 'invoice' | 'cost',
): FoundCase<Case> | null {
  const at = cases.findIndex(({ when }) => isFitting(when, facts));
  const found = cases[at];
  return found ? { case: found, path: `${section}.cases.${String(at)}` } : null;
}

function isFitting(when: Readonly<Record<string, Words>>, { exact, texts }: CaseFacts): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    if (wanted === undefined) return true;
    const list = typeof wanted === 'string' ? [wanted] : wanted;
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (text !== undefined) return list.some((word) => text.includes(word.toLowerCase()));
    const values = Object.hasOwn(exact, name) ? (exact[name] ?? []) : [];
    return list.some((word) => values.includes(plainKennitala(word)));
  });
}

export function textOf(...parts: readonly string[]): string {
  return parts.join('\n').toLowerCase();
}

// The rules for tenants who want one journal a day instead of one a document.

const wish = z.enum(['each', 'daily']).optional();

export const DOCUMENTS_MAX = 200;
/** One in the morning of the day after. */
export const CLOSES_AFTER_HOURS = 25;

export const summaryRules = z
  .strictObject({
    _comment: z.string().optional(),
    invoices: wish.describe(
      'daily: the invoices and credit notes of a posting date are one journal. Default: each, a journal a document.',
    ),
    costs: wish.describe('The same for costs.'),
    closesAfterHours: z
      .number()
      .int()
      .min(1)
      .max(96)
      .optional()
      .describe(
        'When a day is complete, in hours from its beginning: 25, one in the morning of the day after, unless given. What comes later goes into a second journal of that day.',
      ),
    documentsMax: z
      .number()
      .int()
      .min(2)
      .max(500)
      .optional()
      .describe('Documents of one journal (200); a day with more has several.'),
  })
  .optional();

interface SummaryRules {
  readonly summary?: z.infer<typeof summaryRules>;
  readonly vat: { readonly mode?: string | undefined };
}

/** An ERP that takes VAT out of gross lines would round it once a day instead of once a document. */
export function refuseSplitVat({ summary, vat }: SummaryRules, context: z.RefinementCtx): void {
  if (vat.mode !== 'erp-splits') return;
  for (const kind of ['invoices', 'costs'] as const) {
    if (summary?.[kind] !== 'daily') continue;
    const message = schemaText('SUMMARY_NEEDS_VAT_LINES');
    context.addIssue({ code: 'custom', path: ['summary', kind], message });
  }
}

// How costs are booked: a rule per cost code, ways of paying, reverse charge, cases.

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
