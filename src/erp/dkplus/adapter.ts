// The port on dkPlus. One request books a whole journal and answers nothing, so every posting is read back by its
// reference; what cannot be read back is unknown, and since dk lists no unposted journals it is never sent again.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { isPostingKey } from '../../domain/posting-key.js';
import type { HttpClient } from '../../http/http-client.js';
import { writeWireJson } from '../../http/wire-json.js';
import { alreadyThere } from '../already-there.js';
import { asLookUp } from '../answer.js';
import { checkJournal } from '../check-journal.js';
import type * as port from '../erp-adapter.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { reverseByMirror } from '../reverse-by-mirror.js';
import { OneAtATime } from '../one-at-a-time.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  partnerOfLine,
  resolvePartners,
} from '../partner-directory.js';
import {
  BOOKED_AHEAD_DAYS,
  CONCURRENCY,
  LIST_PAGES_MAX,
  PAGE_SIZE,
  READ_BACK_PAUSES_MS,
  REFERENCE_LENGTH_MAX,
  REQUESTS_PER_SECOND,
} from './assumptions.js';
import { failedCheck, listFailed, rejected, told } from '../told.js';
import { DkChart } from './chart.js';
import { DkClient } from './client.js';
import type { DkPlusConfiguration } from './config.js';
import { dimensionNames, toDkJournal, toDkPartner, toEntries } from './translate.js';
import type { DkPartner, DkTransaction } from './wire.js';

const preparedRequest = z.object({ journal: journalJsonSchema, body: z.string() });

export class DkPlusAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: DkClient;
  readonly #chart: DkChart;
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
    this.#partners = partnersOf(this.#client, configuration);
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
    const body = writeWireJson(toDkJournal(key, journal, this.#configuration, voucher));
    const prepared = { key, request: JSON.stringify({ journal: plainJournal(journal), body }) };
    return { outcome: 'prepared', prepared };
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  async findByKey(key: string): Promise<port.FindOutcome> {
    const answer = asLookUp(await this.#client.transactions(key));
    if (answer.outcome !== 'ok') return answer;
    return this.#found(
      answer.value.filter((transaction) => transaction.Reference === key),
      key,
    );
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    const answer = asLookUp(await this.#client.transactionsOfVoucher(reference));
    if (answer.outcome !== 'ok') return answer;
    const together = answer.value.filter((transaction) => transaction.Voucher === reference);
    // A reversal stands under its original's voucher; asked for by number, the original is meant.
    const [first] = toEntries(together, this.#configuration).filter((entry) => !entry.reversed);
    return first ? this.findByKey(first.key) : { outcome: 'none' };
  }

  resume(): Promise<port.PostOutcome> {
    return Promise.resolve(NO_DRAFTS);
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

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    const since = daysBefore(period.from, BOOKED_AHEAD_DAYS);
    const ours: DkTransaction[] = [];
    for (let page = 1; page <= LIST_PAGES_MAX; page++) {
      const answer = await this.#client.createdAfter(since, page);
      if (answer.outcome !== 'ok') throw listFailed(answer);
      ours.push(...answer.value.filter((transaction) => isPostingKey(transaction.Reference)));
      if (answer.value.length < PAGE_SIZE) break;
    }
    for (const entry of toEntries(ours, this.#configuration)) {
      if (entry.postingDate >= period.from && entry.postingDate <= period.to) yield entry;
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { journal: stored, body } = preparedRequest.parse(JSON.parse(prepared.request));
    const journal = journalFromPlain(stored);
    const before = alreadyThere(await this.findByKey(prepared.key), journal, this.capabilities);
    if (before.outcome === 'answer') return before.answer;
    const sent = await this.#client.postJournal(body);
    if (sent.outcome !== 'ok') return sent;
    for (const pauseMs of READ_BACK_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      const after = alreadyThere(await this.findByKey(prepared.key), journal, this.capabilities);
      if (after.outcome === 'answer' && !isPassing(after.answer)) return after.answer;
    }
    const waits = { key: prepared.key, journal: this.#configuration.journalCode };
    return { outcome: 'unknown', ...told('TAKEN_BY_DK', waits) };
  }

  async #found(transactions: readonly DkTransaction[], key: string): Promise<port.FindOutcome> {
    const entries: port.ErpEntry[] = [];
    for (const entry of toEntries(transactions, this.#configuration)) {
      const voucher = entry.reference.number;
      const answer = asLookUp(await this.#client.transactionsOfVoucher(entry.reference.id));
      if (answer.outcome !== 'ok') return answer;
      // dk matches parts of a voucher's number as well.
      const together = answer.value.filter((transaction) => transaction.Voucher === voucher);
      const again = toEntries(together, this.#configuration).find((each) => each.key === key);
      entries.push(again ?? entry);
    }
    const [entry] = entries;
    if (!entry) return { outcome: 'none' };
    return entries.length === 1 ? { outcome: 'one', entry } : { outcome: 'many', entries };
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

function capabilitiesOf(
  configuration: DkPlusConfiguration,
  vatMode: port.VatMode = 'explicit-lines',
): port.ErpCapabilities {
  const { customers, suppliers } = configuration.subledger;
  return {
    idempotency: 'none',
    lookUp: 'posted',
    lookUpLagMs: 2_000,
    finality: 'posted',
    atomicPost: true,
    readBack: 'lines',
    attachments: false,
    dimensions: dimensionNames(configuration).length > 0,
    foreignCurrency: configuration.foreignDocuments === 'in-isk' ? 'in-isk' : 'none',
    subledger: customers.length + suppliers.length > 0,
    vatMode,
    splitsVat: true,
    reverse: true,
    keyLengthMax: REFERENCE_LENGTH_MAX,
    concurrency: CONCURRENCY,
    requestsPerSecond: REQUESTS_PER_SECOND,
  };
}

function partnersOf(client: DkClient, configuration: DkPlusConfiguration): PartnerDirectory<DkPartner> {
  const kindOf = (kind: 'customer' | 'supplier') => (kind === 'customer' ? 'Customer' : 'Vendor');
  return createPartnerDirectory<DkPartner>({
    mayCreate: configuration.partners.create,
    async find(wanted) {
      const answer = await client.partner(kindOf(wanted.kind), wanted.kennitala);
      if (answer.outcome !== 'ok') return answer;
      return { outcome: 'ok', value: answer.value ? [answer.value] : [] };
    },
    create: (party) =>
      client.createPartner(
        kindOf(party.kind),
        toDkPartner(party, party.kennitala.replace('-', ''), configuration.customerGroup),
      ),
  });
}

function daysBefore(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - days);
  return day.toISOString().slice(0, 10);
}
