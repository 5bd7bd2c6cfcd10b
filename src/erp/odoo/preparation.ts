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
import type { OdooClient } from './client.js';
import type { OdooConfiguration } from './config.js';
import { type OdooDocumentValues, owedInKronur, toDocumentValues } from './documents.js';
import { createOdooPartners } from './partners.js';
import { type OdooSetup, refused, type Setup, tooFine } from './setup.js';
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
    if (setup.outcome !== 'ok') return [failed(setup.message)];
    const accounts = await this.#setup.accounts(setup.value, expected.accounts);
    if (accounts.outcome !== 'ok') return [failed(accounts.message)];
    const values = await this.#setup.planAccounts();
    if (values.outcome !== 'ok') return [failed(values.message)];
    const wanted = Object.entries(expected.dimensions);
    const problems = [
      ...expected.accounts.flatMap((code) => accountProblem(code, accounts.value) ?? []),
      ...wanted.filter(([name]) => !(name in this.#configuration.dimensions)).map(([name]) => unmapped(name)),
      ...wanted.flatMap(([name, texts]) =>
        texts.filter((text) => !values.value.has(`${name}=${text}`)).map((text) => unknownValue(name, text)),
      ),
    ];
    const locked = await this.#setup.lockedUntil(setup.value);
    if (locked.outcome !== 'ok') return [failed(locked.message)];
    const periods = periodFindings(expected.postingDates, (day) =>
      day <= locked.value ? `Odoo's books are locked until ${locked.value}.` : null,
    );
    const { companyName, currencies } = setup.value;
    const lacking = [
      ...problems.map((problem) => lackingFinding(problem, REMEDY)),
      ...currencyFindings('Odoo', expected, (code) => currencies.some(({ name }) => name === code)),
    ];
    const message = `${companyName} has the journal and all ${expected.accounts.length} accounts.`;
    const chart: Finding[] = lacking.length > 0 ? lacking : [{ severity: 'ok', message }];
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
    if (foreign) return refused('invalid', `The currency ${foreign.currency ?? ''} is not active in Odoo.`);
    const taxes = await this.#taxes(journal);
    if (taxes.outcome !== 'ok') return taxes;
    const partners = await this.#partnersOf(journal);
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
    const message = `Odoo's books are locked until ${locked.value}; an entry of ${journal.postingDate} would be moved.`;
    return refused('closed-period', message, { period: journal.postingDate });
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
    if (taxes.outcome !== 'ok') return [failed(taxes.message)];
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

  async #partnersOf(journal: Journal): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
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
  if (!account) return refused('unknown-account', `Odoo has no account ${code} in this company.`, about);
  return account.deprecated
    ? refused('blocked-account', `Account ${code} is deprecated in Odoo.`, about)
    : null;
}

function unknownTax(code: string): Rejected {
  const message = `The VAT code ${code} has no tax in Odoo, or more than one of that name. Name it under \`taxes\`.`;
  return refused('unknown-vat-code', message, { vatCode: code });
}

function unmapped(name: string): Rejected {
  const message = `The dimension "${name}" has no analytic plan. Name one under \`dimensions\`.`;
  return refused('unknown-dimension', message, { dimension: name });
}

function unknownValue(name: string, value: string): Rejected {
  const message = `Odoo has no analytic account "${value}" for ${name}.`;
  return refused('unknown-dimension', message, { dimension: name, value });
}

const REMEDY = 'Correct it in Odoo, or the rules of the tenant.';

function failed(message: string): Finding {
  return { severity: 'error', message, remedy: REMEDY };
}
