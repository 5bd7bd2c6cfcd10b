// What dk must know before a journal is sent: open accounts, with the VAT code of the line or without any, and values of dimensions.
import type { Journal, JournalLine } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import { chartProblems, lackingFinding, withNames } from '../chart-problems.js';
import type { AuthFailed, ExpectedChart, Finding, Rejected, Transient, VatMode } from '../erp-adapter.js';
import { Remembered } from '../remembered.js';
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
    if (chart.outcome !== 'ok') {
      return [{ severity: 'error', message: chart.message, remedy: 'Cure the connection, then try again.' }];
    }
    const problems = chartProblems(expected, {
      account: (account) => this.#accountProblem(account, chart.value),
      dimension: (name, value) => this.#dimensionProblem(name, value, chart.value),
    });
    const remedy = 'Correct the account or dimension in dk, or the rules of the tenant.';
    const { accounts } = chart.value;
    const found: Finding[] =
      problems.length > 0
        ? problems.map((problem) => lackingFinding(problem, remedy))
        : [{ severity: 'ok', message: `All ${expected.accounts.length} accounts are open in dk.` }];
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
        message: `No account in dk has the VAT code ${vatCode}; documents with it will wait.`,
        remedy: 'Give it to an account in dk, or correct the codes under rules.vat.',
        lacks: { vatCode },
      }));
  }

  #accountProblem(number: string, chart: Chart): Rejected | null {
    const closed = closedAccount(number, chart);
    if (closed || this.#vatMode === 'erp-splits') return closed;
    const { TaxCode = '' } = chart.accounts.get(number) ?? {};
    if (TaxCode === '') return null;
    const message = `Account ${number} has the VAT code ${TaxCode} in dk, so dk would take the amount as gross and split it again. Use an account without a VAT code, or \`vat.mode: erp-splits\` in the rules.`;
    return { ...rejected('invalid', message), account: number };
  }

  /** dk splits by the account alone, so what the rules say of a line must be what the account says. */
  #vatProblem({ account, vatCode = '' }: JournalLine, chart: Chart): Rejected | null {
    const { TaxCode = '' } = chart.accounts.get(account) ?? {};
    if (this.#vatMode !== 'erp-splits' || TaxCode === vatCode) return null;
    const has = TaxCode === '' ? 'no VAT code' : `the VAT code ${TaxCode}`;
    const wanted = vatCode === '' ? 'none' : vatCode;
    const message = `Account ${account} has ${has} in dk, and the rules want ${wanted} on this line. Correct the account in dk, or the rules.`;
    return {
      ...rejected('unknown-vat-code', message),
      account,
      ...(vatCode === '' ? {} : { vatCode }),
    };
  }

  #problemOf(journal: Journal, chart: Chart): Rejected | null {
    const { subledger } = this.#configuration;
    const kept = new Set([...subledger.customers, ...subledger.suppliers]);
    for (const line of journal.lines) {
      if (line.counterparty !== undefined && !kept.has(line.account)) {
        const message = `Account ${line.account} has a line with kennitala ${line.counterparty}. List the account under \`subledger.customers\` or \`subledger.suppliers\`.`;
        return rejected('invalid', message);
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
      const message = `The dimension "${name}" of the rules has no place in dk. Name it under \`dim1\`, \`dim2\` or \`dim3\`, or take it out of rules.dimensions.`;
      return { ...rejected('unknown-dimension', message), dimension: name };
    }
    if (value === undefined || chart.dimensionValues.has(value)) return null;
    const message = `dk has no open dimension value "${value}".`;
    return { ...rejected('unknown-dimension', message), dimension: name, value };
  }
}

async function load(client: DkClient, configuration: DkPlusConfiguration): Promise<ReadAnswer<Chart>> {
  const company = await client.company();
  if (company.outcome !== 'ok') return company;
  if (company.value.SSNumber.replace('-', '') !== configuration.company) {
    const message = `The token opens the books of ${company.value.Name} (${company.value.SSNumber}), not of ${configuration.company}.`;
    return rejected('wrong-company', message);
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

function closedAccount(number: string, chart: Chart): Rejected | null {
  const account = chart.accounts.get(number);
  if (!account) return { ...rejected('unknown-account', `dk has no account ${number}.`), account: number };
  if (account.Closed === true)
    return { ...rejected('blocked-account', `Account ${number} is closed in dk.`), account: number };
  return null;
}

function rejected(code: Rejected['code'], message: string): Rejected {
  return { outcome: 'rejected', code, message };
}
