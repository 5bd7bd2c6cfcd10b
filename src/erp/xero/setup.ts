// What Xero must know before a journal is sent: the right organisation, an open period, accounts that manual journals may
// use, tracking options. Kept for a while, since sixty calls a minute are few.
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
  VatMode,
} from '../erp-adapter.js';
import { chartProblems, currencyFindings, lackingFinding, withNames } from '../chart-problems.js';
import { periodFindings } from '../period-findings.js';
import { Remembered } from '../remembered.js';
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
    if (setup.outcome !== 'ok') return [failed(setup.message)];
    const problems = chartProblems(expected, {
      account: (account) => this.#accountProblem(account, setup.value),
      dimension: (name, value) => this.#dimensionProblem(name, value, setup.value),
    });
    const { lockedUntil, accounts } = setup.value;
    const periods = periodFindings(expected.postingDates, (day) =>
      day <= lockedUntil ? `Xero is locked until ${lockedUntil}.` : null,
    );
    const message = `${setup.value.organisation} has all ${expected.accounts.length} accounts, open for journals.`;
    const chart: Finding[] =
      problems.length > 0
        ? problems.map((problem) => lackingFinding(problem, REMEDY))
        : [{ severity: 'ok', message }];
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
      message: `Account ${code} takes no payments in Xero, so what is paid cannot be matched with its invoice.`,
      remedy: 'Tick "Enable payments to this account" on it in the chart of accounts.',
    }));
  }

  #vatFindings({ vatCodes }: ExpectedChart, setup: Setup): Finding[] {
    const problems = vatCodes.map((code) => this.#vatProblem(code, setup)).filter((each) => each !== null);
    return problems.map((problem) => ({ ...lackingFinding(problem, REMEDY), severity: 'warning' }));
  }

  #vatProblem(code: string | undefined, { taxTypes }: Setup): Rejected | null {
    if (this.#vatMode !== 'erp-splits' || code === undefined || taxTypes.has(code)) return null;
    return rejected('unknown-vat-code', `Xero has no active tax rate of the type ${code}.`, {
      vatCode: code,
    });
  }

  #problemOf(journal: Journal, setup: Setup): Rejected | null {
    if (journal.postingDate <= setup.lockedUntil) {
      const message = `Xero is locked until ${setup.lockedUntil}; ${journal.postingDate} cannot be booked.`;
      return rejected('closed-period', message, { period: journal.postingDate });
    }
    const isForeign = this.#configuration.foreignDocuments === 'in-currency' && journal.currency !== 'ISK';
    if (isForeign && !setup.currencies.has(journal.currency))
      return rejected('invalid', `The currency ${journal.currency} is not switched on in Xero.`);
    for (const line of journal.lines) {
      const problem = this.#accountProblem(line.account, setup) ?? this.#vatProblem(line.vatCode, setup);
      if (problem) return problem;
      const dimensions = Object.entries(line.dimensions ?? {});
      if (dimensions.length > TRACKING_MAX) {
        const message = `A line has ${dimensions.length} dimensions; Xero takes ${TRACKING_MAX}.`;
        return rejected('unsupported', message);
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
    const named = code === number ? number : `${number} (${code} in Xero)`;
    const account = setup.accounts.get(code);
    const about = { account: number };
    if (!account) return rejected('unknown-account', `Xero has no account ${named}.`, about);
    if (account.Status !== 'ACTIVE')
      return rejected('blocked-account', `Account ${named} is archived in Xero.`, about);
    const isClosed = (CLOSED_TO_JOURNALS as readonly string[]).includes(account.SystemAccount);
    if (account.Type !== 'BANK' && !isClosed) return null;
    const message = `Xero's manual journals refuse account ${named} (${account.Name}). Make a clearing account and name it under \`clearingAccounts\`.`;
    return rejected('blocked-account', message, about);
  }

  #dimensionProblem(name: string, value: string | undefined, setup: Setup): Rejected | null {
    const category = this.#configuration.dimensions[name];
    if (category === undefined) {
      const message = `The dimension "${name}" has no tracking category. Name one under \`dimensions\`.`;
      return rejected('unknown-dimension', message, { dimension: name });
    }
    if (value === undefined || setup.options.has(`${category}=${value}`)) return null;
    return rejected(
      'unknown-dimension',
      `Xero has no option "${value}" of the tracking category ${category}.`,
      { dimension: name, value },
    );
  }

  async #load(): Promise<ReadAnswer<Setup>> {
    const organisations = await this.#client.get('Organisation', xeroOrganisations);
    if (organisations.outcome !== 'ok') return organisations;
    const [organisation] = organisations.value.Organisations;
    if (!organisation) return rejected('wrong-company', 'The connection opens no organisation.');
    const { Name, BaseCurrency } = organisation;
    const other = otherCompany(organisation, this.#configuration);
    if (other) return other;
    if (BaseCurrency !== 'ISK') {
      return rejected('wrong-company', `${Name} keeps its books in ${BaseCurrency}, not in ISK.`);
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

export function rejected(code: RejectionCode, message: string, about: RefusedFacts = {}): Rejected {
  return { outcome: 'rejected', code, message, ...about };
}

const REMEDY = 'Correct it in Xero, or the rules of the tenant.';

function failed(message: string): Finding {
  return { severity: 'error', message, remedy: REMEDY };
}
