// The port on Business Central: journals, and sales and purchase documents where the settings ask for them. Both are found by the key
// before anything is sent: journals by their document number, documents by the number that people know with the key behind it.
// Not on the driver of `keyed-books.ts`: a draft that is found is deleted and made anew, and a posted journal leaves lines to tidy up.
import * as z from 'zod';
import type * as port from '../erp-adapter.js';
import type { Chart, ChartFacts } from '../chart.js';
import * as assumed from './settings.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal, JournalLine } from '../../domain/journal.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import type { AccessTokens } from '../../http/client-credentials.js';
import type { HttpClient } from '../../http/http-client.js';
import { readWireJson, writeWireJson } from '../../http/wire-json.js';
import { alreadyThere, listed, lookedUp, OneAtATime, type Period } from '../keyed-books.js';
import { type Answer, asAnswer, ok, orFailure, ReadFailed } from '../answer.js';
import { checkJournal } from '../compare-entry.js';
import { reverseByMirror } from '../reversal.js';
import { rejected, told } from '../told.js';
import { type BusinessCentralConfiguration, capabilitiesOf } from './settings.js';
import { BcClient } from './client.js';
import {
  BcDocumentBooks,
  BcDocumentDrafts,
  type BcDocumentReference,
  documentReference,
  draftInUse,
  pauseAfter,
} from './document-books.js';
import { keyOfDocument, setOf, toBcDocument } from './documents.js';
import { BcJournalBatch, BcJournalBooks, BcLedgerReader, type SentJournal } from './journal-books.js';
import { BcKennitalas, bcChart, createBcPartners, rateProblem } from './facts.js';
import { bcAttachment, bcDocumentSent, SET_FACTS } from './wire.js';
import type { PostRequest, VatMode } from '../erp-adapter.js';
import { isInCurrency, owedAsDocument } from '../owed-line.js';
import { type PartnerDirectory, partnerName, partnerOfLine, resolvePartners } from '../partner-directory.js';
import { toBcJournal, toLineDimensions } from './translate.js';

const preparedRequest = z.union([
  z.object({ journal: journalJsonSchema, document: z.string() }),
  z.object({
    journal: journalJsonSchema,
    body: z.string(),
    dimensions: z.array(z.object({ lineNumber: z.int(), code: z.string(), valueCode: z.string() })),
  }),
]);

export class BusinessCentralAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: BcClient;
  readonly #chart: Chart<ChartFacts>;
  readonly #reader: BcLedgerReader;
  readonly #batch: BcJournalBatch;
  readonly #journals: BcJournalBooks;
  readonly #documents: BcDocumentBooks;
  readonly #drafts: BcDocumentDrafts;
  readonly #preparation: BcPreparation;
  readonly #configuration: BusinessCentralConfiguration;
  readonly #perKey = new OneAtATime();

  constructor(
    configuration: BusinessCentralConfiguration,
    services: port.ErpServices,
    http: HttpClient,
    tokens: AccessTokens,
  ) {
    const { clock, log } = services;
    this.#configuration = configuration;
    this.#http = http;
    const client = new BcClient({ http, clock, tokens, configuration });
    this.#client = client;
    this.capabilities = capabilitiesOf(configuration, services.vatMode);
    const { capabilities } = this;
    this.#chart = bcChart(client, configuration, clock, capabilities.vatMode);
    this.#reader = new BcLedgerReader(client, configuration, clock);
    this.#batch = new BcJournalBatch(client, this.#reader, clock);
    const { posting, tenantId, environment, companyId } = configuration;
    this.#journals = new BcJournalBooks(this.#batch, this.#reader, posting, capabilities, log);
    this.#documents = new BcDocumentBooks(client, this.#reader, new BcKennitalas(client), configuration);
    this.#drafts = new BcDocumentDrafts({ client, books: this.#documents, clock, log, capabilities });
    this.#preparation = new BcPreparation(client, this.#documents, configuration, capabilities.vatMode);
    this.ledger = `business-central:${tenantId}:${environment}:${companyId}`;
  }

  health(): Promise<port.ErpHealth> {
    return orFailure(async () => {
      const { company } = await this.#chart.open();
      return { outcome: 'healthy', ...company };
    });
  }

  validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    return this.#chart.findings(expected);
  }

  async prepare(request: port.PostRequest): Promise<port.PrepareOutcome> {
    const { journal, key } = request;
    const invalid = checkJournal(journal, this.capabilities);
    if (invalid) return invalid;
    return orFailure(async () => {
      await this.#chart.check(journal);
      const written = await this.#preparation.written(request);
      const stored = { journal: plainJournal(journal), ...written };
      return { outcome: 'prepared', prepared: { key, request: JSON.stringify(stored) } };
    });
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  findByKey(key: string): Promise<port.FindOutcome> {
    return lookedUp(() => this.#readByKey(key));
  }

  findByReference(reference: string): Promise<port.FindOutcome> {
    return lookedUp(async () => {
      const documents = this.#hasDocuments() ? await this.#documentsAt(reference) : [];
      if (documents.length > 0 || !/^\d{1,10}$/.test(reference)) return documents;
      const key = await this.#reader.byEntryNumber(Number(reference));
      return key === undefined ? [] : this.#readByKey(key);
    });
  }

  async #readByKey(key: string): Promise<readonly port.ErpEntry[]> {
    const journals = await this.#reader.byKey(key);
    return this.#hasDocuments() ? [...journals, ...(await this.#documents.withKey(key))] : journals;
  }

  /** By our reference, or by the number that people see. One of ours comes with all that is under its key. */
  async #documentsAt(reference: string): Promise<readonly port.ErpEntry[]> {
    const at = documentReference(reference);
    const found = await (at ? this.#documents.byId(at) : this.#documents.numbered(reference));
    const [document, another] = found;
    const key = document && !another ? keyOfDocument(document) : '';
    return key === '' ? this.#documents.entries(found, () => false) : this.#readByKey(key);
  }

  /** What a crash left may lack lines or dimensions. Made anew it is whole; and once it is deleted, no late post finds it. */
  async resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const removed = await this.#discard(draft.reference.id);
    return removed.outcome === 'ok' ? this.post(prepared) : removed;
  }

  reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const { key, original } = request;
    return this.#perKey.run(original.key, () =>
      reverseByMirror(this, request, (journal) => this.prepare({ key, journal })),
    );
  }

  /** Asked twice it is one attachment: the same name with as many bytes is there already, an empty one is filled. */
  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    const { fileName, content } = attachment;
    const document = documentReference(reference.id);
    const owner = document ? `${document.set}(${document.id})` : `generalLedgerEntries(${reference.id})`;
    const path = `${owner}/attachments`;
    const there = await asAnswer(() => this.#client.list(path, {}, bcAttachment));
    if (there.outcome !== 'ok') return there;
    const named = there.value.filter((each) => each.fileName === fileName);
    if (named.some((each) => each.byteSize === content.byteLength)) return { outcome: 'attached' };
    const empty = named.find((each) => each.byteSize === 0);
    const made = empty
      ? ok(empty)
      : await this.#client.create(path, JSON.stringify({ fileName }), bcAttachment);
    if (made.outcome !== 'ok') return made;
    const uploaded = await this.#client.upload(`attachments(${made.value.id})/attachmentContent`, content);
    return uploaded.outcome === 'ok' ? { outcome: 'attached' } : uploaded;
  }

  entries(period: Period): AsyncIterable<port.ErpEntry> {
    return listed(this.#entries(period));
  }

  async *#entries(period: Period): AsyncIterable<port.ErpEntry> {
    yield* this.#journals.listed(period);
    if (this.#hasDocuments()) yield* this.#documents.listed(period);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #hasDocuments(): boolean {
    return this.#configuration.books === 'documents';
  }

  async #postOnce(
    prepared: port.PreparedPost,
    triesLeft = assumed.DRAFT_TRIES_MAX,
  ): Promise<port.PostOutcome> {
    const { key } = prepared;
    const stored = preparedRequest.parse(JSON.parse(prepared.request));
    const journal = journalFromPlain(stored.journal);
    const before = alreadyThere(await this.findByKey(key), journal, this.capabilities);
    if (before.outcome === 'answer') return before.answer;
    if (before.outcome === 'draft') {
      const removed = await this.#discard(before.entry.reference.id);
      if (removed.outcome !== 'ok') return removed;
    }
    if (!('document' in stored)) return this.#journals.post(key, stored, journal);
    const sent = bcDocumentSent.parse(readWireJson(Buffer.from(stored.document)));
    const draft = await this.#drafts.make(key, sent, journal);
    if (draft.outcome === 'in-use') {
      if (triesLeft === 0) return draftInUse();
      await pause(pauseAfter(draft.id));
      return this.#postOnce(prepared, triesLeft - 1);
    }
    return draft.outcome === 'ok' ? this.#postDraft(key, draft.value, journal) : draft;
  }

  async #postDraft(key: string, draft: BcDocumentReference, journal: Journal): Promise<port.PostOutcome> {
    const posted = await this.#drafts.post(draft);
    if (posted.outcome !== 'ok') return posted;
    for (const pauseMs of assumed.READ_BACK_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      const seen = await this.#drafts.readBack(key, draft, journal);
      if (seen) return seen;
    }
    const words = told('BOOKED_NOT_READ', { system: 'Business Central', id: draft.id });
    return { outcome: 'unknown', ...words };
  }

  #discard(reference: string): Promise<Answer<undefined>> {
    const document = documentReference(reference);
    return document ? this.#drafts.discard(document) : this.#batch.discard(reference);
  }
}

// What is sent for a journal: a sales or purchase document where it is one and the settings ask for them, a journal batch otherwise.

export type BcWritten = SentJournal | { readonly document: string };

export class BcPreparation {
  readonly #client: BcClient;
  readonly #documents: BcDocumentBooks;
  readonly #configuration: BusinessCentralConfiguration;
  readonly #vatMode: VatMode;
  readonly #partners: PartnerDirectory<string>;
  readonly #documentPartners: PartnerDirectory<string>;

  constructor(
    client: BcClient,
    documents: BcDocumentBooks,
    configuration: BusinessCentralConfiguration,
    vatMode: VatMode,
  ) {
    this.#client = client;
    this.#documents = documents;
    this.#configuration = configuration;
    this.#vatMode = vatMode;
    this.#partners = createBcPartners(client, configuration);
    this.#documentPartners = createBcPartners(client, configuration, true);
  }

  written(request: PostRequest): Promise<BcWritten> {
    const owed = owedAsDocument(request.journal, this.#configuration);
    return owed ? this.#document(request, owed) : this.#journal(request);
  }

  async #journal({ key, journal }: PostRequest): Promise<BcWritten> {
    const partners = await this.#resolve(journal, journal.lines, this.#partners);
    const body = writeWireJson(toBcJournal(key, journal, this.#configuration, partners, this.#vatMode));
    return { body, dimensions: toLineDimensions(journal, this.#configuration) };
  }

  async #document({ key, journal }: PostRequest, owed: JournalLine): Promise<BcWritten> {
    if (isInCurrency(journal, this.#configuration)) {
      const problem = await rateProblem(this.#client, journal);
      if (problem) throw new ReadFailed(problem);
    }
    const partners = await this.#resolve(journal, [owed], this.#documentPartners);
    const wanted = partnerOfLine(this.#configuration.subledger, owed, journal);
    const partnerNumber = (wanted && partners.get(partnerName(wanted))) ?? '';
    await this.#checkTyped(journal, owed, partnerNumber);
    const sent = toBcDocument({ key, journal, owed, partnerNumber }, this.#configuration, this.#vatMode);
    return { document: writeWireJson(sent) };
  }

  /** With our key behind its number Business Central's own guard against a bill that comes twice would not see the one that people typed. */
  async #checkTyped({ documentNo }: Journal, owed: JournalLine, supplier: string): Promise<void> {
    const set = setOf(owed);
    if (SET_FACTS[set].partner === 'customer' || documentNo === '') return;
    if ((await this.#documents.typedBill(set, supplier, documentNo)) === undefined) return;
    const words = told('BILL_TYPED_ALREADY', { number: documentNo, supplier });
    throw new ReadFailed(rejected('duplicate', words));
  }

  #resolve(journal: Journal, lines: readonly JournalLine[], directory: PartnerDirectory<string>) {
    const { subledger } = this.#configuration;
    const wanted = lines.flatMap((line) => partnerOfLine(subledger, line, journal) ?? []);
    return resolvePartners(directory, wanted);
  }
}
