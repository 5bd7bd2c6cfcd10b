// Which accounts, VAT codes and dimensions the ledger knows, and which periods are closed. Without a chart it knows all.
import type { Chart, Period } from './behaviour.js';
import type { JournalRequestLine } from './journal-request.js';

export interface Refusal {
  readonly outcome: 'refused';
  readonly code:
    | 'closed_period'
    | 'unknown_account'
    | 'blocked_account'
    | 'unknown_dimension'
    | 'unknown_vat_code'
    | 'unbalanced'
    | 'invalid';
  readonly message: string;
}

const CLOSED_PERIODS_MAX = 1000;

export class ChartOfAccounts {
  #closed: Period[] = [];
  #chart: Chart | null = null;
  #accounts = new Map<string, 'open' | 'blocked'>();

  get chart(): Chart | null {
    return this.#chart;
  }

  set chart(chart: Chart | null) {
    this.#chart = chart;
    this.#accounts = new Map(chart?.accounts.map((each) => [each.account, each.state]));
  }

  closePeriod(period: Period): void {
    if (this.#closed.length >= CLOSED_PERIODS_MAX) throw new RangeError('Too many closed periods.');
    this.#closed.push(period);
  }

  openAllPeriods(): void {
    this.#closed = [];
  }

  refusalOfDate(date: string): Refusal | null {
    return this.#closed.some((period) => period.from <= date && date <= period.to)
      ? refused('closed_period', `The period of ${date} is closed.`)
      : null;
  }

  refusalOfLine(line: JournalRequestLine): Refusal | null {
    if (this.#chart === null) return null;
    const state = this.#accounts.get(line.account);
    if (state === undefined)
      return refused('unknown_account', `Account ${line.account} is not in the chart of accounts.`);
    if (state === 'blocked') return refused('blocked_account', `Account ${line.account} is blocked.`);
    if (line.vatCode !== undefined && this.#chart.vatCodes?.includes(line.vatCode) === false)
      return refused('unknown_vat_code', `VAT code ${line.vatCode} does not exist.`);
    return this.#chart.dimensions === null
      ? null
      : refusalOfDimensions(line.dimensions ?? {}, this.#chart.dimensions);
  }
}

function refusalOfDimensions(
  dimensions: Readonly<Record<string, string>>,
  known: NonNullable<Chart['dimensions']>,
): Refusal | null {
  for (const [dimension, value] of Object.entries(dimensions)) {
    const values = Object.hasOwn(known, dimension) ? known[dimension] : undefined;
    if (values === undefined) return refused('unknown_dimension', `Dimension ${dimension} does not exist.`);
    if (values?.includes(value) === false)
      return refused('unknown_dimension', `Dimension ${dimension} has no value ${value}.`);
  }
  return null;
}

export function refused(code: Refusal['code'], message: string): Refusal {
  return { outcome: 'refused', code, message };
}
