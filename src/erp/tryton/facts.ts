// What the company in Tryton looks like: its journals, currencies, accounts and analytic axes, read once and kept for a
// minute. Names in journals become Tryton's ids here.
import type { Clock } from '../../domain/runtime.js';
import { orThrow, ReadFailed } from '../answer.js';
import type { Rejected } from '../erp-adapter.js';
import { partyNumber } from '../partner-directory.js';
import { Chart, type ChartFacts, Remembered, type Wanted } from '../chart.js';
import { rejected, told } from '../told.js';
import type { TrytonClient } from './client.js';
import type { TrytonConfiguration } from './settings.js';
import type { TrytonInvoices, WireTax } from './invoices.js';
import { decimal, type WireAccount, type WireParty } from './wire.js';
import type { Decimal } from '../../domain/money.js';
import type { IsoDate } from '../../domain/source-document.js';
import { isVatLine, type Journal, type JournalLine, type LineRole } from '../../domain/journal.js';

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

export interface TrytonFacts extends ChartFacts {
  readonly setup: TrytonSetup;
  /** The open period of a day that was asked about. */
  periodOf(day: IsoDate): number | undefined;
}

export function rememberedSetup(
  client: TrytonClient,
  invoices: TrytonInvoices,
  configuration: TrytonConfiguration,
  clock: Clock,
): Remembered<TrytonSetup> {
  return new Remembered(clock, REMEMBER_MS, () => readSetup(client, invoices, configuration));
}

export function trytonChart(client: TrytonClient, remembered: Remembered<TrytonSetup>): Chart<TrytonFacts> {
  const facts = async ({ days }: Wanted, setup: TrytonSetup): Promise<TrytonFacts> => {
    const periods = new Map<IsoDate, readonly TrytonPeriod[]>();
    for (const day of new Set(days)) {
      periods.set(day, await client.periods(setup.company.id, day));
    }
    return trytonFacts(setup, periods);
  };
  return new Chart({
    ...CHART_RULES,
    remedy: told('CORRECT_THE_CONNECTION'),
    read: async (wanted) => facts(wanted, await remembered.get()),
    readNow: async (wanted) => facts(wanted, await remembered.fresh()),
  });
}

const system = 'Tryton';
export const CHART_RULES = { system, dimensionSetting: '`dimensions`' } as const;

interface TrytonPeriod {
  readonly id: number;
  readonly name: string;
  readonly state: string;
}

export function trytonFacts(
  setup: TrytonSetup,
  periods: ReadonlyMap<IsoDate, readonly TrytonPeriod[]>,
): TrytonFacts {
  const { company, accounts, axes, taxes } = setup;
  const periodOf = (day: IsoDate) => periods.get(day)?.find(({ state }) => state === 'open')?.id;
  return {
    setup,
    periodOf,
    company: {
      company: company.name,
      ...(company.kennitala === '' ? {} : { registrationNo: company.kennitala }),
    },
    account(number) {
      const found = accounts.get(number);
      return found && { name: found.name ?? undefined, shut: found.closed ? 'closed' : undefined };
    },
    dimension(name) {
      const axis = axes.get(name);
      return axis && { name, has: (value) => axis.values.has(value) };
    },
    closedDay(day) {
      if (periodOf(day) !== undefined) return null;
      const [closed] = periods.get(day) ?? [];
      const reason = closed ? told('PERIOD_CLOSED', { system, period: closed.name }) : told('PERIOD_LACKING');
      return { reason, refusal: reason };
    },
    hasCurrency: (currency) => currency === company.currency || setup.currencies.has(currency),
    iskDecimals: company.currencyDigits,
    accountProblem(account) {
      if (accounts.get(account)?.type !== null) return null;
      return rejected('blocked-account', told('ACCOUNT_WITHOUT_TYPE', { account }), { account });
    },
    lineProblem(line) {
      const { account, counterparty } = line;
      const wantsParty = accounts.get(account)?.party_required === true;
      if (wantsParty && counterparty === undefined)
        return rejected('unknown-party', told('ACCOUNT_NEEDS_PARTY', { account }), { account });
      if (!wantsParty && counterparty !== undefined)
        return rejected('invalid', told('ACCOUNT_TAKES_NO_PARTY', { account }));
      return taxRefusal({ lines: [line] }, taxes, accounts);
    },
  };
}

async function readSetup(
  client: TrytonClient,
  invoices: TrytonInvoices,
  configuration: TrytonConfiguration,
): Promise<TrytonSetup> {
  const company = await findCompany(client, configuration.company);
  const [journals, currencies, accounts] = await Promise.all([
    client.journals(),
    client.currencies(),
    client.accounts(company.id),
  ]);
  const axes = await readAxes(client, configuration, company.id);
  const taxes = await readTaxes(invoices, configuration, company.id);
  await checkModules(invoices, configuration);
  const journalId = (code: string) => {
    const journal = journals.find((each) => each.code === code);
    if (journal) return journal.id;
    throw new ReadFailed(rejected('invalid', told('JOURNAL_LACKING', { system, journal: code })));
  };
  return {
    company,
    salesJournal: journalId(configuration.salesJournal),
    purchaseJournal: journalId(configuration.purchaseJournal),
    currencies: new Map(currencies.map((currency) => [currency.code ?? '', currency.id])),
    accounts: new Map(accounts.map((account) => [account.code ?? '', account])),
    axes,
    taxes,
  };
}

export async function findCompany(
  client: Pick<TrytonClient, 'companies'>,
  wanted: string,
): Promise<TrytonCompany> {
  const companies = await client.companies();
  const found = companies.filter(
    ({ 'party.': party }) => party.name === wanted || kennitalaOf(party) === partyNumber(wanted),
  );
  const [company] = found;
  if (company && found.length === 1)
    return {
      id: company.id,
      name: company['party.'].name ?? '',
      kennitala: kennitalaOf(company['party.']),
      currency: company['currency.'].code,
      currencyDigits: company['currency.'].digits,
    };
  const names = companies.map(({ 'party.': party }) => party.name).join(', ');
  const words = company
    ? told('COMPANY_AMBIGUOUS', { system, company: wanted })
    : told('COMPANY_AMONG', { company: wanted, names });
  throw new ReadFailed(rejected('wrong-company', words));
}

async function readAxes(
  client: TrytonClient,
  configuration: TrytonConfiguration,
  company: number,
): Promise<ReadonlyMap<string, Axis>> {
  const axes = new Map<string, Axis>();
  const wanted = Object.entries(configuration.dimensions);
  if (wanted.length === 0) return axes;
  const accounts = await client.analyticAccounts(company);
  for (const [name, { root, match }] of wanted) {
    const isRoot = (account: (typeof accounts)[number]) =>
      account.type === 'root' && (account.name === root || account.code === root);
    const rootId = accounts.find(isRoot)?.id;
    if (rootId === undefined)
      throw new ReadFailed(rejected('invalid', told('ANALYTIC_ROOT_LACKING', { root })));
    const below = accounts.filter((account) => account.root === rootId && account.type === 'normal');
    axes.set(name, { rootId, match, values: new Map(below.map((each) => [each[match] ?? '', each.id])) });
  }
  return axes;
}

async function readTaxes(
  invoices: TrytonInvoices,
  { taxes: wanted }: TrytonConfiguration,
  company: number,
): Promise<TrytonSetup['taxes']> {
  if (Object.keys(wanted).length === 0) return new Map();
  return orThrow(taxesByCode(wanted, await invoices.taxes(company)));
}

/** Invoices need a module of their own, and one more for dimensions on their lines. */
async function checkModules(
  invoices: TrytonInvoices,
  { books, dimensions }: TrytonConfiguration,
): Promise<void> {
  if (books !== 'documents') return;
  const fields = await invoices.lineFields();
  if (fields.size === 0) throw lacksModule('account_invoice', '`books: documents`');
  const isAnalytic = fields.has('analytic_accounts') || Object.keys(dimensions).length === 0;
  if (!isAnalytic) throw lacksModule('analytic_invoice', '`dimensions`');
}

function lacksModule(module: string, setting: string): ReadFailed {
  return new ReadFailed(rejected('invalid', told('MODULE_LACKING', { system, module, setting })));
}

const KENNITALA = /^\d{10}$/;

/** A party's kennitala: the identifier that looks like one, else its code. */
export function kennitalaOf(party: WireParty): string {
  const numbers = party['identifiers.'].map(({ code }) => partyNumber(code));
  return numbers.find((number) => KENNITALA.test(number)) ?? numbers[0] ?? partyNumber(party.code ?? '');
}

// Taxes of Tryton by the VAT codes of the rules, so that its tax report knows what was booked. A tax may have parts (a reverse charge
// is owed and deducted at once); each part has an account of its own, by which a line of VAT finds it. Pure.

export interface TrytonTax {
  readonly id: number;
  readonly name: string;
  readonly parts: readonly TaxPart[];
}

export interface TaxPart {
  readonly id: number;
  readonly invoiceAccount: number | null;
  readonly creditNoteAccount: number | null;
}

const SALES: ReadonlySet<LineRole> = new Set(['revenue', 'residual', 'vat-out']);
const TAXED: ReadonlySet<LineRole> = new Set(['revenue', 'residual', 'expense']);

type Taxes = ReadonlyMap<string, TrytonTax>;
type Accounts = ReadonlyMap<string, { readonly id: number }>;

/** VAT code → tax, for the names in the configuration. A name that is not there, or there twice, is refused. */
export function taxesByCode(
  wanted: Readonly<Record<string, string>>,
  known: readonly WireTax[],
): { readonly outcome: 'ok'; readonly value: Taxes } | Rejected {
  const taxes = new Map<string, TrytonTax>();
  for (const [code, name] of Object.entries(wanted)) {
    const [tax, another] = known.filter((each) => each.name === name && each.parent === null);
    if (!tax || another) {
      const about = { system: 'Tryton', name, vatCode: code };
      const words = tax ? told('TAX_NAME_AMBIGUOUS', about) : told('TAX_NAME_LACKING', about);
      return rejected('unknown-vat-code', words, { vatCode: code });
    }
    taxes.set(code, { id: tax.id, name, parts: partsOf(tax, known) });
  }
  return { outcome: 'ok', value: taxes };
}

function partsOf(tax: WireTax, known: readonly WireTax[]): TaxPart[] {
  const children = known.filter(({ parent }) => parent === tax.id);
  const { id, type, invoice_account: invoiceAccount, credit_note_account: creditNoteAccount } = tax;
  const own = type === 'none' ? [] : [{ id, invoiceAccount, creditNoteAccount }];
  return [...own, ...children.flatMap((child) => partsOf(child, known))];
}

/** What a line comes to in the sense of its side: sales plus when credit, everything else plus when debit. */
export function sidedAmount({ role, debit, credit }: JournalLine): Decimal {
  return SALES.has(role) ? credit.minus(debit) : debit.minus(credit);
}

export function taxOf({ vatCode, role }: JournalLine, taxes: Taxes): TrytonTax | undefined {
  return TAXED.has(role) && vatCode !== undefined ? taxes.get(vatCode) : undefined;
}

/** The part of its tax that a line of VAT is, by the account that it goes to. */
export function partOf(line: JournalLine, taxes: Taxes, accounts: Accounts): TaxPart | undefined {
  const tax = line.vatCode === undefined ? undefined : taxes.get(line.vatCode);
  const account = accounts.get(line.account)?.id;
  const isCredited = isOwed(line) ? line.credit.isZero() : line.debit.isZero();
  return tax?.parts.find((part) => accountOf(part, isCredited) === account);
}

export function accountOf(
  { invoiceAccount, creditNoteAccount }: TaxPart,
  isCredited: boolean,
): number | null {
  return isCredited ? creditNoteAccount : invoiceAccount;
}

function isOwed({ role }: JournalLine): boolean {
  return role === 'vat-out' || role === 'reverse-charge-out';
}

/** A VAT line on another account than its tax has in Tryton: its report and the books would not agree. */
export function taxRefusal(
  { lines }: Pick<Journal, 'lines'>,
  taxes: Taxes,
  accounts: Accounts,
): Rejected | null {
  for (const line of lines.filter(isVatLine)) {
    const tax = line.vatCode === undefined ? undefined : taxes.get(line.vatCode);
    if (!tax || partOf(line, taxes, accounts)) continue;
    const { account, vatCode = '' } = line;
    const words = told('TAX_ON_OTHER_ACCOUNT', { name: tax.name, account, vatCode });
    return rejected('unknown-vat-code', words, { account, vatCode });
  }
  return null;
}

/** `tax_lines` of a line of a plain move, from which Tryton's tax report is made. */
export function taxLinesOf(line: JournalLine, taxes: Taxes, accounts: Accounts): Record<string, unknown> {
  const amount = decimal(sidedAmount(line));
  const part = isVatLine(line) ? partOf(line, taxes, accounts) : undefined;
  const made = part
    ? [{ amount, type: 'tax', tax: part.id }]
    : (taxOf(line, taxes)?.parts ?? []).map(({ id }) => ({ amount, type: 'base', tax: id }));
  return made.length === 0 ? {} : { tax_lines: [['create', made]] };
}
