// Everything the rules can produce, so that an adapter can check it against the ERP's chart before the first posting.
import type { ExpectedChart } from '../../erp/erp-adapter.js';
import type { TenantRules } from './rules.js';
import type { AccountClass, AccountClasses } from '../../domain/account-class.js';

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
