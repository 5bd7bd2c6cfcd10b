// Where in Odoo the entries go: the company, its currency, the journal, the lock dates; and the numbers that Odoo uses
// for the names in a journal. All of it is read, nothing is written.
import * as z from 'zod';
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { Ok, ReadAnswer } from '../answer.js';
import type { Rejected } from '../erp-adapter.js';
import { partySpellings } from '../party-key.js';
import { Remembered } from '../remembered.js';
import { rejected, told } from '../told.js';
import { BLOCKED_ACCOUNT_FIELDS, LOCK_DATE_FIELDS } from './assumptions.js';
import type { OdooClient } from './client.js';
import type { OdooConfiguration } from './config.js';
import { type OdooJournals, valueOf } from './translate.js';
import {
  odooAccount,
  type OdooAccount,
  odooCompany,
  odooCurrency,
  type OdooCurrency,
  odooJournal,
  odooPlanAccount,
  type OdooPlanAccount,
  odooTax,
} from './wire.js';

const SETUP_LIFE_MS = 5 * 60 * 1000;
const CURRENCIES_MAX = 500;
const PLAN_ACCOUNTS_MAX = 5_000;
const TAXES_MAX = 500;
/** Taxes on sales and on purchases often have the same name, so it may be said which one is meant. */
const TAX_USE = /^(sale|purchase|none)\//;

export interface Setup {
  readonly companyId: number;
  readonly companyName: string;
  readonly journals: OdooJournals;
  readonly currencies: readonly OdooCurrency[];
  readonly lockFields: readonly string[];
  /** Fields of an account that say whether it may be used, as far as this version has them. */
  readonly accountFields: readonly string[];
}

export class OdooSetup {
  readonly #client: OdooClient;
  readonly #configuration: OdooConfiguration;
  readonly #setup: Remembered<Setup>;

  constructor(client: OdooClient, configuration: OdooConfiguration, clock: Clock) {
    this.#client = client;
    this.#configuration = configuration;
    this.#setup = new Remembered(clock, SETUP_LIFE_MS, () => this.#load());
  }

  get(): Promise<ReadAnswer<Setup>> {
    return this.#setup.get();
  }

  fresh(): Promise<ReadAnswer<Setup>> {
    return this.#setup.fresh();
  }

  /** The last locked day, or an empty text. Read each time: a bookkeeper may close a month at any moment. */
  async lockedUntil(setup: Setup): Promise<ReadAnswer<string>> {
    if (setup.lockFields.length === 0) return { outcome: 'ok', value: '' };
    const dates = z.record(z.string(), z.unknown());
    const domain = [['id', '=', setup.companyId]];
    const answer = await this.#client.searchRead('res.company', domain, setup.lockFields, dates, {
      limit: 1,
    });
    if (answer.outcome !== 'ok') return answer;
    const values = setup.lockFields.map((field) => answer.value[0]?.[field]);
    const days = values.filter((value): value is string => typeof value === 'string');
    return { outcome: 'ok', value: days.sort().at(-1) ?? '' };
  }

  async accounts(
    setup: Setup,
    codes: readonly string[],
  ): Promise<ReadAnswer<ReadonlyMap<string, OdooAccount>>> {
    const wanted = [...new Set(codes)];
    const domain = [['code', 'in', wanted]];
    const fields = ['code', 'name', ...setup.accountFields];
    const answer = await this.#client.searchRead('account.account', domain, fields, odooAccount, {
      limit: wanted.length * 2,
    });
    if (answer.outcome !== 'ok') return answer;
    return ok(new Map(answer.value.map((account) => [account.code, account])));
  }

  /** Taxes by the VAT codes of the rules, as far as they are named and Odoo has them. */
  async taxes(codes: readonly string[]): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const named = Object.entries(this.#configuration.taxes).filter(([code]) => codes.includes(code));
    if (named.length === 0) return ok(new Map());
    const domain = [['name', 'in', named.map(([, name]) => name.replace(TAX_USE, ''))]];
    const answer = await this.#client.searchRead('account.tax', domain, ['name', 'type_tax_use'], odooTax, {
      limit: TAXES_MAX,
    });
    if (answer.outcome !== 'ok') return answer;
    const found = named.flatMap(([code, name]): [string, number][] => {
      const taxes = answer.value.filter((tax) =>
        [tax.name, `${tax.type_tax_use}/${tax.name}`].includes(name),
      );
      // Of two with the same name nobody knows which one is meant.
      return taxes.length === 1 && taxes[0] ? [[code, taxes[0].id]] : [];
    });
    return ok(new Map(found));
  }

  /** Analytic accounts of the configured plans, by `dimension=value`. */
  async planAccounts(): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const answer = await this.#readPlanAccounts();
    if (answer.outcome !== 'ok') return answer;
    const byName = new Map<string, number>();
    for (const [dimension, account] of this.#named(answer.value)) {
      byName.set(`${dimension}=${valueOf(account)}`, account.id);
    }
    return ok(byName);
  }

  /** The same the other way round, for reading entries. */
  async dimensionsById(): Promise<ReadAnswer<ReadonlyMap<number, { dimension: string; value: string }>>> {
    const answer = await this.#readPlanAccounts();
    if (answer.outcome !== 'ok') return answer;
    const named = this.#named(answer.value);
    return ok(new Map(named.map(([dimension, it]) => [it.id, { dimension, value: valueOf(it) }])));
  }

  async #readPlanAccounts(): Promise<ReadAnswer<OdooPlanAccount[]>> {
    const plans = Object.values(this.#configuration.dimensions);
    if (plans.length === 0) return { outcome: 'ok', value: [] };
    const domain = [['plan_id.name', 'in', plans]];
    return this.#client.searchRead(
      'account.analytic.account',
      domain,
      ['name', 'code', 'plan_id'],
      odooPlanAccount,
      { limit: PLAN_ACCOUNTS_MAX },
    );
  }

  #named(accounts: readonly OdooPlanAccount[]): [string, OdooPlanAccount][] {
    const dimensions = Object.entries(this.#configuration.dimensions);
    return accounts.flatMap((account) =>
      dimensions
        .filter(([, plan]) => plan === account.plan_id[1])
        .map(([dimension]): [string, OdooPlanAccount] => [dimension, account]),
    );
  }

  async #load(): Promise<ReadAnswer<Setup>> {
    const { company: number } = this.#configuration;
    const numbers = partySpellings(number);
    const taxIds = [...numbers, ...numbers.map((each) => `IS${each}`)];
    const belongs = ['|', ['company_registry', 'in', numbers], ['vat', 'in', taxIds]];
    const companies = await this.#client.searchRead(
      'res.company',
      belongs,
      ['name', 'currency_id'],
      odooCompany,
      {
        limit: 2,
      },
    );
    if (companies.outcome !== 'ok') return companies;
    const [company, another] = companies.value;
    if (!company || another) {
      const words = { system: 'Odoo', company: number };
      return rejected('wrong-company', told(company ? 'COMPANY_AMBIGUOUS' : 'COMPANY_NOT_SHOWN', words));
    }
    this.#client.useCompany(company.id);
    const journals = await this.#journals();
    return journals.outcome === 'ok' ? this.#withCurrencies(company, journals.value) : journals;
  }

  async #journals(): Promise<ReadAnswer<OdooJournals>> {
    const { journal, salesJournal, purchaseJournal, books } = this.#configuration;
    const wanted = books === 'documents' ? [journal, salesJournal, purchaseJournal] : [journal];
    const domain = [['code', 'in', wanted]];
    const limit = 2 * wanted.length;
    const answer = await this.#client.searchRead('account.journal', domain, ['code'], odooJournal, { limit });
    if (answer.outcome !== 'ok') return answer;
    const ids = new Map(answer.value.map(({ code, id }) => [code, id]));
    const missing = wanted.find((code) => !ids.has(code));
    if (missing !== undefined)
      return rejected('invalid', told('JOURNAL_LACKING', { system: 'Odoo', journal: missing }));
    const [entries = 0, sales = entries, purchases = entries] = wanted.map((code) => ids.get(code) ?? 0);
    return ok({ entries, sales, purchases });
  }

  async #withCurrencies(
    company: z.infer<typeof odooCompany>,
    journals: OdooJournals,
  ): Promise<ReadAnswer<Setup>> {
    const fields = ['name', 'decimal_places'];
    const currencies = await this.#client.searchRead('res.currency', [], fields, odooCurrency, {
      limit: CURRENCIES_MAX,
    });
    if (currencies.outcome !== 'ok') return currencies;
    const own = currencies.value.find((currency) => currency.id === company.currency_id);
    if (own?.name !== 'ISK') {
      return rejected(
        'wrong-company',
        told('BOOKS_NOT_IN_ISK', { company: company.name, currency: own?.name ?? '' }),
      );
    }
    const { id: companyId, name: companyName } = company;
    const lockFields = await this.#known('res.company', LOCK_DATE_FIELDS);
    if (lockFields.outcome !== 'ok') return lockFields;
    const accountFields = await this.#known('account.account', BLOCKED_ACCOUNT_FIELDS);
    if (accountFields.outcome !== 'ok') return accountFields;
    return ok({
      ...{ companyId, companyName, journals, currencies: currencies.value },
      ...{ lockFields: lockFields.value, accountFields: accountFields.value },
    });
  }

  /** Those of the fields that this version of Odoo has; asking for another one is an error. */
  async #known(model: string, fields: readonly string[]): Promise<ReadAnswer<string[]>> {
    const call = { model, method: 'fields_get', arguments: { attributes: ['type'] } };
    const known = await this.#client.read(call, z.record(z.string(), z.unknown()));
    return known.outcome === 'ok' ? ok(fields.filter((field) => field in known.value)) : known;
  }
}

/** Odoo rounds amounts to the currency's decimals without a word, so more of them are refused here. */
export function tooFine(journal: Journal, setup: Setup): Rejected | null {
  const decimals = setup.currencies.find((currency) => currency.name === 'ISK')?.decimal_places ?? 0;
  const line = journal.lines.find((one) => one.debit.plus(one.credit).decimalPlaces() > decimals);
  if (!line) return null;
  return rejected('invalid', told('TOO_MANY_DECIMALS', { account: line.account, decimals }));
}

function ok<T>(value: T): Ok<T> {
  return { outcome: 'ok', value };
}
