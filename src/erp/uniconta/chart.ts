// What Uniconta must know before lines are sent: the right company, the journal, open years, accounts and values of dimensions.
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import { chartProblems, lackingFinding, withNames } from '../chart-problems.js';
import type { AuthFailed, ExpectedChart, Finding, Rejected, Transient } from '../erp-adapter.js';
import { periodFindings } from '../period-findings.js';
import { Remembered } from '../remembered.js';
import { failedCheck, rejected, type Told, told } from '../told.js';
import { literal, type UnicontaClient } from './client.js';
import type { UnicontaConfiguration } from './config.js';
import {
  account,
  company,
  dimensionValue,
  financeYear,
  journal as journalRow,
  type UnicontaAccount,
} from './wire.js';

const CHART_LIFE_MS = 5 * 60 * 1000;
const system = 'Uniconta';
const REMEDY = told('CORRECT_IN_ERP', { system: 'Uniconta' });

interface Chart {
  readonly companyName: string;
  readonly accounts: ReadonlyMap<string, UnicontaAccount>;
  readonly openYears: readonly { readonly from: string; readonly to: string }[];
  /** `Dimension1=RVK` */
  readonly values: ReadonlySet<string>;
}

export class UnicontaChart {
  readonly #client: UnicontaClient;
  readonly #configuration: UnicontaConfiguration;
  readonly #chart: Remembered<Chart>;

  constructor(client: UnicontaClient, configuration: UnicontaConfiguration, clock: Clock) {
    this.#client = client;
    this.#configuration = configuration;
    this.#chart = new Remembered(clock, CHART_LIFE_MS, () => this.#load());
  }

  async company(): Promise<ReadAnswer<string>> {
    const chart = await this.#chart.fresh();
    return chart.outcome === 'ok' ? { outcome: 'ok', value: chart.value.companyName } : chart;
  }

  check(wanted: Journal): Promise<Rejected | Transient | AuthFailed | null> {
    return this.#chart.problem((chart) => this.#problemOf(wanted, chart));
  }

  async findings(expected: ExpectedChart): Promise<Finding[]> {
    const answer = await this.#chart.fresh();
    if (answer.outcome !== 'ok') return [failedCheck(answer, REMEDY)];
    const chart = answer.value;
    const problems = chartProblems(expected, {
      account: (number) => accountProblem(number, chart),
      dimension: (name, value) => this.#dimensionProblem(name, value, chart),
    });
    const { companyName: company } = chart;
    const ready = told('READY_ACCOUNTS', { company, count: expected.accounts.length });
    const found: Finding[] =
      problems.length > 0
        ? problems.map((problem) => lackingFinding(problem, REMEDY))
        : [{ severity: 'ok', ...ready }];
    const periods = periodFindings(expected.postingDates, (day) => closedDay(day, chart)?.message ?? null);
    return [...withNames(found, expected, (number) => chart.accounts.get(number)?.Name), ...periods];
  }

  #problemOf({ postingDate, lines }: Journal, chart: Chart): Rejected | null {
    const closed = closedDay(postingDate, chart, postingDate);
    if (closed !== null) return rejected('closed-period', closed, { period: postingDate });
    const { customers, suppliers } = this.#configuration.subledger;
    for (const line of lines) {
      if (line.counterparty !== undefined && ![...customers, ...suppliers].includes(line.account)) {
        const { account, counterparty: kennitala } = line;
        return rejected('invalid', told('ACCOUNT_NOT_LISTED', { account, kennitala }));
      }
      const problem = accountProblem(line.account, chart);
      if (problem) return problem;
      for (const [name, value] of Object.entries(line.dimensions ?? {})) {
        const unknown = this.#dimensionProblem(name, value, chart);
        if (unknown) return unknown;
      }
    }
    return null;
  }

  #dimensionProblem(name: string, value: string | undefined, chart: Chart): Rejected | null {
    const field = this.#configuration.dimensions[name];
    if (field === undefined) {
      const words = told('DIMENSION_WITHOUT_PLACE', { system, dimension: name, setting: '`dimensions`' });
      return rejected('unknown-dimension', words, { dimension: name });
    }
    if (value === undefined || chart.values.has(`${field}=${value}`)) return null;
    const words = told('DIMENSION_VALUE_LACKING', { system, dimension: field, value });
    return rejected('unknown-dimension', words, { dimension: name, value });
  }

  async #load(): Promise<ReadAnswer<Chart>> {
    const companyName = await this.#company();
    if (companyName.outcome !== 'ok') return companyName;
    const accounts = await this.#client.list('GLAccountClient', account);
    if (accounts.outcome !== 'ok') return accounts;
    const years = await this.#client.list('CompanyFinanceYearClient', financeYear);
    if (years.outcome !== 'ok') return years;
    const values = await this.#values();
    if (values.outcome !== 'ok') return values;
    const open = years.value.filter(({ State }) => State === 'Open');
    return {
      outcome: 'ok',
      value: {
        companyName: companyName.value,
        accounts: new Map(accounts.value.map((one) => [one.Account, one])),
        openYears: open.map(({ FromDate, ToDate }) => ({
          from: FromDate.slice(0, 10),
          to: ToDate.slice(0, 10),
        })),
        values: values.value,
      },
    };
  }

  async #company(): Promise<ReadAnswer<string>> {
    const { company: wanted, companyId, journal } = this.#configuration;
    const companies = await this.#client.list('CompanyClient', company, {
      filter: `CompanyId eq ${companyId}`,
    });
    if (companies.outcome !== 'ok') return companies;
    const [found] = companies.value;
    if (!found) return rejected('wrong-company', told('COMPANY_NOT_SHOWN', { system, company: companyId }));
    const { CompanyName, Id, CurrencyId } = found;
    if (Id.replace(/\D/g, '') !== wanted)
      return rejected(
        'wrong-company',
        told('COMPANY_IS_OTHER', { id: companyId, company: `${CompanyName} (${Id})`, wanted }),
      );
    if (CurrencyId !== 'ISK')
      return rejected(
        'wrong-company',
        told('BOOKS_NOT_IN_ISK', { company: CompanyName, currency: CurrencyId }),
      );
    const filter = `Journal eq ${literal(journal)}`;
    const journals = await this.#client.list('GLDailyJournalClient', journalRow, { filter });
    if (journals.outcome !== 'ok') return journals;
    return journals.value.length === 0
      ? rejected('invalid', told('JOURNAL_LACKING', { system, journal }))
      : { outcome: 'ok', value: CompanyName };
  }

  async #values(): Promise<ReadAnswer<ReadonlySet<string>>> {
    const all = new Set<string>();
    for (const field of new Set(Object.values(this.#configuration.dimensions))) {
      const answer = await this.#client.list(`GLDimType${field.slice(-1)}Client`, dimensionValue);
      if (answer.outcome !== 'ok') return answer;
      for (const { Dim } of answer.value) all.add(`${field}=${Dim}`);
    }
    return { outcome: 'ok', value: all };
  }
}

function accountProblem(number: string, { accounts }: Chart): Rejected | null {
  const found = accounts.get(number);
  const about = { account: number };
  if (!found) return rejected('unknown-account', told('ACCOUNT_LACKING', { system, ...about }), about);
  if (found.Blocked === true)
    return rejected('blocked-account', told('ACCOUNT_SHUT', { system, ...about, how: 'blocked' }), about);
  const isHeading = found.AccountType === 'Header' || found.AccountType === 'Sum';
  return isHeading ? rejected('unknown-account', told('ACCOUNT_HEADING', about), about) : null;
}

function closedDay(day: string, { openYears }: Chart, date?: string): Told | null {
  if (openYears.some(({ from, to }) => day >= from && day <= to)) return null;
  const days = openYears.map(({ from, to }) => `${from} – ${to}`).join(', ');
  return told('OPEN_DAYS_ARE', { system, days, ...(date === undefined ? {} : { date }) });
}
