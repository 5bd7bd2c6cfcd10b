// The port on the signed JSON contract. What the layer promises about keys is configured, and everything here that touches
// a resend follows from that one setting.
import type * as port from '../erp-adapter.js';
import type { Journal } from '../../domain/journal.js';
import type { HttpClient } from '../../http/http-client.js';
import { alreadyThere, listed, lookedUp, OneAtATime, type Period } from '../keyed-books.js';
import { type Answer, asAnswer, orFailure } from '../answer.js';
import { lackingFinding, Remembered, withNames } from '../chart.js';
import { checkJournal } from '../compare-entry.js';
import { journalFromPlain, journalJsonSchema } from '../../domain/journal-json.js';
import { mirrorJournal } from '../reversal.js';
import { failedCheck, listFailed, rejected, told } from '../told.js';
import { HttpLedgerClient } from './client.js';
import type { HttpConfiguration } from './settings.js';
import {
  refusedAccount,
  refusedByChart,
  refusedDimension,
  refusedVatCode,
  toEntry,
  toReference,
  toRequest,
  type WireChart,
  type WireCompany,
  type WirePosted,
} from './translate.js';

const REMEMBER_MS = 60_000;
const PAGES_MAX = 100_000;

interface Sending {
  readonly key: string;
  /** Read only where it is to be compared with an entry. */
  readonly journal: () => Journal;
}

export class HttpAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #configuration: HttpConfiguration;
  readonly #http: HttpClient;
  readonly #client: HttpLedgerClient;
  readonly #chart: Remembered<WireChart>;
  readonly #company: Remembered<WireCompany>;
  readonly #perKey = new OneAtATime();

  constructor(configuration: HttpConfiguration, services: port.ErpServices, http: HttpClient) {
    this.#configuration = configuration;
    this.#http = http;
    this.ledger = `http:${configuration.ledger}`;
    this.capabilities = capabilitiesOf(configuration);
    const secret = services.secret(configuration.secret);
    const client = new HttpLedgerClient({
      http,
      clock: services.clock,
      baseUrl: configuration.baseUrl,
      secret,
    });
    this.#client = client;
    this.#chart = new Remembered(services.clock, REMEMBER_MS, () => client.chart());
    this.#company = new Remembered(services.clock, REMEMBER_MS, () => client.company());
  }

  health(): Promise<port.ErpHealth> {
    return orFailure(async () => {
      const answer = await this.#company.fresh();
      const { company, registrationNo } = answer;
      const known = registrationNo === undefined ? {} : { registrationNo };
      return this.#otherCompany(answer) ?? { outcome: 'healthy', company, ...known };
    });
  }

  async validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    const health = await this.health();
    if (health.outcome !== 'healthy') return [failedCheck(health, told('CORRECT_THE_CONNECTION'))];
    const answer = await asAnswer(() => this.#chart.fresh());
    if (answer.outcome !== 'ok') return [failedCheck(answer, told('SERVE_ACCOUNTS'))];
    const chart = answer.value;
    const dimensions = Object.entries(expected.dimensions).flatMap(([name, values]) =>
      values.map((value) => refusedDimension({ dimensions: { [name]: value } }, chart)),
    );
    const refusals = [
      ...expected.accounts.map((account) => refusedAccount(account, chart)),
      ...expected.vatCodes.map((code) => refusedVatCode(code, chart)),
      ...dimensions,
    ].filter((refusal) => refusal !== null);
    const found: port.Finding[] =
      refusals.length > 0
        ? refusals.map((refusal) => lackingFinding(refusal, told('CREATE_IN_ERP', { system: 'the ERP' })))
        : [{ severity: 'ok', ...told('READY_LEDGER', { company: health.company }) }];
    const nameOf = (number: string) => chart.accounts.find(({ account }) => account === number)?.name;
    return withNames(found, expected, nameOf);
  }

  prepare({ key, journal }: port.PostRequest): Promise<port.PrepareOutcome> {
    return orFailure(async () => {
      const refused =
        checkJournal(journal, this.capabilities) ??
        this.#otherCompany(await this.#company.get()) ??
        (await this.#refusedByChart(journal));
      return refused ?? { outcome: 'prepared', prepared: { key, request: toRequest(key, journal) } };
    });
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () =>
      this.#sendOnce({ key: prepared.key, journal: () => journalIn(prepared) }, () =>
        this.#client.post(prepared.key, prepared.request),
      ),
    );
  }

  /** The layer shows no drafts; `pending` is its own business. */
  resume(_draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.post(prepared);
  }

  findByKey(key: string): Promise<port.FindOutcome> {
    if (this.capabilities.lookUp === 'none')
      return Promise.resolve({ outcome: 'transient', ...told('NO_LOOK_UP') });
    return lookedUp(async () => (await this.#client.byKey(key)).map(toEntry));
  }

  findByReference(reference: string): Promise<port.FindOutcome> {
    return lookedUp(async () => {
      const byId = await this.#client.byId(reference);
      // People type what the ERP shows them, which is the number.
      const found = byId ? [byId] : await this.#client.byNumber(reference);
      return found.map(toEntry);
    });
  }

  reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    if (!this.capabilities.reverse)
      return Promise.resolve(rejected('unsupported', told('TAKES_NO_REVERSALS')));
    return this.#perKey.run(request.key, () =>
      this.#sendOnce({ key: request.key, journal: () => mirrorJournal(request) }, () =>
        this.#client.reverse(request),
      ),
    );
  }

  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    if (!this.capabilities.attachments) return rejected('unsupported', told('NO_ATTACHMENTS'));
    const answer = await this.#client.attach(reference.id, attachment);
    return answer.outcome === 'ok' ? { outcome: 'attached' } : answer;
  }

  entries(period: Period): AsyncIterable<port.ErpEntry> {
    return listed(this.#pages(period));
  }

  async *#pages({ from, to }: Period): AsyncIterable<port.ErpEntry> {
    for (let page = 1; page <= PAGES_MAX; page++) {
      const { entries, hasMore } = await this.#client.period(from, to, page);
      yield* entries.map(toEntry);
      if (hasMore !== true) return;
    }
    throw listFailed(told('LIST_TOO_LONG', { pages: PAGES_MAX }));
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Sends, unless a look-up is all that the layer offers and it finds the key. A refused duplicate is read and compared. */
  async #sendOnce(
    { key, journal }: Sending,
    send: () => Promise<Answer<WirePosted>>,
  ): Promise<port.PostOutcome> {
    const lookUp = async () => alreadyThere(await this.findByKey(key), journal(), this.capabilities);
    if (this.#configuration.keys === 'look-up') {
      const before = await lookUp();
      if (before.outcome === 'answer') return before.answer;
    }
    const answer = await send();
    if (answer.outcome === 'ok') return { outcome: answer.value.state, reference: toReference(answer.value) };
    if (answer.outcome !== 'rejected' || answer.code !== 'duplicate') return answer;
    const there = await lookUp();
    return there.outcome === 'answer' ? there.answer : answer;
  }

  async #refusedByChart(journal: Journal): Promise<port.Rejected | null> {
    if (!refusedByChart(journal, await this.#chart.get())) return null;
    // Somebody may have added it to the chart a moment ago.
    return refusedByChart(journal, await this.#chart.fresh());
  }

  #otherCompany(answer: { company: string; ledger: string }): port.Rejected | null {
    const { company, ledger } = this.#configuration;
    if (answer.company === company && answer.ledger === ledger) return null;
    const words = told('OTHER_BOOKS', { ...answer, wanted: company, wantedLedger: ledger });
    return rejected('wrong-company', words);
  }
}

function capabilitiesOf(configuration: HttpConfiguration): port.ErpCapabilities {
  const idempotency = {
    'idempotency-key': 'native-key',
    'unique-reference': 'unique-reference',
    'look-up': 'none',
    none: 'none',
  } as const;
  const hours = configuration.keys === 'idempotency-key' ? configuration.keyLifeHours : undefined;
  return {
    idempotency: idempotency[configuration.keys],
    ...(hours === undefined ? {} : { nativeKeyLifeMs: hours * 60 * 60 * 1000 }),
    lookUp: configuration.keys === 'none' ? 'none' : 'posted',
    lookUpLagMs: configuration.lookUpLagMs,
    finality: configuration.finality,
    atomicPost: true,
    readBack: 'lines',
    attachments: configuration.attachments,
    dimensions: configuration.dimensions,
    foreignCurrency: configuration.foreignCurrency ? 'in-currency' : 'none',
    // Parties travel with the journal; what the layer does with them is its own business.
    subledger: true,
    vatMode: 'explicit-lines',
    reverse: configuration.reverse,
    keyLengthMax: 100,
    concurrency: configuration.concurrency,
    requestsPerSecond: configuration.requestsPerSecond,
  };
}

function journalIn(prepared: port.PreparedPost): Journal {
  return journalFromPlain(journalJsonSchema.parse(JSON.parse(prepared.request)));
}
