// Uniconta as keyed books. Nothing outside Uniconta can post a journal, so lines are put into a daily journal and wait there for people;
// a document is in the books when its transactions show, and the source hears of it then and no sooner.
import type * as port from '../erp-adapter.js';
import { z } from 'zod';
import { isPostingKey } from '../../domain/posting-key.js';
import { writeWireJson } from '../../http/wire-json.js';
import { type Answer, ok, ReadFailed } from '../answer.js';
import { Chart, type ChartFacts, Remembered } from '../chart.js';
import { draftsAndPosted, type ErpBooks, type Period, type Sending } from '../keyed-books.js';
import { createPartnerDirectory, type PartnerDirectory, subledgerPartners } from '../partner-directory.js';
import { rejected, told, type Told } from '../told.js';
import {
  account,
  company,
  dimensionValue,
  financeYear,
  journal as journalRow,
  journalLine,
  literal,
  partner,
  transaction,
  type UnicontaAccount,
  type UnicontaClient,
  type UnicontaPartner,
} from './client.js';
import { capabilitiesOf, REFERENCE_FIELD, type UnicontaConfiguration } from './settings.js';
import { toDrafts, toLines, toPartner, toPosted } from './translate.js';

const system = 'Uniconta';
const CHART_LIFE_MS = 5 * 60 * 1000;
const LINES = 'GLDailyJournalLineClient';
const TRANSACTIONS = 'GLTransClient';
const PARTNERS = { customer: 'DebtorClient', supplier: 'CreditorClient' } as const;

const request = z.object({ body: z.string() });
type Request = z.infer<typeof request>;

export class UnicontaBooks implements ErpBooks<Request, ChartFacts> {
  readonly system = system;
  readonly stored = request;
  readonly ledger: string;
  readonly capabilities: port.ErpCapabilities;
  readonly chart: Chart<ChartFacts>;
  readonly cannot = { reverse: told('UNDONE_BY_PEOPLE') };
  readonly #client: UnicontaClient;
  readonly #settings: UnicontaConfiguration;
  readonly #partners: PartnerDirectory<UnicontaPartner>;

  constructor(client: UnicontaClient, settings: UnicontaConfiguration, { clock }: port.ErpServices) {
    this.#client = client;
    this.#settings = settings;
    this.ledger = `uniconta:${settings.companyId}`;
    this.capabilities = capabilitiesOf(settings);
    const facts = new Remembered(clock, CHART_LIFE_MS, () => readFacts(client, settings));
    this.chart = new Chart({
      ...{ system, subledger: settings.subledger, dimensionSetting: '`dimensions`' },
      read: () => facts.get(),
      readNow: () => facts.fresh(),
    });
    this.#partners = partnersOf(client, settings);
  }

  async write({ key, journal }: port.PostRequest): Promise<Request> {
    const blocked = ({ Blocked, Account }: UnicontaPartner) => (Blocked === true ? Account : null);
    const rules = { system, blocked, subledger: this.#settings.subledger };
    await subledgerPartners(this.#partners, rules, journal);
    return { body: writeWireJson(toLines(key, journal, this.#settings)) };
  }

  create({ request: { body } }: Sending<Request>): Promise<Answer<undefined>> {
    return this.#client.insertList(LINES, body);
  }

  readByKey(key: string): Promise<readonly port.ErpEntry[]> {
    const hasKey = `${REFERENCE_FIELD} eq ${literal(key)}`;
    return draftsAndPosted(
      () => this.#drafts(hasKey),
      () => this.#posted(hasKey),
    );
  }

  /** The number of a voucher, or `journal/key` as drafts have it. */
  async readByReference(reference: string): Promise<readonly port.ErpEntry[]> {
    if (!/^\d{1,9}$/.test(reference)) {
      const key = reference.split('/').at(-1) ?? '';
      return isPostingKey(key) ? this.readByKey(key) : [];
    }
    const posted = await this.#posted(`Voucher eq ${reference}`);
    const [first] = posted;
    return first && isPostingKey(first.key) ? this.readByKey(first.key) : posted;
  }

  async *readPeriod({ from, to }: Period): AsyncIterable<port.ErpEntry> {
    const days = `Date ge datetime'${from}T00:00:00' and Date le datetime'${to}T00:00:00'`;
    const drafts = await this.#drafts(days);
    yield* await this.#posted(days);
    yield* drafts;
  }

  async #drafts(where: string): Promise<port.ErpEntry[]> {
    const filter = `Journal eq ${literal(this.#settings.journal)} and ${where}`;
    return toDrafts(await this.#client.list(LINES, journalLine, { filter }), this.#settings);
  }

  async #posted(filter: string): Promise<port.ErpEntry[]> {
    const orderBy = 'Voucher,VoucherLine';
    const transactions = await this.#client.list(TRANSACTIONS, transaction, { filter, orderBy });
    return toPosted(transactions, this.#settings);
  }
}

function partnersOf(
  client: UnicontaClient,
  { partners, customerGroup, supplierGroup }: UnicontaConfiguration,
): PartnerDirectory<UnicontaPartner> {
  return createPartnerDirectory<UnicontaPartner>({
    mayCreate: partners.create,
    find: ({ kind, kennitala }) =>
      client.list(PARTNERS[kind], partner, { filter: `Account eq ${literal(kennitala)}` }),
    async create(party) {
      const fields = toPartner(party, party.kind === 'customer' ? customerGroup : supplierGroup);
      const answer = await client.insert(PARTNERS[party.kind], JSON.stringify(fields));
      return answer.outcome === 'ok' ? ok({ Account: fields['Account'] ?? '', Blocked: false }) : answer;
    },
  });
}

async function readFacts(client: UnicontaClient, settings: UnicontaConfiguration): Promise<ChartFacts> {
  const companyName = await readCompany(client, settings);
  const rows = await client.list('GLAccountClient', account);
  const years = await client.list('CompanyFinanceYearClient', financeYear);
  /** `Dimension1=RVK` */
  const values = new Set<string>();
  for (const field of new Set(Object.values(settings.dimensions))) {
    const known = await client.list(`GLDimType${field.slice(-1)}Client`, dimensionValue);
    for (const { Dim } of known) values.add(`${field}=${Dim}`);
  }
  const accounts = new Map(rows.map((one) => [one.Account, one]));
  const open = years
    .filter(({ State }) => State === 'Open')
    .map(({ FromDate, ToDate }) => ({ from: FromDate.slice(0, 10), to: ToDate.slice(0, 10) }));
  const days = open.map(({ from, to }) => `${from} – ${to}`).join(', ');
  return {
    company: { company: companyName, registrationNo: settings.company },
    account(number) {
      const found = accounts.get(number);
      return found && accountFact(found);
    },
    dimension(name) {
      const field = settings.dimensions[name];
      return field && { name: field, has: (value: string) => values.has(`${field}=${value}`) };
    },
    closedDay(date) {
      if (open.some(({ from, to }) => date >= from && date <= to)) return null;
      const reason = told('OPEN_DAYS_ARE', { system, days });
      return { reason, refusal: told('OPEN_DAYS_ARE', { system, days, date }) };
    },
  };
}

function accountFact({ Name: name, Blocked, AccountType }: UnicontaAccount) {
  const isHeading = AccountType === 'Header' || AccountType === 'Sum';
  return { name, isHeading, shut: Blocked === true ? ('blocked' as const) : undefined };
}

/** The name of the company, once its number, its currency and the journal are those of the settings. */
async function readCompany(
  client: UnicontaClient,
  { company: wanted, companyId, journal }: UnicontaConfiguration,
): Promise<string> {
  const [found] = await client.list('CompanyClient', company, { filter: `CompanyId eq ${companyId}` });
  if (!found) throw otherBooks(told('COMPANY_NOT_SHOWN', { system, company: companyId }));
  const { CompanyName: name, Id: number, CurrencyId: currency } = found;
  if (number.replace(/\D/g, '') !== wanted)
    throw otherBooks(told('COMPANY_IS_OTHER', { id: companyId, company: `${name} (${number})`, wanted }));
  if (currency !== 'ISK') throw otherBooks(told('BOOKS_NOT_IN_ISK', { company: name, currency }));
  const filter = `Journal eq ${literal(journal)}`;
  const journals = await client.list('GLDailyJournalClient', journalRow, { filter });
  if (journals.length > 0) return name;
  throw new ReadFailed(rejected('invalid', told('JOURNAL_LACKING', { system, journal })));
}

function otherBooks(words: Told): ReadFailed {
  return new ReadFailed(rejected('wrong-company', words));
}
