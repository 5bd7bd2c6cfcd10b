// What Xero must know before a journal is sent (the right organisation, an open period, accounts that manual journals may use, tracking
// options) and its contacts. Both are kept for a while, since sixty calls a minute are few.
import { createHash } from 'node:crypto';
import type { JournalParty } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import { type Answer, ok, ReadFailed } from '../answer.js';
import type { AccountFact, ChartFacts } from '../chart.js';
import type { Finding, Rejected } from '../erp-adapter.js';
import { clipText } from '../line-text.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  type PartnerWanted,
  partyNumber,
  partySpellings,
} from '../partner-directory.js';
import { rejected, remedyOf, told } from '../told.js';
import type { XeroClient } from './client.js';
import {
  CLOSED_TO_JOURNALS,
  NAME_LENGTH_MAX,
  NAME_TAKEN,
  quoted,
  TRACKING_MAX,
  type XeroConfiguration,
} from './settings.js';
import { xeroCode } from './translate.js';
import {
  type XeroAccount,
  xeroAccounts,
  type XeroContact,
  xeroContacts,
  xeroCurrencies,
  type XeroOrganisation,
  xeroOrganisations,
  xeroTaxRates,
  xeroTracking,
} from './wire.js';

const system = 'Xero';

export async function readXeroFacts(
  client: XeroClient,
  configuration: XeroConfiguration,
  splitsVat: boolean,
): Promise<ChartFacts> {
  const organisation = await readOrganisation(client, configuration);
  const { Accounts } = await client.get('Accounts', xeroAccounts);
  const accounts = new Map(Accounts.map((account) => [account.Code, account]));
  const options = await readOptions(client, configuration);
  const taxTypes = splitsVat ? await readTaxTypes(client) : null;
  const keepsCurrency = configuration.foreignDocuments === 'in-currency';
  const currencies = keepsCurrency ? await readCurrencies(client) : null;
  const locks = [organisation.PeriodLockDate ?? '', organisation.EndOfYearLockDate ?? ''];
  const until = locks.sort().at(-1) ?? '';
  const accountOf = (number: string) => accounts.get(xeroCode(number, configuration));
  const vatProblem = (code: string) =>
    taxTypes === null || taxTypes.has(code) ? null : unknownTaxType(code);
  return {
    company: { company: organisation.Name, registrationNo: configuration.company },
    account: (number) => accountFact(accountOf(number)),
    labelOf: (number) => labelOf(number, configuration),
    dimension(name) {
      const category = configuration.dimensions[name];
      if (category === undefined) return undefined;
      return { name: category, has: (value) => options.has(`${category}=${value}`) };
    },
    closedDay(date) {
      if (date > until) return null;
      const locked = { system, until };
      return { reason: told('LOCKED_UNTIL', locked), refusal: told('LOCKED_UNTIL', { ...locked, date }) };
    },
    ...(currencies && { hasCurrency: (code) => currencies.has(code) }),
    accountProblem: (number) => closedToJournals(number, accountOf(number), configuration),
    lineProblem({ vatCode, dimensions = {} }) {
      const count = Object.keys(dimensions).length;
      const unknown = vatCode === undefined ? null : vatProblem(vatCode);
      if (unknown || count <= TRACKING_MAX) return unknown;
      return rejected('unsupported', told('TOO_MANY_DIMENSIONS', { count, most: TRACKING_MAX }));
    },
    vatProblem(code) {
      const problem = vatProblem(code);
      return problem && { problem };
    },
    warnings: () => paymentWarnings(accountOf, configuration),
  };
}

async function readOrganisation(
  client: XeroClient,
  configuration: XeroConfiguration,
): Promise<XeroOrganisation> {
  const { Organisations } = await client.get('Organisation', xeroOrganisations);
  const [organisation] = Organisations;
  if (!organisation) throw new ReadFailed(rejected('wrong-company', told('OPENS_NOTHING')));
  const { Name: company, BaseCurrency: currency } = organisation;
  const other = otherCompany(organisation, configuration);
  if (other) throw new ReadFailed(other);
  if (currency === 'ISK') return organisation;
  throw new ReadFailed(rejected('wrong-company', told('BOOKS_NOT_IN_ISK', { company, currency })));
}

/**
 * Xero shows the registration number of companies in New Zealand, Australia and the United Kingdom only. Everywhere else
 * the tax number is the one that names the company, and in Iceland people write their kennitala or their VAT number there.
 */
function otherCompany(
  organisation: XeroOrganisation,
  { company, taxNumber }: Pick<XeroConfiguration, 'company' | 'taxNumber'>,
): Rejected | null {
  const shown = [organisation.RegistrationNumber, organisation.TaxNumber].map(digitsOf);
  if (shown.includes(company)) return null;
  if (taxNumber !== undefined && digitsOf(organisation.TaxNumber) === digitsOf(taxNumber)) return null;
  const numbers = shown.filter((number) => number !== '').join(', ');
  const books = { company: organisation.Name, wanted: company };
  const text =
    numbers === '' ? told('OPENS_UNNUMBERED_XERO', books) : told('OPENS_OTHER_XERO', { ...books, numbers });
  return rejected('wrong-company', text);
}

function digitsOf(number: string): string {
  return number.replace(/\D/g, '');
}

function accountFact(account: XeroAccount | undefined): AccountFact | undefined {
  return account && { name: account.Name, shut: account.Status === 'ACTIVE' ? undefined : 'archived' };
}

function labelOf(number: string, configuration: XeroConfiguration): string {
  const code = xeroCode(number, configuration);
  return code === number ? number : `${number} (Xero: ${code})`;
}

function closedToJournals(
  number: string,
  account: XeroAccount | undefined,
  configuration: XeroConfiguration,
): Rejected | null {
  const isClosed = (CLOSED_TO_JOURNALS as readonly string[]).includes(account?.SystemAccount ?? '');
  if (!account || (account.Type !== 'BANK' && !isClosed)) return null;
  const named = { account: labelOf(number, configuration), name: account.Name };
  return rejected('blocked-account', told('ACCOUNT_NOT_FOR_JOURNALS', named), { account: number });
}

function unknownTaxType(vatCode: string): Rejected {
  return rejected('unknown-vat-code', told('VAT_CODE_WITHOUT_RATE', { vatCode }), { vatCode });
}

/** A payment on an invoice is taken from the clearing account, which has to allow it. */
function paymentWarnings(
  accountOf: (number: string) => XeroAccount | undefined,
  configuration: XeroConfiguration,
): Finding[] {
  if (configuration.books !== 'documents') return [];
  const { customers, suppliers } = configuration.subledger;
  const refusing = [...customers, ...suppliers].filter(
    (number) => accountOf(number)?.EnablePaymentsToAccount === false,
  );
  return refusing.map((number) => ({
    severity: 'warning',
    ...told('ACCOUNT_TAKES_NO_PAYMENTS', { account: xeroCode(number, configuration) }),
    ...remedyOf(told('ENABLE_PAYMENTS')),
  }));
}

async function readCurrencies(client: XeroClient): Promise<ReadonlySet<string>> {
  const { Currencies } = await client.get('Currencies', xeroCurrencies);
  return new Set(Currencies.map(({ Code }) => Code));
}

async function readTaxTypes(client: XeroClient): Promise<ReadonlySet<string>> {
  const { TaxRates } = await client.get('TaxRates', xeroTaxRates);
  const active = TaxRates.filter(({ Status }) => Status === 'ACTIVE');
  return new Set(active.map(({ TaxType }) => TaxType));
}

/** `Category=Option` */
async function readOptions(
  client: XeroClient,
  { dimensions }: XeroConfiguration,
): Promise<ReadonlySet<string>> {
  if (Object.keys(dimensions).length === 0) return new Set();
  const { TrackingCategories } = await client.get('TrackingCategories', xeroTracking);
  const names = TrackingCategories.flatMap((category) =>
    category.Options.filter((option) => option.Status === 'ACTIVE').map(
      (option) => `${category.Name}=${option.Name}`,
    ),
  );
  return new Set(names);
}

const CONTACT_LIFE_MS = 10 * 60 * 1000;
const KEPT_MAX = 5_000;
const NUMBERS = ['ContactNumber', 'TaxNumber', 'CompanyNumber'] as const;

/**
 * Contacts by kennitala: the tax number, the contact number (which programs alone can write) or the company number. Names are unique among
 * active contacts, so Xero keeps a new one to one. A company that people created without a kennitala is the one of that name, and is given
 * it as tax number.
 */
export class XeroContacts {
  readonly #client: XeroClient;
  readonly #clock: Clock;
  readonly #directory: PartnerDirectory<XeroContact>;
  /** By kennitala: sixty calls a minute are few, and the same customers come again. */
  readonly #kept = new Map<string, { readonly id: string; readonly until: number }>();
  /** By the id of the contact, for what is read back. */
  readonly #numbers = new Map<string, string>();

  constructor(client: XeroClient, clock: Clock, mayCreate: boolean) {
    this.#client = client;
    this.#clock = clock;
    this.#directory = createPartnerDirectory<XeroContact>({
      mayCreate,
      find: ({ kennitala }) => this.#withNumber(kennitala),
      create: (party) => this.#create(party),
    });
  }

  async resolveId(wanted: PartnerWanted): Promise<string> {
    const { kennitala } = wanted;
    const kept = this.#kept.get(kennitala);
    if (kept && kept.until > this.#clock.now().getTime()) return kept.id;
    const { ContactID: id } = await this.#directory.resolve(wanted);
    if (this.#kept.size >= KEPT_MAX) this.forget();
    // Whatever other numbers it has, this is the one that it was found by.
    this.#numbers.set(id, partyNumber(kennitala));
    this.#kept.set(kennitala, { id, until: this.#clock.now().getTime() + CONTACT_LIFE_MS });
    return id;
  }

  /** After a refusal: the contact may have been archived or merged since it was looked up. */
  forget(): void {
    this.#kept.clear();
    this.#numbers.clear();
  }

  /** The kennitala behind each contact; one without a number is left out. */
  async readNumbers(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = [...new Set(ids)].filter((id) => !this.#numbers.has(id));
    if (unknown.length > 0) {
      const query = { IDs: unknown.join(','), includeArchived: 'true' };
      const { Contacts } = await this.#client.get('Contacts', xeroContacts, query);
      if (this.#numbers.size >= KEPT_MAX) this.#numbers.clear();
      for (const contact of Contacts) this.#numbers.set(contact.ContactID, numberOf(contact));
    }
    const known = ids.map((id) => [id, this.#numbers.get(id) ?? ''] as const);
    return new Map(known.filter(([, number]) => number !== ''));
  }

  async #withNumber(kennitala: string): Promise<XeroContact[]> {
    const spellings = partySpellings(kennitala).map(quoted);
    const where = NUMBERS.flatMap((field) => spellings.map((number) => `${field}==${number}`)).join(' OR ');
    return (await this.#client.get('Contacts', xeroContacts, { where })).Contacts;
  }

  async #create(party: JournalParty, triesLeft = 1): Promise<Answer<XeroContact>> {
    const namesake = await this.#namesake(party.name);
    const number = partyNumber(party.kennitala);
    if (namesake && numberOf(namesake) === number) return ok(namesake);
    if (namesake && kennitalaOf(namesake) === undefined)
      return isCompany(number) && namesake.TaxNumber === ''
        ? this.#send('POST', number, { ContactID: namesake.ContactID, TaxNumber: number })
        : undecided(party);
    const name = namesake ? `${party.name} (${number})` : party.name;
    const made = await this.#send('PUT', number, newContact({ ...party, name }, number));
    // Somebody of the same name was faster: who that is, is looked at once more.
    const isTaken = made.outcome === 'rejected' && NAME_TAKEN.test(made.message);
    return isTaken && triesLeft > 0 ? this.#create(party, triesLeft - 1) : made;
  }

  async #namesake(name: string): Promise<XeroContact | undefined> {
    const { Contacts } = await this.#client.get('Contacts', xeroContacts, { searchTerm: name });
    return Contacts.find(({ Name }) => sameName(Name, name));
  }

  async #send(method: 'PUT' | 'POST', number: string, contact: object): Promise<Answer<XeroContact>> {
    const body = JSON.stringify({ Contacts: [contact] });
    const print = createHash('sha256').update(body).digest('hex').slice(0, 16);
    const request = { method, path: 'Contacts', key: `contact-${number}-${print}`, body } as const;
    const answer = await this.#client.write(request, xeroContacts);
    if (answer.outcome !== 'ok') return answer;
    const [made] = answer.value.Contacts;
    return made ? ok(made) : { outcome: 'unknown', ...told('ANSWERED_WITHOUT_RESULT', { system: 'Xero' }) };
  }
}

function newContact(party: JournalParty, number: string) {
  const { address, zip, city, email } = party;
  const place = { AddressLine1: address, City: city, PostalCode: zip };
  const present = Object.fromEntries(Object.entries(place).filter(([, value]) => value));
  return {
    Name: clipText(party.name, NAME_LENGTH_MAX),
    ContactNumber: number,
    TaxNumber: number,
    ...(email ? { EmailAddress: email } : {}),
    ...(Object.keys(present).length === 0 ? {} : { Addresses: [{ AddressType: 'POBOX', ...present }] }),
  };
}

const KENNITALA = /^\d{10}$/;

/** Other programs have numbers of their own for contacts, so a kennitala is taken for it wherever it stands. */
function kennitalaOf(contact: XeroContact): string | undefined {
  return numbersOn(contact).find((number) => KENNITALA.test(number));
}

function numberOf(contact: XeroContact): string {
  return kennitalaOf(contact) ?? numbersOn(contact).find((number) => number !== '') ?? '';
}

function numbersOn({ TaxNumber, ContactNumber, CompanyNumber }: XeroContact): string[] {
  return [TaxNumber, ContactNumber, CompanyNumber].map(partyNumber);
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize('NFC').trim().toLocaleLowerCase('is');
  return plain(one) === plain(other);
}

/** The first digit of a company's kennitala is raised by four; people share their names. */
function isCompany(kennitala: string): boolean {
  return /^[4-7]\d{9}$/.test(kennitala);
}

function undecided({ name, kennitala }: JournalParty): Rejected {
  return rejected('unknown-party', told('CONTACT_WITHOUT_NUMBER', { name, kennitala }), { party: kennitala });
}
