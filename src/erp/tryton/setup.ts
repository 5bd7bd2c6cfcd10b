// What the company in Tryton looks like: its journals, currencies, accounts and analytic axes, read once and kept for a
// minute. Names in journals become Tryton's ids here.
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import type { Rejected } from '../erp-adapter.js';
import { partyNumber } from '../partner-directory.js';
import { Remembered } from '../chart.js';
import { rejected, told } from '../told.js';
import type { TrytonClient } from './client.js';
import type { TrytonConfiguration } from './config.js';
import type { TrytonInvoices } from './invoices.js';
import { taxesByCode, type TrytonTax } from './taxes.js';
import type { WireAccount, WireParty } from './wire.js';

const REMEMBER_MS = 60_000;

export interface TrytonCompany {
  readonly id: number;
  readonly name: string;
  /** Empty: Tryton knows none. */
  readonly kennitala: string;
  readonly currency: string;
  readonly currencyDigits: number;
}

export interface Axis {
  readonly rootId: number;
  readonly match: 'name' | 'code';
  /** Value in the rules → id of the analytic account. */
  readonly values: ReadonlyMap<string, number>;
}

export interface TrytonSetup {
  readonly company: TrytonCompany;
  readonly salesJournal: number;
  readonly purchaseJournal: number;
  readonly currencies: ReadonlyMap<string, number>;
  readonly accounts: ReadonlyMap<string, WireAccount>;
  readonly axes: ReadonlyMap<string, Axis>;
  /** By VAT code, as far as the configuration names any. */
  readonly taxes: ReadonlyMap<string, TrytonTax>;
}

export function rememberedSetup(
  client: TrytonClient,
  invoices: TrytonInvoices,
  configuration: TrytonConfiguration,
  clock: Clock,
): Remembered<TrytonSetup> {
  return new Remembered(clock, REMEMBER_MS, () => readSetup(client, invoices, configuration));
}

async function readSetup(
  client: TrytonClient,
  invoices: TrytonInvoices,
  configuration: TrytonConfiguration,
): Promise<ReadAnswer<TrytonSetup>> {
  const company = await findCompany(client, configuration.company);
  if (company.outcome !== 'ok') return company;
  const [journals, currencies, accounts] = await Promise.all([
    client.journals(),
    client.currencies(),
    client.accounts(company.value.id),
  ]);
  if (journals.outcome !== 'ok') return journals;
  if (currencies.outcome !== 'ok') return currencies;
  if (accounts.outcome !== 'ok') return accounts;
  const axes = await readAxes(client, configuration, company.value.id);
  if (axes.outcome !== 'ok') return axes;
  const taxes = await readTaxes(invoices, configuration, company.value.id);
  if (taxes.outcome !== 'ok') return taxes;
  const lacking = await lackingModule(invoices, configuration);
  if (lacking) return lacking;
  const journalId = (code: string) => journals.value.find((journal) => journal.code === code)?.id;
  const salesJournal = journalId(configuration.salesJournal);
  if (salesJournal === undefined)
    return rejected(
      'invalid',
      told('JOURNAL_LACKING', { system: 'Tryton', journal: configuration.salesJournal }),
    );
  const purchaseJournal = journalId(configuration.purchaseJournal);
  if (purchaseJournal === undefined)
    return rejected(
      'invalid',
      told('JOURNAL_LACKING', { system: 'Tryton', journal: configuration.purchaseJournal }),
    );
  return {
    outcome: 'ok',
    value: {
      company: company.value,
      salesJournal,
      purchaseJournal,
      currencies: new Map(currencies.value.map((currency) => [currency.code ?? '', currency.id])),
      accounts: new Map(accounts.value.map((account) => [account.code ?? '', account])),
      axes: axes.value,
      taxes: taxes.value,
    },
  };
}

export async function findCompany(
  client: Pick<TrytonClient, 'companies'>,
  wanted: string,
): Promise<ReadAnswer<TrytonCompany>> {
  const answer = await client.companies();
  if (answer.outcome !== 'ok') return answer;
  const found = answer.value.filter(
    ({ 'party.': party }) => party.name === wanted || kennitalaOf(party) === partyNumber(wanted),
  );
  const [company] = found;
  if (company && found.length === 1)
    return {
      outcome: 'ok',
      value: {
        id: company.id,
        name: company['party.'].name ?? '',
        kennitala: kennitalaOf(company['party.']),
        currency: company['currency.'].code,
        currencyDigits: company['currency.'].digits,
      },
    };
  const names = answer.value.map(({ 'party.': party }) => party.name).join(', ');
  const words =
    found.length === 0
      ? told('COMPANY_AMONG', { company: wanted, names })
      : told('COMPANY_AMBIGUOUS', { system: 'Tryton', company: wanted });
  return rejected('wrong-company', words);
}

async function readAxes(
  client: TrytonClient,
  configuration: TrytonConfiguration,
  company: number,
): Promise<ReadAnswer<ReadonlyMap<string, Axis>>> {
  const axes = new Map<string, Axis>();
  const wanted = Object.entries(configuration.dimensions);
  if (wanted.length === 0) return { outcome: 'ok', value: axes };
  const answer = await client.analyticAccounts(company);
  if (answer.outcome !== 'ok') return answer;
  for (const [name, { root, match }] of wanted) {
    const isRoot = (account: (typeof answer.value)[number]) =>
      account.type === 'root' && (account.name === root || account.code === root);
    const rootId = answer.value.find(isRoot)?.id;
    if (rootId === undefined) return rejected('invalid', told('ANALYTIC_ROOT_LACKING', { root }));
    const below = answer.value.filter((account) => account.root === rootId && account.type === 'normal');
    axes.set(name, { rootId, match, values: new Map(below.map((each) => [each[match] ?? '', each.id])) });
  }
  return { outcome: 'ok', value: axes };
}

async function readTaxes(
  invoices: TrytonInvoices,
  { taxes: wanted }: TrytonConfiguration,
  company: number,
): Promise<ReadAnswer<TrytonSetup['taxes']>> {
  if (Object.keys(wanted).length === 0) return { outcome: 'ok', value: new Map() };
  const known = await invoices.taxes(company);
  return known.outcome === 'ok' ? taxesByCode(wanted, known.value) : known;
}

/** Invoices need a module of their own, and one more for dimensions on their lines. */
async function lackingModule(
  invoices: TrytonInvoices,
  { books, dimensions }: TrytonConfiguration,
): Promise<Exclude<ReadAnswer<never>, { readonly outcome: 'ok' }> | null> {
  if (books !== 'documents') return null;
  const fields = await invoices.lineFields();
  if (fields.outcome !== 'ok') return fields;
  if (fields.value.size === 0) return lacksModule('account_invoice', '`books: documents`');
  const isAnalytic = fields.value.has('analytic_accounts') || Object.keys(dimensions).length === 0;
  return isAnalytic ? null : lacksModule('analytic_invoice', '`dimensions`');
}

function lacksModule(module: string, setting: string): Rejected {
  return rejected('invalid', told('MODULE_LACKING', { system: 'Tryton', module, setting }));
}

const KENNITALA = /^\d{10}$/;

/** A party's kennitala: the identifier that looks like one, else its code. */
export function kennitalaOf(party: WireParty): string {
  const numbers = party['identifiers.'].map(({ code }) => partyNumber(code));
  return numbers.find((number) => KENNITALA.test(number)) ?? numbers[0] ?? partyNumber(party.code ?? '');
}
