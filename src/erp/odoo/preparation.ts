// Everything that must be so before an entry is created: open period, known accounts, currencies, analytic accounts and
// partners. Odoo itself refuses little of this, and moves dates and rounds amounts rather than say no.
import { type Journal, partyWith } from '../../domain/journal.js';
import type { Ok, ReadAnswer } from '../answer.js';
import { currencyFindings, lackingFinding, withNames } from '../chart-problems.js';
import { checkJournal } from '../check-journal.js';
import type { ErpCapabilities, ExpectedChart, Finding, PostRequest, Rejected } from '../erp-adapter.js';
import type { PartnerDirectory, PartnerWanted } from '../partner-directory.js';
import { partyNumber } from '../party-key.js';
import { periodFindings } from '../period-findings.js';
import { failedCheck, rejected, told } from '../told.js';
import type { OdooClient } from './client.js';
import type { OdooConfiguration } from './config.js';
import { type OdooDocumentValues, owedInKronur, toDocumentValues } from './documents.js';
import { createOdooPartners } from './partners.js';
import { type OdooSetup, type Setup, tooFine } from './setup.js';
import { type OdooEntryValues, type OdooNumbers, toEntryValues } from './translate.js';
import type { OdooAccount } from './wire.js';

export class OdooPreparation {
  readonly #setup: OdooSetup;
  readonly #configuration: OdooConfiguration;
  readonly #capabilities: ErpCapabilities;
  readonly #partners: PartnerDirectory<number>;

  constructor(
    client: OdooClient,
    setup: OdooSetup,
    configuration: OdooConfiguration,
    capabilities: ErpCapabilities,
  ) {
    this.#setup = setup;
    this.#configuration = configuration;
    this.#capabilities = capabilities;
    this.#partners = createOdooPartners(client, configuration.partners.create);
  }

  async values(
    request: PostRequest,
    reversedId?: number,
  ): Promise<ReadAnswer<OdooEntryValues | OdooDocumentValues>> {
    const { journal, key } = request;
    const crooked = checkJournal(journal, this.#capabilities);
    if (crooked) return crooked;
    const setup = await this.#setup.get();
    if (setup.outcome !== 'ok') return setup;
    const numbers = await this.#numbers(journal, setup.value);
    if (numbers.outcome !== 'ok') return numbers;
    const owed = this.#configuration.books === 'documents' ? owedInKronur(journal) : null;
    const value = owed
      ? toDocumentValues(key, journal, owed, numbers.value)
      : toEntryValues(key, journal, numbers.value, reversedId);
    return { outcome: 'ok', value };
  }

  async findings(expected: ExpectedChart): Promise<Finding[]> {
    const setup = await this.#setup.fresh();
    if (setup.outcome !== 'ok') return [failedCheck(setup, REMEDY)];
    const accounts = await this.#setup.accounts(setup.value, expected.accounts);
    if (accounts.outcome !== 'ok') return [failedCheck(accounts, REMEDY)];
    const values = await this.#setup.planAccounts();
    if (values.outcome !== 'ok') return [failedCheck(values, REMEDY)];
    const wanted = Object.entries(expected.dimensions);
    const problems = [
      ...expected.accounts.flatMap((code) => accountProblem(code, accounts.value) ?? []),
      ...wanted.filter(([name]) => !(name in this.#configuration.dimensions)).map(([name]) => unmapped(name)),
      ...wanted.flatMap(([name, texts]) =>
        texts.filter((text) => !values.value.has(`${name}=${text}`)).map((text) => unknownValue(name, text)),
      ),
    ];
    const locked = await this.#setup.lockedUntil(setup.value);
    if (locked.outcome !== 'ok') return [failedCheck(locked, REMEDY)];
    const periods = periodFindings(expected.postingDates, (day) =>
      day <= locked.value ? told('BOOKS_CLOSED_UNTIL', { until: locked.value }).message : null,
    );
    const { companyName, currencies } = setup.value;
    const lacking = [
      ...problems.map((problem) => lackingFinding(problem, REMEDY)),
      ...currencyFindings('Odoo', expected, (code) => currencies.some(({ name }) => name === code)),
    ];
    const ready = told('READY_ACCOUNTS', { company: companyName, count: expected.accounts.length });
    const chart: Finding[] = lacking.length > 0 ? lacking : [{ severity: 'ok', ...ready }];
    const named = withNames(chart, expected, (code) => accounts.value.get(code)?.name);
    return [...named, ...(await this.#vatFindings(expected)), ...periods];
  }

  async #numbers(journal: Journal, setup: Setup): Promise<ReadAnswer<OdooNumbers>> {
    const closed = await this.#closedPeriod(journal, setup);
    if (closed.outcome !== 'ok') return closed;
    const fine = tooFine(journal, setup);
    if (fine) return fine;
    const accounts = await this.#accountIds(journal, setup);
    if (accounts.outcome !== 'ok') return accounts;
    const analyticAccounts = await this.#analyticAccounts(journal);
    if (analyticAccounts.outcome !== 'ok') return analyticAccounts;
    const currencies = new Map(setup.currencies.map((currency) => [currency.name, currency.id]));
    const foreign = journal.lines.find((line) => line.currency && !currencies.has(line.currency));
    if (foreign)
      return rejected('invalid', told('CURRENCY_LACKING', { system, currency: foreign.currency ?? '' }));
    const taxes = await this.#taxes(journal);
    if (taxes.outcome !== 'ok') return taxes;
    const partners = await this.#resolvePartners(journal);
    if (partners.outcome !== 'ok') return partners;
    return {
      outcome: 'ok',
      value: {
        journals: setup.journals,
        accounts: accounts.value,
        analyticAccounts: analyticAccounts.value,
        currencies,
        partners: partners.value,
        taxes: taxes.value,
      },
    };
  }

  async #accountIds(journal: Journal, setup: Setup): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const codes = journal.lines.map((line) => line.account);
    const accounts = await this.#setup.accounts(setup, codes);
    if (accounts.outcome !== 'ok') return accounts;
    const problem = codes.map((code) => accountProblem(code, accounts.value)).find((each) => each !== null);
    if (problem) return problem;
    return { outcome: 'ok', value: new Map([...accounts.value].map(([code, { id }]) => [code, id])) };
  }

  async #closedPeriod(journal: Journal, setup: Setup): Promise<ReadAnswer<undefined>> {
    const locked = await this.#setup.lockedUntil(setup);
    if (locked.outcome !== 'ok') return locked;
    if (journal.postingDate > locked.value) return nothing;
    const { postingDate: date } = journal;
    const words = told('LOCKED_UNTIL', { system, until: locked.value, date });
    return rejected('closed-period', words, { period: date });
  }

  async #taxes(journal: Journal): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    if (this.#capabilities.vatMode !== 'erp-splits') return { outcome: 'ok', value: new Map() };
    const codes = journal.lines.flatMap(({ vatCode }) => vatCode ?? []);
    const taxes = await this.#setup.taxes(codes);
    if (taxes.outcome !== 'ok') return taxes;
    const missing = codes.find((code) => !taxes.value.has(code));
    return missing === undefined ? taxes : unknownTax(missing);
  }

  async #vatFindings({ vatCodes }: ExpectedChart): Promise<Finding[]> {
    if (this.#capabilities.vatMode !== 'erp-splits') return [];
    const taxes = await this.#setup.taxes(vatCodes);
    if (taxes.outcome !== 'ok') return [failedCheck(taxes, REMEDY)];
    const missing = vatCodes.filter((code) => !taxes.value.has(code));
    return missing.map((code) => ({ ...lackingFinding(unknownTax(code), REMEDY), severity: 'warning' }));
  }

  async #analyticAccounts(journal: Journal): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const wanted = journal.lines.flatMap((line) => Object.entries(line.dimensions ?? {}));
    if (wanted.length === 0) return { outcome: 'ok', value: new Map() };
    const unknown = wanted.find(([name]) => !(name in this.#configuration.dimensions));
    if (unknown) return unmapped(unknown[0]);
    const accounts = await this.#setup.planAccounts();
    if (accounts.outcome !== 'ok') return accounts;
    const missing = wanted.find(([name, value]) => !accounts.value.has(`${name}=${value}`));
    return missing ? unknownValue(missing[0], missing[1]) : accounts;
  }

  async #resolvePartners(journal: Journal): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const resolved = new Map<string, number>();
    for (const line of journal.lines) {
      if (line.counterparty === undefined) continue;
      const kennitala = partyNumber(line.counterparty);
      if (resolved.has(kennitala)) continue;
      const partner = await this.#partners.resolve(wantedPartner(journal, kennitala));
      if (partner.outcome !== 'ok') return partner;
      resolved.set(kennitala, partner.value);
    }
    return { outcome: 'ok', value: resolved };
  }
}

/** Odoo keeps one partner for both sides, so the kind must not split the single flight per kennitala. */
function wantedPartner(journal: Journal, kennitala: string): PartnerWanted {
  const party = partyWith(journal, (one) => partyNumber(one.kennitala) === kennitala);
  return { kind: 'customer', kennitala, ...(party ? { party } : {}) };
}

const nothing: Ok<undefined> = { outcome: 'ok', value: undefined };

function accountProblem(code: string, accounts: ReadonlyMap<string, OdooAccount>): Rejected | null {
  const account = accounts.get(code);
  const about = { account: code };
  if (!account) return rejected('unknown-account', told('ACCOUNT_LACKING', { system, ...about }), about);
  return account.deprecated
    ? rejected('blocked-account', told('ACCOUNT_SHUT', { system, ...about, how: 'deprecated' }), about)
    : null;
}

function unknownTax(code: string): Rejected {
  const about = { vatCode: code };
  return rejected('unknown-vat-code', told('VAT_CODE_WITHOUT_TAX', about), about);
}

function unmapped(name: string): Rejected {
  const words = told('DIMENSION_WITHOUT_PLACE', { system, dimension: name, setting: '`dimensions`' });
  return rejected('unknown-dimension', words, { dimension: name });
}

function unknownValue(name: string, value: string): Rejected {
  const about = { dimension: name, value };
  return rejected('unknown-dimension', told('DIMENSION_VALUE_LACKING', { system, ...about }), about);
}

const system = 'Odoo';
const REMEDY = told('CORRECT_IN_ERP', { system: 'Odoo' });
