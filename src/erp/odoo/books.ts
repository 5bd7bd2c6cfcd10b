// Odoo as keyed books. An entry is created as a draft and then posted, in two transactions; `ref` holds the key and is not unique.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Journal } from '../../domain/journal.js';
import { readWireJson, writeWireJson } from '../../http/wire-json.js';
import { type Answer, ok } from '../answer.js';
import { Chart } from '../chart.js';
import type * as port from '../erp-adapter.js';
import {
  type DraftRequests,
  type ErpBooks,
  type FileRequests,
  type Matching,
  type Period,
  type Sending,
} from '../keyed-books.js';
import { remedyOf, told } from '../told.js';
import type { OdooClient } from './client.js';
import { OdooLedgerReader, OdooMatching } from './entries.js';
import { type OdooFacts, OdooFactsReader, OdooPartners } from './facts.js';
import {
  ATTACHMENTS_MAX,
  capabilitiesOf,
  ENTRIES_PAGE_SIZE,
  ENTRIES_PAGES_MAX,
  KEY_EXPIRY_WARNING_DAYS,
  type OdooConfiguration,
} from './settings.js';
import { owedInKronur, toDocumentValues, toEntryValues, withoutEmptyCurrencies } from './translate.js';
import { createdIds, ignored, odooAttachment } from './wire.js';

const FOUND_MAX = 10;
const DAY_MS = 86_400_000;

/** The values as JSON text, numbers to the last digit. */
const request = z.object({ values: z.string() });
type Request = z.infer<typeof request>;

export class OdooBooks implements ErpBooks<Request, OdooFacts> {
  readonly system = 'Odoo';
  readonly stored = request;
  readonly ledger: string;
  readonly capabilities: port.ErpCapabilities;
  readonly chart: Chart<OdooFacts>;
  readonly drafts: DraftRequests;
  readonly files: FileRequests;
  readonly matching?: Matching;
  readonly #client: OdooClient;
  readonly #settings: OdooConfiguration;
  readonly #services: port.ErpServices;
  readonly #reader: OdooLedgerReader;
  readonly #partners: OdooPartners;
  readonly #makesDocuments: boolean;

  constructor(client: OdooClient, settings: OdooConfiguration, services: port.ErpServices) {
    const { clock, log, vatMode } = services;
    this.#client = client;
    this.#settings = settings;
    this.#services = services;
    this.#makesDocuments = settings.books === 'documents';
    this.ledger = `odoo:${settings.database}:${settings.company}`;
    this.capabilities = capabilitiesOf(settings, vatMode);
    const splitsVat = vatMode === 'erp-splits';
    const facts = new OdooFactsReader(client, settings, clock, splitsVat);
    this.chart = new Chart<OdooFacts>({
      ...{ system: this.system, dimensionSetting: '`dimensions`' },
      read: async (wanted) => facts.facts(wanted, await facts.setup.get()),
      readNow: async (wanted) => facts.facts(wanted, await facts.setup.fresh()),
    });
    this.#reader = new OdooLedgerReader(client, facts, settings);
    this.#partners = new OdooPartners(client, settings.partners.create);
    this.files = { isThere: this.#isThere.bind(this), upload: this.#upload.bind(this) };
    // Where Odoo makes lines itself, VAT reckoned otherwise or a partner's other account is seen before it is in the books.
    const addsLines = splitsVat || this.#makesDocuments;
    this.drafts = {
      addsLines,
      read: (id) => this.#read(id),
      post: ({ id }) => this.#ofMove('action_post', id),
      remove: (id) => this.#ofMove('unlink', id),
    };
    if (this.#makesDocuments) this.matching = new OdooMatching(client, log);
  }

  adapt(journal: Journal): Journal {
    return withoutEmptyCurrencies(journal);
  }

  async write(
    { key, journal }: port.PostRequest,
    facts: OdooFacts,
    undoes?: port.ErpEntry,
  ): Promise<Request> {
    const numbers = { ...facts.numbers, partners: await this.#partners.resolve(journal) };
    const owed = this.#makesDocuments ? owedInKronur(journal) : null;
    const values = owed
      ? toDocumentValues(key, journal, owed, numbers)
      : toEntryValues(key, journal, numbers, undoes && Number(undoes.reference.id));
    return { values: writeWireJson(values) };
  }

  async create({ request: { values } }: Sending<Request>): Promise<Answer<string>> {
    const created = await this.#create('account.move', readWireJson(Buffer.from(values)));
    if (created.outcome !== 'ok') return created;
    const [id] = created.value;
    if (id !== undefined) return ok(String(id));
    return { outcome: 'unknown', ...told('CREATED_UNNAMED', { system: this.system }) };
  }

  readByKey(key: string): Promise<readonly port.ErpEntry[]> {
    return this.#reader.entries([['ref', '=', key]], FOUND_MAX);
  }

  readByReference(reference: string): Promise<readonly port.ErpEntry[]> {
    const id = /^\d{1,15}$/.test(reference) ? Number(reference) : -1;
    return this.#reader.entries(['|', ['name', '=', reference], ['id', '=', id]], FOUND_MAX);
  }

  async *readPeriod({ from, to }: Period): AsyncIterable<port.ErpEntry> {
    const inPeriod = [
      ['date', '>=', from],
      ['date', '<=', to],
    ];
    let last = 0;
    for (let page = 0; page < ENTRIES_PAGES_MAX; page++) {
      const entries = await this.#reader.entries([['id', '>', last], ...inPeriod], ENTRIES_PAGE_SIZE);
      yield* entries;
      if (entries.length < ENTRIES_PAGE_SIZE) return;
      last = Number(entries.at(-1)?.reference.id ?? last);
    }
  }

  settingsFindings(): port.Finding[] {
    const { apiKeyExpires: day, protocol } = this.#settings;
    const remedy = remedyOf(told('NEW_API_KEY', { system: this.system }));
    if (day === undefined) {
      const unknown = told('KEY_LIFE_UNKNOWN');
      return protocol === 'json-2' ? [{ severity: 'warning', ...unknown, ...remedy }] : [];
    }
    const daysLeft = Math.floor((Date.parse(day) - this.#services.clock.now().getTime()) / DAY_MS);
    if (daysLeft >= KEY_EXPIRY_WARNING_DAYS) return [];
    return [{ severity: 'warning', ...told('KEY_EXPIRES', { day }), ...remedy }];
  }

  async #read(id: string): Promise<port.ErpEntry | undefined> {
    const [entry] = await this.#reader.entries([['id', '=', Number(id)]], 1);
    return entry;
  }

  async #ofMove(method: string, id: string): Promise<Answer<undefined>> {
    const call = { model: 'account.move', method, ids: [Number(id)], arguments: {} };
    const answer = await this.#client.call(call, ignored);
    return answer.outcome === 'ok' ? ok(undefined) : answer;
  }

  #create(model: string, values: unknown): Promise<Answer<number[]>> {
    return this.#client.call({ model, method: 'create', arguments: { vals_list: [values] } }, createdIds);
  }

  /** The same name with the same content. */
  async #isThere({ id }: port.ErpReference, file: port.Attachment): Promise<boolean> {
    const domain = [
      ['res_model', '=', 'account.move'],
      ['res_id', '=', Number(id)],
      ['name', '=', file.fileName],
    ];
    const limit = ATTACHMENTS_MAX;
    const fields = ['checksum'];
    const named = await this.#client.searchRead('ir.attachment', domain, fields, odooAttachment, { limit });
    const checksum = createHash('sha1').update(file.content).digest('hex');
    return named.some((each) => each.checksum === checksum);
  }

  #upload({ id }: port.ErpReference, file: port.Attachment): Promise<Answer<unknown>> {
    const entry = { res_model: 'account.move', res_id: Number(id) };
    const datas = Buffer.from(file.content).toString('base64');
    const values = { ...entry, name: file.fileName, mimetype: file.contentType, datas };
    return this.#create('ir.attachment', values);
  }
}
