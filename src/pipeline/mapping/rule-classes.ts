// What the rules use each account for, as one of the five classes of a chart. The number alone does not tell: interest that
// is earned and interest that is paid stand side by side in the eights.
import type { AccountClass, AccountClasses } from '../../domain/account-class.js';
import type { TenantRules } from './rules.js';

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
