// What Business Central must know before a journal is made: the right company, an open period, accounts that take direct
// postings, dimension values. Read and remembered for a while; what is missing is read again before it is refused.
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import { asAnswer, ok, orThrow, ReadFailed } from '../answer.js';
import type { IsoDate } from '../../domain/source-document.js';
import type { Rejected, VatMode } from '../erp-adapter.js';
import { Chart, type ChartFacts, type ClosedDay, Remembered, type Wanted } from '../chart.js';
import { rejected, saidBy, told } from '../told.js';
import { ACCOUNTS_MAX, BLANK_DATE, type BusinessCentralConfiguration, RATE_TOLERANCE } from './settings.js';
import { type BcClient, literal } from './client.js';
import {
  bcAccount,
  type BcAccount,
  bcCompany,
  bcCompanyInformation,
  bcDimension,
  bcExchangeRate,
  bcLedgerSetup,
  type BcLedgerSetup,
  bcPartner,
  type BcPartner,
  bcTaxGroup,
} from './wire.js';
import { Decimal } from '../../domain/money.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  type PartnerKind,
  partyNumber,
  partySpellings,
} from '../partner-directory.js';
import { toBcPartner } from './translate.js';

const system = 'Business Central';
const SETUP_LIFE_MS = 5 * 60 * 1000;

interface Setup {
  readonly companyName: string;
  /** As written under Company Information; empty: nothing is. */
  readonly registrationNo: string;
  readonly ledger: BcLedgerSetup;
  readonly accounts: ReadonlyMap<string, BcAccount>;
  /** `CODE=VALUE` */
  readonly dimensionValues: ReadonlySet<string>;
  /** VAT product posting groups in upper case; empty where no line has one. */
  readonly vatGroups: ReadonlySet<string>;
}

/** Reads once what seldom changes, and keeps it for a while. */
export function bcChart(
  client: BcClient,
  configuration: BusinessCentralConfiguration,
  clock: Clock,
  vatMode: VatMode,
): Chart<ChartFacts> {
  const setup = new Remembered(clock, SETUP_LIFE_MS, () => readSetup(client, configuration, vatMode));
  const facts = async ({ currencies }: Wanted, read: Setup): Promise<ChartFacts> => {
    const keepsCurrency = configuration.foreignDocuments === 'in-currency' && currencies.length > 0;
    const rated = keepsCurrency ? await ratedCurrencies(client, currencies) : null;
    return factsOf(read, configuration, vatMode, rated);
  };
  return new Chart({
    system,
    dimensionSetting: '`dimensions`',
    subledger: configuration.subledger,
    read: async (wanted) => facts(wanted, await setup.get()),
    readNow: async (wanted) => facts(wanted, await setup.fresh()),
  });
}

function factsOf(
  setup: Setup,
  configuration: BusinessCentralConfiguration,
  vatMode: VatMode,
  rated: ReadonlySet<string> | null,
): ChartFacts {
  const { companyName: company, registrationNo, accounts, vatGroups } = setup;
  const { customers, suppliers } = configuration.subledger;
  const isInSubledger = (account: string) => customers.includes(account) || suppliers.includes(account);
  const vatProblem = (vatCode: string | undefined) =>
    vatMode === 'erp-splits' ? groupProblem(vatCode, vatGroups) : null;
  return {
    company: { company, registrationNo },
    account(number) {
      const found = accounts.get(number);
      if (!found) return undefined;
      const shut = found.blocked ? ('blocked' as const) : undefined;
      return { name: found.displayName, shut, isHeading: found.accountType !== 'Posting' };
    },
    dimension(name) {
      const code = configuration.dimensions[name];
      if (code === undefined) return undefined;
      return { name: code, has: (value) => setup.dimensionValues.has(`${code}=${value}`) };
    },
    closedDay: (day) => closedDay(day, setup),
    ...(rated && { hasCurrency: (currency) => rated.has(currency) }),
    // The group of lines without VAT, which documents cannot be without.
    generalProblem: () =>
      configuration.books === 'documents' ? groupProblem(configuration.noVatGroup, vatGroups) : null,
    accountProblem(account) {
      if (accounts.get(account)?.directPosting === true || isInSubledger(account)) return null;
      return rejected('blocked-account', told('ACCOUNT_NOT_DIRECT', { account }), { account });
    },
    lineProblem({ account, counterparty, vatCode }) {
      if (counterparty !== undefined || !isInSubledger(account)) return vatProblem(vatCode);
      return rejected('unknown-party', told('ACCOUNT_WANTS_KENNITALA', { account }), { account });
    },
    vatProblem(vatCode) {
      const problem = vatProblem(vatCode);
      return problem && { problem };
    },
  };
}

async function readSetup(
  client: BcClient,
  configuration: BusinessCentralConfiguration,
  vatMode: VatMode,
): Promise<Setup> {
  const company = await companyName(client, configuration);
  const [ledger] = await client.list('generalLedgerSetup', {}, bcLedgerSetup);
  if (ledger?.localCurrencyCode !== 'ISK') {
    const currency = ledger?.localCurrencyCode ?? '';
    throw new ReadFailed(rejected('wrong-company', told('BOOKS_NOT_IN_ISK', { company, currency })));
  }
  const accounts = await client.list('accounts', { $top: String(ACCOUNTS_MAX) }, bcAccount);
  const dimensionValues = await readDimensionValues(client, Object.values(configuration.dimensions));
  const hasGroups = vatMode === 'erp-splits' || configuration.books === 'documents';
  return {
    companyName: company,
    registrationNo: await readRegistrationNo(client),
    ledger,
    accounts: new Map(accounts.map((account) => [account.number, account])),
    dimensionValues,
    vatGroups: hasGroups ? await readVatGroups(client) : new Set(),
  };
}

/** An app without the right to see it still works; nothing is compared then. */
async function readRegistrationNo(client: BcClient): Promise<string> {
  const answer = await asAnswer(() => client.list('companyInformation', {}, bcCompanyInformation));
  return answer.outcome === 'ok' ? (answer.value[0]?.taxRegistrationNumber ?? '') : '';
}

/** The name of the company that the settings name by id; another name there is a mistaken id. */
export async function companyName(
  client: BcClient,
  { companyName: wanted, companyId }: Pick<BusinessCentralConfiguration, 'companyName' | 'companyId'>,
): Promise<string> {
  const answer = await asAnswer(() => client.get('', bcCompany));
  if (answer.outcome === 'rejected') {
    const answered = { company: companyId, answer: saidBy(answer) };
    throw new ReadFailed(rejected('wrong-company', told('COMPANY_NOT_SHOWN_SAID', answered)));
  }
  const company = orThrow(answer);
  const name = company.displayName ?? company.name;
  if (wanted === name || wanted === company.name) return name;
  const words = told('COMPANY_IS_OTHER', { id: companyId, company: name, wanted });
  throw new ReadFailed(rejected('wrong-company', words));
}

/** A rate counts from its day on, so this asks whether there is any. */
const LAST_DAY = '9999-12-31';

function closedDay(
  day: IsoDate,
  { ledger: { allowPostingFrom: from, allowPostingTo: to } }: Setup,
): ClosedDay | null {
  if ((from === BLANK_DATE || day >= from) && (to === BLANK_DATE || day <= to)) return null;
  const open = { system, days: `${from} – ${to === BLANK_DATE ? '' : to}`.trimEnd() };
  return { reason: told('OPEN_DAYS_ARE', open), refusal: told('OPEN_DAYS_ARE', { ...open, date: day }) };
}

/** Those of the currencies that the company has a rate for: documents in their currency are reckoned by its rates. */
async function ratedCurrencies(
  client: BcClient,
  currencies: readonly string[],
): Promise<ReadonlySet<string>> {
  const rated = new Set<string>();
  for (const currency of currencies) if (await readRate(client, currency, LAST_DAY)) rated.add(currency);
  return rated;
}

// Codes that lines carry and the company has to know: values of dimensions, VAT product posting groups.

/** `CODE=VALUE` of these dimensions. */
async function readDimensionValues(client: BcClient, codes: readonly string[]): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set();
  const $filter = codes.map((code) => `code eq ${literal(code)}`).join(' or ');
  const dimensions = await client.list('dimensions', { $filter, $expand: 'dimensionValues' }, bcDimension);
  const values = dimensions.flatMap((dimension) =>
    dimension.dimensionValues.map((value) => `${dimension.code}=${value.code}`),
  );
  return new Set(values);
}

/** In upper case, as codes are kept. */
async function readVatGroups(client: BcClient): Promise<ReadonlySet<string>> {
  const groups = await client.list('taxGroups', {}, bcTaxGroup);
  return new Set(groups.map(({ code }) => code.toUpperCase()));
}

/** A group that a line would have and the company has not. */
function groupProblem(vatCode: string | undefined, groups: ReadonlySet<string>): Rejected | null {
  if (vatCode === undefined || groups.has(vatCode.toUpperCase())) return null;
  const words = told('VAT_CODE_LACKING', { system: 'Business Central', vatCode });
  return rejected('unknown-vat-code', words, { vatCode });
}

// Business Central reckons the krónur of a document by its own table of rates, and the API cannot tell it another. So a document goes in
// its currency only where the rate there is the document's, as near as rates of one day are.

/** Krónur for one of the currency on that day; undefined where there is none. */
export async function readRate(
  client: BcClient,
  currency: string,
  date: string,
): Promise<Decimal | undefined> {
  const query = {
    $filter: `currencyCode eq ${literal(currency)} and startingDate le ${date}`,
    $orderby: 'startingDate desc',
    $top: '1',
  };
  const [rate] = await client.list('currencyExchangeRates', query, bcExchangeRate);
  if (!rate || rate.exchangeRateAmount.isZero()) return undefined;
  return rate.relationalExchangeRateAmount.div(rate.exchangeRateAmount);
}

/** Null when the krónur will come to what the document says. */
export async function rateProblem(
  client: BcClient,
  { currency, postingDate: date, exchangeRate }: Journal,
): Promise<Rejected | null> {
  const rate = await readRate(client, currency, date);
  if (!rate) return rejected('invalid', told('RATE_LACKING', { system, currency, date }));
  const off = rate.div(exchangeRate).minus(new Decimal(1)).abs();
  if (off.lessThanOrEqualTo(RATE_TOLERANCE)) return null;
  const [found, wanted] = [rate.toDecimalPlaces(6).toFixed(), exchangeRate.toFixed()];
  return rejected('invalid', told('RATE_FAR', { system, currency, date, found, wanted }));
}

// Customers and vendors of Business Central, by kennitala. A new one is numbered by it, so that a second is refused by
// Business Central itself, whoever tries.

const ENTITY_SETS = { customer: 'customers', supplier: 'vendors' } as const;

export function createBcPartners(
  client: BcClient,
  configuration: Pick<BusinessCentralConfiguration, 'partners' | 'partnersBy'>,
  /** A document says its currency itself. */
  anyCurrency = false,
): PartnerDirectory<string> {
  return createPartnerDirectory<string>({
    mayCreate: configuration.partners.create,
    async find({ kind, kennitala }): Promise<string[]> {
      // Where the kennitala is the number, people may yet have entered a partner under a number of their own.
      for (const field of new Set([configuration.partnersBy, 'taxRegistrationNumber'] as const)) {
        const found = await findBy(client, field, kind, kennitala, anyCurrency);
        if (found.length > 0) return found;
      }
      return [];
    },
    async create(party) {
      const body = JSON.stringify(toBcPartner(party));
      const answer = await client.create(ENTITY_SETS[party.kind], body, bcPartner);
      return answer.outcome === 'ok' ? ok(answer.value.number) : answer;
    },
  });
}

async function findBy(
  client: BcClient,
  field: BusinessCentralConfiguration['partnersBy'],
  kind: PartnerKind,
  kennitala: string,
  anyCurrency: boolean,
): Promise<string[]> {
  const $filter = partySpellings(kennitala)
    .map((each) => `${field} eq ${literal(each)}`)
    .join(' or ');
  const partners = await client.list(ENTITY_SETS[kind], { $filter, $top: '5' }, bcPartner);
  const problem = partners.map((partner) => problemOf(partner, anyCurrency)).find((each) => each !== null);
  if (problem) throw new ReadFailed(problem);
  return partners.map((partner) => partner.number);
}

/** A partner's own currency would become the line's, and journal lines of the API cannot say otherwise. */
function problemOf(partner: BcPartner, anyCurrency: boolean): Rejected | null {
  const { number, currencyCode = '', blocked = '' } = partner;
  if (!anyCurrency && currencyCode !== '' && currencyCode !== 'ISK') {
    const words = told('PARTNER_IN_CURRENCY', { partner: number, currency: currencyCode });
    return rejected('unsupported', words);
  }
  const words = told('PARTNER_BLOCKED', { system: 'Business Central', partner: number });
  return blocked === 'All' ? rejected('unknown-party', words) : null;
}

const KENNITALA = /^\d{10}$/;
const KEPT_MAX = 5_000;

/** Whose number it is, for documents that are read back: the number itself, or the registration number of the partner who has it. */
export class BcKennitalas {
  readonly #client: BcClient;
  readonly #kept = new Map<string, string>();

  constructor(client: BcClient) {
    this.#client = client;
  }

  async read(kind: PartnerKind, number: string): Promise<string> {
    const plain = partyNumber(number);
    if (KENNITALA.test(plain)) return plain;
    const kept = this.#kept.get(`${kind}/${number}`);
    if (kept !== undefined) return kept;
    const query = { $filter: `number eq ${literal(number)}`, $top: '1' };
    const [partner] = await this.#client.list(ENTITY_SETS[kind], query, bcPartner);
    // A foreign one may have its number alone.
    const value = partyNumber(partner?.taxRegistrationNumber ?? '') || plain;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(`${kind}/${number}`, value);
    return value;
  }
}
