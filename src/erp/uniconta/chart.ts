// What Uniconta must know before lines are sent: the right company, the journal, open years, accounts and values of dimensions.
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import { chartProblems, lackingFinding, withNames } from '../chart-problems.js';
import type {
  AuthFailed,
  ExpectedChart,
  Finding,
  RefusedFacts,
  Rejected,
  RejectionCode,
  Transient,
} from '../erp-adapter.js';
import { periodFindings } from '../period-findings.js';
import { Remembered } from '../remembered.js';
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
const REMEDY = 'Correct it in Uniconta, or the rules of the tenant.';

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
    if (answer.outcome !== 'ok') return [{ severity: 'error', message: answer.message, remedy: REMEDY }];
    const chart = answer.value;
    const problems = chartProblems(expected, {
      account: (number) => accountProblem(number, chart),
      dimension: (name, value) => this.#dimensionProblem(name, value, chart),
    });
    const message = `${chart.companyName} has the journal and all ${expected.accounts.length} accounts.`;
    const found: Finding[] =
      problems.length > 0
        ? problems.map((problem) => lackingFinding(problem, REMEDY))
        : [{ severity: 'ok', message }];
    const periods = periodFindings(expected.postingDates, (day) => closedDay(day, chart));
    return [...withNames(found, expected, (number) => chart.accounts.get(number)?.Name), ...periods];
  }

  #problemOf({ postingDate, lines }: Journal, chart: Chart): Rejected | null {
    const closed = closedDay(postingDate, chart);
    if (closed !== null)
      return rejected('closed-period', `${closed} ${postingDate} is in none.`, { period: postingDate });
    const { customers, suppliers } = this.#configuration.subledger;
    for (const line of lines) {
      if (line.counterparty !== undefined && ![...customers, ...suppliers].includes(line.account)) {
        const message = `Account ${line.account} has a line with kennitala ${line.counterparty}. List the account under \`subledger.customers\` or \`subledger.suppliers\`.`;
        return rejected('invalid', message);
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
      const message = `The dimension "${name}" has no place in Uniconta. Name one under \`dimensions\`.`;
      return rejected('unknown-dimension', message, { dimension: name });
    }
    if (value === undefined || chart.values.has(`${field}=${value}`)) return null;
    return rejected('unknown-dimension', `Uniconta has no value "${value}" of ${field}.`, {
      dimension: name,
      value,
    });
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
    if (!found) return rejected('wrong-company', `Uniconta shows this user no company ${companyId}.`);
    const { CompanyName, Id, CurrencyId } = found;
    if (Id.replace(/\D/g, '') !== wanted)
      return rejected('wrong-company', `Company ${companyId} is ${CompanyName} (${Id}), not ${wanted}.`);
    if (CurrencyId !== 'ISK')
      return rejected('wrong-company', `${CompanyName} keeps its books in ${CurrencyId}, not in ISK.`);
    const filter = `Journal eq ${literal(journal)}`;
    const journals = await this.#client.list('GLDailyJournalClient', journalRow, { filter });
    if (journals.outcome !== 'ok') return journals;
    return journals.value.length === 0
      ? rejected('invalid', `Uniconta has no daily journal ${journal}.`)
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
  if (!found) return rejected('unknown-account', `Uniconta has no account ${number}.`, about);
  if (found.Blocked === true)
    return rejected('blocked-account', `Account ${number} is blocked in Uniconta.`, about);
  const isHeading = found.AccountType === 'Header' || found.AccountType === 'Sum';
  return isHeading
    ? rejected(
        'unknown-account',
        `Account ${number} is a heading or a total, not an account to post on.`,
        about,
      )
    : null;
}

function closedDay(day: string, { openYears }: Chart): string | null {
  if (openYears.some(({ from, to }) => day >= from && day <= to)) return null;
  const years = openYears.map(({ from, to }) => `${from} to ${to}`).join(', ');
  return `The open years of Uniconta are ${years === '' ? 'none' : years}.`;
}

function rejected(code: RejectionCode, message: string, about: RefusedFacts = {}): Rejected {
  return { outcome: 'rejected', code, message, ...about };
}
