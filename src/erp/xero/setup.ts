// What Xero must know before a journal is sent: the right organisation, an open period, accounts that manual journals may
// use, tracking options. Kept for a while, since sixty calls a minute are few.
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
import { failedCheck, rejected, remedyOf, told } from '../told.js';
import { CLOSED_TO_JOURNALS, TRACKING_MAX } from './assumptions.js';
import type { XeroClient } from './client.js';
import { otherCompany } from './company.js';
import type { XeroConfiguration } from './config.js';
import { xeroCode } from './translate.js';
import { type XeroAccount, xeroAccounts, xeroOrganisations, xeroTaxRates, xeroTracking } from './wire.js';
import { xeroCurrencies } from './wire-documents.js';

const SETUP_LIFE_MS = 10 * 60 * 1000;

interface Setup {
  readonly organisation: string;
  readonly lockedUntil: string;
  readonly accounts: ReadonlyMap<string, XeroAccount>;
  /** `Category=Option` */
  readonly options: ReadonlySet<string>;
  /** Currencies besides ISK; read only where documents may be in theirs. */
  readonly currencies: ReadonlySet<string>;
  /** TaxTypes that may be used; read only where Xero is to split VAT. */
  readonly taxTypes: ReadonlySet<string>;
}

export class XeroSetup {
  readonly #client: XeroClient;
  readonly #configuration: XeroConfiguration;
  readonly #setup: Remembered<Setup>;
  readonly #vatMode: VatMode;

  constructor(client: XeroClient, configuration: XeroConfiguration, clock: Clock, vatMode: VatMode) {
    this.#client = client;
    this.#vatMode = vatMode;
    this.#configuration = configuration;
    this.#setup = new Remembered(clock, SETUP_LIFE_MS, () => this.#load());
  }

  async organisation(): Promise<ReadAnswer<string>> {
    const setup = await this.#setup.fresh();
    return setup.outcome === 'ok' ? { outcome: 'ok', value: setup.value.organisation } : setup;
  }

  /** Null when everything that the journal names can be booked. */
  check(journal: Journal): Promise<Rejected | Transient | AuthFailed | null> {
    return this.#setup.problem((setup) => this.#problemOf(journal, setup));
  }

  async findings(expected: ExpectedChart): Promise<Finding[]> {
    const setup = await this.#setup.fresh();
    if (setup.outcome !== 'ok') return [failedCheck(setup, REMEDY)];
    const problems = chartProblems(expected, {
      account: (account) => this.#accountProblem(account, setup.value),
      dimension: (name, value) => this.#dimensionProblem(name, value, setup.value),
    });
    const { lockedUntil, accounts } = setup.value;
    const periods = periodFindings(expected.postingDates, (day) =>
      day <= lockedUntil ? told('LOCKED_UNTIL', { system: 'Xero', until: lockedUntil }) : null,
    );
    const { organisation: company } = setup.value;
    const ready = told('READY_ACCOUNTS', { company, count: expected.accounts.length });
    const chart: Finding[] =
      problems.length > 0
        ? problems.map((problem) => lackingFinding(problem, REMEDY))
        : [{ severity: 'ok', ...ready }];
    const { books, foreignDocuments } = this.#configuration;
    const lacking =
      foreignDocuments === 'in-currency'
        ? currencyFindings('Xero', expected, (code) => setup.value.currencies.has(code))
        : [];
    const documents = books === 'documents' ? this.#paymentFindings(setup.value) : [];
    const nameOf = (number: string) => accounts.get(xeroCode(number, this.#configuration))?.Name;
    const named = withNames([...chart, ...lacking], expected, nameOf);
    return [...named, ...this.#vatFindings(expected, setup.value), ...documents, ...periods];
  }

  /** A payment on an invoice is taken from the clearing account, which has to allow it. */
  #paymentFindings({ accounts }: Setup): Finding[] {
    const { customers, suppliers } = this.#configuration.subledger;
    const codes = [...customers, ...suppliers].map((number) => xeroCode(number, this.#configuration));
    const closed = codes.filter((code) => accounts.get(code)?.EnablePaymentsToAccount === false);
    return closed.map((code) => ({
      severity: 'warning',
      ...told('ACCOUNT_TAKES_NO_PAYMENTS', { account: code }),
      ...remedyOf(told('ENABLE_PAYMENTS')),
    }));
  }

  #vatFindings({ vatCodes }: ExpectedChart, setup: Setup): Finding[] {
    const problems = vatCodes.map((code) => this.#vatProblem(code, setup)).filter((each) => each !== null);
    return problems.map((problem) => ({ ...lackingFinding(problem, REMEDY), severity: 'warning' }));
  }

  #vatProblem(code: string | undefined, { taxTypes }: Setup): Rejected | null {
    if (this.#vatMode !== 'erp-splits' || code === undefined || taxTypes.has(code)) return null;
    const about = { vatCode: code };
    return rejected('unknown-vat-code', told('VAT_CODE_WITHOUT_RATE', about), about);
  }

  #problemOf(journal: Journal, setup: Setup): Rejected | null {
    if (journal.postingDate <= setup.lockedUntil) {
      const { postingDate: date } = journal;
      const words = told('LOCKED_UNTIL', { system, until: setup.lockedUntil, date });
      return rejected('closed-period', words, { period: date });
    }
    const isForeign = this.#configuration.foreignDocuments === 'in-currency' && journal.currency !== 'ISK';
    if (isForeign && !setup.currencies.has(journal.currency))
      return rejected('invalid', told('CURRENCY_LACKING', { system, currency: journal.currency }));
    for (const line of journal.lines) {
      const problem = this.#accountProblem(line.account, setup) ?? this.#vatProblem(line.vatCode, setup);
      if (problem) return problem;
      const dimensions = Object.entries(line.dimensions ?? {});
      if (dimensions.length > TRACKING_MAX) {
        const counted = { count: dimensions.length, most: TRACKING_MAX };
        return rejected('unsupported', told('TOO_MANY_DIMENSIONS', counted));
      }
      for (const [name, value] of dimensions) {
        const unknown = this.#dimensionProblem(name, value, setup);
        if (unknown) return unknown;
      }
    }
    return null;
  }

  #accountProblem(number: string, setup: Setup): Rejected | null {
    const code = xeroCode(number, this.#configuration);
    const named = code === number ? number : `${number} (Xero: ${code})`;
    const account = setup.accounts.get(code);
    const about = { account: number };
    if (!account)
      return rejected('unknown-account', told('ACCOUNT_LACKING', { system, account: named }), about);
    if (account.Status !== 'ACTIVE')
      return rejected(
        'blocked-account',
        told('ACCOUNT_SHUT', { system, account: named, how: 'archived' }),
        about,
      );
    const isClosed = (CLOSED_TO_JOURNALS as readonly string[]).includes(account.SystemAccount);
    if (account.Type !== 'BANK' && !isClosed) return null;
    const words = told('ACCOUNT_NOT_FOR_JOURNALS', { account: named, name: account.Name });
    return rejected('blocked-account', words, about);
  }

  #dimensionProblem(name: string, value: string | undefined, setup: Setup): Rejected | null {
    const category = this.#configuration.dimensions[name];
    if (category === undefined) {
      const words = told('DIMENSION_WITHOUT_PLACE', { system, dimension: name, setting: '`dimensions`' });
      return rejected('unknown-dimension', words, { dimension: name });
    }
    if (value === undefined || setup.options.has(`${category}=${value}`)) return null;
    const words = told('DIMENSION_VALUE_LACKING', { system, dimension: category, value });
    return rejected('unknown-dimension', words, { dimension: name, value });
  }

  async #load(): Promise<ReadAnswer<Setup>> {
    const organisations = await this.#client.get('Organisation', xeroOrganisations);
    if (organisations.outcome !== 'ok') return organisations;
    const [organisation] = organisations.value.Organisations;
    if (!organisation) return rejected('wrong-company', told('OPENS_NOTHING'));
    const { Name, BaseCurrency } = organisation;
    const other = otherCompany(organisation, this.#configuration);
    if (other) return other;
    if (BaseCurrency !== 'ISK') {
      const words = told('BOOKS_NOT_IN_ISK', { company: Name, currency: BaseCurrency });
      return rejected('wrong-company', words);
    }
    const locks = [organisation.PeriodLockDate, organisation.EndOfYearLockDate];
    const lockedUntil =
      locks
        .filter((day) => day !== undefined)
        .sort()
        .at(-1) ?? '';
    const accounts = await this.#client.get('Accounts', xeroAccounts);
    if (accounts.outcome !== 'ok') return accounts;
    const options = await this.#options();
    if (options.outcome !== 'ok') return options;
    const taxTypes = await this.#taxTypes();
    if (taxTypes.outcome !== 'ok') return taxTypes;
    const currencies = await this.#currencies();
    if (currencies.outcome !== 'ok') return currencies;
    return {
      outcome: 'ok',
      value: {
        organisation: Name,
        lockedUntil,
        accounts: new Map(accounts.value.Accounts.map((account) => [account.Code, account])),
        options: options.value,
        taxTypes: taxTypes.value,
        currencies: currencies.value,
      },
    };
  }

  async #currencies(): Promise<ReadAnswer<ReadonlySet<string>>> {
    if (this.#configuration.foreignDocuments !== 'in-currency') return { outcome: 'ok', value: new Set() };
    const answer = await this.#client.get('Currencies', xeroCurrencies);
    if (answer.outcome !== 'ok') return answer;
    return { outcome: 'ok', value: new Set(answer.value.Currencies.map(({ Code }) => Code)) };
  }

  async #taxTypes(): Promise<ReadAnswer<ReadonlySet<string>>> {
    if (this.#vatMode !== 'erp-splits') return { outcome: 'ok', value: new Set() };
    const answer = await this.#client.get('TaxRates', xeroTaxRates);
    if (answer.outcome !== 'ok') return answer;
    const active = answer.value.TaxRates.filter(({ Status }) => Status === 'ACTIVE');
    return { outcome: 'ok', value: new Set(active.map(({ TaxType }) => TaxType)) };
  }

  async #options(): Promise<ReadAnswer<ReadonlySet<string>>> {
    if (Object.keys(this.#configuration.dimensions).length === 0) return { outcome: 'ok', value: new Set() };
    const answer = await this.#client.get('TrackingCategories', xeroTracking);
    if (answer.outcome !== 'ok') return answer;
    const names = answer.value.TrackingCategories.flatMap((category) =>
      category.Options.filter((option) => option.Status === 'ACTIVE').map(
        (option) => `${category.Name}=${option.Name}`,
      ),
    );
    return { outcome: 'ok', value: new Set(names) };
  }
}

const system = 'Xero';
const REMEDY = told('CORRECT_IN_ERP', { system: 'Xero' });
