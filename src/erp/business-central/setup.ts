// What Business Central must know before a journal is made: the right company, an open period, accounts that take direct
// postings, dimension values. Read and remembered for a while; what is missing is read again before it is refused.
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import type { AuthFailed, ExpectedChart, Finding, Rejected, Transient, VatMode } from '../erp-adapter.js';
import {
  chartProblems,
  currencyFindings,
  lackingFinding,
  periodFindings,
  Remembered,
  withNames,
} from '../chart.js';
import { failedCheck, rejected, saidBy, type Told, told } from '../told.js';
import { ACCOUNTS_MAX, BLANK_DATE } from './assumptions.js';
import type { BcClient } from './client.js';
import { groupProblem, readDimensionValues, readVatGroups } from './codes.js';
import type { BusinessCentralConfiguration } from './config.js';
import { readRate } from './exchange-rates.js';
import {
  bcAccount,
  type BcAccount,
  bcCompany,
  bcCompanyInformation,
  bcLedgerSetup,
  type BcLedgerSetup,
} from './wire.js';

const SETUP_LIFE_MS = 5 * 60 * 1000;

interface Setup {
  readonly companyName: string;
  /** As written under Company Information; empty: nothing is. */
  readonly registrationNo: string;
  readonly ledger: BcLedgerSetup;
  readonly accounts: ReadonlyMap<string, BcAccount>;
  /** `CODE=VALUE` */
  readonly dimensionValues: ReadonlySet<string>;
  /** VAT product posting groups in upper case; empty where no line has one. */
  readonly vatGroups: ReadonlySet<string>;
}

export class BcSetup {
  readonly #client: BcClient;
  readonly #configuration: BusinessCentralConfiguration;
  readonly #setup: Remembered<Setup>;
  readonly #vatMode: VatMode;

  constructor(client: BcClient, configuration: BusinessCentralConfiguration, clock: Clock, vatMode: VatMode) {
    this.#client = client;
    this.#configuration = configuration;
    this.#vatMode = vatMode;
    this.#setup = new Remembered(clock, SETUP_LIFE_MS, () => this.#load());
  }

  async company(): Promise<ReadAnswer<{ readonly name: string; readonly registrationNo: string }>> {
    const setup = await this.#setup.fresh();
    if (setup.outcome !== 'ok') return setup;
    const { companyName: name, registrationNo } = setup.value;
    return { outcome: 'ok', value: { name, registrationNo } };
  }

  /** Null when everything that the journal names can be booked. */
  check(journal: Journal): Promise<Rejected | Transient | AuthFailed | null> {
    return this.#setup.problem((setup) => this.#problemOf(journal, setup));
  }

  async findings(expected: ExpectedChart): Promise<Finding[]> {
    const setup = await this.#setup.fresh();
    if (setup.outcome !== 'ok') return [failedCheck(setup, REMEDY)];
    const problems = [
      ...chartProblems(expected, {
        account: (account) => this.#accountProblem(account, setup.value),
        dimension: (name, value) => this.#dimensionProblem(name, value, setup.value),
      }),
      this.#noVatProblem(setup.value) ?? [],
    ].flat();
    const currencies = await this.#currencyFindings(expected);
    const periods = periodFindings(expected.postingDates, (day) => closedDay(day, setup.value));
    const { companyName: company } = setup.value;
    const ready = told('READY_ACCOUNTS', { company, count: expected.accounts.length });
    const chart: Finding[] =
      problems.length > 0
        ? problems.map((problem) => lackingFinding(problem, REMEDY))
        : [{ severity: 'ok', ...ready }];
    const nameOf = (number: string) => setup.value.accounts.get(number)?.displayName;
    const groups = this.#groupFindings(expected, setup.value);
    return [...withNames(chart, expected, nameOf), ...groups, ...currencies, ...periods];
  }

  #problemOf(journal: Journal, setup: Setup): Rejected | null {
    const { postingDate: date } = journal;
    const closed = closedDay(date, setup, date);
    if (closed !== null) return rejected('closed-period', closed, { period: date });
    const lacking = this.#noVatProblem(setup);
    if (lacking) return lacking;
    for (const line of journal.lines) {
      const problem =
        this.#accountProblem(line.account, setup) ??
        this.#counterpartyProblem(line) ??
        this.#lineGroupProblem(line, setup);
      if (problem) return problem;
      for (const [name, value] of Object.entries(line.dimensions ?? {})) {
        const unknown = this.#dimensionProblem(name, value, setup);
        if (unknown) return unknown;
      }
    }
    return null;
  }

  #lineGroupProblem({ vatCode }: { readonly vatCode?: string }, { vatGroups }: Setup): Rejected | null {
    return this.#vatMode === 'erp-splits' ? groupProblem(vatCode, vatGroups) : null;
  }

  /** The group of lines without VAT, which documents cannot be without. */
  #noVatProblem({ vatGroups }: Setup): Rejected | null {
    const { books, noVatGroup } = this.#configuration;
    return books === 'documents' ? groupProblem(noVatGroup, vatGroups) : null;
  }

  /** The rules may know codes that no document has. */
  #groupFindings({ vatCodes }: ExpectedChart, setup: Setup): Finding[] {
    const problems = vatCodes.map((vatCode) => this.#lineGroupProblem({ vatCode }, setup));
    return problems
      .filter((problem) => problem !== null)
      .map((problem) => ({ ...lackingFinding(problem, REMEDY), severity: 'warning' }));
  }

  /** Documents in their currency are reckoned by the rates of the company. */
  async #currencyFindings(expected: ExpectedChart): Promise<Finding[]> {
    if (this.#configuration.foreignDocuments !== 'in-currency') return [];
    const known = new Set<string>();
    for (const currency of expected.currencies ?? []) {
      const rate = await readRate(this.#client, currency, LAST_DAY);
      if (rate.outcome !== 'ok') return [failedCheck(rate, REMEDY)];
      if (rate.value) known.add(currency);
    }
    return currencyFindings(system, expected, (currency) => known.has(currency));
  }

  #inSubledger(account: string): boolean {
    const { customers, suppliers } = this.#configuration.subledger;
    return customers.includes(account) || suppliers.includes(account);
  }

  #counterpartyProblem(line: Journal['lines'][number]): Rejected | null {
    const inSubledger = this.#inSubledger(line.account);
    if ((line.counterparty !== undefined) === inSubledger) return null;
    if (inSubledger) {
      const about = { account: line.account };
      return rejected('unknown-party', told('ACCOUNT_WANTS_KENNITALA', about), about);
    }
    const words = told('ACCOUNT_NOT_LISTED', { account: line.account, kennitala: line.counterparty ?? '' });
    return rejected('invalid', words);
  }

  #accountProblem(number: string, setup: Setup): Rejected | null {
    const account = setup.accounts.get(number);
    const about = { account: number };
    if (!account) return rejected('unknown-account', told('ACCOUNT_LACKING', { system, ...about }), about);
    if (account.accountType !== 'Posting') {
      return rejected('unknown-account', told('ACCOUNT_HEADING', about), about);
    }
    if (account.blocked)
      return rejected('blocked-account', told('ACCOUNT_SHUT', { system, ...about, how: 'blocked' }), about);
    if (account.directPosting || this.#inSubledger(number)) return null;
    return rejected('blocked-account', told('ACCOUNT_NOT_DIRECT', about), about);
  }

  #dimensionProblem(name: string, value: string | undefined, setup: Setup): Rejected | null {
    const code = this.#configuration.dimensions[name];
    if (code === undefined) {
      const words = told('DIMENSION_WITHOUT_PLACE', { system, dimension: name, setting: '`dimensions`' });
      return rejected('unknown-dimension', words, { dimension: name });
    }
    if (value === undefined || setup.dimensionValues.has(`${code}=${value}`)) return null;
    const words = told('DIMENSION_VALUE_LACKING', { system, dimension: code, value });
    return rejected('unknown-dimension', words, { dimension: name, value });
  }

  async #load(): Promise<ReadAnswer<Setup>> {
    const company = await companyName(this.#client, this.#configuration);
    if (company.outcome !== 'ok') return company;
    const ledgers = await this.#client.list('generalLedgerSetup', {}, bcLedgerSetup);
    if (ledgers.outcome !== 'ok') return ledgers;
    const [ledger] = ledgers.value;
    if (ledger?.localCurrencyCode !== 'ISK') {
      const currency = ledger?.localCurrencyCode ?? '';
      return rejected('wrong-company', told('BOOKS_NOT_IN_ISK', { company: company.value, currency }));
    }
    const accounts = await this.#client.list('accounts', { $top: String(ACCOUNTS_MAX) }, bcAccount);
    if (accounts.outcome !== 'ok') return accounts;
    const dimensionValues = await readDimensionValues(
      this.#client,
      Object.values(this.#configuration.dimensions),
    );
    if (dimensionValues.outcome !== 'ok') return dimensionValues;
    const areUsed = this.#vatMode === 'erp-splits' || this.#configuration.books === 'documents';
    const vatGroups = await (areUsed ? readVatGroups(this.#client) : NO_GROUPS);
    if (vatGroups.outcome !== 'ok') return vatGroups;
    return {
      outcome: 'ok',
      value: {
        companyName: company.value,
        registrationNo: await this.#registrationNo(),
        ledger,
        accounts: new Map(accounts.value.map((account) => [account.number, account])),
        dimensionValues: dimensionValues.value,
        vatGroups: vatGroups.value,
      },
    };
  }

  /** An app without the right to see it still works: then nobody compares. */
  async #registrationNo(): Promise<string> {
    const answer = await this.#client.list('companyInformation', {}, bcCompanyInformation);
    return answer.outcome === 'ok' ? (answer.value[0]?.taxRegistrationNumber ?? '') : '';
  }
}

/** The name of the company that the settings name by id; another name there is a mistaken id. */
export async function companyName(
  client: BcClient,
  { companyName: wanted, companyId }: Pick<BusinessCentralConfiguration, 'companyName' | 'companyId'>,
): Promise<ReadAnswer<string>> {
  const answer = await client.get('', bcCompany);
  if (answer.outcome === 'rejected') {
    const answered = { company: companyId, answer: saidBy(answer) };
    return rejected('wrong-company', told('COMPANY_NOT_SHOWN_SAID', answered));
  }
  if (answer.outcome !== 'ok') return answer;
  const name = answer.value.displayName ?? answer.value.name;
  if (wanted === name || wanted === answer.value.name) return { outcome: 'ok', value: name };
  const words = told('COMPANY_IS_OTHER', { id: companyId, company: name, wanted });
  return rejected('wrong-company', words);
}

const system = 'Business Central';
const REMEDY = told('CORRECT_IN_ERP', { system: 'Business Central' });
const NO_GROUPS = { outcome: 'ok', value: new Set<string>() } as const;
/** A rate counts from its day on, so this asks whether there is any. */
const LAST_DAY = '9999-12-31';

function closedDay(
  day: string,
  { ledger: { allowPostingFrom: from, allowPostingTo: to } }: Setup,
  date?: string,
): Told | null {
  const isOpen = (from === BLANK_DATE || day >= from) && (to === BLANK_DATE || day <= to);
  const days = `${from} – ${to === BLANK_DATE ? '' : to}`.trimEnd();
  return isOpen ? null : told('OPEN_DAYS_ARE', { system, days, ...(date === undefined ? {} : { date }) });
}
