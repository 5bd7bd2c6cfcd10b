// The port on Uniconta. Nothing outside Uniconta can post a journal, so lines are put into a daily journal and wait there for people;
// a document is in the books when its transactions show, and the source hears of it then and no sooner.
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { isPostingKey } from '../../domain/posting-key.js';
import type { HttpClient } from '../../http/http-client.js';
import { writeWireJson } from '../../http/wire-json.js';
import { alreadyThere, confirmed } from '../already-there.js';
import { asLookUp, type ReadAnswer } from '../answer.js';
import { checkJournal } from '../check-journal.js';
import type * as port from '../erp-adapter.js';
import { foundEntries } from '../found-entries.js';
import { OneAtATime } from '../one-at-a-time.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  partnerOfLine,
  resolvePartners,
} from '../partner-directory.js';
import { listFailed, rejected, told } from '../told.js';
import * as assumed from './assumptions.js';
import { UnicontaChart } from './chart.js';
import { literal, UnicontaClient } from './client.js';
import type { UnicontaConfiguration } from './config.js';
import { toDrafts, toLines, toPartner, toPosted } from './translate.js';
import { journalLine, partner, transaction, type UnicontaPartner } from './wire.js';

const preparedRequest = z.object({ journal: journalJsonSchema, body: z.string() });
const system = 'Uniconta';
const LINES = 'GLDailyJournalLineClient';
const TRANSACTIONS = 'GLTransClient';

export class UnicontaAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: UnicontaClient;
  readonly #chart: UnicontaChart;
  readonly #partners: PartnerDirectory<UnicontaPartner>;
  readonly #configuration: UnicontaConfiguration;
  readonly #perKey = new OneAtATime();

  constructor(configuration: UnicontaConfiguration, services: port.ErpServices, http: HttpClient) {
    const { clock } = services;
    const password = services.secret(configuration.password);
    this.#configuration = configuration;
    this.#http = http;
    this.#client = new UnicontaClient({ http, clock, configuration, password });
    this.#chart = new UnicontaChart(this.#client, configuration, clock);
    this.#partners = partnersOf(this.#client, configuration);
    this.ledger = `uniconta:${configuration.companyId}`;
    this.capabilities = capabilitiesOf(configuration);
  }

  async health(): Promise<port.ErpHealth> {
    const company = await this.#chart.company();
    if (company.outcome !== 'ok') return company;
    // The books have shown that they are those of this kennitala, or the connection would be refused.
    return { outcome: 'healthy', company: company.value, registrationNo: this.#configuration.company };
  }

  validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    return this.#chart.findings(expected);
  }

  async prepare({ key, journal }: port.PostRequest): Promise<port.PrepareOutcome> {
    const crooked = checkJournal(journal, this.capabilities) ?? (await this.#chart.check(journal));
    if (crooked) return crooked;
    const { subledger } = this.#configuration;
    const wanted = journal.lines.flatMap((line) => partnerOfLine(subledger, line, journal) ?? []);
    const partners = await resolvePartners(this.#partners, wanted);
    if (partners.outcome !== 'ok') return partners;
    const blocked = [...partners.value.values()].find(({ Blocked }) => Blocked === true);
    if (blocked)
      return rejected('unknown-party', told('PARTNER_BLOCKED', { system, partner: blocked.Account }));
    const body = writeWireJson(toLines(key, journal, this.#configuration));
    return {
      outcome: 'prepared',
      prepared: { key, request: JSON.stringify({ journal: plainJournal(journal), body }) },
    };
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  /** Lines that wait first: what is posted between the two looks is then seen twice rather than not at all. */
  async findByKey(key: string): Promise<port.FindOutcome> {
    const waiting = asLookUp(await this.#drafts(key));
    if (waiting.outcome !== 'ok') return waiting;
    const posted = asLookUp(await this.#posted(`${assumed.REFERENCE_FIELD} eq ${literal(key)}`));
    if (posted.outcome !== 'ok') return posted;
    if (posted.value.length === 0 || waiting.value.length === 0)
      return found([...posted.value, ...waiting.value]);
    const still = asLookUp(await this.#drafts(key));
    return still.outcome === 'ok' ? found([...posted.value, ...still.value]) : still;
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    if (!/^\d{1,9}$/.test(reference)) {
      const key = reference.split('/').at(-1) ?? '';
      return isPostingKey(key) ? this.findByKey(key) : { outcome: 'none' };
    }
    const posted = asLookUp(await this.#posted(`Voucher eq ${reference}`));
    if (posted.outcome !== 'ok') return posted;
    const [first] = posted.value;
    return first && isPostingKey(first.key) ? this.findByKey(first.key) : found(posted.value);
  }

  /** People in Uniconta post it; until then it stays what it is. */
  resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { journal } = preparedRequest.parse(JSON.parse(prepared.request));
    return Promise.resolve(confirmed(draft, journalFromPlain(journal), this.capabilities));
  }

  reverse(): Promise<port.PostOutcome> {
    return Promise.resolve(rejected('unsupported', told('UNDONE_BY_PEOPLE')));
  }

  attach(): Promise<port.AttachOutcome> {
    return Promise.resolve(rejected('unsupported', told('NO_FILES_ON_JOURNALS', { system })));
  }

  async *entries({ from, to }: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    const days = `Date ge datetime'${from}T00:00:00' and Date le datetime'${to}T00:00:00'`;
    const waiting = listed(await this.#lines(days));
    yield* listed(await this.#posted(days)).filter(({ key }) => isPostingKey(key));
    yield* waiting.filter(({ key }) => isPostingKey(key));
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { journal: stored, body } = preparedRequest.parse(JSON.parse(prepared.request));
    const journal = journalFromPlain(stored);
    const before = alreadyThere(await this.findByKey(prepared.key), journal, this.capabilities);
    if (before.outcome === 'answer') return before.answer;
    if (before.outcome === 'draft') return confirmed(before.entry, journal, this.capabilities);
    const sent = await this.#client.insertList(LINES, body);
    if (sent.outcome !== 'ok') return sent;
    for (const pauseMs of assumed.READ_BACK_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      const after = alreadyThere(await this.findByKey(prepared.key), journal, this.capabilities);
      if (after.outcome === 'draft') return confirmed(after.entry, journal, this.capabilities);
      if (after.outcome === 'answer' && !isPassing(after.answer)) return after.answer;
    }
    return { outcome: 'unknown', ...told('SYSTEM_TOOK_NOT_SHOWN', { system, key: prepared.key }) };
  }

  #drafts(key: string): Promise<ReadAnswer<port.ErpEntry[]>> {
    return this.#lines(`${assumed.REFERENCE_FIELD} eq ${literal(key)}`);
  }

  async #lines(where: string): Promise<ReadAnswer<port.ErpEntry[]>> {
    const filter = `Journal eq ${literal(this.#configuration.journal)} and ${where}`;
    const answer = await this.#client.list(LINES, journalLine, { filter });
    return answer.outcome === 'ok'
      ? { outcome: 'ok', value: toDrafts(answer.value, this.#configuration) }
      : answer;
  }

  async #posted(filter: string): Promise<ReadAnswer<port.ErpEntry[]>> {
    const answer = await this.#client.list(TRANSACTIONS, transaction, {
      filter,
      orderBy: 'Voucher,VoucherLine',
    });
    return answer.outcome === 'ok'
      ? { outcome: 'ok', value: toPosted(answer.value, this.#configuration) }
      : answer;
  }
}

/** A look-up that failed says nothing about the lines that were sent. */
function isPassing(answer: port.PostOutcome): boolean {
  return answer.outcome === 'transient' || answer.outcome === 'auth';
}

function found(value: readonly port.ErpEntry[]): port.FindOutcome {
  return foundEntries({ outcome: 'ok', value });
}

function listed<T>(answer: ReadAnswer<T>): T {
  if (answer.outcome !== 'ok') throw listFailed(answer);
  return answer.value;
}

function partnersOf(
  client: UnicontaClient,
  { partners, customerGroup, supplierGroup }: UnicontaConfiguration,
): PartnerDirectory<UnicontaPartner> {
  const entityOf = (kind: 'customer' | 'supplier') =>
    kind === 'customer' ? 'DebtorClient' : 'CreditorClient';
  return createPartnerDirectory<UnicontaPartner>({
    mayCreate: partners.create,
    find: ({ kind, kennitala }) =>
      client.list(entityOf(kind), partner, { filter: `Account eq ${literal(kennitala)}` }),
    async create(party) {
      const fields = toPartner(party, party.kind === 'customer' ? customerGroup : supplierGroup);
      const answer = await client.insert(entityOf(party.kind), JSON.stringify(fields));
      return answer.outcome === 'ok'
        ? { outcome: 'ok', value: { Account: fields['Account'] ?? '', Blocked: false } }
        : answer;
    },
  });
}

function capabilitiesOf(configuration: UnicontaConfiguration): port.ErpCapabilities {
  const { customers, suppliers } = configuration.subledger;
  return {
    idempotency: 'none',
    lookUp: 'posted-and-draft',
    lookUpLagMs: 2_000,
    finality: 'draft',
    atomicPost: true,
    readBack: 'lines',
    attachments: false,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: configuration.foreignDocuments === 'in-isk' ? 'in-isk' : 'none',
    subledger: customers.length + suppliers.length > 0,
    vatMode: 'explicit-lines',
    reverse: false,
    keyLengthMax: assumed.REFERENCE_LENGTH_MAX,
    concurrency: assumed.CONCURRENCY,
    requestsPerSecond: assumed.REQUESTS_PER_SECOND,
  };
}
