// What Business Central must know before a journal is made: the right company, an open period, accounts that take direct
// postings, dimension values. Read and remembered for a while; what is missing is read again before it is refused.
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import type {
  AuthFailed,
  ExpectedChart,
  Finding,
  RefusedFacts,
  Rejected,
  RejectionCode,
  Transient,
} from '../erp-adapter.js';
import { chartProblems, lackingFinding, withNames } from '../chart-problems.js';
import { periodFindings } from '../period-findings.js';
import { Remembered } from '../remembered.js';
import { ACCOUNTS_MAX, BLANK_DATE } from './assumptions.js';
import { type BcClient, literal } from './client.js';
import type { BusinessCentralConfiguration } from './config.js';
import {
  bcAccount,
  type BcAccount,
  bcCompany,
  bcCompanyInformation,
  bcDimension,
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
}

export class BcSetup {
  readonly #client: BcClient;
  readonly #configuration: BusinessCentralConfiguration;
  readonly #setup: Remembered<Setup>;

  constructor(client: BcClient, configuration: BusinessCentralConfiguration, clock: Clock) {
    this.#client = client;
    this.#configuration = configuration;
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
    if (setup.outcome !== 'ok') return [failed(setup.message)];
    const problems = chartProblems(expected, {
      account: (account) => this.#accountProblem(account, setup.value),
      dimension: (name, value) => this.#dimensionProblem(name, value, setup.value),
    });
    const periods = periodFindings(expected.postingDates, (day) => closedDay(day, setup.value));
    const message = `${setup.value.companyName} has all ${expected.accounts.length} accounts, open for posting.`;
    const chart: Finding[] =
      problems.length > 0
        ? problems.map((problem) => lackingFinding(problem, REMEDY))
        : [{ severity: 'ok', message }];
    const nameOf = (number: string) => setup.value.accounts.get(number)?.displayName;
    return [...withNames(chart, expected, nameOf), ...periods];
  }

  #problemOf(journal: Journal, setup: Setup): Rejected | null {
    const closed = closedDay(journal.postingDate, setup);
    if (closed !== null)
      return rejected('closed-period', `${closed} ${journal.postingDate} is not among these days.`, {
        period: journal.postingDate,
      });
    for (const line of journal.lines) {
      const problem = this.#accountProblem(line.account, setup) ?? this.#counterpartyProblem(line);
      if (problem) return problem;
      for (const [name, value] of Object.entries(line.dimensions ?? {})) {
        const unknown = this.#dimensionProblem(name, value, setup);
        if (unknown) return unknown;
      }
    }
    return null;
  }

  #inSubledger(account: string): boolean {
    const { customers, suppliers } = this.#configuration.subledger;
    return customers.includes(account) || suppliers.includes(account);
  }

  #counterpartyProblem(line: Journal['lines'][number]): Rejected | null {
    const inSubledger = this.#inSubledger(line.account);
    if ((line.counterparty !== undefined) === inSubledger) return null;
    if (inSubledger) {
      const message = `Account ${line.account} takes lines of customers and vendors only, and the document names no kennitala.`;
      return rejected('unknown-party', message, { account: line.account });
    }
    const message = `Account ${line.account} has a line with kennitala ${line.counterparty ?? ''}. List the account under \`subledger.customers\` or \`subledger.suppliers\`.`;
    return rejected('invalid', message);
  }

  #accountProblem(number: string, setup: Setup): Rejected | null {
    const account = setup.accounts.get(number);
    const about = { account: number };
    if (!account) return rejected('unknown-account', `Business Central has no account ${number}.`, about);
    if (account.accountType !== 'Posting') {
      return rejected(
        'unknown-account',
        `Account ${number} is a heading or a total, not an account to post on.`,
        about,
      );
    }
    if (account.blocked)
      return rejected('blocked-account', `Account ${number} is blocked in Business Central.`, about);
    if (account.directPosting || this.#inSubledger(number)) return null;
    const message = `Account ${number} takes no direct posting. If it is a control account, list it under \`subledger\`.`;
    return rejected('blocked-account', message, about);
  }

  #dimensionProblem(name: string, value: string | undefined, setup: Setup): Rejected | null {
    const code = this.#configuration.dimensions[name];
    if (code === undefined) {
      const message = `The dimension "${name}" has no code. Name one under \`dimensions\`.`;
      return rejected('unknown-dimension', message, { dimension: name });
    }
    if (value === undefined || setup.dimensionValues.has(`${code}=${value}`)) return null;
    return rejected('unknown-dimension', `Business Central has no value "${value}" of dimension ${code}.`, {
      dimension: name,
      value,
    });
  }

  async #load(): Promise<ReadAnswer<Setup>> {
    const company = await this.#company();
    if (company.outcome !== 'ok') return company;
    const ledgers = await this.#client.list('generalLedgerSetup', {}, bcLedgerSetup);
    if (ledgers.outcome !== 'ok') return ledgers;
    const [ledger] = ledgers.value;
    if (ledger?.localCurrencyCode !== 'ISK') {
      const currency = ledger?.localCurrencyCode ?? 'no currency';
      return rejected('wrong-company', `${company.value} keeps its books in ${currency}, not in ISK.`);
    }
    const accounts = await this.#client.list('accounts', { $top: String(ACCOUNTS_MAX) }, bcAccount);
    if (accounts.outcome !== 'ok') return accounts;
    const dimensionValues = await this.#dimensionValues();
    if (dimensionValues.outcome !== 'ok') return dimensionValues;
    return {
      outcome: 'ok',
      value: {
        companyName: company.value,
        registrationNo: await this.#registrationNo(),
        ledger,
        accounts: new Map(accounts.value.map((account) => [account.number, account])),
        dimensionValues: dimensionValues.value,
      },
    };
  }

  async #company(): Promise<ReadAnswer<string>> {
    const answer = await this.#client.get('', bcCompany);
    const { companyName: wanted, companyId } = this.#configuration;
    if (answer.outcome === 'rejected') {
      const message = `The environment has no company ${companyId} that this app may see. ${answer.message}`;
      return rejected('wrong-company', message);
    }
    if (answer.outcome !== 'ok') return answer;
    const name = answer.value.displayName ?? answer.value.name;
    if (wanted === name || wanted === answer.value.name) return { outcome: 'ok', value: name };
    return rejected('wrong-company', `Company ${companyId} is ${name}, not ${wanted}.`);
  }

  /** An app without the right to see it still works: then nobody compares. */
  async #registrationNo(): Promise<string> {
    const answer = await this.#client.list('companyInformation', {}, bcCompanyInformation);
    return answer.outcome === 'ok' ? (answer.value[0]?.taxRegistrationNumber ?? '') : '';
  }

  async #dimensionValues(): Promise<ReadAnswer<ReadonlySet<string>>> {
    const codes = Object.values(this.#configuration.dimensions);
    if (codes.length === 0) return { outcome: 'ok', value: new Set() };
    const $filter = codes.map((code) => `code eq ${literal(code)}`).join(' or ');
    const answer = await this.#client.list(
      'dimensions',
      { $filter, $expand: 'dimensionValues' },
      bcDimension,
    );
    if (answer.outcome !== 'ok') return answer;
    const values = answer.value.flatMap((dimension) =>
      dimension.dimensionValues.map((value) => `${dimension.code}=${value.code}`),
    );
    return { outcome: 'ok', value: new Set(values) };
  }
}

export function rejected(code: RejectionCode, message: string, about: RefusedFacts = {}): Rejected {
  return { outcome: 'rejected', code, message, ...about };
}

const REMEDY = 'Correct it in Business Central, or the rules of the tenant.';

function failed(message: string): Finding {
  return { severity: 'error', message, remedy: REMEDY };
}

function closedDay(
  day: string,
  { ledger: { allowPostingFrom: from, allowPostingTo: to } }: Setup,
): string | null {
  const isOpen = (from === BLANK_DATE || day >= from) && (to === BLANK_DATE || day <= to);
  const until = to === BLANK_DATE ? 'on' : `to ${to}`;
  return isOpen ? null : `Business Central allows posting from ${from} ${until}.`;
}
