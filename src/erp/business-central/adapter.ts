// The port on Business Central. Each document has a journal batch of its own, named after its key; ledger entries are
// found by their document number, which is the key. A batch code is no lasting mutex, so the look-up decides, not it.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { AccessTokens } from '../../http/client-credentials.js';
import type { HttpClient } from '../../http/http-client.js';
import { writeWireJson } from '../../http/wire-json.js';
import { alreadyThere } from '../already-there.js';
import { asLookUp, type LookUpAnswer, type ReadAnswer } from '../answer.js';
import { checkJournal } from '../check-journal.js';
import type * as port from '../erp-adapter.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { OneAtATime } from '../one-at-a-time.js';
import { type PartnerDirectory, partnerOfLine, resolvePartners } from '../partner-directory.js';
import { reverseByMirror } from '../reverse-by-mirror.js';
import { listFailed, told } from '../told.js';
import * as assumed from './assumptions.js';
import { BcClient } from './client.js';
import type { BusinessCentralConfiguration } from './config.js';
import { BcJournalBatch, postedElsewhere } from './journal-batch.js';
import { BcLedgerReader } from './ledger-reader.js';
import { createBcPartners } from './partners.js';
import { BcSetup } from './setup.js';
import { batchCode, isBlank, toBcJournal, toLineDimensions } from './translate.js';
import { bcAttachment, type BcEntry } from './wire.js';

const preparedRequest = z.object({
  journal: journalJsonSchema,
  body: z.string(),
  dimensions: z.array(z.object({ lineNumber: z.int(), code: z.string(), valueCode: z.string() })),
});

export class BusinessCentralAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: BcClient;
  readonly #setup: BcSetup;
  readonly #reader: BcLedgerReader;
  readonly #batch: BcJournalBatch;
  readonly #partners: PartnerDirectory<string>;
  readonly #configuration: BusinessCentralConfiguration;
  readonly #log: port.ErpLog;
  readonly #perKey = new OneAtATime();

  constructor(
    configuration: BusinessCentralConfiguration,
    services: port.ErpServices,
    http: HttpClient,
    tokens: AccessTokens,
  ) {
    const { clock } = services;
    this.#configuration = configuration;
    this.#log = services.log;
    this.#http = http;
    this.#client = new BcClient({ http, clock, tokens, configuration });
    this.#setup = new BcSetup(this.#client, configuration, clock);
    this.#reader = new BcLedgerReader(this.#client, configuration, clock);
    this.#batch = new BcJournalBatch(this.#client, this.#reader, clock);
    this.#partners = createBcPartners(this.#client, configuration);
    const { tenantId, environment, companyId } = configuration;
    this.ledger = `business-central:${tenantId}:${environment}:${companyId}`;
    this.capabilities = capabilitiesOf(configuration, services.vatMode);
  }

  async health(): Promise<port.ErpHealth> {
    const company = await this.#setup.company();
    if (company.outcome !== 'ok') return company;
    const { name, registrationNo } = company.value;
    return { outcome: 'healthy', company: name, registrationNo };
  }

  validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    return this.#setup.findings(expected);
  }

  async prepare(request: port.PostRequest): Promise<port.PrepareOutcome> {
    const { journal, key } = request;
    const crooked = checkJournal(journal, this.capabilities) ?? (await this.#setup.check(journal));
    if (crooked) return crooked;
    const { subledger } = this.#configuration;
    const wanted = journal.lines.flatMap((line) => partnerOfLine(subledger, line, journal) ?? []);
    const partners = await resolvePartners(this.#partners, wanted);
    if (partners.outcome !== 'ok') return partners;
    const stored = {
      journal: plainJournal(journal),
      body: writeWireJson(
        toBcJournal(key, journal, this.#configuration, partners.value, this.capabilities.vatMode),
      ),
      dimensions: toLineDimensions(journal, this.#configuration),
    };
    return { outcome: 'prepared', prepared: { key, request: JSON.stringify(stored) } };
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  async findByKey(key: string): Promise<port.FindOutcome> {
    return found(asLookUp(await this.#reader.byKey(key)));
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    if (!/^\d{1,10}$/.test(reference)) return { outcome: 'none' };
    const key = asLookUp(await this.#reader.byEntryNumber(Number(reference)));
    if (key.outcome !== 'ok') return key;
    return key.value === undefined ? { outcome: 'none' } : this.findByKey(key.value);
  }

  /** A journal that a crash left may lack dimensions. Made anew it is whole; and once it is deleted, no late post finds it. */
  async resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const removed = await this.#batch.discard(draft.reference.id);
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
    const path = `generalLedgerEntries(${reference.id})/attachments`;
    const there = await this.#client.list(path, {}, bcAttachment);
    if (there.outcome !== 'ok') return there;
    const named = there.value.filter((each) => each.fileName === fileName);
    if (named.some((each) => each.byteSize === content.byteLength)) return { outcome: 'attached' };
    const empty = named.find((each) => each.byteSize === 0);
    const made = empty
      ? ({ outcome: 'ok', value: empty } as const)
      : await this.#client.create(path, JSON.stringify({ fileName }), bcAttachment);
    if (made.outcome !== 'ok') return made;
    const uploaded = await this.#client.upload(`attachments(${made.value.id})/attachmentContent`, content);
    return uploaded.outcome === 'ok' ? { outcome: 'attached' } : uploaded;
  }

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    let open: BcEntry[] = [];
    let last = 0;
    let undone: ReadonlySet<string> | undefined;
    for (let page = 0; page < assumed.ENTRIES_PAGES_MAX; page++) {
      const entries = listed(await this.#reader.period(period.from, period.to, last));
      const [first] = entries;
      if (first) undone ??= listed(await this.#reader.undoneAfter(first.entryNumber));
      for (const entry of entries) {
        // Entries of one document follow each other, so a page break only keeps the last document open.
        if (open.length > 0 && open[0]?.documentNumber !== entry.documentNumber) {
          yield* this.#reader.toEntries(open, undone ?? NONE);
          open = [];
        }
        open.push(entry);
        last = entry.entryNumber;
      }
      if (entries.length < assumed.ENTRIES_PAGE_SIZE) break;
    }
    yield* this.#reader.toEntries(open, undone ?? NONE);
    const drafts = listed(await this.#reader.drafts());
    yield* drafts.filter((draft) => draft.postingDate >= period.from && draft.postingDate <= period.to);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { key } = prepared;
    const stored = preparedRequest.parse(JSON.parse(prepared.request));
    const journal = journalFromPlain(stored.journal);
    const before = alreadyThere(await this.findByKey(key), journal, this.capabilities);
    if (before.outcome === 'answer') return before.answer;
    if (before.outcome === 'draft') {
      const removed = await this.#batch.discard(before.entry.reference.id);
      if (removed.outcome !== 'ok') return removed;
    }
    const made = await this.#batch.make(key, stored.body, stored.dimensions);
    if (made.outcome !== 'ok') return made;
    const isScheduled = this.#configuration.posting === 'job-queue';
    const posted = isScheduled ? await this.#batch.schedule(made.value) : await this.#batch.post(made.value);
    if (posted.outcome !== 'ok') return posted;
    return this.#readBack(key, made.value, journal);
  }

  async #readBack(
    key: string,
    journalId: string,
    journal: ReturnType<typeof journalFromPlain>,
  ): Promise<port.PostOutcome> {
    const isScheduled = this.#configuration.posting === 'job-queue';
    for (const pauseMs of isScheduled ? [0] : assumed.READ_BACK_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      const posted = found(asLookUp(await this.#reader.posted(key)));
      const after = alreadyThere(posted, journal, this.capabilities);
      if (
        after.outcome !== 'answer' ||
        after.answer.outcome === 'transient' ||
        after.answer.outcome === 'auth'
      ) {
        continue;
      }
      // What is left is a blank line. It does no harm, so a failure to tidy up is noted and no more.
      const removed = await this.#batch.tidyUp(journalId);
      if (removed.outcome !== 'ok') this.#log.warn({ journal: batchCode(key) }, removed.message);
      return after.answer;
    }
    return this.#notShown(key, journalId, journal);
  }

  /** 204 and no entries: the lines still wait, or they were posted a moment ago, or they went under another number. */
  async #notShown(
    key: string,
    journalId: string,
    journal: ReturnType<typeof journalFromPlain>,
  ): Promise<port.PostOutcome> {
    const unseen = { outcome: 'unknown', ...told('JOURNAL_UNSEEN', { journal: batchCode(key) }) } as const;
    const lines = await this.#reader.lines(journalId);
    if (lines.outcome !== 'ok') return unseen;
    if (lines.value.some((line) => line.documentNumber === key && !isBlank(line)))
      return { outcome: 'pending', reference: { id: journalId, number: batchCode(key) } };
    const posted = found(asLookUp(await this.#reader.posted(key)));
    if (posted.outcome === 'none') return postedElsewhere(key);
    const now = alreadyThere(posted, journal, this.capabilities);
    const isSeen = now.outcome === 'answer' && posted.outcome !== 'transient' && posted.outcome !== 'auth';
    return isSeen ? now.answer : unseen;
  }
}

const NONE: ReadonlySet<string> = new Set();

function listed<T>(answer: ReadAnswer<T>): T {
  if (answer.outcome !== 'ok') throw listFailed(answer);
  return answer.value;
}

function found(answer: LookUpAnswer<port.ErpEntry[]>): port.FindOutcome {
  if (answer.outcome !== 'ok') return answer;
  const [entry] = answer.value;
  if (!entry) return { outcome: 'none' };
  return answer.value.length === 1 ? { outcome: 'one', entry } : { outcome: 'many', entries: answer.value };
}

function capabilitiesOf(
  configuration: BusinessCentralConfiguration,
  vatMode: port.VatMode = 'explicit-lines',
): port.ErpCapabilities {
  const { customers, suppliers } = configuration.subledger;
  return {
    idempotency: 'none',
    lookUp: 'posted-and-draft',
    lookUpLagMs: 1_000,
    finality: configuration.posting === 'job-queue' ? 'async' : 'posted',
    atomicPost: false,
    readBack: 'lines',
    attachments: true,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: configuration.foreignDocuments === 'in-isk' ? 'in-isk' : 'none',
    subledger: customers.length + suppliers.length > 0,
    vatMode,
    splitsVat: true,
    reverse: true,
    keyLengthMax: assumed.DOCUMENT_NUMBER_LENGTH_MAX,
    concurrency: assumed.CONCURRENCY,
    requestsPerSecond: assumed.REQUESTS_PER_SECOND,
  };
}
