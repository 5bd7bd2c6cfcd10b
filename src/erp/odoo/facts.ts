// Where in Odoo the entries go (the company, its currency, the journals, the lock dates), the numbers that Odoo uses for the names in a
// journal, and its partners. Odoo itself refuses little of what is wrong here, and moves dates and rounds amounts rather than say no.
import * as z from 'zod';
import { type Journal, partyWith } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { Answer, ReadAnswer } from '../answer.js';
import { type ChartFacts, ok, Remembered, type Wanted } from '../chart.js';
import type { Rejected } from '../erp-adapter.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  partyNumber,
  partySpellings,
} from '../partner-directory.js';
import { rejected, told } from '../told.js';
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

  async facts(wanted: Wanted, read: ReadAnswer<Setup>): Promise<ReadAnswer<OdooFacts>> {
    if (read.outcome !== 'ok') return read;
    const setup = read.value;
    const { journals } = setup;
    const until = await this.#lockedUntil(setup, wanted);
    if (until.outcome !== 'ok') return until;
    const rows = await this.#accounts(setup, wanted);
    if (rows.outcome !== 'ok') return rows;
    const plans = wanted.dimensions.length === 0 ? ok([]) : await this.#planAccounts();
    if (plans.outcome !== 'ok') return plans;
    const named = await this.#taxes(this.#splitsVat ? wanted.vatCodes : []);
    if (named.outcome !== 'ok') return named;
    const taxes = named.value;
    const accounts = new Map(rows.value.map((account) => [account.code, account]));
    const accountIds = new Map(rows.value.map(({ code, id }) => [code, id]));
    const analyticAccounts = new Map(
      this.#named(plans.value).map(([dimension, account]) => [
        `${dimension}=${valueOf(account)}`,
        account.id,
      ]),
    );
    const currencies = new Map(setup.currencies.map((currency) => [currency.name, currency.id]));
    const taxProblem = (code: string) => (this.#splitsVat && !taxes.has(code) ? unknownTax(code) : null);
    return ok({
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
        if (date > until.value) return null;
        const refusal = told('LOCKED_UNTIL', { system, until: until.value, date });
        return { reason: told('BOOKS_CLOSED_UNTIL', { until: until.value }), refusal };
      },
      hasCurrency: (currency) => currencies.has(currency),
      iskDecimals: setup.currencies.find(({ name }) => name === 'ISK')?.decimal_places ?? 0,
      lineProblem: ({ vatCode }) => (vatCode === undefined ? null : taxProblem(vatCode)),
      vatProblem(code) {
        const problem = taxProblem(code);
        return problem && { problem };
      },
    });
  }

  /** Analytic accounts of the configured plans by their number, for reading entries. */
  async dimensionsById(): Promise<ReadAnswer<ReadonlyMap<number, { dimension: string; value: string }>>> {
    const answer = await this.#planAccounts();
    if (answer.outcome !== 'ok') return answer;
    const named = this.#named(answer.value);
    return ok(new Map(named.map(([dimension, it]) => [it.id, { dimension, value: valueOf(it) }])));
  }

  /** The last locked day, or an empty text. Read each time: a bookkeeper may close a month at any moment. */
  async #lockedUntil({ companyId, lockFields }: Setup, { days }: Wanted): Promise<ReadAnswer<string>> {
    if (lockFields.length === 0 || days.length === 0) return ok('');
    const dates = z.record(z.string(), z.unknown());
    const domain = [['id', '=', companyId]];
    const answer = await this.#client.searchRead('res.company', domain, lockFields, dates, { limit: 1 });
    if (answer.outcome !== 'ok') return answer;
    const values = lockFields.map((field) => answer.value[0]?.[field]);
    const locked = values.filter((value): value is string => typeof value === 'string');
    return ok(locked.sort().at(-1) ?? '');
  }

  async #accounts({ accountFields }: Setup, { accounts }: Wanted) {
    const wanted = [...new Set(accounts)];
    if (wanted.length === 0) return ok([]);
    const domain = [['code', 'in', wanted]];
    const fields = ['code', 'name', ...accountFields];
    const limit = wanted.length * 2;
    return this.#client.searchRead('account.account', domain, fields, odooAccount, { limit });
  }

  /** Taxes by the VAT codes of the rules, as far as they are named and Odoo has them. */
  async #taxes(codes: readonly string[]): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const named = Object.entries(this.#settings.taxes).filter(([code]) => codes.includes(code));
    if (named.length === 0) return ok(new Map());
    const domain = [['name', 'in', named.map(([, name]) => name.replace(TAX_USE, ''))]];
    const fields = ['name', 'type_tax_use'];
    const limit = TAXES_MAX;
    const answer = await this.#client.searchRead('account.tax', domain, fields, odooTax, { limit });
    if (answer.outcome !== 'ok') return answer;
    const found = named.flatMap(([code, name]): [string, number][] => {
      const taxes = answer.value.filter((tax) =>
        [tax.name, `${tax.type_tax_use}/${tax.name}`].includes(name),
      );
      // Of two with the same name it is not known which one is meant.
      return taxes.length === 1 && taxes[0] ? [[code, taxes[0].id]] : [];
    });
    return ok(new Map(found));
  }

  async #planAccounts(): Promise<ReadAnswer<OdooPlanAccount[]>> {
    const plans = Object.values(this.#settings.dimensions);
    if (plans.length === 0) return ok([]);
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

  async #readSetup(): Promise<ReadAnswer<Setup>> {
    const { company: number } = this.#settings;
    const fields = ['name', 'currency_id'];
    const belongs = hasNumber(number);
    const companies = await this.#client.searchRead('res.company', belongs, fields, odooCompany, {
      limit: 2,
    });
    if (companies.outcome !== 'ok') return companies;
    const [company, another] = companies.value;
    if (!company || another) {
      const code = company ? 'COMPANY_AMBIGUOUS' : 'COMPANY_NOT_SHOWN';
      return rejected('wrong-company', told(code, { system, company: number }));
    }
    this.#client.useCompany(company.id);
    const journals = await this.#readJournals();
    if (journals.outcome !== 'ok') return journals;
    const currencies = await this.#client.searchRead(
      'res.currency',
      [],
      ['name', 'decimal_places'],
      odooCurrency,
      { limit: CURRENCIES_MAX },
    );
    if (currencies.outcome !== 'ok') return currencies;
    const own = currencies.value.find(({ id }) => id === company.currency_id)?.name ?? '';
    if (own !== 'ISK') {
      const text = told('BOOKS_NOT_IN_ISK', { company: company.name, currency: own });
      return rejected('wrong-company', text);
    }
    const lockFields = await this.#known('res.company', LOCK_DATE_FIELDS);
    if (lockFields.outcome !== 'ok') return lockFields;
    const accountFields = await this.#known('account.account', BLOCKED_ACCOUNT_FIELDS);
    if (accountFields.outcome !== 'ok') return accountFields;
    return ok({
      ...{ companyId: company.id, companyName: company.name },
      ...{ journals: journals.value, currencies: currencies.value },
      ...{ lockFields: lockFields.value, accountFields: accountFields.value },
    });
  }

  async #readJournals(): Promise<ReadAnswer<OdooJournals>> {
    const { journal, salesJournal, purchaseJournal, books } = this.#settings;
    const wanted = books === 'documents' ? [journal, salesJournal, purchaseJournal] : [journal];
    const domain = [['code', 'in', wanted]];
    const limit = 2 * wanted.length;
    const answer = await this.#client.searchRead('account.journal', domain, ['code'], odooJournal, { limit });
    if (answer.outcome !== 'ok') return answer;
    const ids = new Map(answer.value.map(({ code, id }) => [code, id]));
    const missing = wanted.find((code) => !ids.has(code));
    if (missing !== undefined)
      return rejected('invalid', told('JOURNAL_LACKING', { system, journal: missing }));
    const [entries = 0, sales = entries, purchases = entries] = wanted.map((code) => ids.get(code) ?? 0);
    return ok({ entries, sales, purchases });
  }

  /** Those of the fields that this version of Odoo has; asking for another one is an error. */
  async #known(model: string, fields: readonly string[]): Promise<ReadAnswer<string[]>> {
    const call = { model, method: 'fields_get', arguments: { attributes: ['type'] } };
    const known = await this.#client.read(call, z.record(z.string(), z.unknown()));
    return known.outcome === 'ok' ? ok(fields.filter((field) => field in known.value)) : known;
  }
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
  async resolve(journal: Journal): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const resolved = new Map<string, number>();
    for (const { counterparty } of journal.lines) {
      const kennitala = counterparty === undefined ? undefined : partyNumber(counterparty);
      if (kennitala === undefined || resolved.has(kennitala)) continue;
      const party = partyWith(journal, (one) => partyNumber(one.kennitala) === kennitala);
      const wanted = { kind: 'customer', kennitala, ...(party ? { party } : {}) } as const;
      const partner = await this.#directory.resolve(wanted);
      if (partner.outcome !== 'ok') return partner;
      resolved.set(kennitala, partner.value);
    }
    return ok(resolved);
  }

  /** Contacts of a company inherit its numbers; only the company itself is the partner. */
  async #withNumber(kennitala: string): Promise<ReadAnswer<number[]>> {
    const domain = [['parent_id', '=', false], ...hasNumber(kennitala)];
    const fields = ['vat', 'company_registry'];
    const limit = PARTNERS_MAX;
    const answer = await this.#client.searchRead('res.partner', domain, fields, odooPartner, { limit });
    return answer.outcome === 'ok' ? ok(answer.value.map(({ id }) => id)) : answer;
  }

  /** What is under the external id may have been archived or renumbered since, and must not be booked on then. */
  async #confirmed(id: number, kennitala: string): Promise<Answer<number>> {
    const found = await this.#withNumber(kennitala);
    if (found.outcome !== 'ok') return found;
    if (found.value.includes(id)) return ok(id);
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
