// dkPlus as keyed books. One request books a whole journal and answers nothing, so every posting is read back by its reference; what
// cannot be read back is unknown, and since dk lists no unposted journals it is never sent again. Costs may go as supplier invoices,
// which wait in dk for people.
import * as z from 'zod';
import type * as port from '../erp-adapter.js';
import type { Decimal } from '../../domain/money.js';
import type { Journal, JournalLine } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import { writeWireJson } from '../../http/wire-json.js';
import { type Answer, ReadFailed } from '../answer.js';
import { Chart, type ChartFacts, Remembered } from '../chart.js';
import { draftsAndPosted, type ErpBooks, type Period, type Sending } from '../keyed-books.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  partyNumber,
  subledgerPartners,
} from '../partner-directory.js';
import { rejected, told, type Told } from '../told.js';
import type { DkClient, DkInvoice, DkPartner, DkTransaction } from './client.js';
import {
  BOOKED_AHEAD_DAYS,
  capabilitiesOf,
  dimensionNames,
  type DkPlusConfiguration,
  LIST_PAGES_MAX,
  PAGE_SIZE,
  RATE_TOLERANCE,
} from './settings.js';
import {
  invoiceIdOf,
  isWholeInCurrency,
  owedToSupplier,
  toDkInvoice,
  toDkJournal,
  toDkPartner,
  toDraft,
  toEntries,
  withFiles,
} from './translate.js';

const system = 'dk';
const LIFE_MS = 5 * 60 * 1000;

/** With a vendor it is an invoice that waits for people, without one a journal. */
const request = z.object({ vendor: z.string().exactOptional(), body: z.string() });
type Request = z.infer<typeof request>;

export class DkBooks implements ErpBooks<Request, ChartFacts> {
  readonly system = 'dkPlus';
  readonly stored = request;
  readonly ledger: string;
  readonly capabilities: port.ErpCapabilities;
  readonly chart: Chart<ChartFacts>;
  readonly cannot: { readonly resume?: Told };
  readonly #client: DkClient;
  readonly #settings: DkPlusConfiguration;
  readonly #partners: PartnerDirectory<DkPartner>;
  readonly #rates: Remembered<ReadonlyMap<string, Decimal>>;
  readonly #isApproved: boolean;

  constructor(client: DkClient, settings: DkPlusConfiguration, { clock, vatMode }: port.ErpServices) {
    this.#client = client;
    this.#settings = settings;
    this.#isApproved = settings.supplierInvoices === 'approval';
    this.ledger = `dkplus:${settings.company}`;
    this.capabilities = capabilitiesOf(settings, vatMode);
    this.cannot = this.#isApproved ? {} : { resume: told('WAITS_IN_PILE') };
    const splitsVat = vatMode === 'erp-splits';
    const facts = new Remembered(clock, LIFE_MS, () => readFacts(client, settings, splitsVat));
    this.chart = new Chart({
      ...{ system, subledger: settings.subledger, dimensionSetting: '`dim1`, `dim2`, `dim3`' },
      remedy: told('CORRECT_THE_TOKEN'),
      read: () => facts.get(),
      readNow: () => facts.fresh(),
    });
    this.#rates = new Remembered(clock, LIFE_MS, async () => {
      const currencies = await client.currencies();
      return new Map(currencies.map(({ Number: code, Rate }) => [code, Rate]));
    });
    this.#partners = createPartnerDirectory<DkPartner>({
      mayCreate: settings.partners.create,
      async find({ kind, kennitala }) {
        const partner = await client.partner(BOOKS[kind], kennitala);
        return partner ? [partner] : [];
      },
      create: (party) =>
        client.createPartner(
          BOOKS[party.kind],
          toDkPartner(party, partyNumber(party.kennitala), settings.customerGroup),
        ),
    });
  }

  async write(
    { key, journal }: port.PostRequest,
    _facts: ChartFacts,
    undoes?: port.ErpEntry,
  ): Promise<Request> {
    const settings = this.#settings;
    const blocked = ({ Blocked, Number: number }: DkPartner) => (Blocked === true ? number : null);
    await subledgerPartners(this.#partners, { system, blocked, ...settings }, journal);
    const owed = owedToSupplier(journal, settings);
    if (owed) {
      const body = writeWireJson(toDkInvoice({ key, journal, owed }, settings));
      return { vendor: partyNumber(owed.counterparty ?? ''), body };
    }
    const form = { voucher: undoes?.reference.number, isInCurrency: await this.#isInCurrency(journal) };
    return { body: writeWireJson(toDkJournal(key, journal, settings, form)) };
  }

  /**
   * dk reckons the krónur of a line by its own rate, and a line cannot tell it another. So a journal goes in its currency only where
   * that rate is the document's, as near as rates of one day are, and in krónur otherwise.
   */
  async #isInCurrency(journal: Journal): Promise<boolean> {
    if (this.#settings.foreignDocuments !== 'in-currency' || !isWholeInCurrency(journal)) return false;
    const rates = await this.#rates.get();
    const off = rates.get(journal.currency)?.div(journal.exchangeRate).minus(1).abs();
    return off?.lessThanOrEqualTo(RATE_TOLERANCE) === true;
  }

  create({ request: { vendor, body }, files }: Sending<Request>): Promise<Answer<undefined>> {
    return vendor === undefined
      ? this.#client.postJournal(body)
      : this.#client.postInvoice(vendor, withFiles(body, files));
  }

  notShown({ key, request: { vendor } }: Sending<Request>): Told {
    return vendor === undefined
      ? told('TAKEN_BY_DK', { key, journal: this.#settings.journalCode })
      : told('SYSTEM_TOOK_NOT_SHOWN', { system: this.system, key });
  }

  readByKey(key: string): Promise<readonly port.ErpEntry[]> {
    if (!this.#isApproved) return this.#booked(key);
    return draftsAndPosted(
      () => this.#waiting(({ Reference }) => Reference === key),
      () => this.#bookedInvoice(key),
    );
  }

  async readByReference(reference: string): Promise<readonly port.ErpEntry[]> {
    const id = invoiceIdOf(reference);
    if (id !== null) return this.#waiting(({ ID }) => ID === id);
    const together = await this.#voucher(reference);
    // A reversal has the voucher of its original; asked for by number, the original is meant.
    const [first] = toEntries(together, this.#settings).filter(({ reversed }) => !reversed);
    return first ? this.readByKey(first.key) : [];
  }

  async *readPeriod({ from, to }: Period): AsyncIterable<port.ErpEntry> {
    const isInPeriod = ({ postingDate }: port.ErpEntry) => postingDate >= from && postingDate <= to;
    // Read first: what is booked meanwhile is seen twice rather than not at all.
    const waiting = this.#isApproved ? await this.#waiting(({ Reference }) => isPostingKey(Reference)) : [];
    const since = daysBefore(from, BOOKED_AHEAD_DAYS);
    const ours: DkTransaction[] = [];
    for (let page = 1; page <= LIST_PAGES_MAX; page++) {
      const transactions = await this.#client.createdAfter(since, page);
      ours.push(...transactions.filter(({ Reference }) => isPostingKey(Reference)));
      if (transactions.length < PAGE_SIZE) break;
    }
    const booked = toEntries(ours, this.#settings).filter(isInPeriod);
    yield* booked;
    const keys = new Set(booked.map(({ key }) => key));
    yield* waiting.filter((entry) => isInPeriod(entry) && !keys.has(entry.key));
  }

  async #waiting(isMeant: (invoice: DkInvoice) => boolean): Promise<port.ErpEntry[]> {
    const invoices = await this.#client.waitingInvoices();
    return invoices.filter(isMeant).map((invoice) => toDraft(invoice, this.#settings));
  }

  async #booked(key: string): Promise<port.ErpEntry[]> {
    const transactions = await this.#client.transactions({ reference: key });
    const ours = transactions.filter(({ Reference }) => Reference === key);
    const entries: port.ErpEntry[] = [];
    for (const entry of toEntries(ours, this.#settings)) {
      // A reversal in the same voucher has another reference.
      const together = await this.#voucher(entry.reference.id);
      const again = toEntries(together, this.#settings).find((each) => each.key === key);
      entries.push(again ?? entry);
    }
    return entries;
  }

  /** Where the ledger does not show the reference of an invoice, the supplier's transaction does, and both have one voucher. */
  async #bookedInvoice(key: string): Promise<port.ErpEntry[]> {
    const booked = await this.#booked(key);
    if (booked.length > 0) return booked;
    const transactions = await this.#client.supplierTransactions(key);
    const ours = transactions.filter(({ Reference, Voucher }) => Reference === key && Voucher !== '');
    const entries: port.ErpEntry[] = [];
    for (const voucher of new Set(ours.map(({ Voucher }) => Voucher))) {
      const together = await this.#voucher(voucher);
      const named = together.map((each) =>
        isPostingKey(each.Reference) ? each : { ...each, Reference: key },
      );
      entries.push(...toEntries(named, this.#settings).filter((entry) => entry.key === key));
    }
    return entries;
  }

  /** dk matches parts of a voucher's number as well. */
  async #voucher(voucher: string): Promise<DkTransaction[]> {
    const transactions = await this.#client.transactions({ voucher });
    return transactions.filter(({ Voucher }) => Voucher === voucher);
  }
}

const BOOKS = { customer: 'Customer', supplier: 'Vendor' } as const;

/** dk splits VAT by the account alone, so what the rules say of a line must be what the account says. */
async function readFacts(
  client: DkClient,
  settings: DkPlusConfiguration,
  splitsVat: boolean,
): Promise<ChartFacts> {
  if (!(await client.connection())) throw new ReadFailed({ outcome: 'transient', ...told('DKPLUS_CUT_OFF') });
  const { Information } = await client.company();
  const { Name: company, SSNumber: number } = Information.Company;
  const { company: wanted } = settings;
  if (number.replace('-', '') !== wanted) {
    const words = told('OPENS_OTHER_BOOKS', { company, number, wanted });
    throw new ReadFailed(rejected('wrong-company', words));
  }
  const chart = await client.accounts();
  const names = new Set(dimensionNames(settings).map(([, name]) => name));
  const dimensions = names.size > 0 ? await client.dimensions() : [];
  const accounts = new Map(chart.map((account) => [account.Number, account]));
  const open = dimensions.filter(({ Closed }) => Closed !== true);
  const values = new Set(open.map(({ Number: value }) => value));
  const vatCodes = new Set(chart.map(({ TaxCode }) => TaxCode));
  const codeOf = (account: string) => accounts.get(account)?.TaxCode ?? '';
  return {
    company: { company, registrationNo: wanted },
    account(number) {
      const found = accounts.get(number);
      return found && { name: found.Name, shut: found.Closed === true ? 'closed' : undefined };
    },
    dimension: (name) => (names.has(name) ? { name, has: (value) => values.has(value) } : undefined),
    accountProblem(account) {
      const vatCode = codeOf(account);
      if (splitsVat || vatCode === '') return null;
      return rejected('invalid', told('ACCOUNT_SPLITS_VAT', { account, vatCode }), { account });
    },
    lineProblem({ account, vatCode = '' }: JournalLine) {
      const has = codeOf(account);
      if (!splitsVat || has === vatCode) return null;
      const text = told('ACCOUNT_OTHER_VAT', { account, has, wanted: vatCode });
      return rejected('unknown-vat-code', text, { account, ...(vatCode === '' ? {} : { vatCode }) });
    },
    vatProblem(vatCode) {
      if (!splitsVat || vatCodes.has(vatCode)) return null;
      const text = told('VAT_CODE_WITHOUT_ACCOUNT', { vatCode });
      const problem = rejected('unknown-vat-code', text, { vatCode });
      return { problem, remedy: told('GIVE_VAT_CODE_AN_ACCOUNT', { system }) };
    },
  };
}

function daysBefore(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - days);
  return day.toISOString().slice(0, 10);
}
