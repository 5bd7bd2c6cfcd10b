// Where in Odoo the entries go (the company, its currency, the journals, the lock dates), the numbers that Odoo uses for the names in a
// journal, and its partners. Odoo itself refuses little of what is wrong here, and moves dates and rounds amounts rather than say no.
import * as z from 'zod';
import { type Journal, partyWith } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import { type Answer, ok, ReadFailed } from '../answer.js';
import { type ChartFacts, Remembered, type Wanted } from '../chart.js';
import type { Rejected } from '../erp-adapter.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  partyNumber,
  partySpellings,
} from '../partner-directory.js';
import { rejected, told, type Told } from '../told.js';
import type { OdooClient } from './client.js';
import {
  BLOCKED_ACCOUNT_FIELDS,
  CONFLICT,
  IMPORT_ONCE,
  LOCK_DATE_FIELDS,
  type OdooConfiguration,
} from './settings.js';
import { externalIdOf, type OdooJournals, type OdooNumbers, toPartnerImport, valueOf } from './translate.js';
import {
  loadReply,
  odooAccount,
  odooCompany,
  odooCurrency,
  type OdooCurrency,
  odooJournal,
  odooPartner,
  odooPlanAccount,
  type OdooPlanAccount,
  odooTax,
} from './wire.js';

const system = 'Odoo';
const SETUP_LIFE_MS = 5 * 60 * 1000;
const CURRENCIES_MAX = 500;
const PLAN_ACCOUNTS_MAX = 5_000;
const PARTNERS_MAX = 5;
const TAXES_MAX = 500;
/** Taxes on sales and on purchases often have the same name, so it may be said which one is meant. */
const TAX_USE = /^(sale|purchase|none)\//;

/** What seldom changes. */
export interface Setup {
  readonly companyId: number;
  readonly companyName: string;
  readonly journals: OdooJournals;
  readonly currencies: readonly OdooCurrency[];
  readonly lockFields: readonly string[];
  /** Fields of an account that say whether it may be used, as far as this version has them. */
  readonly accountFields: readonly string[];
}

export interface OdooFacts extends ChartFacts {
  readonly numbers: Omit<OdooNumbers, 'partners'>;
}

export class OdooFactsReader {
  readonly #client: OdooClient;
  readonly #settings: OdooConfiguration;
  readonly #splitsVat: boolean;
  readonly setup: Remembered<Setup>;

  constructor(client: OdooClient, settings: OdooConfiguration, clock: Clock, splitsVat: boolean) {
    this.#client = client;
    this.#settings = settings;
    this.#splitsVat = splitsVat;
    this.setup = new Remembered(clock, SETUP_LIFE_MS, () => this.#readSetup());
  }

  async facts(wanted: Wanted, setup: Setup): Promise<OdooFacts> {
    const { journals } = setup;
    const until = await this.#lockedUntil(setup, wanted);
    const rows = await this.#accounts(setup, wanted);
    const plans = wanted.dimensions.length === 0 ? [] : await this.#planAccounts();
    const taxes = await this.#taxes(this.#splitsVat ? wanted.vatCodes : []);
    const accounts = new Map(rows.map((account) => [account.code, account]));
    const accountIds = new Map(rows.map(({ code, id }) => [code, id]));
    const analyticAccounts = new Map(
      this.#named(plans).map(([dimension, account]) => [`${dimension}=${valueOf(account)}`, account.id]),
    );
    const currencies = new Map(setup.currencies.map((currency) => [currency.name, currency.id]));
    const taxProblem = (code: string) => (this.#splitsVat && !taxes.has(code) ? unknownTax(code) : null);
    return {
      company: { company: setup.companyName, registrationNo: this.#settings.company },
      numbers: { journals, accounts: accountIds, analyticAccounts, currencies, taxes },
      account(code) {
        const account = accounts.get(code);
        return account && { name: account.name, shut: account.deprecated ? 'deprecated' : undefined };
      },
      dimension: (name) =>
        name in this.#settings.dimensions
          ? { name, has: (value: string) => analyticAccounts.has(`${name}=${value}`) }
          : undefined,
      closedDay(date) {
        if (date > until) return null;
        const refusal = told('LOCKED_UNTIL', { system, until, date });
        return { reason: told('BOOKS_CLOSED_UNTIL', { until }), refusal };
      },
      hasCurrency: (currency) => currencies.has(currency),
      iskDecimals: setup.currencies.find(({ name }) => name === 'ISK')?.decimal_places ?? 0,
      lineProblem: ({ vatCode }) => (vatCode === undefined ? null : taxProblem(vatCode)),
      vatProblem(code) {
        const problem = taxProblem(code);
        return problem && { problem };
      },
    };
  }

  /** Analytic accounts of the configured plans by their number, for reading entries. */
  async dimensionsById(): Promise<ReadonlyMap<number, { dimension: string; value: string }>> {
    const named = this.#named(await this.#planAccounts());
    return new Map(named.map(([dimension, it]) => [it.id, { dimension, value: valueOf(it) }]));
  }

  /** The last locked day, or an empty text. Read each time: a bookkeeper may close a month at any moment. */
  async #lockedUntil({ companyId, lockFields }: Setup, { days }: Wanted): Promise<string> {
    if (lockFields.length === 0 || days.length === 0) return '';
    const dates = z.record(z.string(), z.unknown());
    const domain = [['id', '=', companyId]];
    const [company] = await this.#client.searchRead('res.company', domain, lockFields, dates, { limit: 1 });
    const values = lockFields.map((field) => company?.[field]);
    const locked = values.filter((value): value is string => typeof value === 'string');
    return locked.sort().at(-1) ?? '';
  }

  async #accounts({ accountFields }: Setup, { accounts }: Wanted) {
    const wanted = [...new Set(accounts)];
    if (wanted.length === 0) return [];
    const domain = [['code', 'in', wanted]];
    const fields = ['code', 'name', ...accountFields];
    const limit = wanted.length * 2;
    return this.#client.searchRead('account.account', domain, fields, odooAccount, { limit });
  }

  /** Taxes by the VAT codes of the rules, as far as they are named and Odoo has them. */
  async #taxes(codes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const named = Object.entries(this.#settings.taxes).filter(([code]) => codes.includes(code));
    if (named.length === 0) return new Map();
    const domain = [['name', 'in', named.map(([, name]) => name.replace(TAX_USE, ''))]];
    const fields = ['name', 'type_tax_use'];
    const limit = TAXES_MAX;
    const all = await this.#client.searchRead('account.tax', domain, fields, odooTax, { limit });
    const found = named.flatMap(([code, name]): [string, number][] => {
      const taxes = all.filter((tax) => [tax.name, `${tax.type_tax_use}/${tax.name}`].includes(name));
      // Of two with the same name it is not known which one is meant.
      return taxes.length === 1 && taxes[0] ? [[code, taxes[0].id]] : [];
    });
    return new Map(found);
  }

  async #planAccounts(): Promise<OdooPlanAccount[]> {
    const plans = Object.values(this.#settings.dimensions);
    if (plans.length === 0) return [];
    const domain = [['plan_id.name', 'in', plans]];
    const fields = ['name', 'code', 'plan_id'];
    const limit = PLAN_ACCOUNTS_MAX;
    return this.#client.searchRead('account.analytic.account', domain, fields, odooPlanAccount, { limit });
  }

  #named(accounts: readonly OdooPlanAccount[]): [string, OdooPlanAccount][] {
    const dimensions = Object.entries(this.#settings.dimensions);
    return accounts.flatMap((account) =>
      dimensions
        .filter(([, plan]) => plan === account.plan_id[1])
        .map(([dimension]): [string, OdooPlanAccount] => [dimension, account]),
    );
  }

  async #readSetup(): Promise<Setup> {
    const { company: number } = this.#settings;
    const company = await this.#readCompany(number);
    this.#client.useCompany(company.id);
    const journals = await this.#readJournals();
    const fields = ['name', 'decimal_places'];
    const limit = CURRENCIES_MAX;
    const currencies = await this.#client.searchRead('res.currency', [], fields, odooCurrency, { limit });
    const own = currencies.find(({ id }) => id === company.currency_id)?.name ?? '';
    if (own !== 'ISK') throw otherBooks(told('BOOKS_NOT_IN_ISK', { company: company.name, currency: own }));
    const lockFields = await this.#known('res.company', LOCK_DATE_FIELDS);
    const accountFields = await this.#known('account.account', BLOCKED_ACCOUNT_FIELDS);
    return {
      companyId: company.id,
      companyName: company.name,
      journals,
      currencies,
      lockFields,
      accountFields,
    };
  }

  async #readCompany(number: string): Promise<z.infer<typeof odooCompany>> {
    const fields = ['name', 'currency_id'];
    const limit = 2;
    const belongs = hasNumber(number);
    const companies = await this.#client.searchRead('res.company', belongs, fields, odooCompany, { limit });
    const [company, another] = companies;
    if (company && !another) return company;
    throw otherBooks(told(company ? 'COMPANY_AMBIGUOUS' : 'COMPANY_NOT_SHOWN', { system, company: number }));
  }

  async #readJournals(): Promise<OdooJournals> {
    const { journal, salesJournal, purchaseJournal, books } = this.#settings;
    const wanted = books === 'documents' ? [journal, salesJournal, purchaseJournal] : [journal];
    const domain = [['code', 'in', wanted]];
    const limit = 2 * wanted.length;
    const known = await this.#client.searchRead('account.journal', domain, ['code'], odooJournal, { limit });
    const ids = new Map(known.map(({ code, id }) => [code, id]));
    const missing = wanted.find((code) => !ids.has(code));
    if (missing !== undefined)
      throw new ReadFailed(rejected('invalid', told('JOURNAL_LACKING', { system, journal: missing })));
    const [entries = 0, sales = entries, purchases = entries] = wanted.map((code) => ids.get(code) ?? 0);
    return { entries, sales, purchases };
  }

  /** Those of the fields that this version of Odoo has; asking for another one is an error. */
  async #known(model: string, fields: readonly string[]): Promise<string[]> {
    const call = { model, method: 'fields_get', arguments: { attributes: ['type'] } };
    const known = await this.#client.read(call, z.record(z.string(), z.unknown()));
    return fields.filter((field) => field in known);
  }
}

function otherBooks(words: Told): ReadFailed {
  return new ReadFailed(rejected('wrong-company', words));
}

function unknownTax(vatCode: string): Rejected {
  return rejected('unknown-vat-code', told('VAT_CODE_WITHOUT_TAX', { vatCode }), { vatCode });
}

/** A kennitala is in Company ID or in Tax ID, with or without the country. */
function hasNumber(kennitala: string): unknown[] {
  const numbers = partySpellings(kennitala);
  const taxIds = [...numbers, ...numbers.map((number) => `IS${number}`)];
  return ['|', ['company_registry', 'in', numbers], ['vat', 'in', taxIds]];
}

/**
 * Partners by kennitala. No field of a partner is unique, but an external id is: a new partner is imported under one made of its
 * kennitala, so that Odoo itself keeps it to one, however many create it at once.
 */
export class OdooPartners {
  readonly #client: OdooClient;
  readonly #directory: PartnerDirectory<number>;

  constructor(client: OdooClient, mayCreate: boolean) {
    this.#client = client;
    this.#directory = createPartnerDirectory<number>({
      mayCreate,
      find: ({ kennitala }) => this.#withNumber(kennitala),
      create: async (party) => {
        const call = { model: 'res.partner', method: 'load', context: IMPORT_ONCE };
        const answer = await client.call({ ...call, arguments: toPartnerImport(party) }, loadReply);
        if (answer.outcome !== 'ok') return answer;
        const [id] = answer.value.ids || [];
        return id === undefined ? notLoaded(answer.value) : this.#confirmed(id, party.kennitala);
      },
    });
  }

  /** By kennitala. Odoo keeps one partner for both sides, so the kind must not split the single flight per kennitala. */
  async resolve(journal: Journal): Promise<ReadonlyMap<string, number>> {
    const resolved = new Map<string, number>();
    for (const { counterparty } of journal.lines) {
      const kennitala = counterparty === undefined ? undefined : partyNumber(counterparty);
      if (kennitala === undefined || resolved.has(kennitala)) continue;
      const party = partyWith(journal, (one) => partyNumber(one.kennitala) === kennitala);
      const wanted = { kind: 'customer', kennitala, ...(party ? { party } : {}) } as const;
      resolved.set(kennitala, await this.#directory.resolve(wanted));
    }
    return resolved;
  }

  /** Contacts of a company inherit its numbers; only the company itself is the partner. */
  async #withNumber(kennitala: string): Promise<number[]> {
    const domain = [['parent_id', '=', false], ...hasNumber(kennitala)];
    const fields = ['vat', 'company_registry'];
    const limit = PARTNERS_MAX;
    const partners = await this.#client.searchRead('res.partner', domain, fields, odooPartner, { limit });
    return partners.map(({ id }) => id);
  }

  /** What is under the external id may have been archived or renumbered since, and must not be booked on then. */
  async #confirmed(id: number, kennitala: string): Promise<Answer<number>> {
    if ((await this.#withNumber(kennitala)).includes(id)) return ok(id);
    return rejected('unknown-party', told('PARTNER_CHANGED', { kennitala, id: externalIdOf(kennitala) }));
  }
}

/** Another import of the same partner was faster: the directory looks once more. Everything else is a refusal. */
function notLoaded({ messages }: z.infer<typeof loadReply>): Answer<number> {
  const answer = messages.map((each) => each.message).join(' ') || 'no reason given';
  return CONFLICT.test(answer)
    ? { outcome: 'unknown', ...told('SYSTEM_SAYS', { system, answer }) }
    : rejected('invalid', told('PARTNER_NOT_MADE', { answer }));
}
