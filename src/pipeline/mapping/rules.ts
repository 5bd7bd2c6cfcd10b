// A tenant's bookkeeping rules: every account, code, table and policy that the mapper may choose from.
// Promises: strict (an unknown key is an error, never ignored); no transforms, so that a file, its merged form and its JSON
// schema are the same shape; a policy's older spelling (`error`) stays accepted beside the one that says what happens.
import * as z from 'zod';
import { VAT_MODES, type AccountClass, type AccountClasses } from '../../domain/account-class.js';
import { isCalendarDay } from '../../domain/local-time.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { schemaText } from '../../language/schema-texts.js';
import {
  costRules,
  refuseWithoutAccounts,
  spreadOfInvoices,
  waitingAccounts,
  refuseSplitVat,
  summaryRules,
  invoiceCase,
  dimensions,
  account,
  accountTable,
  comment,
  percent,
  vatCode,
} from './rule-schemas.js';
import { Decimal, ZERO } from '../../domain/money.js';
import { onceOf } from '../../domain/once-of.js';
import type { IsoDate } from '../../domain/source-document.js';
import type { ExpectedChart, ErpServices } from '../../erp/erp-adapter.js';

export { type CostCodeRule, COST_DIMENSION_FIELDS, INVOICE_DIMENSION_FIELDS } from './rule-schemas.js';

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

// The rules in the form the mapper reads them: numbers as decimals, exchange rates in order, older spellings resolved.
// Made once per set of rules and remembered as long as the set lives.
export interface DatedRate {
  readonly day: IsoDate;
  readonly rate: Decimal;
}

export interface RuleBook {
  readonly rules: TenantRules;
  readonly iskDecimals: number;
  readonly maxIsk: Decimal;
  readonly maxMinorUnits: number;
  readonly bandFactor: Decimal;
  /** By how much the rate of a foreign cost may differ from its supplier's. */
  readonly rateSlackPercent: Decimal;
  /** What the totals of an invoice may hold beyond its lines, of the amount. */
  readonly residualMaxPercent: Decimal;
  readonly reference: ReadonlyMap<string, Decimal>;
  /** Per currency, latest day first. */
  readonly rates: ReadonlyMap<string, readonly DatedRate[]>;
  readonly splitsVat: boolean;
  readonly whenLocked: 'park' | 'firstOpenDay';
  readonly whenLinesDiffer: 'totals' | 'reject';
  readonly whenCancelled: 'park' | 'skip';
  readonly whenXmlMissing: 'defer' | 'reject' | 'assumeInvoice';
  readonly parksUnmappedDimensions: boolean;
}

const RATE_SLACK_PERCENT = 1;
const RESIDUAL_MAX_PERCENT = 25;

export const openRuleBook = onceOf(writeRuleBook);

/** Companies that share their rates share what was made of them. */
const ratesOf = onceOf((fx: TenantRules['fx']): Pick<RuleBook, 'reference' | 'rates'> => ({
  reference: new Map(Object.entries(fx.reference).map(([code, rate]) => [code, new Decimal(rate)])),
  rates: new Map(Object.entries(fx.table).map(([code, days]) => [code, datedRates(days)])),
}));

function writeRuleBook(rules: TenantRules): RuleBook {
  const { rounding, fx, period, invoice, cost, dimensions } = rules;
  return {
    rules,
    iskDecimals: rounding.iskDecimals,
    maxIsk: new Decimal(rounding.maxIsk),
    maxMinorUnits: rounding.maxMinorUnits,
    bandFactor: new Decimal(fx.bandFactor),
    rateSlackPercent: new Decimal(fx.rateSlackPercent ?? RATE_SLACK_PERCENT),
    residualMaxPercent: new Decimal(invoice.residualMaxPercent ?? RESIDUAL_MAX_PERCENT),
    ...ratesOf(fx),
    splitsVat: rules.vat.mode === 'erp-splits',
    whenLocked: period.whenLocked === 'firstOpenDay' ? 'firstOpenDay' : 'park',
    whenLinesDiffer: invoice.whenLinesDiffer === 'totals' ? 'totals' : 'reject',
    whenCancelled: invoice.cancelled ?? 'park',
    whenXmlMissing: cost.whenXmlMissing === 'error' ? 'reject' : cost.whenXmlMissing,
    parksUnmappedDimensions: ['park', 'error'].includes(dimensions.whenUnmapped),
  };
}

function datedRates(days: Readonly<Record<string, number | string>>): DatedRate[] {
  return Object.entries(days)
    .map(([day, rate]) => ({ day, rate: new Decimal(rate) }))
    .sort((one, other) => (one.day < other.day ? 1 : -1));
}

/** Tables come from files and keys from documents: only a table's own entries count, never what every object inherits. */
export function entryOf<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}

// The rules of a company on top of those that it builds on.
export type RulesFragment = Readonly<Record<string, unknown>>;

/** Tables merge key by key, lists and single values replace, null takes an entry away. Validate the result, not the parts. */
export function deepMergeRules(base: RulesFragment, over: RulesFragment): RulesFragment {
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__') continue;
    const below = merged.get(key);
    if (value === null) merged.delete(key);
    else if (isTable(value)) merged.set(key, deepMergeRules(isTable(below) ? below : {}, value));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function isTable(value: unknown): value is RulesFragment {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Everything the rules can produce, so that an adapter can check it against the ERP's chart before the first posting.

export function ruleAccounts(rules: TenantRules): ExpectedChart {
  const { accounts, invoice, cost, vat, dimensions } = rules;
  const codes = tableValues(cost.codes);
  const explicitVat = (vat.mode ?? 'explicit-lines') === 'explicit-lines';
  const reverseCharge = cost.reverseCharge === 'both';
  const settles = invoice.settlement !== 'none';
  const assigned = assignedDimensions(rules);
  return {
    accounts: distinct([
      accounts.receivable,
      accounts.rounding,
      ...tableValues(accounts.receivableByCurrency),
      ...tableValues(accounts.payableByCurrency),
      ...tableValues(invoice.revenueByTreatment),
      ...tableValues(invoice.revenueByCategory),
      ...tableValues(invoice.revenueByItemNumber),
      ...(invoice.cases ?? []).flatMap(({ account }) => account ?? []),
      ...(cost.cases ?? []).flatMap(({ account, creditAccount }) =>
        [account ?? [], creditAccount ?? []].flat(),
      ),
      ...(invoice.whenLinesDiffer === 'totals' ? [invoice.residualPositive, invoice.residualNegative] : []),
      ...(explicitVat ? [...tableValues(accounts.vatOut), ...tableValues(accounts.vatIn)] : []),
      ...(explicitVat && reverseCharge ? [accounts.reverseChargeIn, accounts.reverseChargeOut] : []),
      ...(settles
        ? [accounts.bank, accounts.withheldCapitalTax, accounts.interestIncome, accounts.collectionIncome]
        : []),
      ...(invoice.settlement === 'all'
        ? [
            accounts.paidClearing,
            ...tableValues(accounts.byPaymentMethod),
            ...[accounts.exchangeGain ?? [], accounts.exchangeLoss ?? []].flat(),
          ]
        : []),
      ...[
        accounts.deferredRevenue,
        accounts.accruedRevenue,
        accounts.prepaidExpense,
        accounts.accruedExpense,
        accounts.supplierPrepayments,
      ].flatMap((named) => named ?? []),
      ...(invoice.priorPeriodCredit === undefined ? [] : [invoice.priorPeriodCredit.account]),
      ...tableValues(cost.howPaid),
      ...tableValues(cost.employees),
      ...codes.flatMap((code) => [code.account, ...tableValues(code.creditAccount)]),
    ]),
    vatCodes: distinct([
      ...[...(invoice.cases ?? []), ...(cost.cases ?? [])].flatMap(({ vatCode }) => vatCode ?? []),
      ...tableValues(vat.out),
      ...tableValues(vat.in),
      ...tableValues(vat.inNonDeductible),
      ...(codes.some((code) => isPartial(code.vatDeductiblePercent)) ? tableValues(vat.inPartial) : []),
      ...(reverseCharge ? [vat.reverseCharge] : []),
      ...(reverseCharge && vat.reverseChargeAA !== undefined ? [vat.reverseChargeAA] : []),
    ]),
    dimensions: Object.fromEntries(
      distinct([
        ...tableValues(dimensions.invoice),
        ...tableValues(dimensions.cost),
        ...assigned.map(([name]) => name),
      ]).map((name) => [
        name,
        distinct([
          ...tableValues(Object.hasOwn(dimensions.values, name) ? dimensions.values[name] : {}),
          ...assigned.filter(([known]) => known === name).map(([, value]) => value),
        ]),
      ]),
    ),
  };
}

/** Dimension and value, as the cases and the tables by party and item assign them. */
function assignedDimensions({ invoice, cost, dimensions }: TenantRules): (readonly [string, string])[] {
  return [
    ...[...(invoice.cases ?? []), ...(cost.cases ?? [])].flatMap((one) =>
      Object.entries(one.dimensions ?? {}),
    ),
    ...[dimensions.byCustomer, dimensions.byItem, dimensions.bySupplier].flatMap((tables) =>
      Object.entries(tables ?? {}).flatMap(([name, values]) =>
        tableValues(values).map((value) => [name, value] as const),
      ),
    ),
  ];
}

/** The values of a table without the comment that it may carry. */
function tableValues<Value>(table: Readonly<Record<string, Value>> | undefined): Exclude<Value, undefined>[] {
  return Object.entries(table ?? {})
    .filter(([key, value]) => key !== '_comment' && value !== undefined)
    .map(([, value]) => value as Exclude<Value, undefined>);
}

function isPartial(percent: number | undefined): boolean {
  return percent !== undefined && percent > 0 && percent < 100;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

// What the rules use each account for, as one of the five classes of a chart. The number alone does not tell: interest that
// is earned and interest that is paid stand side by side in the eights.
export function ruleClasses(rules: TenantRules): AccountClasses {
  const { accounts, invoice, cost } = rules;
  const classes = new Map<string, AccountClass>();
  /** The first use decides: the ones that say most come first. */
  const use = (accountClass: AccountClass, ...used: readonly (string | undefined)[]) => {
    for (const account of used)
      if (account !== undefined && !classes.has(account)) classes.set(account, accountClass);
  };
  use('Assets', accounts.receivable, accounts.bank, accounts.cash, accounts.paidClearing);
  use('Assets', accounts.withheldCapitalTax, accounts.vatIn.S, accounts.vatIn.AA, accounts.reverseChargeIn);
  use('Assets', ...values(accounts.byPaymentMethod), ...values(accounts.receivableByCurrency));
  use('Assets', accounts.supplierPrepayments, accounts.prepaidExpense, accounts.accruedRevenue);
  use('Liabilities', accounts.deferredRevenue, accounts.accruedExpense);
  use('Liabilities', accounts.vatOut.S, accounts.vatOut.AA, accounts.reverseChargeOut);
  use('Liabilities', ...values(accounts.payableByCurrency), ...values(cost.howPaid));
  use('Liabilities', ...values(cost.employees));
  use('Income', accounts.interestIncome, accounts.collectionIncome, accounts.exchangeGain);
  use('Income', invoice.residualPositive, invoice.residualNegative);
  use('Income', ...values(invoice.revenueByTreatment), ...values(invoice.revenueByCategory));
  use('Income', ...values(invoice.revenueByItemNumber), invoice.priorPeriodCredit?.account);
  use('Income', ...(invoice.cases ?? []).map(({ account }) => account));
  use('Expenses', accounts.rounding, accounts.exchangeLoss);
  for (const rule of Object.values(cost.codes)) {
    use('Liabilities', ...values(rule.creditAccount).filter((account) => !isBalanceSheet(account)));
    const isBooked = rule.mode === undefined || rule.mode === 'post';
    // What is capitalised, or settles a debt, is no expense; there the number is all that tells which of the two it is.
    if (isBooked && !isBalanceSheet(rule.account)) use('Expenses', rule.account);
  }
  for (const { account, creditAccount } of cost.cases ?? []) {
    if (account !== undefined && !isBalanceSheet(account)) use('Expenses', account);
    if (creditAccount !== undefined && !isBalanceSheet(creditAccount)) use('Liabilities', creditAccount);
  }
  return Object.fromEntries(classes);
}

/** The ones and twos of every Icelandic chart: what is owned, and what is owed. */
function isBalanceSheet(account: string): boolean {
  return /^[12]/.test(account);
}

function values(table: Readonly<Record<string, string | undefined>> | undefined): string[] {
  return Object.entries(table ?? {}).flatMap(([key, value]) =>
    key === '_comment' || value === undefined ? [] : [value],
  );
}

// The Icelandic VAT rates behind the service's codes, and what a line is taxed as.

export const TAX_CODES = ['S', 'AA', 'Z'] as const;
export type TaxCode = (typeof TAX_CODES)[number];

/** EXEMPT_CUSTOMER: taxed goods sold without VAT to a customer who is exempt. */
export type Treatment = TaxCode | 'EXEMPT_CUSTOMER';

export const TAXED_CODES = ['S', 'AA'] as const satisfies readonly TaxCode[];
export type TaxedCode = (typeof TAXED_CODES)[number];

export const VAT_RATES: Readonly<Record<Treatment, Decimal>> = {
  S: new Decimal('0.24'),
  AA: new Decimal('0.11'),
  Z: ZERO,
  EXEMPT_CUSTOMER: ZERO,
};

export function isTaxCode(code: string): code is TaxCode {
  return (TAX_CODES as readonly string[]).includes(code);
}

// What an ERP adapter is told of the tenant's rules: what each account is used for, and who is to split VAT.

export function saidByRules(rules: TenantRules): Pick<ErpServices, 'accountClasses' | 'vatMode'> {
  const { mode } = rules.vat;
  return { accountClasses: ruleClasses(rules), ...(mode === undefined ? {} : { vatMode: mode }) };
}
