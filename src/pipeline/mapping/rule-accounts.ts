// Everything the rules can produce, so that an adapter can check it against the ERP's chart before the first posting.
import type { ExpectedChart } from '../../erp/erp-adapter.js';
import type { TenantRules } from './rules.js';

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
