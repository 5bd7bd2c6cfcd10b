// The port on Odoo. An entry is created as a draft and then posted, in two transactions; `ref` holds the key and is not
// unique, so each key has one writer at a time here, a look-up before and a read-back after.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Journal } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import type { Clock } from '../../domain/runtime.js';
import type { HttpClient } from '../../http/http-client.js';
import { readWireJson, writeWireJson } from '../../http/wire-json.js';
import { alreadyThere, confirmed } from '../already-there.js';
import { asLookUp, inDoubt } from '../answer.js';
import type * as port from '../erp-adapter.js';
import { foundEntries } from '../found-entries.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { reverseByMirror } from '../reverse-by-mirror.js';
import { OneAtATime } from '../one-at-a-time.js';
import { listFailed, remedyOf, told } from '../told.js';
import * as assumed from './assumptions.js';
import { OdooClient } from './client.js';
import type { OdooConfiguration } from './config.js';
import { OdooLedgerReader } from './ledger-reader.js';
import { OdooMatching } from './matching.js';
import type { Told } from '../../domain/message.js';
import { withUnmatched } from '../set-against.js';
import { OdooPreparation } from './preparation.js';
import { OdooSetup } from './setup.js';
import { withoutEmptyCurrencies } from './translate.js';
import { createdIds, ignored, odooAttachment } from './wire.js';

const preparedRequest = z.object({ journal: journalJsonSchema, values: z.string() });

export class OdooAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: OdooClient;
  readonly #setup: OdooSetup;
  readonly #reader: OdooLedgerReader;
  readonly #matching: OdooMatching;
  readonly #preparation: OdooPreparation;
  readonly #configuration: OdooConfiguration;
  readonly #clock: Clock;
  readonly #perKey = new OneAtATime();

  constructor(configuration: OdooConfiguration, services: port.ErpServices, http: HttpClient) {
    const { clock } = services;
    const apiKey = services.secret(configuration.apiKey);
    this.#configuration = configuration;
    this.#clock = clock;
    this.#http = http;
    this.#client = new OdooClient({ http, clock, apiKey, configuration });
    this.#setup = new OdooSetup(this.#client, configuration, clock);
    this.#reader = new OdooLedgerReader(this.#client, this.#setup, configuration);
    this.#matching = new OdooMatching(this.#client, services.log);
    this.ledger = `odoo:${configuration.database}:${configuration.company}`;
    this.capabilities = capabilitiesOf(configuration, services.vatMode);
    this.#preparation = new OdooPreparation(this.#client, this.#setup, configuration, this.capabilities);
  }

  async health(): Promise<port.ErpHealth> {
    const setup = await this.#setup.fresh();
    if (setup.outcome !== 'ok') return setup;
    const { company: registrationNo } = this.#configuration;
    return { outcome: 'healthy', company: setup.value.companyName, registrationNo };
  }

  async validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    const findings = await this.#preparation.findings(expected);
    return [...findings, ...this.#keyFindings()];
  }

  async prepare(request: port.PostRequest): Promise<port.PrepareOutcome> {
    return this.#prepare(request);
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  async findByKey(key: string): Promise<port.FindOutcome> {
    return foundEntries(asLookUp(await this.#reader.entries([['ref', '=', key]], 10)));
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    const byId = /^\d{1,15}$/.test(reference) ? Number(reference) : -1;
    const domain = ['|', ['name', '=', reference], ['id', '=', byId]];
    return foundEntries(asLookUp(await this.#reader.entries(domain, 10)));
  }

  resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#finish(draft, journalOf(prepared)));
  }

  match({ key, reference }: port.ErpEntry, journal: Journal): Promise<Told | undefined> {
    if (this.#configuration.books !== 'documents') return Promise.resolve(undefined);
    return this.#perKey.run(key, () => this.#matching.matchWithInvoice(Number(reference.id), journal));
  }

  reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const { key, original } = request;
    const reversedId = Number(original.reference.id);
    return this.#perKey.run(original.key, async () => {
      const outcome = await reverseByMirror(this, request, (journal) =>
        this.#prepare({ key, journal }, reversedId),
      );
      if (outcome.outcome !== 'posted' || this.#configuration.books !== 'documents') return outcome;
      return withUnmatched(outcome, await this.#matching.together(Number(outcome.reference.id), reversedId));
    });
  }

  /** Asked twice it is one attachment: the same name with the same content is there already. */
  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    const entry = { res_model: 'account.move', res_id: Number(reference.id) };
    const name = attachment.fileName;
    const domain = Object.entries({ ...entry, name }).map(([field, value]) => [field, '=', value]);
    const limit = assumed.ATTACHMENTS_MAX;
    const there = await this.#client.searchRead('ir.attachment', domain, ['checksum'], odooAttachment, {
      limit,
    });
    if (there.outcome !== 'ok') return there;
    const checksum = createHash('sha1').update(attachment.content).digest('hex');
    if (there.value.some((each) => each.checksum === checksum)) return { outcome: 'attached' };
    const datas = Buffer.from(attachment.content).toString('base64');
    const values = { ...entry, name, mimetype: attachment.contentType, datas };
    const call = { model: 'ir.attachment', method: 'create', arguments: { vals_list: [values] } };
    const answer = await this.#client.call(call, createdIds);
    return answer.outcome === 'ok' ? { outcome: 'attached' } : answer;
  }

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    let last = 0;
    for (let page = 0; page < assumed.ENTRIES_PAGES_MAX; page++) {
      const domain = [
        ['id', '>', last],
        ['date', '>=', period.from],
        ['date', '<=', period.to],
      ];
      const answer = await this.#reader.entries(domain, assumed.ENTRIES_PAGE_SIZE);
      if (answer.outcome !== 'ok') throw listFailed(answer);
      yield* answer.value.filter((entry) => isPostingKey(entry.key));
      if (answer.value.length < assumed.ENTRIES_PAGE_SIZE) return;
      last = Number(answer.value.at(-1)?.reference.id ?? last);
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #prepare(request: port.PostRequest, reversedId?: number): Promise<port.PrepareOutcome> {
    const journal = withoutEmptyCurrencies(request.journal);
    const values = await this.#preparation.values({ ...request, journal }, reversedId);
    if (values.outcome !== 'ok') return values;
    const stored = JSON.stringify({ journal: plainJournal(journal), values: writeWireJson(values.value) });
    return { outcome: 'prepared', prepared: { key: request.key, request: stored } };
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const journal = journalOf(prepared);
    const before = alreadyThere(await this.findByKey(prepared.key), journal, this.capabilities);
    if (before.outcome === 'answer') return before.answer;
    if (before.outcome === 'draft') return this.#finish(before.entry, journal);
    const created = await this.#client.call(
      {
        model: 'account.move',
        method: 'create',
        arguments: { vals_list: [storedValues(prepared)] },
      },
      createdIds,
    );
    if (created.outcome !== 'ok') return created;
    const [id] = created.value;
    if (id === undefined) return { outcome: 'unknown', ...told('CREATED_UNNAMED', { system: 'Odoo' }) };
    const makesLines =
      this.capabilities.vatMode === 'erp-splits' || this.#configuration.books === 'documents';
    return makesLines ? this.#bookAsMeant(id, journal) : this.#bookDraft(id, journal);
  }

  /** Where Odoo makes lines itself, VAT reckoned otherwise or a partner's other account is seen before it is in the books. */
  async #bookAsMeant(id: number, journal: Journal): Promise<port.PostOutcome> {
    const draft = await this.#reader.entries([['id', '=', id]], 1);
    if (draft.outcome !== 'ok' || !draft.value[0])
      return { outcome: 'unknown', ...told('DRAFT_NOT_READ', { system: 'Odoo', id: String(id) }) };
    const same = confirmed(draft.value[0], journal, this.capabilities);
    return same.outcome === 'rejected'
      ? this.#removed(id, { ...same, code: 'invalid' })
      : this.#bookDraft(id, journal);
  }

  /** A draft that was found is booked only when it is what we meant. */
  async #finish(draft: port.ErpEntry, journal: Journal): Promise<port.PostOutcome> {
    const same = confirmed(draft, journal, this.capabilities);
    return same.outcome === 'rejected' ? same : this.#bookDraft(Number(draft.reference.id), journal);
  }

  async #bookDraft(id: number, journal: Journal): Promise<port.PostOutcome> {
    const ids = [id];
    const booked = await this.#client.call(
      { model: 'account.move', method: 'action_post', ids, arguments: {} },
      ignored,
    );
    if (booked.outcome === 'rejected') return this.#removed(id, booked);
    // The draft is there, whatever became of the posting: only a look-up can tell, so nothing here is merely transient.
    if (booked.outcome !== 'ok') return inDoubt(booked);
    const entry = await this.#reader.entries([['id', '=', id]], 1);
    if (entry.outcome !== 'ok' || !entry.value[0]) {
      return { outcome: 'unknown', ...told('BOOKED_NOT_READ', { system: 'Odoo', id: String(id) }) };
    }
    const outcome = confirmed(entry.value[0], journal, this.capabilities);
    return this.#configuration.books === 'documents'
      ? withUnmatched(outcome, await this.#matching.matchWithInvoice(id, journal))
      : outcome;
  }

  /** A draft that Odoo will not book is of no use to anybody; one that cannot be removed either is said to be there. */
  async #removed(id: number, refusal: port.Rejected): Promise<port.PostOutcome> {
    const ids = [id];
    const removed = await this.#client.call(
      { model: 'account.move', method: 'unlink', ids, arguments: {} },
      ignored,
    );
    return removed.outcome === 'ok' ? refusal : { outcome: 'draft', reference: { id: String(id) } };
  }

  #keyFindings(): port.Finding[] {
    const { apiKeyExpires: day, protocol } = this.#configuration;
    const remedy = remedyOf(told('NEW_API_KEY', { system: 'Odoo' }));
    if (day === undefined) {
      const unknown = told('KEY_LIFE_UNKNOWN');
      return protocol === 'json-2' ? [{ severity: 'warning', ...unknown, ...remedy }] : [];
    }
    const daysLeft = Math.floor((Date.parse(day) - this.#clock.now().getTime()) / 86_400_000);
    if (daysLeft >= assumed.KEY_EXPIRY_WARNING_DAYS) return [];
    return [{ severity: 'warning', ...told('KEY_EXPIRES', { day }), ...remedy }];
  }
}

/** The values as they were stored, numbers and all. */
function storedValues(prepared: port.PreparedPost): unknown {
  return readWireJson(Buffer.from(readStored(prepared).values));
}

function journalOf(prepared: port.PreparedPost): Journal {
  return journalFromPlain(readStored(prepared).journal);
}

function readStored(prepared: port.PreparedPost) {
  return preparedRequest.parse(JSON.parse(prepared.request));
}

function capabilitiesOf(
  configuration: OdooConfiguration,
  vatMode: port.VatMode = 'explicit-lines',
): port.ErpCapabilities {
  return {
    idempotency: 'none',
    lookUp: 'posted-and-draft',
    lookUpLagMs: 0,
    finality: 'posted',
    atomicPost: false,
    readBack: 'lines',
    attachments: true,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: 'in-currency',
    subledger: true,
    vatMode,
    splitsVat: true,
    makesDocuments: true,
    matchesPayments: true,
    creditsBills: true,
    reverse: true,
    keyLengthMax: assumed.KEY_LENGTH_MAX,
    concurrency: assumed.CONCURRENCY,
    requestsPerSecond: assumed.REQUESTS_PER_SECOND,
  };
}
