// Xero as keyed books: manual journals, and invoices, bills and credit notes where the settings ask for them. Each is created and posted in
// one request under an idempotency key that lives six minutes; after that the key in its narration, reference or number is what it is
// found by.
import * as z from 'zod';
import { type Journal, type JournalLine, partyWith } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import { writeWireJson } from '../../http/wire-json.js';
import type { Answer, ReadAnswer } from '../answer.js';
import { Chart, type ChartFacts, ok, Remembered } from '../chart.js';
import type * as port from '../erp-adapter.js';
import type { DraftRequests, ErpBooks, FileRequests, Matching, Period, Sending } from '../keyed-books.js';
import { owedAsDocument } from '../owed-line.js';
import { type PartnerWanted, partyNumber } from '../partner-directory.js';
import { told } from '../told.js';
import type { XeroClient } from './client.js';
import { documentReference, XeroDocumentBooks, XeroJournalBooks } from './entries.js';
import { readXeroFacts, XeroContacts } from './facts.js';
import { XeroMatching } from './matching.js';
import { capabilitiesOf, daysBetween, KEY_HELD_MS, OTHER_BODY, type XeroConfiguration } from './settings.js';
import { isLive, keyOfDocument, listOf, toXeroDocument, toXeroJournal } from './translate.js';
import { DOCUMENT_LISTS, xeroAttachments, type XeroDocumentRead } from './wire.js';

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
type Entries = ReadAnswer<readonly port.ErpEntry[]>;

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
      read: async (id) => {
        const read = await this.#entryAt(id);
        return read.outcome === 'ok' ? ok(read.value[0]) : read;
      },
      post: ({ id, key }) => {
        const document = documentReference(id);
        return document ? this.#documents.approve(document, key) : this.#journals.book(id, key);
      },
    };
  }

  async write(post: port.PostRequest): Promise<ReadAnswer<Request>> {
    const { journal, key } = post;
    const refusals = refusalsBefore(post);
    const owed = owedAsDocument(journal, this.#configuration);
    if (!owed) {
      const sent = toXeroJournal(key, journal, this.#configuration, this.capabilities.vatMode);
      return ok({ list: 'ManualJournals', body: writeWireJson({ ManualJournals: [sent] }), refusals });
    }
    const contact = await this.#contacts.resolveId(contactWanted(journal, owed));
    if (contact.outcome !== 'ok') return contact;
    // Where Xero refused it before, its number may be the one of an entry that was reversed.
    const number = refusals > 0 ? await this.#freeNumber(journal.documentNo) : ok(journal.documentNo);
    if (number.outcome !== 'ok') return number;
    const facts = { key, journal, owed, contactId: contact.value, number: number.value };
    const sent = toXeroDocument(facts, this.#configuration, this.capabilities.vatMode);
    const list = listOf(sent.Type);
    return ok({ list, body: writeWireJson({ [list]: [sent] }), refusals });
  }

  /** A sale that was reversed keeps its number in Xero; the one that takes its place has it with a count. */
  async #freeNumber(documentNo: string): Promise<ReadAnswer<string>> {
    for (let count = 1; count <= NUMBERS_TRIED_MAX; count++) {
      const number = count === 1 ? documentNo : `${documentNo}-${String(count)}`;
      const taken = await this.#documents.numbered(number);
      if (taken.outcome !== 'ok') return taken;
      const [holder] = taken.value;
      const key = holder ? keyOfDocument(holder) : '';
      if (key === '') return ok(number);
      const found = await this.readByKey(key);
      if (found.outcome !== 'ok') return found;
      const [entry, another] = found.value;
      if (another || entry?.reversed !== true) return ok(number);
    }
    return ok(documentNo);
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
    const journals = await this.#journals.withKey(key);
    if (journals.outcome !== 'ok') return journals;
    const { entries, wasReversed } = journals.value;
    if (this.#configuration.books !== 'documents') return ok(entries);
    const documents = await this.#documents.withKey(key, wasReversed);
    return documents.outcome === 'ok' ? ok([...entries, ...documents.value]) : documents;
  }

  async readByReference(reference: string): Promise<Entries> {
    const documents = await this.#documentsAt(reference);
    if (documents.outcome === 'transient' || documents.outcome === 'auth') return documents;
    const [document, another] = documents.outcome === 'ok' ? documents.value : [];
    if (document && !another) {
      const key = keyOfDocument(document);
      return key === '' ? this.#documents.entry(document, false) : this.readByKey(key);
    }
    if (!z.guid().safeParse(reference).success) return ok([]);
    const journal = await this.#journals.byId(reference);
    if (journal.outcome === 'rejected') return ok([]);
    if (journal.outcome !== 'ok') return journal;
    const [entry] = journal.value;
    return entry && isPostingKey(entry.key) ? this.readByKey(entry.key) : journal;
  }

  async *readPeriod({ from, to }: Period): AsyncIterable<port.ErpEntry> {
    const days = daysBetween(from, to);
    let undone: ReadonlySet<string> | undefined;
    const isUndone = async (key: string) => (undone ??= await this.#journals.undone()).has(key);
    yield* this.#journals.ofPeriod(days, isUndone);
    if (this.#configuration.books === 'documents') yield* this.#documents.ofPeriod(days, isUndone);
  }

  /** By our reference, by its number as people see it, or by the id alone. */
  async #documentsAt(reference: string): Promise<ReadAnswer<XeroDocumentRead[]>> {
    if (this.#configuration.books !== 'documents') return ok([]);
    const at = documentReference(reference);
    if (!at) return this.#documents.numbered(reference);
    const document = await this.#documents.byId(at);
    return document.outcome === 'ok' ? ok([document.value].filter(isLive)) : document;
  }

  async #entryAt(id: string): Promise<Entries> {
    const at = documentReference(id);
    if (!at) return this.#journals.byId(id);
    const document = await this.#documents.byId(at);
    return document.outcome === 'ok' ? this.#documents.entry(document.value, false) : document;
  }

  /** The same name with as many bytes. */
  async #isThere(reference: port.ErpReference, file: port.Attachment): Promise<ReadAnswer<boolean>> {
    const there = await this.#client.get(`${ownerOf(reference)}/Attachments`, xeroAttachments);
    if (there.outcome !== 'ok') return there;
    const { fileName, content } = file;
    return ok(
      there.value.Attachments.some(
        ({ FileName, ContentLength }) => FileName === fileName && ContentLength === content.byteLength,
      ),
    );
  }

  #upload(reference: port.ErpReference, file: port.Attachment): Promise<Answer<unknown>> {
    const { fileName, contentType, content } = file;
    return this.#client.attach(ownerOf(reference), fileName, contentType, content);
  }
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
