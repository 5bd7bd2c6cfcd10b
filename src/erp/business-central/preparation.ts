// What is sent for a journal: a sales or purchase document where it is one and the settings ask for them, a journal batch otherwise.
import type { Journal, JournalLine } from '../../domain/journal.js';
import { writeWireJson } from '../../http/wire-json.js';
import type { ReadAnswer } from '../answer.js';
import type { PostRequest, VatMode } from '../erp-adapter.js';
import { isInCurrency, owedAsDocument } from '../owed-line.js';
import { type PartnerDirectory, partnerName, partnerOfLine, resolvePartners } from '../partner-directory.js';
import { rejected, told } from '../told.js';
import type { BcClient } from './client.js';
import type { BusinessCentralConfiguration } from './config.js';
import type { BcDocumentBooks } from './document-books.js';
import { setOf, toBcDocument } from './documents.js';
import { rateProblem } from './exchange-rates.js';
import type { SentJournal } from './journal-books.js';
import { createBcPartners } from './partners.js';
import { toBcJournal, toLineDimensions } from './translate.js';
import { SET_FACTS } from './wire-documents.js';

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

  written(request: PostRequest): Promise<ReadAnswer<BcWritten>> {
    const owed = owedAsDocument(request.journal, this.#configuration);
    return owed ? this.#document(request, owed) : this.#journal(request);
  }

  async #journal({ key, journal }: PostRequest): Promise<ReadAnswer<BcWritten>> {
    const partners = await this.#resolve(journal, journal.lines, this.#partners);
    if (partners.outcome !== 'ok') return partners;
    const body = writeWireJson(toBcJournal(key, journal, this.#configuration, partners.value, this.#vatMode));
    return { outcome: 'ok', value: { body, dimensions: toLineDimensions(journal, this.#configuration) } };
  }

  async #document({ key, journal }: PostRequest, owed: JournalLine): Promise<ReadAnswer<BcWritten>> {
    if (isInCurrency(journal, this.#configuration)) {
      const problem = await rateProblem(this.#client, journal);
      if (problem) return problem;
    }
    const partners = await this.#resolve(journal, [owed], this.#documentPartners);
    if (partners.outcome !== 'ok') return partners;
    const wanted = partnerOfLine(this.#configuration.subledger, owed, journal);
    const partnerNumber = (wanted && partners.value.get(partnerName(wanted))) ?? '';
    const typed = await this.#typedBill(journal, owed, partnerNumber);
    if (typed.outcome !== 'ok') return typed;
    const sent = toBcDocument({ key, journal, owed, partnerNumber }, this.#configuration, this.#vatMode);
    return { outcome: 'ok', value: { document: writeWireJson(sent) } };
  }

  /** With our key behind its number Business Central's own guard against a bill that comes twice would not see the one that people typed. */
  async #typedBill(
    { documentNo }: Journal,
    owed: JournalLine,
    partnerNumber: string,
  ): Promise<ReadAnswer<undefined>> {
    const set = setOf(owed);
    const nothing = { outcome: 'ok', value: undefined } as const;
    if (SET_FACTS[set].partner === 'customer' || documentNo === '') return nothing;
    const typed = await this.#documents.typedBill(set, partnerNumber, documentNo);
    if (typed.outcome !== 'ok') return typed;
    if (typed.value === undefined) return nothing;
    return rejected('duplicate', told('BILL_TYPED_ALREADY', { number: documentNo, supplier: partnerNumber }));
  }

  #resolve(journal: Journal, lines: readonly JournalLine[], directory: PartnerDirectory<string>) {
    const { subledger } = this.#configuration;
    const wanted = lines.flatMap((line) => partnerOfLine(subledger, line, journal) ?? []);
    return resolvePartners(directory, wanted);
  }
}
