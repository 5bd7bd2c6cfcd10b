// What a connection check says about the accounts and dimensions that a tenant's rules name: each one that cannot be used.
import type { ExpectedChart, Finding, Lacking, Rejected } from './erp-adapter.js';
import { failedCheck, remedyOf, told, type Told } from './told.js';

export interface ChartProblems {
  readonly account: (number: string) => Rejected | null;
  /** Without a value: whether the dimension itself is known. */
  readonly dimension: (name: string, value: string | undefined) => Rejected | null;
}

export function chartProblems(expected: ExpectedChart, { account, dimension }: ChartProblems): Rejected[] {
  return [
    ...expected.accounts.map(account),
    ...Object.entries(expected.dimensions).flatMap(([name, values]) =>
      (values.length === 0 ? [undefined] : values).map((value) => dimension(name, value)),
    ),
  ].filter((problem) => problem !== null);
}

/** A refusal as a finding that says what is lacking, so that a plan can count the documents that need it. */
export function lackingFinding(problem: Rejected, remedy: Told): Finding {
  const lacks = lackingOf(problem);
  return { ...failedCheck(problem, remedy), ...(lacks && { lacks }) };
}

function lackingOf({ account, dimension, value, vatCode }: Rejected): Lacking | null {
  if (account !== undefined) return { account };
  if (dimension !== undefined) return { dimension, ...(value === undefined ? {} : { value }) };
  return vatCode === undefined ? null : { vatCode };
}

/** Foreign currencies that documents are in and the ERP does not have, or has switched off. */
export function currencyFindings(
  erp: string,
  { currencies = [] }: ExpectedChart,
  isKnown: (currency: string) => boolean,
): Finding[] {
  return currencies
    .filter((currency) => !isKnown(currency))
    .map((currency) => ({
      severity: 'error',
      ...told('CURRENCY_LACKING', { system: erp, currency }),
      ...remedyOf(told('SWITCH_CURRENCY_ON', { system: erp })),
      lacks: { currency },
    }));
}

/** The names of the accounts that were asked about go with the first finding, whatever it says. */
export function withNames(
  [first, ...rest]: readonly Finding[],
  { accounts }: ExpectedChart,
  nameOf: (number: string) => string | null | undefined,
): Finding[] {
  if (!first) return [];
  const named = accounts.flatMap((number) => {
    const name = nameOf(number) ?? '';
    return name === '' ? [] : [[number, name] as const];
  });
  return [{ ...first, accountNames: Object.fromEntries(named) }, ...rest];
}
