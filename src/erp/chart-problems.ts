// What a connection check says about the accounts and dimensions that a tenant's rules name: each one that cannot be used.
import type { ExpectedChart, Rejected } from './erp-adapter.js';

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
