// Xero as keyed books: manual journals, and invoices, bills and credit notes where the settings ask for them. Each is created and posted in
// one request under an idempotency key that lives six minutes; after that the key in its narration, reference or number is what it is
// found by.
import * as z from 'zod';
import { type Journal, type JournalLine, partyWith } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import { writeWireJson } from '../../http/wire-json.js';
import { type Answer, asAnswer, orThrow } from '../answer.js';
import { Chart, type ChartFacts, Remembered } from '../chart.js';
import type * as port from '../erp-adapter.js';
import {
  type DraftRequests,
  type ErpBooks,
  type FileRequests,
  type Matching,
  type Period,
  type Sending,
  type PostedEntry,
  setAgainst,
} from '../keyed-books.js';
import { owedAsDocument, controlAccount, owedOn } from '../owed-line.js';
import { type PartnerWanted, partyNumber } from '../partner-directory.js';
import { told } from '../told.js';
import type { XeroClient } from './client.js';
import { documentReference, XeroDocumentBooks, XeroJournalBooks } from './entries.js';
import { readXeroFacts, XeroContacts } from './facts.js';
import { capabilitiesOf, daysBetween, KEY_HELD_MS, OTHER_BODY, type XeroConfiguration } from './settings.js';
import {
  isLive,
  keyOfDocument,
  listOf,
  toXeroDocument,
  toXeroJournal,
  type DocumentSettings,
  isBooked,
  xeroCode,
} from './translate.js';
import { DOCUMENT_LISTS, xeroAttachments, type XeroDocumentRead, anything } from './wire.js';
import { Decimal, sum } from '../../domain/money.js';
import type { Told } from '../../domain/message.js';
import type { ErpLog, ErpReference, ReverseRequest } from '../erp-adapter.js';
import { REVERSAL_MARK } from '../reversal.js';

const FACTS_LIFE_MS = 10 * 60 * 1000;
/** Sales of the same number that were reversed before this one. */
const NUMBERS_TRIED_MAX = 9;

const request = z.object({
  list: z.enum(['ManualJournals', ...DOCUMENT_LISTS]).default('ManualJournals'),
  body: z.string(),
  /** How often Xero has definitely refused what was prepared under this key before. */
  refusals: z.int().min(0).default(0),
});
type Request = z.infer<typeof request>;
type Entries = readonly port.ErpEntry[];

export class XeroBooks implements ErpBooks<Request, ChartFacts> {
  readonly system = 'Xero';
  readonly stored = request;
  readonly ledger: string;
  readonly capabilities: port.ErpCapabilities;
  readonly chart: Chart<ChartFacts>;
  readonly drafts: DraftRequests;
  readonly files: FileRequests;
  readonly matching?: Matching;
  readonly #client: XeroClient;
  readonly #configuration: XeroConfiguration;
  readonly #contacts: XeroContacts;
  readonly #documents: XeroDocumentBooks;
  readonly #journals: XeroJournalBooks;

  constructor(client: XeroClient, configuration: XeroConfiguration, services: port.ErpServices) {
    const { clock, log, vatMode } = services;
    this.#client = client;
    this.#configuration = configuration;
    this.ledger = `xero:${configuration.tenantId}`;
    this.capabilities = capabilitiesOf(configuration, vatMode);
    const splitsVat = this.capabilities.vatMode === 'erp-splits';
    const facts = new Remembered(clock, FACTS_LIFE_MS, () => readXeroFacts(client, configuration, splitsVat));
    this.chart = new Chart({
      system: this.system,
      dimensionSetting: '`dimensions`',
      read: () => facts.get(),
      readNow: () => facts.fresh(),
    });
    this.#contacts = new XeroContacts(client, clock, configuration.partners.create);
    this.#documents = new XeroDocumentBooks(client, this.#contacts, configuration);
    this.#journals = new XeroJournalBooks(client, configuration);
    if (configuration.books === 'documents')
      this.matching = new XeroMatching(client, this.#documents, configuration, log);
    this.files = { isThere: this.#isThere.bind(this), upload: this.#upload.bind(this) };
    this.drafts = {
      addsLines: false,
      read: async (id) => (await this.#entryAt(id))[0],
      post: ({ id, key }) => {
        const document = documentReference(id);
        return document ? this.#documents.approve(document, key) : this.#journals.book(id, key);
      },
    };
  }

  async write(post: port.PostRequest): Promise<Request> {
    const { journal, key } = post;
    const refusals = refusalsBefore(post);
    const owed = owedAsDocument(journal, this.#configuration);
    if (!owed) {
      const sent = toXeroJournal(key, journal, this.#configuration, this.capabilities.vatMode);
      return { list: 'ManualJournals', body: writeWireJson({ ManualJournals: [sent] }), refusals };
    }
    const contactId = await this.#contacts.resolveId(contactWanted(journal, owed));
    // Where Xero refused it before, its number may be the one of an entry that was reversed.
    const number = refusals > 0 ? await this.#freeNumber(journal.documentNo) : journal.documentNo;
    const facts = { key, journal, owed, contactId, number };
    const sent = toXeroDocument(facts, this.#configuration, this.capabilities.vatMode);
    const list = listOf(sent.Type);
    return { list, body: writeWireJson({ [list]: [sent] }), refusals };
  }

  /** A sale that was reversed keeps its number in Xero; the one that takes its place has it with a count. */
  async #freeNumber(documentNo: string): Promise<string> {
    for (let count = 1; count <= NUMBERS_TRIED_MAX; count++) {
      const number = count === 1 ? documentNo : `${documentNo}-${String(count)}`;
      const [holder] = await this.#documents.numbered(number);
      const key = holder ? keyOfDocument(holder) : '';
      if (key === '') return number;
      const [entry, another] = await this.readByKey(key);
      if (another || entry?.reversed !== true) return number;
    }
    return documentNo;
  }

  async create({ key, request: { list, body, refusals } }: Sending<Request>): Promise<Answer<port.ErpEntry>> {
    // Xero replays a refusal like any other answer, so what is sent after one goes under a key that Xero has not seen.
    const fresh = refusals === 0 ? key : `${key}-${String(refusals)}`;
    const answer =
      list === 'ManualJournals'
        ? await this.#journals.create(fresh, body)
        : await this.#documents.create(list, fresh, body);
    if (answer.outcome === 'rejected' && !isOtherBody(answer)) this.#contacts.forget();
    return answer;
  }

  /** Another body went out under this key within six minutes. If it was posted, that is a collision; if not, wait. */
  keyTaken(refusal: port.Rejected): port.PostOutcome | null {
    if (!isOtherBody(refusal)) return null;
    return { outcome: 'transient', ...told('XERO_HOLDS_EARLIER'), retryAfterMs: KEY_HELD_MS };
  }

  async readByKey(key: string): Promise<Entries> {
    const { entries, wasReversed } = await this.#journals.withKey(key);
    if (this.#configuration.books !== 'documents') return entries;
    return [...entries, ...(await this.#documents.withKey(key, wasReversed))];
  }

  async readByReference(reference: string): Promise<Entries> {
    const [document, another] = (await unlessRefused(() => this.#documentsAt(reference))) ?? [];
    if (document && !another) {
      const key = keyOfDocument(document);
      return key === '' ? this.#documents.entry(document, false) : this.readByKey(key);
    }
    if (!z.guid().safeParse(reference).success) return [];
    const journals = (await unlessRefused(() => this.#journals.byId(reference))) ?? [];
    const [entry] = journals;
    return entry && isPostingKey(entry.key) ? this.readByKey(entry.key) : journals;
  }

  async *readPeriod({ from, to }: Period): AsyncIterable<port.ErpEntry> {
    const days = daysBetween(from, to);
    let undone: ReadonlySet<string> | undefined;
    const isUndone = async (key: string) => (undone ??= await this.#journals.undone()).has(key);
    yield* this.#journals.ofPeriod(days, isUndone);
    if (this.#configuration.books === 'documents') yield* this.#documents.ofPeriod(days, isUndone);
  }

  /** By our reference, by its number as people see it, or by the id alone. */
  async #documentsAt(reference: string): Promise<XeroDocumentRead[]> {
    if (this.#configuration.books !== 'documents') return [];
    const at = documentReference(reference);
    if (!at) return this.#documents.numbered(reference);
    return [await this.#documents.byId(at)].filter(isLive);
  }

  async #entryAt(id: string): Promise<Entries> {
    const at = documentReference(id);
    if (!at) return this.#journals.byId(id);
    return this.#documents.entry(await this.#documents.byId(at), false);
  }

  /** The same name with as many bytes. */
  async #isThere(reference: port.ErpReference, file: port.Attachment): Promise<boolean> {
    const { Attachments } = await this.#client.get(`${ownerOf(reference)}/Attachments`, xeroAttachments);
    const { fileName, content } = file;
    return Attachments.some(
      ({ FileName, ContentLength }) => FileName === fileName && ContentLength === content.byteLength,
    );
  }

  #upload(reference: port.ErpReference, file: port.Attachment): Promise<Answer<unknown>> {
    const { fileName, contentType, content } = file;
    return this.#client.attach(ownerOf(reference), fileName, contentType, content);
  }
}

/** Xero refuses an id that it does not have. */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  const answer = await asAnswer(read);
  return answer.outcome === 'rejected' ? undefined : orThrow(answer);
}

function isOtherBody({ message }: port.Rejected): boolean {
  return OTHER_BODY.test(message);
}

/** One more than what was refused had: it stays the same for whatever is sent again without a definite answer. */
function refusalsBefore({ earlier }: port.PostRequest): number {
  // Another adapter may have prepared it; then Xero has not seen the key.
  const stored = earlier && request.safeParse(JSON.parse(earlier.request));
  return stored?.success ? stored.data.refusals + (earlier?.isRefused ? 1 : 0) : 0;
}

function ownerOf({ id }: port.ErpReference): string {
  const document = documentReference(id);
  return document ? `${document.list}/${document.id}` : `ManualJournals/${id}`;
}

/** Xero keeps one contact for both sides, so the kind must not split the single flight per kennitala. */
function contactWanted(journal: Journal, { counterparty = '' }: JournalLine): PartnerWanted {
  const kennitala = partyNumber(counterparty);
  const party = partyWith(journal, (one) => partyNumber(one.kennitala) === kennitala);
  return { kind: 'customer', kennitala, ...(party ? { party } : {}) };
}

// A payment closes its invoice in Xero only as a payment on it, and a credit note by an allocation. Both come after the posting: what was
// booked stands on the clearing account that the payment takes it from, so nothing here changes what an account of the rules comes to.
// What fails is told, and a bookkeeper can still do it.

class XeroMatching implements Matching {
  readonly #client: XeroClient;
  readonly #documents: XeroDocumentBooks;
  readonly #settings: DocumentSettings;
  readonly #log: ErpLog;

  constructor(client: XeroClient, documents: XeroDocumentBooks, settings: DocumentSettings, log: ErpLog) {
    this.#client = client;
    this.#documents = documents;
    this.#settings = settings;
    this.#log = log;
  }

  async withInvoice({ key, reference }: PostedEntry, journal: Journal): Promise<Told | undefined> {
    if (journal.description.startsWith(REVERSAL_MARK)) return undefined;
    if (documentReference(reference.id)) return this.#credit(key, reference, journal);
    return owedOn(journal) ? undefined : this.#payment(key, journal);
  }

  /** The entry that undoes a document, with that document: nothing of it is open any more. */
  async withOriginal({ key }: PostedEntry, { original, date }: ReverseRequest): Promise<Told | undefined> {
    const reference = documentReference(original.reference.id);
    if (!reference) return undefined;
    return this.#tried(key, async () => {
      const document = await this.#documents.byId(reference);
      return this.#pay(key, document, document.open, date);
    });
  }

  /** A credit note with the invoice, or the bill, that it corrects. */
  async #credit(key: string, reference: ErpReference, journal: Journal): Promise<Told | undefined> {
    const note = documentReference(reference.id);
    const { appliesTo, appliesToNo } = journal;
    const isSale = note?.type === 'ACCRECCREDIT';
    if (!note || (isSale ? appliesTo : note.type === 'ACCPAYCREDIT' && appliesToNo) === undefined)
      return undefined;
    return this.#tried(key, async () => {
      const credit = await this.#documents.byId(note);
      const invoice = isSale
        ? await this.#openSale(appliesTo ?? '')
        : await this.#openBill(credit.Contact.ContactID, appliesToNo ?? '');
      if (!invoice || credit.CurrencyCode !== invoice.CurrencyCode) return done;
      const Amount = Decimal.min(credit.open, invoice.open);
      if (Amount.isZero()) return done;
      const allocation = { Invoice: { InvoiceID: invoice.id }, Amount, Date: journal.postingDate };
      const path = `CreditNotes/${note.id}/Allocations`;
      const body = writeWireJson({ Allocations: [allocation] });
      return this.#client.write({ method: 'PUT', path, key: `${key}-ALLOCATION`, body }, anything);
    });
  }

  /** A journal that settles a sale, with that sale. */
  async #payment(key: string, journal: Journal): Promise<Told | undefined> {
    const account = controlAccount(true, this.#settings);
    const settling = journal.lines.filter((line) => line.account === account && !line.credit.isZero());
    if (settling.length === 0) return this.#takenBack(key, journal, account);
    return this.#tried(key, async () => {
      const invoice = await this.#openSale(journal.externalReference);
      if (!invoice) return done;
      const isForeign = invoice.CurrencyCode !== 'ISK';
      const paid = sum(
        settling.map((line) => (isForeign ? (line.currencyAmount?.abs() ?? line.credit) : line.credit)),
      );
      return this.#pay(key, invoice, paid, journal.postingDate);
    });
  }

  /** What was paid is owed again: the payment of that amount is taken off its sale. */
  async #takenBack(
    key: string,
    { lines, externalReference }: Journal,
    account: string,
  ): Promise<Told | undefined> {
    const taking = lines.filter((line) => line.account === account && !line.debit.isZero());
    if (taking.length === 0) return undefined;
    return this.#tried(key, async () => {
      const invoice = await this.#openSale(externalReference);
      if (!invoice) return done;
      const isForeign = invoice.CurrencyCode !== 'ISK';
      const taken = sum(
        taking.map((line) => (isForeign ? (line.currencyAmount?.abs() ?? line.debit) : line.debit)),
      );
      const payment = invoice.Payments.filter(({ Amount }) => Amount.equals(taken)).at(-1);
      if (!payment) return done;
      const body = JSON.stringify({ Status: 'DELETED' });
      const path = `Payments/${payment.PaymentID}`;
      return this.#client.write({ method: 'POST', path, key: `${key}-TAKEN-BACK`, body }, anything);
    });
  }

  async #openBill(contact: string, number: string): Promise<XeroDocumentRead | undefined> {
    const [bill, another] = (await this.#documents.findBills(contact, number)).filter(isBooked);
    return another ? undefined : bill;
  }

  async #openSale(guid: string): Promise<XeroDocumentRead | undefined> {
    const [invoice, another] = (await this.#documents.findSales(guid)).filter(isBooked);
    return another ? undefined : invoice;
  }

  async #pay(key: string, document: XeroDocumentRead, paid: Decimal, Date: string): Promise<Answer<unknown>> {
    const Amount = Decimal.min(paid, document.open);
    if (Amount.isZero() || document.Payments.some(({ Reference }) => Reference === key)) return done;
    const isSale = document.Type === 'ACCREC' || document.Type === 'ACCRECCREDIT';
    const account = controlAccount(isSale, this.#settings);
    const paidDocument =
      listOf(document.Type) === 'Invoices'
        ? { Invoice: { InvoiceID: document.id } }
        : { CreditNote: { CreditNoteID: document.id } };
    const payment = {
      ...paidDocument,
      Account: { Code: xeroCode(account, this.#settings) },
      ...{ Date, Amount, Reference: key },
      // At the rate of the document, so that the payment takes from the clearing account what the document put on its own.
      ...(document.CurrencyCode === 'ISK' ? {} : { CurrencyRate: document.CurrencyRate }),
    };
    const body = writeWireJson({ Payments: [payment] });
    return this.#client.write({ method: 'PUT', path: 'Payments', key: `${key}-PAYMENT`, body }, anything);
  }

  #tried(key: string, match: () => Promise<Answer<unknown>>): Promise<Told | undefined> {
    return setAgainst({ system: 'Xero', entry: key, log: this.#log }, match);
  }
}

const done = { outcome: 'ok', value: undefined } as const;
