// What dk must know before a journal is sent: open accounts, with the VAT code of the line or without any, and values of dimensions.
import type { Journal, JournalLine } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import { chartProblems, lackingFinding, withNames } from '../chart-problems.js';
import type { AuthFailed, ExpectedChart, Finding, Rejected, Transient, VatMode } from '../erp-adapter.js';
import { Remembered } from '../remembered.js';
import { failedCheck, rejected, remedyOf, told } from '../told.js';
import type { DkClient } from './client.js';
import type { DkPlusConfiguration } from './config.js';
import { dimensionNames } from './translate.js';
import type { DkAccount } from './wire.js';

const CHART_LIFE_MS = 5 * 60 * 1000;

interface Chart {
  readonly companyName: string;
  readonly accounts: ReadonlyMap<string, DkAccount>;
  readonly dimensionValues: ReadonlySet<string>;
}

export class DkChart {
  readonly #chart: Remembered<Chart>;
  readonly #configuration: DkPlusConfiguration;
  readonly #vatMode: VatMode;

  constructor(
    client: DkClient,
    configuration: DkPlusConfiguration,
    clock: Clock,
    vatMode: VatMode = 'explicit-lines',
  ) {
    this.#configuration = configuration;
    this.#vatMode = vatMode;
    this.#chart = new Remembered(clock, CHART_LIFE_MS, () => load(client, configuration));
  }

  /** The name of the company, once the books have shown that they are its own. */
  async company(): Promise<ReadAnswer<string>> {
    const chart = await this.#chart.fresh();
    return chart.outcome === 'ok' ? { outcome: 'ok', value: chart.value.companyName } : chart;
  }

  /** Null when everything that the journal names can be booked. */
  check(journal: Journal): Promise<Rejected | Transient | AuthFailed | null> {
    return this.#chart.problem((chart) => this.#problemOf(journal, chart));
  }

  async findings(expected: ExpectedChart): Promise<Finding[]> {
    const chart = await this.#chart.fresh();
    if (chart.outcome !== 'ok') return [failedCheck(chart, told('CORRECT_THE_CONNECTION'))];
    const problems = chartProblems(expected, {
      account: (account) => this.#accountProblem(account, chart.value),
      dimension: (name, value) => this.#dimensionProblem(name, value, chart.value),
    });
    const remedy = told('CORRECT_IN_ERP', { system: 'dk' });
    const { accounts } = chart.value;
    const found: Finding[] =
      problems.length > 0
        ? problems.map((problem) => lackingFinding(problem, remedy))
        : [{ severity: 'ok', ...told('READY_ACCOUNTS', { company: 'dk', count: expected.accounts.length }) }];
    const named = withNames(found, expected, (number) => accounts.get(number)?.Name);
    return [...named, ...this.#vatFindings(expected, chart.value)];
  }

  /** Where dk splits VAT, a code that no account has cannot be booked; one that no document uses does no harm. */
  #vatFindings({ vatCodes }: ExpectedChart, { accounts }: Chart): Finding[] {
    if (this.#vatMode !== 'erp-splits') return [];
    const known = new Set([...accounts.values()].map(({ TaxCode }) => TaxCode));
    return vatCodes
      .filter((code) => !known.has(code))
      .map((vatCode) => ({
        severity: 'warning',
        ...told('VAT_CODE_WITHOUT_ACCOUNT', { vatCode }),
        ...remedyOf(told('GIVE_VAT_CODE_AN_ACCOUNT', { system: 'dk' })),
        lacks: { vatCode },
      }));
  }

  #accountProblem(number: string, chart: Chart): Rejected | null {
    const closed = closedAccount(number, chart);
    if (closed || this.#vatMode === 'erp-splits') return closed;
    const { TaxCode = '' } = chart.accounts.get(number) ?? {};
    if (TaxCode === '') return null;
    const words = told('ACCOUNT_SPLITS_VAT', { account: number, vatCode: TaxCode });
    return rejected('invalid', words, { account: number });
  }

  /** dk splits by the account alone, so what the rules say of a line must be what the account says. */
  #vatProblem({ account, vatCode = '' }: JournalLine, chart: Chart): Rejected | null {
    const { TaxCode = '' } = chart.accounts.get(account) ?? {};
    if (this.#vatMode !== 'erp-splits' || TaxCode === vatCode) return null;
    const words = told('ACCOUNT_OTHER_VAT', { account, has: TaxCode, wanted: vatCode });
    return rejected('unknown-vat-code', words, { account, ...(vatCode === '' ? {} : { vatCode }) });
  }

  #problemOf(journal: Journal, chart: Chart): Rejected | null {
    const { subledger } = this.#configuration;
    const kept = new Set([...subledger.customers, ...subledger.suppliers]);
    for (const line of journal.lines) {
      if (line.counterparty !== undefined && !kept.has(line.account)) {
        const { account, counterparty: kennitala } = line;
        return rejected('invalid', told('ACCOUNT_NOT_LISTED', { account, kennitala }));
      }
      const problem = this.#accountProblem(line.account, chart) ?? this.#vatProblem(line, chart);
      if (problem) return problem;
      for (const [name, value] of Object.entries(line.dimensions ?? {})) {
        const unknown = this.#dimensionProblem(name, value, chart);
        if (unknown) return unknown;
      }
    }
    return null;
  }

  #dimensionProblem(name: string, value: string | undefined, chart: Chart): Rejected | null {
    if (!dimensionNames(this.#configuration).some(([, known]) => known === name)) {
      const setting = '`dim1`, `dim2`, `dim3`';
      const words = told('DIMENSION_WITHOUT_PLACE', { system, dimension: name, setting });
      return rejected('unknown-dimension', words, { dimension: name });
    }
    if (value === undefined || chart.dimensionValues.has(value)) return null;
    const words = told('DIMENSION_VALUE_LACKING', { system, dimension: name, value });
    return rejected('unknown-dimension', words, { dimension: name, value });
  }
}

async function load(client: DkClient, configuration: DkPlusConfiguration): Promise<ReadAnswer<Chart>> {
  const company = await client.company();
  if (company.outcome !== 'ok') return company;
  if (company.value.SSNumber.replace('-', '') !== configuration.company) {
    const { Name, SSNumber } = company.value;
    const words = told('OPENS_OTHER_BOOKS', {
      company: Name,
      number: SSNumber,
      wanted: configuration.company,
    });
    return rejected('wrong-company', words);
  }
  const accounts = await client.accounts();
  if (accounts.outcome !== 'ok') return accounts;
  const dimensions =
    dimensionNames(configuration).length > 0
      ? await client.dimensions()
      : ({ outcome: 'ok', value: [] } as const);
  if (dimensions.outcome !== 'ok') return dimensions;
  const open = dimensions.value.filter((dimension) => dimension.Closed !== true);
  return {
    outcome: 'ok',
    value: {
      companyName: company.value.Name,
      accounts: new Map(accounts.value.map((account) => [account.Number, account])),
      dimensionValues: new Set(open.map((dimension) => dimension.Number)),
    },
  };
}

const system = 'dk';

function closedAccount(number: string, chart: Chart): Rejected | null {
  const account = chart.accounts.get(number);
  const about = { account: number };
  if (!account) return rejected('unknown-account', told('ACCOUNT_LACKING', { system, ...about }), about);
  if (account.Closed === true)
    return rejected('blocked-account', told('ACCOUNT_SHUT', { system, ...about, how: 'closed' }), about);
  return null;
}
