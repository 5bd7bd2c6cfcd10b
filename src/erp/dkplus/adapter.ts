// The port on dkPlus. One request books a whole journal and answers nothing, so every posting is read back by its
// reference; what cannot be read back is unknown, and since dk lists no unposted journals it is never sent again.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { partyNumber } from '../party-key.js';
import type { HttpClient } from '../../http/http-client.js';
import { writeWireJson } from '../../http/wire-json.js';
import { alreadyThere, confirmed } from '../already-there.js';
import type { Answer, ReadAnswer } from '../answer.js';
import { checkJournal } from '../check-journal.js';
import type * as port from '../erp-adapter.js';
import type { Journal } from '../../domain/journal.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { reverseByMirror } from '../reverse-by-mirror.js';
import { OneAtATime } from '../one-at-a-time.js';
import { type PartnerDirectory, partnerOfLine, resolvePartners } from '../partner-directory.js';
import { READ_BACK_PAUSES_MS } from './assumptions.js';
import { failedCheck, rejected, told } from '../told.js';
import { DkBooks } from './books.js';
import { capabilitiesOf } from './capabilities.js';
import { DkChart } from './chart.js';
import { DkClient } from './client.js';
import type { DkPlusConfiguration } from './config.js';
import { DkRates } from './exchange-rates.js';
import { createDkPartners } from './partners.js';
import { owedToSupplier, toDkInvoice, withFiles } from './supplier-invoices.js';
import { toDkJournal } from './translate.js';
import type { DkPartner } from './wire.js';

/** With a vendor it is an invoice that waits for people, without one a journal. */
const preparedRequest = z.object({
  journal: journalJsonSchema,
  vendor: z.string().exactOptional(),
  body: z.string(),
});
type Written = Omit<z.infer<typeof preparedRequest>, 'journal'>;

export class DkPlusAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: DkClient;
  readonly #chart: DkChart;
  readonly #books: DkBooks;
  readonly #rates: DkRates;
  readonly #partners: PartnerDirectory<DkPartner>;
  readonly #configuration: DkPlusConfiguration;
  readonly #perKey = new OneAtATime();

  constructor(configuration: DkPlusConfiguration, services: port.ErpServices, http: HttpClient) {
    const { clock } = services;
    this.#configuration = configuration;
    this.#http = http;
    const token = services.secret(configuration.token);
    this.#client = new DkClient({ http, clock, baseUrl: configuration.baseUrl, token });
    this.#chart = new DkChart(this.#client, configuration, clock, services.vatMode);
    this.#books = new DkBooks(this.#client, configuration);
    this.#rates = new DkRates(this.#client, configuration, clock);
    this.#partners = createDkPartners(this.#client, configuration);
    this.ledger = `dkplus:${configuration.company}`;
    this.capabilities = capabilitiesOf(configuration, services.vatMode);
  }

  async health(): Promise<port.ErpHealth> {
    const connection = await this.#client.connection();
    if (connection.outcome !== 'ok') return connection;
    if (!connection.value) return { outcome: 'transient', ...told('DKPLUS_CUT_OFF') };
    const company = await this.#chart.company();
    if (company.outcome !== 'ok') return company;
    // The books have shown that they are those of this kennitala, or the connection would be refused.
    const { company: registrationNo } = this.#configuration;
    return { outcome: 'healthy', company: company.value, registrationNo };
  }

  async validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    const health = await this.health();
    if (health.outcome !== 'healthy') return [failedCheck(health, told('CORRECT_THE_TOKEN'))];
    return this.#chart.findings(expected);
  }

  prepare(request: port.PostRequest): Promise<port.PrepareOutcome> {
    return this.#prepare(request);
  }

  async #prepare(request: port.PostRequest, voucher?: string): Promise<port.PrepareOutcome> {
    const { journal, key } = request;
    const crooked = checkJournal(journal, this.capabilities) ?? (await this.#chart.check(journal));
    if (crooked) return crooked;
    const { subledger } = this.#configuration;
    const wanted = journal.lines.flatMap((line) => partnerOfLine(subledger, line, journal) ?? []);
    const partners = await resolvePartners(this.#partners, wanted);
    if (partners.outcome !== 'ok') return partners;
    const blocked = [...partners.value.values()].find((partner) => partner.Blocked === true);
    if (blocked)
      return rejected('unknown-party', told('PARTNER_BLOCKED', { system: 'dk', partner: blocked.Number }));
    const written = await this.#written(request, voucher);
    if (written.outcome !== 'ok') return written;
    const stored = { journal: plainJournal(journal), ...written.value };
    return { outcome: 'prepared', prepared: { key, request: JSON.stringify(stored) } };
  }

  async #written({ key, journal }: port.PostRequest, voucher?: string): Promise<ReadAnswer<Written>> {
    const settings = this.#configuration;
    const owed = owedToSupplier(journal, settings);
    if (owed) {
      const body = writeWireJson(toDkInvoice({ key, journal, owed }, settings));
      return { outcome: 'ok', value: { vendor: partyNumber(owed.counterparty ?? ''), body } };
    }
    const isInCurrency = await this.#rates.isInCurrency(journal);
    if (isInCurrency.outcome !== 'ok') return isInCurrency;
    const form = { voucher, isInCurrency: isInCurrency.value };
    return { outcome: 'ok', value: { body: writeWireJson(toDkJournal(key, journal, settings, form)) } };
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  findByKey(key: string): Promise<port.FindOutcome> {
    return this.#books.findByKey(key);
  }

  findByReference(reference: string): Promise<port.FindOutcome> {
    return this.#books.findByReference(reference);
  }

  /** A supplier invoice waits for people in dk; there are no other drafts. */
  resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    if (this.capabilities.finality !== 'draft') return Promise.resolve(NO_DRAFTS);
    const { journal } = preparedRequest.parse(JSON.parse(prepared.request));
    return Promise.resolve(confirmed(draft, journalFromPlain(journal), this.capabilities));
  }

  reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const { key, original } = request;
    return this.#perKey.run(original.key, () =>
      reverseByMirror(this, request, (journal) => this.#prepare({ key, journal }, original.reference.number)),
    );
  }

  attach(): Promise<port.AttachOutcome> {
    return Promise.resolve(rejected('unsupported', told('NO_FILES_ON_JOURNALS', { system: 'dkPlus' })));
  }

  entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    return this.#books.entries(period);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { journal: stored, ...written } = preparedRequest.parse(JSON.parse(prepared.request));
    const journal = journalFromPlain(stored);
    const before = await this.#seen(prepared.key, journal);
    if (before) return before;
    const sent = await this.#send(written, prepared.files ?? []);
    if (sent.outcome !== 'ok') return sent;
    for (const pauseMs of READ_BACK_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      const after = await this.#seen(prepared.key, journal);
      if (after && !isPassing(after)) return after;
    }
    const { key } = prepared;
    if (written.vendor !== undefined)
      return { outcome: 'unknown', ...told('SYSTEM_TOOK_NOT_SHOWN', { system: 'dkPlus', key }) };
    const waits = { key, journal: this.#configuration.journalCode };
    return { outcome: 'unknown', ...told('TAKEN_BY_DK', waits) };
  }

  /** Null when dk shows nothing under the key. */
  async #seen(key: string, journal: Journal): Promise<port.PostOutcome | null> {
    const there = alreadyThere(await this.findByKey(key), journal, this.capabilities);
    if (there.outcome === 'nothing') return null;
    return there.outcome === 'draft' ? confirmed(there.entry, journal, this.capabilities) : there.answer;
  }

  #send({ vendor, body }: Written, files: readonly port.Attachment[]): Promise<Answer<undefined>> {
    return vendor === undefined
      ? this.#client.postJournal(body)
      : this.#client.postInvoice(vendor, withFiles(body, files));
  }
}

/** A look-up that failed says nothing about the journal that was sent. */
function isPassing(answer: port.PostOutcome): boolean {
  return answer.outcome === 'transient' || answer.outcome === 'auth';
}

const NO_DRAFTS: port.Rejected = {
  outcome: 'rejected',
  code: 'unsupported',
  ...told('WAITS_IN_PILE'),
};
