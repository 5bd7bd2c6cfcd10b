// The port on Xero: manual journals, and invoices, bills and credit notes where the settings ask for them. Each is created and booked
// in one request under an idempotency key that lives six minutes; after that the key in its narration, reference or number is what it
// is found by.
import * as z from 'zod';
import type * as port from '../erp-adapter.js';
import * as assumed from './assumptions.js';
import type { Journal } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import type { AccessTokens } from '../../http/client-credentials.js';
import type { HttpClient } from '../../http/http-client.js';
import { alreadyThere, confirmed, foundEntries, OneAtATime } from '../keyed-books.js';
import { asLookUp, type Ok, type ReadAnswer } from '../answer.js';
import { checkJournal } from '../check-journal.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { REVERSAL_MARK, reverseByMirror } from '../reversal.js';
import { owedOn } from '../owed-line.js';
import { told } from '../told.js';
import { capabilitiesOf } from './capabilities.js';
import { XeroClient } from './client.js';
import type { XeroConfiguration } from './config.js';
import { XeroContacts } from './contacts.js';
import { documentReference, XeroDocumentBooks } from './document-books.js';
import { isLive, keyOfDocument } from './documents.js';
import { XeroJournalBooks } from './journal-books.js';
import { XeroMatching } from './matching.js';
import type { Told } from '../../domain/message.js';
import { withUnmatched } from '../set-against.js';
import { XeroPreparation } from './preparation.js';
import { XeroSetup } from './setup.js';
import { xeroAttachments } from './wire.js';
import { DOCUMENT_LISTS, type XeroDocumentRead } from './wire-documents.js';

const preparedRequest = z.object({
  journal: journalJsonSchema,
  list: z.enum(['ManualJournals', ...DOCUMENT_LISTS]).default('ManualJournals'),
  body: z.string(),
  /** How often Xero has definitely refused what was prepared under this key before. */
  refusals: z.int().min(0).default(0),
});

export class XeroAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: XeroClient;
  readonly #setup: XeroSetup;
  readonly #configuration: XeroConfiguration;
  readonly #contacts: XeroContacts;
  readonly #documents: XeroDocumentBooks;
  readonly #matching: XeroMatching;
  readonly #preparation: XeroPreparation;
  readonly #journals: XeroJournalBooks;
  readonly #perKey = new OneAtATime();

  constructor(
    configuration: XeroConfiguration,
    services: port.ErpServices,
    http: HttpClient,
    tokens: AccessTokens,
  ) {
    const { clock } = services;
    this.#configuration = configuration;
    this.#http = http;
    this.#client = new XeroClient({ http, clock, tokens, configuration });
    this.capabilities = capabilitiesOf(configuration, services.vatMode);
    this.#setup = new XeroSetup(this.#client, configuration, clock, this.capabilities.vatMode);
    this.#contacts = new XeroContacts(this.#client, clock, configuration.partners.create);
    this.#documents = new XeroDocumentBooks(this.#client, this.#contacts, configuration);
    this.#journals = new XeroJournalBooks(this.#client, configuration);
    this.#preparation = new XeroPreparation(
      this.#contacts,
      this.#documents,
      configuration,
      this.capabilities.vatMode,
    );
    this.#matching = new XeroMatching(this.#client, this.#documents, configuration, services.log);
    this.ledger = `xero:${configuration.tenantId}`;
  }

  async health(): Promise<port.ErpHealth> {
    const organisation = await this.#setup.organisation();
    if (organisation.outcome !== 'ok') return organisation;
    // The books have shown that they are those of this kennitala, or the connection would be refused.
    const { company: registrationNo } = this.#configuration;
    return { outcome: 'healthy', company: organisation.value, registrationNo };
  }

  validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    return this.#setup.findings(expected);
  }

  async prepare(request: port.PostRequest): Promise<port.PrepareOutcome> {
    const { journal, key } = request;
    const crooked = checkJournal(journal, this.capabilities) ?? (await this.#setup.check(journal));
    if (crooked) return crooked;
    const refusals = refusalsBefore(request);
    const look = refusals > 0 ? (other: string) => this.findByKey(other) : null;
    const written = await this.#preparation.written(request, look);
    if (written.outcome !== 'ok') return written;
    const stored = JSON.stringify({ journal: plainJournal(journal), ...written.value, refusals });
    return { outcome: 'prepared', prepared: { key, request: stored } };
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  async findByKey(key: string): Promise<port.FindOutcome> {
    const journals = asLookUp(await this.#journals.withKey(key));
    if (journals.outcome !== 'ok') return journals;
    const { entries, wasReversed } = journals.value;
    if (this.#configuration.books !== 'documents') return found(entries);
    const documents = asLookUp(await this.#documents.withKey(key, wasReversed));
    return documents.outcome === 'ok' ? found([...entries, ...documents.value]) : documents;
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    const documents = await this.#documentsAt(reference);
    if (documents.outcome === 'transient' || documents.outcome === 'auth') return documents;
    const [document, another] = documents.outcome === 'ok' ? documents.value : [];
    if (document && !another) {
      const key = keyOfDocument(document);
      if (key !== '') return this.findByKey(key);
      const entry = asLookUp(await this.#documents.entry(document, false));
      return entry.outcome === 'ok' ? found(entry.value) : entry;
    }
    if (!z.guid().safeParse(reference).success) return { outcome: 'none' };
    const journal = await this.#journals.byId(reference);
    if (journal.outcome === 'rejected') return { outcome: 'none' };
    if (journal.outcome !== 'ok') return journal;
    const [entry] = journal.value;
    return entry && isPostingKey(entry.key) ? this.findByKey(entry.key) : found(journal.value);
  }

  /** By our reference, by its number as people see it, or by the id alone. */
  async #documentsAt(reference: string): Promise<ReadAnswer<XeroDocumentRead[]>> {
    if (this.#configuration.books !== 'documents') return ok([]);
    const at = documentReference(reference);
    if (!at) return this.#documents.numbered(reference);
    const document = await this.#documents.byId(at);
    return document.outcome === 'ok' ? ok([document.value].filter(isLive)) : document;
  }

  async resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const journal = journalOf(prepared);
    const same = confirmed(draft, journal, this.capabilities);
    if (same.outcome === 'rejected') return same;
    const document = documentReference(draft.reference.id);
    const answer = document
      ? await this.#documents.approve(document, draft.key)
      : await this.#journals.book(draft);
    return answer.outcome === 'ok' ? confirmed(answer.value, journal, this.capabilities) : answer;
  }

  match({ key, reference }: port.ErpEntry, journal: Journal): Promise<Told | undefined> {
    return this.#perKey.run(key, () => this.#match(key, reference, journal));
  }

  reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const { key, original, date } = request;
    return this.#perKey.run(original.key, async () => {
      const outcome = await reverseByMirror(this, request, (journal) => this.prepare({ key, journal }));
      return outcome.outcome === 'posted'
        ? withUnmatched(outcome, await this.#matching.reversal(key, original, date))
        : outcome;
    });
  }

  /** Asked twice it is one attachment: the same name with as many bytes is there already. */
  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    const { fileName, contentType, content } = attachment;
    const document = documentReference(reference.id);
    const owner = document ? `${document.list}/${document.id}` : `ManualJournals/${reference.id}`;
    const there = await this.#client.get(`${owner}/Attachments`, xeroAttachments);
    if (there.outcome !== 'ok') return there;
    const isThere = there.value.Attachments.some(
      ({ FileName, ContentLength }) => FileName === fileName && ContentLength === content.byteLength,
    );
    if (isThere) return { outcome: 'attached' };
    const answer = await this.#client.attach(owner, fileName, contentType, content);
    return answer.outcome === 'ok' ? { outcome: 'attached' } : answer;
  }

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    const days = assumed.daysBetween(period.from, period.to);
    let undone: ReadonlySet<string> | undefined;
    const isUndone = async (key: string) => (undone ??= await this.#journals.undone()).has(key);
    yield* this.#journals.listed(days, isUndone);
    if (this.#configuration.books === 'documents') yield* this.#documents.listed(days, isUndone);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { body, refusals, list } = readStored(prepared);
    const journal = journalOf(prepared);
    const key = idempotencyKey(prepared.key, refusals);
    const answer =
      list === 'ManualJournals'
        ? await this.#journals.create(key, body)
        : await this.#documents.create(list, key, body);
    if (answer.outcome === 'rejected' && assumed.OTHER_BODY.test(answer.message)) {
      return this.#afterOtherBody(prepared.key, journal);
    }
    if (answer.outcome === 'rejected') this.#contacts.forget();
    if (answer.outcome !== 'ok') return answer;
    const outcome = confirmed(answer.value, journal, this.capabilities);
    if (outcome.outcome !== 'posted') return outcome;
    return withUnmatched(outcome, await this.#match(prepared.key, outcome.reference, journal));
  }

  async #match(key: string, reference: port.ErpReference, journal: Journal): Promise<Told | undefined> {
    const { books } = this.#configuration;
    if (books !== 'documents' || journal.description.startsWith(REVERSAL_MARK)) return undefined;
    if (documentReference(reference.id)) return this.#matching.credit(key, reference, journal);
    return owedOn(journal) ? undefined : this.#matching.payment(key, journal);
  }

  /** Another body went out under this key within six minutes. If it was booked, that is a collision; if not, wait. */
  async #afterOtherBody(key: string, journal: ReturnType<typeof journalOf>): Promise<port.PostOutcome> {
    const there = alreadyThere(await this.findByKey(key), journal, this.capabilities);
    if (there.outcome === 'answer') return there.answer;
    return { outcome: 'transient', ...told('XERO_HOLDS_EARLIER'), retryAfterMs: assumed.KEY_HELD_MS };
  }
}

function found(value: readonly port.ErpEntry[]): port.FindOutcome {
  return foundEntries({ outcome: 'ok', value });
}

function ok<T>(value: T): Ok<T> {
  return { outcome: 'ok', value };
}

function readStored(prepared: Pick<port.PreparedPost, 'request'>) {
  return preparedRequest.parse(JSON.parse(prepared.request));
}

/** One more than what was refused had: it stays the same for whatever is sent again without a definite answer. */
function refusalsBefore({ earlier }: port.PostRequest): number {
  // Another adapter may have prepared it; then Xero has not seen the key.
  const stored = earlier && preparedRequest.safeParse(JSON.parse(earlier.request));
  return stored?.success ? stored.data.refusals + (earlier?.isRefused ? 1 : 0) : 0;
}

/** A refusal is held like any other answer, so what is sent after it goes under a key that Xero has not seen. */
function idempotencyKey(key: string, refusals: number): string {
  return refusals === 0 ? key : `${key}-${String(refusals)}`;
}

function journalOf(prepared: port.PreparedPost) {
  return journalFromPlain(readStored(prepared).journal);
}
